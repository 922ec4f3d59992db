//! The status of a recording that can no longer be written.

use std::fs::{self, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::{DATASET, RunStatus};

/// Says in the dataset of a run that it failed, when the disk is full. The word is written over the old one, which is longer: no other room is needed.
/// It is the only file of a dataset that is ever changed in place, and only once nothing else can be written.
///
/// Where this fails too, the status stays `running`, as that of a run that was killed.
pub fn mark_failed(folder: &Path) {
    drop(overwrite_status(
        &folder.join(DATASET).join("zarr.json"),
        RunStatus::Failed,
    ));
}

fn overwrite_status(path: &Path, status: RunStatus) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let key = "\"status\"";
    let running = format!("\"{}\"", RunStatus::Running.name());
    let word = format!("\"{}\"", status.name());
    // The word comes after the key, a colon and perhaps spaces.
    let found = text.match_indices(key).find_map(|(at, _)| {
        let rest = &text[at + key.len()..];
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        let place = text.len() - value.len();
        value.starts_with(&running).then_some(place)
    });
    let Some(place) = found.filter(|_| word.len() <= running.len()) else {
        return Ok(());
    };
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(place as u64))?;
    file.write_all(format!("{word:width$}", width = running.len()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_changed_in_place_and_the_rest_is_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let dataset = folder.path().join(DATASET);
        fs::create_dir(&dataset).unwrap();
        let path = dataset.join("zarr.json");
        let text = "{\n  \"title\": \"the status\",\n  \"status\": \"running\",\n  \"x\": 1\n}";
        fs::write(&path, text).unwrap();
        mark_failed(folder.path());
        let changed = fs::read_to_string(&path).unwrap();
        assert_eq!(changed, text.replace("\"running\"", "\"failed\" "));
        let value: serde_json::Value = serde_json::from_str(&changed).unwrap();
        assert_eq!(value["status"], "failed");
        // A run that is complete stays so.
        fs::write(&path, "{\"status\":\"complete\"}").unwrap();
        mark_failed(folder.path());
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\"status\":\"complete\"}"
        );
    }
}
