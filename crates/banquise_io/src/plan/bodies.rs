//! The `[ice]`, `[[floe]]` and `[[obstacle]]` tables.

use std::path::Path;

use banquise::{BodyKind, BodySpec, Domain, Material, Thickness, Velocity};
use banquise_geometry::{DVec2, Mesh, Pose, Rotation, Shape};

use super::body_list::{BodyList, IceDefaults, MAX_BODIES, PlannedBody, check_count};
use super::contact::decode_material;
use super::shape::decode_shape;
use super::site::Site;
use super::{channel, discs, import, outlines, paths};
use crate::scenario::{Dimension, Field, Problem, ProblemKind, Problems, TableReader, Value};

/// All bodies that the scenario lists; nothing if one of them is refused.
pub(super) fn decode(
    root: &TableReader<'_>,
    domain: Domain,
    material: Material,
    seed: u64,
    site: Site<'_>,
) -> Option<BodyList> {
    let defaults = decode_ice(root, material);
    let mut placed = BodyList::new(domain, defaults);
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
    for table in root.optional("discs").tables() {
        // Discs go between the other bodies: where these are refused, there is nothing to go between.
        complete &= discs::decode(table, &mut placed, seed).is_some();
    }
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
    placed: &mut BodyList,
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
    let air_drag_coefficient = table
        .optional("air_drag_coefficient")
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
            air_drag_coefficient,
            ..material
        },
        mass,
        inertia: None,
    };
    let offsets = copies?;
    let count = placed.bodies.len() + offsets.len();
    check_count(count, span, problems)?;
    for copy in copies_of(&spec, &offsets) {
        placed.add(PlannedBody::at_rest(copy, span), problems)?;
    }
    Some(())
}

fn decode_obstacle(
    table: TableReader<'_>,
    material: Material,
    folder: &Path,
    placed: &mut BodyList,
) -> Option<()> {
    let place = decode_place(&table);
    let material = decode_material(&table, material);
    let path = paths::decode(&table, place.pose.position, place.heading, folder);
    let copies = decode_grid(&table);
    for key in ["path", "spin"] {
        table.exclusive("grid", key);
    }
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
    let (path, offsets) = (path.ok()?, copies?);
    check_count(placed.bodies.len() + offsets.len(), span, problems)?;
    for spec in copies_of(&spec, &offsets) {
        let path = path.clone();
        placed.add(PlannedBody { spec, path, span }, problems)?;
    }
    Some(())
}

/// A body at its places. Copies have numbers behind their names.
fn copies_of(spec: &BodySpec, offsets: &[DVec2]) -> impl Iterator<Item = BodySpec> {
    offsets.iter().enumerate().map(|(index, offset)| {
        let mut copy = spec.clone();
        copy.pose.position += *offset;
        if offsets.len() > 1 && !copy.name.is_empty() {
            copy.name = format!("{}-{}", copy.name, index + 1);
        }
        copy
    })
}

/// Common values of floes and obstacles.
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

/// Where the copies of a body go: `grid = { columns = 3, rows = 2, spacing = "500 m" }`.
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
