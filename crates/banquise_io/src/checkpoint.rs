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

use std::path::{Path, PathBuf};

use banquise::Simulation;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use crate::recording::RecorderPosition;
pub use crate::sealed::{CheckpointError, FILE, PREVIOUS};
use crate::sealed::{SealedFormat, read_sealed, write_sealed};
use crate::zarr::ZarrError;

/// Version of the format. It changes with the order or meaning of what is stored.
pub const VERSION: u32 = 4;

const FORMAT: SealedFormat = SealedFormat {
    magic: b"BANQUISE CHECKPOINT\n",
    version: VERSION,
};

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
        FORMAT.seal(&[&header, &self.state])
    }

    /// Reads the bytes of a file. Nothing of it is believed before the checksum is right.
    ///
    /// # Errors
    /// When they are not those of a checkpoint, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let [header, state] = FORMAT.open(bytes)?;
        let header = serde_json::from_slice(header);
        let header =
            header.map_err(|error| CheckpointError::damaged(format!("its header: {error}")))?;
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
        write_sealed(folder, &self.to_bytes())
    }

    /// Reads the last checkpoint of a run, or the one before where that is missing or damaged; then with the reason.
    ///
    /// # Errors
    /// When there is none that can be used; the error is that of the last.
    pub fn read(folder: &Path) -> Result<(Self, Option<CheckpointError>), CheckpointError> {
        read_sealed(folder, Self::from_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        bytes[FORMAT.magic.len()] = 9;
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
