//! Wind and water velocity at the floes, where they differ from place to place.

use banquise::Simulation;
use banquise_geometry::DVec2;
use banquise_io::recording::Frame;

use crate::encode::{put_f32, put_u32};

/// Wind and water velocity at the centres of all bodies [m/s]; not a number for a body that is not in the world.
#[derive(Default)]
pub(crate) struct BodyWeather {
    pub(crate) wind: Vec<DVec2>,
    pub(crate) water: Vec<DVec2>,
}

impl BodyWeather {
    /// The weather of a simulation at the bodies of its frame; `None` where it is the same everywhere.
    pub(crate) fn of(simulation: &Simulation, frame: &Frame) -> Option<Self> {
        let domain = &simulation.world.domain;
        let at = |velocity: &dyn Fn(DVec2) -> DVec2| {
            let positions = frame.positions.iter();
            let velocities = positions.map(|&position| {
                if position.is_finite() {
                    velocity(domain.wrap(position).0)
                } else {
                    DVec2::NAN
                }
            });
            velocities.collect()
        };
        simulation.weather_differs().then(|| Self {
            wind: at(&|point| simulation.wind_at(point)),
            water: at(&|point| simulation.water_at(point)),
        })
    }

    /// The number of bodies, then `x` of the wind at each, `y` of the wind, `x` and `y` of the water.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_u32(&mut bytes, [self.wind.len() as u32]);
        for list in [&self.wind, &self.water] {
            put_f32(&mut bytes, list.iter().map(|velocity| velocity.x));
            put_f32(&mut bytes, list.iter().map(|velocity| velocity.y));
        }
        bytes
    }
}
