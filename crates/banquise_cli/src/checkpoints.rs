//! When a run writes checkpoints, and what they say of it.

use std::path::PathBuf;
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
        }
    }

    /// Whether one is due, after a step that ended at a simulated time \[s\]. It follows the step: no step is shortened for it.
    pub(crate) fn is_due(&self, time: f64) -> bool {
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
        let sent = writer.after_flush(checkpoint.state.len(), move || checkpoint.write(&directory));
        self.last = Instant::now();
        self.last_time = clock.time;
        sent.map_err(Failure::Output)
    }
}
