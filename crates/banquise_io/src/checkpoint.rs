//! Checkpoints: the file from which a run goes on.
//!
//! ```text
//! "BANQUISE CHECKPOINT\n"   20 bytes
//! version                   u32, little-endian as all numbers
//! length, header            u64, then JSON: where the scenario is from, how far the recording has come
//! length, state             u64, then the bytes of `Simulation::state_bytes`
//! checksum                  u64: XXH3 of all bytes before it
//! ```
//!
//! A format of our own, since the state is a few large arrays of numbers whose bits must come back, and none of our dependencies has a
//! binary format. Numbers in the header are counts: those that steer the run are in the state.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use banquise::Simulation;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::recording::RecorderPosition;
use crate::zarr::ZarrError;

/// The checkpoint of a run, in its directory, and the one before it.
pub const FILE: &str = "checkpoint.bin";
/// The checkpoint before the last: it is used where the last is damaged.
pub const PREVIOUS: &str = "checkpoint-previous.bin";

const MAGIC: &[u8; 20] = b"BANQUISE CHECKPOINT\n";
/// Version of the format. It changes with the order or meaning of what is stored.
pub const VERSION: u32 = 3;

/// Error of a checkpoint that cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is something else.
    #[error("it is not a checkpoint")]
    Foreign,
    /// Another version of the format.
    #[error("it has version {found} of the format, and this program reads version {VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The checksum is wrong, or the file ends too early.
    #[error("it is damaged: {what}")]
    Damaged {
        /// What shows it.
        what: String,
    },
}

/// What a checkpoint says of its run, beside the state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program that wrote it.
    pub program: String,
    /// Name of the scenario.
    pub name: String,
    /// Where the files are that the scenario names.
    pub folder: PathBuf,
    /// Text of the scenario.
    pub scenario: String,
    /// Overrides laid over it.
    pub overrides: Vec<String>,
    /// Hash of forcing and settings: see [`fingerprint`].
    pub fingerprint: String,
    /// Hash of the state.
    pub state_hash: String,
    /// Simulated time \[s\], for messages.
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
    /// How far the recording has come.
    pub recorder: RecorderPosition,
    /// What the command keeps beside it.
    pub extra: Value,
}

/// A checkpoint in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// What it says of its run.
    pub header: Header,
    /// The bytes of the state.
    pub state: Vec<u8>,
}

/// Hash of all that determines a run beside its state: forcing, settings, step. Equal for equal runs, whatever is captured or validated.
pub fn fingerprint(simulation: &Simulation) -> String {
    let mut settings = simulation.settings;
    settings.contact.capture = banquise::Capture::Nothing;
    settings.validate = false;
    let mut hash = HashText(Xxh3::new());
    let printed = std::fmt::Write::write_fmt(
        &mut hash,
        format_args!(
            "{:?} {settings:?} {}",
            simulation.forcing, simulation.max_dt
        ),
    );
    debug_assert!(printed.is_ok(), "a hash takes any text");
    format!("{:016x}", hash.0.digest())
}

struct HashText(Xxh3);

impl std::fmt::Write for HashText {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Checkpoint {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_vec(&self.header).expect("a header is plain JSON");
        let mut bytes = Vec::with_capacity(self.state.len() + header.len() + 64);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        for part in [&header, &self.state] {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part);
        }
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file. Nothing of it is believed before the checksum is right.
    ///
    /// # Errors
    /// When they are not those of a checkpoint, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let damaged = |what: &str| CheckpointError::Damaged { what: what.into() };
        let rest = bytes.strip_prefix(MAGIC).ok_or(CheckpointError::Foreign)?;
        let short = || damaged("it ends too early");
        let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(CheckpointError::Version { found });
        }
        let (body, checksum) = bytes.split_last_chunk().ok_or_else(short)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(damaged("its checksum is not that of its content"));
        }
        let rest = &rest[..rest.len().saturating_sub(8)];
        let (header, rest) = part(rest).ok_or_else(short)?;
        let (state, rest) = part(rest).ok_or_else(short)?;
        if !rest.is_empty() {
            return Err(damaged("it goes on after its end"));
        }
        let header = serde_json::from_slice(header);
        let header = header.map_err(|error| damaged(&format!("its header: {error}")))?;
        Ok(Self {
            header,
            state: state.to_vec(),
        })
    }

    /// Writes it into the directory of a run. The last one is dropped only once this one is safe on the disk.
    ///
    /// # Errors
    /// When the system refuses: the last checkpoint is then as it was.
    pub fn write(&self, folder: &Path) -> Result<(), ZarrError> {
        let path = folder.join(FILE);
        let partial = folder.join(format!("{FILE}.partial"));
        let failed = |action: &'static str| {
            let path = path.clone();
            move |source| ZarrError::Io {
                action,
                path,
                source,
            }
        };
        let written = File::create(&partial).and_then(|mut file| {
            file.write_all(&self.to_bytes())?;
            file.sync_data()
        });
        if written.is_err() {
            // Half a checkpoint only takes room on a disk that has none.
            drop(fs::remove_file(&partial));
        }
        written.map_err(failed("write"))?;
        match fs::rename(&path, folder.join(PREVIOUS)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::rename(&partial, &path),
        }
        .map_err(failed("replace"))
    }

    /// Reads the last checkpoint of a run, or the one before where that is missing or damaged; then with the reason.
    ///
    /// # Errors
    /// When there is none that can be used; the error is that of the last.
    pub fn read(folder: &Path) -> Result<(Self, Option<CheckpointError>), CheckpointError> {
        let read = |name: &str| {
            let path = folder.join(name);
            let bytes = fs::read(&path).map_err(|source| CheckpointError::Read { path, source })?;
            Self::from_bytes(&bytes)
        };
        match read(FILE) {
            Ok(last) => Ok((last, None)),
            Err(error) => match read(PREVIOUS) {
                Ok(previous) => Ok((previous, Some(error))),
                Err(_) => Err(error),
            },
        }
    }
}

/// A part that begins with its length, and what comes after it.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(steps: u64) -> Checkpoint {
        Checkpoint {
            header: Header {
                program: "1".into(),
                name: "drift".into(),
                folder: "here".into(),
                scenario: "title = \"drift\"".into(),
                overrides: vec!["seed=2".into()],
                fingerprint: "0".into(),
                state_hash: "1".into(),
                time: 0.1,
                steps,
                recorder: RecorderPosition::default(),
                extra: Value::Null,
            },
            state: (0..200).collect(),
        }
    }

    #[test]
    fn a_checkpoint_comes_back_and_any_damage_shows() {
        let bytes = checkpoint(7).to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), checkpoint(7));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {place}");
            assert!(
                Checkpoint::from_bytes(&bytes[..place]).is_err(),
                "cut at {place}"
            );
        }
    }

    #[test]
    fn another_version_is_refused_by_name() {
        let mut bytes = checkpoint(7).to_bytes();
        bytes[MAGIC.len()] = 9;
        let refused = Checkpoint::from_bytes(&bytes).unwrap_err().to_string();
        assert!(refused.contains("version 9"), "{refused}");
    }

    #[test]
    fn a_damaged_checkpoint_gives_way_to_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Checkpoint::read(folder.path()).is_err());
        for steps in [1, 2, 3] {
            checkpoint(steps).write(folder.path()).unwrap();
        }
        let (last, reason) = Checkpoint::read(folder.path()).unwrap();
        assert_eq!(last.header.steps, 3);
        assert!(reason.is_none());
        fs::write(folder.path().join(FILE), b"BANQUISE").unwrap();
        let (last, reason) = Checkpoint::read(folder.path()).unwrap();
        assert_eq!(last.header.steps, 2);
        assert!(reason.is_some());
    }
}
