//! Spheres on a line in a viscous fluid, without inertia, and the continuum that many of them make.
//!
//! N + 1 spheres of radius ε, the first and the last of which do not move. With the gaps dᵢ = qᵢ − qᵢ₋₁ − 2 ε and the forces fᵢ on the spheres between them,
//!
//! ```text
//! (uᵢ₊₁ − uᵢ)/dᵢ₊₁ − (uᵢ − uᵢ₋₁)/dᵢ + fᵢ = 0
//! ```
//!
//! (Lefebvre 2007, chapter 6, with its lost equations 6.2 and 6.3). The continuum has −∂ₓ(∂ₓu/(1 − ρ)) = ρ f and ∂ₜρ + ∂ₓ(ρ u) = 0 for the solid fraction ρ.

use banquise_geometry::math::exp;

/// A chain of spheres.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Radius ε.
    pub radius: f64,
    /// Place of the first sphere, which does not move.
    pub first: f64,
    /// The gaps between neighbours, zero in packets of spheres that touch.
    pub gaps: Vec<f64>,
}

impl Chain {
    /// Centres of all spheres.
    pub fn centres(&self) -> Vec<f64> {
        let mut place = self.first;
        let rest = self.gaps.iter().map(|gap| {
            place += gap + 2.0 * self.radius;
            place
        });
        std::iter::once(self.first).chain(rest).collect()
    }

    /// Velocities of the spheres that move, under the forces on them, by the closed form 6.10 of the source. It holds for packets too.
    pub fn velocities(&self, forces: &[f64]) -> Vec<f64> {
        let mut sum = 0.0;
        let sums: Vec<f64> = self
            .gaps
            .iter()
            .map(|gap| {
                sum += gap;
                sum
            })
            .collect();
        let total = sum;
        let mut after: f64 = sums.iter().zip(forces).map(|(d, f)| (total - d) * f).sum();
        let mut before = 0.0;
        let each = sums.iter().zip(forces).map(|(d, f)| {
            before += d * f;
            after -= (total - d) * f;
            ((total - d) * before + d * after) / total
        });
        each.collect()
    }

    /// Velocities by elimination in the tridiagonal system; the gaps must be positive.
    pub fn velocities_by_elimination(&self, forces: &[f64]) -> Vec<f64> {
        let inverse: Vec<f64> = self.gaps.iter().map(|gap| 1.0 / gap).collect();
        let count = forces.len();
        let (mut pivots, mut right) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for row in 0..count {
            let (mut pivot, mut value) = (inverse[row] + inverse[row + 1], forces[row]);
            if row > 0 {
                let share = inverse[row] / pivots[row - 1];
                pivot -= share * inverse[row];
                value += share * right[row - 1];
            }
            pivots.push(pivot);
            right.push(value);
        }
        let mut velocities = vec![0.0; count];
        for row in (0..count).rev() {
            let next = velocities.get(row + 1).copied().unwrap_or(0.0);
            velocities[row] = (right[row] + inverse[row + 1] * next) / pivots[row];
        }
        velocities
    }

    /// Forces through the gaps, pulls positive: (uᵢ − uᵢ₋₁)/dᵢ, and in packets the force of cohesion that balances those on the spheres.
    pub fn gap_forces(&self, forces: &[f64]) -> Vec<f64> {
        let velocities = self.velocities(forces);
        let at = |sphere: usize| {
            let inner = sphere
                .checked_sub(1)
                .and_then(|index| velocities.get(index));
            inner.copied().unwrap_or(0.0)
        };
        // The widest gap has the least rounding; the others follow from the balance of each sphere.
        let widest = (0..self.gaps.len()).max_by(|&x, &y| self.gaps[x].total_cmp(&self.gaps[y]));
        let widest = widest.unwrap_or(0);
        let mut through = vec![0.0; self.gaps.len()];
        through[widest] = (at(widest + 1) - at(widest)) / self.gaps[widest];
        for gap in widest + 1..self.gaps.len() {
            through[gap] = through[gap - 1] - forces[gap - 1];
        }
        for gap in (0..widest).rev() {
            through[gap] = through[gap + 1] + forces[gap];
        }
        through
    }

    /// One step of the classical Runge–Kutta method of fourth order, under constant forces.
    pub fn step(&mut self, forces: &[f64], dt: f64) {
        let rates = |gaps: &[f64]| {
            let chain = Self {
                gaps: gaps.to_vec(),
                ..*self
            };
            let velocities = chain.velocities(forces);
            let ends = velocities.iter().copied().chain([0.0]);
            let mut last = 0.0;
            let changes = ends.map(|velocity| {
                let change = velocity - last;
                last = velocity;
                change
            });
            changes.collect::<Vec<f64>>()
        };
        let along = |rate: &[f64], time: f64| -> Vec<f64> {
            let both = self.gaps.iter().zip(rate);
            both.map(|(gap, rate)| gap + time * rate).collect()
        };
        let first = rates(&self.gaps);
        let second = rates(&along(&first, 0.5 * dt));
        let third = rates(&along(&second, 0.5 * dt));
        let fourth = rates(&along(&third, dt));
        for (index, gap) in self.gaps.iter_mut().enumerate() {
            let sum = first[index] + 2.0 * (second[index] + third[index]) + fourth[index];
            *gap += dt / 6.0 * sum;
        }
    }

    /// The chain after a time under constant forces, in closed form: each gap shrinks as the exponential of the impulse of the forces before it, and their sum stays.
    #[must_use]
    pub fn after(&self, forces: &[f64], time: f64) -> Self {
        let mut impulse = 0.0;
        let mut gaps = Vec::with_capacity(self.gaps.len());
        for (index, gap) in self.gaps.iter().enumerate() {
            if index > 0 {
                impulse += forces[index - 1] * time;
            }
            gaps.push(gap * exp(-impulse));
        }
        let total: f64 = self.gaps.iter().sum();
        let share = total / gaps.iter().sum::<f64>();
        for gap in &mut gaps {
            *gap *= share;
        }
        Self { gaps, ..*self }
    }
}

/// The continuum of a chain, in coordinates that move with the spheres: the solid length m before a place, and the gap length g = 1/ρ − 1 for each unit of it.
///
/// Under a constant force density f, ∂ₜg = g (C(t) − f m), with C such that the sum of all gaps stays.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuum {
    /// Place of the left end.
    pub first: f64,
    /// Solid length of a cell.
    pub cell: f64,
    /// Gap length of each cell, for each unit of solid length.
    pub gaps: Vec<f64>,
}

impl Continuum {
    /// The continuum after a time under the force density `force`.
    #[must_use]
    pub fn after(&self, force: f64, time: f64) -> Self {
        let total: f64 = self.gaps.iter().sum();
        let solid = |index: usize| (index as f64 + 0.5) * self.cell;
        let cells = self.gaps.iter().enumerate();
        let shrunk = cells.map(|(index, gap)| gap * exp(-force * solid(index) * time));
        let mut gaps: Vec<f64> = shrunk.collect();
        let share = total / gaps.iter().sum::<f64>();
        for gap in &mut gaps {
            *gap *= share;
        }
        Self { gaps, ..*self }
    }

    /// The places with so much solid length before them, which must grow.
    pub fn places(&self, solids: impl Iterator<Item = f64>) -> Vec<f64> {
        let (mut cell, mut place) = (0, self.first);
        let each = solids.map(|solid| {
            while cell + 1 < self.gaps.len() && (cell + 1) as f64 * self.cell <= solid {
                place += self.cell * (1.0 + self.gaps[cell]);
                cell += 1;
            }
            place + (solid - cell as f64 * self.cell) * (1.0 + self.gaps[cell])
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(count: usize) -> (Chain, Vec<f64>) {
        let wave = |index: usize, pace: f64| banquise_geometry::math::sin(pace * index as f64);
        let gaps = (0..count)
            .map(|index| 0.02 + 0.015 * wave(index, 1.7))
            .collect();
        let forces = (1..count).map(|index| 2.0 * wave(index, 0.9)).collect();
        let chain = Chain {
            radius: 0.01,
            first: 0.0,
            gaps,
        };
        (chain, forces)
    }

    fn largest(first: &[f64], second: &[f64]) -> f64 {
        let both = first.iter().zip(second);
        both.fold(0.0, |largest, (x, y)| largest.max((x - y).abs()))
    }

    #[test]
    fn the_closed_form_is_the_solution_of_the_tridiagonal_system() {
        let (chain, forces) = sample(200);
        let (closed, solved) = (
            chain.velocities(&forces),
            chain.velocities_by_elimination(&forces),
        );
        assert!(
            largest(&closed, &solved) < 1e-12,
            "{}",
            largest(&closed, &solved)
        );
    }

    #[test]
    fn gaps_under_constant_forces_have_a_closed_form() {
        let (mut chain, forces) = sample(40);
        let expected = chain.after(&forces, 0.5);
        for _ in 0..2000 {
            chain.step(&forces, 0.5 / 2000.0);
        }
        let total: f64 = chain.gaps.iter().sum();
        assert!(largest(&chain.gaps, &expected.gaps) < 1e-12);
        assert!((total - expected.gaps.iter().sum::<f64>()).abs() < 1e-14);
    }

    #[test]
    fn packets_move_as_one_and_cohere() {
        let (mut chain, forces) = sample(30);
        for gap in &mut chain.gaps[10..14] {
            *gap = 0.0;
        }
        let velocities = chain.velocities(&forces);
        for sphere in 10..14 {
            // Spheres 10 to 14, of which the gaps 11 to 14 are closed.
            assert!((velocities[sphere] - velocities[9]).abs() < 1e-14);
        }
        let through = chain.gap_forces(&forces);
        for (index, force) in forces.iter().enumerate() {
            assert!((through[index + 1] - through[index] + force).abs() < 1e-12);
        }
        for gap in (0..30).filter(|gap| chain.gaps[*gap] > 0.0) {
            let left = gap.checked_sub(1).map_or(0.0, |index| velocities[index]);
            let right = velocities.get(gap).copied().unwrap_or(0.0);
            let rate = (right - left) / chain.gaps[gap];
            assert!((rate - through[gap]).abs() < 1e-10);
        }
        let later = chain.after(&forces, 0.3);
        assert!(later.gaps[10..14].iter().all(|gap| *gap == 0.0));
    }

    #[test]
    fn an_even_chain_has_the_velocities_of_the_continuum() {
        // u = ρ (1 − ρ) x (1 − x)/2 on [0, 1] for a force density of one.
        let (count, fraction) = (50, 0.6);
        let spacing = 1.0 / f64::from(count);
        let radius = 0.5 * fraction * spacing;
        let chain = Chain {
            radius,
            first: 0.0,
            gaps: vec![spacing - 2.0 * radius; 50],
        };
        let forces = vec![2.0 * radius; 49];
        let velocities = chain.velocities(&forces);
        for (velocity, x) in velocities.iter().zip(&chain.centres()[1..]) {
            let expected = fraction * (1.0 - fraction) * x * (1.0 - x) / 2.0;
            assert!((velocity - expected).abs() < 1e-15, "{velocity} {expected}");
        }
    }
}
