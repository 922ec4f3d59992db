//! The cases of Rabatel 2015 for one floe that drifts.

use banquise::units::{DAY, HOUR, KILOMETRE};
use banquise::{Forcing, Simulation, World};
use banquise_geometry::DVec2;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation, watch};
use crate::failure::Failure;

/// The reference run over water that the ice does not move.
fn uncoupled(reference: &Reference) -> Result<Simulation, Failure> {
    let mut simulation = simulation(reference, &[])?;
    simulation.forcing = Forcing {
        slab_ocean: None,
        ..simulation.forcing
    };
    Ok(simulation)
}

fn coupled(reference: &Reference, percent: u32) -> Result<Simulation, Failure> {
    let fraction = format!("ocean_layer.ice_fraction={}", f64::from(percent) / 100.0);
    simulation(reference, &[fraction])
}

fn position(simulation: &Simulation) -> DVec2 {
    simulation.world.unwrapped_position(0)
}

fn velocity(world: &World) -> DVec2 {
    world.bodies.motions()[0].velocity.linear
}

/// V-08: speed in time against the solution of σ dw/dt = τₐ − ρₒCₒ|w|w, w = v − Uₒ, which
/// first rises to zero like a tangent and then to the drift speed like a hyperbolic tangent.
pub(super) fn characteristic_speed(reference: &Reference) -> Measured {
    let mut run = simulation(reference, &[])?;
    let bodies = &run.world.bodies;
    let areal_density = bodies.masses()[0] / bodies.areas()[0];
    let drag = run.forcing.drag.unwrap_or_default();
    let (wind, current) = (run.forcing.wind.at(0.0).x, run.forcing.current.at(0.0).x);
    let drift = drag.nansen_number() * wind;
    let rate = drag.ocean_factor() / areal_density * drift;
    let slack_time = (current / drift).atan() / rate;
    let exact = |time: f64| {
        let phase = rate * (time - slack_time);
        current
            + drift
                * if phase < 0.0 {
                    phase.tan()
                } else {
                    phase.tanh()
                }
    };
    advance(&mut run, 600.0)?;
    let mut largest = 0.0_f64;
    watch(&mut run, 1200.0, &mut |world, _| {
        let expected = exact(world.clock.time);
        largest = largest.max((velocity(world).x / expected - 1.0).abs());
    })?;
    let mut disc = simulation(reference, &["floe[0].disc={radius=\"0.1 m\"}".into()])?;
    advance(&mut disc, 300.0)?;
    Ok(vec![
        (
            "largest relative error of the speed from 600 s on".into(),
            largest,
        ),
        (
            "speed at 300 s, true disc (m/s)".into(),
            velocity(&disc.world).x,
        ),
        ("characteristic speed (m/s)".into(), current + drift),
    ])
}

/// V-09: the straight line from start to end, to the right of a wind to the east.
pub(super) fn deviation(reference: &Reference) -> Measured {
    let angle = |end: DVec2| (-end.y).atan2(end.x).to_degrees();
    let mut free = uncoupled(reference)?;
    advance(&mut free, 2.0 * DAY)?;
    let end = position(&free) / KILOMETRE;
    let mut measured = vec![
        ("deviation without coupling (deg)".to_owned(), angle(end)),
        (
            "steady speed without coupling (m/s)".to_owned(),
            velocity(&free.world).length(),
        ),
        ("end x without coupling (km)".to_owned(), end.x),
        ("end y without coupling (km)".to_owned(), end.y),
    ];
    let mut half_covered = DVec2::ZERO;
    for percent in [20, 50, 80] {
        let mut run = coupled(reference, percent)?;
        advance(&mut run, 2.0 * DAY)?;
        let end = position(&run) / KILOMETRE;
        measured.push((
            format!("deviation with coupling, {percent} % ice (deg)"),
            angle(end),
        ));
        if percent == 50 {
            half_covered = end;
        }
    }
    measured.push(("end x with coupling, 50 % ice (km)".into(), half_covered.x));
    measured.push(("end y with coupling, 50 % ice (km)".into(), half_covered.y));
    Ok(measured)
}

/// V-10: maxima of the speed after the wind has turned, and where the floe ends.
pub(super) fn inertial_oscillations(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for percent in [20, 50, 80] {
        let mut run = coupled(reference, percent)?;
        let maxima = speed_maxima(&mut run)?;
        let end = position(&run) / KILOMETRE;
        measured.push((
            format!("speed maxima in the last four days, {percent} % ice"),
            maxima.len() as f64,
        ));
        measured.push((
            format!("mean spacing of the maxima, {percent} % ice (h)"),
            mean_spacing(&maxima) / HOUR,
        ));
        measured.push((format!("end x, {percent} % ice (km)"), end.x));
        measured.push((format!("end y, {percent} % ice (km)"), end.y));
    }
    let mut run = uncoupled(reference)?;
    let maxima = speed_maxima(&mut run)?;
    let end = position(&run) / KILOMETRE;
    measured.push((
        "speed maxima in the last four days, no coupling".into(),
        maxima.len() as f64,
    ));
    measured.push(("end x, no coupling (km)".into(), end.x));
    measured.push(("end y, no coupling (km)".into(), end.y));
    Ok(measured)
}

/// Times of the local maxima of the speed between day 2 and day 6, one look a minute.
fn speed_maxima(run: &mut Simulation) -> Result<Vec<f64>, Failure> {
    advance(run, 2.0 * DAY)?;
    let mut speeds = vec![velocity(&run.world).length()];
    for minute in 1..=4 * 24 * 60 {
        advance(run, 2.0 * DAY + 60.0 * f64::from(minute))?;
        speeds.push(velocity(&run.world).length());
    }
    let maxima = maxima(&speeds, LEAST_SWING);
    Ok(maxima
        .into_iter()
        .map(|index| 2.0 * DAY + 60.0 * index as f64)
        .collect())
}

/// A swing of the speed below this is no inertial oscillation \[m/s\]: those swing by 0.1 m/s, while
/// ice over water at rest overshoots once by 0.0007 m/s just after the wind has stopped turning.
const LEAST_SWING: f64 = 1e-3;

/// Indices of the maxima that rise and fall by at least `swing`.
fn maxima(values: &[f64], swing: f64) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut low, mut high, mut high_index) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    let mut rising = false;
    for (index, &value) in values.iter().enumerate() {
        low = low.min(value);
        if value > high {
            (high, high_index) = (value, index);
        }
        if !rising && value >= low + swing {
            rising = true;
            (high, high_index) = (value, index);
        } else if rising && value <= high - swing {
            found.push(high_index);
            rising = false;
            low = value;
        }
    }
    found
}

fn mean_spacing(times: &[f64]) -> f64 {
    match times {
        [first, .., last] => (last - first) / (times.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// E-43: speed after Coriolis alone, by the default scheme and by explicit Euler.
pub(super) fn coriolis_work(reference: &Reference) -> Measured {
    let mut run = simulation(reference, &[])?;
    let speed = velocity(&run.world).length();
    advance(&mut run, 30.0 * DAY)?;
    let mut euler = simulation(reference, &["time.scheme=\"euler\"".into()])?;
    advance(&mut euler, 6.0 * DAY)?;
    Ok(vec![
        (
            "relative change of speed in 30 days".into(),
            velocity(&run.world).length() / speed - 1.0,
        ),
        (
            "relative change of speed in 6 days, Euler".into(),
            velocity(&euler.world).length() / speed - 1.0,
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::maxima;

    #[test]
    fn maxima_need_a_rise_and_a_fall_of_the_least_swing() {
        assert_eq!(
            maxima(&[0.0, 2.0, 0.0, 0.1, 0.0, 3.0, 1.0, 4.0], 0.5),
            [1, 5]
        );
        assert!(maxima(&[5.0, 4.0, 3.0], 0.5).is_empty());
        assert!(maxima(&[1.0, 1.0 + 1e-16, 1.0], 0.5).is_empty());
    }
}
