//! From global to local form: M v = H r + f, u = Hᵀ v + w becomes u = W r + q, with W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w.
//!
//! Each set of unknowns that M couples, such as those of one rigid body, is eliminated for itself, by its Cholesky factor.

use super::error::FclibError;
use super::matrix::Sparse;

/// Unknowns that M may couple at most: their factor is dense, and has 200 MB then.
const MAX_COUPLED: usize = 5_000;
/// Entries of W, at most.
const MAX_ENTRIES: usize = 100_000_000;
/// Entries of a symmetric matrix may differ from those opposite by this share of the diagonal: rounding of an assembly.
const SYMMETRY: f64 = 1e-10;

type Local = (Vec<(usize, usize, f64)>, Vec<f64>);

/// The entries of W, and q.
pub(super) fn eliminate(
    mass: &Sparse,
    directions: &Sparse,
    force: &[f64],
    offset: &[f64],
) -> Result<Local, FclibError> {
    let (mut entries, mut q) = (Vec::new(), offset.to_vec());
    let (of_row, places) = by_row(directions);
    let (masses, mass_places) = by_row(mass);
    let (sets, place_in_set) = coupled(mass);
    for set in sets {
        if set.len() > MAX_COUPLED {
            return Err(FclibError::TooLarge {
                path: "fclib_global/M".to_owned(),
                what: format!("{} coupled unknowns, more than {MAX_COUPLED}", set.len()),
            });
        }
        let size = set.len();
        let mut factor = vec![0.0; size * size];
        for (own, &row) in set.iter().enumerate() {
            for &(column, value) in &masses[mass_places[row]..mass_places[row + 1]] {
                factor[own * size + place_in_set[column]] += value;
            }
        }
        factorise(&mut factor, &set)?;
        // Columns of H that touch the set, and L⁻¹ of each and of f.
        let mut touching: Vec<(usize, usize, f64)> = Vec::new();
        for (own, &row) in set.iter().enumerate() {
            let of_row = &of_row[places[row]..places[row + 1]];
            touching.extend(of_row.iter().map(|&(column, value)| (column, own, value)));
        }
        touching.sort_unstable_by_key(|&(column, own, _)| (column, own));
        let mut solved_force: Vec<f64> = set.iter().map(|&row| force[row]).collect();
        solve_lower(&factor, &mut solved_force);
        let mut columns: Vec<(usize, Vec<f64>)> = Vec::new();
        for of_column in touching.chunk_by(|a, b| a.0 == b.0) {
            let mut solved = vec![0.0; size];
            for &(_, own, value) in of_column {
                solved[own] += value;
            }
            solve_lower(&factor, &mut solved);
            q[of_column[0].0] += dot(&solved, &solved_force);
            columns.push((of_column[0].0, solved));
        }
        if entries.len() + columns.len().pow(2) > MAX_ENTRIES {
            return Err(FclibError::TooLarge {
                path: "fclib_global/H".to_owned(),
                what: format!("more than {MAX_ENTRIES} entries of W"),
            });
        }
        for (first, one) in &columns {
            entries.extend(
                columns
                    .iter()
                    .map(|(second, other)| (*first, *second, dot(one, other))),
            );
        }
    }
    Ok((entries, q))
}

/// Entries (column, value) row after row, and where each row begins.
fn by_row(matrix: &Sparse) -> (Vec<(usize, f64)>, Vec<usize>) {
    let mut starts = vec![0; matrix.rows + 1];
    for &(row, ..) in &matrix.entries {
        starts[row + 1] += 1;
    }
    for row in 0..matrix.rows {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let mut sorted = vec![(0, 0.0); matrix.entries.len()];
    for &(row, column, value) in &matrix.entries {
        sorted[next[row]] = (column, value);
        next[row] += 1;
    }
    (sorted, starts)
}

/// The first unknown of a set; shortens the way there.
fn root(parents: &mut [usize], mut row: usize) -> usize {
    while parents[row] != row {
        parents[row] = parents[parents[row]];
        row = parents[row];
    }
    row
}

/// The sets of unknowns that a matrix couples, in order, and the place of each unknown in its set.
fn coupled(matrix: &Sparse) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut parents: Vec<usize> = (0..matrix.rows).collect();
    for &(row, column, value) in &matrix.entries {
        if value != 0.0 {
            let (a, b) = (root(&mut parents, row), root(&mut parents, column));
            parents[a.max(b)] = a.min(b);
        }
    }
    let (mut sets, mut place_of_set) = (Vec::<Vec<usize>>::new(), vec![usize::MAX; matrix.rows]);
    let mut places = vec![0; matrix.rows];
    for (row, place) in places.iter_mut().enumerate() {
        let root = root(&mut parents, row);
        if root == row {
            place_of_set[row] = sets.len();
            sets.push(Vec::new());
        }
        let set = &mut sets[place_of_set[root]];
        *place = set.len();
        set.push(row);
    }
    (sets, places)
}

/// The Cholesky factor L of a dense symmetric matrix, in place, row after row.
fn factorise(matrix: &mut [f64], rows: &[usize]) -> Result<(), FclibError> {
    let size = rows.len();
    let refuse = |what: &'static str, row: usize| FclibError::Mass {
        what,
        row: rows[row],
    };
    for row in 0..size {
        for column in 0..row {
            let (one, other) = (matrix[row * size + column], matrix[column * size + row]);
            let scale = matrix[row * size + row]
                .abs()
                .max(matrix[column * size + column].abs());
            let difference = (one - other).abs();
            if difference > SYMMETRY * scale || difference.is_nan() {
                return Err(refuse("symmetric", row));
            }
        }
    }
    for row in 0..size {
        for column in 0..=row {
            let (of_row, of_column) = (row * size, column * size);
            let products = (0..column).map(|k| matrix[of_row + k] * matrix[of_column + k]);
            let rest = matrix[of_row + column] - products.sum::<f64>();
            if column < row {
                matrix[of_row + column] = rest / matrix[of_column + column];
            } else if rest > 0.0 && rest.is_finite() {
                matrix[of_row + column] = rest.sqrt();
            } else {
                return Err(refuse("positive definite", row));
            }
        }
    }
    Ok(())
}

/// Solves L y = x in place.
fn solve_lower(factor: &[f64], x: &mut [f64]) {
    let size = x.len();
    for row in 0..size {
        let known = &factor[row * size..row * size + row];
        x[row] = (x[row] - dot(known, &x[..row])) / factor[row * size + row];
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
