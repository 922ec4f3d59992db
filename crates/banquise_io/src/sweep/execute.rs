//! One member, from its scenario to its curves.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use banquise::{NoTimer, RunState, StepError, StopFlag, World};
use serde::{Deserialize, Serialize};

use super::measures::read_all;
use super::members::{Attempt, MemberFailure, MemberResult, SweepError, with_member};
use super::study::{Member, Study};
use crate::checkpoint::{Checkpoint, Header, fingerprint};
use crate::plan::{Plan, PreparedRun};
use crate::recording::{RecorderPosition, record_times};

/// What a member does between two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Goes on.
    GoOn,
    /// Writes a checkpoint and goes on.
    Checkpoint,
    /// Writes a checkpoint and stops.
    Stop,
}

/// What is measured until now: a part of checkpoints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Measured {
    times: Vec<f64>,
    /// One list for each measure.
    values: Vec<Vec<Option<f64>>>,
}

/// Runs a member of a study in the folder of its sweep, unless it is done or someone else runs it. `pause` is asked after each step;
/// `stop` breaks solves off.
///
/// # Errors
/// When the system refuses; a member that fails is a result.
pub fn run_member(
    sweep: &Path,
    study: &Study,
    member: &Member,
    version: &str,
    stop: &StopFlag,
    pause: &mut dyn FnMut(&World) -> Pause,
) -> Result<Attempt, SweepError> {
    let blank = MemberResult::new(&member.id, version, &member.overrides);
    with_member(sweep, blank, |folder, blank| {
        let started = Instant::now();
        let mut run = Run::begin(folder, study, member, version)?;
        run.prepared.simulation.stop_on(stop);
        run.carry_out(folder, study, pause)?;
        let world = &run.prepared.simulation.world;
        let names = study.measures.iter().map(|measure| measure.name.clone());
        let curves: BTreeMap<_, _> = names.zip(run.measured.values).collect();
        Ok(MemberResult {
            state_hash: Some(format!("{:016x}", world.state_hash())),
            steps: world.clock.step,
            times: run.measured.times,
            curves,
            wall_s: started.elapsed().as_secs_f64(),
            ..blank
        })
    })
}

/// A member that runs.
struct Run {
    prepared: PreparedRun,
    measured: Measured,
    header: Header,
}

impl Run {
    /// From its checkpoint, or from the start where there is none that can be used.
    fn begin(
        folder: &Path,
        study: &Study,
        member: &Member,
        version: &str,
    ) -> Result<Self, MemberFailure> {
        let plan = || {
            // The report's snapshots are not looked at, and may lie beyond a shorter run.
            let mut overrides = member.overrides.clone();
            overrides.push("report.snapshots=[]".into());
            Plan::of(&study.scenario, &overrides)
                .map_err(|error| MemberFailure::Member(error.render(false)))
        };
        let found = resumed(folder, plan()?, study, version);
        let (prepared, measured) = match found {
            Some(found) => found,
            None => {
                let built = plan()?.build();
                let prepared = built.map_err(|error| MemberFailure::Member(error.render(false)))?;
                (prepared, Measured::default())
            }
        };
        let header = Header {
            program: version.to_owned(),
            name: study.scenario.name.clone(),
            folder: study.scenario.folder.clone(),
            scenario: prepared.scenario.clone(),
            overrides: prepared.overrides.clone(),
            fingerprint: fingerprint(&prepared.simulation),
            state_hash: String::new(),
            time: 0.0,
            steps: 0,
            recorder: RecorderPosition::default(),
            extra: serde_json::Value::Null,
        };
        Ok(Self {
            prepared,
            measured,
            header,
        })
    }

    /// Steps and measures until the end.
    fn carry_out(
        &mut self,
        folder: &Path,
        study: &Study,
        pause: &mut dyn FnMut(&World) -> Pause,
    ) -> Result<(), MemberFailure> {
        if self.measured.times.is_empty() {
            self.measure(study);
        }
        let done = self.measured.times.len() - 1;
        let times = record_times(self.prepared.duration, self.prepared.record_every);
        for time in times.skip(done) {
            loop {
                let mut asked = Pause::GoOn;
                let simulation = &mut self.prepared.simulation;
                let advanced = simulation.advance_to(time, &mut NoTimer, &mut |world, _| {
                    asked = pause(world);
                    match asked {
                        Pause::GoOn => ControlFlow::Continue(()),
                        Pause::Checkpoint | Pause::Stop => ControlFlow::Break(()),
                    }
                });
                match advanced {
                    Ok(_) => {}
                    // In the midst of a step there is no state to keep.
                    Err(StepError::Interrupted { .. }) => return Err(MemberFailure::Stopped),
                    Err(error) => return Err(MemberFailure::Member(error.to_string())),
                }
                match asked {
                    Pause::GoOn => break,
                    Pause::Checkpoint => self.checkpoint(folder)?,
                    Pause::Stop => {
                        self.checkpoint(folder)?;
                        return Err(MemberFailure::Stopped);
                    }
                }
            }
            self.measure(study);
        }
        Ok(())
    }

    fn measure(&mut self, study: &Study) {
        let simulation = &self.prepared.simulation;
        self.measured
            .values
            .resize(study.measures.len(), Vec::new());
        self.measured.times.push(simulation.world.clock.time);
        let values = read_all(&study.measures, simulation);
        for (list, value) in self.measured.values.iter_mut().zip(values) {
            list.push(value.is_finite().then_some(value));
        }
    }

    fn checkpoint(&self, folder: &Path) -> Result<(), MemberFailure> {
        let simulation = &self.prepared.simulation;
        let clock = simulation.world.clock;
        let checkpoint = Checkpoint {
            header: Header {
                state_hash: format!("{:016x}", simulation.world.state_hash()),
                time: clock.time,
                steps: clock.step,
                extra: serde_json::to_value(&self.measured).expect("numbers are JSON"),
                ..self.header.clone()
            },
            state: simulation.state_bytes(),
        };
        let written = checkpoint.write(folder);
        written.map_err(|error| MemberFailure::Sweep(SweepError::Dataset(error)))
    }
}

/// The run of a checkpoint; `None` where there is none of this version, program and forcing.
fn resumed(
    folder: &Path,
    plan: Plan,
    study: &Study,
    version: &str,
) -> Option<(PreparedRun, Measured)> {
    let (Checkpoint { header, state }, _) = Checkpoint::read(folder).ok()?;
    let state = RunState::from_bytes(&state).ok()?;
    let is_whole = format!("{:016x}", state.world.state_hash()) == header.state_hash;
    let measured: Measured = serde_json::from_value(header.extra).ok()?;
    let lengths = measured
        .values
        .iter()
        .all(|list| list.len() == measured.times.len());
    let is_of_study = measured.values.len() == study.measures.len() && lengths;
    if !is_whole || !is_of_study || measured.times.is_empty() || header.program != version {
        return None;
    }
    let prepared = plan.resume(state);
    (fingerprint(&prepared.simulation) == header.fingerprint).then_some((prepared, measured))
}
