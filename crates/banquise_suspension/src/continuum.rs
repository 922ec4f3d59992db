//! A chain of spheres beside its continuum, for a given solid fraction and force density.
//!
//! The continuum has −∂ₓ(∂ₓu/(1 − ρ)) = ρ f and ∂ₜρ + ∂ₓ(ρ u) = 0 on [0, 1], with u = 0 at both ends. In the coordinate m that moves with the matter, dm = ρ dx, the
//! gap length for each unit of solid length is g = 1/ρ − 1, the stress s = ∂ₓu/(1 − ρ) has ∂ₘs = −f, and ∂ₜg = g s. Where ρ = 1, g = 0 stays zero: a packet, which moves as
//! one and in which s is the force of cohesion. The chain has the same form with finite spheres, on which the force is that on their solid length (Lefebvre 2007, chapter 6).

use std::f64::consts::TAU;

use banquise_geometry::math::{cos, sin};

use crate::chain::Chain;

/// Solid fraction at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolidFraction {
    /// ρ = 0.55 + 0.25 cos 2πx.
    Smooth,
    /// ρ = 0.4, and 1 on [0.3, 0.45] and on [0.7, 0.8].
    Packets,
}

impl SolidFraction {
    /// ρ at a place.
    pub fn at(self, x: f64) -> f64 {
        match self {
            Self::Smooth => 0.55 + 0.25 * cos(TAU * x),
            Self::Packets if is_packed(x) => 1.0,
            Self::Packets => 0.4,
        }
    }

    /// Solid length before a place.
    pub fn solid_before(self, x: f64) -> f64 {
        match self {
            Self::Smooth => 0.55 * x + 0.25 * sin(TAU * x) / TAU,
            Self::Packets => {
                let packed: f64 = PACKETS
                    .iter()
                    .map(|&[from, to]| x.clamp(from, to) - from)
                    .sum();
                0.4 * x + 0.6 * packed
            }
        }
    }

    /// The place with so much solid length before it.
    fn place(self, solid: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        // One more than the bits of a double.
        for _ in 0..54 {
            let middle = 0.5 * (low + high);
            if self.solid_before(middle) < solid {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

/// Where the packets are at the start.
const PACKETS: [[f64; 2]; 2] = [[0.3, 0.45], [0.7, 0.8]];

fn is_packed(x: f64) -> bool {
    PACKETS.iter().any(|&[from, to]| x > from && x < to)
}

/// Force density.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForceDensity {
    /// f = 1: to the right.
    Even,
    /// f = sin 2πx: to the middle.
    Gather,
    /// f = −sin 2πx: to the ends.
    Part,
}

impl ForceDensity {
    /// f at a place.
    pub fn at(self, x: f64) -> f64 {
        match self {
            Self::Even => 1.0,
            Self::Gather => sin(TAU * x),
            Self::Part => -sin(TAU * x),
        }
    }

    /// ∫ f from one place to another.
    fn between(self, from: f64, to: f64) -> f64 {
        match self {
            Self::Even => to - from,
            Self::Gather => (cos(TAU * from) - cos(TAU * to)) / TAU,
            Self::Part => (cos(TAU * to) - cos(TAU * from)) / TAU,
        }
    }
}

/// A chain, or a continuum cut into cells of equal solid length, at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Matter {
    /// Solid length of a sphere or of a cell.
    pub solid: f64,
    /// Gap lengths.
    pub gaps: Vec<f64>,
    /// Whether these are spheres, whose centres are at the ends of the gaps; cells have their gap spread over them.
    pub is_chain: bool,
    force: ForceDensity,
}

/// Gaps that are smaller than this are those of a packet: rounding of places.
const PACKED: f64 = 1e-13;

impl Matter {
    /// The chain of `count` gaps, and as many spheres and one, the first and the last of which have their centres at the ends.
    pub fn chain(fraction: SolidFraction, force: ForceDensity, count: usize) -> Self {
        Self::cut(fraction, force, count, true)
    }

    /// The continuum, cut into cells.
    pub fn continuum(fraction: SolidFraction, force: ForceDensity, cells: usize) -> Self {
        Self::cut(fraction, force, cells, false)
    }

    fn cut(fraction: SolidFraction, force: ForceDensity, count: usize, is_chain: bool) -> Self {
        let solid = fraction.solid_before(1.0) / count as f64;
        let mut last = 0.0;
        let gaps = (1..=count).map(|index| {
            let place = if index == count {
                1.0
            } else {
                fraction.place(index as f64 * solid)
            };
            let gap = place - last - solid;
            last = place;
            if gap < PACKED { 0.0 } else { gap }
        });
        Self {
            solid,
            gaps: gaps.collect(),
            is_chain,
            force,
        }
    }

    /// Places between the gaps: the inner centres, or the ends of the inner cells.
    pub fn places(&self) -> Vec<f64> {
        places(&self.gaps, self.solid)
    }

    /// Forces at the inner places: on a sphere ∫ f over its diameter, and on a cell's end f times the solid length that is nearer to it than to others.
    fn forces(&self, gaps: &[f64]) -> Vec<f64> {
        let half = 0.5 * self.solid;
        let of = |x: f64| {
            if self.is_chain {
                self.force.between(x - half, x + half)
            } else {
                self.solid * self.force.at(x)
            }
        };
        places(gaps, self.solid).into_iter().map(of).collect()
    }

    /// Velocities of the inner places.
    pub fn velocities(&self) -> Vec<f64> {
        self.as_chain(&self.gaps)
            .velocities(&self.forces(&self.gaps))
    }

    /// Stresses through the gaps, pulls positive; in packets forces of cohesion.
    pub fn stresses(&self) -> Vec<f64> {
        self.as_chain(&self.gaps)
            .gap_forces(&self.forces(&self.gaps))
    }

    fn as_chain(&self, gaps: &[f64]) -> Chain {
        Chain {
            radius: 0.5 * self.solid,
            first: 0.0,
            gaps: gaps.to_vec(),
        }
    }

    /// One step of the classical Runge–Kutta method for ln of the gaps, whose rates are the stresses: gaps stay positive, and those of packets zero.
    fn step(&mut self, dt: f64) {
        let rates = |gaps: &[f64]| self.as_chain(gaps).gap_forces(&self.forces(gaps));
        let along = |rate: &[f64], time: f64| -> Vec<f64> {
            let both = self.gaps.iter().zip(rate);
            both.map(|(gap, rate)| gap * banquise_geometry::math::exp(time * rate))
                .collect()
        };
        let first = rates(&self.gaps);
        let second = rates(&along(&first, 0.5 * dt));
        let third = rates(&along(&second, 0.5 * dt));
        let fourth = rates(&along(&third, dt));
        let sums = first.iter().zip(&second).zip(&third).zip(&fourth);
        let sums = sums.map(|(((a, b), c), d)| (a + 2.0 * (b + c) + d) / 6.0);
        let mut gaps = along(&sums.collect::<Vec<f64>>(), dt);
        // Their sum stays, but for the error of the step.
        let share = self.gaps.iter().sum::<f64>() / gaps.iter().sum::<f64>();
        for gap in &mut gaps {
            *gap *= share;
        }
        self.gaps = gaps;
    }

    /// Goes on for a time, in steps.
    pub fn advance(&mut self, time: f64, steps: usize) {
        for _ in 0..steps {
            self.step(time / steps as f64);
        }
    }

    /// Ranges of gaps that are closed.
    pub fn packets(&self) -> Vec<std::ops::Range<usize>> {
        let mut start = 0;
        let runs = self.gaps.chunk_by(|x, y| (*x > 0.0) == (*y > 0.0));
        let ranges = runs.map(|run| {
            start += run.len();
            (run[0], start - run.len()..start)
        });
        ranges
            .filter(|(gap, _)| *gap == 0.0)
            .map(|(_, range)| range)
            .collect()
    }
}

fn places(gaps: &[f64], solid: f64) -> Vec<f64> {
    let mut place = 0.0;
    let all = gaps[..gaps.len() - 1].iter().map(|gap| {
        place += gap + solid;
        place
    });
    all.collect()
}

/// Differences between a chain and its continuum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Spheres that move, and one.
    pub count: usize,
    /// Largest difference of the velocities at the start.
    pub velocity: f64,
    /// Largest difference of the places after the time.
    pub place: f64,
}

/// A chain and its continuum after a time.
#[derive(Debug, Clone, PartialEq)]
pub struct SideBySide {
    /// The chain.
    pub chain: Matter,
    /// The continuum, in many cells for each sphere.
    pub continuum: Matter,
    /// How far they are apart.
    pub difference: Difference,
}

/// Cells of the continuum for each gap of the chain, and the least number of cells.
const CELLS: usize = 8;
const LEAST_CELLS: usize = 6400;

/// Runs a chain of `count` gaps and its continuum for a time.
pub fn side_by_side(
    fraction: SolidFraction,
    force: ForceDensity,
    count: usize,
    time: f64,
) -> SideBySide {
    let mut chain = Matter::chain(fraction, force, count);
    let cells = CELLS.max(LEAST_CELLS.div_ceil(count));
    let mut continuum = Matter::continuum(fraction, force, cells * count);
    let largest = |one: &[f64], many: &[f64]| {
        let same = many.iter().skip(cells - 1).step_by(cells);
        let both = one.iter().zip(same);
        both.fold(0.0_f64, |largest, (x, y)| largest.max((x - y).abs()))
    };
    let velocity = largest(&chain.velocities(), &continuum.velocities());
    // Rates of ln g are of the order of one; fourth order leaves far less than the difference.
    let steps = (40.0 * time).ceil().max(1.0) as usize;
    chain.advance(time, steps);
    continuum.advance(time, steps);
    let place = largest(&chain.places(), &continuum.places());
    SideBySide {
        chain,
        continuum,
        difference: Difference {
            count,
            velocity,
            place,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// u of the continuum at the start by quadrature in x, for a constant force density: u = ∫ (1 − ρ)(C − m) dx.
    fn by_quadrature(fraction: SolidFraction, x: f64) -> f64 {
        let sum = |end: f64, weight: &dyn Fn(f64) -> f64| {
            let count = 20_000;
            let step = end / f64::from(count);
            let each = (0..count).map(|index| step * (f64::from(index) + 0.5));
            each.map(|x| step * (1.0 - fraction.at(x)) * weight(x))
                .sum::<f64>()
        };
        let solid = |x: f64| fraction.solid_before(x);
        let constant = sum(1.0, &solid) / sum(1.0, &|_| 1.0);
        sum(x, &|x| constant - solid(x))
    }

    #[test]
    fn the_continuum_has_the_velocities_of_its_equation() {
        for fraction in [SolidFraction::Smooth, SolidFraction::Packets] {
            let matter = Matter::continuum(fraction, ForceDensity::Even, 4000);
            let (places, velocities) = (matter.places(), matter.velocities());
            for index in [500, 1500, 3000] {
                let expected = by_quadrature(fraction, places[index]);
                let found = velocities[index];
                assert!((found - expected).abs() < 2e-6, "{found} {expected}");
            }
        }
    }

    #[test]
    fn an_upwind_scheme_transports_the_same_matter() {
        // ρ on a fixed grid, velocities by quadrature of the flux: first order, so 1 %.
        let (cells, time, steps) = (1000, 2.0, 400);
        let width = 1.0 / cells as f64;
        let start = SolidFraction::Smooth;
        let edge = |index: usize| start.solid_before(index as f64 * width);
        let mut solids: Vec<f64> = (0..cells).map(|i| edge(i + 1) - edge(i)).collect();
        for _ in 0..steps {
            let (mut before, mut forces, mut spaces) = (0.0, Vec::new(), Vec::new());
            for solid in &solids {
                forces.push(before + 0.5 * solid);
                spaces.push(width - solid);
                before += solid;
            }
            let pushed: f64 = forces.iter().zip(&spaces).map(|(f, s)| f * s).sum();
            let constant = pushed / spaces.iter().sum::<f64>();
            let mut velocity = 0.0;
            let mut velocities = vec![0.0];
            for (force, space) in forces.iter().zip(&spaces) {
                velocity += space * (constant - force);
                velocities.push(velocity);
            }
            let flux = |face: usize| {
                let from = if velocities[face] > 0.0 {
                    face - 1
                } else {
                    face
                };
                velocities[face] * solids.get(from).copied().unwrap_or(0.0) / width
            };
            let dt = time / f64::from(steps);
            let fluxes: Vec<f64> = (0..=cells)
                .map(|face| {
                    if face == 0 || face == cells {
                        0.0
                    } else {
                        flux(face)
                    }
                })
                .collect();
            for (index, solid) in solids.iter_mut().enumerate() {
                *solid += dt * (fluxes[index] - fluxes[index + 1]);
            }
        }
        let mut matter = Matter::continuum(start, ForceDensity::Even, 2000);
        matter.advance(time, 100);
        let places = matter.places();
        for index in [400, 1000, 1600] {
            let (mut before, x) = (0.0, places[index - 1]);
            let mut cell = 0;
            while (cell + 1) as f64 * width < x {
                before += solids[cell];
                cell += 1;
            }
            before += solids[cell] * (x - cell as f64 * width) / width;
            let expected = index as f64 * matter.solid;
            assert!((before - expected).abs() < 2e-3, "{before} {expected}");
        }
    }

    #[test]
    fn chains_converge_to_the_continuum() {
        let error = |count: usize, force: ForceDensity| {
            side_by_side(SolidFraction::Smooth, force, count, 1.0).difference
        };
        for force in [ForceDensity::Even, ForceDensity::Gather, ForceDensity::Part] {
            let (coarse, fine) = (error(50, force), error(100, force));
            let orders = [coarse.velocity / fine.velocity, coarse.place / fine.place];
            for order in orders.map(f64::log2) {
                assert!((1.8..2.3).contains(&order), "{force:?}: {order}");
            }
        }
    }

    #[test]
    fn packets_stay_and_cohere() {
        let both = side_by_side(SolidFraction::Packets, ForceDensity::Part, 200, 3.0);
        for matter in [&both.chain, &both.continuum] {
            assert_eq!(matter.packets().len(), 2);
            let (stresses, velocities) = (matter.stresses(), matter.velocities());
            for packet in matter.packets() {
                let own = &velocities[packet.start.max(1) - 1..packet.end];
                assert!(own.iter().all(|u| (u - own[0]).abs() < 1e-12));
                assert!(stresses[packet].iter().all(|s| s.is_finite()));
            }
            let total: f64 = matter.gaps.iter().sum();
            let solid = matter.solid * matter.gaps.len() as f64;
            assert!((total + solid - 1.0).abs() < 1e-11);
        }
    }
}
