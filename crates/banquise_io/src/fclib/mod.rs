//! Contact problems in the format of FCLIB, a collection of frictional contact problems (Acary, Brémond, Koziara & Pérignon 2014, *FCLIB: a
//! collection of discrete 3D frictional contact problems*, INRIA RT-0444): HDF5 files with a problem in one of two forms.
//!
//! | group | problem | arrays |
//! |---|---|---|
//! | `fclib_local` | u = W r + q | matrix `W`; `vectors/q`, `vectors/mu` |
//! | `fclib_global` | M v = H r + f, u = Hᵀ v + w | matrices `M`, `H`; `vectors/f`, `vectors/w`, `vectors/mu` |
//!
//! In both 0 ≤ uₙ ⟂ rₙ ≥ 0 and |rₜ| ≤ μ rₙ with sliding opposed; `spacedim` is 2 here, and entries are normal, then tangential, contact after contact. A
//! matrix is a group with `m` rows, `n` columns, `nzmax`, `nz`, `p`, `i` and `x`: compressed columns (`nz` = −1), compressed rows (−2), or
//! triplets, with the row in `i` and the column in `p`.

mod arrays;
mod error;
mod global;
mod matrix;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use error::FclibError;
pub use read::read_fclib;
pub use write::{FclibForm, write_fclib};

/// Whether a file begins as HDF5 files do.
pub fn is_hdf5(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89HDF\r\n\x1a\n")
}
