//! The fuzz targets on their committed seeds and on mutations of them, by the stable compiler.

use std::fs;
use std::path::Path;

use banquise::RunState;
use banquise_io::checkpoint::Checkpoint;

use crate::targets::TARGETS;
use crate::workbench::Workbench;

/// Mutations of each seed; `BANQUISE_MUTATIONS` asks for more.
fn mutations() -> u64 {
    std::env::var("BANQUISE_MUTATIONS").map_or(60, |text| text.parse().unwrap())
}

/// Numbers that look random and are the same each time.
fn random(seed: u64) -> impl FnMut() -> usize {
    let mut state = seed | 1;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    }
}

/// Some bytes changed, taken away or doubled; the end cut off.
fn mutated(seed: &[u8], number: u64) -> Vec<u8> {
    let mut next = random(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut bytes = seed.to_vec();
    for _ in 0..=next() % 4 {
        if bytes.is_empty() {
            break;
        }
        let place = next() % bytes.len();
        match next() % 5 {
            0 => bytes[place] ^= 1 << (next() % 8),
            1 => bytes[place] = next() as u8,
            2 => bytes.truncate(place),
            3 => {
                let end = (place + 1 + next() % 16).min(bytes.len());
                let part = bytes[place..end].to_vec();
                bytes.splice(place..place, part);
            }
            _ => {
                let end = (place + 8).min(bytes.len());
                bytes[place..end].fill(0xFF);
            }
        }
    }
    bytes
}

#[test]
fn every_target_answers_its_seeds_and_their_mutations() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (name, target) in TARGETS {
        let mut files: Vec<_> = fs::read_dir(seeds.join(name))
            .unwrap_or_else(|error| panic!("{name} has no seeds: {error}"))
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seeds");
        println!("{name}: {} inputs", files.len() as u64 * (1 + mutations()));
        for file in files {
            let seed = fs::read(&file).unwrap();
            target(&seed);
            for number in 0..mutations() {
                target(&mutated(&seed, number));
            }
        }
    }
}

#[test]
fn no_target_lacks_its_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(
            folder.join(format!("fuzz_targets/{name}.rs")).is_file(),
            "{name}"
        );
    }
}

/// The committed checkpoint has joints, cracks, lines, waves and a log of collisions. Where it can no longer be read, the layout of the state has changed:
/// raise `checkpoint::VERSION`, so that older files are refused by their number, and make it again from `fuzz/seeds/checkpoint/whole.toml`
/// (`banquise run whole.toml`), with its state as `fuzz/seeds/state/whole.bin`.
#[test]
fn the_committed_checkpoint_is_of_this_version_and_is_read() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let bytes = fs::read(seeds.join("checkpoint/whole.bin")).unwrap();
    let checkpoint = Checkpoint::from_bytes(&bytes).unwrap();
    let state = RunState::from_bytes(&checkpoint.state).unwrap();
    let hash = format!("{:016x}", state.world.state_hash());
    assert_eq!(hash, checkpoint.header.state_hash);
    assert_eq!(
        fs::read(seeds.join("state/whole.bin")).unwrap(),
        checkpoint.state
    );
    // It is that of the scenario beside it.
    let scenario = fs::read_to_string(seeds.join("checkpoint/whole.toml")).unwrap();
    assert_eq!(checkpoint.header.scenario, scenario);
}

/// Mutations of a checkpoint that was written just now.
#[test]
fn checkpoints_of_this_version_are_answered_whatever_is_changed_in_them() {
    let bench = Workbench::new();
    bench.run_json(&["three-discs", "--out", "run"]);
    let bytes = fs::read(bench.path("run/checkpoint.bin")).unwrap();
    let state = Checkpoint::from_bytes(&bytes).unwrap().state;
    assert!(RunState::from_bytes(&state).is_ok());
    for (name, seed) in [("checkpoint", &bytes), ("state", &state)] {
        let target = TARGETS.iter().find(|target| target.0 == name).unwrap().1;
        for number in 0..10 * mutations() {
            target(&mutated(seed, number));
        }
    }
}
