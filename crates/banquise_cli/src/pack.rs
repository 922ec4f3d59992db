//! `banquise pack`: floes that fill a piece of sea, as a file and a picture.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use banquise::pack::{PackMethod, PackRequest};
use banquise_geometry::{Aabb, DVec2, Outline, Shape};
use banquise_io::builtin;
use banquise_io::figure::{self, ColorScale, Layer, Map, Patch, Unit};
use banquise_io::pack_file::PackFile;
use banquise_io::plan::PackPlan;
use serde_json::{Value, json};

use crate::arguments::PackArguments;
use crate::failure::Failure;
use crate::progress::PackProgress;
use crate::threads::use_threads;
use banquise_io::whole_file::write_whole;

pub(crate) fn pack(arguments: &PackArguments) -> Result<ExitCode, Failure> {
    use_threads(arguments.threads)?;
    let scenario = &arguments.scenario;
    let path = Path::new(scenario);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let out = arguments.out.clone();
    let out = out.unwrap_or_else(|| PathBuf::from(format!("{name}.json")));
    let picture = out.with_extension("svg");
    for file in [&out, &picture] {
        if file.exists() {
            return Err(Failure::usage(
                format!("{} is there already", file.display()),
                "give another name with --out, or remove it",
            ));
        }
    }
    let start = Instant::now();
    let mut progress = PackProgress::new();
    let mut watch = |what: &'static str, share: f64| progress.show(what, share);
    let plan = match builtin::find(scenario) {
        Some(builtin) => PackPlan::parse(builtin.name, builtin.text, &arguments.set, &mut watch)?,
        None => PackPlan::read(path, &arguments.set, &mut watch)?,
    };
    progress.clear();
    let mut summary = summary(&plan);
    let file = PackFile {
        name: plan.title.clone(),
        floes: plan.made.pack.floes.clone(),
    };
    let written = file.write(&out, &summary);
    written.map_err(|error| Failure::usage(format!("{}: {error}", out.display()), error.hint()))?;
    write_whole(&picture, map(&plan).to_svg()).map_err(|error| Failure::file(&picture, &error))?;
    summary["file"] = json!(out.display().to_string());
    summary["picture"] = json!(picture.display().to_string());
    summary["seconds"] = json!(start.elapsed().as_secs_f64());
    report(&plan, &out, &picture);
    println!("{summary}");
    Ok(ExitCode::SUCCESS)
}

fn report(plan: &PackPlan, out: &Path, picture: &Path) {
    let pack = &plan.made.pack;
    eprintln!(
        "{}: {} floes of {:.4} to {:.4} m, concentration {:.2} %, no overlap, gaps of {:.3} m and more",
        plan.title,
        pack.floes.len(),
        pack.law.min_size,
        pack.law.max_size,
        100.0 * pack.concentration,
        pack.smallest_gap,
    );
    if let Some(fit) = pack.fit {
        eprintln!(
            "sizes: exponent {:.3} asked, {:.3} ± {:.3} found (maximum likelihood), misfit {:.4}",
            pack.law.exponent, fit.exponent, fit.error, fit.misfit
        );
    }
    eprintln!("pack: {}\npicture: {}", out.display(), picture.display());
}

/// Summary of the request and of the pack.
fn summary(plan: &PackPlan) -> Value {
    let (request, pack) = (&plan.made.request, &plan.made.pack);
    let (method, shapes) = match &request.method {
        PackMethod::Library(shapes) => ("library", Some(shapes.len())),
        PackMethod::Tessellation => ("tessellation", None),
    };
    let fit = pack.fit.map(|fit| {
        json!({
            "exponent": fit.exponent,
            "standard_error": fit.error,
            "min_size_m": fit.smallest,
            "max_size_m": fit.largest,
            "misfit": fit.misfit,
        })
    });
    let given = request.given.iter().filter(|body| body.is_floe).count();
    json!({
        "name": plan.title,
        "floes": pack.floes.len(),
        "given_floes": given,
        "concentration": pack.concentration,
        "concentration_wanted": request.concentration,
        "region_area_m2": request.region.area(),
        "region": points(request.region.outline().vertices()),
        "periodic": request.region.period().is_some(),
        "method": method,
        "shapes": shapes,
        "seed": request.seed,
        "law": {
            "count": pack.law.count,
            "min_size_m": pack.law.min_size,
            "max_size_m": pack.law.max_size,
            "exponent": pack.law.exponent,
        },
        "fit": fit,
        "gap_m": pack.gap,
        "smallest_gap_m": pack.smallest_gap,
        "choices": pack.effort.choices,
        "rounds": pack.effort.rounds,
    })
}

fn points(vertices: &[DVec2]) -> Vec<[f64; 2]> {
    vertices.iter().map(DVec2::to_array).collect()
}

/// Floes coloured by their thickness, where it differs.
fn map(plan: &PackPlan) -> Map {
    let (request, pack) = (&plan.made.request, &plan.made.pack);
    let thicknesses = pack.floes.iter().map(|floe| floe.thickness);
    let is_varied = thicknesses.clone().any(|h| h != pack.floes[0].thickness);
    let floes = pack.floes.iter().flat_map(|floe| {
        let value = is_varied.then_some(floe.thickness);
        images(request, &floe.outline).map(move |ring| Patch {
            shape: figure::Shape::Polygon(vec![ring]),
            value,
        })
    });
    let (given, obstacles) = given_shapes(request);
    let given = given.into_iter().map(|shape| Patch { shape, value: None });
    Map {
        title: format!(
            "{}: {} floes, {:.1} %",
            plan.title,
            pack.floes.len(),
            100.0 * pack.concentration
        ),
        layers: vec![
            Layer::Obstacles(obstacles),
            Layer::Floes(given.chain(floes).collect()),
            Layer::Border(points(request.region.outline().vertices())),
        ],
        color_scale: is_varied.then(|| ColorScale {
            label: "Thickness".into(),
            unit: Unit::Fixed("m".into()),
            range: None,
        }),
        width: 900.0,
        ..Map::default()
    }
}

/// The outline, and those of its images that reach into a periodic cell.
fn images(request: &PackRequest, outline: &Outline) -> impl Iterator<Item = Vec<[f64; 2]>> {
    let period = request.region.period().unwrap_or(DVec2::ZERO);
    let shifts: &[f64] = if period == DVec2::ZERO {
        &[0.0]
    } else {
        &[-1.0, 0.0, 1.0]
    };
    let corners = request.region.outline().vertices().iter().copied();
    let cell = Aabb::of_points(corners);
    let mut rings = Vec::new();
    for &x in shifts {
        for &y in shifts {
            let offset = period * DVec2::new(x, y);
            let placed = outline.vertices().iter().map(|&vertex| vertex + offset);
            if Aabb::of_points(placed.clone()).overlaps(&cell) {
                rings.push(placed.map(|vertex| vertex.to_array()).collect());
            }
        }
    }
    rings.into_iter()
}

/// Given floes and obstacles.
fn given_shapes(request: &PackRequest) -> (Vec<figure::Shape>, Vec<figure::Shape>) {
    let (mut floes, mut obstacles) = (Vec::new(), Vec::new());
    for given in &request.given {
        let shape = match &given.shape {
            Shape::Outline(outline) => {
                let placed = outline.vertices().iter();
                let placed = placed.map(|&vertex| given.pose.world_from_body(vertex).to_array());
                figure::Shape::Polygon(vec![placed.collect()])
            }
            Shape::Disc(disc) => figure::Shape::Disc {
                center: given.pose.world_from_body(disc.center()).to_array(),
                radius: disc.radius(),
            },
        };
        if given.is_floe {
            floes.push(shape);
        } else {
            obstacles.push(shape);
        }
    }
    (floes, obstacles)
}
