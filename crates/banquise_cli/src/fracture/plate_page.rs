//! The report of a plate between grips: its stress, its crack, and its load against the displacement of the grips.

use banquise_fem::plate_cases::{SIDE, plate};
use banquise_fem::{Elasticity, GrowthSettings, GrowthStep, Plate};
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Table, Tile, Unit};
use banquise_io::specimen::{GripMotion, PlateOutline, PlatePlan};

use super::plate::{PlateLoad, PlateShape, check_segment, length, to_json};
use super::plate_map::stress_map;
use super::told::{Drawn, Told};
use crate::failure::Failure;

fn shape(plan: &PlatePlan) -> PlateShape {
    match plan.shape {
        PlateOutline::Square => PlateShape::Square,
        PlateOutline::Inclusion => PlateShape::Inclusion,
        PlateOutline::Hole => PlateShape::Hole,
        PlateOutline::Butterfly => PlateShape::Butterfly,
    }
}

fn solved(plan: &PlatePlan) -> Result<Plate, Failure> {
    check_segment(
        plan.segment,
        plan.spacing,
        "the segment of the crack",
        "the spacing",
    )?;
    let load = match plan.load {
        GripMotion::Pull => PlateLoad::Pull,
        GripMotion::Rotation => PlateLoad::Rotation,
    };
    let elasticity = Elasticity {
        young: plan.young,
        poisson: plan.poisson,
        toughness: plan.toughness,
        tensile_strength: None,
    };
    Ok(plate(shape(plan), load, &elasticity, plan.spacing)?)
}

/// What will run, in words.
pub(super) fn check(plan: &PlatePlan) -> Result<String, Failure> {
    let plate = solved(plan)?;
    Ok(format!(
        "a plate of {SIDE} m with {} nodes, cracks in segments of {} m",
        plate.mesh().points().len(),
        plan.segment
    ))
}

pub(super) fn run(plan: &PlatePlan) -> Result<Told, Failure> {
    let plate = solved(plan)?;
    let settings = GrowthSettings {
        segment: plan.segment,
        starts_inside: plan.starts_inside,
        ..GrowthSettings::default()
    };
    let steps = plate.grow(&settings);
    let whole = whole_crack(&plate, &steps);
    Ok(Told {
        happened: happened(&plate, &steps, whole),
        trust: "The plate is in plane stress with linear triangles. Where a segment's onset is below that of an earlier one, the crack runs. The first onset depends \
                on the length of the segment, since a smooth boundary has no crack to grow from; the whole crack's does not."
            .into(),
        tiles: tiles(&plate, &steps),
        figures: vec![
            Drawn {
                file: "plate.svg",
                svg: stress_map(&plate, shape(plan), &steps)?,
                caption: "Largest principal stress when the first segment opens, before it does, and the whole crack; the largest hundredth has the colour of the end."
                    .into(),
            },
            Drawn {
                file: "load.svg",
                svg: load_chart(&plate, &steps),
                caption: "Force on the grips against their displacement: elastic up to the first onset, then down as the crack runs. Dashed: the loads at which each segment just pays \
                          for itself."
                    .into(),
            },
        ],
        table: table(&plate, &steps),
        csv: (
            "crack.csv",
            "tip_x [m],tip_y [m],length [m],onset [m],force_at_onset [N]",
            rows(&plate, &steps),
        ),
        json: to_json(&plate, &steps),
    })
}

/// The load factor at which all of the crack pays for itself at once.
fn whole_crack(plate: &Plate, steps: &[GrowthStep]) -> Option<f64> {
    let last = steps.last()?;
    Some((plate.surface_energy(&last.path) / last.released).sqrt())
}

fn happened(plate: &Plate, steps: &[GrowthStep], whole: Option<f64>) -> String {
    let Some((first, last)) = steps.first().zip(steps.last()) else {
        return "No crack releases energy.".into();
    };
    let runs = steps.iter().all(|step| step.onset <= first.onset);
    format!(
        "The first segment of the crack opens at a displacement of {:.4} mm{}. It is {:.1} m long and {}. Opened at once, all of it would pay for itself at {:.4} mm.",
        1e3 * first.onset,
        if runs {
            ", and the crack runs from then on"
        } else {
            ""
        },
        length(plate, &last.path),
        if last.path.open_ends == [true; 2] {
            "goes through"
        } else {
            "stops inside"
        },
        1e3 * whole.unwrap_or(f64::NAN),
    )
}

fn tiles(plate: &Plate, steps: &[GrowthStep]) -> Vec<Tile> {
    let mut tiles = vec![Tile::new("nodes", &plate.mesh().points().len().to_string())];
    if let Some((first, last)) = steps.first().zip(steps.last()) {
        let force = 2.0 * plate.energy() * first.onset;
        tiles.extend([
            Tile::new("first onset", &format!("{:.4} mm", 1e3 * first.onset)),
            Tile::new("largest force", &format!("{:.3} MN", 1e-6 * force)),
            Tile::new("crack", &format!("{:.1} m", length(plate, &last.path))),
        ]);
    }
    tiles
}

/// Force \[N\] at a load factor, with what the crack has released at t = 1: energies go with t².
fn force(plate: &Plate, released: f64, factor: f64) -> f64 {
    2.0 * (plate.energy() - released) * factor
}

fn load_chart(plate: &Plate, steps: &[GrowthStep]) -> String {
    let mut path = vec![[0.0, 0.0]];
    let mut released = 0.0;
    let mut factor = 0.0_f64;
    for step in steps {
        // The load never goes back: a segment that needs less opens at once.
        factor = factor.max(step.onset);
        path.push([factor, force(plate, released, factor)]);
        released = step.released;
        path.push([factor, force(plate, released, factor)]);
    }
    let resting = steps
        .iter()
        .scan(0.0, |before, step| {
            let point = [step.onset, force(plate, *before, step.onset)];
            *before = step.released;
            Some(point)
        })
        .collect();
    LineChart {
        title: "Load and displacement".into(),
        x_axis: Axis::new("Displacement of the grips", Unit::Prefixed("m".into())),
        y_axis: Axis::new("Force", Unit::Prefixed("N".into())),
        series: vec![
            Series::new("grips that part", path),
            Series::new("onset of each segment", resting).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
    .to_svg()
}

fn rows(plate: &Plate, steps: &[GrowthStep]) -> Vec<Vec<f64>> {
    let mut before = 0.0;
    let row = |step: &GrowthStep| {
        let tip = step.path.points[step.path.points.len() - 1];
        let force = force(plate, before, step.onset);
        before = step.released;
        vec![tip.x, tip.y, length(plate, &step.path), step.onset, force]
    };
    steps.iter().map(row).collect()
}

fn table(plate: &Plate, steps: &[GrowthStep]) -> Table {
    let number = |value: f64, digits: usize| format!("{value:.digits$}");
    let rows = rows(plate, steps).into_iter().map(|row| {
        vec![
            number(row[0], 1),
            number(row[1], 1),
            number(row[2], 1),
            number(1e3 * row[3], 4),
            number(1e-6 * row[4], 3),
        ]
    });
    Table {
        caption: "The crack, segment by segment.".into(),
        header: [
            "tip x (m)",
            "tip y (m)",
            "length (m)",
            "onset (mm)",
            "force (MN)",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
    }
}
