//! Runs killed at any moment leave a store that opens.

use std::{
    env,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use tempfile::tempdir;

use super::{Track, check_track};

/// Names the folder in which `appends_until_killed` writes; without it that test does nothing.
const KILLED_FOLDER: &str = "BANQUISE_ZARR_KILLED";

/// Not a test by itself: the process that `a_killed_run_leaves_a_store_that_opens` kills.
#[test]
fn appends_until_killed() {
    let Some(folder) = env::var_os(KILLED_FOLDER) else {
        return;
    };
    let mut track = Track::create(Path::new(&folder));
    for index in 0..20_000 {
        track.append_next().unwrap();
        // Flushes inside chunks, at their ends, and one record after the other.
        if index % 5 == 0 || index % 7 == 0 {
            track.writer.flush().unwrap();
        }
    }
}

fn spawn_writer(folder: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "zarr::killed::appends_until_killed"])
        .env(KILLED_FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_run_leaves_a_store_that_opens() {
    let folder = tempdir().unwrap();
    // A fixed sequence of moments; the scheduler makes them random enough.
    let mut moment = 12_345_u64;
    for attempt in 0..20 {
        let store = folder.path().join(attempt.to_string());
        let mut child = spawn_writer(&store);
        while !store.join("x/c/0/0").exists() {
            assert!(
                child.try_wait().unwrap().is_none(),
                "the writer ended by itself"
            );
            sleep(Duration::from_millis(1));
        }
        moment = moment
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        sleep(Duration::from_micros((moment >> 33) % 30_000));
        let before = check_track(&store);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(check_track(&store) >= before);
    }
}
