//! Contact problems written as files of FCLIB.

use banquise_solver::{
    Body, Bound, ContactProblem, LocalProblem, Problem, SolverContext, SolverSettings,
    SolverWorkspace,
};

use super::error::FclibError;
use super::matrix::Sparse;
use crate::hdf5::{Hdf5, Link};

/// The form of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FclibForm {
    /// The Delassus operator W and free velocities, `fclib_local`.
    #[default]
    Local,
    /// Masses and directions of the contacts, `fclib_global`.
    Global,
}

/// Writes a problem as a file of FCLIB. An impact becomes the problem of its compression phase, all contacts together; one of a fixed step has its bounds taken off the
/// velocities, u − min(l, 0): without rebounds and separation, which a step asks for only where bodies can have them, there is a solution.
///
/// # Errors
/// When the problem is a linear complementarity problem, one of ice that may be crushed, has no contact, or is in local form and asked for in global form.
pub fn write_fclib(problem: &Problem, form: FclibForm, title: &str) -> Result<Vec<u8>, FclibError> {
    let (contacts, bounds): (_, &[Bound]) = match problem {
        Problem::Lcp(_) => return Err(no_place("a linear complementarity problem")),
        Problem::Crushing(..) => return Err(no_place("a problem of ice that may be crushed")),
        Problem::Local(_) if form == FclibForm::Global => {
            return Err(no_place("the global form of a problem without bodies"));
        }
        Problem::Local(local) => return write_local(local, title, FRICTION),
        Problem::Contacts(contacts, _) => (contacts, &[]),
        Problem::Bounded(contacts, bounds) => (contacts, bounds),
    };
    let description = if bounds.is_empty() {
        IMPACT
    } else {
        FIXED_STEP
    };
    match form {
        FclibForm::Local => {
            let workspace = SolverWorkspace::default();
            let context = SolverContext {
                settings: &SolverSettings::DEFAULT,
                workspace: &workspace,
            };
            let all: Vec<usize> = (0..contacts.contacts.len()).collect();
            let mut local = LocalProblem::of(context, contacts, &all);
            for (contact, bound) in bounds.iter().enumerate() {
                local.free_velocity[2 * contact] -= least(bound);
            }
            write_local(&local, title, description)
        }
        FclibForm::Global => write_global(contacts, bounds, title, description),
    }
}

const FRICTION: &str = "A friction problem in the plane. SI units.";
const IMPACT: &str = "Rigid bodies in the plane that collide: compression, all contacts together. SI units, impulses for forces.";
const FIXED_STEP: &str = "Rigid bodies in the plane in a fixed step: normal velocities less their bounds. SI units, impulses for forces.";

fn no_place(what: &'static str) -> FclibError {
    FclibError::NoPlace { what }
}

/// The least normal velocity that bodies at rest have too.
fn least(bound: &Bound) -> f64 {
    bound.least.min(0.0)
}

fn write_local(
    problem: &LocalProblem<'_>,
    title: &str,
    description: &str,
) -> Result<Vec<u8>, FclibError> {
    let count = problem.contact_count();
    if count == 0 {
        return Err(no_place("a problem without contacts"));
    }
    let mut entries = Vec::new();
    for row in 0..count {
        for (column, block) in problem.delassus.row(row) {
            for (r, of_row) in block.iter().enumerate() {
                let values = of_row.iter().enumerate();
                entries.extend(values.map(|(c, &value)| (2 * row + r, 2 * column + c, value)));
            }
        }
    }
    let operator = Sparse {
        rows: 2 * count,
        columns: 2 * count,
        entries,
    };
    let vectors = [
        ("q", problem.free_velocity.to_vec()),
        ("mu", problem.friction.to_vec()),
    ];
    let about = [title, description];
    Ok(file_of(
        "fclib_local",
        vec![("W", operator)],
        &vectors,
        about,
    ))
}

fn write_global(
    problem: &ContactProblem,
    bounds: &[Bound],
    title: &str,
    description: &str,
) -> Result<Vec<u8>, FclibError> {
    let count = problem.contacts.len();
    if count == 0 {
        return Err(no_place("a problem without contacts"));
    }
    // Unknowns: the velocities that impulses can change, body after body.
    let (mut mass, mut force) = (Vec::new(), Vec::new());
    let mut unknowns = vec![[None; 3]; problem.bodies.len()];
    for (body, own) in problem.bodies.iter().zip(&mut unknowns) {
        for (place, (inverse, velocity)) in own.iter_mut().zip(components(body)) {
            if inverse > 0.0 {
                *place = Some(force.len());
                mass.push((force.len(), force.len(), 1.0 / inverse));
                force.push(velocity / inverse);
            }
        }
    }
    let (mut directions, mut offset) = (Vec::new(), vec![0.0; 2 * count]);
    for (index, contact) in problem.contacts.iter().enumerate() {
        let ends = [
            (contact.a, contact.arms[0], -1.0),
            (contact.b, contact.arms[1], 1.0),
        ];
        for (body, arm, sign) in ends {
            for (row, axis) in [contact.normal, contact.tangent()].into_iter().enumerate() {
                let column = 2 * index + row;
                let factors = [sign * axis.x, sign * axis.y, sign * arm.perp_dot(axis)];
                for ((unknown, factor), (_, velocity)) in unknowns[body]
                    .iter()
                    .zip(factors)
                    .zip(components(&problem.bodies[body]))
                {
                    match unknown {
                        Some(unknown) => directions.push((*unknown, column, factor)),
                        None => offset[column] += factor * velocity,
                    }
                }
            }
        }
        offset[2 * index] -= bounds.get(index).map_or(0.0, least);
    }
    let size = force.len();
    let matrices = vec![
        (
            "M",
            Sparse {
                rows: size,
                columns: size,
                entries: mass,
            },
        ),
        (
            "H",
            Sparse {
                rows: size,
                columns: 2 * count,
                entries: directions,
            },
        ),
    ];
    let friction = problem.contacts.iter().map(|contact| contact.friction);
    let vectors = [("f", force), ("w", offset), ("mu", friction.collect())];
    Ok(file_of(
        "fclib_global",
        matrices,
        &vectors,
        [title, description],
    ))
}

/// Inverse masses and velocities of a body: along x, along y, of rotation.
fn components(body: &Body) -> [(f64, f64); 3] {
    [
        (body.inv_mass, body.linear_velocity.x),
        (body.inv_mass, body.linear_velocity.y),
        (body.inv_inertia, body.angular_velocity),
    ]
}

fn file_of(
    group: &str,
    matrices: Vec<(&str, Sparse)>,
    vectors: &[(&str, Vec<f64>)],
    [title, description]: [&str; 2],
) -> Vec<u8> {
    // No group has more than ten members.
    let mut file = Hdf5::new(16);
    let link = |name: &str, address: u64| -> Link { (name.to_owned(), address) };
    let mut members = vec![link("spacedim", file.integers(&[2]))];
    for (name, matrix) in matrices {
        members.push(link(name, matrix.write(&mut file)));
    }
    let vectors = vectors
        .iter()
        .map(|(name, values)| link(name, file.dataset(&[values.len()], values, &[])));
    let vectors = vectors.collect();
    members.push(link("vectors", file.group(vectors)));
    let ascii: String = title.chars().filter(char::is_ascii).collect();
    let info = vec![
        link("title", file.text(&ascii)),
        link("description", file.text(description)),
        link(
            "math_info",
            file.text("normal then tangential entries, tangent at +90 degrees from the normal"),
        ),
    ];
    members.push(link("info", file.group(info)));
    let problem = file.group(members);
    file.finish(vec![link(group, problem)])
}
