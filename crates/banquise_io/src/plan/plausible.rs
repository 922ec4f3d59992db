//! Values that are possible and yet hardly meant: the user is told of them.

use banquise::Simulation;
use banquise_geometry::DVec2;

/// The deepest keel of a ridge on record reached 47 m below the sea (Lyon 1961): thicker sea ice is a slip of the unit \[m\].
const MAX_THICKNESS: f64 = 50.0;
/// The fastest wind measured at the ground outside of tornadoes, on Barrow Island in 1996 (WMO archive of extremes) \[m/s\].
const MAX_WIND: f64 = 113.0;
/// Tidal streams of the narrowest straits stay below it \[m/s\].
const MAX_CURRENT: f64 = 12.0;

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
    let odd = measured
        .into_iter()
        .filter(|(_, value, _, limit, _)| value > limit);
    odd.map(|(what, value, unit, _, record)| {
        format!("{what} {value:.0} {unit}, more than {record}: is the unit right?")
    })
    .collect()
}
