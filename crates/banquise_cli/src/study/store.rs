//! The runs of a study as lines of a file: each is written when it is done, and is not run again.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::failure::Failure;

/// Provenance common to all runs of a study. Runs of another program or scenario are never mixed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Origin {
    version: String,
    scenario: String,
    overrides: Vec<String>,
}

impl Origin {
    pub(super) fn new(scenario: &str, overrides: &[String]) -> Self {
        Self {
            version: VERSION.into(),
            scenario: scenario.into(),
            overrides: overrides.to_vec(),
        }
    }
}

/// Which run: the number of the test, and the seed of the pack.
pub(super) type Key = (u8, u64);

/// One line.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    test: u8,
    seed: u64,
    run: R,
}

/// A file of runs.
pub(super) struct Store {
    path: PathBuf,
}

impl Store {
    pub(super) const FILE: &str = "runs.jsonl";

    /// An empty one in a directory, or the one that is there already.
    pub(super) fn open(directory: &Path, origin: &Origin) -> Result<Self, Failure> {
        let path = directory.join(Self::FILE);
        let store = Self { path };
        if !store.path.exists() {
            let header = serde_json::to_string(origin).expect("text can be written as JSON");
            store.replace(&[header])?;
            return Ok(store);
        }
        let lines = store.lines()?;
        // A line that was not finished when the program was stopped is dropped.
        store.replace(&lines)?;
        let found: Option<Origin> = lines
            .first()
            .and_then(|line| serde_json::from_str(line).ok());
        if found.as_ref() == Some(origin) {
            Ok(store)
        } else {
            Err(Failure::usage(
                format!(
                    "`{}` has runs of another version, scenario or --set",
                    store.path.display()
                ),
                "name a new directory with --out",
            ))
        }
    }

    /// Runs what is not here yet, on all threads, and gives all in the order asked for.
    pub(super) fn complete<R, F>(&self, keys: &[Key], run: F) -> Result<Vec<R>, Failure>
    where
        R: Serialize + DeserializeOwned + Send,
        F: Fn(Key) -> Result<R, Failure> + Sync,
    {
        let mut known: Vec<(Key, R)> = Vec::new();
        for line in self.lines()?.iter().skip(1) {
            let line: Line<R> = serde_json::from_str(line).map_err(|error| {
                Failure::usage(
                    format!(
                        "`{}` has a line that is not a run: {error}",
                        self.path.display()
                    ),
                    "remove the line, or name a new directory with --out",
                )
            })?;
            known.push(((line.test, line.seed), line.run));
        }
        let is_known = |key: &Key| known.iter().any(|(found, _)| found == key);
        let missing: Vec<Key> = keys.iter().copied().filter(|key| !is_known(key)).collect();
        let file = Mutex::new(self.append()?);
        let made: Vec<(Key, R)> = missing
            .into_par_iter()
            .map(|key| {
                let run = run(key)?;
                let line = Line {
                    test: key.0,
                    seed: key.1,
                    run,
                };
                let text = serde_json::to_string(&line).expect("numbers can be written as JSON");
                let mut file = file.lock().expect("no thread stops while it writes");
                writeln!(file, "{text}").map_err(|error| Failure::file(&self.path, &error))?;
                Ok((key, line.run))
            })
            .collect::<Result<_, Failure>>()?;
        let mut all: Vec<(Key, R)> = known.into_iter().chain(made).collect();
        let mut chosen = Vec::new();
        for key in keys {
            let place = all.iter().position(|(found, _)| found == key);
            chosen.push(
                all.swap_remove(place.expect("every key was run or known"))
                    .1,
            );
        }
        Ok(chosen)
    }

    /// Lines that end.
    fn lines(&self) -> Result<Vec<String>, Failure> {
        let text =
            fs::read_to_string(&self.path).map_err(|error| Failure::file(&self.path, &error))?;
        let lines = text.split_inclusive('\n');
        Ok(lines
            .filter_map(|line| line.strip_suffix('\n'))
            .map(Into::into)
            .collect())
    }

    fn append(&self) -> Result<File, Failure> {
        let file = OpenOptions::new().append(true).open(&self.path);
        file.map_err(|error| Failure::file(&self.path, &error))
    }

    /// Written under another name first: a store is whole at any time.
    fn replace(&self, lines: &[String]) -> Result<(), Failure> {
        let fresh = self.path.with_extension("new");
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &self.path))
            .map_err(|error| Failure::file(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn what_is_there_is_not_run_again_and_half_a_line_is() {
        let directory = tempfile::tempdir().unwrap();
        let origin = Origin::new("s", &["a=1".into()]);
        let count = AtomicU32::new(0);
        let run = |key: Key| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(f64::from(key.0) + 0.1 * key.1 as f64)
        };
        let store = Store::open(directory.path(), &origin).unwrap();
        let runs: Vec<f64> = store.complete(&[(1, 1), (2, 1)], run).unwrap();
        assert_eq!(runs, [1.1, 2.1]);
        let mut file = store.append().unwrap();
        write!(file, "{{\"test\":3").unwrap();

        let store = Store::open(directory.path(), &origin).unwrap();
        let runs: Vec<f64> = store.complete(&[(2, 1), (3, 1), (1, 1)], run).unwrap();
        assert_eq!(runs, [2.1, 3.1, 1.1]);
        assert_eq!(count.load(Ordering::Relaxed), 3);
        assert!(Store::open(directory.path(), &Origin::new("s", &[])).is_err());
    }
}
