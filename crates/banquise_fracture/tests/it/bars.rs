//! Bars that strike each other, against the continuum.

use banquise_fracture::BarImpact;
use banquise_fracture::bar::Which;

fn close(value: f64, expected: f64, relative: f64) {
    assert!(
        (value / expected - 1.0).abs() <= relative,
        "{value} is not {expected} to {relative}"
    );
}

#[test]
fn equal_bars_exchange_their_velocities() {
    let impact = BarImpact {
        striker_length: 100.0,
        nodes: 401,
        ..BarImpact::default()
    };
    let result = impact.extrapolated().unwrap();
    // 2L/c and ρcv/2. Extrapolation from 100, 200, 400 elements leaves 2e-4 of the time and 1e-3 of the restitution.
    close(result.contact_time, 63.944e-3, 5e-4);
    close(result.stress, 287.75e3, 1e-4);
    close(result.restitution, 1.0, 3e-3);
    assert_eq!(result.first_tension, None);
}

#[test]
fn a_short_striker_sends_tension_from_the_spall_plane() {
    let result = BarImpact::default().extrapolated().unwrap();
    let tension = result.first_tension.unwrap();
    close(result.contact_time, 31.972e-3, 1e-4);
    close(result.impulse, 9200.0, 1e-3);
    // Aitken's rule leaves 4e-4 of the smearing.
    close(tension.time, 47.958e-3, 1e-3);
    // Within one spacing.
    assert!((tension.from_rear - 50.0).abs() < 0.125, "{tension:?}");
    assert_eq!(tension.bar, Which::Target);
    close(result.restitution, 0.5, 1e-6);
    // The dashpots leave no overshoot.
    close(result.highest_tension, 287.75e3, 1e-4);
}

#[test]
fn a_lumped_chain_without_dashpots_overshoots() {
    let undamped = BarImpact {
        nodes: 201,
        damping: 0.0,
        ..BarImpact::default()
    };
    // Gibbs: 37 to 38 % at any spacing.
    close(
        undamped.run().unwrap().highest_tension,
        1.375 * 287.75e3,
        0.01,
    );
    let equal = BarImpact {
        striker_length: 100.0,
        ..undamped
    };
    let result = equal.run().unwrap();
    close(result.contact_time, 63.82e-3, 1e-3);
    close(result.restitution, 0.992, 1e-3);
}

#[test]
fn a_bar_breaks_where_the_bond_rule_says_and_strength_depends_on_the_spacing() {
    // v = 2σ_c/(ρc), σ_c = √(2 E G_c/dx): 0.295 m/s at 1 m, 0.093 m/s at 10 m.
    for (nodes, threshold) in [(101, 0.295), (11, 0.0933)] {
        let breaks = |speed: f64| {
            let impact = BarImpact {
                nodes,
                speed,
                breaks: true,
                ..BarImpact::default()
            };
            impact.run().unwrap().broken
        };
        assert!(breaks(0.97 * threshold).is_empty());
        let broken = breaks(1.04 * threshold);
        assert!(!broken.is_empty(), "{nodes} nodes");
        if nodes == 101 {
            assert!((broken[0].from_rear - 50.0).abs() < 4.0, "{broken:?}");
        }
    }
}

#[test]
fn bad_bars_are_refused_with_the_value() {
    let refused = |impact: BarImpact| impact.run().unwrap_err().to_string();
    let usual = BarImpact::default();
    assert_eq!(
        refused(BarImpact {
            speed: -1.0,
            ..usual
        }),
        "speed (m/s) must be positive and finite, not -1"
    );
    assert_eq!(
        refused(BarImpact { nodes: 2, ..usual }),
        "nodes must be between 5 and 20000, not 2"
    );
    let short = BarImpact {
        striker_length: 0.5,
        nodes: 101,
        ..usual
    };
    assert_eq!(
        refused(short),
        "a striker of 0.5 m is shorter than an element of the bar, 1 m: that takes 201 nodes, of at most 20000"
    );
    // A quarter of these nodes does not resolve it: there is nothing to extrapolate from.
    let finer = BarImpact {
        nodes: 401,
        ..short
    };
    assert!(!finer.can_extrapolate());
    assert_eq!(finer.extrapolated(), finer.run());
    assert!(
        refused(BarImpact {
            length: f64::NAN,
            ..usual
        })
        .contains("NaN")
    );
}
