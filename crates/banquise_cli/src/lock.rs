//! The lock of a run's folder: two programs never write one run.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::failure::Failure;

/// Its file in the directory of the run. It stays there: the lock is the system's, and goes with the process, however that ends.
const FILE: &str = ".lock";

/// A folder that this process alone writes, until it is dropped.
pub(crate) struct FolderLock {
    _file: File,
}

/// Locks a folder.
pub(crate) fn lock_folder(directory: &Path) -> Result<FolderLock, Failure> {
    let path = directory.join(FILE);
    let failed = |error: std::io::Error| Failure::file(&path, &error);
    let mut options = OpenOptions::new();
    let mut file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            file.read_to_string(&mut owner).map_err(failed)?;
            return Err(Failure::usage(
                format!(
                    "`{}` is being written by {}",
                    directory.display(),
                    owner.trim_end()
                ),
                "wait until it ends, or stop it",
            ));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    // The text is for people, and for other machines that share the folder.
    file.set_len(0).map_err(failed)?;
    file.rewind().map_err(failed)?;
    writeln!(file, "process {} on {}", std::process::id(), host()).map_err(failed)?;
    Ok(FolderLock { _file: file })
}

/// Name of this machine.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "this machine".into(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_and_free_again() {
        let folder = tempfile::tempdir().unwrap();
        let lock = lock_folder(folder.path()).unwrap();
        let refused = lock_folder(folder.path()).map(drop).unwrap_err().text();
        let process = format!("process {}", std::process::id());
        assert!(refused.contains(&process), "{refused}");
        drop(lock);
        lock_folder(folder.path()).map(drop).unwrap();
    }
}
