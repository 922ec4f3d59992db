//! Files that are whole at any time.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file under another name first, and renames it: what was there stays until all of the new file is there, and half a file is never left.
///
/// What is there and no file, such as a device, is written to as it is.
///
/// # Errors
/// When the system refuses; then what was there is as it was.
pub fn write_whole(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    let (path, content) = (path.as_ref(), content.as_ref());
    // A link is followed: the file is where it points to.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return fs::write(path, content);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = path.with_file_name(name);
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(content))
        .and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        drop(fs::remove_file(&partial));
    }
    written
}

/// Removes what processes that were killed while they wrote a file, or a folder, left beside it. No process may be writing it now.
pub fn remove_leftovers(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return;
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let process = found.to_str().and_then(|found| {
            let rest = found.strip_prefix(name)?.strip_prefix('.')?;
            rest.strip_suffix(".partial")
        });
        if process.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
        {
            let left = entry.path();
            // What cannot be removed only takes room.
            drop(fs::remove_file(&left).or_else(|_| fs::remove_dir_all(&left)));
        }
    }
}

/// Whether [`write_whole`] could write a file there now, without writing it.
///
/// # Errors
/// When the system refuses, or a folder is there.
pub fn check_writable(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a directory",
        ));
    }
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no name of a file",
        ));
    };
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    let mut name = name.to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = path.with_file_name(name);
    File::create(&partial)?;
    fs::remove_file(&partial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flow.svg");
        check_writable(&path).unwrap();
        assert!(!path.exists());
        write_whole(&path, "old").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        check_writable(folder.path()).unwrap_err();
        check_writable(folder.path().join("no/flow.svg")).unwrap_err();
        check_writable(path.join("flow.svg")).unwrap_err();
        check_writable("").unwrap_err();
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        write_whole(&path, "old").unwrap();
        write_whole(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        // A folder stands where the file would be written first.
        let name = format!("page.html.{}.partial", std::process::id());
        fs::create_dir(folder.path().join(&name)).unwrap();
        write_whole(&path, "newer").unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        fs::remove_dir(folder.path().join(&name)).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write_whole(folder.path().join("no/such"), "x").unwrap_err();
    }

    #[test]
    fn leftovers_of_processes_that_were_killed_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        for name in ["page.html", "page.html.x.partial", "other.7.partial"] {
            fs::write(folder.path().join(name), "stays").unwrap();
        }
        fs::write(folder.path().join("page.html.17.partial"), "goes").unwrap();
        fs::create_dir_all(folder.path().join("page.html.18.partial/c")).unwrap();
        remove_leftovers(&path);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        assert!(path.exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_device_stays_one() {
        write_whole("/dev/null", "gone").unwrap();
        write_whole("/dev/full", "too much").unwrap_err();
        assert!(!Path::new("/dev/full").is_file());
    }
}
