//! The scenes that are measured.

use std::f64::consts::TAU;
use std::path::Path;

use banquise::{Simulation, Velocity};
use banquise_geometry::{DVec2, math};
use banquise_io::builtin;
use banquise_io::plan::Plan;

use crate::failure::Failure;

/// A scene: a scenario with overrides, and the numbers of steps.
pub(super) struct Scene {
    pub(super) name: &'static str,
    source: Source,
    overrides: &'static [&'static str],
    /// Floes start with velocities of all directions up to this [m/s].
    kick: f64,
    /// Longest steps before the clock starts: to warm caches, and until the scene is what it is for.
    pub(super) warm_up: u32,
    /// Longest steps that are measured.
    pub(super) steps: u32,
}

/// Where the scenario is.
enum Source {
    /// Built in, by name.
    Builtin(&'static str),
    /// For measurements only.
    Text(&'static str),
}

const GAS: Source = Source::Text(include_str!("gas.toml"));
const SQUARE: Source = Source::Text(include_str!("square.toml"));
const PACK: Source = Source::Text(include_str!("pack.toml"));
const JAM: Source = Source::Text(include_str!("jam.toml"));
const WALL: Source = Source::Text(include_str!("wall.toml"));
const PILE: Source = Source::Text(include_str!("pile.toml"));

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "drift",
        source: Source::Builtin("field"),
        overrides: &[],
        kick: 0.0,
        warm_up: 20,
        steps: 200,
    },
    Scene {
        name: "shaken-box",
        source: Source::Builtin("shaken-box"),
        overrides: &[],
        kick: 0.0,
        warm_up: 20,
        steps: 1000,
    },
    Scene {
        name: "channel",
        source: Source::Builtin("channel"),
        overrides: &["report.snapshots=[]"],
        kick: 0.0,
        warm_up: 20,
        steps: 3000,
    },
    Scene {
        name: "drift-week",
        source: Source::Builtin("drift-week"),
        // The wind blows at once: what takes time are contacts.
        overrides: &[
            "wind.ramp=\"0 h\"",
            "current.ramp=\"0 h\"",
            "time.duration=\"7 d\"",
            "report.snapshots=[]",
        ],
        kick: 0.0,
        warm_up: 20,
        steps: 1000,
    },
    Scene {
        name: "drift-week-2000",
        source: Source::Builtin("drift-week"),
        // As many floes as at 60 % cover 2,868.6 m by 2,868.6 m.
        overrides: &[
            "wind.ramp=\"0 h\"",
            "current.ramp=\"0 h\"",
            "time.duration=\"7 d\"",
            "report.snapshots=[]",
            "domain.size=[\"2868.6 m\", \"2868.6 m\"]",
            "pack.count=2000",
            "pack.concentration=0.6",
        ],
        kick: 0.0,
        warm_up: 20,
        steps: 500,
    },
    Scene {
        name: "gas",
        source: GAS,
        overrides: &[],
        kick: 0.3,
        warm_up: 1,
        steps: 50,
    },
    Scene {
        name: "gas-2000",
        source: GAS,
        overrides: &[
            "domain.size=[\"2868.6 m\", \"2868.6 m\"]",
            "pack.count=2000",
        ],
        kick: 0.3,
        warm_up: 1,
        steps: 20,
    },
    Scene {
        name: "breaking-pack",
        source: Source::Builtin("breaking-pack"),
        // With meshes of 400 nodes.
        overrides: &["fracture.nodes=400", "report.snapshots=[]"],
        kick: 0.0,
        warm_up: 5,
        steps: 240,
    },
    Scene {
        name: "breaking-pack-2000",
        source: Source::Builtin("breaking-pack"),
        overrides: &[
            "domain.size=[\"4.6 km\", \"9.2 km\"]",
            "report.snapshots=[]",
        ],
        kick: 0.0,
        warm_up: 5,
        steps: 240,
    },
    Scene {
        name: "discs-1000",
        source: Source::Builtin("sedimentation"),
        overrides: &[],
        kick: 0.0,
        warm_up: 1500,
        steps: 500,
    },
    Scene {
        name: "discs-10000",
        source: Source::Builtin("sedimentation"),
        overrides: &[
            "domain.corner=[\"-10 m\", \"0 m\"]",
            "domain.size=[\"20 m\", \"6 m\"]",
            "discs[0].count=10000",
            "discs[0].region={corner=[\"-10 m\", \"4 m\"], size=[\"20 m\", \"2 m\"]}",
            "obstacle[0].position=[\"-9.9167 m\", \"3.25 m\"]",
            "obstacle[0].grid.columns=60",
            "obstacle[1].position=[\"-9.7500 m\", \"2.5 m\"]",
            "obstacle[1].grid.columns=60",
            "obstacle[2].position=[\"-9.9167 m\", \"1.75 m\"]",
            "obstacle[2].grid.columns=60",
            "obstacle[3].position=[\"-9.7500 m\", \"1.0 m\"]",
            "obstacle[3].grid.columns=60",
        ],
        kick: 0.0,
        warm_up: 1500,
        steps: 50,
    },
    Scene {
        name: "discs-100000",
        source: Source::Builtin("sedimentation"),
        overrides: &[
            "domain.corner=[\"-100 m\", \"0 m\"]",
            "domain.size=[\"200 m\", \"6 m\"]",
            "discs[0].count=100000",
            "discs[0].region={corner=[\"-100 m\", \"4 m\"], size=[\"200 m\", \"2 m\"]}",
            "obstacle[0].position=[\"-99.9167 m\", \"3.25 m\"]",
            "obstacle[0].grid.columns=600",
            "obstacle[1].position=[\"-99.7500 m\", \"2.5 m\"]",
            "obstacle[1].grid.columns=600",
            "obstacle[2].position=[\"-99.9167 m\", \"1.75 m\"]",
            "obstacle[2].grid.columns=600",
            "obstacle[3].position=[\"-99.7500 m\", \"1.0 m\"]",
            "obstacle[3].grid.columns=600",
        ],
        kick: 0.0,
        warm_up: 1500,
        steps: 20,
    },
    Scene {
        name: "square",
        source: SQUARE,
        overrides: &[],
        kick: 0.0,
        warm_up: 10,
        steps: 100,
    },
    Scene {
        name: "jam",
        source: JAM,
        overrides: &[],
        kick: 0.0,
        warm_up: 100,
        steps: 200,
    },
    Scene {
        name: "jam-day",
        source: JAM,
        overrides: &["contact.integrator=\"stepping\"", "time.step=\"2 s\""],
        kick: 0.0,
        warm_up: 1,
        steps: 43_200,
    },
    Scene {
        name: "jam-900",
        source: JAM,
        overrides: &[
            "contact.integrator=\"stepping\"",
            "time.step=\"5 s\"",
            "pack.count=900",
            "pack.region={corner=[\"0 m\", \"5 m\"], size=[\"1500 m\", \"1790 m\"]}",
            "obstacle[0].outline={unit=\"m\", points=[[-100, 0], [1600, 0], [1600, 1800], [-100, 1800], [-100, 1900], [1700, 1900], [1700, -100], [-100, -100]]}",
        ],
        kick: 0.0,
        warm_up: 1,
        steps: 17_280,
    },
    Scene {
        name: "jam-3000",
        source: JAM,
        overrides: &[
            "contact.integrator=\"stepping\"",
            "time.step=\"5 s\"",
            "pack.count=3000",
            "pack.region={corner=[\"0 m\", \"5 m\"], size=[\"1500 m\", \"5990 m\"]}",
            "obstacle[0].outline={unit=\"m\", points=[[-100, 0], [1600, 0], [1600, 6000], [-100, 6000], [-100, 6100], [1700, 6100], [1700, -100], [-100, -100]]}",
        ],
        kick: 0.0,
        warm_up: 1,
        steps: 1200,
    },
    Scene {
        name: "strait-10000",
        source: Source::Builtin("robeson"),
        // The wind presses at once; floes are small enough that the strait holds islands of 10,000 contacts.
        overrides: &[
            "wind.ramp=\"0 h\"",
            "current.ramp=\"0 h\"",
            "time.step=\"10 s\"",
            "pack.count=6000",
            "pack.max_size=\"2 km\"",
            "pack.concentration=0.8",
            "report.snapshots=[]",
        ],
        kick: 0.0,
        warm_up: 1,
        steps: 2160,
    },
    Scene {
        name: "wall-25x25",
        source: WALL,
        overrides: &[],
        kick: 0.0,
        warm_up: 1,
        steps: 100,
    },
    Scene {
        name: "pile",
        source: PILE,
        overrides: &[],
        kick: 0.0,
        warm_up: 600,
        steps: 200,
    },
    Scene {
        name: "pack-1000",
        source: PACK,
        overrides: &[],
        kick: 0.05,
        warm_up: 20,
        steps: 200,
    },
    Scene {
        name: "pack-10000",
        source: PACK,
        overrides: &[
            "domain.size=[\"10 km\", \"4 km\"]",
            "pack.tiles={columns=5, rows=2}",
        ],
        kick: 0.05,
        warm_up: 20,
        steps: 50,
    },
    Scene {
        name: "pack-100000",
        source: PACK,
        overrides: &[
            "domain.size=[\"20 km\", \"20 km\"]",
            "pack.tiles={columns=10, rows=10}",
        ],
        kick: 0.05,
        warm_up: 10,
        steps: 20,
    },
];

impl Scene {
    /// The simulation about to start, with keys set by the user after the scene's own.
    pub(super) fn simulation(&self, set: &[String]) -> Result<Simulation, Failure> {
        let text = match self.source {
            Source::Builtin(name) => {
                let builtin = builtin::find(name);
                builtin.map_or("", |builtin| builtin.text)
            }
            Source::Text(text) => text,
        };
        let own = self.overrides.iter().map(|&text| text.to_owned());
        let overrides: Vec<String> = own.chain(set.iter().cloned()).collect();
        let mut simulation = Plan::parse(self.name, text, &overrides, Path::new(""))?
            .build()?
            .simulation;
        if self.kick > 0.0 {
            kick(&mut simulation, self.kick);
        }
        Ok(simulation)
    }
}

/// Gives each floe a velocity of its own, speeds and directions spread evenly.
fn kick(simulation: &mut Simulation, largest: f64) {
    let rows: Vec<usize> = simulation.world.floe_rows().collect();
    for (number, row) in rows.into_iter().enumerate() {
        // Multiples of numbers far from every fraction: even in the plane, and no two alike.
        let spread = |step: f64| (step * (number as f64 + 1.0)).fract();
        let (sin, cos) = math::sin_cos(TAU * spread(0.754_877_666_246_692_8));
        let speed = largest * spread(0.569_840_290_998_053_2);
        let velocity = Velocity {
            linear: speed * DVec2::new(cos, sin),
            angular: 0.0,
        };
        simulation.world.bodies.set_velocity(row, velocity);
    }
}
