//! Scenarios in, recordings and reports out: bytes and formats, no physics.
//!
//! | module | holds |
//! |---|---|
//! | [`builtin`] | the scenarios that come with the program |
//! | [`scenario`] | TOML with units, read with places; messages that point |
//! | [`fclib`] | contact problems in the format of FCLIB |
//! | [`floedyn`] | input files of FloeDyn |
//! | [`geography`] | longitude and latitude to the metres of a run's plane |
//! | [`geojson`] | polygons from GeoJSON |
//! | [`plan`] | the keys of a scenario, decoded into a simulation ready to run |
//! | [`schema`] | what an editor may know of a scenario's keys, as JSON Schema |
//! | [`glacier`] | the keys of a scenario of a glacier |
//! | [`specimen`] | the keys of a scenario of a bar or a plate |
//! | [`pack_file`] | floes in their places |
//! | [`checkpoint`], [`lock`] | the file from which a run goes on; who writes a folder |
//! | [`sweep`] | many runs of one scenario, gathered and compared |
//! | [`recording`] | the dataset a run leaves, written and read back |
//! | [`shapes`] | libraries of outlines |
//! | [`image`] | floes from pictures |
//! | [`weather`] | wind and current on grids, from NetCDF |
//! | [`zarr`] | the format of that dataset |
//! | [`export`] | recordings in the formats of others |
//! | [`diagnostics`] | what one measures of a recording |
//! | [`compare`] | a run against an observed track |
//! | [`report`] | the page about a run |
//! | [`film`] | pictures and films of a recording |
//! | [`figure`] | charts and maps in SVG, and the page that holds them |

#![forbid(unsafe_code)]

pub mod builtin;
pub mod checkpoint;
pub mod compare;
pub mod diagnostics;
pub mod export;
pub mod fclib;
pub mod figure;
mod floe_properties;
pub mod floedyn;
pub mod geography;
pub mod geojson;
pub mod glacier;
mod hdf5;
pub mod image;
pub mod lefebvre;
pub mod lock;
pub mod pack_file;
pub mod plan;
pub mod recording;
pub mod report;
pub mod scenario;
pub mod schema;
pub mod sealed;
pub mod shapes;
pub mod specimen;
mod spread;
pub mod sweep;
pub mod weather;
pub mod whole_file;
pub mod zarr;

pub use export::film;
