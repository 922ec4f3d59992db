//! Pictures and films of a recording: the ice from above, with coast, scale bar, clock, wind and colours.
//!
//! | module | holds |
//! |---|---|
//! | `decades` | where a logarithmic scale of colours ends |
//! | `survey` | what all frames have in common: the part of the sea, the range of colours |
//! | `force_chains`, `cracks` | forces of contacts as lines; cracks that opened of late |
//! | `picture`, `canvas` | one frame, pixel by pixel |
//! | `graticule`, `trails` | what shows that the ice drifts |
//! | `legend`, `glyphs` | what is written on it; letters as strokes |
//! | `frames`, `gif`, `mp4` | the files |
//! | `flow` | a flow in place of the ice, frame by frame |
//! | `h264` | the coding of an MP4 film |
//!
//! The same recording gives the same bytes.

mod canvas;
mod cracks;
mod decades;
mod flow;
mod force_chains;
mod frames;
mod gif;
mod glyphs;
mod graticule;
mod h264;
mod legend;
mod mp4;
mod picture;
mod survey;
mod trails;

pub use super::coloring::Coloring;
pub use super::film_wishes::{FilmError, FilmSettings, FilmWishes};
pub use decades::Decades;
pub use flow::{FlowFilm, FlowFrame};
pub(crate) use frames::write as write_frames;
pub(crate) use gif::write as write_gif;
pub(crate) use mp4::write as write_mp4;
