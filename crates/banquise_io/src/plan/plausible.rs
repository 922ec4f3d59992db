//! Values that are possible and yet hardly meant: the user is told of them.

use std::f64::consts::{PI, TAU};

use banquise::{Integrator, Simulation, Squeeze};
use banquise_geometry::DVec2;

/// The deepest keel of a ridge on record reached 47 m below the sea (Lyon 1961): thicker sea ice is a slip of the unit \[m\].
const MAX_THICKNESS: f64 = 50.0;
/// The fastest wind measured at the ground outside of tornadoes, on Barrow Island in 1996 (WMO archive of extremes) \[m/s\].
const MAX_WIND: f64 = 113.0;
/// Tidal streams of the narrowest straits stay below it \[m/s\].
const MAX_CURRENT: f64 = 12.0;

/// Largest floe in waves, over the wavelength [–]: the mean slope under a disc of radius R is 2 J₁(kR)/kR ≈ 1 − (kR)²/8 of that at its centre, 0.95 at this size.
const SMALL_IN_WAVES: f64 = 0.2;

/// Largest motion of an obstacle in a step that crushes ice, over the size √A of the smallest floe [–]. A disc of 4 m of ice met at 5.5 m/s with steps of 2 s, by more than its radius, lost its
/// ice for 3 % of the energy.
const MAX_CLOSING: f64 = 0.1;

/// What is not plausible in a run of this duration \[s\].
pub(super) fn notices(simulation: &Simulation, duration: f64) -> Vec<String> {
    let (world, forcing) = (&simulation.world, &simulation.forcing);
    let places: Vec<DVec2> = world
        .floe_rows()
        .map(|row| world.bodies.motions()[row].pose.position)
        .collect();
    let thicknesses = world.bodies.mean_thicknesses();
    let thickness = world
        .floe_rows()
        .map(|row| thicknesses[row])
        .fold(0.0, f64::max);
    let bound = |field: &Option<banquise::SpatialField>| {
        let field = field.as_ref().filter(|_| !places.is_empty());
        field.map_or(0.0, |field| field.speed_bound(&places))
    };
    let wind = forcing
        .wind
        .max_speed_until(duration)
        .max(bound(&forcing.wind_field));
    let current = forcing
        .current
        .max_speed_until(duration)
        .max(bound(&forcing.current_field));
    let measured = [
        (
            "a floe is",
            thickness,
            "m thick",
            MAX_THICKNESS,
            "the thickest sea ice on record",
        ),
        (
            "the wind reaches",
            wind,
            "m/s",
            MAX_WIND,
            "the fastest wind on record",
        ),
        (
            "the current reaches",
            current,
            "m/s",
            MAX_CURRENT,
            "the fastest tidal streams",
        ),
    ];
    let mut notices: Vec<String> = large_in_waves(simulation).into_iter().collect();
    notices.extend(coarse_crushing(simulation));
    let odd = measured
        .into_iter()
        .filter(|(_, value, _, limit, _)| value > limit);
    notices.extend(odd.map(|(what, value, unit, _, record)| {
        format!("{what} {value:.0} {unit}, more than {record}: is the unit right?")
    }));
    notices
}

/// Records closer to each other than the steps asked for, which end at records.
pub(super) fn short_records(simulation: &Simulation, record_every: f64) -> Option<String> {
    let (step, contact) = (simulation.max_dt, &simulation.settings.contact);
    let is_fixed = contact.integrator == Integrator::Stepping;
    (is_fixed && record_every < step).then(|| {
        format!(
            "steps end at records: they take {record_every} s, as `record_every` says, and not {step} s"
        )
    })
}

/// Steps in which an obstacle passes through much of a floe: ice is crushed by what bodies close within a step.
fn coarse_crushing(simulation: &Simulation) -> Option<String> {
    let bodies = &simulation.world.bodies;
    if !matches!(simulation.settings.contact.squeeze, Squeeze::Crush(_)) {
        return None;
    }
    let speeds = bodies.paths().iter().filter_map(|(id, path)| {
        let row = bodies.row_of(*id)?;
        Some(path.max_speed(bodies.radii()[row]))
    });
    let closing = simulation.max_dt * speeds.fold(0.0, f64::max);
    let sizes = simulation.world.floe_rows();
    let smallest = sizes
        .map(|row| bodies.areas()[row].sqrt())
        .reduce(f64::min)?;
    (closing > MAX_CLOSING * smallest).then(|| {
        format!(
            "an obstacle moves {closing:.2} m in a step, and the smallest floe is {smallest:.1} m across: ice that is crushed in one step may bear less than its \
             strength. Take a step of at most {:.2} s, or compare with a run of half the step",
            simulation.max_dt * MAX_CLOSING * smallest / closing
        )
    })
}

/// A floe that is not small against the waves: the model takes their slope at its centre.
fn large_in_waves(simulation: &Simulation) -> Option<String> {
    let components = &simulation.forcing.waves.as_ref()?.components;
    let highest = components
        .iter()
        .max_by(|x, y| x.amplitude.total_cmp(&y.amplitude))?;
    let wavelength = TAU / highest.wavenumber();
    let (world, areas) = (&simulation.world, simulation.world.bodies.areas());
    let sizes = world.floe_rows().map(|row| 2.0 * (areas[row] / PI).sqrt());
    let largest = sizes.fold(0.0, f64::max);
    (largest > SMALL_IN_WAVES * wavelength).then(|| {
        format!(
            "a floe is {largest:.0} m across and the waves are {wavelength:.0} m long: the model takes their slope at its centre. Beyond a fifth of the \
             wavelength the mean slope under a floe is more than 5 % less, and beyond a whole one it nearly vanishes"
        )
    })
}
