//! How large a recording becomes.

use banquise::Simulation;

use super::loads::LOADS;
use super::variables::{EXCHANGE, MOTIONS, RECORDS, WEATHER};

/// Size of a record of a simulation as it is now \[bytes\], without the forces of single contacts.
pub fn bytes_of_record(simulation: &Simulation) -> usize {
    let bodies = simulation.world.bodies.len();
    let obstacles = bodies - simulation.world.floe_rows().count();
    let weather = if simulation.weather_differs() {
        WEATHER.len()
    } else {
        0
    };
    let single = 1 + RECORDS.len() + EXCHANGE.len();
    let loads = LOADS.len() * obstacles;
    size_of::<f64>() * (single + (MOTIONS.len() + weather) * bodies + loads)
}
