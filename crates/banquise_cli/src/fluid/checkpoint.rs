//! Flows that are stopped or killed and go on: steps of a study, with checkpoints between them.
//!
//! The command is the scenario: the same command with the same `--checkpoint DIR` goes on, and one with other settings is refused.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use banquise_io::lock::FolderLock;
use banquise_io::sealed::{
    CheckpointError, SealedFormat, bytes_of_numbers, hash_of_numbers, numbers_of_bytes,
    read_sealed, write_sealed,
};
use serde_json::{Value, json};

use super::frames::Frames;
use crate::arguments::fluid_checkpoint::FluidCheckpointArguments;
use crate::failure::{Failure, chain};
use crate::lock::lock_folder;
use crate::run::Stop;

const FORMAT: SealedFormat = SealedFormat {
    magic: b"BANQUISE FLUID CHECKPOINT\n",
    version: 1,
};

/// A flow that is stepped, and what is gathered on the way.
pub(super) trait Study {
    /// Makes a step.
    fn step(&mut self) -> Result<(), Failure>;

    /// Whether it ends before its last step.
    fn is_over(&self) -> bool {
        false
    }

    /// Draws the step that was made, if it is wanted.
    fn draw(&self, step: u32, frames: &mut Frames<'_>) -> Result<(), Failure>;

    /// All that determines the next steps.
    fn state(&self) -> Vec<f64>;

    /// All that was gathered.
    fn gathered(&self) -> Vec<f64>;

    /// Goes back to a state, with what was gathered up to it.
    fn restore(&mut self, state: &[f64], gathered: &[f64]) -> Result<(), Failure>;

    /// Hash of the state.
    fn state_hash(&self) -> String {
        hash_of_numbers(&self.state())
    }
}

/// How the steps ended.
#[must_use]
pub(super) enum Ended {
    Done,
    /// By Ctrl-C or SIGTERM, after a checkpoint.
    Interrupted,
}

/// The exit status of a command that was told to stop.
pub(super) fn interrupted() -> ExitCode {
    ExitCode::from(130)
}

struct Checkpoints<'a> {
    folder: &'a Path,
    arguments: &'a FluidCheckpointArguments,
    settings: String,
    last: Instant,
    stop: Stop,
    _lock: FolderLock,
}

/// What a checkpoint holds.
struct Stored {
    settings: String,
    steps: u32,
    state: Vec<f64>,
    gathered: Vec<f64>,
    frames: Vec<f64>,
}

impl Stored {
    fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let [header, state, gathered, frames] = FORMAT.open(bytes)?;
        let damaged = |what: &str| CheckpointError::Damaged { what: what.into() };
        let header: Value =
            serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        let steps = header["steps"].as_u64();
        let numbers =
            |bytes: &[u8]| numbers_of_bytes(bytes).ok_or_else(|| damaged("half a number"));
        Ok(Self {
            settings: header["settings"].to_string(),
            steps: steps
                .and_then(|steps| u32::try_from(steps).ok())
                .ok_or_else(|| damaged("it has no number of steps"))?,
            state: numbers(state)?,
            gathered: numbers(gathered)?,
            frames: numbers(frames)?,
        })
    }
}

impl<'a> Checkpoints<'a> {
    /// The checkpoints of a command, if it asks for them, and the last of them.
    fn open(
        arguments: &'a FluidCheckpointArguments,
        settings: &Value,
    ) -> Result<Option<(Self, Option<Stored>)>, Failure> {
        let Some(folder) = &arguments.checkpoint else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        let lock = lock_folder(folder)?;
        let checkpoints = Self {
            folder,
            arguments,
            settings: settings.to_string(),
            last: Instant::now(),
            stop: Stop::on_interrupt()?,
            _lock: lock,
        };
        let stored = checkpoints.read()?;
        Ok(Some((checkpoints, stored)))
    }

    fn read(&self) -> Result<Option<Stored>, Failure> {
        let shown = self.folder.display();
        let (stored, reason) = match read_sealed(self.folder, Stored::from_bytes) {
            Ok(found) => found,
            Err(CheckpointError::Read { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                return Ok(None);
            }
            Err(error) => {
                return Err(Failure::usage(
                    format!("the checkpoint in `{shown}`: {}", chain(&error)),
                    "the one before it cannot be used either: remove the directory to begin anew",
                ));
            }
        };
        if stored.settings != self.settings {
            return Err(Failure::usage(
                format!(
                    "the checkpoint in `{shown}` is of {}, and this is {}",
                    stored.settings, self.settings
                ),
                "give the command with which it was made, or another directory",
            ));
        }
        if let Some(reason) = reason {
            eprintln!(
                "note: the last checkpoint cannot be used: {}; the one before it is used",
                chain(&reason)
            );
        }
        eprintln!("going on after {} steps", stored.steps);
        Ok(Some(stored))
    }

    fn write(
        &mut self,
        steps: u32,
        study: &impl Study,
        frames: &Frames<'_>,
    ) -> Result<(), Failure> {
        // As text, so that settings come back as they were written.
        let header = format!(
            "{{\"program\":{},\"steps\":{steps},\"settings\":{}}}",
            json!(crate::VERSION),
            self.settings
        );
        let numbers = [study.state(), study.gathered(), frames.state()];
        let [state, gathered, frames] = numbers.map(|numbers| bytes_of_numbers(&numbers));
        let bytes = FORMAT.seal(&[header.as_bytes(), &state, &gathered, &frames]);
        self.last = Instant::now();
        write_sealed(self.folder, &bytes).map_err(Failure::Output)
    }

    fn is_due(&self) -> bool {
        self.stop.is_asked() || self.last.elapsed() >= self.arguments.checkpoint_every
    }
}

/// Makes the steps of a study, from its last checkpoint on if there is one. `settings` is all that determines the result.
pub(super) fn carry_out(
    study: &mut impl Study,
    steps: u32,
    frames: &mut Frames<'_>,
    arguments: &FluidCheckpointArguments,
    settings: &Value,
) -> Result<Ended, Failure> {
    let mut settings = settings.clone();
    settings["pictures"] = frames.settings();
    let (mut checkpoints, stored) = Checkpoints::open(arguments, &settings)?.unzip();
    let stored = stored.flatten();
    frames.open(stored.is_some())?;
    let mut done = 0;
    if let Some(stored) = stored {
        study.restore(&stored.state, &stored.gathered)?;
        frames.restore(&stored.frames)?;
        done = stored.steps;
    } else if let Some(checkpoints) = &mut checkpoints {
        // A command that is killed before its next checkpoint knows its own pictures again.
        checkpoints.write(0, study, frames)?;
    }
    while done < steps && !study.is_over() {
        study.step()?;
        study.draw(done, frames)?;
        done += 1;
        if let Some(checkpoints) = &mut checkpoints {
            let is_last = done == steps || study.is_over();
            if is_last || checkpoints.is_due() {
                checkpoints.write(done, study, frames)?;
            }
            if !is_last && checkpoints.stop.is_asked() {
                eprintln!("interrupted after {done} steps: the same command goes on");
                return Ok(Ended::Interrupted);
            }
        }
    }
    Ok(Ended::Done)
}
