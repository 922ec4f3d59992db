//! The ranges of what floes are coloured by over a whole run: a colour means the same from start to end.

use std::sync::Arc;

use banquise_io::recording::{BodyTable, Frame};
use serde_json::{Value, json};

use crate::recorded::some_records;

/// Records looked at, and bodies times records: a second or two.
const MAX_RECORDS: usize = 2000;
const BUDGET: usize = 2_000_000;

/// Share of the positive numbers of a logarithmic scale that it spans: one blow shall not make all others look like rest.
const SPANNED: f64 = 0.99;

/// For each of speed, angular velocity, contact force and pressure of floes in `count` records: where its scale shall
/// begin and end, and the largest number that was seen. Null where none was.
pub(crate) fn ranges(
    table: &BodyTable,
    count: usize,
    frame_of: impl Fn(usize) -> Option<Arc<Frame>>,
) -> Value {
    let limit = (BUDGET / table.len().max(1)).clamp(8, MAX_RECORDS);
    let mut seen: [Vec<f64>; 4] = Default::default();
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
            for (list, value) in seen.iter_mut().zip(values) {
                list.extend(value.is_finite().then_some(value));
            }
        }
        before = Some((record, frame));
    }
    let [speed, angular_velocity, contact_force, pressure] = seen;
    json!({
        "is_whole": count <= limit,
        "speed": range(&speed),
        "angular_velocity": range(&angular_velocity),
        "contact_force": logarithmic_range(contact_force),
        "pressure": logarithmic_range(pressure),
    })
}

fn range(values: &[f64]) -> Option<[f64; 3]> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some([least, most, most])
}

/// The same for a scale of decades, which ends below the few largest numbers.
fn logarithmic_range(mut values: Vec<f64>) -> Option<[f64; 3]> {
    let all = range(&values)?;
    values.retain(|&value| value > 0.0);
    let last = values.len().checked_sub(1);
    let Some(place) = last.map(|last| (SPANNED * last as f64).ceil() as usize) else {
        return Some(all);
    };
    let (_, high, _) = values.select_nth_unstable_by(place, f64::total_cmp);
    Some([all[0], *high, all[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_of_decades_ends_below_the_few_largest_numbers() {
        let mut values = vec![0.0; 50];
        values.extend((1..=1000).map(f64::from));
        values.push(1e9);
        assert_eq!(range(&values), Some([0.0, 1e9, 1e9]));
        assert_eq!(logarithmic_range(values), Some([0.0, 991.0, 1e9]));
        assert_eq!(logarithmic_range(vec![0.0, 0.0]), Some([0.0, 0.0, 0.0]));
        assert_eq!(logarithmic_range(vec![-1.0, 3.0]), Some([-1.0, 3.0, 3.0]));
        assert_eq!(logarithmic_range(vec![]), None);
    }
}
