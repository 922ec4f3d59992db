//! Discs that move in a fluid with inertia.

use banquise_flow::{
    Body, ContactLaw, Edges, FlowError, Fluid, Grid, JefferyOrbit, MovingBody, RigidMotion,
    SolverSettings, Unsteady, UnsteadySettings, Wrench,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};

fn disc(at: [f64; 2], radius: f64) -> MovingBody {
    MovingBody {
        body: Body::disc(at.into(), radius).unwrap(),
        density: 2.0,
        motion: RigidMotion::default(),
        load: Wrench::default(),
    }
}

fn settings(dt: f64, gravity: f64, gap: f64) -> UnsteadySettings {
    UnsteadySettings {
        dt,
        density: 1.0,
        gravity: DVec2::new(0.0, -gravity),
        shear: 0.0,
        gap,
        law: ContactLaw::Dry,
        friction: 0.0,
        solver: SolverSettings {
            tolerance: 1e-7,
            ..SolverSettings::default()
        },
    }
}

#[test]
fn a_disc_in_very_viscous_fluid_settles_as_in_slow_flow() {
    // The settling disc of the box: excess weight 500 for each unit of area, viscosity 1; at unit density the flow is steady after some diffusion times.
    let grid = Grid::try_new([60, 60], 1.0 / 60.0, Edges::Box).unwrap();
    let fluid = Fluid { viscosity: 1000.0 };
    let discs = vec![disc([0.5, 0.5], 0.1)];
    let mut flow = Unsteady::new(grid, fluid, discs, settings(1e-5, 5e5, 1.0 / 60.0)).unwrap();
    for _ in 0..20 {
        flow.step().unwrap();
    }
    let velocity = flow.bodies[0].motion.velocity;
    // 0.9317 on this grid without inertia; Reynolds number 1e-4.
    assert!((velocity.y + 0.9317).abs() < 0.003, "{velocity}");
    assert!(velocity.x.abs() < 1e-6);
}

#[test]
fn a_disc_starts_with_the_acceleration_of_its_added_mass() {
    // Without viscosity, far from walls: (ρ_B − ρ_f) g = (ρ_B + ρ_f) a.
    let grid = Grid::try_new([160, 160], 1.0 / 160.0, Edges::Periodic).unwrap();
    let fluid = Fluid { viscosity: 1e-4 };
    let discs = vec![disc([0.5, 0.5], 0.05)];
    let mut flow = Unsteady::new(grid, fluid, discs, settings(1e-4, 9.81, 0.0)).unwrap();
    flow.step().unwrap();
    let acceleration = -flow.bodies[0].motion.velocity.y / 1e-4;
    // The fluid of half a cell around the disc, an eighth of its radius, moves with it, and the array covers 0.8 % of the area: 4 %.
    assert!(
        (acceleration / (9.81 / 3.0) - 1.0).abs() < 0.04,
        "{acceleration}"
    );
}

#[test]
fn a_disc_that_starts_with_a_velocity_shares_its_momentum_with_the_fluid() {
    // Without viscosity, far from walls: ρ_B V = (ρ_B + ρ_f) V₁, since the added mass of a disc is that of the fluid it displaces.
    for density in [1.0, 2.0] {
        let grid = Grid::try_new([160, 160], 1.0 / 160.0, Edges::Periodic).unwrap();
        let fluid = Fluid { viscosity: 1e-4 };
        let mut moving = disc([0.5, 0.5], 0.05);
        moving.density = density;
        moving.motion.velocity = DVec2::new(0.3, 0.0);
        let mut flow = Unsteady::new(grid, fluid, vec![moving], settings(1e-4, 0.0, 0.0)).unwrap();
        flow.step().unwrap();
        let left = flow.bodies[0].motion.velocity.x / 0.3;
        let known = density / (density + 1.0);
        // As in the test above, fluid of half a cell around the disc moves with it, an eighth of its mass: a sixteenth of the velocity of a neutral disc.
        assert!((left / known - 1.0).abs() < 0.06, "{left} {known}");
    }
}

/// `K_n(z)`, by the trapezoidal rule on ∫ exp(−z cosh t) cosh(n t) dt, which converges exponentially.
fn bessel_k(n: f64, z: f64) -> f64 {
    let step = 0.01;
    let sum: f64 = (0..2000)
        .map(|k| {
            let t = step * f64::from(k);
            let weight = if k == 0 { 0.5 } else { 1.0 };
            weight * (-z * t.cosh()).exp() * (n * t).cosh()
        })
        .sum();
    step * sum
}

/// Acceleration of a disc of 0.05 m in a first step, over g, and that of the same step in unbounded fluid: the added mass is 1 + 4 K₁(z)/(z K₀(z)) displaced masses,
/// z = R √(ρ/(μ Δt)).
fn first_acceleration(cells: usize, layer: f64) -> [f64; 2] {
    let (radius, dt) = (0.05, 1e-4);
    let grid = Grid::try_new([cells; 2], 1.0 / cells as f64, Edges::Periodic).unwrap();
    let fluid = Fluid {
        viscosity: layer * layer / dt,
    };
    let discs = vec![disc([0.5, 0.5], radius)];
    let mut flow = Unsteady::new(grid, fluid, discs, settings(dt, 9.81, 0.0)).unwrap();
    flow.step().unwrap();
    let z = radius / layer;
    let mass = 1.0 + 4.0 * bessel_k(1.0, z) / (z * bessel_k(0.0, z));
    [
        -flow.bodies[0].motion.velocity.y / (dt * 9.81),
        1.0 / (2.0 + mass),
    ]
}

#[test]
fn the_added_mass_is_right_where_the_grid_resolves_the_layer_of_a_step() {
    // In a step the disc drags along a layer of √(μΔt/ρ). Where cells are larger than that, the layer is some fifth of a cell in place of it: that is the error of a start
    // without viscosity, and it halves with the cells.
    let off = |cells: usize, layer: f64| {
        let [found, known] = first_acceleration(cells, layer);
        println!("{cells} {layer} {found} {known} {}", found / known - 1.0);
        found / known - 1.0
    };
    let resolved = off(160, 2.0 / 160.0);
    let (coarse, fine) = (off(160, 1e-4), off(320, 1e-4));
    // An array of 0.8 % of the area has (1 + φ)/(1 − φ) times the added mass: half a percent of the acceleration.
    assert!(resolved.abs() < 0.01, "{resolved}");
    assert!(
        coarse.abs() < 0.04 && fine.abs() < 0.6 * coarse.abs() + 0.002,
        "{coarse} {fine}"
    );
}

#[test]
fn discs_that_pile_up_keep_their_gaps() {
    let h = 1.0 / 64.0;
    let grid = Grid::try_new([64, 96], h, Edges::Box).unwrap();
    let fluid = Fluid { viscosity: 0.01 };
    let discs = (0..12)
        .map(|k| {
            let shift = 0.02 * f64::from(k % 2);
            disc(
                [
                    0.2 + 0.28 * f64::from(k % 3) + shift,
                    0.15 + 0.2 * f64::from(k / 3),
                ],
                0.06,
            )
        })
        .collect();
    let mut flow = Unsteady::new(grid, fluid, discs, settings(0.01, 10.0, h)).unwrap();
    let mut least: f64 = f64::INFINITY;
    let mut contacts = 0;
    for _ in 0..60 {
        let report = flow.step().unwrap();
        least = least.min(report.least_gap);
        contacts = contacts.max(report.contacts);
    }
    // Gaps of discs are convex along straight paths: what the linear bounds allow is kept, to the accuracy of the solver.
    assert!(least > h * (1.0 - 1e-6), "{} {contacts}", least / h);
    assert!(contacts > 0);
}

#[test]
fn friction_makes_a_disc_roll_along_a_wall() {
    let h = 1.0 / 64.0;
    let (radius, slope) = (0.1, 0.5);
    let run = |friction: f64| {
        let grid = Grid::try_new([96, 48], h, Edges::Box).unwrap();
        let settings = UnsteadySettings {
            gravity: DVec2::new(slope * 10.0, -10.0),
            friction,
            ..settings(0.01, 10.0, h)
        };
        let place = [0.3, radius + 1.01 * h];
        let fluid = Fluid { viscosity: 0.01 };
        let mut flow = Unsteady::new(grid, fluid, vec![disc(place, radius)], settings).unwrap();
        for _ in 0..20 {
            flow.step().unwrap();
        }
        flow.bodies[0].motion
    };
    let slip = |motion: RigidMotion| {
        (motion.velocity.x + radius * motion.angular_velocity) / motion.velocity.x
    };
    // A solid disc rolls down a slope of tan α < 3 μ: the rim rests where it touches, to the accuracy of the contacts.
    let rolling = run(0.4);
    assert!(rolling.velocity.x > 0.05, "{rolling:?}");
    assert!(slip(rolling).abs() < 1e-9, "{rolling:?}");
    // Without friction the fluid alone turns it, which is far from rolling.
    let sliding = run(0.0);
    assert!(slip(sliding) > 0.5, "{sliding:?}");
    // What turns the disc is taken from its fall.
    assert!(rolling.velocity.x < 0.9 * sliding.velocity.x, "{sliding:?}");
}

#[test]
fn a_gluey_disc_leaves_the_floor_once_it_was_pulled_as_much_as_pushed() {
    let h = 1.0 / 64.0;
    let (radius, push) = (0.1, 10);
    // Steps of an upward pull until the disc leaves the floor, on which it was pushed for some steps with the same force.
    let pulled = |law: ContactLaw| {
        let grid = Grid::try_new([64, 64], h, Edges::Box).unwrap();
        let settings = UnsteadySettings {
            law,
            ..settings(0.01, 0.0, h)
        };
        let fluid = Fluid { viscosity: 0.01 };
        let discs = vec![disc([0.5, radius + h * (1.0 + 1e-9)], radius)];
        let mut flow = Unsteady::new(grid, fluid, discs, settings).unwrap();
        let mut sticking = Vec::new();
        for step in 0..4 * push {
            let force = if step < push { -0.1 } else { 0.1 };
            flow.bodies[0].load.force = DVec2::new(0.0, force);
            let report = flow.step().unwrap();
            sticking.push(report.sticking);
            assert!(report.least_gap > h * (1.0 - 1e-9), "{report:?}");
            if flow.bodies[0].motion.velocity.y > 1e-9 {
                return (step + 1 - push, sticking);
            }
        }
        panic!("the disc stays: {sticking:?}");
    };
    let (dry, none) = pulled(ContactLaw::Dry);
    assert!(dry <= 1 && none.iter().all(|&count| count == 0), "{dry}");
    let (gluey, sticking) = pulled(ContactLaw::Gluey);
    // As many steps as it was pushed, and what is left of the last of them sets it in motion.
    assert!((push..=push + 2).contains(&gluey), "{gluey}");
    let count = sticking.iter().filter(|&&count| count == 1).count();
    assert!(count as i32 >= 2 * push - 2, "{sticking:?}");
}

#[test]
fn a_disc_that_is_held_stays_and_bears_what_a_very_heavy_one_does() {
    let h = 1.0 / 48.0;
    // The force of the water on the first disc while the second is pushed toward it, and then past it.
    let run = |density: f64| {
        let grid = Grid::try_new([96, 48], h, Edges::Periodic).unwrap();
        let fluid = Fluid { viscosity: 0.05 };
        let still = MovingBody {
            density,
            ..disc([0.9, 0.5], 0.1)
        };
        let mut pushed = disc([0.5, 0.45], 0.1);
        pushed.load.force = DVec2::new(0.5, 0.0);
        let bodies = vec![still, pushed];
        let exact = UnsteadySettings {
            solver: SolverSettings {
                tolerance: 1e-10,
                ..SolverSettings::default()
            },
            ..settings(0.02, 0.0, h)
        };
        let mut flow = Unsteady::new(grid, fluid, bodies, exact).unwrap();
        let mut forces = Vec::new();
        let mut contacts = 0;
        for _ in 0..30 {
            let report = flow.step().unwrap();
            contacts += report.contacts;
            assert!(report.least_gap > h * (1.0 - 1e-6), "{report:?}");
            forces.push(flow.fluid_forces()[0]);
        }
        assert!(contacts > 0);
        (forces, flow.bodies)
    };
    let (held, bodies) = run(f64::INFINITY);
    assert_eq!(bodies[0].motion, RigidMotion::default());
    assert_eq!(bodies[0].body.pose.position, DVec2::new(0.9, 0.5));
    assert!(bodies[1].body.pose.position.x > 0.6);
    let (heavy, _) = run(1e4);
    // The heavy one is a thousandth as slow as the other.
    for (held, heavy) in held.iter().zip(heavy) {
        let off = held.distance(heavy);
        assert!(off < 5e-3 * held.length() + 1e-4, "{held} {heavy}");
    }
    let floating = settings(0.02, 0.0, h);
    let slow = UnsteadySettings {
        density: 0.0,
        ..floating
    };
    let grid = Grid::try_new([48, 48], h, Edges::Periodic).unwrap();
    let still = MovingBody {
        density: f64::INFINITY,
        ..disc([0.5, 0.5], 0.1)
    };
    let fluid = Fluid { viscosity: 0.05 };
    // Without inertia there is nothing that holds it.
    assert!(Unsteady::new(grid, fluid, vec![still], slow).is_err());
}

#[test]
fn gluey_contacts_are_those_of_discs_without_friction() {
    let grid = || Grid::try_new([64, 64], 1.0 / 64.0, Edges::Box).unwrap();
    let fluid = Fluid { viscosity: 0.01 };
    let gluey = UnsteadySettings {
        law: ContactLaw::Gluey,
        ..settings(0.01, 1.0, 1.0 / 64.0)
    };
    let square = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]];
    let bodies = vec![disc([0.3, 0.3], 0.1), polygon(&square, [0.7, 0.7], 0.0)];
    let refused = Unsteady::new(grid(), fluid, bodies, gluey).unwrap_err();
    assert_eq!(refused, FlowError::NoDisc { body: 1 });
    let rough = UnsteadySettings {
        friction: 0.3,
        ..gluey
    };
    let refused = Unsteady::new(grid(), fluid, vec![disc([0.3; 2], 0.1)], rough).unwrap_err();
    assert!(matches!(refused, FlowError::OutOfRange { value: 0.3, .. }));
}

#[test]
fn a_polygonal_ellipse_turns_with_jefferys_period() {
    let orbit = JefferyOrbit {
        ratio: 2.0,
        cells: Some(192),
        minor_cells: 5.0,
    };
    let solver = SolverSettings {
        tolerance: 1e-6,
        ..SolverSettings::default()
    };
    let period = orbit.turn(0.2, &solver, |_, _| ()).unwrap();
    let exact = std::f64::consts::TAU * 2.5;
    // Images in the periodic cell, of which the ellipse covers 0.4 %, make as much; the error of the step is of second order.
    assert!((period / exact - 1.0).abs() < 0.01, "{period} {exact}");
}

fn polygon(corners: &[[f64; 2]], at: [f64; 2], angle: f64) -> MovingBody {
    let outline = Outline::try_new(corners.iter().map(|&c| c.into()).collect()).unwrap();
    MovingBody {
        body: Body {
            shape: Shape::Outline(outline),
            pose: Pose {
                position: at.into(),
                rotation: Rotation::from_angle(angle),
            },
        },
        ..disc(at, 0.05)
    }
}

#[test]
fn polygons_and_discs_that_pile_up_keep_their_gaps() {
    let h = 1.0 / 64.0;
    let grid = Grid::try_new([64, 96], h, Edges::Box).unwrap();
    let fluid = Fluid { viscosity: 0.01 };
    // A plate, a kite whose frame is not at its centroid, and a disc in each row.
    let plate = [[-0.12, -0.03], [0.12, -0.03], [0.12, 0.03], [-0.12, 0.03]];
    let kite = [[0.0, 0.0], [0.1, 0.04], [0.0, 0.16], [-0.08, 0.06]];
    let bodies = (0..4).flat_map(|row| {
        let y = 0.2 + 0.3 * f64::from(row);
        [
            polygon(&plate, [0.2, y], 0.6 - 0.3 * f64::from(row)),
            polygon(&kite, [0.55, y - 0.06], 0.5 * f64::from(row)),
            disc([0.84, y], 0.06),
        ]
    });
    let mut flow = Unsteady::new(grid, fluid, bodies.collect(), settings(0.01, 60.0, h)).unwrap();
    let mut least: f64 = f64::INFINITY;
    let mut contacts = 0;
    for _ in 0..80 {
        let report = flow.step().unwrap();
        least = least.min(report.least_gap);
        contacts = contacts.max(report.contacts);
    }
    // Bounds of corners that turn are corrected until a thousandth of the least gap is missing.
    assert!(least > h * (1.0 - 2e-3), "{} {contacts}", least / h);
    assert!(contacts > 5, "{contacts}");
    let turned = flow.bodies[0].body.pose.rotation.angle();
    assert!((turned - 0.6).abs() > 0.05, "{turned}");
}

#[test]
fn stirred_fluid_keeps_its_eddies_and_their_pressure() {
    // u = U sin kx cos ky, v = −U cos kx sin ky has the pressure ρU²/4 (cos 2kx + cos 2ky) (Taylor 1923).
    let cells = 64;
    let grid = Grid::try_new([cells; 2], 1.0 / 64.0, Edges::Periodic).unwrap();
    let wave = std::f64::consts::TAU;
    let fluid = Fluid { viscosity: 0.01 };
    let mut flow = Unsteady::new(grid, fluid, Vec::new(), settings(4e-3, 0.0, 0.0))
        .unwrap()
        .stirred(|at| (wave * at.x).sin() * (wave * at.y).sin() / wave);
    let before = flow.stream().to_vec();
    for _ in 0..50 {
        flow.step().unwrap();
    }
    let largest = before.iter().fold(0.0, |m: f64, psi| m.max(psi.abs()));
    let change = flow.stream().iter().zip(&before);
    let change = change.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / largest;
    let mut off: f64 = 0.0;
    for (k, pressure) in flow.pressure().iter().enumerate() {
        let phase = |i: usize| 2.0 * wave * (i as f64 + 0.5) / cells as f64;
        let known = 0.25 * (phase(k % cells).cos() + phase(k / cells).cos());
        off = off.max((pressure - known).abs());
    }
    // Errors of first order in the step, 2 % in 0.01 s.
    assert!(change < 0.01 && off < 0.01, "{change} {off}");
}

#[test]
fn walls_that_move_shear_a_fluid_with_inertia_and_turn_what_floats_in_it() {
    // A neutral disc in the middle of a channel at a Reynolds number of 0.01 turns at half the shear rate, but for walls ten radii away.
    let h = 1.0 / 64.0;
    let grid = Grid::try_new([64, 64], h, Edges::Channel).unwrap();
    let neutral = MovingBody {
        density: 1.0,
        ..disc([0.5, 0.5], 0.05)
    };
    let sheared = UnsteadySettings {
        shear: 2.0,
        ..settings(0.05, 0.0, h)
    };
    let fluid = Fluid { viscosity: 0.5 };
    let mut flow = Unsteady::new(grid, fluid, vec![neutral], sheared).unwrap();
    for _ in 0..10 {
        flow.step().unwrap();
    }
    let motion = flow.bodies[0].motion;
    assert!((motion.angular_velocity + 1.0).abs() < 0.01, "{motion:?}");
    assert!(motion.velocity.length() < 1e-3, "{motion:?}");
}
