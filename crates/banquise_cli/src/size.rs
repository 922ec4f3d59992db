//! What a run will need, told before it begins.

use std::fs;
use std::path::Path;

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

/// Memory that is free for programs \[bytes\], on the machine and in the control groups of this process, which batch systems and
/// containers limit; `None` where the system does not say.
fn available_memory() -> Option<f64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| available_in(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let groups = groups.and_then(|text| free_in_groups(&text, Path::new("/sys/fs/cgroup")));
    [machine, groups].into_iter().flatten().reduce(f64::min)
}

fn available_in(text: &str) -> Option<f64> {
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024.0 * kibibytes)
}

/// What the limits of control groups leave \[bytes\], of version 2 and 1; `None` without a limit. `text` is `/proc/self/cgroup`, whose lines are
/// like `0::/job` (version 2) and `4:memory:/job` (version 1).
fn free_in_groups(text: &str, root: &Path) -> Option<f64> {
    let mut least: Option<f64> = None;
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (root, names) = if controllers.is_empty() {
            (root.to_owned(), ["memory.max", "memory.current"])
        } else if controllers.split(',').any(|name| name == "memory") {
            let names = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
            (root.join("memory"), names)
        } else {
            continue;
        };
        // A limit of a group holds for those in it.
        for group in Path::new(path.trim_start_matches('/')).ancestors() {
            let free = free_in_group(&root.join(group), names);
            least = [least, free].into_iter().flatten().reduce(f64::min);
        }
    }
    least
}

/// What the limit of a control group leaves. Files that are kept in memory are given up where it is needed.
fn free_in_group(group: &Path, [limit, usage]: [&str; 2]) -> Option<f64> {
    let number = |name: &str| -> Option<f64> {
        let text = fs::read_to_string(group.join(name)).ok()?;
        text.trim().parse().ok()
    };
    let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let files = statistics
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file "));
    let files: f64 = files.and_then(|text| text.parse().ok()).unwrap_or(0.0);
    Some((number(limit)? - number(usage)? + files).max(0.0))
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

    #[test]
    fn limits_of_control_groups_hold_for_those_in_them() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("job/memory.max", "8000000000\n");
        write("job/memory.current", "3000000000\n");
        write("job/memory.stat", "anon 1\ninactive_file 1000000000\n");
        write("job/step/memory.max", "max\n");
        write("job/step/memory.current", "5\n");
        let free = |text: &str| free_in_groups(text, root.path());
        assert_eq!(free("0::/job/step\n"), Some(6e9));
        assert_eq!(free("0::/\n"), None);
        write("memory/old/memory.limit_in_bytes", "4000\n");
        write("memory/old/memory.usage_in_bytes", "1000\n");
        let text = "5:cpu:/old\n4:hugetlb,memory:/old\n0::/job\n";
        assert_eq!(free(text), Some(3000.0));
    }
}
