//! When a run writes checkpoints, and what they say of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banquise_io::checkpoint::{Checkpoint, Header, fingerprint};
use banquise_io::plan::PreparedRun;
use banquise_io::recording::RecordingWriter;
use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::arguments::CheckpointArguments;
use crate::capsules::CapsuleState;
use crate::failure::Failure;
use crate::watchdog::Watchdogs;

/// What the command keeps in a checkpoint beside the state and the recording.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Extra {
    /// Record times that lay before the start of the recording, which is that of a branch.
    pub(crate) skipped: usize,
    /// How far the capsules have come.
    pub(crate) capsules: CapsuleState,
    /// Length of the table of steps \[bytes\], where there is one.
    pub(crate) steps_bytes: Option<u64>,
    /// The watchdogs, with what they have seen.
    #[serde(default)]
    pub(crate) watchdogs: Watchdogs,
}

/// The schedule of checkpoints, by wall time and by simulated time.
pub(crate) struct Checkpoints {
    directory: PathBuf,
    /// All but what changes.
    header: Header,
    every: Duration,
    /// Interval of simulated time \[s\]; infinite for none.
    every_simulated: f64,
    last: Instant,
    last_time: f64,
    /// Whether one waits for the disk: on a slow disk they would pile up, and a run that is told to stop would wait for all of them.
    is_waiting: Arc<AtomicBool>,
}

/// A checkpoint on its way to the disk.
struct OnItsWay(Arc<AtomicBool>);

impl OnItsWay {
    fn new(is_waiting: &Arc<AtomicBool>) -> Self {
        is_waiting.store(true, Ordering::Relaxed);
        Self(is_waiting.clone())
    }
}

impl Drop for OnItsWay {
    /// It arrived, or was given up.
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Checkpoints {
    /// A schedule that begins now.
    pub(crate) fn new(
        directory: PathBuf,
        [name, folder]: [String; 2],
        prepared: &PreparedRun,
        arguments: &CheckpointArguments,
    ) -> Self {
        let time = prepared.simulation.world.clock.time;
        Self {
            directory,
            header: Header {
                program: VERSION.to_owned(),
                name,
                folder: folder.into(),
                scenario: prepared.scenario.clone(),
                overrides: prepared.overrides.clone(),
                fingerprint: fingerprint(&prepared.simulation),
                state_hash: String::new(),
                time,
                steps: 0,
                recorder: banquise_io::recording::RecorderPosition::default(),
                extra: serde_json::Value::Null,
            },
            every: arguments.checkpoint_every,
            every_simulated: arguments
                .checkpoint_every_simulated
                .map_or(f64::INFINITY, |interval| interval.as_secs_f64()),
            last: Instant::now(),
            last_time: time,
            is_waiting: Arc::default(),
        }
    }

    /// Whether one is due, after a step that ended at a simulated time \[s\]. It follows the step: no step is shortened for it. None is due while another one waits for the disk.
    pub(crate) fn is_due(&self, time: f64) -> bool {
        if self.is_waiting.load(Ordering::Relaxed) {
            return false;
        }
        let count = |time: f64| (time / self.every_simulated).floor();
        self.last.elapsed() >= self.every || count(time) > count(self.last_time)
    }

    /// Writes one.
    pub(crate) fn write(
        &mut self,
        simulation: &banquise::Simulation,
        writer: &RecordingWriter,
        extra: &Extra,
    ) -> Result<(), Failure> {
        let clock = simulation.world.clock;
        let checkpoint = Checkpoint {
            header: Header {
                state_hash: format!("{:016x}", simulation.world.state_hash()),
                time: clock.time,
                steps: clock.step,
                recorder: writer.position(),
                extra: serde_json::to_value(extra).expect("plain numbers are JSON"),
                ..self.header.clone()
            },
            state: simulation.state_bytes(),
        };
        let directory = self.directory.clone();
        let on_its_way = OnItsWay::new(&self.is_waiting);
        let sent = writer.after_flush(checkpoint.state.len(), move || {
            let written = checkpoint.write(&directory);
            drop(on_its_way);
            written
        });
        self.last = Instant::now();
        self.last_time = clock.time;
        sent.map_err(Failure::Output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_checkpoint_waits_for_the_disk() {
        let found = crate::scenarios::find("three-discs", &[]);
        let prepared = found.unwrap_or_else(|_| panic!("it is built in")).run;
        let arguments = CheckpointArguments {
            checkpoint_every: Duration::ZERO,
            checkpoint_every_simulated: None,
            wall_time: None,
        };
        let names = ["x".to_owned(), String::new()];
        let checkpoints = Checkpoints::new(PathBuf::new(), names, &prepared, &arguments);
        assert!(checkpoints.is_due(1.0));
        let on_its_way = OnItsWay::new(&checkpoints.is_waiting);
        assert!(!checkpoints.is_due(1.0));
        drop(on_its_way);
        assert!(checkpoints.is_due(1.0));
    }
}
