//! Watchdogs: what must hold after every step, and what happens where it does not.
//!
//! A state that is not finite, an unstable step and a step without length stop every run: the step itself sees them. Watchdogs compare the world
//! with its budgets, which no stage of a step does.

use banquise::{
    ContactLaw, ContactSettings, Flux, Meeting, ProjectionMethod, Simulation, StepReport, World,
    first_meeting_beyond,
};
use serde::{Deserialize, Serialize};

use crate::arguments::watch::{Policy, WatchArguments, Watched};

/// Steps between two exact tests of overlap, which cost about as much as a step.
const OVERLAP_EVERY: u64 = 256;
/// Error of a balance over all that went through it. Budgets close to 1e-12 in tests; a step that makes energy misses by far more than this.
const BALANCE: f64 = 1e-6;

impl Watched {
    const ALL: [Self; 5] = [
        Self::Energy,
        Self::Mass,
        Self::Overlap,
        Self::Step,
        Self::Solver,
    ];

    /// Name for users.
    fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Mass => "mass",
            Self::Overlap => "overlap",
            Self::Step => "step",
            Self::Solver => "solver",
        }
    }

    /// What happens where the user says nothing: numbers of the solver do not end a run, a state that is not physical does.
    fn default_policy(self) -> Policy {
        match self {
            Self::Energy | Self::Mass | Self::Overlap => Policy::Stop,
            Self::Step | Self::Solver => Policy::Continue,
        }
    }
}

/// The watchdogs of a run, with what they have seen. It is a part of checkpoints.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Watchdogs {
    policies: [Policy; 5],
    /// Shortest step that is no event \[s\].
    min_step: f64,
    /// Share of its radius by which a disc may overlap what it touches [–].
    disc_overlap: f64,
    /// Kinetic energy \[J\] and mass \[kg\] of the start, without what came and went since.
    start: [f64; 2],
    /// The largest energy that has gone through the balance \[J\]: what forces give and take back is no longer in their net work, but its rounding is.
    #[serde(default)]
    turnover: f64,
    /// Events that did not stop the run.
    counts: [u64; 5],
    /// The first of them.
    first: Option<String>,
}

/// Share of its radius by which a disc may overlap what it touches [–]. Coulomb's law keeps a gap; the other laws let discs touch, to the accuracy of their solvers:
/// 1e-6 with Newton's method, and 0.02 with Uzawa's, as in its source (Lefebvre 2007).
fn disc_overlap(contact: &ContactSettings) -> f64 {
    match (contact.law, contact.projection.method) {
        (ContactLaw::Coulomb, _) => 0.0,
        (_, ProjectionMethod::Newton) => 1e-6,
        (_, ProjectionMethod::Uzawa { .. }) => 0.02,
    }
}

impl Default for Watchdogs {
    fn default() -> Self {
        Self {
            policies: Watched::ALL.map(Watched::default_policy),
            min_step: 0.0,
            disc_overlap: 0.0,
            start: [0.0, 0.0],
            turnover: 0.0,
            counts: [0; 5],
            first: None,
        }
    }
}

impl Watchdogs {
    /// Those of a run that begins with this world.
    pub(crate) fn new(
        chosen: &[(Watched, Policy)],
        min_step: Option<f64>,
        simulation: &Simulation,
    ) -> Self {
        let mut watchdogs = Self {
            disc_overlap: disc_overlap(&simulation.settings.contact),
            start: rest(&simulation.world),
            ..Self::default()
        };
        watchdogs.change(chosen, min_step);
        watchdogs
    }

    /// Those of a variant that begins with this world: with the policies of its origin.
    pub(crate) fn branch(&self, simulation: &Simulation) -> Self {
        Self {
            policies: self.policies,
            min_step: self.min_step,
            ..Self::new(&[], None, simulation)
        }
    }

    /// Changes policies; those that are not named stay.
    pub(crate) fn choose(&mut self, arguments: &WatchArguments) {
        let min_step = arguments.min_step.map(|step| step.as_secs_f64());
        self.change(&arguments.watch, min_step);
    }

    fn change(&mut self, chosen: &[(Watched, Policy)], min_step: Option<f64>) {
        self.min_step = min_step.unwrap_or(self.min_step);
        for (watched, policy) in chosen {
            self.policies[*watched as usize] = *policy;
        }
    }

    /// Looks at the world after a step; the message of an event that stops the run.
    pub(crate) fn look(&mut self, world: &World, report: &StepReport) -> Result<(), String> {
        for watched in Watched::ALL {
            let policy = self.policies[watched as usize];
            if policy == Policy::Off {
                continue;
            }
            let Some(what) = self.event(watched, world, report) else {
                continue;
            };
            let message = format!(
                "step {} at {} s: {what}",
                report.step,
                world.clock.time - report.dt
            );
            if policy == Policy::Stop {
                return Err(message);
            }
            self.counts[watched as usize] += 1;
            self.first.get_or_insert(message);
        }
        Ok(())
    }

    fn event(&mut self, watched: Watched, world: &World, report: &StepReport) -> Option<String> {
        match watched {
            Watched::Energy => {
                let error = rest(world)[0] - self.start[0];
                self.turnover = self.turnover.max(turnover(world) + world.kinetic_energy());
                // Energy may vanish where a law takes it without an account; it may not come from nowhere.
                (error > BALANCE * self.turnover).then(|| {
                    format!(
                        "the floes have {error:.4e} J more than forces and contacts gave them, of {:.4e} J of kinetic energy",
                        world.kinetic_energy()
                    )
                })
            }
            Watched::Mass => {
                let error = rest(world)[1] - self.start[1];
                let scale = self.start[1].abs() + mass(world);
                (error.abs() > BALANCE * scale).then(|| {
                    format!("the mass of the floes is off by {error:.4e} kg of {scale:.4e} kg")
                })
            }
            Watched::Overlap => {
                if !report.step.is_multiple_of(OVERLAP_EVERY) {
                    return None;
                }
                let name = |row: usize| body_text(world, row);
                first_meeting_beyond(world, self.disc_overlap).map(|meeting| match meeting {
                    Meeting::Bodies(a, b) => format!("{} and {} overlap", name(a), name(b)),
                    Meeting::Wall(row) => format!("{} overlaps a wall", name(row)),
                })
            }
            Watched::Step => (report.dt < self.min_step).then(|| {
                format!("the step is {:?} s, and the least {:?} s", report.dt, self.min_step)
            }),
            Watched::Solver => (report.contact.budget_spent > 0).then(|| {
                format!(
                    "{} contact solve(s) reached the operation limit; the largest problem has {} contacts, the largest residual is {:.1e}",
                    report.contact.budget_spent, report.contact.largest, report.contact.residual
                )
            }),
        }
    }

    /// Events that did not stop the run, with the first of them; nothing where there was none.
    pub(crate) fn summary(&self) -> Option<String> {
        let counts: Vec<String> = Watched::ALL
            .iter()
            .zip(self.counts)
            .filter(|(_, count)| *count > 0)
            .map(|(watched, count)| format!("{} {count}", watched.name()))
            .collect();
        let first = self.first.as_ref()?;
        Some(format!(
            "watchdogs: {}; the first: {first}",
            counts.join(", ")
        ))
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
        let counts = Watched::ALL.iter().zip(self.counts);
        let counts = counts.map(|(watched, count)| (watched.name().to_owned(), count.into()));
        serde_json::Value::Object(counts.collect())
    }
}

/// Name or id of a body, with its place and velocity.
fn body_text(world: &World, row: usize) -> String {
    let bodies = &world.bodies;
    let name = match bodies.names()[row].as_str() {
        "" => bodies.ids()[row].to_string(),
        name => format!("`{name}`"),
    };
    let motion = bodies.motions()[row];
    let (place, velocity) = (motion.pose.position, motion.velocity.linear);
    format!(
        "{name} at ({:.3}, {:.3}) m with ({:.3}, {:.3}) m/s",
        place.x, place.y, velocity.x, velocity.y
    )
}

fn mass(world: &World) -> f64 {
    let masses = world.bodies.masses();
    world.floe_rows().map(|row| masses[row]).sum()
}

/// Kinetic energy \[J\] and mass \[kg\] without what forces, contacts, and floes that came and went have added since the start: both stay as they are.
fn rest(world: &World) -> [f64; 2] {
    let (net_mass, _, net_energy) = world.budget.exchange.net();
    let energy = world.kinetic_energy() - world.budget.work() - net_energy;
    [energy, mass(world) - net_mass]
}

/// All energy that went through the balance \[J\].
fn turnover(world: &World) -> f64 {
    let budget = &world.budget;
    let forces: f64 = budget.forces.iter().map(|account| account.work.abs()).sum();
    let contact = &budget.contact;
    let losses = [
        contact.normal_loss,
        contact.tangent_loss,
        contact.crushing_loss,
        contact.fracture_loss,
        contact.push_gain,
        contact.work,
    ];
    let exchange = &budget.exchange;
    let fluxes: [&Flux; 5] = [
        &exchange.entered,
        &exchange.left,
        &exchange.replaced,
        &exchange.pieces,
        &exchange.crushed,
    ];
    let fluxes: f64 = fluxes.iter().map(|flux| flux.energy.abs()).sum();
    forces + losses.iter().map(|loss| loss.abs()).sum::<f64>() + fluxes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::find;
    use banquise::{NoTimer, Velocity};
    use std::ops::ControlFlow;

    /// Looks after each of some steps, with something done to the world before the look.
    fn watched(
        chosen: &[(Watched, Policy)],
        min_step: Option<f64>,
        disturb: impl Fn(&mut Simulation, u64),
    ) -> (Result<(), String>, Watchdogs) {
        let mut simulation = find("three-discs", &[]).unwrap().run.simulation;
        let mut watchdogs = Watchdogs::new(chosen, min_step, &simulation);
        let mut seen = Ok(());
        for step in 0..40 {
            let mut last = None;
            let stepped = simulation.advance_to(f64::MAX, &mut NoTimer, &mut |_, report| {
                last = Some(report.clone());
                ControlFlow::Break(())
            });
            assert!(stepped.unwrap().is_break());
            disturb(&mut simulation, step);
            seen = watchdogs.look(&simulation.world, &last.unwrap());
            if seen.is_err() {
                break;
            }
        }
        (seen, watchdogs)
    }

    #[test]
    fn a_sound_run_has_no_event() {
        let (seen, watchdogs) = watched(&[], None, |_, _| {});
        assert_eq!(seen, Ok(()));
        assert_eq!(watchdogs.summary(), None);
    }

    #[test]
    fn energy_from_nowhere_stops_the_run_or_is_counted() {
        let faster = |simulation: &mut Simulation, step: u64| {
            if step == 5 {
                let velocity = simulation.world.bodies.motions()[0].velocity;
                let faster = Velocity {
                    linear: velocity.linear + banquise_geometry::DVec2::X * 0.1,
                    ..velocity
                };
                simulation.world.bodies.set_velocity(0, faster);
            }
        };
        let (seen, _) = watched(&[], None, faster);
        let message = seen.unwrap_err();
        assert!(
            message.starts_with("step 5 at ") && message.contains(" J more than"),
            "{message}"
        );
        let (seen, watchdogs) = watched(&[(Watched::Energy, Policy::Continue)], None, faster);
        assert_eq!(seen, Ok(()));
        assert_eq!(watchdogs.counts[0], 35);
        assert!(watchdogs.summary().unwrap().contains("energy 35"));
    }

    #[test]
    fn a_state_that_is_not_finite_is_told_with_its_body_and_values() {
        let mut simulation = find("three-discs", &[]).unwrap().run.simulation;
        let velocity = simulation.world.bodies.motions()[1].velocity;
        let broken = Velocity {
            linear: banquise_geometry::DVec2::new(f64::NAN, 2.0),
            ..velocity
        };
        simulation.world.bodies.set_velocity(1, broken);
        let stepped =
            simulation.advance_to(
                f64::MAX,
                &mut NoTimer,
                &mut |_, _| ControlFlow::Continue(()),
            );
        let message = stepped.unwrap_err().to_string();
        assert!(
            message.starts_with("step 0 at 0 s: the state is not finite: ")
                && message.contains(" m with (NaN, "),
            "{message}"
        );
    }

    #[test]
    fn short_steps_are_counted() {
        let (seen, watchdogs) = watched(&[], Some(1e9), |_, _| {});
        assert_eq!(seen, Ok(()));
        assert_eq!(watchdogs.counts[3], 40);
    }
}
