//! The ranges of what floes are coloured by over a whole run: a colour means the same from start to end.

use std::sync::Arc;

use banquise_io::film::Decades;
use banquise_io::recording::{BodyTable, Frame};
use serde_json::{Value, json};

/// Records read at most, and bodies times records: a second or two.
const MAX_RECORDS: usize = 2000;
const BUDGET: usize = 20_000_000;

/// Values seen in one list.
#[derive(Clone)]
struct Seen {
    least: f64,
    most: f64,
    /// Counts of sizes, for the 99th percentile.
    decades: Decades,
}

impl Seen {
    fn nothing() -> Self {
        Self {
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            decades: Decades::default(),
        }
    }

    fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.least = self.least.min(value);
            self.most = self.most.max(value);
            self.decades.add(value.abs());
        }
    }

    /// The least number, the 99th percentile of sizes that are not zero, and the largest number; null where nothing was seen.
    fn to_json(&self) -> Value {
        if self.least > self.most {
            return Value::Null;
        }
        json!([self.least, self.decades.end(), self.most])
    }
}

/// For each of speed, angular velocity, contact force and pressure of floes in `count` records: the least number, the 99th
/// percentile of sizes that are not zero, and the largest number. Null where nothing was seen.
pub(crate) fn ranges(
    table: &BodyTable,
    count: usize,
    frame_of: impl Fn(usize) -> Option<Arc<Frame>>,
) -> Value {
    let limit = (BUDGET / table.len().max(1)).clamp(8, MAX_RECORDS);
    let mut lists = [(); 4].map(|()| Seen::nothing());
    let mut before: Option<(usize, Arc<Frame>)> = None;
    for record in some_records(count, limit) {
        let earlier = match before.take() {
            Some((number, earlier)) if number + 1 == record => Some(earlier),
            _ => frame_of(record.saturating_sub(1)),
        };
        let (Some(frame), Some(earlier)) = (frame_of(record), earlier) else {
            continue;
        };
        let then = table.at(frame.time);
        for row in frame.living().filter(|&row| !then.is_obstacle[row]) {
            let values = [
                frame.velocities[row].length(),
                frame.angular_velocities[row],
                frame.contact_force(&earlier, row),
                frame.pressure(&earlier, row, then.volume(row)),
            ];
            for (list, value) in lists.iter_mut().zip(values) {
                list.add(value);
            }
        }
        before = Some((record, frame));
    }
    let [speed, angular_velocity, contact_force, pressure] = lists.map(|list| list.to_json());
    json!({
        "is_whole": count <= limit,
        "speed": speed,
        "angular_velocity": angular_velocity,
        "contact_force": contact_force,
        "pressure": pressure,
    })
}

/// About `limit` of the records, evenly, the first and the last among them.
pub(crate) fn some_records(count: usize, limit: usize) -> Vec<usize> {
    let stride = count.div_ceil(limit).max(1);
    let mut records: Vec<usize> = (0..count).step_by(stride).collect();
    records.extend((count > 0).then(|| count - 1));
    records.dedup();
    records
}
