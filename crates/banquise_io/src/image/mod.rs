//! Floes from pictures: labelled masks, and photographs taken from above.
//!
//! ```text
//! PNG ──► Image ──┬─ label by label ──────┬──► Raster of labels ──► outlines in metres
//!                 └─ segment (threshold,  │
//!                    distances, watershed)┘
//! ```
//!
//! Rows are counted from the top, as in the file; outlines have y upwards and the origin at the centre
//! of the picture.

mod contour;
mod distance;
mod mask;
mod picture;
mod raster;
mod segment;
mod threshold;

pub use contour::{TracedFloe, Tracing, trace};
pub use picture::{Image, ImageError, MAX_PIXELS};
pub use raster::Raster;
pub use segment::{SegmentSettings, Segmented, segment};
