//! Contact problems read from files of FCLIB.

use std::sync::Arc;

use banquise_solver::Problem;
use hdf5_reader::{Hdf5File, OpenOptions};

use super::arrays::{expect_length, integer, numbers};
use super::error::FclibError;
use super::global::eliminate;
use super::matrix::Sparse;

/// Largest array read from a file.
const MAX_READ_BYTES: usize = 1 << 30;

/// Reads the problem of a file as a friction problem in local form. Where a file has both forms, the local one is read.
///
/// # Errors
/// When the bytes are not such a file, or its problem is not one of contacts in two dimensions.
pub fn read_fclib(bytes: Vec<u8>) -> Result<Problem, FclibError> {
    let options = OpenOptions::default().with_max_read_bytes(MAX_READ_BYTES);
    let file = Hdf5File::from_shared_bytes_with_options(Arc::from(bytes), options)?;
    let (groups, _) = file.root_group()?.member_names()?;
    let has = |name: &str| groups.iter().any(|group| group == name);
    if has("fclib_local") {
        read_local(&file)
    } else if has("fclib_global") {
        read_global(&file)
    } else {
        Err(FclibError::NoProblem)
    }
}

fn read_local(file: &Hdf5File) -> Result<Problem, FclibError> {
    let operator = "fclib_local/W";
    expect_plane(file, "fclib_local")?;
    expect_no_equality(file, "fclib_local", "V")?;
    let w = Sparse::read(file, operator)?;
    expect_value(&format!("{operator}/n"), w.columns, w.rows)?;
    let mu = numbers(file, "fclib_local/vectors/mu")?;
    let q = numbers(file, "fclib_local/vectors/q")?;
    expect_length("fclib_local/vectors/mu", mu.len(), w.rows / 2)?;
    expect_length("fclib_local/vectors/q", q.len(), w.rows)?;
    Ok(Problem::local(w.entries, q, mu)?)
}

fn read_global(file: &Hdf5File) -> Result<Problem, FclibError> {
    expect_plane(file, "fclib_global")?;
    expect_no_equality(file, "fclib_global", "G")?;
    let mass = Sparse::read(file, "fclib_global/M")?;
    let directions = Sparse::read(file, "fclib_global/H")?;
    expect_value("fclib_global/M/n", mass.columns, mass.rows)?;
    expect_value("fclib_global/H/m", directions.rows, mass.rows)?;
    let vector = |name: &str, size: usize| {
        let path = format!("fclib_global/vectors/{name}");
        let values = numbers(file, &path)?;
        expect_length(&path, values.len(), size)?;
        Ok::<_, FclibError>(values)
    };
    let force = vector("f", mass.rows)?;
    let offset = vector("w", directions.columns)?;
    let mu = numbers(file, "fclib_global/vectors/mu")?;
    expect_length("fclib_global/vectors/mu", mu.len(), directions.columns / 2)?;
    let (entries, q) = eliminate(&mass, &directions, &force, &offset)?;
    Ok(Problem::local(entries, q, mu)?)
}

fn expect_plane(file: &Hdf5File, group: &str) -> Result<(), FclibError> {
    let path = format!("{group}/spacedim");
    match integer(file, &path)? {
        2 => Ok(()),
        found => Err(FclibError::Dimension { path, found }),
    }
}

/// Equality constraints are not there, or there are none of them.
fn expect_no_equality(file: &Hdf5File, group: &str, name: &str) -> Result<(), FclibError> {
    let (members, _) = file.group(group)?.member_names()?;
    let path = format!("{group}/{name}");
    if members.iter().any(|member| member == name) && integer(file, &format!("{path}/n"))? != 0 {
        return Err(FclibError::Equality { path });
    }
    Ok(())
}

fn expect_value(path: &str, found: usize, expected: usize) -> Result<(), FclibError> {
    if found == expected {
        return Ok(());
    }
    Err(FclibError::Value {
        path: path.to_owned(),
        found: found as i64,
        expected: expected.to_string(),
    })
}
