//! A lattice struck on its left side by a mass or by another floe.

use banquise_geometry::DVec2;

use crate::budget::Budget;
use crate::contact::{Contact, Percussion};
use crate::error::{FractureError, positive, within};
use crate::lattice::Lattice;
use crate::network::Network;
use crate::run::{BreakRule, Happening, Integrator, Run, RunSettings};

/// What strikes the floe, moving in x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Striker {
    /// A point mass \[kg\] on the node nearest to the middle of the left side.
    Mass(f64),
    /// A floe of the same lattice, side to side: facing nodes of nearest y touch.
    Floe,
}

/// A floe as a lattice, and its blow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatticeImpact {
    /// The struck floe.
    pub lattice: Lattice,
    /// What strikes it.
    pub striker: Striker,
    /// Speed of the striker \[m s⁻¹\].
    pub speed: f64,
    /// Law of percussion.
    pub law: Percussion,
    /// Whether the corners of the far side are pinned.
    pub pinned: bool,
    /// Whether bonds break.
    pub breaks: bool,
    /// Time integration.
    pub integrator: Integrator,
    /// Duration \[s\].
    pub duration: f64,
}

/// What a blow does to a lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeResult {
    /// Nodes of the struck floe.
    pub nodes: usize,
    /// Nodes and bonds of all bodies.
    pub bonds: usize,
    /// Step \[s\].
    pub dt: f64,
    /// Budgets at the end.
    pub budget: Budget,
    /// Momentum at the start \[kg m s⁻¹\].
    pub initial_momentum: DVec2,
    /// Momentum at the end \[kg m s⁻¹\].
    pub momentum: DVec2,
    /// From the first impact to the last impact or contact force of the striker \[s\].
    pub contact_time: f64,
    /// Highest total force of sustained contact with the striker \[N\]; impacts have none.
    pub peak_force: f64,
    /// Impulse of the striker on the floe, impacts and sustained contact together \[N s\].
    pub impulse: f64,
    /// Bonds that broke.
    pub broken: usize,
    /// Time of the first break \[s\].
    pub first_break: Option<f64>,
    /// Connected pieces of the struck floe.
    pub pieces: usize,
}

/// Implicit step over the time a wave takes from node to node.
const IMPLICIT_STEP: f64 = 0.2;
/// Part of the stable step that the symplectic method takes.
const EXPLICIT_STEP: f64 = 0.5;
/// Steps of a run, at most.
const MAX_STEPS: f64 = 1e7;

impl LatticeImpact {
    /// Runs the blow.
    ///
    /// # Errors
    /// A value outside its range, or a run that failed.
    pub fn run(&self) -> Result<LatticeResult, FractureError> {
        positive("speed (m/s)", self.speed)?;
        positive("duration (s)", self.duration)?;
        let mut network = self.lattice.network()?;
        let nodes = network.places.len();
        if self.pinned {
            let half = 0.5 * self.lattice.side;
            for corner in [DVec2::new(half, -half), DVec2::new(half, half)] {
                let node = nearest(&network, nodes, corner);
                network.pinned[node] = true;
            }
        }
        let contacts = self.strike(&mut network, nodes)?;
        let mut velocity = vec![DVec2::ZERO; network.places.len()];
        velocity[nodes..].fill(DVec2::new(self.speed, 0.0));
        let ice = self.lattice.ice;
        let dt = match self.integrator {
            Integrator::Symplectic => EXPLICIT_STEP * network.stable_step(),
            Integrator::Implicit => IMPLICIT_STEP * self.lattice.spacing / ice.bar_speed(),
        };
        let steps = self.duration / dt;
        within(
            "duration over the step",
            "at most 1e7",
            0.0..=MAX_STEPS,
            steps,
        )?;
        let settings = RunSettings {
            integrator: self.integrator,
            dt,
            breaking: if self.breaks {
                BreakRule::Tension
            } else {
                BreakRule::Never
            },
        };
        let struck = contacts.len();
        self.watch(
            Run::try_new(network, contacts, velocity, settings)?,
            struck,
            nodes,
        )
    }

    /// Adds the striker, and says where it touches.
    fn strike(&self, network: &mut Network, nodes: usize) -> Result<Vec<Contact>, FractureError> {
        let half = 0.5 * self.lattice.side;
        match self.striker {
            Striker::Mass(mass) => {
                positive("mass of the striker (kg)", mass)?;
                let target = nearest(network, nodes, DVec2::new(-half, 0.0));
                let place = network.places[target] - DVec2::new(self.lattice.spacing, 0.0);
                let striker = network.add_node(place, mass);
                Ok(vec![Contact::new(
                    [striker, target],
                    DVec2::X,
                    0.0,
                    self.law,
                )])
            }
            Striker::Floe => {
                let mut floe = self.lattice.network()?;
                for place in &mut floe.places {
                    place.x -= 2.0 * half + self.lattice.spacing;
                }
                let first = network.append(&floe);
                Ok(self.facing(network, nodes, first))
            }
        }
    }

    /// Contacts between the left side of the target and the right side of the striker, the closest of them touching.
    fn facing(&self, network: &Network, nodes: usize, first: usize) -> Vec<Contact> {
        let places = &network.places;
        let band = 0.6 * self.lattice.spacing;
        let left = places[..nodes]
            .iter()
            .map(|p| p.x)
            .fold(f64::INFINITY, f64::min);
        let right = places[first..]
            .iter()
            .map(|p| p.x)
            .fold(f64::NEG_INFINITY, f64::max);
        let targets: Vec<usize> = (0..nodes).filter(|&n| places[n].x < left + band).collect();
        let strikers = (first..places.len()).filter(|&n| places[n].x > right - band);
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for striker in strikers {
            let apart = |n: &usize| (places[*n].y - places[striker].y).abs();
            let closest = targets.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
            pairs.extend(closest.map(|&target| [striker, target]));
        }
        let apart = |[striker, target]: [usize; 2]| places[target].x - places[striker].x;
        let least = pairs
            .iter()
            .map(|&p| apart(p))
            .fold(f64::INFINITY, f64::min);
        let contact =
            |&pair: &[usize; 2]| Contact::new(pair, DVec2::X, apart(pair) - least, self.law);
        pairs.iter().map(contact).collect()
    }

    fn watch(
        &self,
        mut run: Run,
        struck: usize,
        nodes: usize,
    ) -> Result<LatticeResult, FractureError> {
        let (mut contact_time, mut peak) = (0.0_f64, 0.0_f64);
        while run.state().time < self.duration {
            run.step()?;
            let force: f64 = run.contact_forces()[..struck].iter().sum();
            if force > 0.0 {
                contact_time = run.state().time;
            }
            peak = peak.max(force);
        }
        let is_strike = |what: &Happening| matches!(what, Happening::Impact { contact, .. } if *contact < struck);
        let strikes = run.events().iter().filter(|event| is_strike(&event.what));
        let contact_time = strikes.map(|event| event.time).fold(contact_time, f64::max);
        // The floe was at rest: what the striker had, less what it has.
        let striker = nodes..run.network().masses.len();
        let left: DVec2 = striker
            .map(|node| run.network().masses[node] * run.state().velocity[node])
            .sum();
        let impulse = (run.initial_momentum() - left).x;
        let breaks = run
            .events()
            .iter()
            .filter(|event| matches!(event.what, Happening::Break { .. }));
        Ok(LatticeResult {
            nodes,
            bonds: run.network().bonds.len(),
            dt: run.settings().dt,
            budget: *run.budget(),
            initial_momentum: run.initial_momentum(),
            momentum: run.momentum(),
            contact_time,
            peak_force: peak,
            impulse,
            broken: breaks.clone().count(),
            first_break: breaks.map(|event| event.time).next(),
            pieces: pieces(run.network(), nodes),
        })
    }
}

/// The node of the first `nodes` that is nearest to a point.
fn nearest(network: &Network, nodes: usize, point: DVec2) -> usize {
    let mut best = 0;
    for node in 1..nodes {
        if network.places[node].distance(point) < network.places[best].distance(point) {
            best = node;
        }
    }
    best
}

/// Connected pieces of the first `nodes` nodes, by union-find.
fn pieces(network: &Network, nodes: usize) -> usize {
    let mut parent: Vec<usize> = (0..nodes).collect();
    let mut count = nodes;
    for bond in network.bonds.iter().filter(|bond| bond.intact) {
        let [a, b] = bond.nodes;
        if a.max(b) >= nodes {
            continue;
        }
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        if a != b {
            parent[a.max(b)] = a.min(b);
            count -= 1;
        }
    }
    count
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
