//! The chain of blocks: schemes against each other, limits, and the balance of forces on anything.

use banquise_glacier::run::IDENTITY_TOLERANCE;
use banquise_glacier::stability::{semi_implicit_limit, stable_step};
use banquise_glacier::{
    BedLaw, Chain, ChainSettings, ContactForce, ForceTable, GlacierError, OverLimit, Run,
    RunSettings, Scheme,
};
use proptest::prelude::*;

const HHT: Scheme = Scheme::Hht { alpha: -0.25 };

fn chain(blocks: usize) -> Chain {
    Chain::try_new(ChainSettings {
        blocks,
        ..ChainSettings::default()
    })
    .unwrap()
}

fn pulse(duration: f64) -> ContactForce {
    ContactForce::Pulse {
        peak: 30e6,
        start: 0.0,
        duration,
    }
}

/// Runs to `end` and gives the displacement of the front then.
fn front_at(run: &mut Run, end: f64) -> f64 {
    while run.state().time < end - 1e-9 {
        run.step().unwrap();
    }
    run.state().displacement[0]
}

fn front(scheme: Scheme, dt: f64, end: f64) -> f64 {
    let mut run = Run::try_new(chain(80), pulse(20.0), RunSettings::new(scheme, dt)).unwrap();
    front_at(&mut run, end)
}

#[test]
fn all_schemes_agree_as_the_step_shrinks() {
    // Before the flow slows down enough to disturb the explicit one.
    let end = 1.2;
    let reference = front(HHT, 1e-3, end);
    for (scheme, dt) in [
        (Scheme::LaggedVerlet, 1e-4),
        (Scheme::SemiImplicit, 1e-3),
        (Scheme::BackwardEuler, 1e-3),
        (Scheme::Hht { alpha: 0.0 }, 1e-2),
    ] {
        let value = front(scheme, dt, end);
        // The largest is that of backward Euler, of first order in a step of a thousandth of the run.
        assert!(
            (value / reference - 1.0).abs() < 2e-3,
            "{scheme:?}: {value} {reference}"
        );
    }
}

#[test]
fn hht_is_of_second_order_and_backward_euler_of_first() {
    let end = 10.0;
    let reference = front(HHT, 0.005, end);
    for (scheme, order) in [(Scheme::BackwardEuler, 1.0), (HHT, 2.0)] {
        let errors = [0.2, 0.1].map(|dt| (front(scheme, dt, end) - reference).abs());
        let measured = (errors[0] / errors[1]).log2();
        assert!((measured - order).abs() < 0.15, "{scheme:?}: {measured}");
    }
}

#[test]
fn a_step_over_the_limit_is_refused_or_counted() {
    let limit = stable_step(&chain(80), Scheme::LaggedVerlet, 1.125e-5).unwrap();
    let settings = RunSettings::new(Scheme::LaggedVerlet, 1.01 * limit);
    let refused = Run::try_new(chain(80), ContactForce::None, settings);
    assert!(matches!(refused, Err(GlacierError::StepTooLong { .. })));
    let settings = RunSettings {
        over_limit: OverLimit::Warn,
        ..settings
    };
    let mut run = Run::try_new(chain(80), ContactForce::None, settings).unwrap();
    run.step().unwrap();
    assert_eq!(run.totals().steps_over_limit, 1);
    let semi = RunSettings::new(Scheme::SemiImplicit, 1.01 * 25.0 / chain(80).wave_speed());
    assert!(Run::try_new(chain(80), ContactForce::None, semi).is_err());
}

#[test]
fn an_explicit_run_stops_where_the_flow_slows_down() {
    let settings = RunSettings::new(Scheme::LaggedVerlet, 3.5e-4);
    let mut run = Run::try_new(chain(80), pulse(100.0), settings).unwrap();
    let error = loop {
        if let Err(error) = run.step() {
            break error;
        }
        assert!(run.state().time < 50.0, "never stopped");
    };
    assert!(
        matches!(error, GlacierError::Slowed { time, .. } if time > 1.0),
        "{error}"
    );
}

#[test]
fn a_bed_that_is_linear_near_rest_lets_an_explicit_run_through_the_reversal() {
    let bed = BedLaw {
        linear_below: 1e-6,
        ..BedLaw::default()
    };
    let settings = ChainSettings {
        blocks: 1,
        glacier_length: 500.0,
        bed,
        ..ChainSettings::default()
    };
    let chain = Chain::try_new(settings).unwrap();
    let load = ContactForce::Pulse {
        peak: 80e6,
        start: 0.0,
        duration: 1.0,
    };
    let mut run =
        Run::try_new(chain, load, RunSettings::new(Scheme::LaggedVerlet, 2.5e-5)).unwrap();
    let mut highest = f64::NEG_INFINITY;
    while run.state().time < 1.0 {
        run.step().unwrap();
        highest = highest.max(run.state().velocity[0]);
    }
    assert!(highest > 0.0);
    assert_eq!(run.totals().steps_over_limit, 0);
}

#[test]
fn the_semi_implicit_scheme_holds_to_its_linear_limit_at_steady_sliding() {
    let steady = chain(80);
    let limit = semi_implicit_limit(&steady, steady.equilibrium_velocity()).unwrap();
    for (factor, is_stable) in [(0.98, true), (1.05, false)] {
        let settings = RunSettings {
            over_limit: OverLimit::Warn,
            ..RunSettings::new(Scheme::SemiImplicit, factor * limit)
        };
        let push = ForceTable::try_new(vec![[0.0, 1.0], [3.0 * limit, 1.0]]).unwrap();
        let mut run = Run::try_new(steady.clone(), ContactForce::Table(push), settings).unwrap();
        // An unstable run may end beyond all numbers.
        let is_finite = (0..2000).all(|_| run.step().is_ok());
        let off = |v: &f64| (v / steady.equilibrium_velocity() - 1.0).abs();
        let swing = run.state().velocity.iter().map(off).fold(0.0, f64::max);
        assert_eq!(is_finite && swing < 1e-3, is_stable, "{factor}");
    }
}

#[test]
fn runs_are_repeated_to_the_bit() {
    let run = || {
        let mut run = Run::try_new(chain(200), pulse(20.0), RunSettings::new(HHT, 0.1)).unwrap();
        front_at(&mut run, 25.0);
        run.state().clone()
    };
    assert_eq!(run(), run());
}

proptest! {
    #![proptest_config(crate::config(200))]

    /// Any bed, step, load and scheme that is implicit in friction: Newton ends and forces balance at each step.
    #[test]
    fn forces_balance_on_any_bed(
        (exponent, linear, steady) in (1.0..8.0_f64, 0.0..1e-5_f64, -8.0..-2.0_f64),
        (blocks, slope) in (1_usize..60, 1e-3..0.1_f64),
        (dt, alpha, scheme) in (-4.0..2.0_f64, -1.0 / 3.0..=0.0, 0_u8..3),
        forces in proptest::collection::vec(-1e8..1e8_f64, 5),
    ) {
        let settings = ChainSettings {
            blocks,
            bed_slope: slope,
            bed: BedLaw {
                // So that the ice slides at that speed, where the bed is not linear.
                friction_coefficient: 920.0 * 9.81 * 800.0 * slope.sin() / 10_f64.powf(steady / exponent),
                stress_exponent: exponent,
                linear_below: if linear < 2e-6 { 0.0 } else { linear },
            },
            ..ChainSettings::default()
        };
        let chain = Chain::try_new(settings).unwrap();
        let elastic = chain.spacing() / chain.wave_speed();
        let dt = 10_f64.powf(dt);
        let (scheme, dt) = match scheme {
            0 => (Scheme::SemiImplicit, dt.min(0.9 * elastic)),
            1 => (Scheme::BackwardEuler, dt),
            _ => (Scheme::Hht { alpha }, dt),
        };
        // Jumps at every sixth step.
        let samples = forces.iter().enumerate();
        let samples = samples.map(|(i, &force)| [6.0 * i as f64 * dt, force]).collect();
        let load = ContactForce::Table(ForceTable::try_new(samples).unwrap());
        let mut run = Run::try_new(chain, load, RunSettings::new(scheme, dt)).unwrap();
        for _ in 0..30 {
            let report = run.step().unwrap();
            prop_assert!(report.gap < IDENTITY_TOLERANCE);
        }
    }
}
