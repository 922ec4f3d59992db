//! The scenarios that come with the program.

use crate::scenario::{Document, Problems, TableReader};

/// A scenario by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// Name on the command line.
    pub name: &'static str,
    /// The whole file.
    pub text: &'static str,
}

impl Builtin {
    /// Its `summary` line, without decoding the rest.
    pub fn summary(&self) -> String {
        let Ok(document) = Document::parse(self.name, self.text, &[]) else {
            return String::new();
        };
        let problems = Problems::default();
        let root = TableReader::root(&document, &problems);
        root.optional("summary").text().or("").to_owned()
    }
}

/// All built-in scenarios, the default first.
pub const SCENARIOS: &[Builtin] = &[
    Builtin {
        name: "drift",
        text: include_str!("../../../scenarios/drift.toml"),
    },
    Builtin {
        name: "deviation",
        text: include_str!("../../../scenarios/deviation.toml"),
    },
    Builtin {
        name: "inertial",
        text: include_str!("../../../scenarios/inertial.toml"),
    },
    Builtin {
        name: "inertial-circle",
        text: include_str!("../../../scenarios/inertial-circle.toml"),
    },
    Builtin {
        name: "characteristic-speed",
        text: include_str!("../../../scenarios/characteristic-speed.toml"),
    },
    Builtin {
        name: "eddy",
        text: include_str!("../../../scenarios/eddy.toml"),
    },
    Builtin {
        name: "ocean-cells",
        text: include_str!("../../../scenarios/ocean-cells.toml"),
    },
    Builtin {
        name: "mooring",
        text: include_str!("../../../scenarios/mooring.toml"),
    },
    Builtin {
        name: "moored-disc",
        text: include_str!("../../../scenarios/moored-disc.toml"),
    },
    Builtin {
        name: "waves",
        text: include_str!("../../../scenarios/waves.toml"),
    },
    Builtin {
        name: "push-pull",
        text: include_str!("../../../scenarios/push-pull.toml"),
    },
    Builtin {
        name: "viscous-billiard",
        text: include_str!("../../../scenarios/viscous-billiard.toml"),
    },
    Builtin {
        name: "frozen-beam",
        text: include_str!("../../../scenarios/frozen-beam.toml"),
    },
    Builtin {
        name: "freezing-pack",
        text: include_str!("../../../scenarios/freezing-pack.toml"),
    },
    Builtin {
        name: "viscous-lotto",
        text: include_str!("../../../scenarios/viscous-lotto.toml"),
    },
    Builtin {
        name: "sedimentation",
        text: include_str!("../../../scenarios/sedimentation.toml"),
    },
    Builtin {
        name: "crowd-door",
        text: include_str!("../../../scenarios/crowd-door.toml"),
    },
    Builtin {
        name: "three-discs",
        text: include_str!("../../../scenarios/three-discs.toml"),
    },
    Builtin {
        name: "cradle",
        text: include_str!("../../../scenarios/cradle.toml"),
    },
    Builtin {
        name: "cannon",
        text: include_str!("../../../scenarios/cannon.toml"),
    },
    Builtin {
        name: "sliding-box",
        text: include_str!("../../../scenarios/sliding-box.toml"),
    },
    Builtin {
        name: "bouncing-ball",
        text: include_str!("../../../scenarios/bouncing-ball.toml"),
    },
    Builtin {
        name: "basin",
        text: include_str!("../../../scenarios/basin.toml"),
    },
    Builtin {
        name: "ship",
        text: include_str!("../../../scenarios/ship.toml"),
    },
    Builtin {
        name: "ship-quay",
        text: include_str!("../../../scenarios/ship-quay.toml"),
    },
    Builtin {
        name: "shaken-box",
        text: include_str!("../../../scenarios/shaken-box.toml"),
    },
    Builtin {
        name: "robeson",
        text: include_str!("../../../scenarios/robeson.toml"),
    },
    Builtin {
        name: "field",
        text: include_str!("../../../scenarios/field.toml"),
    },
    Builtin {
        name: "pack",
        text: include_str!("../../../scenarios/pack.toml"),
    },
    Builtin {
        name: "channel",
        text: include_str!("../../../scenarios/channel.toml"),
    },
    Builtin {
        name: "open-channel",
        text: include_str!("../../../scenarios/open-channel.toml"),
    },
    Builtin {
        name: "struck-disc",
        text: include_str!("../../../scenarios/struck-disc.toml"),
    },
    Builtin {
        name: "breaking-channel",
        text: include_str!("../../../scenarios/breaking-channel.toml"),
    },
    Builtin {
        name: "breaking-pack",
        text: include_str!("../../../scenarios/breaking-pack.toml"),
    },
    Builtin {
        name: "ship-breaking",
        text: include_str!("../../../scenarios/ship-breaking.toml"),
    },
    Builtin {
        name: "drift-week",
        text: include_str!("../../../scenarios/drift-week.toml"),
    },
];

/// The built-in scenario of that name.
pub fn find(name: &str) -> Option<Builtin> {
    SCENARIOS
        .iter()
        .copied()
        .find(|builtin| builtin.name == name)
}

/// Built-in scenarios of the glacier, for `banquise glacier`.
pub const GLACIERS: &[Builtin] = &[
    Builtin {
        name: "glacier-capsize",
        text: include_str!("../../../scenarios/glacier-capsize.toml"),
    },
    Builtin {
        name: "glacier-pulse",
        text: include_str!("../../../scenarios/glacier-pulse.toml"),
    },
    Builtin {
        name: "glacier-sliding",
        text: include_str!("../../../scenarios/glacier-sliding.toml"),
    },
    Builtin {
        name: "glacier-block",
        text: include_str!("../../../scenarios/glacier-block.toml"),
    },
];

/// Built-in studies, for `banquise sweep`.
pub const STUDIES: &[Builtin] = &[
    Builtin {
        name: "paper-week",
        text: include_str!("../../../studies/paper-week.toml"),
    },
    Builtin {
        name: "channel",
        text: include_str!("../../../studies/channel.toml"),
    },
    Builtin {
        name: "channel-chaos",
        text: include_str!("../../../studies/channel-chaos.toml"),
    },
    Builtin {
        name: "basin",
        text: include_str!("../../../studies/basin.toml"),
    },
    Builtin {
        name: "drift-week",
        text: include_str!("../../../studies/drift-week.toml"),
    },
];

/// The built-in study of that name.
pub fn find_study(name: &str) -> Option<Builtin> {
    STUDIES.iter().copied().find(|builtin| builtin.name == name)
}

/// The built-in scenario of a glacier of that name.
pub fn find_glacier(name: &str) -> Option<Builtin> {
    GLACIERS
        .iter()
        .copied()
        .find(|builtin| builtin.name == name)
}

/// Built-in scenarios of a bar or a plate.
pub const SPECIMENS: &[Builtin] = &[
    Builtin {
        name: "spall-bar",
        text: include_str!("../../../scenarios/spall-bar.toml"),
    },
    Builtin {
        name: "square-tension",
        text: include_str!("../../../scenarios/square-tension.toml"),
    },
];

/// The built-in scenario of a bar or a plate of that name.
pub fn find_specimen(name: &str) -> Option<Builtin> {
    SPECIMENS
        .iter()
        .copied()
        .find(|builtin| builtin.name == name)
}
