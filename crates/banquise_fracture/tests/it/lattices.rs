//! Lattices: the cases T4, T11 and T13 of the specification, and the stiff limit.

use banquise_fracture::lattice::Kind;
use banquise_fracture::lattice_impact::{LatticeImpact, Striker};
use banquise_fracture::moduli::{Springs, delaunay_moduli};
use banquise_fracture::network::Bond;
use banquise_fracture::spectrum::gap_slope;
use banquise_fracture::{
    BreakRule, Contact, Ice, Integrator, Lattice, Network, Percussion, Run, RunSettings,
    equilibrium,
};
use banquise_geometry::DVec2;

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not {expected} ± {tolerance}"
    );
}

#[test]
fn t4_the_triangle_loses_energy_and_keeps_its_momentum() {
    let mut network = Network::default();
    for [x, y] in [[0.8, 0.0], [0.5, 0.5], [-0.5, 0.0]] {
        network.add_node(DVec2::new(x, y), 6.2);
    }
    for nodes in [[0, 1], [1, 2], [0, 2]] {
        network.bonds.push(Bond {
            nodes,
            stiffness: 23.3,
            dashpot: 3.0,
            surface_energy: f64::INFINITY,
            intact: true,
        });
    }
    let half = 0.5 * 3.0_f64.sqrt();
    let velocity = vec![
        DVec2::new(-0.3, 0.0),
        DVec2::new(0.0, -0.1),
        DVec2::new(-0.05, -0.1 * half),
    ];
    let settings = RunSettings {
        integrator: Integrator::Implicit,
        dt: 1e-3,
        breaking: BreakRule::Never,
    };
    let mut run = Run::try_new(network, Vec::new(), velocity, settings).unwrap();
    close(run.energy(), 0.341, 1e-12);
    let mut last = run.energy();
    while run.state().time < 10.0 - 1e-9 {
        run.step().unwrap();
        assert!(run.energy() <= last + 1e-14);
        last = run.energy();
    }
    close(last, 0.163_784, 1e-6);
    close(run.momentum().x, -2.17, 1e-12);
    close(run.momentum().y, -1.156_936, 1e-6);
    assert!(run.budget().energy_error().abs() < 1e-12);
}

fn lattice(kind: Kind) -> Lattice {
    Lattice {
        kind,
        ice: Ice::default(),
        side: 20.0,
        thickness: 1.0,
        spacing: 2.0,
        damping: 0.1,
        seed: 1,
    }
}

/// A floe struck at the middle of its left side by a mass.
fn struck(lattice: Lattice, breaking: BreakRule, speed: f64) -> Run {
    let mut network = lattice.network().unwrap();
    let target = (0..network.places.len())
        .min_by(|&a, &b| {
            let distance =
                |n: usize| network.places[n].distance(DVec2::new(-0.5 * lattice.side, 0.0));
            distance(a).total_cmp(&distance(b))
        })
        .unwrap();
    let mass = 0.1 * network.masses.iter().sum::<f64>();
    let place = network.places[target] - DVec2::new(1.0, 0.0);
    let mut velocity = vec![DVec2::ZERO; network.places.len()];
    let striker = network.add_node(place, mass);
    velocity.push(DVec2::new(speed, 0.0));
    let contact = Contact::new([striker, target], DVec2::X, 0.0, Percussion::default());
    let settings = RunSettings {
        integrator: Integrator::Implicit,
        // A tenth of the time of a wave from node to node.
        dt: 0.1 * lattice.spacing / lattice.ice.bar_speed(),
        breaking,
    };
    Run::try_new(network, vec![contact], velocity, settings).unwrap()
}

#[test]
fn t13_budgets_of_struck_lattices_close() {
    for kind in [Kind::Square, Kind::Triangular, Kind::Delaunay] {
        for (breaking, speed) in [(BreakRule::Never, 0.1), (BreakRule::Tension, 1.5)] {
            let lattice = Lattice {
                side: 12.0,
                ..lattice(kind)
            };
            let mut run = struck(lattice, breaking, speed);
            let momentum = run.momentum();
            for _ in 0..100 {
                run.step().unwrap();
            }
            let budget = run.budget();
            assert!(budget.energy_error().abs() < 1e-10, "{kind:?} {budget:?}");
            assert!((run.momentum() - momentum).length() < 1e-12 * momentum.length());
            assert_eq!(budget.broken > 0.0, speed > 1.0, "{kind:?} {budget:?}");
            assert!(budget.dissipated > 0.0);
        }
    }
}

#[test]
fn t11_the_triangular_lattice_has_its_moduli() {
    // Uniaxial strain of the whole lattice by its energy: ½ (λ + 2μ) e² with λ = μ = 3/8 E t.
    let lattice = Lattice {
        side: 40.0,
        ..lattice(Kind::Triangular)
    };
    let network = lattice.network().unwrap();
    let e = 1e-7;
    let area = network.masses.iter().sum::<f64>() / 920.0;
    let energy = |strain: fn(DVec2) -> DVec2| {
        let moved: Vec<DVec2> = network.places.iter().map(|p| e * strain(*p)).collect();
        network.elastic_energy(&moved) / (area * 0.5 * e * e)
    };
    let lame = 3.0 / 8.0 * 9e9;
    close(energy(|p| DVec2::new(p.x, 0.0)) / (3.0 * lame), 1.0, 1e-6);
    close(energy(|p| DVec2::new(0.0, p.y)) / (3.0 * lame), 1.0, 1e-6);
    close(energy(|p| DVec2::new(p.y, 0.0)) / lame, 1.0, 1e-6);
    // The square lattice with k = 8 G: λ = 0, μ = k/2.
    let square = Lattice {
        kind: Kind::Square,
        ..lattice
    };
    let network = square.network().unwrap();
    let energy = |strain: fn(DVec2) -> DVec2| {
        let moved: Vec<DVec2> = network.places.iter().map(|p| e * strain(*p)).collect();
        network.elastic_energy(&moved) / (1600.0 * 0.5 * e * e)
    };
    close(energy(|p| DVec2::new(p.x, 0.0)) / 9e9, 1.0, 1e-6);
    close(energy(|p| DVec2::new(p.y, 0.0)) / 4.5e9, 1.0, 1e-6);
    close(energy(|p| DVec2::new(p.x, -p.y)) / 18e9, 1.0, 1e-6);
}

#[test]
fn t11_random_lattices_have_the_corrected_moduli() {
    let pi = std::f64::consts::PI;
    let affine_k = 128.0 / (9.0 * pi * pi);
    let mut sum = [0.0; 2];
    for seed in 0..2 {
        let [affine, relaxed] =
            delaunay_moduli(Springs::Weighted { torsion: 0.04 }, 4000, seed).unwrap();
        println!(
            "{affine:?} {relaxed:?} {} {}",
            relaxed.young(),
            relaxed.poisson()
        );
        // Affine: 128k/9π² ∓ 3G; heavy tails of 1/sin leave 3 % with 4000 points.
        close(affine.lambda / (affine_k - 0.12), 1.0, 0.03);
        close(affine.mu / (affine_k + 0.12), 1.0, 0.03);
        sum[0] += 0.5 * relaxed.young();
        sum[1] += 0.5 * relaxed.poisson();
    }
    close(sum[0], 3.188, 0.0319);
    close(sum[1], 0.296, 0.003);
}

#[test]
fn a_stiff_lattice_follows_its_static_path() {
    // k/ε², M/ε², μ/ε (Balasoiu 2020): the lattice is in equilibrium with the place of its striker.
    let mut errors = Vec::new();
    for stiffening in [0.2, 0.1, 0.05] {
        let mut network = lattice(Kind::Delaunay).network().unwrap();
        let (mass, stiffness) = (network.masses.iter().sum::<f64>(), 9e9 / 3.19);
        for m in &mut network.masses {
            *m /= mass;
        }
        for bond in &mut network.bonds {
            bond.stiffness /= stiffness * stiffening * stiffening;
            bond.dashpot = 1.0 / stiffening;
        }
        for corner in &mut network.corners {
            corner.stiffness /= stiffness * stiffening * stiffening;
        }
        // The corners of the right side are pinned, the lower left one is struck towards the centre.
        network.pinned[1] = true;
        network.pinned[2] = true;
        network.masses[0] += 1.0 / (stiffening * stiffening);
        let mut velocity = vec![DVec2::ZERO; network.places.len()];
        velocity[0] = DVec2::new(0.01, 0.01);
        let settings = RunSettings {
            integrator: Integrator::Implicit,
            dt: 0.05 * stiffening,
            breaking: BreakRule::Never,
        };
        let mut run = Run::try_new(network.clone(), Vec::new(), velocity, settings).unwrap();
        run.run_until(1.0).unwrap();
        let mut held = network.pinned.clone();
        held[0] = true;
        let moved = &run.state().displacement;
        let rest = equilibrium(&network, moved, &held).unwrap();
        let apart = moved.iter().zip(&rest).map(|(a, b)| a.distance(*b));
        errors.push(apart.fold(0.0, f64::max) / moved[0].length());
    }
    assert!(
        errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1],
        "{errors:?}"
    );
}

#[test]
fn a_floe_struck_by_its_like_takes_its_momentum() {
    for integrator in [Integrator::Symplectic, Integrator::Implicit] {
        let impact = LatticeImpact {
            lattice: lattice(Kind::Square),
            striker: Striker::Floe,
            speed: 0.05,
            law: Percussion::default(),
            pinned: false,
            breaks: false,
            integrator,
            duration: 0.03,
        };
        let result = impact.run().unwrap();
        // A square with ν = 0 struck on its side is a bar: 2L/c = 12.8 ms, force ρ c v/2 × side.
        close(result.contact_time / 0.012_79, 1.0, 0.1);
        assert!((result.momentum - result.initial_momentum).length() < 1e-9);
        // (1 + ε)/2 of it: between that of a plastic and of an elastic blow.
        let share = result.impulse / result.initial_momentum.x;
        assert!((0.5..=1.0).contains(&share), "{share}");
        let bouncing = LatticeImpact {
            law: Percussion::Complementarity { restitution: 1.0 },
            ..impact
        };
        // Impacts are counted, too.
        assert!(bouncing.run().unwrap().impulse > 0.5 * result.impulse);
        let limit = if integrator == Integrator::Implicit {
            1e-12
        } else {
            1e-2
        };
        assert!(result.budget.energy_error().abs() < limit, "{result:?}");
        assert_eq!((result.pieces, result.broken), (1, 0));
    }
}

#[test]
fn t12_the_spectral_gap_grows_like_the_inverse_square() {
    for points in [20, 100] {
        for seed in 0..3 {
            let slope = gap_slope(points, [0.03, 0.003], seed).unwrap();
            close(slope, -2.0, 1e-3);
        }
    }
}
