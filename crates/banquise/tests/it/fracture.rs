//! Floes that break.

use banquise::pack::builtin_shapes;
use banquise::{BodyId, BodySpec, Domain, World, first_meeting};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, SplitPiece, split};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::{config, disc, moving, of_shape};

/// Mass, momentum, angular momentum about the origin and kinetic energy of the floes.
fn sums(world: &World) -> (f64, DVec2, f64, f64) {
    let bodies = &world.bodies;
    let mut sums = (0.0, DVec2::ZERO, 0.0, 0.0);
    for row in world.floe_rows() {
        let (mass, inertia) = (bodies.masses()[row], bodies.inertias()[row]);
        let motion = &bodies.motions()[row];
        let momentum = mass * motion.velocity.linear;
        sums.0 += mass;
        sums.1 += momentum;
        sums.2 += motion.pose.position.perp_dot(momentum) + inertia * motion.velocity.angular;
        sums.3 += 0.5
            * (momentum.dot(motion.velocity.linear)
                + inertia * motion.velocity.angular * motion.velocity.angular);
    }
    sums
}

/// A floe of a shape of this number, scaled, turned and moving.
fn floe(shapes: &[Outline], shape: usize, size: f64, angle: f64, velocity: [f64; 3]) -> BodySpec {
    let outline: Outline = shapes[shape % shapes.len()].scaled(size).unwrap();
    let spec = if shape == 0 {
        disc(0.5 * size)
    } else {
        of_shape(Shape::Outline(outline))
    };
    BodySpec {
        pose: Pose {
            position: DVec2::new(3.0 * size, -2.0 * size),
            rotation: Rotation::from_angle(angle),
        },
        ..moving(spec, velocity[0], velocity[1], velocity[2] / size)
    }
}

/// A chord through a piece, from one side of its centroid to the other.
fn chord(piece: &SplitPiece, angle: f64) -> Vec<DVec2> {
    let along = Rotation::from_angle(angle).rotate(DVec2::X);
    let center = piece.outline.centroid();
    let reach = piece.outline.perimeter();
    let mut ends = [reach, -reach];
    for (a, b) in piece.outline.edges() {
        // center + t along = a + s (b − a)
        let side = b - a;
        let across = along.perp_dot(side);
        let t = (a - center).perp_dot(side) / across;
        let s = (a - center).perp_dot(along) / across;
        if (0.0..=1.0).contains(&s) {
            let end = &mut ends[usize::from(t < 0.0)];
            if t.abs() < end.abs() {
                *end = t;
            }
        }
    }
    ends.map(|t| center + t * along).to_vec()
}

#[test]
fn ten_thousand_splits_keep_mass_momentum_angular_momentum_and_energy() {
    let cases = (
        0..128_usize,
        1.0..4.0_f64,
        -3.0..3.0_f64,
        [-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64],
        [-1.5..1.5_f64, -1.5..1.5_f64, -1.5..1.5_f64],
    );
    let shapes = builtin_shapes();
    // Each case splits a floe and both of its pieces: three splits.
    let mut runner = TestRunner::new(config(3_400));
    let run = |(shape, decade, angle, velocity, cracks): (usize, f64, f64, [f64; 3], [f64; 3])| {
        let size = 10_f64.powf(decade);
        let mut world = World::new(Domain::Free, 1);
        let id = world
            .add(floe(&shapes, shape, size, angle, velocity))
            .unwrap();
        let before = sums(&world);
        let whole = world.bodies.ice_of(0).unwrap();
        let slit = 0.005 * size;
        let Some(halves) = split(&whole, &chord(&whole, cracks[0]), slit) else {
            return Err(TestCaseError::reject("the chord leaves the floe"));
        };
        let ids = world.split(id, &halves).unwrap();
        prop_assert_eq!(&ids, &[BodyId(1), BodyId(2)]);
        for (&id, angle) in ids.iter().zip(&cracks[1..]) {
            let row = world.bodies.row_of(id).unwrap();
            let whole = world.bodies.ice_of(row).unwrap();
            if let Some(halves) = split(&whole, &chord(&whole, *angle), slit) {
                world.split(id, &halves).unwrap();
            }
        }
        prop_assert!(world.bodies.len() >= 2);
        prop_assert!(
            first_meeting(&world).is_none(),
            "{:?}",
            first_meeting(&world)
        );
        let after = sums(&world);
        let scale = before.0 * 10_f64.powf(decade);
        let speed = DVec2::new(velocity[0], velocity[1]).length() + velocity[2].abs();
        prop_assert!((after.0 - before.0).abs() <= 1e-12 * before.0);
        prop_assert!((after.1 - before.1).length() <= 1e-12 * before.0 * speed);
        prop_assert!((after.2 - before.2).abs() <= 1e-12 * scale * speed);
        prop_assert!((after.3 - before.3).abs() <= 1e-12 * before.3);
        Ok(())
    };
    runner.run(&cases, run).unwrap();
}

#[test]
fn pieces_know_their_parent_and_their_time() {
    let mut world = World::new(Domain::Free, 1);
    let id = world.add(disc(50.0)).unwrap();
    world.clock.time = 60.0;
    let whole = world.bodies.ice_of(0).unwrap();
    let halves = split(&whole, &chord(&whole, 0.3), 0.5).unwrap();
    let ids = world.split(id, &halves).unwrap();
    assert_eq!(world.gone_bodies()[0].id, id);
    for id in ids {
        let row = world.bodies.row_of(id).unwrap();
        let life = world.bodies.lives()[row];
        assert_eq!((life.born, life.generation), (60.0, 1));
        assert_eq!(life.parent, Some(BodyId(0)));
        // All of the ice is still there, within a smaller outline.
        assert!(world.bodies.mean_thicknesses()[row] > 1.0);
    }
}
