//! The `[[discs]]` tables: many discs at random places.

use banquise::pack::{DiscRequest, MAX_COUNT, scatter_discs};
use banquise::{BodyKind, BodySpec, Bounds, Domain, Material, Rectangle, Thickness, Velocity};
use banquise_geometry::{DVec2, Disc, Pose, Rotation, Shape};

use super::body_list::{BodyList, PlannedBody, check_count};
use super::pack::{decode_rectangle, rejected};
use super::shape::rejected_shape;
use crate::scenario::{Dimension, Problem, ProblemKind, TableReader, Value};

/// Most discs of one table.
const MAX_DISCS: i64 = 200_000;
const _: () = assert!(
    MAX_COUNT < MAX_DISCS as usize,
    "discs are cheaper to place than floes"
);

/// What all discs of a table have in common.
struct Common {
    name: String,
    /// \[m/s\].
    velocity: [f64; 2],
    material: Material,
    mass: Option<f64>,
    thickness: Option<f64>,
}

/// Adds discs between the bodies that are there; nothing if they are refused.
pub(super) fn decode(table: TableReader<'_>, placed: &mut BodyList, seed: u64) -> Option<()> {
    let count = table.required_like("count", "`count = 1000`").integer();
    let count = count.check("from 1 to 200000", |count| (1..=MAX_DISCS).contains(count));
    let count = count.get();
    let radii = decode_radii(&table);
    let region = decode_region(&table, placed.domain);
    let gap = table.optional("gap").quantity(Dimension::Length);
    let gap = gap.non_negative().get();
    let own_seed = table.optional("seed").integer().non_negative().get();
    let common = decode_common(&table, placed);
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    let (radii, count) = (radii?, count? as usize);
    // Tables of one run that are alike must not have the same draws.
    let usual = seed.wrapping_add(placed.bodies.len() as u64);
    let request = DiscRequest {
        region: region?,
        count,
        radii,
        gap: gap.unwrap_or(GAP_SHARE * radii[0]),
        seed: own_seed.map_or(usual, |own| own as u64),
    };
    check_count(placed.bodies.len() + count, span, problems)?;
    let given = placed.bodies.iter();
    let given = given.map(|body| {
        let on_path = body.path.as_ref().map(|path| path.at(0.0).0);
        let pose = on_path.unwrap_or(body.spec.pose);
        (body.spec.shape.clone(), pose)
    });
    let discs = scatter_discs(&request, &given.collect::<Vec<_>>());
    let discs = discs.map_err(|error| problems.push(rejected(error, span)));
    for (index, disc) in discs.ok()?.into_iter().enumerate() {
        let shape = Disc::try_new(disc.radius);
        let shape = shape.map_err(|error| problems.push(rejected_shape(error, span)));
        let spec = common.spec(Shape::Disc(shape.ok()?), disc.center, index + 1)?;
        placed.add(PlannedBody::at_rest(spec, span), problems)?;
    }
    Some(())
}

fn decode_common(table: &TableReader<'_>, placed: &BodyList) -> Common {
    let name = table.optional("name").text().or("disc").to_owned();
    let velocity = table.optional("velocity").vector(Dimension::Speed);
    let velocity = velocity.or([0.0; 2]);
    let density = table.optional("density").quantity(Dimension::Density);
    let ice_density = density.positive().or(placed.defaults.material.ice_density);
    let mass = table.optional("mass").quantity(Dimension::Mass).positive();
    let mass = mass.get();
    let thickness = table.optional("thickness").quantity(Dimension::Length);
    let thickness = thickness.positive().get().or(placed.defaults.thickness);
    if mass.is_none() && thickness.is_none() {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "thickness",
        };
        let hint = "give `thickness` here or in `[ice]`, or give `mass`".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
    }
    Common {
        name,
        velocity,
        material: Material {
            ice_density,
            ..placed.defaults.material
        },
        mass,
        thickness,
    }
}

impl Common {
    /// The disc of this number; none where nothing tells how heavy it is.
    fn spec(&self, shape: Shape, center: DVec2, number: usize) -> Option<BodySpec> {
        let of_mass = |mass: f64| mass / (self.material.ice_density * shape.area());
        let thickness = self.mass.map(of_mass).or(self.thickness)?;
        Some(BodySpec {
            name: format!("{}-{number}", self.name),
            kind: BodyKind::Floe,
            shape,
            pose: Pose {
                position: center,
                rotation: Rotation::IDENTITY,
            },
            velocity: Velocity {
                linear: self.velocity.into(),
                angular: 0.0,
            },
            thickness: Thickness::Uniform(thickness),
            material: self.material,
            mass: self.mass,
            inertia: None,
        })
    }
}

/// Least gap at the start, as a share of the smallest radius: contacts begin in the run.
const GAP_SHARE: f64 = 0.01;

/// `radius = "20 mm"` or `radius = { from = "15 mm", to = "25 mm" }`.
fn decode_radii(table: &TableReader<'_>) -> Option<[f64; 2]> {
    let field = table.required_like("radius", "`radius = { from = \"15 mm\", to = \"25 mm\" }`");
    if !matches!(field.node().map(|node| &node.value), Some(Value::Table(_))) {
        let radius = field.quantity(Dimension::Length).positive().get()?;
        return Some([radius; 2]);
    }
    let range = field.table()?;
    let from = range.required_like("from", "`from = \"15 mm\"`");
    let from = from.quantity(Dimension::Length).positive().get();
    let to = range.required_like("to", "`to = \"25 mm\"`");
    let to = to.quantity(Dimension::Length);
    let to = to.check("at least `from`", |&to| from.is_none_or(|from| to >= from));
    let to = to.get();
    range.finish();
    Some([from?, to?])
}

/// `region = { corner = […], size = […] }`, or the domain.
fn decode_region(table: &TableReader<'_>, domain: Domain) -> Option<Rectangle> {
    let field = table.optional("region");
    if field.is_present() {
        let given = field.table()?;
        if !given.has("size") {
            // Says that it is missing.
            drop(given.required_like("size", "`size = [\"2 m\", \"2 m\"]`"));
            return None;
        }
        return decode_rectangle(given);
    }
    match domain {
        Domain::Bounded(Bounds { rectangle, .. }) | Domain::Periodic(rectangle) => Some(rectangle),
        Domain::Free => {
            let kind = ProblemKind::MissingKey {
                table: table.path().to_owned(),
                key: "region",
            };
            let hint = "add `region = { size = [\"1 m\", \"1 m\"] }`, or a `[domain]` with edges";
            let problem = Problem::new(kind, table.span()).with_hint(hint.to_owned());
            table.problems().push(problem);
            None
        }
    }
}
