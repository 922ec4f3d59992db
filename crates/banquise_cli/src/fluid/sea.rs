//! Bodies of a scenario, and the water that is resolved around them.
//!
//! The water is a layer as deep as a floe's draft, seen from above. A floe floats, so that its mass is that of the water which it displaces; forces are per metre of that
//! depth. Wind acts on it, and the drag law of the scenario below it, where the water is at rest; what acts on its sides is resolved. Obstacles are held.

use banquise::{
    Bodies, Bounds, ContactLaw as Law, Coriolis, Domain, DragSettings, ForceProfile, Push,
    Rectangle, Simulation, Tilt,
};
use banquise_flow::{
    Body, ContactLaw, Edges, FlowError, Fluid, Grid, MovingBody, RigidMotion, SolverSettings,
    Unsteady, UnsteadySettings, Wrench, transform_size,
};
use banquise_geometry::{DVec2, Pose};

use crate::arguments::fluid_moving::RunInFluidArguments;
use crate::failure::Failure;

/// What is chosen beside the scenario.
pub(super) struct SeaSettings {
    /// Eddy viscosity \[m²/s\].
    viscosity: f64,
    /// Cells in the diameter of the smallest floe.
    cells: usize,
}

impl From<&RunInFluidArguments> for SeaSettings {
    fn from(arguments: &RunInFluidArguments) -> Self {
        Self {
            viscosity: arguments.viscosity,
            cells: arguments.cells,
        }
    }
}

/// A body of the scenario.
struct Member {
    row: usize,
    name: String,
    /// Depth of the layer that it moves \[m\].
    depth: f64,
    body: MovingBody,
    /// Drag of the air on it, and ρ C of that of the water below it.
    drag: Option<(DragSettings, f64)>,
}

/// Floes, then obstacles, in their sea.
pub(super) struct Sea {
    grid: Grid,
    /// Where the grid's corner is \[m\].
    corner: DVec2,
    density: f64,
    viscosity: f64,
    law: ContactLaw,
    friction: f64,
    floes: usize,
    members: Vec<Member>,
    /// Accelerations and forces on floes \[m/s², N\].
    accelerations: DVec2,
    push: DVec2,
    starts: Vec<DVec2>,
}

/// Where a floe went, resolved and by the drag law.
pub(super) struct Drift {
    pub(super) name: String,
    pub(super) resolved: DVec2,
    pub(super) by_law: DVec2,
    pub(super) velocity: DVec2,
}

impl Drift {
    pub(super) fn distance(&self) -> f64 {
        self.resolved.distance(self.by_law)
    }
}

/// Drag coefficient for the velocity from which the step follows.
const GUESS: f64 = 1.5;
/// Cells that this velocity passes in a step.
const COURANT: f64 = 0.5;
/// Room around floes in a sea without edges, in diameters of the largest.
const ROOM: f64 = 6.0;
/// Most cells along a side, and fewest in a floe.
const MOST_CELLS: usize = 4096;
const FEWEST_IN_A_FLOE: usize = 4;
/// How exactly sides of a domain are whole numbers of cells, in cells.
const WHOLE: f64 = 1e-6;

impl Sea {
    /// The bodies of a scenario at its start.
    pub(super) fn of(simulation: &Simulation, settings: &SeaSettings) -> Result<Self, Failure> {
        refuse_what_is_left_out(simulation)?;
        let SeaSettings { viscosity, cells } = *settings;
        if !(viscosity > 0.0 && viscosity.is_finite()) {
            return Err(Failure::usage(
                format!("--viscosity is {viscosity}"),
                "give a positive value in m²/s",
            ));
        }
        if cells < FEWEST_IN_A_FLOE {
            return Err(Failure::usage(
                format!("--cells is {cells}"),
                format!("give at least {FEWEST_IN_A_FLOE} for the smallest floe"),
            ));
        }
        let bodies = &simulation.world.bodies;
        let rows =
            |is_floe: bool| (0..bodies.len()).filter(move |&row| bodies.is_floe(row) == is_floe);
        let floes = rows(true).count();
        if floes == 0 {
            return Err(Failure::usage(
                "the scenario has no floe",
                "give it one: obstacles alone stay where they are",
            ));
        }
        let (law, friction) = law_of(simulation)?;
        let density = simulation
            .forcing
            .drag
            .map_or(DragSettings::default().ocean_density, |drag| {
                drag.ocean_density
            });
        let diameters =
            rows(true).map(|row| 2.0 * (bodies.areas()[row] / std::f64::consts::PI).sqrt());
        let ends = diameters.fold([f64::INFINITY, 0.0_f64], |[a, b], d| [a.min(d), b.max(d)]);
        let (grid, corner) = grid_of(simulation, ends[0] / cells as f64, ends[1])?;
        let members: Vec<Member> = rows(true)
            .chain(rows(false))
            .map(|row| member(simulation, row, density, corner))
            .collect();
        let starts = members[..floes]
            .iter()
            .map(|member| simulation.world.unwrapped_position(member.row));
        let (mut accelerations, mut push) = (DVec2::ZERO, DVec2::ZERO);
        for force in &simulation.forcing.body_forces {
            match force.push {
                Push::Acceleration(acceleration) => accelerations += acceleration,
                Push::Force(force) => push += force,
                Push::Toward { .. } => {}
            }
        }
        Ok(Self {
            grid,
            corner,
            density,
            viscosity,
            law,
            friction,
            floes,
            starts: starts.collect(),
            members,
            accelerations,
            push,
        })
    }

    pub(super) fn floe_count(&self) -> usize {
        self.floes
    }

    pub(super) fn obstacle_names(&self) -> impl Iterator<Item = &str> {
        self.members[self.floes..]
            .iter()
            .map(|member| member.name.as_str())
    }

    /// A step in which no floe goes far in cells, by the velocities at the start and those that its forces would give it \[s\].
    pub(super) fn step(&self, simulation: &Simulation) -> Result<f64, Failure> {
        let speed = |member: &Member| {
            let body = &member.body;
            let wind = simulation.wind_at(body.body.pose.position + self.corner);
            let side = 0.5 * self.density * GUESS * 2.0 * body.body.shape.bounding_radius();
            let below = member.drag.map_or(0.0, |(_, factor)| factor) * body.body.shape.area();
            let driven = self.given(member, wind).length() / (side * member.depth + below);
            body.motion.velocity.length().max(driven.sqrt())
        };
        let floes = &self.members[..self.floes];
        let fastest = floes.iter().map(speed).fold(0.0, f64::max);
        if fastest > 0.0 {
            Ok(COURANT * self.grid.spacing / fastest)
        } else {
            Err(Failure::usage(
                "at the start no floe moves, and nothing pushes one",
                "give --step, or the scenario wind, a force or velocities",
            ))
        }
    }

    /// Force on a floe but for that of the water \[N\].
    fn given(&self, member: &Member, wind: DVec2) -> DVec2 {
        let body = &member.body;
        let area = body.body.shape.area();
        let mass = body.density * area * member.depth;
        let stress = member
            .drag
            .map_or(DVec2::ZERO, |(drag, _)| drag.wind_stress(wind));
        mass * self.accelerations + self.push + area * stress
    }

    /// The water at rest, and the bodies in it.
    pub(super) fn flow(&self, dt: f64) -> Result<Unsteady, Failure> {
        let settings = UnsteadySettings {
            dt,
            density: self.density,
            gravity: DVec2::ZERO,
            shear: 0.0,
            gap: self.grid.spacing,
            law: self.law,
            friction: self.friction,
            solver: SolverSettings {
                tolerance: 1e-5,
                ..SolverSettings::default()
            },
        };
        let fluid = Fluid {
            viscosity: self.viscosity * self.density,
        };
        let bodies = self.members.iter().map(|member| member.body.clone());
        Ok(Unsteady::new(self.grid, fluid, bodies.collect(), settings)?)
    }

    /// Sets what acts on the floes in the next step.
    pub(super) fn load(&self, flow: &mut Unsteady, simulation: &Simulation, dt: f64) {
        for (body, member) in flow.bodies.iter_mut().zip(&self.members[..self.floes]) {
            let wind = simulation.wind_at(body.body.pose.position + self.corner);
            let velocity = body.motion.velocity;
            let below = member.drag.map_or(0.0, |(_, factor)| factor);
            let area = body.body.shape.area();
            // Implicit in the velocity, for drag that is fast against the step.
            let rate = below * velocity.length() / (body.density * member.depth);
            let drag = -below * area * velocity.length() * velocity / (1.0 + rate * dt);
            body.load = Wrench {
                force: (self.given(member, wind) + drag) / member.depth,
                torque: 0.0,
            };
        }
    }

    /// Time, and mean speeds of the floes, resolved and by the law.
    pub(super) fn speeds(&self, flow: &Unsteady, simulation: &Simulation) -> [f64; 3] {
        let count = self.floes as f64;
        let resolved: f64 = flow.bodies[..self.floes]
            .iter()
            .map(|body| body.motion.velocity.length())
            .sum();
        let motions = simulation.world.bodies.motions();
        let by_law: f64 = self.members[..self.floes]
            .iter()
            .map(|member| motions[member.row].velocity.linear.length())
            .sum();
        [flow.time, resolved / count, by_law / count]
    }

    /// Where the floes went.
    pub(super) fn drifts(&self, flow: &Unsteady, simulation: &Simulation) -> Vec<Drift> {
        let starts = self.starts.iter().zip(&self.members[..self.floes]);
        starts
            .zip(&flow.bodies)
            .map(|((start, member), body)| Drift {
                name: member.name.clone(),
                resolved: body.body.pose.position - member.body.body.pose.position,
                by_law: simulation.world.unwrapped_position(member.row) - *start,
                velocity: body.motion.velocity,
            })
            .collect()
    }
}

/// Law of contact and coefficient of friction.
fn law_of(simulation: &Simulation) -> Result<(ContactLaw, f64), Failure> {
    let bodies = &simulation.world.bodies;
    match simulation.settings.contact.law {
        Law::Inelastic => Ok((ContactLaw::Dry, 0.0)),
        Law::Gluey => Ok((ContactLaw::Gluey, 0.0)),
        Law::Coulomb => {
            let floes = (0..bodies.len()).filter(|&row| bodies.is_floe(row));
            let friction = floes.map(|row| bodies.materials()[row].friction);
            let ends = friction.fold([f64::INFINITY, 0.0_f64], |[a, b], x| [a.min(x), b.max(x)]);
            if ends[0] < ends[1] {
                return Err(Failure::usage(
                    format!(
                        "friction differs from floe to floe, from {} to {}",
                        ends[0], ends[1]
                    ),
                    "give all floes one coefficient",
                ));
            }
            Ok((ContactLaw::Dry, ends[1]))
        }
        Law::Rough(_) | Law::Bonded(_) => Err(Failure::usage(
            "the scenario has rough contacts, or joints",
            "with resolved water the law is \"coulomb\", \"inelastic\" or \"gluey\": give --set contact.law=…",
        )),
    }
}

/// Refuses what the resolved water does not have: nothing of a scenario is left out without a word.
fn refuse_what_is_left_out(simulation: &Simulation) -> Result<(), Failure> {
    let Simulation {
        world,
        forcing,
        settings,
        ..
    } = simulation;
    let has_current = forcing.uniform_current(0.0) != DVec2::ZERO
        || forcing.current != banquise::VectorSeries::constant(DVec2::ZERO);
    let is_linear = forcing
        .drag
        .is_some_and(|drag| drag.linear_drag_velocity.is_some());
    let given = [
        (has_current || forcing.current_field.is_some(), "a current"),
        (!forcing.tides.is_empty(), "tides"),
        (
            matches!(forcing.tilt, Tilt::Slope(_)),
            "a given slope of the sea",
        ),
        (forcing.slab_ocean.is_some(), "an ocean layer"),
        (forcing.waves.is_some(), "waves"),
        (is_linear, "a linear drag of the water"),
        (!world.lines.is_empty(), "lines"),
        (!world.sources.is_empty(), "sources of floes"),
        (settings.fracture.is_some(), "fracture"),
        (!world.bodies.paths().is_empty(), "obstacles that move"),
        (
            forcing.body_forces.iter().any(is_special),
            "forces that change in time or place, or act on some floes",
        ),
        (
            world.bodies.shapes().iter().any(is_off_centre),
            "floes whose thickness differs from place to place",
        ),
    ];
    let given: Vec<&str> = given
        .iter()
        .filter(|part| part.0)
        .map(|part| part.1)
        .collect();
    if !given.is_empty() {
        return Err(Failure::usage(
            format!("the scenario has {}", given.join(", ")),
            "water that is resolved has wind, constant forces, walls, contacts and obstacles that rest: take these from the scenario",
        ));
    }
    if forcing.coriolis != Coriolis::Off {
        eprintln!(
            "note: the Earth's rotation is left out, and with it the angle by which the drag below floes is turned: in a layer of one density pressure balances it, on water and floating floes alike"
        );
    }
    Ok(())
}

/// Whether a given force is more than a constant one on all floes.
fn is_special(force: &banquise::BodyForce) -> bool {
    force.profile != ForceProfile::Constant
        || force.gradient.is_some()
        || force.within.is_some()
        || force.from > 0.0
        || force.until.is_finite()
        || !force.bodies.is_empty()
        || matches!(force.push, Push::Toward { .. })
}

/// Whether the centre of mass, the origin of a shape's frame, is not its centroid.
fn is_off_centre(shape: &banquise_geometry::Shape) -> bool {
    shape.centroid().length() > 1e-6 * shape.bounding_radius()
}

fn member(simulation: &Simulation, row: usize, density: f64, corner: DVec2) -> Member {
    let bodies = &simulation.world.bodies;
    let motion = &bodies.motions()[row];
    let is_floe = bodies.is_floe(row);
    let (depth, own_density) = if is_floe {
        // Ice floats; what is denser than water moves a layer as deep as it is thick.
        let areal = bodies.masses()[row] / bodies.areas()[row];
        let thickness = bodies.mean_thicknesses()[row];
        let depth = thickness.min(areal / density);
        (depth, (areal / depth).max(density))
    } else {
        (1.0, f64::INFINITY)
    };
    let material = &bodies.materials()[row];
    let drag = simulation.forcing.drag.filter(|_| is_floe);
    let name = &bodies.names()[row];
    Member {
        row,
        name: if name.is_empty() {
            format!("body {row}")
        } else {
            name.clone()
        },
        depth,
        drag: drag.map(|drag| (drag.for_air_on(material), drag.ocean_factor_of(material))),
        body: MovingBody {
            body: Body {
                shape: bodies.shapes()[row].clone(),
                pose: Pose {
                    position: simulation.world.unwrapped_position(row) - corner,
                    ..motion.pose
                },
            },
            density: own_density,
            motion: RigidMotion {
                velocity: motion.velocity.linear,
                angular_velocity: motion.velocity.angular,
            },
            load: Wrench::default(),
        },
    }
}

/// The grid of a domain with cells of at most this side, and where its corner is.
fn grid_of(simulation: &Simulation, cell: f64, largest: f64) -> Result<(Grid, DVec2), Failure> {
    let world = &simulation.world;
    let (rectangle, edges) = match world.domain {
        Domain::Periodic(rectangle) => (rectangle, Edges::Periodic),
        Domain::Bounded(Bounds { rectangle, open }) if open == [false; 4] => {
            (rectangle, Edges::Box)
        }
        Domain::Bounded(_) => {
            return Err(Failure::usage(
                "edges of the domain are open",
                "resolved water needs walls, a periodic domain, or none",
            ));
        }
        Domain::Free => return Ok(free_sea(&world.bodies, cell, largest)?),
    };
    let size = rectangle.size();
    let least = (size.x / cell).ceil().max(8.0);
    // A number of cells along x with which there is a whole number along y.
    let fits = |&nx: &usize| {
        let ny = size.y / size.x * nx as f64;
        (ny - ny.round()).abs() < WHOLE && ny >= 8.0
    };
    let most = least * size.x.max(size.y) / size.x;
    let nx = (most <= MOST_CELLS as f64)
        .then(|| (least as usize..=(2.0 * least) as usize).find(fits))
        .flatten();
    let Some(nx) = nx else {
        return Err(Failure::usage(
            format!(
                "no grid of at most {MOST_CELLS} cells of {cell:.3} m and less fits a domain of {} by {} m",
                size.x, size.y
            ),
            "give sides in the ratio of small whole numbers, a smaller domain, or fewer --cells",
        ));
    };
    let ny = (size.y / size.x * nx as f64).round() as usize;
    let grid = Grid::try_new([nx, ny], size.x / nx as f64, edges)?;
    Ok((grid, rectangle.min))
}

/// A periodic sea around the bodies.
fn free_sea(bodies: &Bodies, cell: f64, largest: f64) -> Result<(Grid, DVec2), FlowError> {
    let places = bodies.motions().iter().zip(bodies.radii());
    let ends = places.fold(
        Rectangle {
            min: DVec2::INFINITY,
            max: DVec2::NEG_INFINITY,
        },
        |ends, (motion, &radius)| Rectangle {
            min: ends.min.min(motion.pose.position - radius),
            max: ends.max.max(motion.pose.position + radius),
        },
    );
    let size = ends.size() + ROOM * largest;
    let cells = [size.x, size.y].map(|side| (side / cell).ceil());
    if let Some(&most) = cells.iter().find(|&&count| count > MOST_CELLS as f64) {
        return Err(FlowError::OutOfRange {
            quantity: "the number of cells along a side of the sea around the bodies",
            requirement: "at most 4096: floes far apart, or of very different size",
            value: most,
        });
    }
    let cells = cells.map(|count| transform_size(count as usize));
    let grid = Grid::try_new(cells, cell, Edges::Periodic)?;
    let middle = 0.5 * (ends.min + ends.max);
    Ok((grid, middle - 0.5 * DVec2::from(grid.size())))
}
