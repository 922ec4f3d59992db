//! Problems as JSON: a linear complementarity problem, a friction problem in local form, or bodies and
//! contacts.
//!
//! Unknown keys are ignored: stored problems carry their source, and captured ones their step and time.

mod answer;
mod bounds;
mod crushing;
mod entries;
mod error;
mod local;
mod spelling;

pub use answer::{impact_answer, solve_contacts};
pub use bounds::{bounded_answer, solve_bounded};
pub use crushing::crushing_answer;
pub use error::ProblemError;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::crushing::Crushing;
use crate::impact::{Cone, ImpactSettings, Mode};
use crate::lcp::Lcp;
use crate::local::LocalProblem;
use crate::matrix::Matrix;
use crate::problem::{Body, Contact, ContactProblem};
use crate::velocity_bounds::Bound;

/// A problem read from JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// `{"M": [[…]], "q": […]}`.
    Lcp(Lcp<'static>),
    /// `{"W": {"row": […], "col": […], "val": […]}, "q": […], "mu": […]}`, two rows a contact.
    Local(LocalProblem<'static>),
    /// `{"bodies": […], "contacts": […], "mode": "simultaneous"}`.
    Contacts(ContactProblem, ImpactSettings),
    /// Bodies and contacts with `least` or `rebound`: bounds on normal velocities, as a fixed step has them.
    Bounded(ContactProblem, Vec<Bound>),
    /// Bodies and contacts with `largest_impulse`: ice that may be crushed.
    Crushing(ContactProblem, Vec<Crushing>),
}

/// Unknowns beyond which a linear complementarity problem is refused: its matrix is dense, and has 3 GB then.
const MAX_UNKNOWNS: usize = 20_000;
/// Contacts beyond which a problem is refused: sparse factors of so many have some GB.
const MAX_CONTACTS: usize = 100_000;
/// Numbers beyond this are refused, and masses below its inverse: their products must not overflow.
const LARGEST: f64 = 1e50;
/// A normal whose length is this close to one is taken as it is.
const UNIT_TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
struct LcpFile {
    #[serde(rename = "M")]
    matrix: Vec<Vec<f64>>,
    q: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct ContactFile {
    bodies: Vec<BodyEntry>,
    contacts: Vec<ContactEntry>,
    #[serde(default = "active")]
    mode: ModeName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cone: Option<ConeName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slack_velocity: Option<f64>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ConeName {
    Full,
    Literal,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ModeName {
    Simultaneous,
    Active,
}

fn active() -> ModeName {
    ModeName::Active
}

#[derive(Serialize, Deserialize)]
struct BodyEntry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mass: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inertia: Option<f64>,
    /// Takes precedence over `mass`: written where the mass does not reproduce it exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inv_mass: Option<f64>,
    /// Inverse of the moment of inertia, in place of `inertia`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inv_inertia: Option<f64>,
    position: [f64; 2],
    /// May be left out for a fixed body, which is then at rest.
    velocity: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fixed: bool,
}

#[derive(Serialize, Deserialize)]
struct ContactEntry {
    a: usize,
    b: usize,
    point: [f64; 2],
    normal: [f64; 2],
    #[serde(default)]
    friction: f64,
    #[serde(default)]
    restitution: f64,
    #[serde(default)]
    gap: f64,
    /// Impulses of the warm start.
    #[serde(default, skip_serializing_if = "is_nothing")]
    start: [f64; 2],
    /// Added to the position of `b`: the contact is with that image of it.
    #[serde(default)]
    shift: [f64; 2],
    /// Takes precedence over `point` and `shift`: written where they do not reproduce the lever arms exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arms: Option<[[f64; 2]; 2]>,
    /// The least normal velocity; separation is positive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    least: Option<f64>,
    /// Normal velocity of the rebound by restitution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rebound: Option<f64>,
    /// The largest normal impulse, of ice that may be crushed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    largest_impulse: Option<f64>,
}

fn is_nothing(start: &[f64; 2]) -> bool {
    *start == [0.0; 2]
}

impl Problem {
    /// Reads one of the forms.
    ///
    /// # Errors
    /// When the text is none of them, or its numbers make no problem.
    pub fn from_json(text: &str) -> Result<Self, ProblemError> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        let has = |key: &str| value.get(key).is_some();
        if has("M") {
            return lcp_from(read(text)?).map(Self::Lcp);
        }
        if has("W") {
            return local::local_from(read(text)?).map(Self::Local);
        }
        if has("bodies") {
            spelling::expect_spelling(&value)?;
            let file: ContactFile = read(text)?;
            let problem = contacts_from(&file)?;
            if let Some(crushing) = crushing::crushing_from(&file)? {
                return Ok(Self::Crushing(problem, crushing));
            }
            return Ok(match bounds::bounds_from(&file)? {
                Some(bounds) => Self::Bounded(problem, bounds),
                None => Self::Contacts(problem, settings_from(&file)?),
            });
        }
        Err(ProblemError::UnknownForm)
    }
}

/// Reads one form; an error names the key.
fn read<'a, Form: Deserialize<'a>>(text: &'a str) -> Result<Form, ProblemError> {
    let mut source = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut source).map_err(|error| ProblemError::WrongShape {
        what: match error.path().to_string() {
            top if top == "." => "the problem".to_owned(),
            key => format!("`{key}`"),
        },
        source: error.into_inner(),
    })
}

impl ContactProblem {
    /// The problem as JSON that reads back exactly.
    pub fn to_json(&self, settings: &ImpactSettings) -> String {
        serde_json::to_string(&self.to_file(settings)).expect("numbers and names can be written")
    }

    fn to_file(&self, settings: &ImpactSettings) -> ContactFile {
        ContactFile {
            bodies: self.bodies.iter().map(body_entry).collect(),
            contacts: self
                .contacts
                .iter()
                .map(|c| self.contact_entry(c))
                .collect(),
            mode: match settings.mode {
                Mode::Simultaneous => ModeName::Simultaneous,
                Mode::Active => ModeName::Active,
            },
            cone: match settings.cone {
                Cone::Full => None,
                Cone::Literal => Some(ConeName::Literal),
            },
            slack_velocity: Some(settings.slack_velocity).filter(|&slack| slack != 0.0),
        }
    }

    fn contact_entry(&self, contact: &Contact) -> ContactEntry {
        let (position_a, position_b) = (
            self.bodies[contact.a].position,
            self.bodies[contact.b].position,
        );
        let point = position_a + contact.arms[0];
        let shift = point - contact.arms[1] - position_b;
        let read_back = [point - position_a, point - (position_b + shift)];
        let same = read_back.map(bits) == contact.arms.map(bits);
        ContactEntry {
            a: contact.a,
            b: contact.b,
            point: point.to_array(),
            normal: contact.normal.to_array(),
            friction: contact.friction,
            restitution: contact.restitution,
            gap: contact.gap,
            start: contact.start,
            shift: shift.to_array(),
            arms: (!same).then(|| contact.arms.map(|arm| arm.to_array())),
            least: None,
            rebound: None,
            largest_impulse: None,
        }
    }
}

fn bits(vector: DVec2) -> [u64; 2] {
    vector.to_array().map(f64::to_bits)
}

fn body_entry(body: &Body) -> BodyEntry {
    let fixed = body.inv_mass == 0.0 && body.inv_inertia == 0.0;
    let value = |inverse: f64| Some(1.0 / inverse).filter(|value| !fixed && value.is_finite());
    let exact = |inverse: f64| {
        let read_back = value(inverse).map(|value| 1.0 / value);
        (!fixed && read_back != Some(inverse)).then_some(inverse)
    };
    BodyEntry {
        mass: value(body.inv_mass),
        inertia: value(body.inv_inertia),
        inv_mass: exact(body.inv_mass),
        inv_inertia: exact(body.inv_inertia),
        position: body.position.to_array(),
        velocity: Some([
            body.linear_velocity.x,
            body.linear_velocity.y,
            body.angular_velocity,
        ]),
        fixed,
    }
}

fn settings_from(file: &ContactFile) -> Result<ImpactSettings, ProblemError> {
    let slack_velocity = file.slack_velocity.unwrap_or(0.0);
    let what = || "slack_velocity".to_owned();
    expect_size(what, slack_velocity)?;
    expect(
        slack_velocity >= 0.0,
        what,
        "zero or positive",
        slack_velocity,
    )?;
    Ok(ImpactSettings {
        mode: match file.mode {
            ModeName::Simultaneous => Mode::Simultaneous,
            ModeName::Active => Mode::Active,
        },
        cone: match file.cone {
            Some(ConeName::Literal) => Cone::Literal,
            Some(ConeName::Full) | None => Cone::Full,
        },
        slack_velocity,
    })
}

fn lcp_from(file: LcpFile) -> Result<Lcp<'static>, ProblemError> {
    let size = file.matrix.len();
    expect_count("M", size, "unknowns", MAX_UNKNOWNS)?;
    expect_length("q", file.q.len(), size)?;
    for (index, row) in file.matrix.iter().enumerate() {
        expect_length(&format!("M[{index}]"), row.len(), size)?;
        expect_sizes(row, |column| format!("M[{index}][{column}]"))?;
    }
    expect_sizes(&file.q, |index| format!("q[{index}]"))?;
    Ok(Lcp::new(Matrix::from_rows(&file.matrix), file.q))
}

fn contacts_from(file: &ContactFile) -> Result<ContactProblem, ProblemError> {
    expect_contacts("contacts", file.contacts.len())?;
    let bodies = file.bodies.iter().enumerate();
    let bodies: Vec<Body> = bodies
        .map(|(i, b)| body_from(i, b))
        .collect::<Result<_, _>>()?;
    let contacts = file.contacts.iter().enumerate();
    let contacts = contacts
        .map(|(i, c)| contact_from(i, c, &bodies))
        .collect::<Result<_, _>>()?;
    Ok(ContactProblem { bodies, contacts })
}

fn body_from(index: usize, entry: &BodyEntry) -> Result<Body, ProblemError> {
    let inverse =
        |inverse: Option<f64>, value: Option<f64>, key: &str| -> Result<f64, ProblemError> {
            if entry.fixed {
                return Ok(0.0);
            }
            let what = || format!("bodies[{index}].{key}");
            if let Some(inverse) = inverse {
                let what = || format!("bodies[{index}].inv_{key}");
                expect(
                    (0.0..=LARGEST).contains(&inverse),
                    what,
                    "between 0 and 1e50",
                    inverse,
                )?;
                return Ok(inverse);
            }
            let value = value.ok_or_else(|| ProblemError::Missing { what: what() })?;
            expect(
                (1.0 / LARGEST..=LARGEST).contains(&value),
                what,
                "between 1e-50 and 1e50",
                value,
            )?;
            Ok(1.0 / value)
        };
    expect_sizes(&entry.position, |k| {
        format!("bodies[{index}].position[{k}]")
    })?;
    let velocity = entry.velocity.or(entry.fixed.then_some([0.0; 3]));
    let velocity = velocity.ok_or_else(|| ProblemError::Missing {
        what: format!("bodies[{index}].velocity"),
    })?;
    expect_sizes(&velocity, |k| format!("bodies[{index}].velocity[{k}]"))?;
    let [vx, vy, angular_velocity] = velocity;
    Ok(Body {
        inv_mass: inverse(entry.inv_mass, entry.mass, "mass")?,
        inv_inertia: inverse(entry.inv_inertia, entry.inertia, "inertia")?,
        position: entry.position.into(),
        linear_velocity: DVec2::new(vx, vy),
        angular_velocity,
    })
}

fn contact_from(
    index: usize,
    entry: &ContactEntry,
    bodies: &[Body],
) -> Result<Contact, ProblemError> {
    for (key, value) in [("a", entry.a), ("b", entry.b)] {
        if value >= bodies.len() {
            let what = format!("contacts[{index}].{key}");
            let last = bodies.len().max(1) - 1;
            return Err(ProblemError::NoSuchIndex { what, value, last });
        }
    }
    let what = |key: &str| format!("contacts[{index}].{key}");
    let vectors = [
        ("point", entry.point),
        ("shift", entry.shift),
        ("start", entry.start),
        ("arms[0]", entry.arms.unwrap_or_default()[0]),
        ("arms[1]", entry.arms.unwrap_or_default()[1]),
    ];
    for (key, vector) in vectors {
        expect_sizes(&vector, |k| format!("contacts[{index}].{key}[{k}]"))?;
    }
    expect_size(|| what("gap"), entry.gap)?;
    expect_size(|| what("friction"), entry.friction)?;
    let normal = DVec2::from(entry.normal);
    let length = normal.length();
    expect(
        (length - 1.0).abs() < 1e-6,
        || what("normal"),
        "of length 1",
        length,
    )?;
    let (friction, restitution) = (entry.friction, entry.restitution);
    expect(
        friction >= 0.0,
        || what("friction"),
        "zero or positive",
        friction,
    )?;
    let in_unit = (0.0..=1.0).contains(&restitution);
    expect(
        in_unit,
        || what("restitution"),
        "between 0 and 1",
        restitution,
    )?;
    let is_image = entry.shift != [0.0; 2] || entry.arms.is_some();
    if entry.a == entry.b && !is_image {
        return Err(ProblemError::BadContact {
            contact: index,
            reason: "a body with itself",
        });
    }
    let is_fixed = |row: usize| bodies[row].inv_mass == 0.0;
    if is_fixed(entry.a) && is_fixed(entry.b) {
        return Err(ProblemError::BadContact {
            contact: index,
            reason: "two fixed bodies",
        });
    }
    let point = DVec2::from(entry.point);
    let position_b = bodies[entry.b].position + DVec2::from(entry.shift);
    let arms = [point - bodies[entry.a].position, point - position_b];
    Ok(Contact {
        a: entry.a,
        b: entry.b,
        arms: entry.arms.map_or(arms, |arms| arms.map(DVec2::from)),
        // A unit vector to round-off stays what it is: what was written must read back exactly.
        normal: if (length - 1.0).abs() <= UNIT_TOLERANCE {
            normal
        } else {
            normal / length
        },
        friction,
        restitution,
        gap: entry.gap,
        start: entry.start,
    })
}

fn expect_length(list: &str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected {
        return Ok(());
    }
    let list = list.to_owned();
    Err(ProblemError::WrongLength {
        list,
        found,
        expected,
    })
}

fn expect_contacts(list: &'static str, count: usize) -> Result<(), ProblemError> {
    expect_count(list, count, "contacts", MAX_CONTACTS)
}

fn expect_count(
    list: &'static str,
    count: usize,
    of: &'static str,
    most: usize,
) -> Result<(), ProblemError> {
    if count > most {
        return Err(ProblemError::TooLarge {
            list,
            count,
            of,
            most,
        });
    }
    Ok(())
}

fn expect_size(what: impl Fn() -> String, value: f64) -> Result<(), ProblemError> {
    expect(value.abs() <= LARGEST, what, "within ±1e50", value)
}

fn expect_sizes(values: &[f64], what: impl Fn(usize) -> String) -> Result<(), ProblemError> {
    for (index, &value) in values.iter().enumerate() {
        expect_size(|| what(index), value)?;
    }
    Ok(())
}

fn expect(
    holds: bool,
    what: impl Fn() -> String,
    requirement: &'static str,
    value: f64,
) -> Result<(), ProblemError> {
    if holds {
        return Ok(());
    }
    Err(ProblemError::OutOfRange {
        what: what(),
        requirement,
        value,
    })
}
