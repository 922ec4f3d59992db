//! Data sets of a file as lists of numbers.

use hdf5_reader::Hdf5File;

use super::error::FclibError;

/// The numbers of a data set.
pub(super) fn numbers(file: &Hdf5File, path: &str) -> Result<Vec<f64>, FclibError> {
    let read = || file.dataset(path)?.read_array::<f64>();
    let values = read().map_err(|source| FclibError::Dataset {
        path: path.to_owned(),
        source,
    })?;
    Ok(values.into_iter().collect())
}

/// The integers of a data set: FCLIB writes 32 bits, other programs may write 64.
pub(super) fn integers(file: &Hdf5File, path: &str) -> Result<Vec<i64>, FclibError> {
    let refuse = |source| FclibError::Dataset {
        path: path.to_owned(),
        source,
    };
    let dataset = file.dataset(path).map_err(refuse)?;
    if let Ok(values) = dataset.read_array::<i32>() {
        return Ok(values.into_iter().map(i64::from).collect());
    }
    let values = dataset.read_array::<i64>().map_err(refuse)?;
    Ok(values.into_iter().collect())
}

/// The only integer of a data set.
pub(super) fn integer(file: &Hdf5File, path: &str) -> Result<i64, FclibError> {
    let values = integers(file, path)?;
    expect_length(path, values.len(), 1)?;
    Ok(values[0])
}

/// Refuses a list of another length.
pub(super) fn expect_length(path: &str, found: usize, expected: usize) -> Result<(), FclibError> {
    if found == expected {
        return Ok(());
    }
    Err(FclibError::Length {
        path: path.to_owned(),
        found,
        expected,
    })
}
