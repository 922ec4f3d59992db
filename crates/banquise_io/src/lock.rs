//! The lock of a folder: two programs never write one run, and never run one member of a sweep.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

/// Its file in the folder. It stays there: the lock is the system's, and goes with the process, however that ends.
pub const FILE: &str = ".lock";

/// A folder that this process alone writes, until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

/// Outcome of an attempt to lock a folder.
#[derive(Debug)]
pub enum LockAttempt {
    /// It is ours.
    Locked(FolderLock),
    /// Another process has it; its name as it wrote it, like `process 7 on host`.
    Taken(String),
}

/// Locks a folder, unless another process has.
///
/// # Errors
/// When the system refuses the file, or the file system knows no locks.
pub fn try_lock_folder(folder: &Path) -> io::Result<LockAttempt> {
    let path = folder.join(FILE);
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(&path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            file.read_to_string(&mut owner)?;
            return Ok(LockAttempt::Taken(owner.trim_end().to_owned()));
        }
        Err(TryLockError::Error(error)) => return Err(without_locks(&error)),
    }
    sign(&mut file)?;
    Ok(LockAttempt::Locked(FolderLock { _file: file }))
}

/// Locks a folder, and waits for others.
///
/// # Errors
/// As [`try_lock_folder`].
pub fn lock_folder_waiting(folder: &Path) -> io::Result<FolderLock> {
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(folder.join(FILE))?;
    file.lock().map_err(|error| without_locks(&error))?;
    sign(&mut file)?;
    Ok(FolderLock { _file: file })
}

/// A file system that refuses to lock: some that machines share do so by default.
fn without_locks(error: &io::Error) -> io::Error {
    let message = format!(
        "it cannot be locked ({error}): the file system must know locks, as NFS does, and Lustre with the option `flock`"
    );
    io::Error::new(error.kind(), message)
}

/// The text is for people, and for other machines that share the folder.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {} on {}", std::process::id(), host())
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
        let first = try_lock_folder(folder.path()).unwrap();
        assert!(matches!(first, LockAttempt::Locked(_)));
        let LockAttempt::Taken(owner) = try_lock_folder(folder.path()).unwrap() else {
            panic!("a folder was locked twice");
        };
        assert!(owner.contains(&format!("process {}", std::process::id())));
        drop(first);
        let again = try_lock_folder(folder.path()).unwrap();
        assert!(matches!(again, LockAttempt::Locked(_)));
    }
}
