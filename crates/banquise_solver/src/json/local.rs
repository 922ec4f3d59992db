//! Friction problems in local form: the Delassus operator as single entries, free velocities, friction coefficients.

use serde::Deserialize;

use super::{
    Problem, ProblemError, expect, expect_contacts, expect_length, expect_size, expect_sizes,
};
use crate::blocks::Blocks;
use crate::local::LocalProblem;

#[derive(Deserialize)]
pub(super) struct LocalFile {
    #[serde(rename = "W")]
    delassus: Triplets,
    q: Vec<f64>,
    mu: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `row`, `col` and `val`")]
struct Triplets {
    row: Vec<usize>,
    col: Vec<usize>,
    val: Vec<f64>,
}

pub(super) fn local_from(file: LocalFile) -> Result<LocalProblem<'static>, ProblemError> {
    let Triplets { row, col, val } = file.delassus;
    expect_contacts("mu", file.mu.len())?;
    expect_length("q", file.q.len(), 2 * file.mu.len())?;
    expect_length("W.row", row.len(), val.len())?;
    expect_length("W.col", col.len(), val.len())?;
    let places = row.into_iter().zip(col);
    let entries = places.zip(val).map(|((row, col), value)| (row, col, value));
    checked(entries.collect(), file.q, file.mu)
}

impl Problem {
    /// A friction problem in local form, u = W p + q: the entries (row, column, value) of W, of which those of one place are added, the free velocities q, and
    /// the friction coefficient of each contact. Rows are normal, then tangential, contact after contact.
    ///
    /// # Errors
    /// When the lists do not go together, or a number is out of range.
    pub fn local(
        entries: Vec<(usize, usize, f64)>,
        q: Vec<f64>,
        mu: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        expect_contacts("mu", mu.len())?;
        expect_length("q", q.len(), 2 * mu.len())?;
        checked(entries, q, mu).map(Self::Local)
    }
}

fn checked(
    entries: Vec<(usize, usize, f64)>,
    q: Vec<f64>,
    mu: Vec<f64>,
) -> Result<LocalProblem<'static>, ProblemError> {
    let size = q.len();
    for (index, &(.., value)) in entries.iter().enumerate() {
        expect_size(|| format!("W.val[{index}]"), value)?;
    }
    expect_sizes(&q, |index| format!("q[{index}]"))?;
    expect_sizes(&mu, |index| format!("mu[{index}]"))?;
    for (k, &(row, col, _)) in entries.iter().enumerate() {
        for (list, index) in [("row", row), ("col", col)] {
            if index >= size {
                let what = format!("W.{list}[{k}]");
                return Err(ProblemError::NoSuchIndex {
                    what,
                    value: index,
                    last: size.max(1) - 1,
                });
            }
        }
    }
    let delassus = Blocks::from_triplets(mu.len(), entries.into_iter());
    for (index, &mu) in mu.iter().enumerate() {
        expect(mu >= 0.0, || format!("mu[{index}]"), "zero or positive", mu)?;
    }
    for index in 0..size {
        let diagonal = delassus.get(index, index);
        let what = || format!("W[{index}][{index}]");
        expect(diagonal >= 0.0, what, "zero or positive", diagonal)?;
    }
    let prior_normal_impulse = vec![0.0; mu.len()].into();
    Ok(LocalProblem {
        delassus,
        free_velocity: q.into(),
        friction: mu.into(),
        prior_normal_impulse,
    })
}
