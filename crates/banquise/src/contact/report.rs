//! Statistics of contacts.

use std::ops::AddAssign;

use banquise_solver::{ImpactReport, Method, RowCounts, SolverStatistics};

use crate::stored::stored_structs;

/// Statistics of contacts, in a step or since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactReport {
    /// Contacts found.
    pub contacts: u64,
    /// Islands: connected components of the contact graph.
    pub islands: u64,
    /// Islands in which bodies approached: impacts solved.
    pub impacts: u64,
    /// Impacts of bodies that rest on each other and are pressed together by forces, without a collision.
    pub pressed: u64,
    /// Contacts in the islands whose impacts were solved.
    pub impact_contacts: u64,
    /// Friction problems solved by each method, in the order of [`Method::ALL`].
    pub methods: [u64; Method::ALL.len()],
    /// Work of the solvers, and the rows of their policy that were tried and taken.
    pub solver: SolverStatistics,
    /// Pivots of Lemke's method.
    pub pivots: u64,
    /// Rounds of the active mode.
    pub rounds: u64,
    /// Largest number of contacts solved together.
    pub largest: usize,
    /// Largest scaled residual.
    pub residual: f64,
    /// Friction problems without a solution: relaxed ones, and at least one where an impact is not solved.
    pub unsolved: u64,
    /// Solves whose budget of work or memory was spent.
    pub budget_spent: u64,
    /// Impacts that were proved to have no solution, among those unsolved.
    pub infeasible: u64,
    /// Impacts whose energy would have grown, ended by reflecting the compression.
    pub reflections: u64,
    /// Impacts whose energy would have grown, ended with less restitution.
    pub reductions: u64,
    /// Impacts in which the active mode reached its limit of rounds.
    pub given_up: u64,
    /// Sum of the normal impulses [N s].
    pub normal_impulse: f64,
    /// Optimistic steps that were repeated with the guaranteed bound.
    pub rollbacks: u64,
    /// Fixed steps that had to be shortened.
    pub shortened: u64,
    /// Islands in which bodies too close to each other were pushed apart.
    pub pushed_apart: u64,
    /// Pairs of bodies, or of a body and a wall, that came into contact having been apart.
    pub collisions: u64,
    /// Contacts of laws without friction that began to hold.
    pub sticks: u64,
    /// Contacts of laws without friction that took off.
    pub take_offs: u64,
    /// Islands whose bounds contradicted each other and were met in least squares.
    pub regularised: u64,
    /// Largest gap that opened in a step at a contact that held \[m\].
    pub gap_drift: f64,
    /// Joints that formed between floes.
    pub bonds_formed: u64,
    /// Joints that broke.
    pub bonds_broken: u64,
}

impl ContactReport {
    /// Adds an impact.
    pub(crate) fn add_impact(&mut self, report: &ImpactReport) {
        self.impacts += 1;
        self.impact_contacts += report.impulses.len() as u64;
        for (sum, count) in self.methods.iter_mut().zip(report.methods) {
            *sum += count;
        }
        self.pivots += report.pivots;
        self.rounds += report.rounds;
        self.largest = self.largest.max(report.largest);
        self.residual = self.residual.max(report.residual);
        self.unsolved += report.unsolved;
        self.budget_spent += u64::from(report.budget_spent);
        self.infeasible += report.infeasible;
        self.reflections += report.reflections;
        self.reductions += report.reductions;
        self.given_up += u64::from(report.gave_up);
        self.normal_impulse += report
            .impulses
            .iter()
            .map(|impulse| impulse[0])
            .sum::<f64>();
    }
}

impl AddAssign for ContactReport {
    fn add_assign(&mut self, other: Self) {
        self.contacts += other.contacts;
        self.islands += other.islands;
        self.impacts += other.impacts;
        self.pressed += other.pressed;
        self.impact_contacts += other.impact_contacts;
        for (sum, count) in self.methods.iter_mut().zip(other.methods) {
            *sum += count;
        }
        self.solver += &other.solver;
        self.pivots += other.pivots;
        self.rounds += other.rounds;
        self.largest = self.largest.max(other.largest);
        self.residual = self.residual.max(other.residual);
        self.unsolved += other.unsolved;
        self.budget_spent += other.budget_spent;
        self.infeasible += other.infeasible;
        self.reflections += other.reflections;
        self.reductions += other.reductions;
        self.given_up += other.given_up;
        self.normal_impulse += other.normal_impulse;
        self.rollbacks += other.rollbacks;
        self.shortened += other.shortened;
        self.pushed_apart += other.pushed_apart;
        self.collisions += other.collisions;
        self.sticks += other.sticks;
        self.take_offs += other.take_offs;
        self.regularised += other.regularised;
        self.gap_drift = self.gap_drift.max(other.gap_drift);
        self.bonds_formed += other.bonds_formed;
        self.bonds_broken += other.bonds_broken;
    }
}

stored_structs! {
    ContactReport {
        contacts, islands, impacts, pressed, impact_contacts, methods, solver, pivots, rounds, largest, residual, unsolved,
        budget_spent, infeasible, reflections, reductions, given_up, normal_impulse, rollbacks, shortened, pushed_apart,
        collisions, sticks, take_offs, regularised, gap_drift, bonds_formed, bonds_broken,
    }
    SolverStatistics {
        rows, sweeps, factorisations, paths_tried, paths_followed, operations, most_operations,
    }
    RowCounts { tried, taken }
}
