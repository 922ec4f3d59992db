//! The input files `data` and `config` of Lefebvre 2007 (section 5.3.4), as a scenario.
//!
//! A line is a value and its name, and what follows is a comment; lines that do not begin with a number are headings. The last lines of `config` are obstacles: `1 x y r` is a disc,
//! `2 x₁ y₁ x₂ y₂` a segment. Lengths and times have no units there; they are read as metres and seconds.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use thiserror::Error;

/// Error of an input file.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LefebvreError {
    /// A value is missing.
    #[error("there is no value for `{name}` in `{file}`", file = file_of(name))]
    Missing {
        /// Its name.
        name: &'static str,
    },
    /// A line that means nothing.
    #[error("`{file}`, line {line}: `{text}` is no value with a known name, and no obstacle")]
    Unknown {
        /// Which of the two files.
        file: &'static str,
        /// Its number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A value that is given twice.
    #[error("`{file}`, line {line}: `{name}` has a value already")]
    Twice {
        /// Which of the two files.
        file: &'static str,
        /// Line, from 1.
        line: usize,
        /// Its name.
        name: &'static str,
    },
    /// A value that cannot be.
    #[error("`{name}` is {value}, and must be {requirement}")]
    OutOfRange {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
    /// An obstacle that cannot be.
    #[error("obstacle {number}, `{text}`, has no size, or a number that is not finite")]
    Obstacle {
        /// Its number, from 1.
        number: usize,
        /// Its numbers.
        text: String,
    },
    /// The list of obstacles is not as long as announced.
    #[error("NbO announces {announced} obstacles, and the file lists {listed}")]
    ObstacleCount {
        /// As announced.
        announced: f64,
        /// As listed.
        listed: usize,
    },
}

impl LefebvreError {
    /// Hint to the user.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "add a line with the value first and then the name",
            Self::Unknown { .. } => {
                "a line is a value and its name, a disc `1 x y r`, or a segment `2 x1 y1 x2 y2`"
            }
            Self::Twice { .. } => "remove one of the two lines",
            Self::OutOfRange { .. } => {
                "change the value; choices other than 1 were never part of that program"
            }
            Self::Obstacle { .. } => "a disc needs a positive radius, a segment two different ends",
            Self::ObstacleCount { .. } => {
                "change NbO, or list the others: the example of the thesis is an excerpt"
            }
        }
    }
}

const DATA_NAMES: [&str; 15] = [
    "DIM",
    "TYPE OF CONTACT LAW",
    "TYPE OF VAP",
    "TYPE OF EXTERNAL FORCE",
    "g",
    "T",
    "save",
    "plot",
    "dn_save",
    "dt*umax/rmin",
    "PROJECTION METHOD",
    "rho*dt*dt",
    "eps/rmin",
    "maxiter",
    "NEIGHBOURGS METHOD",
];
const CONFIG_NAMES: [&str; 17] = [
    "NbP",
    "NbO",
    "METHOD TO CREATE PARTICLES",
    "rmin",
    "rmax",
    "xmin",
    "xmax",
    "ymin",
    "ymax",
    "m",
    "SAME MOVEMENT FOR EVERYONE",
    "type",
    "u[0]",
    "u[1]",
    "xo[0]",
    "xo[1]",
    "w",
];
/// The file of a name.
fn file_of(name: &str) -> &'static str {
    if DATA_NAMES.contains(&name) {
        "data"
    } else {
        "config"
    }
}

/// Sizes of numbers that have a meaning here: what comes of them can be written and read again.
const SIZES: RangeInclusive<f64> = 1e-12..=1e12;
/// Width of a segment, as a share of the least radius: it has two sides, and no corner that is rounded away.
const SEGMENT_WIDTH: f64 = 1e-3;

/// A file that was read.
struct Values {
    named: Vec<(&'static str, f64)>,
    obstacles: Vec<Vec<f64>>,
}

impl Values {
    fn read(file: &'static str, text: &str, names: &[&'static str]) -> Result<Self, LefebvreError> {
        let mut values = Self {
            named: Vec::new(),
            obstacles: Vec::new(),
        };
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let trimmed = line.trim();
            let (first, rest) = trimmed
                .split_once(char::is_whitespace)
                .unwrap_or((trimmed, ""));
            let rest = rest.trim_start();
            let is_named = |name: &&&'static str| {
                let after = rest.strip_prefix(**name);
                after.is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric()))
            };
            let name = names.iter().filter(is_named).max_by_key(|name| name.len());
            let unknown = || LefebvreError::Unknown {
                file,
                line: index + 1,
                text: trimmed.to_owned(),
            };
            let Ok(value) = first.parse::<f64>() else {
                // A title, unless it is a number with a comma before a name.
                if name.is_some() && first.contains(|c: char| c.is_ascii_digit()) {
                    return Err(unknown());
                }
                continue;
            };
            let numbers: Result<Vec<f64>, _> = trimmed.split_whitespace().map(str::parse).collect();
            match (numbers, name) {
                (Ok(numbers), _) if matches!((numbers[0], numbers.len()), (1.0, 4) | (2.0, 5)) => {
                    values.obstacles.push(numbers);
                }
                (_, Some(&name)) => {
                    if values.named.iter().any(|(own, _)| *own == name) {
                        return Err(LefebvreError::Twice {
                            file,
                            line: index + 1,
                            name,
                        });
                    }
                    values.named.push((name, value));
                }
                _ => return Err(unknown()),
            }
        }
        Ok(values)
    }

    fn get(&self, name: &'static str) -> Result<f64, LefebvreError> {
        let found = self.named.iter().find(|(own, _)| *own == name);
        found
            .map(|(_, value)| *value)
            .ok_or(LefebvreError::Missing { name })
    }

    fn check(
        &self,
        name: &'static str,
        requirement: &'static str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<f64, LefebvreError> {
        let value = self.get(name)?;
        if accept(value) {
            return Ok(value);
        }
        Err(LefebvreError::OutOfRange {
            name,
            value,
            requirement,
        })
    }

    fn positive(&self, name: &'static str) -> Result<f64, LefebvreError> {
        self.check(
            name,
            "positive, and not beyond what has a meaning",
            |value| SIZES.contains(&value),
        )
    }

    fn finite(&self, name: &'static str) -> Result<f64, LefebvreError> {
        self.check(name, "a number that has a meaning", |value| {
            value.abs() <= *SIZES.end()
        })
    }
}

/// The scenario that the two files describe, as text.
///
/// # Errors
/// When a value is missing or cannot be, a line means nothing, or obstacles are missing.
pub fn scenario_of(data: &str, config: &str) -> Result<String, LefebvreError> {
    let (data, config) = (
        Values::read("data", data, &DATA_NAMES)?,
        Values::read("config", config, &CONFIG_NAMES)?,
    );
    data.check("DIM", "2", |value| value == 2.0)?;
    for name in [
        "TYPE OF CONTACT LAW",
        "TYPE OF VAP",
        "TYPE OF EXTERNAL FORCE",
        "PROJECTION METHOD",
        "NEIGHBOURGS METHOD",
    ] {
        data.check(name, "1", |value| value == 1.0)?;
    }
    for name in [
        "METHOD TO CREATE PARTICLES",
        "SAME MOVEMENT FOR EVERYONE",
        "type",
    ] {
        config.check(name, "1", |value| value == 1.0)?;
    }
    let announced = config.get("NbO")?;
    if announced != config.obstacles.len() as f64 {
        let listed = config.obstacles.len();
        return Err(LefebvreError::ObstacleCount { announced, listed });
    }
    for (index, obstacle) in config.obstacles.iter().enumerate() {
        if !has_size(obstacle) {
            let numbers = obstacle.iter().map(f64::to_string);
            return Err(LefebvreError::Obstacle {
                number: index + 1,
                text: numbers.collect::<Vec<_>>().join(" "),
            });
        }
    }
    let mut text = head(&data, &config)?;
    for (index, obstacle) in config.obstacles.iter().enumerate() {
        text += &obstacle_text(obstacle, index + 1, &config, data.positive("T")?)?;
    }
    Ok(text)
}

/// Whether an obstacle is a disc with a radius, or a segment with a length.
fn has_size(obstacle: &[f64]) -> bool {
    let size = match *obstacle {
        [_, _, _, radius] => radius,
        [_, x1, y1, x2, y2] => (x2 - x1).hypot(y2 - y1),
        _ => return false,
    };
    SIZES.contains(&size) && obstacle.iter().all(|number| number.abs() <= *SIZES.end())
}

/// Everything but the obstacles.
fn head(data: &Values, config: &Values) -> Result<String, LefebvreError> {
    let gravity = data.positive("g")?;
    let (least, largest) = (config.positive("rmin")?, config.positive("rmax")?);
    config.check("rmax", "at least rmin", |value| value >= least)?;
    let [left, low] = [config.finite("xmin")?, config.finite("ymin")?];
    let [right, high] = [config.finite("xmax")?, config.finite("ymax")?];
    config.check("xmax", "more than xmin", |value| value > left)?;
    config.check("ymax", "more than ymin", |value| value > low)?;
    // umax is not defined there: that of a free fall to the lowest obstacle, or through the region.
    let ends = config.obstacles.iter().map(|obstacle| match obstacle[..] {
        [_, _, y, radius] => y - radius,
        [_, _, first, _, last] => first.min(last),
        _ => low,
    });
    let depth = high - ends.fold(low, f64::min);
    let fastest = (2.0 * gravity * depth).sqrt();
    let step = data.positive("dt*umax/rmin")? * least / fastest;
    let save = data.check("dn_save", "a number of steps", |value| {
        (1.0..=*SIZES.end()).contains(&value)
    })?;
    let count = config.check("NbP", "a whole number from 1 to 200000", |value| {
        value.fract() == 0.0 && (1.0..=200_000.0).contains(&value)
    })?;
    let (size, corner) = ([right - left, high - low], [left - least, low - least]);
    let size = size.map(|side| side + 2.0 * least);
    let mut text = String::new();
    write!(
        text,
        "# From the files `data` and `config` of Lefebvre 2007, section 5.3.4.\n\n\
         [time]\nduration = \"{} s\"\nstep = \"{step:e} s\"\nrecord_every = \"{:e} s\"\n\n\
         [drag]\nenabled = false\n\n\
         [contact]\nlaw = \"gluey\"\nuzawa = {{ step = {}, tolerance = \"{:e} m\", iterations = {} }}\n\n\
         [[force]]\nacceleration = [\"0 m/s2\", \"{} m/s2\"]\n\n\
         [[discs]]\ncount = {count}\nradius = {{ from = \"{least} m\", to = \"{largest} m\" }}\nmass = \"{} kg\"\n\
         region = {{ corner = [\"{} m\", \"{} m\"], size = [\"{} m\", \"{} m\"] }}\n",
        data.positive("T")?,
        save * step,
        data.positive("rho*dt*dt")?,
        data.positive("eps/rmin")? * least,
        data.check("maxiter", "a whole number from 1 to 1000000000", |value| {
            value.fract() == 0.0 && (1.0..=1e9).contains(&value)
        })?,
        -gravity,
        config.positive("m")?,
        corner[0],
        corner[1],
        size[0],
        size[1],
    ).expect("a string takes any text");
    Ok(text)
}

fn obstacle_text(
    obstacle: &[f64],
    number: usize,
    config: &Values,
    end: f64,
) -> Result<String, LefebvreError> {
    let mut text = format!("\n[[obstacle]]\nname = \"obstacle-{number}\"\n");
    let mut position = [0.0; 2];
    match *obstacle {
        [_, x, y, radius] => {
            position = [x, y];
            writeln!(text, "disc = {{ radius = \"{radius} m\" }}")
                .expect("a string takes any text");
        }
        [_, x1, y1, x2, y2] => {
            let length = (x2 - x1).hypot(y2 - y1);
            let half = 0.5 * SEGMENT_WIDTH * config.positive("rmin")? / length;
            let (across, along) = (-half * (y2 - y1), half * (x2 - x1));
            let points = [
                [x1 - across, y1 - along],
                [x2 - across, y2 - along],
                [x2 + across, y2 + along],
                [x1 + across, y1 + along],
            ];
            let points = points.map(|[x, y]| format!("[{x}, {y}]")).join(", ");
            writeln!(text, "outline = {{ unit = \"m\", points = [{points}] }}")
                .expect("a string takes any text");
        }
        _ => {}
    }
    let [x, y] = position;
    let u = [config.finite("u[0]")?, config.finite("u[1]")?];
    let w = config.check(
        "w",
        "0, or an angular velocity that has a meaning",
        |value| value == 0.0 || SIZES.contains(&value.abs()),
    )?;
    if w != 0.0 {
        writeln!(
            text,
            "position = [\"{x} m\", \"{y} m\"]\nspin = {{ center = [\"{} m\", \"{} m\"], period = \"{} s\", velocity = [\"{} m/s\", \"{} m/s\"] }}",
            config.finite("xo[0]")?,
            config.finite("xo[1]")?,
            std::f64::consts::TAU / w,
            u[0],
            u[1],
        ).expect("a string takes any text");
    } else if u != [0.0; 2] {
        writeln!(
            text,
            "path = [{{ time = \"0 s\", position = [\"{x} m\", \"{y} m\"] }}, {{ time = \"{end} s\", position = [\"{} m\", \"{} m\"] }}]",
            x + end * u[0],
            y + end * u[1],
        ).expect("a string takes any text");
    } else if position != [0.0; 2] {
        writeln!(text, "position = [\"{x} m\", \"{y} m\"]").expect("a string takes any text");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::plan::Plan;

    const DATA: &str = include_str!("../tests/files/lefebvre-data.txt");
    const CONFIG: &str = include_str!("../tests/files/lefebvre-config.txt");

    #[test]
    fn the_example_of_the_thesis_is_a_scenario() {
        let refused = scenario_of(DATA, CONFIG).unwrap_err();
        let (announced, listed) = (32.0, 7);
        assert_eq!(refused, LefebvreError::ObstacleCount { announced, listed });
        let config = CONFIG.replace("32  NbO", "7  NbO");
        let text = scenario_of(DATA, &config).unwrap();
        let run = Plan::parse("lefebvre", &text, &[], Path::new("")).unwrap();
        let run = run.build().unwrap().simulation;
        assert_eq!(run.world.floe_rows().count(), 100);
        assert_eq!(run.world.bodies.len(), 107);
        // dt umax/rmin = 0.5 with a fall of 14 m.
        let expected = 0.5 * 0.04 / (2.0 * 10.0 * 14.0_f64).sqrt();
        assert!((run.max_dt - expected).abs() < 1e-15);
        // Moving and spinning obstacles.
        for (from, to) in [("0  w ", "2  w "), ("0  u[0]", "0.1  u[0]")] {
            let moved = scenario_of(DATA, &config.replace(from, to)).unwrap();
            let plan = Plan::parse("lefebvre", &moved, &[], Path::new("")).unwrap();
            let paths = plan.bodies.iter().filter(|body| body.path.is_some());
            assert_eq!(paths.count(), 7, "{to}");
            // Discs are kept off obstacles where these are at first.
            plan.build().unwrap();
        }
    }

    #[test]
    fn bad_lines_are_named() {
        let other = scenario_of(&DATA.replace("2   DIM", "3   DIM"), CONFIG).unwrap_err();
        assert!(other.to_string().contains("`DIM` is 3"), "{other}");
        let config = CONFIG.replace("32  NbO", "7  NbO");
        let missing = scenario_of(&DATA.replace("10  g ", "gravity: "), &config).unwrap_err();
        assert_eq!(missing, LefebvreError::Missing { name: "g" });
        let strange = CONFIG.replace("1  1.1   1    0.06", "1 1.1 1");
        let strange = scenario_of(DATA, &strange).unwrap_err();
        assert!(
            matches!(strange, LefebvreError::Unknown { line: 30, .. }),
            "{strange}"
        );
    }

    #[test]
    fn numbers_that_make_no_scenario_are_refused() {
        let config = CONFIG.replace("32  NbO", "7  NbO");
        for (from, to, says) in [
            ("0.04 rmin", "inf rmin", "`rmin` is inf"),
            (
                "0.04 rmin",
                "0.06 rmin",
                "`rmax` is 0.05, and must be at least rmin",
            ),
            ("2   xmax", "1e20 xmax", "`xmax` is 100000000000000000000"),
            (
                "2   xmax",
                "-3 xmax",
                "`xmax` is -3, and must be more than xmin",
            ),
            ("1  1.1   1    0.06", "1 1.1 1 -0.06", "obstacle 2"),
            ("2  -2    2   2    2", "2 -2 2 -2 2", "obstacle 5"),
            ("0  u[0]", "nan u[0]", "`u[0]` is NaN"),
            ("0.04 rmin", "0,04 rmin", "line 9: `0,04 rmin"),
            (
                "0.04 rmin",
                "0.04 rmin\n0.03 rmin",
                "`rmin` has a value already",
            ),
            (
                "0.04 rmin",
                "radius: rmin",
                "no value for `rmin` in `config`",
            ),
        ] {
            assert!(config.contains(from), "{from}");
            let refused = scenario_of(DATA, &config.replace(from, to)).unwrap_err();
            assert!(refused.to_string().contains(says), "{refused}");
        }
        let marked = format!("\u{feff}{config}");
        assert_eq!(scenario_of(DATA, &marked), scenario_of(DATA, &config));
    }
}
