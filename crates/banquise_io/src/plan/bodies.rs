//! The `[ice]`, `[[floe]]` and `[[obstacle]]` tables.

use std::collections::BTreeSet;
use std::path::Path as FilePath;

use banquise::{BodyError, BodyKind, BodySpec, Material, Path, Thickness, Velocity, World};
use banquise_geometry::{DVec2, Disc, GeometryError, Mesh, Outline, Pose, Rotation, Shape};

use super::contact::decode_material;
use super::outlines::Site;
use super::{PlanError, channel, import, outlines, paths};
use crate::scenario::{Dimension, Field, Problem, ProblemKind, Problems, Span, TableReader, Value};

/// Bodies a scenario may have.
const MAX_BODIES: usize = 1_000_000;

/// The world with its bodies, and where each is written.
pub(super) struct PlacedBodies {
    pub(super) world: World,
    pub(super) spans: Vec<Span>,
    /// What `[ice]` says for all floes.
    pub(super) defaults: IceDefaults,
    /// The names taken.
    names: BTreeSet<String>,
}

/// What `[ice]` says for all floes.
#[derive(Clone, Copy)]
pub(super) struct IceDefaults {
    pub(super) material: Material,
    pub(super) thickness: Option<f64>,
}

/// Adds all bodies to the world; nothing if one of them is refused.
pub(super) fn decode(
    root: &TableReader<'_>,
    world: World,
    material: Material,
    site: Site<'_>,
) -> Option<PlacedBodies> {
    let defaults = decode_ice(root, material);
    let mut placed = PlacedBodies {
        world,
        spans: Vec::new(),
        defaults,
        names: BTreeSet::new(),
    };
    let mut complete = import::decode(root, &defaults, &mut placed, site.folder).is_some();
    complete &= outlines::decode_scene(root, &defaults, &mut placed, site).is_some();
    for table in root.optional("floe").tables() {
        complete &= decode_floe(table, &defaults, &mut placed).is_some();
    }
    for table in root.optional("obstacle").tables() {
        complete &= decode_obstacle(table, material, site.folder, &mut placed).is_some();
    }
    complete &= outlines::decode_coast(root, material, &mut placed, site).is_some();
    complete &= channel::decode(root, material, &mut placed).is_some();
    complete.then_some(placed)
}

fn decode_ice(root: &TableReader<'_>, material: Material) -> IceDefaults {
    let mut defaults = IceDefaults {
        material,
        thickness: None,
    };
    if let Some(table) = root.optional("ice").table() {
        let density = table
            .optional("density")
            .quantity(Dimension::Density)
            .positive();
        defaults.material.ice_density = density.or(defaults.material.ice_density);
        let thickness = table.optional("thickness");
        // A wrong one is reported here; floes need not complain that there is none.
        let is_given = thickness.is_present();
        let thickness = thickness.quantity(Dimension::Length).positive().or(1.0);
        defaults.thickness = is_given.then_some(thickness);
        table.finish();
    }
    defaults
}

fn decode_floe(
    table: TableReader<'_>,
    defaults: &IceDefaults,
    placed: &mut PlacedBodies,
) -> Option<()> {
    let place = decode_place(&table);
    let velocity = Velocity {
        linear: table
            .optional("velocity")
            .vector(Dimension::Speed)
            .or([0.0, 0.0])
            .into(),
        angular: table
            .optional("angular_velocity")
            .quantity(Dimension::AngularVelocity)
            .or(0.0),
    };
    let density = table
        .optional("density")
        .quantity(Dimension::Density)
        .positive();
    let ice_density = density.or(defaults.material.ice_density);
    let material = decode_material(&table, defaults.material);
    let mass = table
        .optional("mass")
        .quantity(Dimension::Mass)
        .positive()
        .get();
    let thickness = decode_thickness(&table, defaults, mass, ice_density, place.shape.as_ref());
    let ocean_drag_coefficient = table
        .optional("ocean_drag_coefficient")
        .number()
        .positive()
        .get();
    let copies = decode_grid(&table);
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    let spec = BodySpec {
        name: place.name,
        kind: BodyKind::Floe,
        shape: place.shape?,
        pose: place.pose,
        velocity,
        thickness: thickness?,
        material: Material {
            ice_density,
            ocean_drag_coefficient,
            ..material
        },
        mass,
        inertia: None,
    };
    let offsets = copies?;
    let count = placed.spans.len() + offsets.len();
    check_count(count, span, problems)?;
    for (index, offset) in offsets.iter().enumerate() {
        let mut copy = spec.clone();
        copy.pose.position += *offset;
        if offsets.len() > 1 && !copy.name.is_empty() {
            copy.name = format!("{}-{}", copy.name, index + 1);
        }
        add(placed, copy, None, (span, problems))?;
    }
    Some(())
}

fn decode_obstacle(
    table: TableReader<'_>,
    material: Material,
    folder: &FilePath,
    placed: &mut PlacedBodies,
) -> Option<()> {
    let place = decode_place(&table);
    let material = decode_material(&table, material);
    let path = paths::decode(&table, place.heading, folder);
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    let spec = BodySpec {
        name: place.name,
        kind: BodyKind::Obstacle,
        shape: place.shape?,
        pose: place.pose,
        velocity: Velocity::REST,
        thickness: Thickness::Uniform(1.0),
        material,
        mass: None,
        inertia: None,
    };
    add(placed, spec, path.ok()?.as_ref(), (span, problems))
}

pub(super) fn add(
    placed: &mut PlacedBodies,
    spec: BodySpec,
    path: Option<&Path>,
    (span, problems): (Span, &Problems),
) -> Option<()> {
    if !spec.name.is_empty() && !placed.names.insert(spec.name.clone()) {
        problems.push(PlanError::NameTwice { name: spec.name }.at("this body", span));
        return None;
    }
    let world = &mut placed.world;
    let added = match path {
        Some(path) => world.add_on_path(spec, path),
        None => world.add(spec),
    };
    match added {
        Ok(_) => placed.spans.push(span),
        Err(error) => {
            problems.push(rejected_body(error, span));
            return None;
        }
    }
    Some(())
}

fn rejected_body(error: BodyError, span: Span) -> Problem {
    let hint = match &error {
        BodyError::Geometry(error) => error.hint().to_owned(),
        BodyError::NotPositive { .. } | BodyError::NotFinite { .. } => {
            "look at the body's size, thickness and mass".to_owned()
        }
        BodyError::WiderThanCell { .. } => "enlarge `domain.size`".to_owned(),
        BodyError::Unknown { .. } => "name a body that is in the world".to_owned(),
    };
    let kind = ProblemKind::Rejected {
        what: "this body",
        hint: Some(hint),
        source: error.into(),
    };
    Problem::new(kind, span)
}

/// What floes and obstacles have in common.
struct Place {
    name: String,
    shape: Option<Shape>,
    pose: Pose,
    heading: f64,
}

fn decode_place(table: &TableReader<'_>) -> Place {
    let name = table.optional("name").text().or("").to_owned();
    let position = table
        .optional("position")
        .vector(Dimension::Length)
        .or([0.0, 0.0]);
    let heading = table.optional("heading").quantity(Dimension::Angle).or(0.0);
    let pose = Pose {
        position: position.into(),
        rotation: Rotation::from_angle(heading),
    };
    Place {
        name,
        shape: decode_shape(table),
        pose,
        heading,
    }
}

/// A disc or an outline, one of the two.
fn decode_shape(table: &TableReader<'_>) -> Option<Shape> {
    table.exclusive("disc", "outline");
    if table.has("disc") {
        let disc = table.optional("disc").table()?;
        let radius = disc
            .required_like("radius", "`radius = \"100 m\"`")
            .quantity(Dimension::Length)
            .positive()
            .get();
        let sides = disc
            .optional("sides")
            .integer()
            .check("at least 3", |&sides| sides >= 3)
            .get();
        let (span, problems) = (disc.span(), disc.problems());
        disc.finish();
        let shape = match sides {
            Some(sides) => Outline::regular_polygon(radius?, sides as usize).map(Shape::Outline),
            None => Disc::try_new(radius?).map(Shape::Disc),
        };
        return shape
            .map_err(|error| problems.push(rejected_shape(error, span)))
            .ok();
    }
    if !table.has("outline") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "outline",
        };
        let hint = "give `outline = { unit = \"m\", points = [[0, 0], …] }` or \
                    `disc = { radius = \"100 m\" }`";
        table
            .problems()
            .push(Problem::new(kind, table.span()).with_hint(hint.to_owned()));
    }
    decode_outline(table.optional("outline"))
}

pub(super) fn decode_outline(field: Field<'_>) -> Option<Shape> {
    let outline = field.table()?;
    let unit = outline
        .required_like("unit", "`unit = \"m\"`")
        .choice(&[("m", 1.0), ("km", 1000.0), ("cm", 0.01), ("mm", 0.001)])
        .get();
    let points = outline.required_like("points", "`points = [[0, 0], [100, 0], [50, 80]]`");
    let span = points.node().map_or(outline.span(), |node| node.span);
    let is_list = matches!(points.node().map(|node| &node.value), Some(Value::Array(_)));
    let vertices: Vec<Option<DVec2>> = points.array().iter().map(decode_point).collect();
    let problems = outline.problems();
    outline.finish();
    let unit = unit.filter(|_| is_list)?;
    let vertices: Option<Vec<DVec2>> = vertices.into_iter().collect();
    let vertices = vertices?.into_iter().map(|vertex| unit * vertex).collect();
    Outline::try_new(vertices)
        .map(Shape::Outline)
        .map_err(|error| problems.push(rejected_shape(error, span)))
        .ok()
}

fn decode_point(field: &Field<'_>) -> Option<DVec2> {
    let key = field.key_path();
    let numbers = field.clone().array();
    match &numbers[..] {
        [x, y] => {
            let (x, y) = (x.clone().number().get(), y.clone().number().get());
            Some(DVec2::new(x?, y?))
        }
        other => {
            if field
                .node()
                .is_some_and(|node| matches!(node.value, Value::Array(_)))
            {
                let found = other.len();
                field.report(ProblemKind::WrongLength {
                    key,
                    expected: 2,
                    found,
                });
            }
            None
        }
    }
}

pub(super) fn rejected_shape(error: GeometryError, span: Span) -> Problem {
    let hint = Some(error.hint().to_owned());
    Problem::new(
        ProblemKind::Rejected {
            what: "the outline",
            hint,
            source: error.into(),
        },
        span,
    )
}

/// One thickness, one for each element, that of `[ice]`, or the one the mass leads to.
fn decode_thickness(
    table: &TableReader<'_>,
    defaults: &IceDefaults,
    mass: Option<f64>,
    density: f64,
    shape: Option<&Shape>,
) -> Option<Thickness> {
    let field = table.optional("thickness");
    if let Some(Value::Array(_)) = field.node().map(|node| &node.value) {
        return decode_thicknesses(&field, shape, table.problems());
    }
    if field.is_present() {
        return field
            .quantity(Dimension::Length)
            .positive()
            .get()
            .map(Thickness::Uniform);
    }
    if let (Some(mass), Some(shape)) = (mass, shape) {
        return Some(Thickness::Uniform(mass / (density * shape.area())));
    }
    if let Some(thickness) = defaults.thickness {
        return Some(Thickness::Uniform(thickness));
    }
    let kind = ProblemKind::MissingKey {
        table: table.path().to_owned(),
        key: "thickness",
    };
    let hint = "give `thickness` here or in `[ice]`, or give `mass`";
    table
        .problems()
        .push(Problem::new(kind, table.span()).with_hint(hint.to_owned()));
    None
}

fn decode_thicknesses(
    field: &Field<'_>,
    shape: Option<&Shape>,
    problems: &Problems,
) -> Option<Thickness> {
    let elements = field.clone().array();
    let expected = Mesh::of(shape?).elements().len();
    if elements.len() != expected {
        let kind = ProblemKind::WrongLength {
            key: field.key_path(),
            expected,
            found: elements.len(),
        };
        let hint = "give one thickness for each element of the floe's mesh, or one for all: \
                    `thickness = \"1 m\"`";
        let span = field.node()?.span;
        problems.push(Problem::new(kind, span).with_hint(hint.to_owned()));
        return None;
    }
    let read = |element: Field<'_>| element.quantity(Dimension::Length).positive().get();
    let thicknesses: Vec<Option<f64>> = elements.into_iter().map(read).collect();
    thicknesses
        .into_iter()
        .collect::<Option<Vec<f64>>>()
        .map(Thickness::PerElement)
}

/// Refuses more bodies than there may be.
pub(super) fn check_count(count: usize, span: Span, problems: &Problems) -> Option<()> {
    if count <= MAX_BODIES {
        return Some(());
    }
    let kind = ProblemKind::TooMany {
        what: "bodies",
        count,
        limit: MAX_BODIES,
    };
    problems.push(Problem::new(kind, span).with_hint("make fewer copies".into()));
    None
}

/// Where the copies of a floe go: `grid = { columns = 3, rows = 2, spacing = "500 m" }`.
fn decode_grid(table: &TableReader<'_>) -> Option<Vec<DVec2>> {
    let field = table.optional("grid");
    if !field.is_present() {
        return Some(vec![DVec2::ZERO]);
    }
    let grid = field.table()?;
    let in_reach = |&count: &i64| (1..=MAX_BODIES as i64).contains(&count);
    let columns = grid
        .required_like("columns", "`columns = 3`")
        .integer()
        .check("from 1 to a million", in_reach)
        .get();
    let rows = grid
        .required_like("rows", "`rows = 3`")
        .integer()
        .check("from 1 to a million", in_reach)
        .get();
    let spacing = grid
        .required_like("spacing", "`spacing = \"1 km\"`")
        .quantity(Dimension::Length)
        .positive()
        .get();
    let (span, problems) = (grid.span(), grid.problems());
    grid.finish();
    let (columns, rows, spacing) = (columns? as usize, rows? as usize, spacing?);
    let count = columns * rows;
    check_count(count, span, problems)?;
    let offset = |index| spacing * DVec2::new((index % columns) as f64, (index / columns) as f64);
    Some((0..count).map(offset).collect())
}
