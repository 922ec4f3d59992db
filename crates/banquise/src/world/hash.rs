//! Hashes of the state: equal if and only if (but for chance) the states are, bit for bit.

use banquise_geometry::{DVec2, Outline, Pose, Shape};
use xxhash_rust::xxh3::Xxh3;

use super::{Breakage, BreakingForce, Clock, Fate, Gone, World};
use crate::body::{Bodies, BodyKind, Life};
use crate::bond::Bond;
use crate::budget::{Account, Budget, ContactBudget, ExchangeBudget, Flux, LayerBudget};
use crate::contact_state::{ContactKey, ContactLoad, Touched};
use crate::domain::Domain;
use crate::id::BodyId;
use crate::line::{Line, LineEnd};
use crate::material::Material;
use crate::motion::{Motion, Velocity};
use crate::pack::ThicknessLaw;
use crate::path::{BodyPath, Spin};
use crate::source::SourceSettings;

impl World {
    /// Hash of where everything is and how it moves: time, ocean layer, and id, pose, winding and velocity of every body.
    pub fn motion_hash(&self) -> u64 {
        let mut hash = StateHasher::default();
        hash.number(self.clock.time);
        for &velocity in &self.ocean_velocities {
            hash.vector(velocity);
        }
        for (&id, motion) in self.bodies.ids().iter().zip(&self.bodies.motions) {
            hash.number(f64::from(id.0));
            hash.motion(motion);
        }
        hash.0.digest()
    }

    /// Hash of everything that determines the steps to come, and of all budgets: two worlds with the same hash have the same
    /// future, whatever their scratch buffers hold.
    pub fn state_hash(&self) -> u64 {
        // No `..`: a new field must be hashed here.
        let Self {
            bodies,
            domain,
            clock: Clock { time, step },
            seed,
            ocean_velocities,
            budget,
            wall_loads,
            touching,
            warm_start,
            adhesion,
            bonds,
            contact_ages,
            sources,
            lines,
            gone,
        } = self;
        let mut hash = StateHasher::default();
        hash.domain(domain);
        hash.number(*time);
        hash.integer(*step);
        hash.integer(*seed);
        hash.count(ocean_velocities.len());
        for &velocity in ocean_velocities {
            hash.vector(velocity);
        }
        hash.bodies(bodies);
        hash.budget(budget);
        for load in wall_loads {
            hash.load(load);
        }
        hash.count(touching.len());
        for &(id, other) in touching {
            hash.id(id);
            hash.touched(other);
        }
        hash.count(warm_start.len());
        for (key, impulse) in warm_start {
            hash.contact_key(key);
            hash.numbers(*impulse);
        }
        // Nothing where no contact sticks: hashes of worlds without adhesion are as they were.
        if !adhesion.is_empty() {
            hash.count(adhesion.len());
            for (key, memory) in adhesion {
                hash.contact_key(key);
                hash.number(*memory);
            }
        }
        if !bonds.is_empty() || !contact_ages.is_empty() {
            hash.count(bonds.len());
            for bond in bonds {
                hash.bond(bond);
            }
            hash.count(contact_ages.len());
            for &(pair, age) in contact_ages {
                hash.pair(pair);
                hash.number(age);
            }
        }
        hash.count(sources.len());
        for source in sources {
            hash.integer(source.tried());
            hash.integer(source.skipped());
            hash.source(source.settings());
        }
        hash.count(gone.len());
        for gone in gone {
            hash.gone(gone);
        }
        // Nothing without lines: hashes of worlds without any are as they were.
        if !lines.is_empty() {
            hash.count(lines.len());
            for line in lines {
                hash.line(line);
            }
        }
        hash.0.digest()
    }
}

/// Forces whose accounts are hashed whether they act or not: those up to linear drag.
const FIRST_FORCES: usize = 5;

/// Takes the state in, value by value.
#[derive(Default)]
struct StateHasher(Xxh3);

impl StateHasher {
    fn number(&mut self, value: f64) {
        self.integer(value.to_bits());
    }

    fn numbers(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            self.number(value);
        }
    }

    fn integer(&mut self, value: u64) {
        self.0.update(&value.to_le_bytes());
    }

    /// Hashes the length of a list, so that the entries of one cannot pass for those of the next.
    fn count(&mut self, count: usize) {
        self.integer(count as u64);
    }

    fn id(&mut self, id: BodyId) {
        self.integer(u64::from(id.0));
    }

    fn pair(&mut self, [first, second]: [BodyId; 2]) {
        self.id(first);
        self.id(second);
    }

    fn bond(&mut self, bond: &Bond) {
        let Bond {
            bodies,
            anchors,
            normals,
            width,
            thickness,
            normal_stiffness,
            shear_stiffness,
        } = *bond;
        self.pair(bodies);
        for vector in anchors.into_iter().chain(normals) {
            self.vector(vector);
        }
        self.numbers([width, thickness, normal_stiffness, shear_stiffness]);
    }

    fn vector(&mut self, vector: DVec2) {
        self.number(vector.x);
        self.number(vector.y);
    }

    fn pose(&mut self, pose: Pose) {
        self.vector(pose.position);
        self.number(pose.rotation.cos);
        self.number(pose.rotation.sin);
    }

    fn velocity(&mut self, velocity: Velocity) {
        self.vector(velocity.linear);
        self.number(velocity.angular);
    }

    fn motion(&mut self, motion: &Motion) {
        let Motion {
            pose,
            velocity,
            winding: [columns, rows],
        } = *motion;
        self.pose(pose);
        self.number(f64::from(columns));
        self.number(f64::from(rows));
        self.velocity(velocity);
    }

    fn domain(&mut self, domain: &Domain) {
        let kind = match domain {
            Domain::Free => 0,
            Domain::Bounded(bounds) => {
                let open = bounds.open.iter();
                open.fold(1, |bits, &is_open| 2 * bits + u64::from(is_open))
            }
            Domain::Periodic(_) => 1,
        };
        self.integer(kind);
        if let Some(rectangle) = domain.rectangle() {
            self.vector(rectangle.min);
            self.vector(rectangle.max);
        }
    }

    fn bodies(&mut self, bodies: &Bodies) {
        self.id(bodies.next_id());
        self.count(bodies.len());
        for row in 0..bodies.len() {
            self.id(bodies.ids()[row]);
            self.integer(u64::from(bodies.kinds()[row] == BodyKind::Floe));
            self.motion(&bodies.motions[row]);
            self.velocity(bodies.force_delta_v[row]);
            // Zero where floes cannot break, and the hash of such a world is that of one without this column.
            let force_time = bodies.force_times[row];
            if force_time != 0.0 {
                self.number(force_time);
            }
            self.shape(&bodies.shapes()[row]);
            self.integer(u64::from(bodies.shape_versions()[row]));
            self.number(bodies.masses()[row]);
            self.number(bodies.inertias()[row]);
            self.number(bodies.mean_thicknesses()[row]);
            self.material(&bodies.materials()[row]);
            self.life(&bodies.lives()[row]);
            self.load(&bodies.contact_loads[row]);
        }
        self.count(bodies.paths.len());
        for (id, path) in &bodies.paths {
            self.id(*id);
            self.path(path);
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Outline(outline) => {
                self.outline(outline);
            }
            Shape::Disc(disc) => {
                self.count(0);
                self.number(disc.radius());
            }
        }
    }

    fn outline(&mut self, outline: &Outline) {
        self.count(outline.vertices().len());
        for &vertex in outline.vertices() {
            self.vector(vertex);
        }
    }

    fn material(&mut self, material: &Material) {
        let Material {
            ice_density,
            friction,
            restitution,
            ocean_drag_coefficient,
            air_drag_coefficient,
        } = *material;
        // No coefficient is negative: −1 stands for none.
        let coefficient = ocean_drag_coefficient.unwrap_or(-1.0);
        self.numbers([ice_density, friction, restitution, coefficient]);
        if let Some(coefficient) = air_drag_coefficient {
            self.number(coefficient);
        }
    }

    fn life(&mut self, life: &Life) {
        let Life {
            born,
            parent,
            generation,
        } = *life;
        self.number(born);
        self.integer(parent.map_or(u64::MAX, |id| u64::from(id.0)));
        self.integer(u64::from(generation));
    }

    fn path(&mut self, path: &BodyPath) {
        self.count(path.waypoints().len());
        for waypoint in path.waypoints() {
            self.number(waypoint.time);
            self.vector(waypoint.position);
            self.number(waypoint.heading);
        }
        if let Some(spin) = path.spin() {
            let Spin {
                center,
                velocity,
                period,
                position,
                heading,
            } = *spin;
            for vector in [center, velocity, position] {
                self.vector(vector);
            }
            self.numbers([period, heading]);
        }
    }

    fn load(&mut self, load: &ContactLoad) {
        let ContactLoad {
            normal,
            tangent,
            impulse,
            moment,
            virial,
            largest,
            crushing,
            crushing_area,
        } = *load;
        self.vector(impulse);
        self.numbers([normal, tangent, moment, virial, largest]);
        self.numbers([crushing, crushing_area]);
    }

    fn touched(&mut self, touched: Touched) {
        match touched {
            Touched::Body(id) => self.id(id),
            Touched::Wall(side) => self.integer(u64::MAX - u64::from(side)),
        }
    }

    fn contact_key(&mut self, key: &ContactKey) {
        self.id(key.body());
        self.touched(key.other());
        self.integer(u64::from(key.is_vertex_of_other()));
        self.integer(u64::from(key.vertex()));
    }

    fn gone(&mut self, gone: &Gone) {
        let Gone {
            id,
            time,
            fate,
            life,
            load,
            breakage,
        } = gone;
        self.id(*id);
        self.number(*time);
        self.integer(match fate {
            Fate::Left => 0,
            Fate::Replaced => 1,
            Fate::Removed => 2,
            Fate::Crushed => 3,
        });
        self.life(life);
        self.load(load);
        // Nothing of a floe that did not break: hashes of worlds without fracture are as they were.
        if let Some(Breakage {
            pose,
            cracks,
            forces,
        }) = breakage
        {
            self.pose(*pose);
            self.count(cracks.len());
            for &point in cracks.iter().flatten() {
                self.vector(point);
            }
            self.count(forces.len());
            for BreakingForce {
                point,
                force,
                radius,
            } in forces
            {
                self.vector(*point);
                self.vector(*force);
                self.number(*radius);
            }
        }
    }

    fn source(&mut self, settings: &SourceSettings) {
        let SourceSettings {
            region,
            start,
            interval,
            shapes,
            sizes,
            thickness,
            material,
            velocity,
        } = settings;
        self.vector(region.min);
        self.vector(region.max);
        self.numbers([
            *start,
            *interval,
            sizes.min_size,
            sizes.max_size,
            sizes.exponent,
        ]);
        self.count(shapes.len());
        for outline in shapes {
            self.outline(outline);
        }
        self.thickness_law(thickness);
        self.material(material);
        self.velocity(*velocity);
    }

    fn thickness_law(&mut self, law: &ThicknessLaw) {
        let (kind, values): (u64, Vec<f64>) = match law {
            ThicknessLaw::Constant(thickness) => (0, vec![*thickness]),
            ThicknessLaw::Uniform { from, to } => (1, vec![*from, *to]),
            ThicknessLaw::Normal { mean, deviation } => (2, vec![*mean, *deviation]),
            ThicknessLaw::BySize(rows) => (3, rows.as_flattened().to_vec()),
            ThicknessLaw::Shares(rows) => (4, rows.as_flattened().to_vec()),
        };
        self.integer(kind);
        self.count(values.len());
        self.numbers(values);
    }

    fn line(&mut self, line: &Line) {
        // The name determines no step.
        let Line {
            name: _,
            ends,
            stiffness,
            damping,
            rest_length,
            pushes,
            breaking_load,
            broken_at,
            tension,
        } = line;
        for end in ends {
            match *end {
                LineEnd::Point(point) => {
                    self.integer(0);
                    self.vector(point);
                }
                LineEnd::Body { id, arm } => {
                    self.integer(1);
                    self.id(id);
                    self.vector(arm);
                }
            }
        }
        self.numbers([*stiffness, *damping, *rest_length, *breaking_load, *tension]);
        self.integer(u64::from(*pushes));
        self.number(broken_at.unwrap_or(f64::NAN));
    }

    fn budget(&mut self, budget: &Budget) {
        let Budget {
            forces,
            contact,
            layer,
            exchange,
        } = budget;
        for (index, account) in forces.iter().enumerate() {
            let Account { work, impulse } = *account;
            // Forces that came later are hashed where they act, so that states without them keep their hash.
            if index >= FIRST_FORCES {
                if *account == Account::default() {
                    continue;
                }
                self.count(index);
            }
            self.number(work);
            self.vector(impulse);
        }
        let ContactBudget {
            normal_loss,
            tangent_loss,
            crushing_loss,
            fracture_loss,
            fracture_strain,
            bond_stored,
            bond_loss,
            bond_broken,
            push_gain,
            impulse,
            work,
        } = *contact;
        self.vector(impulse);
        self.numbers([normal_loss, tangent_loss, crushing_loss, push_gain, work]);
        // Hashes of runs in which nothing breaks and nothing is frozen together are those of before there was fracture.
        let later = [
            fracture_loss,
            fracture_strain,
            bond_stored,
            bond_loss,
            bond_broken,
        ];
        for (mark, energy) in (1..).zip(later) {
            if energy != 0.0 {
                self.integer(mark);
                self.number(energy);
            }
        }
        let LayerBudget {
            ice,
            wind,
            coriolis,
            base,
            data,
        } = *layer;
        for impulse in [ice, wind, coriolis, base, data] {
            self.vector(impulse);
        }
        let ExchangeBudget {
            entered,
            left,
            replaced,
            pieces,
            crushed,
        } = *exchange;
        for flux in [entered, left, replaced, pieces, crushed] {
            let Flux {
                floes,
                mass,
                momentum,
                energy,
            } = flux;
            self.integer(floes);
            self.number(mass);
            self.vector(momentum);
            self.number(energy);
        }
    }
}

#[cfg(test)]
mod tests {
    use banquise_geometry::{Disc, Rotation};

    use super::*;
    use crate::body::{BodySpec, Thickness};
    use crate::domain::{Bounds, Rectangle};
    use crate::force::Force;
    use crate::pack::{SizeLaw, builtin_shapes};
    use crate::path::Waypoint;
    use crate::source::Source;
    use crate::stored::{Input, Stored as _};

    fn floe() -> BodySpec {
        BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            shape: Shape::Disc(Disc::try_new(2.0).unwrap()),
            pose: Pose {
                position: DVec2::new(10.0, 10.0),
                rotation: Rotation::IDENTITY,
            },
            velocity: Velocity::REST,
            thickness: Thickness::Uniform(1.0),
            material: Material::default(),
            mass: None,
            inertia: None,
        }
    }

    fn path(end: f64) -> BodyPath {
        let waypoint = |time| Waypoint {
            time,
            position: DVec2::new(50.0 + time, 50.0),
            heading: 0.0,
        };
        BodyPath::try_new(vec![waypoint(0.0), waypoint(end)]).unwrap()
    }

    fn breakage() -> Breakage {
        Breakage {
            pose: Pose {
                position: DVec2::X,
                rotation: Rotation::IDENTITY,
            },
            cracks: vec![[DVec2::ZERO, DVec2::X]],
            forces: vec![BreakingForce {
                point: DVec2::X,
                force: DVec2::Y,
                radius: 1.0,
            }],
        }
    }

    fn source(change: impl FnOnce(&mut SourceSettings)) -> Source {
        let mut settings = SourceSettings {
            region: Rectangle {
                min: DVec2::ZERO,
                max: DVec2::splat(20.0),
            },
            start: 10.0,
            interval: 60.0,
            shapes: builtin_shapes()[..2].to_vec(),
            sizes: SizeLaw {
                count: 0,
                min_size: 1.0,
                max_size: 3.0,
                exponent: 1.5,
            },
            thickness: ThicknessLaw::Constant(1.0),
            material: Material::default(),
            velocity: Velocity::REST,
        };
        change(&mut settings);
        Source::try_new(settings).unwrap()
    }

    /// A world with something in every field, and a first body as it is told.
    fn world_of(first: BodySpec) -> World {
        let rectangle = Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(100.0),
        };
        let open = [true, false, false, false];
        let mut world = World::new(Domain::Bounded(Bounds { rectangle, open }), 7);
        world.add(first).unwrap();
        world.add(floe()).unwrap();
        let pieces = world.replace(BodyId(1), vec![floe(), floe()]).unwrap();
        world.add_on_path(floe(), &path(10.0)).unwrap();
        world.touching = vec![
            (BodyId(0), Touched::Body(pieces[0])),
            (BodyId(0), Touched::Wall(2)),
        ];
        let key = ContactKey::new(BodyId(0), Touched::Body(pieces[0]), 3, false);
        world.warm_start = vec![(key, [1.0, 0.5])];
        world.adhesion = vec![(key, -2.0)];
        world.bonds = vec![Bond {
            bodies: [BodyId(0), pieces[0]],
            anchors: [DVec2::X, DVec2::Y],
            normals: [DVec2::X, DVec2::X],
            width: 3.0,
            thickness: 1.0,
            normal_stiffness: 1e8,
            shear_stiffness: 4e7,
        }];
        world.contact_ages = vec![([BodyId(0), pieces[1]], 60.0)];
        world.sources = vec![source(|_| {})];
        let end = LineEnd::Body {
            id: BodyId(0),
            arm: DVec2::X,
        };
        world.lines = vec![Line {
            name: "mooring".into(),
            ends: [LineEnd::Point(DVec2::Y), end],
            stiffness: 1.0,
            damping: 1.0,
            rest_length: 1.0,
            pushes: false,
            breaking_load: 1.0,
            broken_at: None,
            tension: 1.0,
        }];
        world
    }

    type Change = Box<dyn Fn(&mut World)>;

    fn change(change: impl Fn(&mut World) + 'static) -> Change {
        Box::new(change)
    }

    fn with_key(key: ContactKey) -> Change {
        change(move |w| w.warm_start[0].0 = key)
    }

    fn changes_of_the_world() -> Vec<Change> {
        vec![
            change(|w| w.clock.time += 1.0),
            change(|w| w.clock.step += 1),
            change(|w| w.seed += 1),
            change(|w| w.domain = Domain::Free),
            change(|w| w.domain = Domain::walls(w.domain.rectangle().unwrap())),
            change(|w| w.domain = Domain::Periodic(w.domain.rectangle().unwrap())),
            change(|w| w.ocean_velocities[0].x = 0.1),
            change(|w| w.ocean_velocities[0].y = 0.1),
            change(|w| w.ocean_velocities.push(DVec2::ZERO)),
            change(|w| w.wall_loads[3].normal = 1.0),
            change(|w| w.touching[0].0 = BodyId(1)),
            change(|w| w.touching[1].1 = Touched::Wall(1)),
            change(|w| {
                w.touching.pop();
            }),
            change(|w| w.warm_start[0].1[0] = 2.0),
            change(|w| w.adhesion[0].1 = -1.0),
            change(|w| {
                w.adhesion[0].0 = ContactKey::new(BodyId(0), Touched::Body(BodyId(2)), 4, false);
            }),
            change(|w| w.adhesion.clear()),
            change(|w| w.bonds.clear()),
            change(|w| w.bonds[0].bodies[1] = BodyId(9)),
            change(|w| w.bonds[0].anchors[1].x = 1.0),
            change(|w| w.bonds[0].normals[0] = DVec2::Y),
            change(|w| w.bonds[0].width = 2.0),
            change(|w| w.bonds[0].thickness = 2.0),
            change(|w| w.bonds[0].normal_stiffness = 2e8),
            change(|w| w.bonds[0].shear_stiffness = 2e8),
            change(|w| w.contact_ages.clear()),
            change(|w| w.contact_ages[0].0[1] = BodyId(9)),
            change(|w| w.contact_ages[0].1 = 61.0),
            change(|w| w.warm_start[0].1[1] = 2.0),
            with_key(ContactKey::new(
                BodyId(0),
                Touched::Body(BodyId(2)),
                4,
                false,
            )),
            with_key(ContactKey::new(
                BodyId(0),
                Touched::Body(BodyId(2)),
                3,
                true,
            )),
            with_key(ContactKey::new(
                BodyId(9),
                Touched::Body(BodyId(2)),
                3,
                false,
            )),
            with_key(ContactKey::new(BodyId(0), Touched::Wall(0), 3, false)),
            change(|w| w.sources[0].advance(true)),
            change(|w| w.sources[0].advance(false)),
            change(|w| w.sources[0] = source(|s| s.interval = 61.0)),
            change(|w| w.sources[0] = source(|s| s.start = 11.0)),
            change(|w| w.sources[0] = source(|s| s.region.max.x = 21.0)),
            change(|w| w.sources[0] = source(|s| s.sizes.exponent = 1.6)),
            change(|w| w.sources[0] = source(|s| s.shapes.truncate(1))),
            change(|w| w.sources[0] = source(|s| s.thickness = ThicknessLaw::Constant(2.0))),
            change(|w| w.sources[0] = source(|s| s.material.friction = 0.1)),
            change(|w| w.sources[0] = source(|s| s.velocity.angular = 0.1)),
        ]
    }

    fn changes_of_lines() -> Vec<Change> {
        vec![
            change(|w| w.lines[0].ends[0] = LineEnd::Point(DVec2::X)),
            change(|w| {
                w.lines[0].ends[1] = LineEnd::Body {
                    id: BodyId(2),
                    arm: DVec2::X,
                }
            }),
            change(|w| {
                w.lines[0].ends[1] = LineEnd::Body {
                    id: BodyId(0),
                    arm: DVec2::Y,
                }
            }),
            change(|w| w.lines[0].stiffness = 2.0),
            change(|w| w.lines[0].damping = 2.0),
            change(|w| w.lines[0].rest_length = 2.0),
            change(|w| w.lines[0].pushes = true),
            change(|w| w.lines[0].breaking_load = 2.0),
            change(|w| w.lines[0].broken_at = Some(3.0)),
            change(|w| w.lines[0].tension = 3.0),
            change(|w| w.lines.clear()),
        ]
    }

    fn changes_of_accounts() -> Vec<Change> {
        vec![
            change(|w| w.gone[0].time = 5.0),
            change(|w| w.gone[0].fate = Fate::Left),
            change(|w| w.gone[0].load.virial = 5.0),
            change(|w| w.gone[0].life.generation = 5),
            change(|w| w.gone[0].breakage = Some(breakage())),
            change(|w| {
                let mut other = breakage();
                other.pose.position.x = 2.0;
                w.gone[0].breakage = Some(other);
            }),
            change(|w| {
                let mut other = breakage();
                other.cracks[0][1].y = 2.0;
                w.gone[0].breakage = Some(other);
            }),
            change(|w| {
                let mut other = breakage();
                other.forces[0].radius = 2.0;
                w.gone[0].breakage = Some(other);
            }),
            change(|w| w.budget.forces[Force::Wind].work = 1.0),
            change(|w| w.budget.forces[Force::Ocean].impulse.x = 1.0),
            change(|w| w.budget.forces[Force::Coriolis].impulse.y = 1.0),
            change(|w| w.budget.forces[Force::LinearDrag].work = 1.0),
            change(|w| w.budget.forces[Force::Tilt].work = 1.0),
            change(|w| w.budget.forces[Force::Tilt].impulse.x = 1.0),
            change(|w| w.budget.contact.normal_loss = 1.0),
            change(|w| w.budget.contact.push_gain = 1.0),
            change(|w| w.budget.contact.tangent_loss = 1.0),
            change(|w| w.budget.contact.crushing_loss = 1.0),
            change(|w| w.budget.contact.fracture_loss = 1.0),
            change(|w| w.budget.contact.fracture_strain = 1.0),
            change(|w| w.budget.contact.bond_stored = 1.0),
            change(|w| w.budget.contact.bond_loss = 1.0),
            change(|w| w.budget.contact.bond_broken = 1.0),
            change(|w| w.budget.contact.impulse.y = 1.0),
            change(|w| w.budget.contact.work = 1.0),
            change(|w| w.budget.layer.ice.x = 1.0),
            change(|w| w.budget.layer.wind.x = 1.0),
            change(|w| w.budget.layer.coriolis.x = 1.0),
            change(|w| w.budget.layer.base.x = 1.0),
            change(|w| w.budget.layer.data.x = 1.0),
            change(|w| w.budget.exchange.entered.floes = 9),
            change(|w| w.budget.exchange.left.mass = 9.0),
            change(|w| w.budget.exchange.replaced.momentum.x = 9.0),
            change(|w| w.budget.exchange.pieces.energy = 9.0),
            change(|w| w.budget.exchange.crushed.energy = 9.0),
        ]
    }

    /// All changes that a state hash must see.
    fn changes() -> Vec<Change> {
        let mut changes = changes_of_the_world();
        changes.extend(changes_of_lines());
        changes.extend(changes_of_accounts());
        changes.extend(changes_of_bodies());
        changes
    }

    fn changes_of_bodies() -> Vec<Change> {
        vec![
            change(|w| w.bodies.motions[0].pose.position.x += 1.0),
            change(|w| w.bodies.motions[0].pose.rotation.sin = 0.5),
            change(|w| w.bodies.motions[0].velocity.angular = 0.5),
            change(|w| w.bodies.motions[0].winding[1] = 1),
            change(|w| w.bodies.force_delta_v[0].linear.x = 0.5),
            change(|w| w.bodies.force_delta_v[0].angular = 0.5),
            change(|w| w.bodies.force_times[0] = 0.5),
            change(|w| w.bodies.contact_loads[1].normal = 0.5),
            change(|w| w.bodies.contact_loads[1].tangent = 0.5),
            change(|w| w.bodies.contact_loads[1].impulse.x = 0.5),
            change(|w| w.bodies.contact_loads[1].moment = 0.5),
            change(|w| w.bodies.contact_loads[1].virial = 0.5),
            change(|w| w.bodies.contact_loads[1].largest = 0.5),
            change(|w| w.bodies.contact_loads[1].crushing = 0.5),
            change(|w| w.bodies.contact_loads[1].crushing_area = 0.5),
            change(|w| w.bodies.paths[0].1 = path(11.0)),
            change(|w| w.bodies.paths[0].0 = BodyId(0)),
            // Cut to the shape that it has.
            change(|w| w.bodies.reshape(0, floe().shape).unwrap()),
            // The body in the last row but one is gone, with all else as it was.
            change(|w| w.bodies.remove(&[BodyId(3)])),
            // An id was given, and its body is gone.
            change(|w| {
                let id = w.bodies.insert(floe(), 0.0).unwrap();
                w.bodies.remove(&[id]);
            }),
        ]
    }

    #[test]
    fn the_state_hash_sees_every_field() {
        let mut hashes = vec![world_of(floe()).state_hash()];
        for change in &changes() {
            let mut world = world_of(floe());
            change(&mut world);
            hashes.push(world.state_hash());
        }
        let material = |change: fn(&mut Material)| {
            let mut spec = floe();
            change(&mut spec.material);
            spec
        };
        let specs = [
            material(|m| m.friction = 0.1),
            material(|m| m.restitution = 0.1),
            material(|m| m.ocean_drag_coefficient = Some(1e-3)),
            material(|m| m.air_drag_coefficient = Some(1e-3)),
            BodySpec {
                thickness: Thickness::Uniform(2.0),
                ..floe()
            },
            BodySpec {
                mass: Some(1.0),
                ..floe()
            },
            BodySpec {
                inertia: Some(1.0),
                ..floe()
            },
            BodySpec {
                kind: BodyKind::Obstacle,
                ..floe()
            },
            BodySpec {
                shape: Shape::Disc(Disc::try_new(2.5).unwrap()),
                ..floe()
            },
            BodySpec {
                shape: Shape::Outline(builtin_shapes()[0].clone()),
                ..floe()
            },
        ];
        hashes.extend(specs.map(|spec| world_of(spec).state_hash()));
        for (index, hash) in hashes.iter().enumerate() {
            let same = hashes[..index].iter().position(|other| other == hash);
            assert_eq!(same, None, "case {index} has the hash of another");
        }
    }

    /// All that is printed is compared: every field of the state, and the columns that are made again.
    fn assert_comes_back(world: &World, case: usize) {
        let mut bytes = Vec::new();
        world.put(&mut bytes);
        let mut input = Input::new(&bytes);
        let back = World::take(&mut input).unwrap();
        input.finish().unwrap();
        assert_eq!(format!("{back:?}"), format!("{world:?}"), "case {case}");
        assert_eq!(back.state_hash(), world.state_hash(), "case {case}");
    }

    #[test]
    fn every_field_that_is_hashed_is_stored() {
        let mut material = floe();
        material.material.ocean_drag_coefficient = Some(1e-3);
        let outline = BodySpec {
            shape: Shape::Outline(builtin_shapes()[0].clone()),
            name: "north".into(),
            ..floe()
        };
        let obstacle = BodySpec {
            kind: BodyKind::Obstacle,
            ..floe()
        };
        let laws = [
            ThicknessLaw::Uniform { from: 1.0, to: 2.0 },
            ThicknessLaw::Normal {
                mean: 1.0,
                deviation: 0.1,
            },
            ThicknessLaw::BySize(vec![[1.0, 0.5], [2.0, 0.7]]),
            ThicknessLaw::Shares(vec![[1.0, 0.5]]),
        ];
        let laws =
            laws.map(|law| change(move |w| w.sources[0] = source(|s| s.thickness = law.clone())));
        for (case, change) in changes().iter().chain(&laws).enumerate() {
            let mut world = world_of(floe());
            change(&mut world);
            assert_comes_back(&world, case);
        }
        for (case, spec) in [material, outline, obstacle].into_iter().enumerate() {
            assert_comes_back(&world_of(spec), 1000 + case);
        }
    }

    #[test]
    fn the_motion_hash_sees_motion_alone() {
        let plain = world_of(floe()).motion_hash();
        let seen = |change: &Change| {
            let mut world = world_of(floe());
            change(&mut world);
            world.motion_hash() != plain
        };
        assert!(changes_of_bodies()[..4].iter().all(seen));
        assert!(!seen(&change(|w| w.warm_start.clear())));
    }
}
