//! The runs of a study as members of a sweep: each is kept when it is done, and is not run again.

use std::path::{Path, PathBuf};

use banquise_io::sweep::{
    Attempt, MemberFailure, MemberResult, MemberStatus, SweepError, member_id, read_member,
    with_member,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::VERSION;
use crate::arguments::sweep::Shard;
use crate::failure::Failure;
use crate::sweep::Crew;

/// Which run: the number of the test, and the seed of the pack.
pub(super) type Key = (u8, u64);

/// The members of a study.
pub(super) struct Store<'a> {
    pub(super) directory: PathBuf,
    /// Name and text of the scenario.
    pub(super) scenario: [&'a str; 2],
    pub(super) threads: Option<u16>,
    /// The part of the runs that is this process's.
    pub(super) shard: Option<Shard>,
}

impl Store<'_> {
    /// What a directory has once a run has begun in it.
    pub(super) const FOLDER: &'static str = "members";

    /// Runs what is not here yet and gives all in the order asked for; nothing where other processes have not done their part.
    pub(super) fn complete<R, O, F>(
        &self,
        keys: &[Key],
        overrides: O,
        run: F,
    ) -> Result<Option<Vec<R>>, Failure>
    where
        R: Serialize + DeserializeOwned + Send,
        O: Fn(Key) -> Vec<String> + Sync,
        F: Fn(Key) -> Result<R, Failure> + Sync,
    {
        let [name, text] = self.scenario;
        let blanks: Vec<(Key, MemberResult)> = keys
            .iter()
            .map(|&key| {
                let all = overrides(key);
                // A study keeps more than the curves of a sweep, so that its members are others.
                let id = member_id(text.as_bytes(), &all, &["study", name]);
                (key, MemberResult::new(&id, VERSION, &all))
            })
            .collect();
        let mine = |number: usize| self.shard.is_none_or(|shard| shard.has(number));
        let todo: Vec<&(Key, MemberResult)> = (0..blanks.len())
            .filter(|&number| mine(number))
            .map(|number| &blanks[number])
            .collect();
        let crew = Crew::new(self.threads, todo.len());
        crew.run(&todo, |(key, blank)| {
            let attempt = with_member(&self.directory, blank.clone(), |_, blank| {
                let kept = run(*key).map_err(|error| MemberFailure::Member(error.text()))?;
                let extra = serde_json::to_value(kept).expect("numbers can be written as JSON");
                Ok(MemberResult { extra, ..blank })
            })?;
            match attempt {
                Attempt::Run(_) | Attempt::Present(_) | Attempt::Taken(_) | Attempt::Stopped => {
                    Ok::<_, SweepError>(())
                }
            }
        })?;
        self.collect(&blanks)
    }

    /// All results, in order; `None` where one is missing.
    fn collect<R: DeserializeOwned>(
        &self,
        blanks: &[(Key, MemberResult)],
    ) -> Result<Option<Vec<R>>, Failure> {
        let mut runs = Vec::new();
        for ((test, seed), blank) in blanks {
            let Some(result) = read_member(&self.directory, &blank.id)? else {
                return Ok(None);
            };
            if result.status == MemberStatus::Failed {
                return Err(Failure::Unwritten {
                    message: format!(
                        "test {test}, pack {seed} failed: {}",
                        result.error.unwrap_or_default().trim()
                    ),
                    hint: format!("remove members/{} to run it again", blank.id),
                });
            }
            let run = serde_json::from_value(result.extra).map_err(|error| {
                Failure::usage(
                    format!("member {} is not a run of this study: {error}", blank.id),
                    "remove its folder, or name a new directory with --out",
                )
            })?;
            runs.push(run);
        }
        Ok(Some(runs))
    }
}

/// Whether a directory has runs of a study.
pub(super) fn is_begun(directory: &Path) -> bool {
    directory.join(Store::FOLDER).is_dir()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn what_is_there_is_not_run_again_and_shards_share_the_runs() {
        let folder = tempfile::tempdir().unwrap();
        let count = AtomicU32::new(0);
        let complete = |keys: &[Key], shard: Option<Shard>| {
            let store = Store {
                directory: folder.path().to_owned(),
                scenario: ["s", "text"],
                threads: Some(2),
                shard,
            };
            let run = |key: Key| {
                count.fetch_add(1, Ordering::Relaxed);
                Ok(f64::from(key.0) + 0.1 * key.1 as f64)
            };
            let overrides = |key: Key| vec![format!("seed={}", key.1), format!("test={}", key.0)];
            store.complete(keys, overrides, run).unwrap()
        };
        let first: Option<Vec<f64>> = complete(&[(1, 1), (2, 1)], None);
        assert_eq!(first, Some(vec![1.1, 2.1]));
        let three = [(2, 1), (3, 1), (1, 1), (4, 2)];
        let shard = |index| Some(Shard { index, count: 2 });
        assert_eq!(complete(&three, shard(0)), None);
        assert_eq!(complete(&three, shard(1)), Some(vec![2.1, 3.1, 1.1, 4.2]));
        assert_eq!(count.load(Ordering::Relaxed), 4);
    }
}
