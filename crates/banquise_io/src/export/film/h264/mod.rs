//! A small H.264 encoder (ITU-T Rec. H.264, baseline profile) for films of flat colours: what did not change from the
//! frame before is skipped, everything else is predicted from its neighbours in the same frame and coded by
//! differences. No motion search, no loop filter; what it writes, every player reads.
//!
//! | module | holds |
//! |---|---|
//! | `bits` | bits, Exp-Golomb codes, units of the stream |
//! | `headers` | parameter sets, slice headers, levels |
//! | `planes` | brightness and colour differences of a picture |
//! | `predict` | what neighbours tell of a macroblock |
//! | `transform` | 4×4 transform, quantisation, and back |
//! | `residual`, `tables` | coefficients as variable-length codes |
//! | `encoder` | macroblocks, one after the other |

mod bits;
mod encoder;
mod headers;
mod planes;
mod predict;
mod residual;
mod tables;
mod transform;

pub(super) use encoder::Encoder;
pub(super) use headers::{Format, picture_parameters, sequence_parameters};
pub(super) use planes::Planes;

/// Side of a macroblock [pixels].
const SIDE: usize = 16;
/// The quantisation parameter: small errors, small files. Below 30 brightness and colour share it.
const QP: u32 = 22;
