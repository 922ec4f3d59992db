//! Exact sums of products, as expansions of numbers that do not overlap (Shewchuk 1997), for the checker.

/// An exact number: the sum of its parts, the least first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exact(Vec<f64>);

impl Exact {
    pub(crate) fn of(value: f64) -> Self {
        Self(vec![value])
    }

    /// The product of some numbers.
    pub(crate) fn product(factors: &[f64]) -> Self {
        let mut product = Self::of(1.0);
        for &factor in factors {
            product = product.times(factor);
        }
        product
    }

    fn add_number(&mut self, value: f64) {
        let mut carried = value;
        let mut parts = Vec::with_capacity(self.0.len() + 1);
        for &part in &self.0 {
            let sum = carried + part;
            let virtual_part = sum - carried;
            let lost = (carried - (sum - virtual_part)) + (part - virtual_part);
            if lost != 0.0 {
                parts.push(lost);
            }
            carried = sum;
        }
        parts.push(carried);
        self.0 = parts;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for &part in &other.0 {
            self.add_number(part);
        }
    }

    /// Times a number, exactly: a fused multiplication gives what rounding took away.
    pub(crate) fn times(&self, factor: f64) -> Self {
        let mut product = Self::default();
        for &part in &self.0 {
            let high = part * factor;
            product.add_number(part.mul_add(factor, -high));
            product.add_number(high);
        }
        product
    }

    pub(crate) fn minus(mut self, other: &Self) -> Self {
        self.add(&other.times(-1.0));
        self
    }

    /// The number, rounded: the parts do not overlap, so that the largest has its sign and all but its last digit.
    pub(crate) fn value(&self) -> f64 {
        self.0.iter().sum()
    }
}

#[test]
fn nothing_is_lost() {
    let mut sum = Exact::of(1.0);
    sum.add(&Exact::product(&[2f64.powi(-300), 3.0, 1.0 / 3.0]));
    sum.add(&Exact::of(-1.0));
    assert_eq!(sum.value(), 2f64.powi(-300) * 3.0 * (1.0 / 3.0));
    let third = Exact::product(&[1.0 / 3.0, 3.0]);
    assert_eq!(third.minus(&Exact::of(1.0)).value(), -(2f64.powi(-54)));
}
