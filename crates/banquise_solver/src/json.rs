//! Problems as JSON: a linear complementarity problem, a friction problem in local form, or bodies and
//! contacts.

use glam::DVec2;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::impact::Mode;
use crate::lcp::Lcp;
use crate::local::LocalProblem;
use crate::matrix::Matrix;
use crate::problem::{Body, Contact, ContactProblem};

/// A problem read from JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// `{"M": [[…]], "q": […]}`.
    Lcp(Lcp),
    /// `{"W": {"row": […], "col": […], "val": […]}, "q": […], "mu": […]}`, two rows a contact.
    Local(LocalProblem),
    /// `{"bodies": […], "contacts": […], "mode": "simultaneous"}`.
    Contacts(ContactProblem, Mode),
}

/// Why a text is not a problem.
#[derive(Debug, Error)]
pub enum ProblemError {
    /// Not JSON, or JSON of another shape.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// None of the three forms.
    #[error("the file has neither `M`, nor `W`, nor `bodies`")]
    UnknownForm,
    /// Lists whose lengths do not go together.
    #[error("`{list}` has {found} entries, where {expected} are needed")]
    WrongLength {
        /// The list.
        list: String,
        /// Its length.
        found: usize,
        /// The length needed.
        expected: usize,
    },
    /// A number out of range.
    #[error("`{what}` must be {requirement}, not {value}")]
    OutOfRange {
        /// The number.
        what: String,
        /// What it must be.
        requirement: &'static str,
        /// What it is.
        value: f64,
    },
    /// An index beyond its list.
    #[error("`{what}` is {value}, beyond the last index {last}")]
    NoSuchIndex {
        /// The index.
        what: String,
        /// Its value.
        value: usize,
        /// The largest allowed.
        last: usize,
    },
    /// A contact that cannot be one.
    #[error("contact {contact} joins {reason}")]
    BadContact {
        /// Which contact.
        contact: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
}

#[derive(Deserialize)]
struct LcpFile {
    #[serde(rename = "M")]
    matrix: Vec<Vec<f64>>,
    q: Vec<f64>,
}

#[derive(Deserialize)]
struct LocalFile {
    #[serde(rename = "W")]
    delassus: Triplets,
    q: Vec<f64>,
    mu: Vec<f64>,
}

#[derive(Deserialize)]
struct Triplets {
    row: Vec<usize>,
    col: Vec<usize>,
    val: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct ContactFile {
    bodies: Vec<BodyEntry>,
    contacts: Vec<ContactEntry>,
    #[serde(default = "active")]
    mode: ModeName,
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
    position: [f64; 2],
    velocity: [f64; 3],
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
    /// Added to the position of `b`: the contact is with that image of it.
    #[serde(default)]
    shift: [f64; 2],
}

impl Problem {
    /// Reads one of the three forms.
    ///
    /// # Errors
    /// When the text is none of them, or its numbers make no problem.
    pub fn from_json(text: &str) -> Result<Self, ProblemError> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        let has = |key: &str| value.get(key).is_some();
        if has("M") {
            return lcp_from(serde_json::from_str(text)?).map(Self::Lcp);
        }
        if has("W") {
            return local_from(serde_json::from_str(text)?).map(Self::Local);
        }
        if has("bodies") {
            let file: ContactFile = serde_json::from_str(text)?;
            let mode = match file.mode {
                ModeName::Simultaneous => Mode::Simultaneous,
                ModeName::Active => Mode::Active,
            };
            return Ok(Self::Contacts(contacts_from(&file)?, mode));
        }
        Err(ProblemError::UnknownForm)
    }
}

impl ContactProblem {
    /// The problem as JSON that reads back exactly.
    pub fn to_json(&self, mode: Mode) -> String {
        let file = ContactFile {
            bodies: self.bodies.iter().map(body_entry).collect(),
            contacts: self
                .contacts
                .iter()
                .map(|c| self.contact_entry(c))
                .collect(),
            mode: match mode {
                Mode::Simultaneous => ModeName::Simultaneous,
                Mode::Active => ModeName::Active,
            },
        };
        serde_json::to_string(&file).expect("numbers and names can be written")
    }

    fn contact_entry(&self, contact: &Contact) -> ContactEntry {
        let point = self.bodies[contact.a].position + contact.arms[0];
        let shift = point - contact.arms[1] - self.bodies[contact.b].position;
        ContactEntry {
            a: contact.a,
            b: contact.b,
            point: point.to_array(),
            normal: contact.normal.to_array(),
            friction: contact.friction,
            restitution: contact.restitution,
            gap: contact.gap,
            shift: shift.to_array(),
        }
    }
}

fn body_entry(body: &Body) -> BodyEntry {
    let fixed = body.inv_mass == 0.0;
    BodyEntry {
        mass: (!fixed).then(|| 1.0 / body.inv_mass),
        inertia: (!fixed).then(|| 1.0 / body.inv_inertia),
        position: body.position.to_array(),
        velocity: [
            body.linear_velocity.x,
            body.linear_velocity.y,
            body.angular_velocity,
        ],
        fixed,
    }
}

fn lcp_from(file: LcpFile) -> Result<Lcp, ProblemError> {
    let size = file.q.len();
    expect_length("M", file.matrix.len(), size)?;
    for (index, row) in file.matrix.iter().enumerate() {
        expect_length(&format!("M[{index}]"), row.len(), size)?;
    }
    Ok(Lcp::new(Matrix::from_rows(&file.matrix), file.q))
}

fn local_from(file: LocalFile) -> Result<LocalProblem, ProblemError> {
    let size = 2 * file.mu.len();
    expect_length("q", file.q.len(), size)?;
    let Triplets { row, col, val } = file.delassus;
    expect_length("W.row", row.len(), val.len())?;
    expect_length("W.col", col.len(), val.len())?;
    let mut delassus = Matrix::zeros(size, size);
    for (k, &value) in val.iter().enumerate() {
        for (list, index) in [("row", row[k]), ("col", col[k])] {
            if index >= size {
                let what = format!("W.{list}[{k}]");
                return Err(ProblemError::NoSuchIndex {
                    what,
                    value: index,
                    last: size.max(1) - 1,
                });
            }
        }
        delassus.add(row[k], col[k], value);
    }
    for (index, &mu) in file.mu.iter().enumerate() {
        expect(mu >= 0.0, || format!("mu[{index}]"), "zero or positive", mu)?;
    }
    let carried = vec![0.0; file.mu.len()];
    Ok(LocalProblem {
        delassus,
        free_velocity: file.q,
        friction: file.mu,
        carried,
    })
}

fn contacts_from(file: &ContactFile) -> Result<ContactProblem, ProblemError> {
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
    let inverse = |value: Option<f64>, key: &str| -> Result<f64, ProblemError> {
        if entry.fixed {
            return Ok(0.0);
        }
        let value = value.unwrap_or(f64::NAN);
        let what = || format!("bodies[{index}].{key}");
        expect(
            value.is_finite() && value > 0.0,
            what,
            "positive and finite",
            value,
        )?;
        Ok(1.0 / value)
    };
    let [vx, vy, angular_velocity] = entry.velocity;
    Ok(Body {
        inv_mass: inverse(entry.mass, "mass")?,
        inv_inertia: inverse(entry.inertia, "inertia")?,
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
    let normal = DVec2::from(entry.normal);
    let length = normal.length();
    expect(
        (length - 1.0).abs() < 1e-6,
        || what("normal"),
        "a unit vector",
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
    if entry.a == entry.b {
        return Err(ProblemError::BadContact {
            contact: index,
            reason: "a body with itself",
        });
    }
    if bodies[entry.a].inv_mass == 0.0 && bodies[entry.b].inv_mass == 0.0 {
        return Err(ProblemError::BadContact {
            contact: index,
            reason: "two fixed bodies",
        });
    }
    let point = DVec2::from(entry.point);
    let position_b = bodies[entry.b].position + DVec2::from(entry.shift);
    Ok(Contact {
        a: entry.a,
        b: entry.b,
        arms: [point - bodies[entry.a].position, point - position_b],
        normal: normal / length,
        friction,
        restitution,
        gap: entry.gap,
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
