//! Built-in scenarios with damage: decoded or refused with a text, never a panic.

use std::path::Path;

use banquise_io::builtin::{GLACIERS, SCENARIOS, SPECIMENS};
use banquise_io::glacier::GlacierPlan;
use banquise_io::plan::Plan;
use banquise_io::scenario::ScenarioInput;
use banquise_io::specimen::{SpecimenPlan, is_specimen};
use proptest::prelude::*;

/// The scenarios quick to decode: all but the field of ten thousand floes and those with a pack; and that of the pack without
/// its time, so that keys are read and no pack is made.
fn texts() -> Vec<&'static str> {
    let slow = ["field", "pack", "channel", "drift-week"];
    let quick = SCENARIOS
        .iter()
        .filter(|builtin| !slow.contains(&builtin.name));
    let pack = SCENARIOS
        .iter()
        .find(|builtin| builtin.name == "pack")
        .unwrap();
    let (_, pack) = pack.text.split_once("record_every").unwrap();
    let quick = quick.chain(GLACIERS).chain(SPECIMENS);
    quick.map(|builtin| builtin.text).chain([pack]).collect()
}

fn answer(text: &str) {
    if let Err(error) = Plan::parse("x", text, &[], Path::new("")).and_then(Plan::build) {
        assert!(error.render(false).starts_with("error: "));
    }
    let input = ScenarioInput::of_text("x", text, Path::new(""));
    if is_specimen(text)
        && let Err(error) = SpecimenPlan::of(&input, &[])
    {
        assert!(error.render(false).starts_with("error: "));
    }
    if let Err(error) = GlacierPlan::parse("x", text, &[], Path::new("")) {
        assert!(error.render(false).starts_with("error: "));
    }
}

/// Moves a place down to the start of a character.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

proptest! {
    #![proptest_config(crate::config(400))]

    #[test]
    fn deleted_duplicated_and_replaced_text_is_answered(
        which in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        length in 0..60_usize,
        copies in 0..3_usize,
        added in "[0-9.e-]{0,4}|\\PC{0,3}|(nan|inf|-1|0|\"\"|\\[\\]|\\{\\}|1e300|\"-1 m\")",
    ) {
        let texts = texts();
        let text = *which.get(&texts);
        let start = boundary(text, place.index(text.len()));
        let end = boundary(text, (start + length).min(text.len())).max(start);
        let middle = text[start..end].repeat(copies);
        answer(&format!("{}{middle}{added}{}", &text[..start], &text[end..]));
    }

    #[test]
    fn deleted_duplicated_and_swapped_lines_are_answered(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3), 1..4),
    ) {
        let texts = texts();
        let mut lines: Vec<&str> = which.get(&texts).lines().collect();
        for (first, second, change) in changes {
            let (i, j) = (first.index(lines.len()), second.index(lines.len()));
            match change {
                0 => { lines.remove(i); }
                1 => lines.insert(j, lines[i]),
                _ => lines.swap(i, j),
            }
        }
        answer(&lines.join("\n"));
    }

    #[test]
    fn other_numbers_are_answered(
        which in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        number in prop_oneof![
            Just("0".to_owned()), Just("-1".to_owned()), Just("1e-300".to_owned()), Just("1e300".to_owned()),
            Just("9223372036854775807".to_owned()), any::<i64>().prop_map(|n| n.to_string()),
            (-1e6..1e6_f64).prop_map(|x| x.to_string()),
        ],
    ) {
        let texts = texts();
        let text = *which.get(&texts);
        let digits: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
        let at = *place.get(&digits);
        answer(&format!("{}{number}{}", &text[..at], &text[at + 1..]));
    }
}
