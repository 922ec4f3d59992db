//! Files beside the recording: the report and its figures. Nothing outside the run's folder is read, whatever the path
//! says and wherever a link points.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::http::{Refusal, Response};

/// Bytes of a file that is sent.
const MAX_FILE: u64 = 64 * 1024 * 1024;

/// Content security policy of reports, which are files of the user: they may have styles, but neither run scripts nor reach the server.
const FILE_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const ABSENT: Refusal = Refusal::new(404, "there is no such file");

/// Answers with the file of this path in the folder.
pub(crate) fn file(folder: &Path, path: &str) -> Result<Response, Refusal> {
    let kind = match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("csv" | "txt") => "text/plain; charset=utf-8",
        _ => return Err(ABSENT),
    };
    let path = inside(folder, path).ok_or(ABSENT)?;
    // Looked at before it is opened: to open a pipe is to wait for its other end.
    if !fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
        return Err(ABSENT);
    }
    let file = fs::File::open(path).ok().ok_or(ABSENT)?;
    let metadata = file.metadata().ok().ok_or(ABSENT)?;
    if !metadata.is_file() || metadata.len() > MAX_FILE {
        return Err(ABSENT);
    }
    let mut body = Vec::new();
    file.take(MAX_FILE)
        .read_to_end(&mut body)
        .ok()
        .ok_or(ABSENT)?;
    Ok(Response {
        policy: FILE_POLICY,
        ..Response::new(kind, body)
    })
}

/// The real path of a file in the folder; `None` where the path leaves it, by itself or through links.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let is_plain = path
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    if !is_plain || path.as_os_str().is_empty() {
        return None;
    }
    let folder = fs::canonicalize(folder).ok()?;
    let real = fs::canonicalize(folder.join(path)).ok()?;
    real.starts_with(&folder).then_some(real)
}

/// The first thing under the folder that is a link to somewhere outside of it.
pub(crate) fn leaving_link(folder: &Path) -> Option<PathBuf> {
    let root = fs::canonicalize(folder).ok()?;
    let mut pending = vec![root.clone()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                pending.push(path);
            } else if kind.is_symlink()
                && !fs::canonicalize(&path).is_ok_and(|real| real.starts_with(&root))
            {
                return Some(path);
            }
        }
    }
    None
}
