//! The three-floe case as the source's program computes it, errors included.
//!
//! Restated from its behaviour. Time goes in steps of 0.012. Floes move uniformly until two facing discs
//! overlap on the grid. Then, again and again: (1) every floe is propagated on its own for 2000 steps, as if nothing
//! struck it; (2) each floe of more than three nodes breaks at the first step at which its elastic energy without one of its inner
//! springs, with the tenacity times that spring's rest length, is less than its elastic energy *at the step where the search
//! began* (energies of different times, either sign of strain); (3) the history is cut there, and the floe
//! stays broken even if (4) a pair of discs overlaps earlier, which cuts the history two steps before the overlap. The impact
//! uses the impulse law with the springs' share over 0.01, and from the hundredth impact of a pair on, speeds by their absolute values
//! with ε = 1. Each cut sets the clock back by one step.
//!
//! [`crate::run`] treats the same floes with contacts and energies of one instant.

use banquise_geometry::DVec2;

use crate::chain::Chain;
use crate::contact::{Contact, Percussion, strike};
use crate::error::FractureError;
use crate::network::Network;
use crate::run::{Run, RunSettings};

/// Duration of the case on the source's clock, about.
pub const END: f64 = 28.96;

/// Step of the grid.
const DT: f64 = 0.012;
/// Steps before the first contact, and of each propagation.
const BEFORE: usize = 500;
const AHEAD: usize = 2000;
/// Radius of the discs, restitution and assumed duration of an impact.
const RADIUS: f64 = 0.25;
const RESTITUTION: f64 = 0.75;
const DURATION: f64 = 0.01;
/// Impacts of a pair after which speeds are reset by their absolute values.
const MANY_IMPACTS: u32 = 100;
/// Floes of at most this many nodes never break.
const SMALLEST: usize = 3;

/// A break of the source's program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SourceBreak {
    /// Time on its clock.
    pub time: f64,
    /// The floe that broke, in the order of their making.
    pub floe: usize,
    /// The spring, counted in the floe.
    pub spring: usize,
}

/// What the source's program finds.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceResult {
    /// Breaks in the order found; a later one may have cut the history before an earlier one.
    pub breaks: Vec<SourceBreak>,
    /// Time, momentum and kinetic energy at the end.
    pub time: f64,
    /// Momentum at the end; −10.02 at the start.
    pub momentum: f64,
    /// Kinetic energy at the end; 47.478 at the start.
    pub kinetic: f64,
}

#[derive(Debug, Clone)]
struct Floe {
    first: usize,
    nodes: usize,
    mass: f64,
    stiffness: f64,
    dashpot: f64,
    tenacity: f64,
    spacing: f64,
}

impl Floe {
    fn last(&self) -> usize {
        self.first + self.nodes - 1
    }
}

/// Positions and velocities at a step.
type Row = (Vec<f64>, Vec<f64>);

struct Program {
    floes: Vec<Floe>,
    reference: Vec<f64>,
    times: Vec<f64>,
    rows: Vec<Row>,
    now: Row,
    /// Step from which each pair (by its left node) is searched for overlaps.
    contacts_from: Vec<usize>,
    fractures_from: Vec<usize>,
    impacts: Vec<u32>,
    breaks: Vec<SourceBreak>,
}

/// Starts the case with complementary contact and bonds that break by the energy of one instant.
///
/// A bond holds until ½ k δ² reaches the tenacity times its rest length; the end springs never break.
///
/// # Errors
/// A step that makes no sense.
pub fn three_floes_corrected(settings: RunSettings) -> Result<Run, FractureError> {
    let (mut network, mut velocity) = (Network::default(), Vec::new());
    let mut contacts = Vec::new();
    let Program { floes, now, .. } = Program::new();
    for floe in &floes {
        let chain = Chain {
            from: now.0[floe.first],
            to: now.0[floe.last()],
            nodes: floe.nodes,
            mass: floe.mass,
            stiffness: floe.stiffness,
            dashpot: floe.dashpot,
            surface_energy: floe.tenacity * floe.spacing,
        };
        let mut chain = chain.network()?;
        chain.bonds[0].surface_energy = f64::INFINITY;
        chain.bonds[floe.nodes - 2].surface_energy = f64::INFINITY;
        let first = network.append(&chain);
        velocity.extend((floe.first..=floe.last()).map(|node| DVec2::new(now.1[node], 0.0)));
        if first > 0 {
            let gap = now.0[first] - now.0[first - 1] - 2.0 * RADIUS;
            let law = Percussion::Complementarity {
                restitution: RESTITUTION,
            };
            contacts.push(Contact::new([first - 1, first], DVec2::X, gap, law));
        }
    }
    Run::try_new(network, contacts, velocity, settings)
}

/// Runs the case: 7, 5 and 5 nodes, the first floe from the left at 2.2, the others from the right at 1.8 and 2.
pub fn three_floes() -> SourceResult {
    let mut program = Program::new();
    program.approach();
    while program.times.len() <= BEFORE + AHEAD {
        program.propagate();
        for floe in 0..program.floes.len() {
            program.search_fracture(floe);
        }
        program.search_contacts();
        let contacts = program.contacts_from.iter().copied().min().unwrap_or(0);
        program.contacts_from.fill(contacts);
        let fractures = program.fractures_from.iter().copied().min().unwrap_or(0);
        program.fractures_from.fill(fractures.min(contacts));
    }
    program.result()
}

impl Program {
    fn new() -> Self {
        let floe = |first, nodes, length: f64, mass, stiffness, dashpot, tenacity| Floe {
            first,
            nodes,
            mass,
            stiffness,
            dashpot,
            tenacity,
            spacing: length / (nodes - 1) as f64,
        };
        let floes = vec![
            floe(0, 7, 10.0, 1.2, 7.0, 0.5, 0.1),
            floe(7, 5, 10.0, 1.5, 16.0, 2.0, 18.0),
            floe(12, 5, 12.0, 1.5, 8.0, 2.0, 6.0),
        ];
        let starts = [(0.0, 2.2), (50.0 / 1.5 - 10.0, -1.8), (38.0, -2.0)];
        let (mut reference, mut velocity) = (Vec::new(), Vec::new());
        for (floe, (start, speed)) in floes.iter().zip(starts) {
            for node in 0..floe.nodes {
                reference.push(start + floe.spacing * node as f64);
                velocity.push(speed);
            }
        }
        let nodes = reference.len();
        Self {
            now: (reference.clone(), velocity),
            floes,
            reference,
            times: Vec::new(),
            rows: Vec::new(),
            contacts_from: vec![0; nodes],
            fractures_from: Vec::new(),
            impacts: vec![0; nodes],
            breaks: Vec::new(),
        }
    }

    /// Uniform motion until the first overlap.
    fn approach(&mut self) {
        for step in 0..=BEFORE {
            let time = DT * step as f64;
            let (place, velocity) = &self.now;
            let moved = place.iter().zip(velocity).map(|(x, v)| x + v * time);
            self.rows.push((moved.collect(), velocity.clone()));
            self.times.push(time);
        }
        // The search stops at the first pair that overlaps at any time; later pairs are searched from the start later on.
        for node in 0..self.reference.len() {
            if self.search_contact(node) {
                break;
            }
        }
        self.fractures_from = vec![self.times.len(); self.floes.len()];
    }

    /// Appends the motion of every floe on its own, from the present state.
    fn propagate(&mut self) {
        let start = self.times.last().copied().unwrap_or(0.0);
        let steps: Vec<Vec<Vec<f64>>> = self.floes.iter().map(propagator).collect();
        let mut row = self.now.clone();
        for step in 0..=AHEAD {
            self.times.push(start + DT * step as f64);
            self.rows.push(row.clone());
            for (floe, matrix) in self.floes.iter().zip(&steps) {
                let range = floe.first..=floe.last();
                let displaced = range.clone().map(|i| row.0[i] - self.reference[i]);
                let state: Vec<f64> = displaced.chain(range.map(|i| row.1[i])).collect();
                for (index, coefficients) in matrix.iter().enumerate() {
                    let value: f64 = coefficients.iter().zip(&state).map(|(a, b)| a * b).sum();
                    let node = floe.first + index % floe.nodes;
                    if index < floe.nodes {
                        row.0[node] = self.reference[node] + value;
                    } else {
                        row.1[node] = value;
                    }
                }
            }
        }
    }

    /// Elastic energies of the springs of a floe at a step.
    fn springs(&self, floe: &Floe, step: usize) -> Vec<f64> {
        let place = &self.rows[step].0;
        let energy = |i: usize| {
            let elongation = place[i + 1] - place[i] - floe.spacing;
            0.5 * floe.stiffness * elongation * elongation
        };
        (floe.first..floe.last()).map(energy).collect()
    }

    fn search_fracture(&mut self, index: usize) {
        let floe = self.floes[index].clone();
        let size = self.times.len();
        let from = self.fractures_from[index];
        if floe.nodes <= SMALLEST {
            self.fractures_from[index] = size;
            return;
        }
        let old: f64 = if from < size {
            self.springs(&floe, from).iter().sum()
        } else {
            0.0
        };
        for step in from + 1..size {
            let springs = self.springs(&floe, step);
            let total: f64 = springs.iter().sum();
            let inner = 1..floe.nodes - 2;
            let (spring, taken) = inner.map(|i| (i, springs[i])).fold((0, -1.0), |best, one| {
                if one.1 > best.1 { one } else { best }
            });
            if total - taken + floe.tenacity * floe.spacing < old {
                self.split(index, spring, step);
                return;
            }
        }
        self.fractures_from[index] = size;
    }

    fn split(&mut self, index: usize, spring: usize, step: usize) {
        self.breaks.push(SourceBreak {
            time: self.times[step],
            floe: index,
            spring,
        });
        let right = Floe {
            first: self.floes[index].first + spring + 1,
            nodes: self.floes[index].nodes - spring - 1,
            ..self.floes[index].clone()
        };
        self.floes[index].nodes = spring + 1;
        self.floes.push(right);
        self.now = self.rows[step].clone();
        self.times.truncate(step + 1);
        self.rows.truncate(step + 1);
        self.fractures_from[index] = step + 1;
        self.fractures_from.push(step + 1);
    }

    fn search_contacts(&mut self) {
        for floe in 0..self.floes.len() {
            for node in self.floes[floe].first..=self.floes[floe].last() {
                self.search_contact(node);
            }
        }
    }

    /// Looks for the first overlap of a node with its right neighbour of another floe.
    fn search_contact(&mut self, left: usize) -> bool {
        let size = self.times.len();
        let sides = [left, left + 1].map(|node| {
            let holds = |floe: &&Floe| (floe.first..=floe.last()).contains(&node);
            self.floes.iter().find(holds).cloned()
        });
        if let [Some(a), Some(b)] = sides
            && a.first != b.first
        {
            for step in self.contacts_from[left]..size {
                let place = &self.rows[step].0;
                if place[left] + RADIUS > place[left + 1] - RADIUS {
                    self.contacts_from[left] = step;
                    self.impact(left, step, &a, &b);
                    return true;
                }
            }
        }
        self.contacts_from[left] = size;
        false
    }

    /// Goes back to the step before the overlap and strikes the nodes.
    fn impact(&mut self, left: usize, step: usize, a: &Floe, b: &Floe) {
        let kept = step.saturating_sub(1);
        self.now = self.rows[kept].clone();
        self.times.truncate(kept);
        self.rows.truncate(kept);
        self.impacts[left] += 1;
        let (place, velocity) = &mut self.now;
        let right = left + 1;
        let forces = [
            a.stiffness * (a.spacing - (place[left] - place[left - 1])),
            b.stiffness * (place[right + 1] - place[right] - b.spacing),
        ];
        let before = [velocity[left], velocity[right]];
        let masses = [a.mass, b.mass];
        let share = forces.map(|force| DURATION * force);
        let mut after = strike(masses, before, RESTITUTION, share).velocities;
        if self.impacts[left] > MANY_IMPACTS {
            self.impacts[left] = MANY_IMPACTS;
            let [v, w] = strike(masses, before, 1.0, [0.0; 2]).velocities;
            after = [-v.abs(), w.abs()];
        }
        (velocity[left], velocity[right]) = (after[0], after[1]);
    }

    fn result(&self) -> SourceResult {
        let last = (BEFORE + AHEAD + 1).min(self.times.len() - 1);
        let velocity = &self.rows[last].1;
        let masses = self
            .floes
            .iter()
            .flat_map(|floe| (floe.first..=floe.last()).map(|node| (floe.mass, velocity[node])));
        SourceResult {
            breaks: self.breaks.clone(),
            time: self.times[last],
            momentum: masses.clone().map(|(m, v)| m * v).sum(),
            kinetic: masses.map(|(m, v)| 0.5 * m * v * v).sum(),
        }
    }
}

/// Terms of the exponential series of a step: k DT²/m is 2e-3, so the last is far below rounding.
const TERMS: usize = 16;

/// Exact propagator of a chain over one step, on displacements then velocities.
fn propagator(floe: &Floe) -> Vec<Vec<f64>> {
    let n = floe.nodes;
    let mut rate = vec![vec![0.0; 2 * n]; 2 * n];
    for node in 0..n {
        rate[node][n + node] = 1.0;
        for other in [node.wrapping_sub(1), node + 1] {
            if other < n {
                rate[n + node][other] += floe.stiffness / floe.mass;
                rate[n + node][node] -= floe.stiffness / floe.mass;
                rate[n + node][n + other] += floe.dashpot / floe.mass;
                rate[n + node][n + node] -= floe.dashpot / floe.mass;
            }
        }
    }
    let identity = |i: usize| (0..2 * n).map(|j| f64::from(u8::from(i == j))).collect();
    let mut term: Vec<Vec<f64>> = (0..2 * n).map(identity).collect();
    let mut sum = term.clone();
    for order in 1..=TERMS {
        let factor = DT / order as f64;
        let times = |row: &Vec<f64>| -> Vec<f64> {
            (0..2 * n)
                .map(|j| factor * row.iter().zip(&rate).map(|(a, r)| a * r[j]).sum::<f64>())
                .collect()
        };
        term = term.iter().map(times).collect();
        for (sum, term) in sum.iter_mut().zip(&term) {
            for (sum, term) in sum.iter_mut().zip(term) {
                *sum += term;
            }
        }
    }
    sum
}
