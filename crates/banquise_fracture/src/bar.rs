//! A bar of ice struck at its end by another.
//!
//! In the continuum a striker of length `L_s` at speed v sends a wave of stress ρ c v/2 into a target of the
//! same ice. The bars part after 2 min(`L_s`, `L_t`)/c. The wave that the far end reflects meets its tail at the plane
//! min(`L_s`, `L_t`) from the rear of the longer bar at (`L_s` + `L_t`)/c: there the ice is first in tension.
//! Equal bars exchange velocities, and neither is ever in tension.

use banquise_geometry::DVec2;

use crate::chain::bar;
use crate::contact::{Contact, Percussion};
use crate::error::{FractureError, positive, within};
use crate::ice::Ice;
use crate::run::{BreakRule, Happening, Integrator, Run, RunSettings};

/// Two bars of the same ice; the first strikes the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarImpact {
    /// The ice of both.
    pub ice: Ice,
    /// Length of the striker \[m\].
    pub striker_length: f64,
    /// Length of the target \[m\].
    pub length: f64,
    /// Speed of the striker \[m s⁻¹\].
    pub speed: f64,
    /// Nodes of the target.
    pub nodes: usize,
    /// Dashpots, μ over √(k m) \[1\].
    pub damping: f64,
    /// Whether bonds break by the Griffith bond rule.
    pub breaks: bool,
}

/// Dashpots that cut the overshoot of a lumped chain (37 %, at any spacing) to 1 %: μ over √(k m).
pub const DAMPING: f64 = 0.1;

impl Default for BarImpact {
    fn default() -> Self {
        Self {
            ice: Ice::default(),
            striker_length: 50.0,
            length: 100.0,
            speed: 0.2,
            nodes: 801,
            damping: DAMPING,
            breaks: false,
        }
    }
}

/// Which of both bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The bar that moves at first.
    Striker,
    /// The bar at rest.
    Target,
}

/// Where and when ice is first in tension of half the wave's amplitude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tension {
    /// Time \[s\].
    pub time: f64,
    /// Distance from the far end of the bar \[m\].
    pub from_rear: f64,
    /// The bar.
    pub bar: Which,
}

/// A bond that broke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrokenBond {
    /// Time \[s\].
    pub time: f64,
    /// Distance from the far end of the bar \[m\].
    pub from_rear: f64,
    /// The bar.
    pub bar: Which,
}

/// What an impact of bars does.
#[derive(Debug, Clone, PartialEq)]
pub struct BarResult {
    /// From the impact to the last contact stress above half the wave's amplitude \[s\].
    pub contact_time: f64,
    /// Mean contact stress over the middle half of the contact \[Pa\].
    pub stress: f64,
    /// First tension, if there is any.
    pub first_tension: Option<Tension>,
    /// Relative velocity of the centres of mass after over before \[1\].
    pub restitution: f64,
    /// Highest tension \[Pa\].
    pub highest_tension: f64,
    /// Contact impulse for a unit of section \[N s m⁻²\].
    pub impulse: f64,
    /// Error of the energy budget over the initial energy \[1\].
    pub energy_error: f64,
    /// Bonds that broke, in order.
    pub broken: Vec<BrokenBond>,
}

/// Stress along both bars in time.
#[derive(Debug, Clone, PartialEq)]
pub struct StressHistory {
    /// Edges of the columns \[m\], from the rear of the striker to that of the bar; the impact is at 0.
    pub edges: Vec<f64>,
    /// Times of the rows \[s\].
    pub times: Vec<f64>,
    /// Mean stress of each column at each time, positive in tension \[Pa\]; not a number where a column has no bond.
    pub stress: Vec<Vec<f64>>,
    /// Contact stress at the same times \[Pa\].
    pub contact: Vec<f64>,
}

impl StressHistory {
    fn new(impact: &BarImpact, columns: usize) -> Self {
        let whole = impact.striker_length + impact.length;
        let edge = |k: usize| whole * k as f64 / columns as f64 - impact.striker_length;
        Self {
            edges: (0..=columns).map(edge).collect(),
            times: Vec::new(),
            stress: Vec::new(),
            contact: Vec::new(),
        }
    }

    /// Adds the present stresses.
    fn add(&mut self, run: &Run) {
        let network = run.network();
        let columns = self.edges.len() - 1;
        let (start, width) = (self.edges[0], self.edges[1] - self.edges[0]);
        let mut sums = vec![[0.0; 2]; columns];
        for bond in &network.bonds {
            let [i, j] = bond.nodes;
            let middle = 0.5 * (network.places[i].x + network.places[j].x);
            let column = (((middle - start) / width) as usize).min(columns - 1);
            // A broken bond bears nothing.
            if bond.intact {
                let elongation = network.elongation(bond, &run.state().displacement);
                sums[column][0] += bond.stiffness * elongation;
            }
            sums[column][1] += 1.0;
        }
        self.times.push(run.state().time);
        self.contact.push(run.contact_forces()[0]);
        self.stress
            .push(sums.iter().map(|[sum, count]| sum / count).collect());
    }
}

/// Part of the stable step that is used: the error of the dispersion is that of the chain itself.
const STEP: f64 = 0.5;
/// The run ends at this multiple of the time of the first tension.
const END: f64 = 1.5;
/// Elements of a bar, at most: the cost grows with their square, and these take a minute.
const MAX_ELEMENTS: usize = 20_000;
/// Elements of a bar, at least.
const LEAST_ELEMENTS: usize = 4;
/// How many times fewer elements the coarsest of the runs has from which results are extrapolated.
const COARSEST: usize = 4;

impl BarImpact {
    /// Refuses what makes no sense.
    ///
    /// # Errors
    /// Lengths, speeds or numbers of nodes outside their range.
    pub fn check(&self) -> Result<(), FractureError> {
        self.ice.check()?;
        positive("length of the striker (m)", self.striker_length)?;
        positive("length of the bar (m)", self.length)?;
        positive("speed (m/s)", self.speed)?;
        within("damping", "between 0 and 2", 0.0..=2.0, self.damping)?;
        let most = MAX_ELEMENTS as f64;
        within(
            "nodes",
            "between 5 and 20000",
            5.0..=most,
            self.nodes as f64,
        )?;
        self.check_striker()?;
        let strain = self.speed / self.ice.bar_speed();
        within("speed over the wave speed", "below 0.5", 0.0..=0.5, strain)?;
        Ok(())
    }

    /// Refuses a striker that the nodes do not resolve, or only with too many of its own.
    fn check_striker(&self) -> Result<(), FractureError> {
        within(
            "length of the striker over that of an element of the bar",
            "at most 20000",
            0.0..=MAX_ELEMENTS as f64,
            self.striker_elements(self.nodes - 1),
        )?;
        if self.striker_elements(self.nodes - 1) >= 1.0 {
            return Ok(());
        }
        // One element of a millimetre beside ones of a metre would need a thousand times as many steps.
        Err(FractureError::ShortStriker {
            length: self.striker_length,
            element: self.length / (self.nodes - 1) as f64,
            nodes: (self.length / self.striker_length).ceil() + 1.0,
            most: MAX_ELEMENTS,
        })
    }

    /// Elements of the striker where the bar has so many.
    fn striker_elements(&self, elements: usize) -> f64 {
        self.striker_length / self.length * elements as f64
    }

    /// Whether the coarsest of the runs of [`Self::extrapolated`] resolves the striker and the wave of tension, which is as long as the bars differ.
    pub fn can_extrapolate(&self) -> bool {
        let coarsest = ((self.nodes.max(1) - 1) / COARSEST).max(LEAST_ELEMENTS);
        let element = self.length / coarsest as f64;
        let tension = (self.length - self.striker_length).abs();
        self.striker_length >= element && (tension == 0.0 || tension >= element)
    }

    /// Stress ρ c v/2 of the wave \[Pa\].
    pub fn wave_stress(&self) -> f64 {
        0.5 * self.ice.density * self.ice.bar_speed() * self.speed
    }

    /// What the impact does in the continuum, in closed form.
    pub fn exact(&self) -> BarResult {
        let c = self.ice.bar_speed();
        let short = self.striker_length.min(self.length);
        let long = self.striker_length.max(self.length);
        let tension = (short < long).then(|| Tension {
            time: (short + long) / c,
            from_rear: short,
            bar: if self.striker_length < self.length {
                Which::Target
            } else {
                Which::Striker
            },
        });
        let stress = self.wave_stress();
        BarResult {
            contact_time: 2.0 * short / c,
            stress,
            first_tension: tension,
            restitution: short / long,
            highest_tension: if tension.is_some() { stress } else { 0.0 },
            impulse: stress * 2.0 * short / c,
            energy_error: 0.0,
            broken: Vec::new(),
        }
    }

    /// Elements of the striker and of the bar.
    fn elements(&self) -> [usize; 2] {
        let target = self.nodes - 1;
        let striker = self.striker_length / self.length * target as f64;
        [striker.round().max(1.0) as usize, target]
    }

    /// Runs the impact of the two chains.
    ///
    /// # Errors
    /// What [`Self::check`] refuses, or a run that failed.
    pub fn run(&self) -> Result<BarResult, FractureError> {
        let run = self.start()?;
        self.watch(run, &mut |_| {})
    }

    /// Runs the impact, and keeps stresses in so many columns at so many times, evenly spaced.
    ///
    /// # Errors
    /// What [`Self::check`] refuses, or a run that failed.
    pub fn run_with_history(
        &self,
        columns: usize,
        rows: usize,
    ) -> Result<(BarResult, StressHistory), FractureError> {
        let run = self.start()?;
        // A column narrower than a bond has none.
        let bonds: usize = self.elements().iter().sum();
        let mut history = StressHistory::new(self, columns.clamp(1, bonds));
        let interval = self.end() / rows.max(1) as f64;
        let result = self.watch(run, &mut |run| {
            if run.state().time >= (history.times.len() + 1) as f64 * interval {
                history.add(run);
            }
        })?;
        Ok((result, history))
    }

    /// When the run ends \[s\].
    fn end(&self) -> f64 {
        END * (self.striker_length + self.length) / self.ice.bar_speed()
    }

    /// Both bars at the moment of the impact.
    fn start(&self) -> Result<Run, FractureError> {
        self.check()?;
        let [striker, target] = self.elements();
        let ice = self.ice;
        let mut network = bar(
            ice,
            -self.striker_length,
            self.striker_length,
            striker,
            self.damping,
        )?;
        let first = network.append(&bar(ice, 0.0, self.length, target, self.damping)?);
        let law = Percussion::Complementarity { restitution: 0.0 };
        let contact = Contact::new([first - 1, first], DVec2::X, 0.0, law);
        let mut velocity = vec![DVec2::ZERO; network.places.len()];
        velocity[..first].fill(DVec2::new(self.speed, 0.0));
        let settings = RunSettings {
            integrator: Integrator::Symplectic,
            dt: STEP * network.stable_step(),
            breaking: if self.breaks {
                BreakRule::Tension
            } else {
                BreakRule::Never
            },
        };
        Run::try_new(network, vec![contact], velocity, settings)
    }

    fn watch(
        &self,
        mut run: Run,
        observe: &mut dyn FnMut(&Run),
    ) -> Result<BarResult, FractureError> {
        let first = self.elements()[0] + 1;
        let end = self.end();
        let half = 0.5 * self.wave_stress();
        let mut forces: Vec<[f64; 2]> = Vec::new();
        let bonds = run.network().bonds.len();
        let mut before = vec![0.0; bonds];
        let mut crossing: Vec<Option<f64>> = vec![None; bonds];
        let (mut highest, mut impulse) = (0.0_f64, 0.0);
        while run.state().time < end {
            let start = run.state().time;
            run.step()?;
            observe(&run);
            let time = run.state().time;
            let force = run.contact_forces()[0];
            impulse += force * (time - start);
            forces.push([time, force]);
            let network = run.network();
            for (index, bond) in network.bonds.iter().enumerate().filter(|(_, b)| b.intact) {
                let stress = bond.stiffness * network.elongation(bond, &run.state().displacement);
                highest = highest.max(stress);
                if stress >= half && crossing[index].is_none() {
                    let part = (half - before[index]) / (stress - before[index]);
                    crossing[index] = Some(start + part * (time - start));
                }
                before[index] = stress;
            }
        }
        let (contact_time, stress) = contact_of(&forces, half);
        let velocity = |from: usize, to: usize| {
            let range = from..to;
            let mass: f64 = run.network().masses[range.clone()].iter().sum();
            let nodes = range.map(|node| run.network().masses[node] * run.state().velocity[node].x);
            nodes.sum::<f64>() / mass
        };
        let nodes = run.network().places.len();
        let broken = run.events().iter().filter_map(|event| match event.what {
            Happening::Break { bond, .. } => {
                let (bar, from_rear) = self.place(&run, bond, first);
                let time = event.time;
                Some(BrokenBond {
                    time,
                    from_rear,
                    bar,
                })
            }
            Happening::Impact { .. } | Happening::Release { .. } => None,
        });
        Ok(BarResult {
            contact_time,
            stress,
            first_tension: self.first_tension(&run, &crossing, first),
            restitution: (velocity(first, nodes) - velocity(0, first)) / self.speed,
            highest_tension: highest,
            impulse,
            energy_error: run.budget().energy_error(),
            broken: broken.collect(),
        })
    }

    /// Bar of a bond, and distance of its middle from the rear of that bar \[m\].
    fn place(&self, run: &Run, bond: usize, first: usize) -> (Which, f64) {
        let [i, j] = run.network().bonds[bond].nodes;
        let middle = 0.5 * (run.network().places[i].x + run.network().places[j].x);
        if j < first {
            (Which::Striker, middle + self.striker_length)
        } else {
            (Which::Target, self.length - middle)
        }
    }

    fn first_tension(&self, run: &Run, crossing: &[Option<f64>], first: usize) -> Option<Tension> {
        let times = crossing.iter().enumerate();
        let timed = times.filter_map(|(bond, time)| time.map(|time| (bond, time)));
        let (bond, time) = timed.reduce(|a, b| if b.1 < a.1 { b } else { a })?;
        let (bar, from_rear) = self.place(run, bond, first);
        Some(Tension {
            time,
            from_rear,
            bar,
        })
    }

    /// Runs at a quarter and half of the nodes and at all of them, and extrapolates to a spacing of zero. Where a quarter of them
    /// [does not resolve the waves](Self::can_extrapolate), the run at all of them stands.
    ///
    /// The dashpots smear a front over √(distance × spacing), so errors fall with the square root of the
    /// spacing; Aitken's rule finds the order from the three runs. Where they do not form a geometric sequence, the finest stands.
    ///
    /// # Errors
    /// What [`Self::check`] refuses, or a run that failed.
    pub fn extrapolated(&self) -> Result<BarResult, FractureError> {
        self.check()?;
        if !self.can_extrapolate() {
            return self.run();
        }
        let elements = self.nodes - 1;
        let runs = [COARSEST, 2, 1].map(|part| {
            let nodes = (elements / part).max(LEAST_ELEMENTS) + 1;
            Self { nodes, ..*self }.run()
        });
        let [coarse, middle, fine] = runs;
        let (coarse, middle, fine) = (coarse?, middle?, fine?);
        let value =
            |read: &dyn Fn(&BarResult) -> f64| aitken(read(&coarse), read(&middle), read(&fine));
        let tension = match (
            coarse.first_tension,
            middle.first_tension,
            fine.first_tension,
        ) {
            (Some(a), Some(b), Some(c)) => Some(Tension {
                time: aitken(a.time, b.time, c.time),
                from_rear: aitken(a.from_rear, b.from_rear, c.from_rear),
                ..c
            }),
            (_, _, last) => last,
        };
        Ok(BarResult {
            contact_time: value(&|r| r.contact_time),
            stress: value(&|r| r.stress),
            first_tension: tension,
            restitution: value(&|r| r.restitution),
            impulse: value(&|r| r.impulse),
            ..fine
        })
    }
}

/// Limit of a sequence whose differences shrink by a constant factor between 0.05 and 0.9, else its last value.
fn aitken(a: f64, b: f64, c: f64) -> f64 {
    let ratio = (c - b) / (b - a);
    if (0.05..0.9).contains(&ratio) {
        c + (c - b) * ratio / (1.0 - ratio)
    } else {
        c
    }
}

/// Duration of a contact, and its mean stress over the middle half.
fn contact_of(forces: &[[f64; 2]], half: f64) -> (f64, f64) {
    let last = forces.iter().rposition(|[_, force]| *force > half);
    let Some(last) = last else { return (0.0, 0.0) };
    let end = match forces.get(last + 1) {
        Some([time, force]) => {
            let [t, f] = forces[last];
            t + (time - t) * (f - half) / (f - force)
        }
        None => forces[last][0],
    };
    let middle = forces
        .iter()
        .filter(|[t, _]| (0.25 * end..=0.75 * end).contains(t));
    let (sum, count) = middle.fold((0.0, 0.0), |(sum, count), [_, f]| (sum + f, count + 1.0));
    (
        end,
        if count > 0.0 {
            sum / count
        } else {
            forces[last][1]
        },
    )
}
