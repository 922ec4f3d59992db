//! The folder of a member: who runs it, and what came of it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

use super::MEMBER_FILE;
use crate::checkpoint;
use crate::lock::{LockAttempt, try_lock_folder};
use crate::whole_file::remove_leftovers;

/// Error that stops a sweep: what is done is safe, and it goes on where it stopped.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The failed action, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A file of the sweep is not one.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What shows it.
        what: String,
    },
    /// A member was made by another version of the program.
    #[error("member {id} was made by Banquise {found}, and this is {version}")]
    Version {
        /// The member.
        id: String,
        /// The version that made it.
        found: String,
        /// This version.
        version: String,
    },
    /// The dataset of all members cannot be written.
    #[error(transparent)]
    Dataset(#[from] crate::zarr::ZarrError),
}

impl SweepError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// Hint to the user.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } | Self::Dataset(_) => {
                "is the disk full, or the directory gone? Members that are done are safe: run the sweep again to go on"
            }
            Self::Damaged { .. } => "remove the file, and run the sweep again",
            Self::Version { .. } => "name a new directory with --out, or use that version",
        }
    }
}

/// How a member ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberStatus {
    /// It reached its end.
    Complete,
    /// Its scenario was refused, or a step failed.
    Failed,
}

/// What a member leaves. Wall time is no part of tables and datasets, which are the same for any way in which members were run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberResult {
    /// Name of its folder.
    pub id: String,
    /// Version of the program that made it.
    pub version: String,
    /// Overrides of its scenario.
    pub overrides: Vec<String>,
    /// How it ended.
    pub status: MemberStatus,
    /// Why it failed.
    pub error: Option<String>,
    /// Hash of the last state.
    pub state_hash: Option<String>,
    /// Steps taken.
    pub steps: u64,
    /// Times of the records \[s\].
    pub times: Vec<f64>,
    /// What was measured at these times; `null` is not a number.
    pub curves: BTreeMap<String, Vec<Option<f64>>>,
    /// What a study keeps beside it.
    #[serde(default)]
    pub extra: Value,
    /// Wall time of the run, of the last process that ran it \[s\].
    pub wall_s: f64,
}

impl MemberResult {
    /// A result without numbers yet.
    pub fn new(id: &str, version: &str, overrides: &[String]) -> Self {
        Self {
            id: id.to_owned(),
            version: version.to_owned(),
            overrides: overrides.to_vec(),
            status: MemberStatus::Complete,
            error: None,
            state_hash: None,
            steps: 0,
            times: Vec::new(),
            curves: BTreeMap::new(),
            extra: Value::Null,
            wall_s: 0.0,
        }
    }

    /// A curve, with numbers that are not as NaN.
    pub fn curve(&self, name: &str) -> Option<Vec<f64>> {
        let values = self.curves.get(name)?.iter();
        Some(values.map(|value| value.unwrap_or(f64::NAN)).collect())
    }
}

/// Why a member has no result.
#[derive(Debug)]
pub enum MemberFailure {
    /// Of the member alone: it stays in the table, and the others go on.
    Member(String),
    /// Of the machine: the sweep stops.
    Sweep(SweepError),
    /// The user stopped it; it goes on from its checkpoint, or begins again.
    Stopped,
}

/// Outcome of an attempt to run a member.
#[derive(Debug)]
pub enum Attempt {
    /// It was run, and has its result.
    Run(Box<MemberResult>),
    /// It had its result already.
    Present(Box<MemberResult>),
    /// Another process runs it.
    Taken(String),
    /// The user stopped it.
    Stopped,
}

/// Name of the folder of a member: 16 hexadecimal digits of a hash of all that determines its result.
pub fn member_id(scenario: &[u8], overrides: &[String], measures: &[&str]) -> String {
    let mut bytes = scenario.to_vec();
    let parts = overrides.iter().map(String::as_str);
    for part in parts.chain(["\u{1}"]).chain(measures.iter().copied()) {
        bytes.push(0);
        bytes.extend_from_slice(part.as_bytes());
    }
    format!("{:016x}", (xxh3_128(&bytes) >> 64) as u64)
}

/// The folder of a member in that of a sweep.
pub fn member_folder(sweep: &Path, id: &str) -> PathBuf {
    sweep.join("members").join(id)
}

/// The result of a member; `None` where it has none yet.
///
/// # Errors
/// When the file cannot be read, or is not one.
pub fn read_member(sweep: &Path, id: &str) -> Result<Option<MemberResult>, SweepError> {
    let path = member_folder(sweep, id).join(MEMBER_FILE);
    let text = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(SweepError::io("read", &path))?,
    };
    let result: MemberResult =
        serde_json::from_slice(&text).map_err(|error| SweepError::Damaged {
            path: path.clone(),
            what: error.to_string(),
        })?;
    let lengths = result
        .curves
        .values()
        .all(|curve| curve.len() == result.times.len());
    if result.id != id || !lengths {
        let what = "it is not the result of this member".into();
        return Err(SweepError::Damaged { path, what });
    }
    Ok(Some(result))
}

/// Runs a member unless it is done or someone else runs it: `work` gets its folder, and gives its result.
///
/// # Errors
/// When the system refuses. A member that fails, even by a panic, is a result.
pub fn with_member(
    sweep: &Path,
    blank: MemberResult,
    work: impl FnOnce(&Path, MemberResult) -> Result<MemberResult, MemberFailure>,
) -> Result<Attempt, SweepError> {
    if let Some(result) = present(sweep, &blank)? {
        return Ok(Attempt::Present(Box::new(result)));
    }
    let folder = member_folder(sweep, &blank.id);
    fs::create_dir_all(&folder).map_err(SweepError::io("create", &folder))?;
    let lock = try_lock_folder(&folder).map_err(SweepError::io("lock", &folder))?;
    let lock = match lock {
        LockAttempt::Locked(lock) => lock,
        LockAttempt::Taken(owner) => return Ok(Attempt::Taken(owner)),
    };
    remove_leftovers(folder.join(MEMBER_FILE));
    // Another process may have ended it between the look and the lock.
    if let Some(result) = present(sweep, &blank)? {
        return Ok(Attempt::Present(Box::new(result)));
    }
    let failed = blank.clone();
    let worked = catch_unwind(AssertUnwindSafe(|| work(&folder, blank)));
    let worked = worked.unwrap_or_else(|panic| Err(MemberFailure::Member(panic_text(&*panic))));
    let result = match worked {
        Ok(result) => result,
        Err(MemberFailure::Member(error)) => MemberResult {
            status: MemberStatus::Failed,
            error: Some(error),
            ..failed
        },
        Err(MemberFailure::Sweep(error)) => return Err(error),
        Err(MemberFailure::Stopped) => return Ok(Attempt::Stopped),
    };
    let text = serde_json::to_string(&result).expect("numbers and texts are JSON");
    write_whole(&folder.join(MEMBER_FILE), text.as_bytes())?;
    for name in [checkpoint::FILE, checkpoint::PREVIOUS] {
        // The result is there: what is left of checkpoints only takes room.
        drop(fs::remove_file(folder.join(name)));
    }
    drop(lock);
    Ok(Attempt::Run(Box::new(result)))
}

/// The result of a member, where it is there. A damaged one, as a machine that lost its power may leave it, is made again.
fn present(sweep: &Path, blank: &MemberResult) -> Result<Option<MemberResult>, SweepError> {
    let found = match read_member(sweep, &blank.id) {
        Err(SweepError::Damaged { .. }) => return Ok(None),
        found => found?,
    };
    match found {
        Some(result) if result.version != blank.version => Err(SweepError::Version {
            id: result.id,
            found: result.version,
            version: blank.version.clone(),
        }),
        found => Ok(found),
    }
}

/// The message of a panic.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the program broke off: {}", text.unwrap_or_default())
}

/// Writes a file that is whole at any time.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    crate::whole_file::write_whole(path, bytes).map_err(SweepError::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blank(id: &str) -> MemberResult {
        MemberResult::new(id, "1", &["seed=1".into()])
    }

    #[test]
    fn a_member_is_run_once_and_its_failure_is_its_own() {
        let sweep = tempfile::tempdir().unwrap();
        let run = |id: &str, panics: bool| {
            with_member(sweep.path(), blank(id), |_, blank| {
                assert!(!panics, "a broken promise");
                Ok(MemberResult { steps: 7, ..blank })
            })
            .unwrap()
        };
        assert!(matches!(run("a", false), Attempt::Run(result) if result.steps == 7));
        assert!(matches!(run("a", true), Attempt::Present(result) if result.steps == 7));
        let Attempt::Run(failed) = run("b", true) else {
            panic!("it was run");
        };
        assert_eq!(failed.status, MemberStatus::Failed);
        assert!(failed.error.unwrap().contains("a broken promise"));
        let other = MemberResult::new("a", "2", &[]);
        let refused = with_member(sweep.path(), other, |_, blank| Ok(blank));
        assert!(matches!(refused, Err(SweepError::Version { .. })));
    }

    #[test]
    fn a_result_that_is_damaged_is_made_again() {
        let sweep = tempfile::tempdir().unwrap();
        let folder = member_folder(sweep.path(), "a");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(MEMBER_FILE), "").unwrap();
        fs::write(folder.join("member.json.7.partial"), "half").unwrap();
        assert!(matches!(
            read_member(sweep.path(), "a"),
            Err(SweepError::Damaged { .. })
        ));
        let run = with_member(sweep.path(), blank("a"), |_, blank| Ok(blank));
        assert!(matches!(run.unwrap(), Attempt::Run(_)));
        assert!(read_member(sweep.path(), "a").unwrap().is_some());
        assert!(!folder.join("member.json.7.partial").exists());
    }

    #[test]
    fn a_member_that_another_runs_is_left_to_it() {
        let sweep = tempfile::tempdir().unwrap();
        let outer = with_member(sweep.path(), blank("a"), |_, result| {
            let inner = with_member(sweep.path(), blank("a"), |_, _| unreachable!());
            assert!(matches!(inner.unwrap(), Attempt::Taken(_)));
            Ok(result)
        });
        assert!(matches!(outer.unwrap(), Attempt::Run(_)));
    }

    #[test]
    fn names_differ_with_every_part() {
        let id = member_id(b"a", &["b".into()], &["c"]);
        assert_ne!(id, member_id(b"a", &["b".into(), "c".into()], &[]));
        assert_ne!(id, member_id(b"", &["a".into(), "b".into()], &["c"]));
        assert_eq!(id.len(), 16);
    }
}
