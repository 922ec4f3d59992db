//! Pictures and films of a recording: the ice from above, with coast, scale bar, clock, wind and colours.
//!
//! | module | holds |
//! |---|---|
//! | `coloring` | what floes are coloured by |
//! | `wishes` | what a user asks for, checked |
//! | `decades` | where a logarithmic scale of colours ends |
//! | `survey` | what all frames have in common: the part of the sea, the range of colours |
//! | `picture` | one frame, pixel by pixel |
//! | `legend`, `glyphs` | what is written on it; letters as strokes |
//! | `frames`, `gif`, `mp4` | the files |
//! | `h264` | the coding of an MP4 film |
//!
//! The same recording gives the same bytes.

mod coloring;
mod decades;
mod frames;
mod gif;
mod glyphs;
mod h264;
mod legend;
mod mp4;
mod picture;
mod survey;
mod wishes;

pub use coloring::Coloring;
pub use decades::Decades;
pub(crate) use frames::write as write_frames;
pub(crate) use gif::write as write_gif;
pub(crate) use mp4::write as write_mp4;
pub use wishes::{FilmError, FilmWishes};

/// How pictures look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmSettings {
    /// What floes are coloured by.
    pub coloring: Coloring,
    /// Width of the picture \[pixels\].
    pub width: u32,
    /// Height of the picture \[pixels\].
    pub height: u32,
    /// Frames a second, one record each.
    pub frames_per_second: u32,
}

impl Default for FilmSettings {
    /// 1080p, by speed.
    fn default() -> Self {
        Self {
            coloring: Coloring::Speed,
            width: 1920,
            height: 1080,
            frames_per_second: 25,
        }
    }
}
