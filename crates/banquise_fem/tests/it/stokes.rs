//! Viscous flow on triangles: closed forms and identities.

use banquise_fem::stokes::{
    Diagonals, Edge, Element, FittedDisc, FlowField, FlowLoad, FlowMesh, Geometry, GradedMesh,
    Material, RigidBody, Stokes,
};
use banquise_geometry::DVec2;

const ELEMENTS: [Element; 2] = [Element::Mini, Element::TaylorHood];

fn unit_square(cells: usize) -> FlowMesh {
    FlowMesh::cartesian(DVec2::ZERO, DVec2::ONE, [cells; 2], Diagonals::Alternating)
}

fn all(problem: &Stokes) -> std::ops::Range<u32> {
    0..problem.mesh().triangles().len() as u32
}

/// Errors in L² of velocities and of their gradients.
fn errors(
    problem: &Stokes,
    field: &FlowField,
    exact: impl Fn(DVec2) -> (DVec2, [f64; 4]),
) -> [f64; 2] {
    let mut sums = [0.0; 2];
    problem.integrate(field, all(problem), |weight, at, value| {
        let (velocity, gradient) = exact(at);
        sums[0] += weight * (value.velocity - velocity).length_squared();
        let squares = value
            .gradient
            .iter()
            .zip(gradient)
            .map(|(a, b)| (a - b) * (a - b));
        sums[1] += weight * squares.sum::<f64>();
    });
    sums.map(f64::sqrt)
}

/// u = ∂ψ/∂y, v = −∂ψ/∂x with ψ = x²(1−x)² y²(1−y)²: at rest on the boundary.
fn vortex(at: DVec2) -> (DVec2, [f64; 4]) {
    let p = |x: f64| x * x * (1.0 - x) * (1.0 - x);
    let d = |x: f64| 2.0 * x * (1.0 - x) * (1.0 - 2.0 * x);
    let dd = |x: f64| 2.0 * (1.0 - 6.0 * x + 6.0 * x * x);
    let (x, y) = (at.x, at.y);
    (
        DVec2::new(p(x) * d(y), -d(x) * p(y)),
        [d(x) * d(y), p(x) * dd(y), -dd(x) * p(y), -d(x) * d(y)],
    )
}

/// −Δu + ∇p for the vortex and p = x − y.
fn vortex_force(at: DVec2) -> DVec2 {
    let p = |x: f64| x * x * (1.0 - x) * (1.0 - x);
    let d = |x: f64| 2.0 * x * (1.0 - x) * (1.0 - 2.0 * x);
    let dd = |x: f64| 2.0 * (1.0 - 6.0 * x + 6.0 * x * x);
    let ddd = |x: f64| 2.0 * (12.0 * x - 6.0);
    let (x, y) = (at.x, at.y);
    DVec2::new(
        -(dd(x) * d(y) + p(x) * ddd(y)) + 1.0,
        ddd(x) * p(y) + d(x) * dd(y) - 1.0,
    )
}

#[test]
fn both_elements_converge_with_their_orders() {
    for (element, orders) in [
        (Element::Mini, [2.0, 1.0]),
        (Element::TaylorHood, [3.0, 2.0]),
    ] {
        let found = [8, 16].map(|cells| {
            let problem = Stokes::new(
                unit_square(cells),
                element,
                Geometry::Plane,
                |_, _| Edge::Velocity,
                &[],
            );
            let flow = problem
                .factorise(&Material::uniform(problem.mesh(), 1.0))
                .unwrap();
            assert_eq!(flow.negative_pivots(), flow.pressure_count());
            let load = FlowLoad {
                force: &|_, at| vortex_force(at),
                ..FlowLoad::NONE
            };
            let field = flow.solve(&load).unwrap();
            assert!(field.residual < 1e-12, "{}", field.residual);
            errors(&problem, &field, vortex)
        });
        for norm in 0..2 {
            let order = (found[0][norm] / found[1][norm]).log2();
            // Two coarse meshes: within a quarter of the order of approximation.
            assert!(
                (order - orders[norm]).abs() < 0.25,
                "{element:?} {norm}: {order}"
            );
        }
    }
}

#[test]
fn korns_identity_holds_for_assembled_elements() {
    // |∇v|² = 2|D(v)|² − |∇·v|² for any v that vanishes on the boundary.
    for element in ELEMENTS {
        let problem = Stokes::new(
            unit_square(6),
            element,
            Geometry::Plane,
            |_, _| Edge::Velocity,
            &[],
        );
        let flow = problem
            .factorise(&Material::uniform(problem.mesh(), 1.0))
            .unwrap();
        let mut field = flow.solve(&FlowLoad::NONE).unwrap();
        // Some velocities inside, by a fixed rule.
        for (k, velocity) in field.velocity.iter_mut().enumerate() {
            let value = |n: usize| ((k * n) % 17) as f64 - 8.0;
            *velocity = DVec2::new(value(7), value(5));
        }
        for (k, bubble) in field.bubbles.iter_mut().enumerate() {
            *bubble = DVec2::new((k % 5) as f64 - 2.0, (k % 7) as f64 - 3.0);
        }
        let on_edge = |at: DVec2| at.x.min(at.y).min(1.0 - at.x).min(1.0 - at.y) < 1e-12;
        let points = problem.nodes().to_vec();
        for (velocity, at) in field.velocity.iter_mut().zip(points) {
            if on_edge(at) {
                *velocity = DVec2::ZERO;
            }
        }
        let (mut slopes, mut strains, mut divergence) = (0.0, 0.0, 0.0);
        problem.integrate(&field, all(&problem), |weight, _, value| {
            slopes += weight * value.gradient.iter().map(|g| g * g).sum::<f64>();
            strains += weight * value.strain_squared();
            let d = value.gradient[0] + value.gradient[3];
            divergence += weight * d * d;
        });
        let off = (slopes - 2.0 * strains + divergence).abs() / slopes;
        assert!(off < 1e-12, "{element:?}: {off}");
        // The assembled matrix is the same form: its energy is 2|D|².
        let energy = flow.energy(&field);
        assert!(
            (energy / (2.0 * strains) - 1.0).abs() < 1e-12,
            "{element:?}: {energy} {strains}"
        );
    }
}

#[test]
fn a_channel_with_slip_has_the_parabola_of_navier() {
    // Periodic along x, no slip below, slip length ¼ above, force 2 along x: u = −y² + c y with u(1) + ¼ u′(1) = 0.
    let length = 0.25;
    let c = (1.0 + 2.0 * length) / (1.0 + length);
    let exact = |at: DVec2| {
        (
            DVec2::new(c * at.y - at.y * at.y, 0.0),
            [0.0, c - 2.0 * at.y, 0.0, 0.0],
        )
    };
    let found = ELEMENTS.map(|element| {
        let edges = |_: DVec2, normal: DVec2| {
            if normal.x > 0.5 {
                Edge::Periodic {
                    shift: DVec2::new(-1.0, 0.0),
                }
            } else if normal.x < -0.5 {
                Edge::Free
            } else if normal.y < 0.0 {
                Edge::Velocity
            } else {
                Edge::Slip { length }
            }
        };
        let problem = Stokes::new(unit_square(8), element, Geometry::Plane, edges, &[]);
        let flow = problem
            .factorise(&Material::uniform(problem.mesh(), 1.0))
            .unwrap();
        let load = FlowLoad {
            force: &|_, _| DVec2::new(2.0, 0.0),
            ..FlowLoad::NONE
        };
        let field = flow.solve(&load).unwrap();
        errors(&problem, &field, exact)[0]
    });
    // A parabola is a function of the quadratic element.
    assert!(found[0] < 0.01 && found[1] < 1e-9, "{found:?}");
}

#[test]
fn a_pipe_has_the_parabola_of_poiseuille_and_a_free_end() {
    // u_z = 1 − r² enters below; the upper end is free of stress, which bends the flow near it a little; in its middle the parabola stands.
    let mesh = FlowMesh::cartesian(
        DVec2::ZERO,
        DVec2::new(1.0, 4.0),
        [8, 32],
        Diagonals::Alternating,
    );
    let edges = |_: DVec2, normal: DVec2| {
        if normal.x < -0.5 {
            Edge::Slip {
                length: f64::INFINITY,
            }
        } else if normal.y > 0.5 {
            Edge::Free
        } else {
            Edge::Velocity
        }
    };
    let problem = Stokes::new(
        mesh,
        Element::TaylorHood,
        Geometry::Axisymmetric,
        edges,
        &[],
    );
    let flow = problem
        .factorise(&Material::uniform(problem.mesh(), 3.0))
        .unwrap();
    let parabola = |at: DVec2| DVec2::new(0.0, 1.0 - at.x * at.x);
    let load = FlowLoad {
        velocity: &parabola,
        ..FlowLoad::NONE
    };
    let field = flow.solve(&load).unwrap();
    let (mut off, mut through) = (0.0_f64, 0.0);
    problem.integrate(&field, all(&problem), |weight, at, value| {
        if at.y < 2.5 {
            off = off.max((value.velocity - parabola(at)).length());
        }
        through += weight * value.velocity.y;
    });
    // ∫ (1 − r²) r dr = ¼ through each section.
    assert!(
        off < 2e-3 && (through - 1.0).abs() < 1e-6,
        "{off} {through}"
    );
}

#[test]
fn a_rigid_disc_turns_with_half_the_shear_rate() {
    let centre = DVec2::splat(0.5);
    let mesh = unit_square(20);
    let elements = mesh.elements_where(|at| at.distance(centre) < 0.1);
    let body = RigidBody {
        centre,
        motions: [true; 3],
        elements,
    };
    let problem = Stokes::new(
        mesh,
        Element::Mini,
        Geometry::Plane,
        |_, _| Edge::Velocity,
        &[body],
    );
    let flow = problem
        .factorise(&Material::uniform(problem.mesh(), 1.0))
        .unwrap();
    let load = FlowLoad {
        velocity: &|at| DVec2::new(0.0, at.x - 0.5),
        ..FlowLoad::NONE
    };
    let [u, v, spin] = flow.solve(&load).unwrap().motions[0];
    assert!(
        u.abs() < 1e-9 && v.abs() < 1e-9 && (spin - 0.5).abs() < 1e-8,
        "{u} {v} {spin}"
    );
}

#[test]
fn a_disc_between_sides_that_shear_the_fluid_turns_faster_than_in_a_box_that_does() {
    // v = x − ½ on the left and the right side, no stress on the others: there σ_xy of the shear flow is missing. A disc of a tenth of the side turns with 0.592, one of a twentieth with 0.606, the
    // fluid itself with 0.610.
    let centre = DVec2::splat(0.5);
    let spin = |cells: usize, radius: f64| {
        let mesh = GradedMesh {
            low: DVec2::ZERO,
            high: DVec2::ONE,
            discs: vec![FittedDisc {
                centre,
                radius,
                edges: 32,
            }],
            near: std::f64::consts::TAU * radius / 32.0,
            far: 1.0 / cells as f64,
            growth: 0.2,
            is_axisymmetric: false,
        };
        let mesh = mesh.triangulate().unwrap();
        let elements = mesh.elements_where(|at| at.distance(centre) < radius);
        let body = RigidBody {
            centre,
            motions: [true; 3],
            elements,
        };
        let problem = Stokes::new(
            mesh,
            Element::TaylorHood,
            Geometry::Plane,
            |_, normal| {
                if normal.y.abs() > 0.5 {
                    Edge::Free
                } else {
                    Edge::Velocity
                }
            },
            &[body],
        );
        let flow = problem
            .factorise(&Material::uniform(problem.mesh(), 1.0))
            .unwrap();
        let load = FlowLoad {
            velocity: &|at| DVec2::new(0.0, at.x - 0.5),
            ..FlowLoad::NONE
        };
        flow.solve(&load).unwrap().motions[0][2]
    };
    for (radius, known) in [(0.1, 0.5917), (0.05, 0.6056), (0.0125, 0.6102)] {
        // The mesh is no part of it, nor are the 32 edges of the disc.
        let (coarse, fine) = (spin(16, radius), spin(32, radius));
        assert!((fine - known).abs() < 5e-4, "{radius} {fine}");
        assert!((fine - coarse).abs() < 5e-4, "{radius} {coarse} {fine}");
    }
}

#[test]
fn mobilities_of_fitted_discs_are_symmetric() {
    let disc = |x: f64, y: f64| FittedDisc {
        centre: DVec2::new(x, y),
        radius: 0.1,
        edges: 24,
    };
    let discs = vec![disc(0.35, 0.4), disc(0.62, 0.55)];
    let mesh = GradedMesh {
        low: DVec2::ZERO,
        high: DVec2::ONE,
        discs: discs.clone(),
        near: 0.026,
        far: 0.1,
        growth: 0.2,
        is_axisymmetric: false,
    };
    let mesh = mesh.triangulate().unwrap();
    let bodies: Vec<RigidBody> = discs
        .iter()
        .map(|disc| RigidBody {
            centre: disc.centre,
            motions: [true; 3],
            elements: mesh.elements_where(|at| at.distance(disc.centre) < 0.1),
        })
        .collect();
    let problem = Stokes::new(
        mesh,
        Element::Mini,
        Geometry::Plane,
        |_, _| Edge::Velocity,
        &bodies,
    );
    let flow = problem
        .factorise(&Material::uniform(problem.mesh(), 1.0))
        .unwrap();
    let columns: Vec<Vec<f64>> = (0..6)
        .map(|k| {
            let mut wrenches = [[0.0; 3]; 2];
            wrenches[k / 3][k % 3] = 1.0;
            let field = flow.solve_with(&FlowLoad::NONE, &wrenches).unwrap();
            field.motions.iter().flatten().copied().collect()
        })
        .collect();
    for i in 0..6 {
        assert!(columns[i][i] > 0.0);
        for j in 0..i {
            let off =
                (columns[i][j] - columns[j][i]).abs() / (columns[i][i] * columns[j][j]).sqrt();
            assert!(off < 1e-10, "{i} {j}: {off}");
        }
    }
}
