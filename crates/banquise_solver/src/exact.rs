//! Double-double arithmetic (Dekker 1971, Knuth): numbers of 106 bits, and sums with a proven bound on their error.
//!
//! Neither fused operations nor any mode of the processor are used: same bits everywhere.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// The unevaluated sum of two numbers, the second at most half a unit in the last place of the first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct DoubleDouble {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

/// a + b exactly, as its rounded value and what rounding took away (Knuth).
fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let share = high - a;
    let low = (a - (high - share)) + (b - share);
    DoubleDouble { high, low }
}

/// a + b exactly for |a| ≥ |b| (Dekker).
fn quick_two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let low = b - (high - a);
    DoubleDouble { high, low }
}

/// Two halves of 26 bits each, whose products are exact.
fn split(a: f64) -> [f64; 2] {
    const SPLITTER: f64 = 134_217_729.0;
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    [high, a - high]
}

/// a · b exactly (Dekker), unless it underflows.
fn two_product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    let ([a1, a2], [b1, b2]) = (split(a), split(b));
    let low = a2 * b2 - (((high - a1 * b1) - a2 * b1) - a1 * b2);
    DoubleDouble { high, low }
}

impl DoubleDouble {
    /// The exact product of two numbers.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        two_product(a, b)
    }

    /// The nearest number.
    pub(crate) fn value(self) -> f64 {
        self.high
    }

    /// 1 / x, by two steps of Newton's method on the rounded one.
    pub(crate) fn inverse(self) -> Self {
        let first = Self::from(1.0 / self.high);
        let one = Self::from(1.0);
        let second = first + first * (one - self * first);
        second + second * (one - self * second)
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    /// Relative error at most 3·2⁻¹⁰⁶ (Joldes, Muller & Popescu 2017, algorithm 6).
    fn add(self, other: Self) -> Self {
        let high = two_sum(self.high, other.high);
        let low = two_sum(self.low, other.low);
        let sum = quick_two_sum(high.high, high.low + low.high);
        quick_two_sum(sum.high, sum.low + low.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl AddAssign for DoubleDouble {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;

    /// Relative error at most 3·2⁻¹⁰⁶ (Joldes, Muller & Popescu 2017, algorithm 8).
    fn mul(self, factor: f64) -> Self {
        let product = two_product(self.high, factor);
        quick_two_sum(product.high, product.low + self.low * factor)
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    /// Relative error at most 7·2⁻¹⁰⁶ (Joldes, Muller & Popescu 2017, algorithm 10).
    fn mul(self, factor: Self) -> Self {
        let product = two_product(self.high, factor.high);
        let cross = self.high * factor.low + self.low * factor.high;
        quick_two_sum(product.high, product.low + cross)
    }
}

/// A sum of products with a proven bound on its error.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoundedSum {
    sum: DoubleDouble,
    /// Sum of the sizes of the terms, and of the products of their factors above one.
    size: f64,
    above_one: f64,
    terms: f64,
}

impl BoundedSum {
    /// Adds the product of some numbers.
    pub(crate) fn add_product(&mut self, factors: &[f64]) {
        let mut product = DoubleDouble::from(1.0);
        let mut above_one = 1.0;
        for &factor in factors {
            product = product * factor;
            above_one *= factor.abs().max(1.0);
        }
        self.sum += product;
        self.size += product.high.abs();
        self.above_one += above_one;
        self.terms += 1.0;
    }

    /// The least and the largest value the exact sum can have.
    ///
    /// A product of up to four factors has a relative error below 2⁻¹⁰², and so has each addition, in terms of the sizes of all
    /// terms so far. What underflows is below the least normal number, times the factors that follow.
    pub(crate) fn range(self) -> [f64; 2] {
        let value = self.sum.high;
        // The value is rounded, and so is the error itself.
        let error = 2.0 * self.error() + f64::EPSILON * value.abs();
        [value - error, value + error]
    }

    /// Bound of the error of the sum, but for rounding of the bound itself.
    fn error(self) -> f64 {
        const UNIT: f64 = f64::EPSILON * f64::EPSILON * 64.0;
        (self.terms + 4.0) * UNIT * self.size + f64::MIN_POSITIVE * self.above_one
    }

    /// Two numbers whose sum differs from the exact one by at most the third.
    pub(crate) fn parts(self) -> [f64; 3] {
        [self.sum.high, self.sum.low, 2.0 * self.error()]
    }

    /// The sum, rounded.
    pub(crate) fn value(self) -> f64 {
        self.sum.value()
    }

    /// The largest size the exact sum can have.
    pub(crate) fn largest(self) -> f64 {
        let [least, largest] = self.range();
        least.abs().max(largest.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_beyond_a_number_are_kept() {
        let tiny = 2f64.powi(-90);
        let sum = DoubleDouble::from(1.0) + DoubleDouble::from(tiny);
        assert_eq!((sum - DoubleDouble::from(1.0)).value(), tiny);
        let third = 1.0 / 3.0;
        let square = two_product(third, third);
        assert_eq!(square.high, third * third);
        assert!(square.low != 0.0);
    }

    #[test]
    fn the_range_of_a_sum_holds_its_exact_value() {
        // 1 + 2⁻¹⁰⁰ − 1 by products.
        let mut sum = BoundedSum::default();
        sum.add_product(&[1.0, 1.0, 1.0]);
        sum.add_product(&[2f64.powi(-50), 2f64.powi(-50)]);
        sum.add_product(&[-1.0]);
        let [least, largest] = sum.range();
        let exact = 2f64.powi(-100);
        assert!(least <= exact && exact <= largest);
        assert!(sum.largest() < 1e-28);
    }
}
