//! The `[scene]` and `[coast]` tables: floes and land as they lie in a file.

use banquise::{BodyKind, BodySpec, Bounds, Domain, Material, Thickness, Velocity};
use banquise_geometry::{Aabb, DVec2, Outline, Pose, Rotation, Shape};

use super::PlanError;
use super::body_list::{BodyList, IceDefaults, PlannedBody, check_count};
use super::contact::decode_material;
use super::files::read_bytes;
use super::shape::decode_points;
use super::site::Site;
use crate::floe_properties::FloeProperties;
use crate::image::SegmentSettings;
use crate::scenario::{Dimension, Problem, ProblemKind, TableReader};
use crate::shapes::{Coordinates, ImportSettings, Imported, import_bytes};

/// A wall keeps floes this part of the domain away from where a coast is cut.
const CLIP_MARGIN: f64 = 0.05;

/// Adds the floes of `[scene]`; nothing if one of them is refused.
pub(super) fn decode_scene(
    root: &TableReader<'_>,
    defaults: &IceDefaults,
    placed: &mut BodyList,
    site: Site<'_>,
) -> Option<()> {
    let field = root.optional("scene");
    if !field.is_present() {
        return Some(());
    }
    let table = field.table()?;
    let name = table.optional("name").text().or("").to_owned();
    let settings = decode_import(&table);
    let velocity = Velocity {
        linear: table
            .optional("velocity")
            .vector(Dimension::Speed)
            .or([0.0, 0.0])
            .into(),
        angular: 0.0,
    };
    let density = table
        .optional("density")
        .quantity(Dimension::Density)
        .positive()
        .or(defaults.material.ice_density);
    let material = Material {
        ice_density: density,
        ..decode_material(&table, defaults.material)
    };
    let has_properties = table.optional("properties").boolean().or(false);
    let thickness = decode_thickness(&table, defaults, has_properties);
    let imported = decode_file(&table, settings, site);
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    let ((outlines, properties), thickness) = (imported?, thickness?);
    check_count(placed.bodies.len() + outlines.len(), span, problems)?;
    for (index, outline) in outlines.into_iter().enumerate() {
        let own = properties.get(index).filter(|_| has_properties);
        let own = own.cloned().unwrap_or_default();
        let Some(thickness) = own.thickness.or(thickness) else {
            problems.push(PlanError::NoThickness { floe: index }.at("the file", span));
            return None;
        };
        let spec = BodySpec {
            name: own.name.unwrap_or_else(|| numbered(&name, index)),
            kind: BodyKind::Floe,
            shape: Shape::Outline(outline),
            pose: HERE,
            velocity: Velocity {
                linear: own.velocity.unwrap_or(velocity.linear),
                angular: own.angular_velocity.unwrap_or(velocity.angular),
            },
            thickness: Thickness::Uniform(thickness),
            material: Material {
                air_drag_coefficient: own.air_drag_coefficient,
                ocean_drag_coefficient: own.ocean_drag_coefficient,
                ..material
            },
            mass: None,
            inertia: None,
        };
        placed.add(PlannedBody::at_rest(spec, span), problems)?;
    }
    Some(())
}

/// How floes are found in the file.
fn decode_import(table: &TableReader<'_>) -> ImportSettings {
    ImportSettings {
        is_labels: table.optional("labels").boolean().or(false),
        segment: SegmentSettings {
            threshold: table
                .optional("threshold")
                .integer()
                .check("from 0 to 254", |level| (0..255).contains(level))
                .get()
                .map(|level| level as u8),
            min_pixels: table
                .optional("min_pixels")
                .integer()
                .positive()
                .or(SegmentSettings::default().min_pixels as i64) as usize,
        },
        only_whole: table.optional("whole").boolean().or(false),
        ..ImportSettings::default()
    }
}

/// One thickness for all floes of the file: that of the table, or of `[ice]`; none where each may have its own.
#[expect(clippy::option_option, reason = "refused, none, or one: three answers")]
fn decode_thickness(
    table: &TableReader<'_>,
    defaults: &IceDefaults,
    may_lack: bool,
) -> Option<Option<f64>> {
    let field = table.optional("thickness");
    if field.is_present() {
        return field.quantity(Dimension::Length).positive().get().map(Some);
    }
    if defaults.thickness.is_none() && !may_lack {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "thickness",
        };
        let hint = "give `thickness` here or in `[ice]`".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
        return None;
    }
    Some(defaults.thickness)
}

/// Adds the land of `[coast]` as obstacles; nothing if one of them is refused.
pub(super) fn decode_coast(
    root: &TableReader<'_>,
    material: Material,
    placed: &mut BodyList,
    site: Site<'_>,
) -> Option<()> {
    let field = root.optional("coast");
    if !field.is_present() {
        return Some(());
    }
    let table = field.table()?;
    let name = table.optional("name").text().or("coast").to_owned();
    let material = decode_material(&table, material);
    let window = decode_clip(&table, placed.domain);
    let lands = decode_lands(&table, &name);
    // A file takes the place of outlines, so that an override can give a better coast.
    let outlines = if table.has("outlines") && !table.has("file") {
        for key in ["unit", "coordinates", "vertices"] {
            drop(table.optional(key));
        }
        lands
    } else {
        let whole = decode_file(&table, ImportSettings::default(), site);
        let whole = whole.map(|(outlines, _)| outlines);
        let parts = whole.zip(window).map(|(whole, window)| match window {
            Some(window) => clipped(&whole, &window),
            None => whole,
        });
        parts.map(|parts| {
            let parts = parts.into_iter().enumerate();
            parts
                .map(|(index, outline)| (numbered(&name, index), outline))
                .collect()
        })
    };
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    window?;
    let outlines = outlines?;
    if outlines.is_empty() {
        problems.push(PlanError::NoCoast.at("the coast", span));
        return None;
    }
    check_count(placed.bodies.len() + outlines.len(), span, problems)?;
    for (name, outline) in outlines {
        let spec = obstacle(name, outline, material);
        placed.add(PlannedBody::at_rest(spec, span), problems)?;
    }
    Some(())
}

/// The outlines of land in the table itself, each with its name.
fn decode_lands(table: &TableReader<'_>, name: &str) -> Option<Vec<(String, Outline)>> {
    let lands = table.optional("outlines").array();
    let lands = lands.into_iter().enumerate().map(|(index, land)| {
        let land = land.table()?;
        let own = land.optional("name").text().get();
        let name = own.map_or_else(|| numbered(name, index), str::to_owned);
        Some((name, decode_points(land)?))
    });
    // All of them are read, for the problems they may have.
    let lands: Vec<Option<(String, Outline)>> = lands.collect();
    lands.into_iter().collect()
}

const HERE: Pose = Pose {
    position: DVec2::ZERO,
    rotation: Rotation::IDENTITY,
};

/// A fixed body where its outline lies.
pub(super) fn obstacle(name: String, outline: Outline, material: Material) -> BodySpec {
    BodySpec {
        name,
        kind: BodyKind::Obstacle,
        shape: Shape::Outline(outline),
        pose: HERE,
        velocity: Velocity::REST,
        thickness: Thickness::Uniform(1.0),
        material,
        mass: None,
        inertia: None,
    }
}

fn numbered(name: &str, index: usize) -> String {
    if name.is_empty() {
        String::new()
    } else {
        format!("{name}-{}", index + 1)
    }
}

/// The outlines of the file a table names, with the vertices it allows, and what it says of each.
fn decode_file(
    table: &TableReader<'_>,
    settings: ImportSettings,
    site: Site<'_>,
) -> Option<(Vec<Outline>, Vec<FloeProperties>)> {
    let file = table
        .required_like("file", "`file = \"outlines.geojson\"`")
        .path()
        .spanned();
    let unit = table
        .optional("unit")
        .quantity(Dimension::Length)
        .positive()
        .get();
    let kinds = [
        ("metres", Coordinates::Metres),
        ("degrees", Coordinates::Degrees(site.origin)),
    ];
    let coordinates = table.optional("coordinates").choice(&kinds).spanned();
    let max_vertices = table
        .optional("vertices")
        .integer()
        .check("three or more", |&count| count >= 3)
        .get();
    let problems = table.problems();
    if let Some(kind) = &coordinates
        && kind.value == Coordinates::Degrees(None)
    {
        problems.push(PlanError::NoOrigin.at("the file", kind.span));
        return None;
    }
    let file = file?;
    let settings = ImportSettings {
        unit,
        coordinates: coordinates.map(|kind| kind.value),
        ..settings
    };
    let bytes = read_bytes(&file, site.folder, problems)?;
    match import_bytes(&bytes, &settings) {
        Ok(imported) => Some((with_vertices(&imported, max_vertices), imported.properties)),
        Err(error) => {
            let kind = ProblemKind::FileRejected {
                path: site.folder.join(&file.value).display().to_string(),
                hint: error.hint(),
                source: error.into(),
            };
            problems.push(Problem::new(kind, file.span));
            None
        }
    }
}

/// All vertices, where no number is given.
fn with_vertices(imported: &Imported, max_vertices: Option<i64>) -> Vec<Outline> {
    max_vertices.map_or_else(
        || imported.outlines.clone(),
        |count| imported.simplified(count as usize),
    )
}

/// Where to cut the land: as the table says, or a little outside the walls.
#[expect(
    clippy::option_option,
    reason = "refused, nowhere, or at this box: three answers"
)]
fn decode_clip(table: &TableReader<'_>, domain: Domain) -> Option<Option<Aabb>> {
    let field = table.optional("clip");
    if !field.is_present() {
        let Domain::Bounded(Bounds {
            rectangle: walls, ..
        }) = domain
        else {
            return Some(None);
        };
        let margin = CLIP_MARGIN * walls.size().max_element();
        let walls = Aabb {
            min: walls.min,
            max: walls.max,
        };
        return Some(Some(walls.grown(margin)));
    }
    let clip = field.table()?;
    let corner = clip
        .required_like("corner", "`corner = [\"-50 km\", \"-40 km\"]`")
        .vector(Dimension::Length)
        .get();
    let size = clip
        .required_like("size", "`size = [\"100 km\", \"80 km\"]`")
        .vector(Dimension::Length)
        .check("two positive lengths", |size| {
            size.iter().all(|&side| side > 0.0)
        })
        .get();
    clip.finish();
    let min = DVec2::from(corner?);
    let max = min + DVec2::from(size?);
    Some(Some(Aabb { min, max }))
}

/// The parts inside the box; whole where rounding spoils a part.
fn clipped(outlines: &[Outline], window: &Aabb) -> Vec<Outline> {
    let parts = outlines.iter().map(|outline| {
        outline
            .clipped(window)
            .unwrap_or_else(|_| vec![outline.clone()])
    });
    parts.flatten().collect()
}
