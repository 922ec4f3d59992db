//! What a run will need, told before it begins.

use std::fs;

use banquise_io::plan::PreparedRun;
use banquise_io::recording::{bytes_of_record, record_times};

/// A recording below this size is not worth a word \[bytes\].
const WORTH_TELLING: f64 = 1e9;
/// Size of a chunk of a variable \[bytes\]: a file, unless the recording has shards.
const CHUNK: f64 = 1_048_576.0;
/// Chunks in a file of a recording with shards.
const SHARD: f64 = 16.0;
/// Memory of a run over that of its bodies: contact candidates, the state of a checkpoint and the records that wait for the disk.
const OVER_BODIES: f64 = 3.0;

/// Tells what a large run will need, and warns where the memory will not do.
pub(crate) fn tell(prepared: &PreparedRun) {
    let records = 1 + record_times(prepared.duration, prepared.record_every).count();
    let recording = bytes_of_record(&prepared.simulation) as f64 * records as f64;
    if recording > WORTH_TELLING {
        let chunks = recording / CHUNK;
        let files = if prepared.report.shard {
            format!("in some {:.0} files", chunks / SHARD)
        } else {
            format!("in some {chunks:.0} files (`report.shard` puts sixteen into one)")
        };
        eprintln!(
            "note: {records} records of {} will take about {} on the disk, {files}; `time.record_every` changes that",
            size_text(recording / records as f64),
            size_text(recording)
        );
    }
    if let Some(available) = available_memory() {
        let needed = memory(prepared);
        if needed > available {
            eprintln!(
                "warning: the run needs about {} of memory beside what it has, and {} are free: it may be killed. It goes on from its last \
                 checkpoint with `banquise resume`, on a larger machine",
                size_text(needed),
                size_text(available)
            );
        }
    }
}

/// Memory that the run will take beside what it has \[bytes\].
fn memory(prepared: &PreparedRun) -> f64 {
    let bodies = &prepared.simulation.world.bodies;
    let footprint = bodies.footprint();
    let shapes = footprint.outlines + footprint.contact_outlines + footprint.meshes;
    OVER_BODIES * shapes as f64
}

/// Memory that is free for programs \[bytes\]; `None` where the system does not say.
fn available_memory() -> Option<f64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    available_in(&text)
}

fn available_in(text: &str) -> Option<f64> {
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024.0 * kibibytes)
}

fn size_text(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= 1e9 => format!("{:.1} GB", bytes / 1e9),
        bytes if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        bytes => format!("{:.1} kB", bytes / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_off_the_system() {
        let text = "MemTotal:       16000000 kB\nMemAvailable:    8000000 kB\n";
        assert_eq!(available_in(text), Some(8_192_000_000.0));
        assert_eq!(size_text(8_192_000_000.0), "8.2 GB");
        assert_eq!(available_in(""), None);
    }
}
