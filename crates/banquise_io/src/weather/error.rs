//! Errors of files of wind and current.

use banquise::FieldError;
use thiserror::Error;

use super::calendar::{Calendar, DateTime};
use super::request::FieldKind;

/// Error of a file of wind or current.
#[derive(Debug, Error)]
pub enum WeatherError {
    /// Not NetCDF, or damaged.
    #[error("{0}")]
    File(#[from] netcdf_reader::Error),
    /// No variables with the standard names of wind or current.
    #[error("no variables have the standard names of the {}; there are {}", kind_name(*kind), list(known))]
    NoComponents {
        /// Kind of the field.
        kind: FieldKind,
        /// Variables on a grid.
        known: Vec<String>,
    },
    /// Several variables with the same standard name.
    #[error("several variables have the same standard name: {}", list(names))]
    Ambiguous {
        /// Their names.
        names: Vec<String>,
    },
    /// A variable that the scenario names is not there.
    #[error("it has no variable `{name}`; there are {}", list(known))]
    NoVariable {
        /// The name.
        name: String,
        /// Variables on a grid.
        known: Vec<String>,
    },
    /// The two components are not on the same nodes.
    #[error("`{x}` and `{y}` are not on the same grid")]
    Staggered {
        /// First component.
        x: String,
        /// Second component.
        y: String,
    },
    /// Nothing tells what the components point along.
    #[error("the standard name of `{variable}` does not tell what it points along")]
    Directions {
        /// The variable.
        variable: String,
    },
    /// A unit that is none of speed.
    #[error(
        "`{variable}` has {}",
        if units.is_empty() { "no unit".to_owned() } else { format!("the unit `{units}`, which is not known as one of speed") }
    )]
    Units {
        /// The variable.
        variable: String,
        /// Its unit.
        units: String,
    },
    /// A unit that is none of angles.
    #[error(
        "`{variable}` has {}",
        if units.is_empty() { "no unit".to_owned() } else { format!("the unit `{units}`, which is not known as one of angles") }
    )]
    AngleUnits {
        /// The variable.
        variable: String,
        /// Its unit.
        units: String,
    },
    /// A variable without two dimensions, or another shape than its grid.
    #[error("`{variable}` has the shape {found:?}")]
    WrongShape {
        /// The variable.
        variable: String,
        /// Its shape.
        found: Vec<u64>,
    },
    /// A third dimension, and nothing tells which index is meant.
    #[error(
        "`{variable}` has {size} values along `{dimension}`{}",
        level.map_or(String::new(), |level| format!(", and none with the index {level}"))
    )]
    Level {
        /// The variable.
        variable: String,
        /// The dimension.
        dimension: String,
        /// Its size.
        size: u64,
        /// The index wanted.
        level: Option<usize>,
    },
    /// A list of constituents, and no dimension of so many.
    #[error(
        "`{variable}` has {} values at a place, and {listed} constituents are listed",
        if sizes.is_empty() { "1".to_owned() } else { sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ") }
    )]
    Constituents {
        /// The variable.
        variable: String,
        /// Sizes of its dimensions other than those of the grid.
        sizes: Vec<u64>,
        /// Number of constituents listed.
        listed: usize,
    },
    /// Longitudes and latitudes are not given and cannot be computed.
    #[error("nothing tells the longitudes and latitudes of `{variable}`")]
    NoPlaces {
        /// The variable.
        variable: String,
    },
    /// A latitude beyond a pole.
    #[error("it has a latitude of {degrees} degrees")]
    Latitude {
        /// The latitude.
        degrees: f64,
    },
    /// A projection that is not known here.
    #[error("its grid mapping is `{name}`, which is not known")]
    Mapping {
        /// Its name.
        name: String,
    },
    /// A grid mapping that lacks an attribute.
    #[error("its grid mapping lacks `{attribute}`")]
    MappingLacks {
        /// The attribute.
        attribute: &'static str,
    },
    /// Units of time that are not `… since …`.
    #[error("the units of `{variable}` are `{units}`, not a time since a date")]
    TimeUnits {
        /// The variable.
        variable: String,
        /// Its units.
        units: String,
    },
    /// A calendar that is not known here.
    #[error("its calendar is `{name}`, which is not known")]
    Calendar {
        /// Its name.
        name: String,
    },
    /// A date that the calendar of the file does not have.
    #[error(
        "its calendar, {}, has no day {:04}-{:02}-{:02}",
        calendar.name(), date.year, date.month, date.day
    )]
    NoSuchDay {
        /// The date.
        date: DateTime,
        /// The calendar.
        calendar: Calendar,
    },
    /// A missing value among the times.
    #[error("its time {index} is missing")]
    NoTime {
        /// Which, counted from 0.
        index: usize,
    },
    /// No time at all.
    #[error("it has no time")]
    NoTimes,
    /// Times must grow strictly.
    #[error("its time {index} does not come after the one before")]
    TimesNotIncreasing {
        /// Which, counted from 0.
        index: usize,
    },
    /// The file does not cover the run.
    #[error(
        "it covers the time from {} to {} of the run, which needs 0 h to {}",
        hours(*first), hours(*last), hours(*needed)
    )]
    TimesOutside {
        /// First time \[s\].
        first: f64,
        /// Last time \[s\].
        last: f64,
        /// End of what is needed \[s\].
        needed: f64,
    },
    /// Two times too far apart.
    #[error("it has nothing between {} and {} of the run", hours(*from), hours(*to))]
    TimeGap {
        /// Start of the gap \[s\].
        from: f64,
        /// Its end \[s\].
        to: f64,
        /// The longest accepted \[s\].
        limit: f64,
    },
    /// A time without a single value.
    #[error("all its values are missing at {} of the run", hours(*time))]
    NothingAt {
        /// The time \[s\].
        time: f64,
    },
    /// A tide without a single value.
    #[error("all its values are missing")]
    Nothing,
    /// The whole grid is too far away.
    #[error("all its nodes are more than {reach} km from the origin")]
    OutOfReach {
        /// How far they may be \[km\].
        reach: f64,
    },
    /// More data than fit into memory.
    #[error("the run needs {count} vectors of it, and the limit is {limit}")]
    TooLarge {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The grid itself is refused.
    #[error("{0}")]
    Grid(#[from] FieldError),
}

impl WeatherError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(_) => "it must be a NetCDF file, classic or NetCDF-4",
            Self::NoComponents { .. } | Self::Ambiguous { .. } => {
                "name the two components: `variables = { x = \"…\", y = \"…\" }`"
            }
            Self::NoVariable { .. } => "correct the name in `variables`",
            Self::Staggered { .. } => "bring both components to the same nodes first",
            Self::Directions { .. } => {
                "give `directions = \"geographic\"` (east and north) or `directions = \"grid\"`"
            }
            Self::Units { .. } => "give `speed_unit = \"m/s\"`, if that is what it is",
            Self::AngleUnits { .. } => "give `angle_unit = \"deg\"`, if that is what it is",
            Self::WrongShape { .. } => {
                "components depend on time (if at all) and two dimensions of the grid"
            }
            Self::Level { .. } => "choose one by its index: `level = 0`",
            Self::Constituents { .. } => {
                "list all of them, in the order of the file; or choose one: `constituent = \"M2\"` with `level = 0`"
            }
            Self::NoPlaces { .. } => {
                "the file needs longitudes and latitudes with their units, or a grid mapping with axes in m or km"
            }
            Self::Latitude { .. } => "are longitudes and latitudes swapped?",
            Self::Mapping { .. } | Self::MappingLacks { .. } => {
                "known are polar_stereographic, lambert_conformal_conic and rotated_latitude_longitude; \
                 or add longitudes and latitudes to the file"
            }
            Self::TimeUnits { .. } => "write them like `hours since 1970-01-01 00:00:00`",
            Self::Calendar { .. } => {
                "known are standard, proleptic_gregorian, julian, noleap, all_leap and 360_day"
            }
            Self::NoSuchDay { .. } => "choose another `time.start`",
            Self::NoTime { .. } | Self::NoTimes | Self::TimesNotIncreasing { .. } => {
                "times must be there, and grow"
            }
            Self::TimesOutside { .. } => {
                "change `time.start` or `time.duration`, or take another file"
            }
            Self::TimeGap { .. } => "fill the gap, or accept it with `max_gap = \"…\"`",
            Self::NothingAt { .. } => "take another file, or leave out that time",
            Self::Nothing => "look at `variables` and `level`, or take another file",
            Self::TooLarge { .. } => "cut out the region and the days of the run first",
            Self::OutOfReach { .. } => "look at `[origin]`, and at the region of the file",
            Self::Grid(_) => "nodes must be in the order of a map, row after row",
        }
    }
}

fn kind_name(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Wind => "wind",
        FieldKind::Current => "current",
    }
}

/// The first names of a list.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    if names.len() > SHOWN {
        shown.push("…".to_owned());
    }
    if shown.is_empty() {
        return "none on a grid".to_owned();
    }
    shown.join(", ")
}

/// A time of the run as people read it.
fn hours(seconds: f64) -> String {
    format!("{} h", (seconds / 36.0).round() / 100.0)
}
