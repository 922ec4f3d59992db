//! Bodies that come and go while a world is stepped.

use banquise::pack::{SizeLaw, ThicknessLaw, builtin_shapes};
use banquise::step::{StepScratch, step};
use banquise::{
    BodyId, BodySpec, Bounds, ContactSettings, Domain, DragSettings, Fate, Force, Forcing,
    Integrator, Material, NoTimer, OceanModel, Rectangle, Simulation, SlabOcean, Source,
    SourceSettings, StepSettings, VectorSeries, Velocity, World, first_meeting,
};
use banquise_geometry::{DVec2, Outline, Shape};
use proptest::prelude::*;

use crate::{at, config, disc, moving, of_shape, polygon, run_until};

/// What is done to a world between two stretches of steps. Bodies are chosen by a share of their number.
#[derive(Debug, Clone)]
enum Action {
    Insert(f64, f64),
    Remove(f64),
    Cut(f64),
    Crush(f64, f64),
    Step(u32),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        (0.05..0.95, 0.05..0.95).prop_map(|(x, y)| Action::Insert(x, y)),
        (0.0..1.0).prop_map(Action::Remove),
        (0.0..1.0).prop_map(Action::Cut),
        (0.0..1.0, 0.0..1.0).prop_map(|(body, share)| Action::Crush(body, share)),
        (1_u32..12).prop_map(Action::Step),
    ]
}

fn basin() -> Rectangle {
    Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(300.0),
    }
}

fn crowd(domain: Domain, integrator: Integrator) -> Simulation {
    let mut world = World::new(domain, 5);
    for index in 0..25 {
        let phase = f64::from(index);
        let (x, y) = (
            30.0 + 60.0 * f64::from(index % 5),
            30.0 + 60.0 * f64::from(index / 5),
        );
        let spec = if index % 3 == 0 {
            disc(22.0)
        } else {
            polygon(&[(-25.0, -20.0), (24.0, -22.0), (26.0, 21.0), (-22.0, 25.0)])
        };
        let (vx, vy) = ((1.7 * phase).sin(), (2.3 * phase).cos());
        world
            .add(at(moving(spec, vx, vy, 0.01 * vx), x, y))
            .unwrap();
    }
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(6.0, 4.0)),
        ..Forcing::none()
    };
    let settings = StepSettings {
        contact: ContactSettings {
            integrator,
            ..ContactSettings::default()
        },
        ..StepSettings::default()
    };
    Simulation::new(world, forcing, settings, 2.0)
}

/// Two halves of a floe, cut along the line through its centre of mass across its first axis: they move as it did.
fn halves(world: &World, id: BodyId) -> Option<Vec<BodySpec>> {
    let bodies = &world.bodies;
    let row = bodies.row_of(id)?;
    let motion = bodies.motions()[row];
    let of_body = |shape: Shape, center: DVec2| {
        let arm = motion.pose.rotation.rotate(center);
        BodySpec {
            pose: motion.pose,
            velocity: Velocity {
                linear: motion.velocity.at(arm),
                angular: motion.velocity.angular,
            },
            ..of_shape(shape)
        }
    };
    match &bodies.shapes()[row] {
        Shape::Disc(disc_shape) => {
            let radius = 0.45 * disc_shape.radius();
            let piece = |x: f64| {
                let center = DVec2::new(x, 0.0);
                let pose = banquise_geometry::Pose {
                    position: motion.pose.world_from_body(center),
                    ..motion.pose
                };
                let spec = of_body(disc(radius).shape, center);
                BodySpec { pose, ..spec }
            };
            Some(vec![piece(1.1 * radius), piece(-1.1 * radius)])
        }
        Shape::Outline(outline) => {
            let half = |side: f64| {
                let ring = clip(outline.vertices(), side);
                let outline = Outline::try_new(ring).ok()?;
                let center = outline.centroid();
                Some(of_body(Shape::Outline(outline), center))
            };
            Some(vec![half(1.0)?, half(-1.0)?])
        }
    }
}

/// Half the width of a cut \[m\]: halves that touched would overlap by a rounding.
const KERF: f64 = 5e-4;

/// The part of a convex ring with side · x ≥ half the width of the cut.
fn clip(ring: &[DVec2], side: f64) -> Vec<DVec2> {
    let depth = |point: DVec2| side * point.x - KERF;
    let mut kept = Vec::new();
    for (index, &from) in ring.iter().enumerate() {
        let to = ring[(index + 1) % ring.len()];
        let (a, b) = (depth(from), depth(to));
        if a >= 0.0 {
            kept.push(from);
        }
        if a * b < 0.0 {
            kept.push(from.lerp(to, a / (a - b)));
        }
    }
    kept
}

/// Cuts a floe back along a line across its first axis, by a share of half its width.
fn crush(world: &mut World, id: BodyId, share: f64) {
    let row = world.bodies.row_of(id).unwrap();
    let outline = match &world.bodies.shapes()[row] {
        Shape::Disc(disc) => Outline::regular_polygon(disc.radius(), 40).unwrap(),
        Shape::Outline(outline) => outline.clone(),
    };
    let depth = (0.01 + 0.8 * share) * world.bodies.radii()[row];
    let moved = outline.translated(DVec2::new(depth, 0.0)).unwrap();
    if let Ok(kept) = Outline::try_new(clip(moved.vertices(), 1.0)) {
        let kept = kept.translated(DVec2::new(-depth, 0.0)).unwrap();
        world.reshape(id, Shape::Outline(kept)).unwrap();
    }
}

fn is_free(world: &World, spec: &BodySpec) -> bool {
    let mut tried = world.clone();
    tried.add(spec.clone()).is_ok() && first_meeting(&tried).is_none()
}

fn chosen(world: &World, share: f64) -> Option<BodyId> {
    let ids = world.bodies.ids();
    ids.get((share * ids.len() as f64) as usize).copied()
}

/// Does it all, with fresh scratch for each step or with what the simulation keeps.
fn perform(run: &mut Simulation, actions: &[Action], fresh: bool) {
    for action in actions {
        let world = &mut run.world;
        match *action {
            Action::Insert(x, y) => {
                let spec = at(moving(disc(6.0), 0.3, -0.2, 0.0), 300.0 * x, 300.0 * y);
                if is_free(world, &spec) {
                    world.add(spec).unwrap();
                }
            }
            Action::Remove(share) => {
                if let Some(id) = chosen(world, share) {
                    world.remove(id).unwrap();
                }
            }
            Action::Cut(share) => {
                if let Some(id) = chosen(world, share)
                    && let Some(pieces) = halves(world, id)
                {
                    world.replace(id, pieces).unwrap();
                }
            }
            Action::Crush(body, share) => {
                if let Some(id) = chosen(world, body) {
                    crush(world, id, share);
                }
            }
            Action::Step(count) => {
                let time = world.clock.time + 2.0 * f64::from(count);
                if !fresh {
                    run_until(run, time).unwrap();
                    continue;
                }
                while run.world.clock.time < time {
                    // A world rebuilt from its state, and nothing else.
                    let rebuilt = run.world.clone();
                    let (forcing, settings) = (run.forcing.clone(), run.settings);
                    *run = Simulation::new(rebuilt, forcing, settings, 2.0);
                    let left = (time - run.world.clock.time).min(2.0);
                    let scratch = &mut StepScratch::default();
                    let (forcing, settings) = (&run.forcing, &run.settings);
                    let last = left < 2.0 * (1.0 + 1e-9);
                    let report = step(
                        &mut run.world,
                        forcing,
                        settings,
                        left,
                        scratch,
                        &mut NoTimer,
                    )
                    .unwrap();
                    if last && report.dt == left && time - run.world.clock.time < 1e-6 {
                        run.world.clock.time = time;
                    }
                }
            }
        }
    }
}

fn total_mass(world: &World) -> f64 {
    world
        .floe_rows()
        .map(|row| world.bodies.masses()[row])
        .sum()
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn sequences_of_insert_remove_replace_and_step_are_reproducible(
        actions in prop::collection::vec(action(), 6..24),
        is_event in any::<bool>(),
        is_periodic in any::<bool>(),
    ) {
        let integrator = if is_event { Integrator::Event } else { Integrator::Stepping };
        let domain = if is_periodic { Domain::Periodic(basin()) } else { Domain::walls(basin()) };
        let start = crowd(domain, integrator);
        let (mass, energy, momentum) =
            (total_mass(&start.world), start.world.kinetic_energy(), start.world.momentum());
        let performed = |threads: usize, fresh: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut run = start.clone();
            // Before its first step a world is being set up, and nothing is booked.
            pool.install(|| perform(&mut run, &[Action::Step(1)], fresh));
            pool.install(|| perform(&mut run, &actions, fresh));
            run
        };
        let run = performed(1, false);
        let hash = run.world.state_hash();
        for threads in [2, 3] {
            prop_assert_eq!(performed(threads, false).world.state_hash(), hash);
        }
        prop_assert_eq!(performed(1, true).world.state_hash(), hash);
        // The books close.
        let world = &run.world;
        let (mass_in, momentum_in, energy_in) = world.budget.exchange.net();
        prop_assert!((total_mass(world) - mass - mass_in).abs() <= 1e-12 * mass);
        let turnover = energy + world.budget.forces[Force::Wind].work.abs() + world.budget.forces[Force::Ocean].work.abs()
            + world.budget.exchange.entered.energy + world.budget.exchange.pieces.energy;
        let gained = world.kinetic_energy() - energy - energy_in;
        prop_assert!((gained - world.budget.work()).abs() <= 1e-11 * turnover,
            "energy: {gained} against {}", world.budget.work());
        let given = world.momentum() - momentum - momentum_in;
        let scale = mass * 2.0;
        prop_assert!((given - world.budget.impulse()).length() <= 1e-11 * scale);
        // Ids ascend, and were never given twice.
        let ids = world.bodies.ids();
        prop_assert!(ids.is_sorted_by(|a, b| a < b));
        let gone = world.gone_bodies().iter().map(|gone| gone.id);
        let mut all: Vec<BodyId> = ids.iter().copied().chain(gone).collect();
        all.sort_unstable();
        let given: Vec<BodyId> = (0..world.bodies.next_id().0).map(BodyId).collect();
        prop_assert_eq!(all, given);
        prop_assert!(first_meeting(world).is_none());
    }
}

#[test]
fn pieces_of_a_floe_have_not_met_each_other() {
    let mut world = World::new(Domain::Free, 1);
    let square = polygon(&[(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)]);
    let id = world.add(square).unwrap();
    world.add(at(disc(10.0), 20.05, 0.0)).unwrap();
    let mut run = Simulation::new(world, Forcing::none(), StepSettings::default(), 1.0);
    run_until(&mut run, 5.0).unwrap();
    let pieces = halves(&run.world, id).unwrap();
    run.world.replace(id, pieces).unwrap();
    run_until(&mut run, 10.0).unwrap();
    assert_eq!(run.contact.collisions, 0);
    let gone = &run.world.gone_bodies()[0];
    assert_eq!((gone.id, gone.time, gone.fate), (id, 5.0, Fate::Replaced));
    let exchange = run.world.budget.exchange;
    assert_eq!((exchange.replaced.floes, exchange.pieces.floes), (1, 2));
    // The cut took 1 mm of 20 m.
    let lost = 1.0 - exchange.pieces.mass / exchange.replaced.mass;
    assert!((lost - 5e-5).abs() < 1e-12, "{lost}");
}

/// A crowd in which floes are cut between steps: the scratch knows it by their versions.
#[test]
fn a_floe_that_is_cut_keeps_its_id_and_the_books_close() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        for domain in [Domain::walls(basin()), Domain::Periodic(basin())] {
            let mut run = crowd(domain, integrator);
            let (mass, energy, momentum) = (
                total_mass(&run.world),
                run.world.kinetic_energy(),
                run.world.momentum(),
            );
            // Nothing happens before the first step but the setup: a cut there is not booked.
            perform(&mut run, &[Action::Step(1)], false);
            let mut turnover = energy;
            for round in 0..30 {
                let id = BodyId(round % 25);
                let row = run.world.bodies.row_of(id).unwrap();
                let motion = run.world.bodies.motions()[row];
                // The corner that is farthest from the cut, and how it moves.
                let place = |world: &World| {
                    let motion = world.bodies.motions()[row];
                    let shape = &world.bodies.shapes()[row];
                    let Shape::Outline(outline) = shape else {
                        return None;
                    };
                    let corner = *outline
                        .vertices()
                        .iter()
                        .max_by(|a, b| a.x.total_cmp(&b.x))?;
                    let arm = motion.pose.rotation.rotate(corner);
                    Some((world.unwrapped_position(row) + arm, motion.velocity.at(arm)))
                };
                let before = place(&run.world);
                crush(&mut run.world, id, 0.2);
                let bodies = &run.world.bodies;
                assert_eq!(bodies.row_of(id), Some(row));
                assert_eq!(bodies.shape_versions()[row], 1 + round / 25);
                assert!(bodies.shapes()[row].centroid().length() < 1e-12);
                assert_eq!(bodies.motions()[row].pose.rotation, motion.pose.rotation);
                if let (Some(before), Some(after)) = (before, place(&run.world)) {
                    assert!((before.0 - after.0).length() < 1e-12 * 300.0);
                    assert!((before.1 - after.1).length() < 1e-14);
                }
                perform(&mut run, &[Action::Step(2)], false);
                turnover += run.world.kinetic_energy();
            }
            let world = &run.world;
            let exchange = world.budget.exchange;
            assert_eq!(exchange.crushed.floes, 30);
            assert!(exchange.crushed.mass > 0.05 * mass);
            let (mass_in, momentum_in, energy_in) = exchange.net();
            assert_eq!(mass_in, -exchange.crushed.mass);
            assert!((total_mass(world) - mass - mass_in).abs() <= 1e-13 * mass);
            let gained = world.kinetic_energy() - energy - energy_in;
            assert!((gained - world.budget.work()).abs() <= 1e-12 * turnover);
            let given = world.momentum() - momentum - momentum_in;
            assert!((given - world.budget.impulse()).length() <= 1e-12 * mass);
        }
    }
}

#[test]
fn the_scratch_notices_a_cut_that_moves_nothing() {
    // Cut on two opposite sides, the floe has the centre and the radius it had, and vertices with other numbers.
    let run_with = |drop_scratch: bool| {
        let mut world = World::new(Domain::Free, 1);
        let octagon = [
            (-10.0, -4.0),
            (-6.0, -8.0),
            (6.0, -8.0),
            (10.0, -4.0),
            (10.0, 4.0),
            (6.0, 8.0),
            (-6.0, 8.0),
            (-10.0, 4.0),
        ];
        let id = world.add(polygon(&octagon)).unwrap();
        world
            .add(at(moving(disc(6.0), -0.05, 0.0, 0.0), 16.3, 0.5))
            .unwrap();
        world
            .add(at(moving(disc(6.0), 0.0, -0.05, 0.0), 0.0, 14.4))
            .unwrap();
        let settings = StepSettings::default();
        let mut run = Simulation::new(world, Forcing::none(), settings, 1.0);
        run_until(&mut run, 4.0).unwrap();
        let radius = run.world.bodies.radii()[0];
        let position = run.world.bodies.motions()[0].pose.position;
        let kept = [(-10.0, -4.0), (10.0, -4.0), (10.0, 4.0), (-10.0, 4.0)];
        let kept = kept.map(|(x, y)| DVec2::new(x, y)).to_vec();
        let kept = Outline::try_new(kept).unwrap();
        run.world.reshape(id, Shape::Outline(kept)).unwrap();
        assert_eq!(run.world.bodies.radii()[0], radius);
        assert_eq!(run.world.bodies.motions()[0].pose.position, position);
        if drop_scratch {
            let Simulation { world, forcing, .. } = run;
            run = Simulation::new(world, forcing, settings, 1.0);
        }
        run_until(&mut run, 120.0).unwrap();
        assert!(first_meeting(&run.world).is_none());
        run.world.state_hash()
    };
    assert_eq!(run_with(false), run_with(true));
}

fn strait() -> Bounds {
    Bounds {
        rectangle: Rectangle {
            min: DVec2::ZERO,
            max: DVec2::new(600.0, 200.0),
        },
        open: [true, true, false, false],
    }
}

fn source(interval: f64) -> Source {
    Source::try_new(SourceSettings {
        region: Rectangle {
            min: DVec2::new(0.0, 25.0),
            max: DVec2::new(30.0, 175.0),
        },
        start: 0.0,
        interval,
        shapes: builtin_shapes(),
        sizes: SizeLaw {
            count: 0,
            min_size: 8.0,
            max_size: 40.0,
            exponent: 1.5,
        },
        thickness: ThicknessLaw::Constant(1.0),
        material: Material::default(),
        velocity: Velocity {
            linear: DVec2::new(0.4, 0.0),
            angular: 0.0,
        },
    })
    .unwrap()
}

fn open_strait(integrator: Integrator) -> Simulation {
    let mut run = crowd(Domain::Bounded(strait()), integrator);
    let ids = run.world.bodies.ids().to_vec();
    for id in ids {
        run.world.remove(id).unwrap();
    }
    run.world.budget = banquise::Budget::default();
    run.world.sources.push(source(20.0));
    run.forcing.current = VectorSeries::constant(DVec2::new(0.5, 0.02));
    run
}

#[test]
fn floes_enter_and_leave_an_open_strait_and_the_books_close() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut run = open_strait(integrator);
        run_until(&mut run, 4.0 * 3600.0).unwrap();
        let world = &run.world;
        let exchange = world.budget.exchange;
        let source = &world.sources[0];
        println!(
            "{integrator:?}: {} entered, {} left, {} skipped, {} there",
            exchange.entered.floes,
            exchange.left.floes,
            source.skipped(),
            world.bodies.len()
        );
        assert!(exchange.left.floes > 200, "{}", exchange.left.floes);
        assert!(source.skipped() < source.tried() / 2);
        assert_eq!(exchange.entered.floes, source.tried() - source.skipped());
        let there = exchange.entered.floes - exchange.left.floes;
        assert_eq!(world.bodies.len() as u64, there);
        let (mass, momentum, energy) = exchange.net();
        assert!((total_mass(world) - mass).abs() <= 1e-12 * exchange.entered.mass);
        let gained = world.kinetic_energy() - energy;
        let turnover = exchange.entered.energy + world.budget.forces[Force::Ocean].work.abs();
        assert!((gained - world.budget.work()).abs() <= 1e-11 * turnover);
        let given = world.momentum() - momentum - world.budget.impulse();
        assert!(given.length() <= 1e-11 * exchange.entered.mass);
        assert!(first_meeting(world).is_none());
        assert_eq!(run.contact.unsolved, 0);
    }
}

#[test]
fn a_source_has_a_stream_of_its_own() {
    // What else happens in the world changes neither shapes nor sizes of the floes of a source.
    let entered = |other: bool| {
        let mut run = open_strait(Integrator::Event);
        if other {
            run.world.sources.push(source(35.0));
        }
        run_until(&mut run, 600.0).unwrap();
        let bodies = &run.world.bodies;
        let areas: Vec<f64> = (0..bodies.len()).map(|row| bodies.areas()[row]).collect();
        areas
    };
    let (alone, together) = (entered(false), entered(true));
    let shared = alone.iter().filter(|area| together.contains(area)).count();
    assert!(shared as f64 >= 0.9 * alone.len() as f64, "{shared}");
    assert!(together.len() > alone.len());
}

#[test]
fn an_ocean_layer_that_a_source_fills_has_no_open_water() {
    // So much ice comes that it covers more than the cell: the wind then pushes the ice alone, and not the water backwards.
    let mut run = open_strait(Integrator::Event);
    run.world.ocean_velocities = vec![DVec2::ZERO];
    run.forcing.current = VectorSeries::constant(DVec2::ZERO);
    run.forcing.slab_ocean = Some(SlabOcean {
        model: OceanModel::Rabatel2015,
        layer_depth: 15.0,
        base_friction_velocity: 0.0,
        cell_area: 10.0,
        grid: None,
    });
    run_until(&mut run, 600.0).unwrap();
    assert!(run.world.bodies.ice_area() > 10.0);
    let wind = run.world.budget.layer.wind;
    assert!(wind.x >= 0.0 && wind.y >= 0.0, "{wind}");
}
