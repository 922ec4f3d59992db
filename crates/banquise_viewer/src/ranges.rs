//! The ranges of what floes are coloured by over a whole run: a colour means the same from start to end.

use std::sync::Arc;

use banquise_io::recording::{BodyTable, Frame};
use serde_json::{Value, json};

use crate::recorded::some_records;

/// Records looked at, and bodies times records: a second or two.
const MAX_RECORDS: usize = 2000;
const BUDGET: usize = 2_000_000;

/// The smallest and the largest finite number that was seen.
#[derive(Debug, Clone, Copy)]
struct Range(f64, f64);

impl Range {
    fn add(&mut self, value: f64) {
        if value.is_finite() {
            *self = Self(self.0.min(value), self.1.max(value));
        }
    }

    /// Nothing was seen: null.
    fn to_json(self) -> Value {
        if self.0 <= self.1 {
            json!([self.0, self.1])
        } else {
            Value::Null
        }
    }
}

/// Ranges of speed, angular velocity, contact force and pressure of floes in `count` records, and whether all of
/// them were looked at.
pub(crate) fn ranges(
    table: &BodyTable,
    count: usize,
    frame_of: impl Fn(usize) -> Option<Arc<Frame>>,
) -> Value {
    let limit = (BUDGET / table.len().max(1)).clamp(8, MAX_RECORDS);
    let mut ranges = [Range(f64::INFINITY, f64::NEG_INFINITY); 4];
    let mut before: Option<(usize, Arc<Frame>)> = None;
    for record in some_records(count, limit) {
        let earlier = match before.take() {
            Some((number, earlier)) if number + 1 == record => Some(earlier),
            _ => frame_of(record.saturating_sub(1)),
        };
        let (Some(frame), Some(earlier)) = (frame_of(record), earlier) else {
            continue;
        };
        for row in (0..table.len()).filter(|&row| !table.is_obstacle[row]) {
            let values = [
                frame.velocities[row].length(),
                frame.angular_velocities[row],
                frame.contact_force(&earlier, row),
                frame.pressure(&earlier, row, table.volume(row)),
            ];
            for (range, value) in ranges.iter_mut().zip(values) {
                range.add(value);
            }
        }
        before = Some((record, frame));
    }
    let [speed, angular_velocity, contact_force, pressure] = ranges.map(Range::to_json);
    json!({
        "is_whole": count <= limit,
        "speed": speed,
        "angular_velocity": angular_velocity,
        "contact_force": contact_force,
        "pressure": pressure,
    })
}
