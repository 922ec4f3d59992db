//! Which values go together: grids, Latin hypercubes, rows of a table, seeds, and their product.

use banquise_geometry::math;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::MAX_MEMBERS;

/// Keys that vary together, with one row of texts for each combination.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Factor {
    pub(super) keys: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Factor {
    /// One key with its values.
    pub(super) fn of_values(key: &str, values: Vec<String>) -> Self {
        Self {
            keys: vec![key.to_owned()],
            rows: values.into_iter().map(|value| vec![value]).collect(),
        }
    }
}

/// A range of a Latin hypercube, in the unit it is written in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Range {
    pub(super) key: String,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) unit: String,
    pub(super) is_log: bool,
}

/// A Latin hypercube (`McKay`, Beckman & Conover 1979): each range is cut into as many equal parts as there are members, and each part has one
/// value, at random within it.
pub(super) fn latin_hypercube(ranges: &[Range], members: usize, seed: u64) -> Factor {
    let mut rows = vec![Vec::with_capacity(ranges.len()); members];
    for (number, range) in ranges.iter().enumerate() {
        let number = number as u64;
        for (row, place) in rows.iter_mut().zip(permutation(members, number, seed)) {
            let within = unit(draw(seed, [2, number, place as u64]));
            let share = (place as f64 + within) / members as f64;
            row.push(range.text_at(share));
        }
    }
    Factor {
        keys: ranges.iter().map(|range| range.key.clone()).collect(),
        rows,
    }
}

impl Range {
    /// The value at a share of the range, as text with six significant digits: short names, and the same on every machine.
    fn text_at(&self, share: f64) -> String {
        let value = if self.is_log {
            let (from, to) = (math::ln(self.from), math::ln(self.to));
            math::exp(from + share * (to - from))
        } else {
            self.from + share * (self.to - self.from)
        };
        // A narrow range keeps the digits in which its values differ.
        let spread = (self.to - self.from).abs() / value.abs().max(f64::MIN_POSITIVE);
        let digits = if spread < 0.1 { 16 } else { 5 };
        let rounded: f64 = format!("{value:.digits$e}").parse().unwrap_or(value);
        if self.unit.is_empty() {
            // TOML tells 1.0 from 1, and keys that are decimal take both.
            return format!("{rounded:?}");
        }
        format!("\"{rounded} {}\"", self.unit)
    }
}

/// The numbers below `count` in random order (Fisher & Yates).
fn permutation(count: usize, number: u64, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let random = draw(seed, [1, number, last as u64]);
        let other = ((u128::from(random) * (last as u128 + 1)) >> 64) as usize;
        order.swap(last, other);
    }
    order
}

fn draw(seed: u64, key: [u64; 3]) -> u64 {
    let mut bytes = [0; 24];
    for (bytes, number) in bytes.chunks_mut(8).zip(key) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    xxh3_64_with_seed(&bytes, seed)
}

/// A number in [0, 1).
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (0.5 / (1_u64 << 52) as f64)
}

/// How many members the product of factors has; `None` where they are more than allowed.
pub(super) fn product_len(factors: &[Factor]) -> Option<usize> {
    let product = factors.iter().try_fold(1_usize, |product, factor| {
        product.checked_mul(factor.rows.len())
    });
    product.filter(|&product| product <= MAX_MEMBERS)
}

/// All combinations, the last factor fastest: the values of all keys for each member.
pub(super) fn product(factors: &[Factor]) -> Vec<Vec<String>> {
    let mut members = vec![Vec::new()];
    for factor in factors {
        let longer = members.iter().flat_map(|member| {
            let rows = factor.rows.iter();
            rows.map(move |row| [&member[..], row].concat())
        });
        members = longer.collect();
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::parameter::split_quantity;

    #[test]
    fn a_latin_hypercube_has_one_value_in_each_part_of_each_range() {
        let range = |key: &str, from, to, is_log| Range {
            key: key.into(),
            from,
            to,
            unit: "m/s".into(),
            is_log,
        };
        let ranges = [range("a", 2.0, 12.0, false), range("b", 0.01, 100.0, true)];
        let factor = latin_hypercube(&ranges, 50, 7);
        for (column, range) in ranges.iter().enumerate() {
            let mut parts: Vec<usize> = factor
                .rows
                .iter()
                .map(|row| {
                    let value = split_quantity(&row[column]).unwrap().0;
                    let share = if range.is_log {
                        (value / range.from).ln() / (range.to / range.from).ln()
                    } else {
                        (value - range.from) / (range.to - range.from)
                    };
                    (share * 50.0) as usize
                })
                .collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..50).collect::<Vec<_>>());
        }
        assert_eq!(factor, latin_hypercube(&ranges, 50, 7));
        assert_ne!(factor, latin_hypercube(&ranges, 50, 8));
    }

    #[test]
    fn a_narrow_range_has_different_values() {
        let range = Range {
            key: "wind.speed".into(),
            from: 9.999_999_99,
            to: 10.000_000_01,
            unit: "m/s".into(),
            is_log: false,
        };
        let mut rows = latin_hypercube(&[range], 20, 1).rows;
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), 20);
    }

    #[test]
    fn factors_are_multiplied_the_last_fastest() {
        let factor = |key, values: &[&str]| {
            Factor::of_values(key, values.iter().map(|&v| v.to_owned()).collect())
        };
        let factors = [factor("a", &["1", "2"]), factor("seed", &["3", "4"])];
        assert_eq!(product_len(&factors), Some(4));
        let members = product(&factors);
        assert_eq!(members[1], ["1", "4"]);
        assert_eq!(members[2], ["2", "3"]);
        let many = Factor::of_values("a", vec![String::new(); 1000]);
        assert_eq!(product_len(&[many.clone(), many]), None);
    }
}
