//! The times of a file in seconds of a run.

use netcdf_reader::{NcFile, NcVariable};

use super::calendar::{Calendar, DateTime, SECONDS_A_DAY, TimeUnits, usual_interval};
use super::{FieldRequest, WeatherError};

/// A file's times are said to have a gap where one is longer than this many usual ones.
const USUAL_GAPS: f64 = 2.0;

/// The times of a file.
pub(super) struct TimeAxis {
    /// As written.
    values: Vec<f64>,
    units: TimeUnits,
    calendar: Calendar,
    /// A variable without a time holds at all times.
    is_constant: bool,
}

impl TimeAxis {
    pub(super) fn read(file: &NcFile, variable: Option<&NcVariable>) -> Result<Self, WeatherError> {
        let Some(variable) = variable else {
            let origin = DateTime {
                year: 0,
                month: 1,
                day: 1,
                seconds: 0.0,
            };
            return Ok(Self {
                values: vec![0.0],
                units: TimeUnits { unit: 1.0, origin },
                calendar: Calendar::ProlepticGregorian,
                is_constant: true,
            });
        };
        let text = |name| {
            let attribute = variable.attribute(name);
            attribute.and_then(|attribute| attribute.value.as_string())
        };
        let written = text("units").unwrap_or_default();
        let units = TimeUnits::parse(&written).ok_or_else(|| WeatherError::TimeUnits {
            variable: variable.name().to_owned(),
            units: written.clone(),
        })?;
        let name = text("calendar").unwrap_or_else(|| "standard".to_owned());
        let calendar = Calendar::named(&name).ok_or(WeatherError::Calendar { name })?;
        let values = file.read_variable_unpacked_masked(variable.name())?;
        let values: Vec<f64> = values.into_iter().collect();
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(WeatherError::NoTime { index });
        }
        Ok(Self {
            values,
            units,
            calendar,
            is_constant: false,
        })
    }

    /// The times needed, each with its index and in seconds of the run.
    pub(super) fn needed(
        &self,
        request: &FieldRequest<'_>,
    ) -> Result<Vec<(usize, f64)>, WeatherError> {
        if self.is_constant {
            return Ok(vec![(0, 0.0)]);
        }
        let [start, origin] = [request.start, self.units.origin].map(|date| {
            let number = self.calendar.day_number(date);
            number.ok_or(WeatherError::NoSuchDay {
                date,
                calendar: self.calendar,
            })
        });
        let days = (start? - origin?) as f64;
        let shift = days * SECONDS_A_DAY + (request.start.seconds - self.units.origin.seconds);
        let times: Vec<f64> = self
            .values
            .iter()
            .map(|value| value * self.units.unit - shift)
            .collect();
        let increasing = times.windows(2).position(|pair| pair[1] <= pair[0]);
        if let Some(index) = increasing {
            return Err(WeatherError::TimesNotIncreasing { index: index + 1 });
        }
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return Err(WeatherError::NoTimes);
        };
        if first > 0.0 || last < request.duration {
            return Err(WeatherError::TimesOutside {
                first,
                last,
                needed: request.duration,
            });
        }
        let from = times.partition_point(|&time| time <= 0.0) - 1;
        let to = times.partition_point(|&time| time < request.duration);
        let needed: Vec<(usize, f64)> = (from..=to).map(|index| (index, times[index])).collect();
        check_gaps(&times, &needed, request.max_gap)?;
        Ok(needed)
    }
}

/// Refuses times so far apart that something between them must be missing.
fn check_gaps(
    times: &[f64],
    needed: &[(usize, f64)],
    max_gap: Option<f64>,
) -> Result<(), WeatherError> {
    let usual = usual_interval(times).unwrap_or(0.0);
    let limit = max_gap.unwrap_or(USUAL_GAPS * usual);
    // Times in days or single precision are not equally spaced to the last digit.
    let gap = needed
        .windows(2)
        .find(|pair| pair[1].1 - pair[0].1 > limit * (1.0 + 1e-6));
    match gap {
        None => Ok(()),
        Some(pair) => Err(WeatherError::TimeGap {
            from: pair[0].1,
            to: pair[1].1,
            limit,
        }),
    }
}
