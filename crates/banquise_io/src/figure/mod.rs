//! Figures: charts and maps as SVG text, and the HTML page that holds them.
//!
//! Plain numbers in, text out. Nothing here reads a recording, a clock or a file, and the same
//! input always gives the same bytes.
//!
//! | type | draws |
//! |---|---|
//! | [`LineChart`] | curves against a linear or logarithmic axis |
//! | [`HeatMap`] | a quantity over two others, in colours |
//! | [`Map`] | floes, obstacles and trajectories seen from above |
//! | [`MapRow`] | the same map at several times, with one extent and one colour scale |
//! | [`ContactSheet`] | many outlines side by side |
//! | [`Overlay`] | outlines on the picture they come from |
//! | [`Page`] | one self-contained HTML file: key numbers, figures, tables, folded text |
//!
//! Each SVG carries its colours as plain attributes, so that it is complete as a file on white
//! paper, and as class names, by which [`Page`] repaints it for a dark screen. No element has an
//! `id`, so that any number of figures can live in one page without clashing.
//!
//! ```
//! use banquise_io::figure::{Axis, LineChart, Series, Unit};
//!
//! let chart = LineChart {
//!     title: "Speed of the floe".into(),
//!     x_axis: Axis::new("Time", Unit::Time),
//!     y_axis: Axis::new("Speed", Unit::Fixed("m s⁻¹".into())),
//!     series: vec![Series::new("floe 1", vec![[0.0, 0.0], [3600.0, 0.12]])],
//!     ..LineChart::default()
//! };
//! assert!(chart.to_svg().starts_with("<svg"));
//! ```

mod axis;
mod canvas;
mod color_bar;
mod contact_sheet;
mod decimate;
mod frame;
mod heat_map;
mod line_chart;
mod map;
mod map_content;
mod map_layers;
mod map_panel;
mod map_row;
mod overlay;
mod page;
pub(crate) mod palette;
mod series;
mod text;
mod ticks;
mod unit;

pub use axis::{Axis, Scale};
pub use contact_sheet::{ContactSheet, SheetTile};
pub use frame::Reference;
pub use heat_map::HeatMap;
pub use line_chart::LineChart;
pub use map_content::{Arrow, ColorScale, CrackLine, Extent, Layer, Map, Patch, Shape};
pub use map_row::MapRow;
pub use overlay::Overlay;
pub use page::{Details, Figure, Page, Section, Table, Tile};
pub use series::{LineStyle, Series};
pub use unit::Unit;
