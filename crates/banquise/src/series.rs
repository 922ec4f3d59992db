//! A plane vector in time: the wind or the current as measured at one place.
//!
//! Between samples the vector is interpolated in polar form, speed and angle apart, along the
//! shorter way round (Rabatel 2015, section 2.2): the mean of a north wind and an east wind of
//! 10 m/s is a north-east wind of 10 m/s, not one of 7.

use std::f64::consts::PI;

use banquise_geometry::{DVec2, math};

use crate::error::SeriesError;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Sample {
    time: f64,
    vector: DVec2,
    speed: f64,
    angle: f64,
}

/// A vector in time [m/s], with an optional ramp from rest.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorSeries {
    samples: Vec<Sample>,
    ramp: f64,
}

impl VectorSeries {
    /// A series that is constant in time.
    pub fn constant(vector: DVec2) -> Self {
        Self {
            samples: vec![sample_of(0.0, vector)],
            ramp: 0.0,
        }
    }

    /// A series of (time \[s\], vector [m/s]) with strictly growing times.
    ///
    /// With a `ramp` \[s\] the vector first grows from rest to its value at time zero of the
    /// series, then the series starts: the world's time is the series' time plus the ramp.
    ///
    /// # Errors
    /// When there is no sample, a value is not finite, times do not grow, or the ramp is negative.
    pub fn try_new(samples: &[(f64, DVec2)], ramp: f64) -> Result<Self, SeriesError> {
        if samples.is_empty() {
            return Err(SeriesError::Empty);
        }
        if !(ramp.is_finite() && ramp >= 0.0) {
            return Err(SeriesError::BadRamp { ramp });
        }
        for (index, &(time, vector)) in samples.iter().enumerate() {
            if !(time.is_finite() && vector.is_finite()) {
                return Err(SeriesError::NotFinite {
                    index,
                    time,
                    x: vector.x,
                    y: vector.y,
                });
            }
            if index > 0 && time <= samples[index - 1].0 {
                let previous = samples[index - 1].0;
                return Err(SeriesError::NotIncreasing {
                    index,
                    time,
                    previous,
                });
            }
        }
        let samples = samples
            .iter()
            .map(|&(time, vector)| sample_of(time, vector))
            .collect();
        Ok(Self { samples, ramp })
    }

    /// The vector at world time `time` \[s\].
    pub fn at(&self, time: f64) -> DVec2 {
        if time < self.ramp {
            return self.in_series(0.0) * (time / self.ramp).max(0.0);
        }
        self.in_series(time - self.ramp)
    }

    /// World time from which there are data, and until which \[s\]; a constant has no end.
    pub fn span(&self) -> (f64, f64) {
        match self.samples.as_slice() {
            [_] => (f64::NEG_INFINITY, f64::INFINITY),
            samples => {
                let start = if self.ramp > 0.0 {
                    0.0
                } else {
                    samples[0].time
                };
                (start, samples[samples.len() - 1].time + self.ramp)
            }
        }
    }

    /// Largest speed from the start of the series until world time `time` [m/s].
    pub fn max_speed_until(&self, time: f64) -> f64 {
        let within = self
            .samples
            .iter()
            .filter(|sample| sample.time + self.ramp <= time);
        within
            .map(|sample| sample.speed)
            .fold(self.at(time).length(), f64::max)
    }

    /// The vector at a time of the series itself; held before the first and after the last sample.
    fn in_series(&self, time: f64) -> DVec2 {
        let next = self.samples.partition_point(|sample| sample.time <= time);
        if next == 0 {
            return self.samples[0].vector;
        }
        let before = self.samples[next - 1];
        match self.samples.get(next) {
            Some(after) if time > before.time => {
                let weight = (time - before.time) / (after.time - before.time);
                interpolate(before, *after, weight)
            }
            _ => before.vector,
        }
    }
}

fn sample_of(time: f64, vector: DVec2) -> Sample {
    Sample {
        time,
        vector,
        speed: vector.length(),
        angle: math::atan2(vector.y, vector.x),
    }
}

/// Speed and angle linear in `weight`, the angle along the shorter way.
///
/// Calm has no direction: next to a calm end the other end's direction holds.
fn interpolate(first: Sample, second: Sample, weight: f64) -> DVec2 {
    let start_angle = if first.speed == 0.0 {
        second.angle
    } else {
        first.angle
    };
    let end_angle = if second.speed == 0.0 {
        start_angle
    } else {
        second.angle
    };
    let mut turn = end_angle - start_angle;
    if turn > PI {
        turn -= 2.0 * PI;
    } else if turn < -PI {
        turn += 2.0 * PI;
    }
    let speed = first.speed + weight * (second.speed - first.speed);
    let (sin, cos) = math::sin_cos(start_angle + weight * turn);
    DVec2::new(speed * cos, speed * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: DVec2, b: DVec2) -> bool {
        (a - b).length() < 1e-12
    }

    fn polar(speed: f64, degrees: f64) -> DVec2 {
        let (sin, cos) = math::sin_cos(degrees.to_radians());
        DVec2::new(speed * cos, speed * sin)
    }

    #[test]
    fn the_angle_takes_the_shorter_way_across_west() {
        let series = VectorSeries::try_new(
            &[(0.0, polar(10.0, 170.0)), (1.0, polar(10.0, -170.0))],
            0.0,
        )
        .unwrap();
        assert!(close(series.at(0.5), polar(10.0, 180.0)));
        assert!(close(series.at(0.25), polar(10.0, 175.0)));
        let back = VectorSeries::try_new(
            &[(0.0, polar(10.0, -170.0)), (1.0, polar(10.0, 170.0))],
            0.0,
        )
        .unwrap();
        assert!(close(back.at(0.75), polar(10.0, 175.0)));
    }

    #[test]
    fn calm_takes_the_direction_of_the_other_end() {
        let wind = polar(6.0, 120.0);
        let rising = VectorSeries::try_new(&[(0.0, DVec2::ZERO), (2.0, wind)], 0.0).unwrap();
        assert!(close(rising.at(0.5), polar(1.5, 120.0)));
        let falling = VectorSeries::try_new(&[(0.0, wind), (2.0, DVec2::ZERO)], 0.0).unwrap();
        assert!(close(falling.at(0.5), polar(4.5, 120.0)));
    }

    #[test]
    fn speed_is_interpolated_not_the_components() {
        let series =
            VectorSeries::try_new(&[(0.0, polar(10.0, 0.0)), (1.0, polar(10.0, 90.0))], 0.0)
                .unwrap();
        assert!(close(series.at(0.5), polar(10.0, 45.0)));
    }

    #[test]
    fn a_ramp_leads_from_rest_to_the_first_value() {
        let series =
            VectorSeries::try_new(&[(0.0, polar(8.0, 30.0)), (10.0, polar(4.0, 30.0))], 100.0)
                .unwrap();
        assert_eq!(series.at(0.0), DVec2::ZERO);
        assert!(close(series.at(50.0), polar(4.0, 30.0)));
        assert!(close(series.at(100.0), polar(8.0, 30.0)));
        assert!(close(series.at(105.0), polar(6.0, 30.0)));
        assert_eq!(series.span(), (0.0, 110.0));
        assert!((series.max_speed_until(50.0) - 4.0).abs() < 1e-12);
        assert!((series.max_speed_until(110.0) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn samples_are_returned_bit_for_bit() {
        let vectors = [
            DVec2::new(-5.0, -2.0),
            DVec2::new(-2.0, 5.0),
            DVec2::new(4.0, 3.0),
        ];
        let samples: Vec<_> = vectors
            .iter()
            .enumerate()
            .map(|(i, &v)| (i as f64, v))
            .collect();
        let series = VectorSeries::try_new(&samples, 0.0).unwrap();
        for (time, vector) in samples {
            assert_eq!(series.at(time), vector);
        }
    }

    #[test]
    fn bad_series_are_refused_by_name() {
        assert_eq!(VectorSeries::try_new(&[], 0.0), Err(SeriesError::Empty));
        let twice = [(1.0, DVec2::X), (1.0, DVec2::Y)];
        assert_eq!(
            VectorSeries::try_new(&twice, 0.0),
            Err(SeriesError::NotIncreasing {
                index: 1,
                time: 1.0,
                previous: 1.0
            })
        );
        assert!(matches!(
            VectorSeries::try_new(&[(0.0, DVec2::new(f64::NAN, 0.0))], 0.0),
            Err(SeriesError::NotFinite { index: 0, .. })
        ));
        assert_eq!(
            VectorSeries::try_new(&[(0.0, DVec2::X)], -1.0),
            Err(SeriesError::BadRamp { ramp: -1.0 })
        );
    }
}
