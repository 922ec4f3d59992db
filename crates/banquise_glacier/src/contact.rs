//! The force on the front in time, per unit width, positive upstream.

use std::f64::consts::PI;

use banquise_geometry::math;

use crate::error::GlacierError;

/// Contact force on the front.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactForce {
    /// Nothing.
    None,
    /// F₀ sin²(π (t − t₀)/T), once.
    Pulse {
        /// F₀ \[N m⁻¹\].
        peak: f64,
        /// t₀ \[s\].
        start: f64,
        /// T \[s\].
        duration: f64,
    },
    /// Samples, straight lines between them, nothing outside.
    Table(ForceTable),
}

impl ContactForce {
    /// The force at a time \[N m⁻¹\].
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Pulse {
                peak,
                start,
                duration,
            } => {
                let phase = (time - start) / duration;
                if (0.0..=1.0).contains(&phase) {
                    let sin = math::sin(PI * phase);
                    peak * sin * sin
                } else {
                    0.0
                }
            }
            Self::Table(table) => table.at(time),
        }
    }

    /// Largest force \[N m⁻¹\], and how long it acts \[s\].
    pub fn scale(&self) -> (f64, f64) {
        match self {
            Self::None => (0.0, 0.0),
            Self::Pulse { peak, duration, .. } => (*peak, *duration),
            Self::Table(table) => {
                let samples = &table.samples;
                let peak = samples.iter().map(|sample| sample[1]).fold(0.0, f64::max);
                (peak, samples[samples.len() - 1][0] - samples[0][0])
            }
        }
    }
}

/// Samples (time \[s\], force \[N m⁻¹\]) of a contact force.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceTable {
    samples: Vec<[f64; 2]>,
}

impl ForceTable {
    /// Checks the samples.
    ///
    /// # Errors
    /// No sample, one that is not finite, or one that does not come after the one before.
    pub fn try_new(samples: Vec<[f64; 2]>) -> Result<Self, GlacierError> {
        if samples.is_empty() {
            return Err(GlacierError::OutOfRange {
                quantity: "the number of samples of the contact force",
                requirement: "at least 1",
                value: 0.0,
            });
        }
        for (index, &[time, force]) in samples.iter().enumerate() {
            let problem = if !(time.is_finite() && force.is_finite()) {
                "is not finite"
            } else if index > 0 && time <= samples[index - 1][0] {
                "does not come after the one before"
            } else {
                continue;
            };
            return Err(GlacierError::BadSample {
                index,
                time,
                force,
                problem,
            });
        }
        Ok(Self { samples })
    }

    /// The samples.
    pub fn samples(&self) -> &[[f64; 2]] {
        &self.samples
    }

    fn at(&self, time: f64) -> f64 {
        let after = self.samples.partition_point(|sample| sample[0] <= time);
        if after == 0 {
            return 0.0;
        }
        let [t0, f0] = self.samples[after - 1];
        match self.samples.get(after) {
            Some(&[t1, f1]) => f0 + (f1 - f0) * ((time - t0) / (t1 - t0)),
            None if time == t0 => f0,
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_straight_between_samples_and_nothing_outside() {
        let table = ForceTable::try_new(vec![[1.0, 4.0], [2.0, 8.0], [4.0, 0.0]]).unwrap();
        for (time, force) in [
            (0.9, 0.0),
            (1.0, 4.0),
            (1.5, 6.0),
            (3.0, 4.0),
            (4.0, 0.0),
            (5.0, 0.0),
        ] {
            assert_eq!(table.at(time), force);
        }
        assert_eq!(ContactForce::Table(table).scale(), (8.0, 3.0));
    }

    #[test]
    fn bad_samples_are_refused() {
        for samples in [vec![], vec![[0.0, f64::NAN]], vec![[1.0, 2.0], [1.0, 2.0]]] {
            assert!(ForceTable::try_new(samples).is_err());
        }
    }

    #[test]
    fn a_pulse_acts_once() {
        let pulse = ContactForce::Pulse {
            peak: 2.0,
            start: 5.0,
            duration: 10.0,
        };
        assert_eq!(
            (pulse.at(4.9), pulse.at(10.0), pulse.at(15.1)),
            (0.0, 2.0, 0.0)
        );
    }
}
