//! Where a logarithmic scale of colours ends. Contacts give a few very large numbers: up to the largest of them, one blow would
//! make all others look like rest.

/// Parts of a decade that are told apart.
const PARTS: f64 = 100.0;
/// Decades above and below 1 that are told apart; others count as the last.
const REACH: f64 = 30.0;
/// Share of the positive numbers that may be beyond the scale.
const BEYOND: f64 = 0.01;

/// Counts numbers by their logarithms.
#[derive(Debug, Clone)]
pub struct Decades {
    counts: Vec<u64>,
    largest: f64,
}

impl Default for Decades {
    fn default() -> Self {
        Self {
            counts: vec![0; (2.0 * REACH * PARTS) as usize + 1],
            largest: 0.0,
        }
    }
}

impl Decades {
    /// Counts a number; those that are not positive and finite are none of the scale.
    pub fn add(&mut self, value: f64) {
        if value > 0.0 && value.is_finite() {
            let place = (value.log10() + REACH).clamp(0.0, 2.0 * REACH) * PARTS;
            self.counts[place as usize] += 1;
            self.largest = self.largest.max(value);
        }
    }

    /// Where the scale ends: at most one in a hundred of the numbers is larger. Zero where there are none.
    pub fn end(&self) -> f64 {
        let total: u64 = self.counts.iter().sum();
        let last = self.counts.len() - 1;
        let mut beyond = 0;
        for (place, count) in self.counts.iter().enumerate().rev() {
            beyond += count;
            if beyond as f64 > BEYOND * total as f64 {
                let upper = if place == last {
                    f64::INFINITY
                } else {
                    10_f64.powf((place as f64 + 1.0) / PARTS - REACH)
                };
                return upper.min(self.largest);
            }
        }
        self.largest
    }

    /// The largest number; zero where there are none.
    pub fn largest(&self) -> f64 {
        self.largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_large_numbers_are_beyond_the_scale() {
        let mut decades = Decades::default();
        assert_eq!((decades.end(), decades.largest()), (0.0, 0.0));
        for value in (1..=1000).map(f64::from).chain([0.0, -5.0, f64::NAN, 1e9]) {
            decades.add(value);
        }
        // 992 to 1000 and the blow are less than one in a hundred; a part of a decade is 2.3 percent.
        let end = decades.end();
        assert!((991.0..=991.0 * 1.024).contains(&end), "{end}");
        assert_eq!(decades.largest(), 1e9);
    }

    #[test]
    fn a_scale_of_few_numbers_ends_with_the_largest() {
        let mut decades = Decades::default();
        for value in [3.0, 7.0, 5.0] {
            decades.add(value);
        }
        assert_eq!(decades.end(), 7.0);
        // Numbers that no scale tells apart are counted all the same.
        decades.add(1e300);
        decades.add(1e-300);
        assert_eq!(decades.end(), decades.largest());
    }
}
