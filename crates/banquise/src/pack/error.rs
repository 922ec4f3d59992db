//! Errors of packs.

use banquise_geometry::GeometryError;
use thiserror::Error;

/// Floes of one pack.
pub const MAX_COUNT: usize = 20_000;

/// Error of a pack that cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PackError {
    /// The region is no outline.
    #[error("the region: {0}")]
    Region(GeometryError),
    /// A floe is no outline.
    #[error("a floe: {0}")]
    Floe(GeometryError),
    /// Not three quantities of the law of sizes.
    #[error("of count, min_size, max_size and exponent, three must be given; the fourth follows")]
    GivenSizes,
    /// No value of the missing quantity gives the area wanted.
    #[error(
        "no {missing} fits: the floes would always cover {} than the concentration asks for",
        if *is_too_much { "more" } else { "less" }
    )]
    NoLaw {
        /// Which quantity is missing.
        missing: &'static str,
        /// Whether the floes cover too much, whatever its value.
        is_too_much: bool,
    },
    /// More floes than we make.
    #[error("that takes {count} floes, more than {MAX_COUNT}")]
    TooMany {
        /// How many.
        count: f64,
    },
    /// The given floes already cover the area wanted.
    #[error(
        "the given floes cover {given:.4} of the region, the concentration wanted is {wanted:.4}"
    )]
    AlreadyFull {
        /// Share of the region covered by given floes.
        given: f64,
        /// Concentration wanted.
        wanted: f64,
    },
    /// A floe is larger than the region.
    #[error(
        "a floe of {size:.4} m does not fit: the region is {room:.4} m wide where it is widest"
    )]
    TooLarge {
        /// Size of the largest floe \[m\].
        size: f64,
        /// Diameter of the largest circle inside the region \[m\].
        room: f64,
    },
    /// Overlapping floes could not be separated.
    #[error(
        "{floes} floes at a concentration of {concentration:.4} could not be placed without overlap: \
         {stuck} of them stay stuck, the worst by {overlap:.3} m"
    )]
    Jammed {
        /// How many floes.
        floes: usize,
        /// Concentration wanted.
        concentration: f64,
        /// Floes too close to another one.
        stuck: usize,
        /// By how much the worst is \[m\].
        overlap: f64,
    },
    /// The leads of a sheet would be too narrow.
    #[error(
        "at a concentration of {concentration:.4} the leads are {lead:.4} m wide, less than the gap of {gap:.4} m"
    )]
    NarrowLeads {
        /// Concentration wanted.
        concentration: f64,
        /// Width of the leads \[m\].
        lead: f64,
        /// Smallest gap asked for \[m\].
        gap: f64,
    },
    /// Cells of a sheet could not be given their areas.
    #[error(
        "the sheet could not be cut into {floes} floes of these sizes: one misses its size by a share of {miss:.3}"
    )]
    NoSheet {
        /// How many floes.
        floes: usize,
        /// The worst difference from the size wanted, as a share of it.
        miss: f64,
    },
    /// A disc found no free place.
    #[error("after {placed} of {count} discs there is no room for another")]
    NoRoom {
        /// Discs that have a place.
        placed: usize,
        /// Discs wanted.
        count: usize,
    },
    /// A sheet has no room for what is there already.
    #[error("a sheet cannot be cut round bodies that are there already")]
    SheetWithBodies,
}

impl PackError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Region(error) | Self::Floe(error) => error.hint(),
            Self::GivenSizes => {
                "leave out one of the four, or give what is missing; all four go without `concentration`"
            }
            Self::NoLaw {
                is_too_much: true, ..
            } => "ask for fewer or smaller floes, or a larger region",
            Self::NoLaw {
                is_too_much: false, ..
            } => "ask for more or larger floes, or a smaller region",
            Self::TooMany { .. } => "enlarge `min_size`, or make the region smaller",
            Self::AlreadyFull { .. } => "raise `concentration`, or leave the pack out",
            Self::TooLarge { .. } => "lower the largest size, or enlarge the region",
            Self::Jammed { .. } => {
                "lower `concentration`, allow a wider range of sizes or a smaller gap, look for bodies that take up \
                 the region, or use `method = \"tessellation\"`"
            }
            Self::NarrowLeads { .. } => "lower `concentration` or `gap`",
            Self::NoSheet { .. } => {
                "lower `max_size` or raise `min_size`; below 70 % use `method = \"library\"`"
            }
            Self::NoRoom { .. } => {
                "ask for fewer or smaller discs, or enlarge the region: at random they cover half of it at most"
            }
            Self::SheetWithBodies => "use `method = \"library\"`, or a region beside them",
        }
    }
}
