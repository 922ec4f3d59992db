//! The scenarios that come with the program.

/// A scenario by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// What to call it on the command line.
    pub name: &'static str,
    /// The whole file.
    pub text: &'static str,
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
        name: "field",
        text: include_str!("../../../scenarios/field.toml"),
    },
];

/// The built-in scenario of that name.
pub fn find(name: &str) -> Option<Builtin> {
    SCENARIOS
        .iter()
        .copied()
        .find(|builtin| builtin.name == name)
}
