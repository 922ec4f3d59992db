//! Drifts of floes: recorded, or simulated again with other settings.

use std::ops::ControlFlow;

use banquise::NoTimer;
use banquise_geometry::DVec2;
use banquise_io::geography::LocalFrame;
use banquise_io::recording::Recording;
use banquise_io::scenario::TrackRow;

use crate::failure::{Failure, chain};
use crate::scenarios::find_and_tell;

/// Places and velocities of one floe, and the wind, in time.
#[derive(Default)]
pub(super) struct Drift {
    pub(super) times: Vec<f64>,
    places: Vec<DVec2>,
    velocities: Vec<DVec2>,
    winds: Vec<DVec2>,
    /// Where the plane lies on the Earth; `None` where x is taken as east everywhere.
    frame: Option<LocalFrame>,
}

impl Drift {
    /// Reads the floe of a name, or the first floe.
    pub(super) fn recorded(recording: &Recording, name: Option<&str>) -> Result<Self, Failure> {
        let bodies = recording.body_table().map_err(Failure::Output)?;
        let is_wanted = |row: &usize| match name {
            Some(name) => bodies.names[*row] == name,
            None => !bodies.is_obstacle[*row],
        };
        let row = (0..bodies.ids.len()).find(is_wanted).ok_or_else(|| {
            let name = name.map_or_else(
                || "the run has no floe".to_owned(),
                |name| format!("the run has no floe `{name}`"),
            );
            let names = bodies.names.join(", ");
            Failure::usage(name, format!("give --floe one of these names: {names}"))
        })?;
        let times = recording.series("time").map_err(Failure::Output)?;
        let series = |name: &str| recording.series(name).map_err(Failure::Output);
        let (x, y) = (series("wind_x")?, series("wind_y")?);
        let winds = x.into_iter().zip(y).map(DVec2::from).collect();
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        for record in 0..times.len() {
            let of = |name: &str| recording.bodies_at(name, record).map_err(Failure::Output);
            places.push(DVec2::new(of("x")?[row], of("y")?[row]));
            velocities.push(DVec2::new(of("velocity_x")?[row], of("velocity_y")?[row]));
        }
        Ok(Self {
            times,
            places,
            velocities,
            winds,
            frame: recording.origin(),
        })
    }

    /// Runs a scenario again with other settings, and keeps the floe of a name, or the first one, at the times of its records.
    pub(super) fn simulated(
        scenario: &str,
        overrides: &[String],
        name: Option<&str>,
    ) -> Result<Self, Failure> {
        let found = find_and_tell(scenario, overrides)?;
        let mut run = found.run;
        let mut drift = Self {
            frame: run.origin,
            ..Self::default()
        };
        let simulation = &mut run.simulation;
        let names = simulation.world.bodies.names();
        let is_wanted = |row: &usize| name.is_none_or(|name| names[*row] == name);
        let floe = simulation.world.floe_rows().find(is_wanted);
        let floe = floe.ok_or_else(|| {
            let message = "--fit: the scenario has no such floe";
            Failure::usage(message, "give `--floe` the name of one of its floes")
        })?;
        let mut time = 0.0;
        loop {
            drift.times.push(time);
            drift.winds.push(simulation.wind());
            drift.places.push(simulation.world.unwrapped_position(floe));
            let motion = simulation.world.bodies.motions()[floe];
            drift.velocities.push(motion.velocity.linear);
            if time >= run.duration {
                return Ok(drift);
            }
            time = (time + run.record_every).min(run.duration);
            let stepped =
                simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
            stepped
                .map(|_| ())
                .map_err(|error| Failure::usage(chain(&error), "use a shorter `time.step`"))?;
        }
    }

    /// Velocity at the time of a row, or its mean over the span of the row, eastward and northward where the row is.
    pub(super) fn velocity(&self, row: &TrackRow) -> DVec2 {
        if row.span == 0.0 {
            let velocity = interpolate(&self.times, &self.velocities, row.time);
            return self.east_north(row, velocity);
        }
        let mean = mean_velocity(&self.times, &self.places, row.time, row.span);
        let Some(frame) = self.frame.filter(|_| mean.is_finite()) else {
            return mean;
        };
        // Tracks of places are displacements on the Earth, whose lengths the plane does not keep.
        let [from, to] = [-0.5, 0.5].map(|share| {
            let time = row.time + share * row.span;
            frame.to_earth(interpolate(&self.times, &self.places, time))
        });
        let (middle, displacement) = from.displacement_to(to);
        self.east_north(row, frame.in_plane_at(middle, displacement) / row.span)
    }

    /// Wind at the time of a row, eastward and northward where the row is.
    pub(super) fn wind(&self, row: &TrackRow) -> DVec2 {
        self.east_north(row, interpolate(&self.times, &self.winds, row.time))
    }

    /// A vector of the plane, eastward and northward at the place of a row, else at that of the floe.
    fn east_north(&self, row: &TrackRow, vector: DVec2) -> DVec2 {
        let Some(frame) = self.frame else {
            return vector;
        };
        let place = if row.place.is_finite() {
            row.place
        } else {
            frame.to_earth(interpolate(&self.times, &self.places, row.time))
        };
        frame.east_north_at(place, vector)
    }
}

/// Places of all floes at all records.
pub(super) struct Fleet {
    times: Vec<f64>,
    /// By floe, then record; NaN where it is not there.
    places: Vec<Vec<DVec2>>,
}

impl Fleet {
    pub(super) fn recorded(recording: &Recording) -> Result<Self, Failure> {
        let bodies = recording.body_table().map_err(Failure::Output)?;
        let times = recording.series("time").map_err(Failure::Output)?;
        let rows: Vec<usize> = (0..bodies.ids.len())
            .filter(|&row| !bodies.is_obstacle[row])
            .collect();
        let mut places = vec![Vec::with_capacity(times.len()); rows.len()];
        if rows.len() > 1 {
            for record in 0..times.len() {
                let of = |name: &str| recording.bodies_at(name, record).map_err(Failure::Output);
                let (x, y) = (of("x")?, of("y")?);
                for (floe, &row) in places.iter_mut().zip(&rows) {
                    floe.push(DVec2::new(x[row], y[row]));
                }
            }
        }
        Ok(Self { times, places })
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Mean velocity of a floe over a span around a time.
    pub(super) fn velocity(&self, floe: usize, time: f64, span: f64) -> DVec2 {
        mean_velocity(&self.times, &self.places[floe], time, span)
    }
}

/// NaN where the span goes beyond the records.
fn mean_velocity(times: &[f64], places: &[DVec2], time: f64, span: f64) -> DVec2 {
    let ends = [time - 0.5 * span, time + 0.5 * span];
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return DVec2::NAN;
    };
    // Times of tables and records are rounded differently.
    let slack = 1e-9 * (last - first);
    if ends[0] < first - slack || ends[1] > last + slack {
        return DVec2::NAN;
    }
    let [before, after] = ends.map(|end| interpolate(times, places, end));
    (after - before) / span
}

/// Linear between records; that of the last or first one outside.
fn interpolate(times: &[f64], values: &[DVec2], time: f64) -> DVec2 {
    let next = times
        .partition_point(|&t| t <= time)
        .clamp(1, times.len().max(2) - 1);
    let (Some(&before), Some(&after)) = (values.get(next - 1), values.get(next)) else {
        return values.first().copied().unwrap_or(DVec2::NAN);
    };
    let share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    before + share.clamp(0.0, 1.0) * (after - before)
}
