//! The variables of the dataset: name, unit, meaning, and how each is read off the world. A line
//! added here is in every recording.

use std::sync::LazyLock;

use banquise::{Account, Budget, ContactReport, ExchangeBudget, Force, Simulation, World};
use banquise_geometry::{DVec2, Shape};

/// A variable of the dataset, read by a function of type `R`.
pub(super) struct Variable<R> {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) meaning: &'static str,
    pub(super) read: R,
}

/// Reads one number of a moment.
type ReadMoment = fn(&Moment<'_>) -> f64;

/// A variable with one value a record. Forces have theirs from the list of forces, so names are made at run time.
pub(super) struct RecordVariable {
    pub(super) name: String,
    pub(super) unit: &'static str,
    pub(super) meaning: String,
    read: ReadRecord,
}

/// Reader of one number of a record.
enum ReadRecord {
    Moment(ReadMoment),
    /// Off the account of a force.
    Force(Force, fn(&Account) -> f64),
}

impl RecordVariable {
    /// Whether older recordings lack it: the first ones had these four forces, and others were added to the list since, and so were four accounts of contacts.
    pub(super) fn is_later(&self) -> bool {
        use Force::{BodyForce, Coriolis, Ocean, Wind};
        match self.read {
            ReadRecord::Force(force, _) => !matches!(force, Wind | Ocean | Coriolis | BodyForce),
            ReadRecord::Moment(_) => {
                let later = [PUSHES, CRUSHING, FRACTURE, FRACTURE_STRAIN];
                let name = self.name.as_str();
                later.contains(&name) || ADHESION.contains(&name) || BONDS.contains(&name)
            }
        }
    }

    /// Its value at a moment.
    pub(super) fn read(&self, moment: &Moment<'_>) -> f64 {
        match self.read {
            ReadRecord::Moment(read) => read(moment),
            ReadRecord::Force(force, read) => read(&moment.budget().forces[force]),
        }
    }
}

/// Reads one number of a body, given its row.
pub(super) type ReadBody = fn(&World, usize) -> f64;

/// Reads the weather of a body, given its row.
pub(super) type ReadWeather = fn(&Simulation, usize) -> f64;

/// State from which a record is read.
pub(super) struct Moment<'a> {
    pub(super) world: &'a World,
    /// Wind [m/s].
    pub(super) wind: DVec2,
    /// Velocity of the water under the ice [m/s].
    pub(super) water: DVec2,
    /// Contacts since the start.
    pub(super) contact: &'a ContactReport,
}

impl Moment<'_> {
    fn budget(&self) -> &Budget {
        &self.world.budget
    }

    fn exchange(&self) -> &ExchangeBudget {
        &self.world.budget.exchange
    }
}

const fn record(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: ReadMoment,
) -> Variable<ReadMoment> {
    Variable {
        name,
        unit,
        meaning,
        read,
    }
}

const fn body(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: ReadBody,
) -> Variable<ReadBody> {
    Variable {
        name,
        unit,
        meaning,
        read,
    }
}

const fn weather(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: ReadWeather,
) -> Variable<ReadWeather> {
    Variable {
        name,
        unit,
        meaning,
        read,
    }
}

/// One value a record: the state, the budget of each force, contacts.
pub(super) static RECORDS: LazyLock<Vec<RecordVariable>> = LazyLock::new(|| {
    let mut variables = of_table(STATE);
    variables.extend(Force::ALL.map(work_of));
    variables.extend(Force::ALL.into_iter().flat_map(impulse_of));
    variables.extend(of_table(CONTACTS));
    variables
});

fn of_table(table: &[Variable<ReadMoment>]) -> Vec<RecordVariable> {
    let variables = table.iter().map(|v| RecordVariable {
        name: v.name.into(),
        unit: v.unit,
        meaning: v.meaning.into(),
        read: ReadRecord::Moment(v.read),
    });
    variables.collect()
}

/// Work of a force.
fn work_of(force: Force) -> RecordVariable {
    RecordVariable {
        name: format!("work_{}", force.name()),
        unit: "J",
        meaning: format!(
            "work of {} on the floes since the start",
            force.description()
        ),
        read: ReadRecord::Force(force, |account| account.work),
    }
}

/// Both components of the impulse of a force.
fn impulse_of(force: Force) -> [RecordVariable; 2] {
    let component = |axis: &str, direction: &str, read| RecordVariable {
        name: format!("impulse_{}_{axis}", force.name()),
        unit: "N s",
        meaning: format!(
            "impulse of {} on the floes since the start, {direction}",
            force.description()
        ),
        read: ReadRecord::Force(force, read),
    };
    [
        component("x", "eastward", |account| account.impulse.x),
        component("y", "northward", |account| account.impulse.y),
    ]
}

/// The state, one value a record.
#[rustfmt::skip] // a table reads better in lines
const STATE: &[Variable<ReadMoment>] = &[
    record("wind_x", "m s-1", "wind, eastward; at the centre of mass of the floes where it differs from place to place", |moment| moment.wind.x),
    record("wind_y", "m s-1", "wind, northward; at the centre of mass of the floes where it differs from place to place", |moment| moment.wind.y),
    record("water_x", "m s-1", "velocity of the water under the ice, eastward", |moment| moment.water.x),
    record("water_y", "m s-1", "velocity of the water under the ice, northward", |moment| moment.water.y),
    record("kinetic_energy", "J", "kinetic energy of all floes", |moment| moment.world.kinetic_energy()),
    record("momentum_x", "kg m s-1", "momentum of all floes, eastward", |moment| moment.world.momentum().x),
    record("momentum_y", "kg m s-1", "momentum of all floes, northward", |moment| moment.world.momentum().y),
];

/// The account of pushes between bodies that are too close.
const PUSHES: &str = "energy_given_by_push_apart";
/// Energy that went into crushing.
const CRUSHING: &str = "energy_lost_crushing";
/// Energy that went into cracks.
const FRACTURE: &str = "energy_lost_fracture";
const FRACTURE_STRAIN: &str = "energy_fracture_strain";

/// Contacts that stick.
const ADHESION: [&str; 4] = [
    "stuck_contact_count",
    "adhesion_impulse",
    "stick_count",
    "take_off_count",
];

/// Floes that are frozen together.
const BONDS: [&str; 10] = [
    "bond_count",
    "bonds_formed",
    "bonds_broken",
    "bond_energy",
    "energy_lost_bonds",
    "energy_broken_bonds",
    "cluster_count",
    "largest_cluster",
    "largest_cluster_area",
    "energy_stored_bonds",
];

/// Contacts, one value a record.
#[rustfmt::skip]
const CONTACTS: &[Variable<ReadMoment>] = &[
    record("energy_lost_restitution", "J", "kinetic energy lost along the normals of contacts since the start", |moment| moment.budget().contact.normal_loss),
    record("energy_lost_friction", "J", "kinetic energy lost along the tangents of contacts since the start", |moment| moment.budget().contact.tangent_loss),
    record(PUSHES, "J", "kinetic energy given to bodies too close to each other, which were pushed apart, since the start", |moment| moment.budget().contact.push_gain),
    record(CRUSHING, "J", "energy that went into crushing ice since the start: pressure times crushed volume", |moment| moment.budget().contact.crushing_loss),
    record(FRACTURE, "J", "kinetic energy that went into cracks of floes that were struck, since the start", |moment| moment.budget().contact.fracture_loss),
    record(FRACTURE_STRAIN, "J", "elastic energy that went into cracks of floes that were pressed, since the start; no part of the kinetic balance", |moment| moment.budget().contact.fracture_strain),
    record("impulse_obstacles_x", "N s", "impulse of obstacles and walls on the floes since the start, eastward", |moment| moment.budget().contact.impulse.x),
    record("impulse_obstacles_y", "N s", "impulse of obstacles and walls on the floes since the start, northward", |moment| moment.budget().contact.impulse.y),
    record("work_obstacles", "J", "work of moving obstacles on the floes since the start", |moment| moment.budget().contact.work),
    record("collision_count", "1", "pairs of bodies, or of a body and a wall, that came into contact since the start", |moment| moment.contact.collisions as f64),
    record("contact_count", "1", "contacts in the impacts since the start", |moment| moment.contact.impact_contacts as f64),
    record("island_count", "1", "islands (connected components of the contact graph), in all steps since the start", |moment| moment.contact.islands as f64),
    record("impact_count", "1", "impacts of islands solved since the start", |moment| moment.contact.impacts as f64),
    record("largest_impact", "1", "largest number of contacts solved together since the start", |moment| moment.contact.largest as f64),
    record("pivot_count", "1", "pivots of contact solvers since the start", |moment| moment.contact.pivots as f64),
    record("contact_residual", "1", "largest scaled residual of contact solvers since the start", |moment| moment.contact.residual),
    record("unsolved_count", "1", "friction problems left without a solution since the start", |moment| moment.contact.unsolved as f64),
    record("normal_impulse", "N s", "sum of the normal impulses of contacts since the start", |moment| moment.contact.normal_impulse),
    record(ADHESION[0], "1", "contacts of the laws `gluey` and `rough` that stick", |moment| moment.world.adhesions().count() as f64),
    record(ADHESION[1], "N s", "sum of the impulses by which stuck contacts were pushed together and not yet pulled apart", |moment| moment.world.adhesions().fold(0.0, |sum, (.., memory)| sum - memory)),
    record(ADHESION[2], "1", "contacts of the laws without friction that began to hold since the start", |moment| moment.contact.sticks as f64),
    record(ADHESION[3], "1", "contacts of the laws without friction that took off since the start", |moment| moment.contact.take_offs as f64),
    record(BONDS[0], "1", "joints between floes that are frozen together", |moment| moment.world.bonds().len() as f64),
    record(BONDS[1], "1", "joints that formed since the start", |moment| moment.contact.bonds_formed as f64),
    record(BONDS[2], "1", "joints that broke since the start", |moment| moment.contact.bonds_broken as f64),
    record(BONDS[3], "J", "elastic energy of joints", |moment| moment.world.bond_energy()),
    record(BONDS[4], "J", "kinetic energy that joints took and did not store, since the start", |moment| moment.budget().contact.bond_loss),
    record(BONDS[5], "J", "elastic energy of joints that broke, since the start", |moment| moment.budget().contact.bond_broken),
    record(BONDS[6], "1", "clusters of floes that are frozen together; a floe alone is one", |moment| moment.world.cluster_sizes().len() as f64),
    record(BONDS[7], "1", "floes of the cluster with the most floes", |moment| moment.world.cluster_sizes().iter().map(|&(floes, _)| floes).max().unwrap_or(0) as f64),
    record(BONDS[8], "m2", "area of the cluster with the largest area", |moment| moment.world.cluster_sizes().iter().map(|&(_, area)| area).fold(0.0, f64::max)),
    record(BONDS[9], "J", "kinetic energy that became elastic energy of joints, less what they gave back, since the start", |moment| moment.budget().contact.bond_stored),
];

/// One value a record: floes that came and went, and what they carried. Older recordings lack them.
pub(super) static EXCHANGE: LazyLock<Vec<RecordVariable>> = LazyLock::new(|| of_table(FLUXES));

#[rustfmt::skip]
const FLUXES: &[Variable<ReadMoment>] = &[
    record("floes_entered", "1", "floes that entered since the start", |moment| moment.exchange().entered.floes as f64),
    record("mass_entered", "kg", "mass of the floes that entered since the start", |moment| moment.exchange().entered.mass),
    record("momentum_entered_x", "kg m s-1", "momentum of the floes when they entered, since the start, eastward", |moment| moment.exchange().entered.momentum.x),
    record("momentum_entered_y", "kg m s-1", "momentum of the floes when they entered, since the start, northward", |moment| moment.exchange().entered.momentum.y),
    record("energy_entered", "J", "kinetic energy of the floes when they entered, since the start", |moment| moment.exchange().entered.energy),
    record("floes_left", "1", "floes that left over open edges or were taken away since the start", |moment| moment.exchange().left.floes as f64),
    record("mass_left", "kg", "mass of the floes that left since the start", |moment| moment.exchange().left.mass),
    record("momentum_left_x", "kg m s-1", "momentum of the floes when they left, since the start, eastward", |moment| moment.exchange().left.momentum.x),
    record("momentum_left_y", "kg m s-1", "momentum of the floes when they left, since the start, northward", |moment| moment.exchange().left.momentum.y),
    record("energy_left", "J", "kinetic energy of the floes when they left, since the start", |moment| moment.exchange().left.energy),
    record("floes_replaced", "1", "floes replaced by pieces since the start", |moment| moment.exchange().replaced.floes as f64),
    record("mass_replaced", "kg", "mass of the floes replaced by pieces since the start", |moment| moment.exchange().replaced.mass),
    record("momentum_replaced_x", "kg m s-1", "momentum of the floes when pieces replaced them, since the start, eastward", |moment| moment.exchange().replaced.momentum.x),
    record("momentum_replaced_y", "kg m s-1", "momentum of the floes when pieces replaced them, since the start, northward", |moment| moment.exchange().replaced.momentum.y),
    record("energy_replaced", "J", "kinetic energy of the floes when pieces replaced them, since the start", |moment| moment.exchange().replaced.energy),
    record("floes_pieces", "1", "pieces that replaced floes since the start", |moment| moment.exchange().pieces.floes as f64),
    record("mass_pieces", "kg", "mass of the pieces since the start", |moment| moment.exchange().pieces.mass),
    record("momentum_pieces_x", "kg m s-1", "momentum of the pieces when they replaced floes, since the start, eastward", |moment| moment.exchange().pieces.momentum.x),
    record("momentum_pieces_y", "kg m s-1", "momentum of the pieces when they replaced floes, since the start, northward", |moment| moment.exchange().pieces.momentum.y),
    record("energy_pieces", "J", "kinetic energy of the pieces when they replaced floes, since the start", |moment| moment.exchange().pieces.energy),
    record("floes_crushed", "1", "cuts of floes since the start", |moment| moment.exchange().crushed.floes as f64),
    record("mass_crushed", "kg", "mass cut off floes since the start", |moment| moment.exchange().crushed.mass),
    record("momentum_crushed_x", "kg m s-1", "momentum of the ice when it was cut off floes, since the start, eastward", |moment| moment.exchange().crushed.momentum.x),
    record("momentum_crushed_y", "kg m s-1", "momentum of the ice when it was cut off floes, since the start, northward", |moment| moment.exchange().crushed.momentum.y),
    record("energy_crushed", "J", "kinetic energy of the ice when it was cut off floes, since the start", |moment| moment.exchange().crushed.energy),
];

/// One number a body on where it comes from and when it went: name, unit, meaning. Older recordings lack them.
#[rustfmt::skip]
pub(super) const BORN: [&str; 3] = ["born_s", "s", "when the body entered the world, since the start of the run"];
#[rustfmt::skip]
pub(super) const GONE: [&str; 3] = ["gone_s", "s", "when the body left the world, since the start of the run; missing while it is there"];
#[rustfmt::skip]
pub(super) const PARENT: [&str; 3] = ["parent", "1", "id of the body that this one is a piece of; -1 for none"];
#[rustfmt::skip]
pub(super) const GENERATION: [&str; 3] = ["generation", "1", "0 for a body that is no piece of another, else one more than that of its parent"];

/// One value a body and record; missing outside the life of the body.
#[rustfmt::skip]
pub(super) const MOTIONS: &[Variable<ReadBody>] = &[
    body("x", "m", "centre of mass, eastward; not brought back into a periodic cell", |world, row| world.unwrapped_position(row).x),
    body("y", "m", "centre of mass, northward; not brought back into a periodic cell", |world, row| world.unwrapped_position(row).y),
    body("heading", "rad", "angle by which the outline is turned, counter-clockwise", |world, row| world.bodies.motions()[row].pose.rotation.angle()),
    body("velocity_x", "m s-1", "velocity of the centre of mass, eastward", |world, row| world.bodies.motions()[row].velocity.linear.x),
    body("velocity_y", "m s-1", "velocity of the centre of mass, northward", |world, row| world.bodies.motions()[row].velocity.linear.y),
    body("angular_velocity", "rad s-1", "angular velocity, counter-clockwise", |world, row| world.bodies.motions()[row].velocity.angular),
    body("contact_impulse", "N s", "sum of the normal impulses of contacts on the body since the start", |world, row| world.bodies.contact_loads()[row].normal),
    body("contact_virial", "N m s", "sum over the contacts of the body since the start of the arm times the impulse toward the centre; over twice its volume and the time, the mean pressure in it", |world, row| world.bodies.contact_loads()[row].virial),
];

/// One value a body and record, where wind or current differ from place to place; at its centre.
#[rustfmt::skip]
pub(super) const WEATHER: &[Variable<ReadWeather>] = &[
    weather("body_wind_x", "m s-1", "wind at the centre of mass, eastward", |simulation, row| simulation.wind_at(position(simulation, row)).x),
    weather("body_wind_y", "m s-1", "wind at the centre of mass, northward", |simulation, row| simulation.wind_at(position(simulation, row)).y),
    weather("body_water_x", "m s-1", "velocity of the water at the centre of mass, eastward", |simulation, row| simulation.water_at(position(simulation, row)).x),
    weather("body_water_y", "m s-1", "velocity of the water at the centre of mass, northward", |simulation, row| simulation.water_at(position(simulation, row)).y),
];

fn position(simulation: &Simulation, row: usize) -> DVec2 {
    simulation.world.bodies.motions()[row].pose.position
}

/// One value a body: for the whole run, or until it is cut.
#[rustfmt::skip]
pub(super) const BODIES: &[Variable<ReadBody>] = &[
    body("mass", "kg", "mass; infinite for obstacles", |world, row| world.bodies.masses()[row]),
    body("inertia", "kg m2", "moment of inertia about the centre of mass; infinite for obstacles", |world, row| world.bodies.inertias()[row]),
    body("area", "m2", "area", |world, row| world.bodies.areas()[row]),
    body("thickness", "m", "mean ice thickness", |world, row| world.bodies.mean_thicknesses()[row]),
    body("ocean_drag_coefficient", "1", "drag coefficient of the water of this floe alone; missing where it is that of all", |world, row| world.bodies.materials()[row].ocean_drag_coefficient.unwrap_or(f64::NAN)),
    body(AIR_DRAG, "1", "drag coefficient of the wind of this floe alone; missing where it is that of all", |world, row| world.bodies.materials()[row].air_drag_coefficient.unwrap_or(f64::NAN)),
    body("disc_radius", "m", "radius of a true disc; missing for polygons", |world, row| match &world.bodies.shapes()[row] {
        Shape::Disc(disc) => disc.radius(),
        Shape::Outline(_) => f64::NAN,
    }),
    body("disc_center_x", "m", "centre of a true disc in its body frame; missing for polygons", |world, row| match &world.bodies.shapes()[row] {
        Shape::Disc(disc) => disc.center().x,
        Shape::Outline(_) => f64::NAN,
    }),
    body("disc_center_y", "m", "centre of a true disc in its body frame; missing for polygons", |world, row| match &world.bodies.shapes()[row] {
        Shape::Disc(disc) => disc.center().y,
        Shape::Outline(_) => f64::NAN,
    }),
];

/// Variables of bodies that a cut does not change.
const KEPT: [&str; 3] = ["thickness", "ocean_drag_coefficient", AIR_DRAG];
/// A variable of bodies that older recordings lack.
pub(super) const AIR_DRAG: &str = "air_drag_coefficient";

/// Variables of bodies that a cut changes.
pub(super) fn versioned_variables() -> impl Iterator<Item = &'static Variable<ReadBody>> {
    let variables = BODIES.iter();
    variables.filter(|variable| !KEPT.contains(&variable.name))
}

/// Names of all variables with one value a record. Older recordings lack some of them.
pub(super) fn record_variables() -> impl Iterator<Item = &'static str> {
    let all = RECORDS.iter().chain(EXCHANGE.iter());
    all.map(|variable| variable.name.as_str())
}

/// Names of the variables with one value a body and record; with those of the weather where it
/// differs from place to place.
pub fn motion_variables(weather_differs: bool) -> impl Iterator<Item = &'static str> {
    let weather = WEATHER.iter().filter(move |_| weather_differs);
    let motions = MOTIONS.iter().map(|variable| variable.name);
    motions.chain(weather.map(|variable| variable.name))
}

/// Names of the variables with one value a body. Older recordings lack one of them.
pub(super) fn body_variables() -> impl Iterator<Item = &'static str> {
    BODIES.iter().map(|variable| variable.name)
}

/// Variables with one value a record, read off a simulation without a recording.
pub(crate) struct RecordReader<'a> {
    moment: Moment<'a>,
}

impl<'a> RecordReader<'a> {
    pub(crate) fn new(simulation: &'a Simulation) -> Self {
        Self {
            moment: Moment {
                world: &simulation.world,
                wind: simulation.wind(),
                water: simulation.water(),
                contact: &simulation.contact,
            },
        }
    }

    /// The value of the variable of that name.
    pub(crate) fn read(&self, name: &str) -> Option<f64> {
        find_record(name).map(|variable| variable.read(&self.moment))
    }
}

impl RecordReader<'_> {
    /// Name, unit and meaning of a variable.
    pub(crate) fn describe(name: &str) -> Option<(String, String, String)> {
        let variable = find_record(name)?;
        Some((
            variable.name.clone(),
            variable.unit.into(),
            variable.meaning.clone(),
        ))
    }

    /// Names of all of them.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        record_variables()
    }
}

fn find_record(name: &str) -> Option<&'static RecordVariable> {
    let mut all = RECORDS.iter().chain(EXCHANGE.iter());
    all.find(|variable| variable.name == name)
}
