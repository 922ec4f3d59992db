//! The lock of a run's folder, with its messages.

use std::path::Path;

use banquise_io::lock::{FolderLock, LockAttempt, try_lock_folder};

use crate::failure::Failure;

/// Locks a folder.
pub(crate) fn lock_folder(directory: &Path) -> Result<FolderLock, Failure> {
    match try_lock_folder(directory) {
        Ok(LockAttempt::Locked(lock)) => Ok(lock),
        Ok(LockAttempt::Taken(owner)) => Err(Failure::usage(
            format!("`{}` is being written by {owner}", directory.display()),
            "wait until it ends, or stop it",
        )),
        Err(error) => Err(Failure::file(
            &directory.join(banquise_io::lock::FILE),
            &error,
        )),
    }
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
