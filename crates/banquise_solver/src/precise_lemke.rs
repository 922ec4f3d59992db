//! Lemke's method in double-double arithmetic, on a dense dictionary: for few contacts whose masses differ so much that pivots in plain numbers are
//! rounding. The problem is that of [`crate::friction_lcp`].

use crate::exact::DoubleDouble;
use crate::precise::PreciseProblem;
use crate::workspace::PooledVec;

/// A rate below this share of the largest is zero, and ratios that differ by less are tied: digits that the mass ratios met leave of 32.
const ZERO: f64 = 1e-20;
/// The artificial variable below this share of the largest constant is zero.
const ARTIFICIAL: f64 = 1e-18;
/// Pivots for each unknown.
const PIVOTS_PER_UNKNOWN: usize = 10;

/// A variable of the problem: w of an index, z of an index, or the artificial one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variable {
    W(usize),
    Z(usize),
    Artificial,
}

/// Basic variables as functions of the others: basic = constant + Σ rate · nonbasic.
struct Dictionary<'w> {
    size: usize,
    basic: Vec<Variable>,
    /// The others, the last one at first the artificial one.
    nonbasic: Vec<Variable>,
    constants: PooledVec<'w, DoubleDouble>,
    /// By rows, one entry for each nonbasic variable.
    rates: PooledVec<'w, DoubleDouble>,
}

/// Impulses that solve the problem, normal then tangential for each contact \[N s\]; `None` where the method ends in a ray or takes too long.
pub(crate) fn precise_lemke<'w>(
    problem: &PreciseProblem<'_, 'w>,
) -> Option<PooledVec<'w, DoubleDouble>> {
    let mut dictionary = Dictionary::of(problem);
    let size = dictionary.size;
    let values = |row: &usize| dictionary.constants[*row].value();
    let first = (0..size).min_by(|a, b| values(a).total_cmp(&values(b)))?;
    if values(&first) < 0.0 {
        let enough = ARTIFICIAL * -values(&first);
        let mut left = dictionary.pivot(first, size);
        let mut pivots = 0;
        while dictionary.artificial() > enough {
            pivots += 1;
            if pivots > PIVOTS_PER_UNKNOWN * size {
                return None;
            }
            let complement = match left {
                Variable::W(index) => Variable::Z(index),
                Variable::Z(index) => Variable::W(index),
                Variable::Artificial => return None,
            };
            let column = dictionary.nonbasic.iter().position(|v| *v == complement)?;
            let row = dictionary.leaving(column)?;
            left = dictionary.pivot(row, column);
        }
    }
    Some(dictionary.impulses(problem))
}

impl<'w> Dictionary<'w> {
    fn of(problem: &PreciseProblem<'_, 'w>) -> Self {
        let (context, count) = (problem.context, problem.problem.contacts.len());
        let size = 4 * count;
        let columns = size + 1;
        let nothing = context.filled(DoubleDouble::default(), 2 * count);
        let free = problem.point(nothing).velocity;
        let units = &problem.scaling.contacts;
        let speed = problem.scaling.velocity;
        let mut constants = context.filled(DoubleDouble::default(), size);
        let mut rates = context.filled(DoubleDouble::default(), size * columns);
        let one = DoubleDouble::from(1.0);
        for i in 0..count {
            let (forward, backward, slip) = (count + 2 * i, count + 2 * i + 1, 3 * count + i);
            for (j, _) in problem.local.delassus.row(i) {
                let block = problem.response_between(i, j);
                let unit = units[i] * units[j];
                let [normal, tangent] = block.map(|row| row.map(|entry| entry * unit));
                let (plus, minus) = (count + 2 * j, count + 2 * j + 1);
                for (row, sign, [n, t]) in [
                    (i, 1.0, normal),
                    (forward, 1.0, tangent),
                    (backward, -1.0, tangent),
                ] {
                    rates[row * columns + j] = n * sign;
                    rates[row * columns + plus] = t * sign;
                    rates[row * columns + minus] = t * -sign;
                }
            }
            let friction = problem.problem.contacts[i].friction;
            rates[forward * columns + slip] = one;
            rates[backward * columns + slip] = one;
            rates[slip * columns + i] = DoubleDouble::from(friction);
            rates[slip * columns + forward] = -one;
            rates[slip * columns + backward] = -one;
            let velocity = |u: DoubleDouble| u * (units[i] / speed);
            constants[i] = velocity(free[2 * i]);
            constants[forward] = velocity(free[2 * i + 1]);
            constants[backward] = -constants[forward];
            let prior = problem.prior_normal_impulse[i] * (1.0 / (units[i] * speed));
            constants[slip] = prior * friction;
        }
        for row in 0..size {
            rates[row * columns + size] = one;
        }
        let mut nonbasic: Vec<Variable> = (0..size).map(Variable::Z).collect();
        nonbasic.push(Variable::Artificial);
        Self {
            size,
            basic: (0..size).map(Variable::W).collect(),
            nonbasic,
            constants,
            rates,
        }
    }

    /// The artificial variable; zero where it is not basic.
    fn artificial(&self) -> f64 {
        let row = self.basic.iter().position(|v| *v == Variable::Artificial);
        row.map_or(0.0, |row| self.constants[row].value())
    }

    fn rate(&self, row: usize, column: usize) -> DoubleDouble {
        self.rates[row * (self.size + 1) + column]
    }

    /// Exchanges a basic variable for a nonbasic one; the one that left.
    fn pivot(&mut self, row: usize, column: usize) -> Variable {
        let columns = self.size + 1;
        let inverse = self.rate(row, column).inverse();
        // The entering variable as a function of the others.
        let mut own = self.rates[row * columns..(row + 1) * columns].to_vec();
        for rate in &mut own {
            *rate = -(*rate * inverse);
        }
        own[column] = inverse;
        let constant = -(self.constants[row] * inverse);
        for other in (0..self.size).filter(|&other| other != row) {
            let factor = self.rate(other, column);
            if factor.value() == 0.0 {
                continue;
            }
            let rates = &mut self.rates[other * columns..(other + 1) * columns];
            rates[column] = DoubleDouble::default();
            for (rate, own) in rates.iter_mut().zip(&own) {
                if own.value() != 0.0 {
                    *rate += factor * *own;
                }
            }
            self.constants[other] += factor * constant;
        }
        self.rates[row * columns..(row + 1) * columns].copy_from_slice(&own);
        self.constants[row] = constant;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        self.nonbasic[column]
    }

    /// The row whose variable first becomes zero as the variable of a column grows; ties are broken by the lexicographic rule. `None` for a ray.
    fn leaving(&self, column: usize) -> Option<usize> {
        let rates = (0..self.size).map(|row| self.rate(row, column).value().abs());
        let zero = ZERO * rates.fold(0.0, f64::max);
        let falling = (0..self.size).filter(|&row| self.rate(row, column).value() < -zero);
        let mut tied: Vec<usize> = falling.collect();
        self.keep_least(&mut tied, column, |row| self.constants[row]);
        // The artificial variable leaves as soon as it can: the basis then solves the problem.
        let is_artificial = |row: &&usize| self.basic[**row] == Variable::Artificial;
        if let Some(&row) = tied.iter().find(is_artificial) {
            return Some(row);
        }
        for index in 0..self.size {
            if tied.len() <= 1 {
                break;
            }
            let place = self.nonbasic.iter().position(|v| *v == Variable::W(index));
            self.keep_least(&mut tied, column, |row| match place {
                // The coefficient of a perturbation of the equation.
                Some(place) => -self.rate(row, place),
                None if self.basic[row] == Variable::W(index) => DoubleDouble::from(1.0),
                None => DoubleDouble::default(),
            });
        }
        tied.first().copied()
    }

    /// Keeps the rows whose ratio of a value to the rate at which they fall is least.
    fn keep_least(
        &self,
        rows: &mut Vec<usize>,
        column: usize,
        value: impl Fn(usize) -> DoubleDouble,
    ) {
        let ratio = |row: usize| (value(row) * -self.rate(row, column).inverse()).value();
        let ratios: Vec<f64> = rows.iter().map(|&row| ratio(row)).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = ratios
            .iter()
            .fold(0.0_f64, |max, ratio| max.max(ratio.abs()));
        let slack = ZERO * least.abs().max(ZERO * largest);
        let mut ratios = ratios.into_iter();
        rows.retain(|_| ratios.next().is_some_and(|ratio| ratio <= least + slack));
    }

    /// The impulses, in newton seconds.
    fn impulses(&self, problem: &PreciseProblem<'_, 'w>) -> PooledVec<'w, DoubleDouble> {
        let count = self.size / 4;
        let mut z = vec![DoubleDouble::default(); self.size];
        for (variable, constant) in self.basic.iter().zip(&self.constants) {
            if let Variable::Z(index) = variable {
                z[*index] = *constant;
            }
        }
        let contacts = 0..count;
        problem.context.collect(contacts.flat_map(|i| {
            let unit = problem.scaling.contacts[i] * problem.scaling.velocity;
            let tangent = z[count + 2 * i] - z[count + 2 * i + 1];
            [z[i] * unit, tangent * unit]
        }))
    }
}
