//! Errors of a plan whose values are valid one by one, but not together.

use thiserror::Error;

use crate::scenario::{Problem, ProblemKind, Span};

/// Error of a scenario that cannot be run as it is.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PlanError {
    /// Explicit drag would be unstable.
    #[error("{step} s is longer than the longest stable step, {limit:.4} s")]
    UnstableStep {
        /// The step \[s\].
        step: f64,
        /// The longest stable one \[s\].
        limit: f64,
    },
    /// A spin that the contact law has no step for.
    #[error("{body} spins about a point that is not its centre, and the law is \"coulomb\"")]
    SpinOffCentre {
        /// The body.
        body: String,
    },
    /// Two bodies overlap at the start.
    #[error("{second} overlaps {first}")]
    BodiesOverlap {
        /// One body.
        first: String,
        /// The other one.
        second: String,
    },
    /// A body reaches over a wall at the start.
    #[error("{body} reaches over a wall of the domain")]
    BodyOverWall {
        /// The body.
        body: String,
    },
    /// A series does not reach to the end of the run.
    #[error("it ends at {end} s, and the run at {needed} s")]
    SeriesTooShort {
        /// End of the series, ramp included \[s\].
        end: f64,
        /// End of the run \[s\].
        needed: f64,
    },
    /// A series starts after the run.
    #[error("it starts at {start} s, after the run")]
    SeriesTooLate {
        /// Start of the series \[s\].
        start: f64,
    },
    /// The ocean cell is smaller than the ice on it.
    #[error("the ocean cell of {cell} m² is smaller than the ice on it, {ice} m²")]
    CellTooSmall {
        /// Area of the cell \[m²\].
        cell: f64,
        /// Area of the ice \[m²\].
        ice: f64,
    },
    /// Nothing tells where the ocean cells are.
    #[error("in a free domain nothing tells where the ocean cells are")]
    RegionUnknown,
    /// A region for the ocean cells in a domain that has edges.
    #[error("its cells cover the domain, which has edges of its own")]
    RegionInDomain,
    /// A floe that no ocean cell can hold.
    #[error("{floe} has an area of {area} m², more than an ocean cell with its {cell} m²")]
    FloeLargerThanCell {
        /// The floe.
        floe: String,
        /// Its area \[m²\].
        area: f64,
        /// Area of a cell \[m²\].
        cell: f64,
    },
    /// The explicit exchange between ocean cells would be unstable.
    #[error("{step} s is longer than the exchange between ocean cells allows, {limit:.4} s")]
    UnstableExchange {
        /// The step \[s\].
        step: f64,
        /// The longest stable one \[s\].
        limit: f64,
    },
    /// Nothing tells how large the ocean cell is.
    #[error("in a free domain nothing tells how large the ocean cell is")]
    CellUnknown,
    /// An ocean layer without drag is not coupled to the ice.
    #[error("without drag it has no effect on the ice")]
    LayerWithoutDrag,
    /// A layer with no ice to cover a fraction of it.
    #[error("there is no floe, so no ice covers any fraction of the ocean")]
    NoIce,
    /// A file of dates in a run without a date.
    #[error("its times are dates, and nothing tells the date of time zero")]
    NoStart,
    /// A file of places in a run without a place.
    #[error("it has places on the Earth, and nothing tells where x = y = 0 is")]
    NoOrigin,
    /// A current that differs from place to place, with the ocean layer of the source.
    #[error("with the ocean layer of `rabatel-2015` the current is the same everywhere")]
    VaryingOverLayer,
    /// A floe is where a field has no data at the start.
    #[error("it has no data for {floe} at ({x} m, {y} m)")]
    FloeOutsideField {
        /// The floe.
        floe: String,
        /// Eastward coordinate of its centre \[m\].
        x: f64,
        /// Northward coordinate of its centre \[m\].
        y: f64,
    },
    /// The centre of an ocean cell is where the wind has no data at the start.
    #[error("it has no data for the ocean cell at ({x} m, {y} m)")]
    CellOutsideField {
        /// Eastward coordinate of its centre \[m\].
        x: f64,
        /// Northward coordinate of its centre \[m\].
        y: f64,
    },
    /// A file of floes leaves out their thickness.
    #[error("floe {floe} has no thickness in it")]
    NoThickness {
        /// Which, counted from 0.
        floe: usize,
    },
    /// A name that no floe has.
    #[error("no floe is called `{name}`")]
    UnknownFloe {
        /// The name.
        name: String,
    },
    /// Land that is all outside.
    #[error("none of its land is inside the domain")]
    NoCoast,
    /// A name that no body has.
    #[error("no floe and no obstacle is called `{name}`")]
    UnknownBody {
        /// The name.
        name: String,
    },
    /// Both ends of a line are on one body, which feels nothing of it.
    #[error("both ends are on `{name}`")]
    LineWithinBody {
        /// The body.
        name: String,
    },
    /// A line is fastened beside its body.
    #[error("the point is {distance:.4} m outside of `{name}`")]
    OutsideBody {
        /// The body.
        name: String,
        /// How far \[m\].
        distance: f64,
    },
    /// A line between bodies goes the long way round a periodic domain.
    #[error(
        "its ends are {length:.4} m apart, and {nearest:.4} m across the edge of the periodic domain"
    )]
    LineAroundCell {
        /// Its length at the start \[m\].
        length: f64,
        /// That to the nearest image \[m\].
        nearest: f64,
    },
    /// A line is too stiff for the step.
    #[error("with a step of {step} s it is not stable: at most {limit:.4} s")]
    UnstableLine {
        /// The step \[s\].
        step: f64,
        /// The longest stable one \[s\].
        limit: f64,
    },
    /// The step does not resolve the waves.
    #[error(
        "a step of {step} s does not resolve them: at most {limit:.4} s, a twentieth of their period"
    )]
    UnresolvedWaves {
        /// The step \[s\].
        step: f64,
        /// The longest one \[s\].
        limit: f64,
    },
    /// Waves that would break.
    #[error(
        "their steepness, wavenumber times amplitude, is {steepness:.3}, and waves break beyond 0.44"
    )]
    BreakingWaves {
        /// Wavenumber times amplitude.
        steepness: f64,
    },
    /// Times of a series of forces.
    #[error("its times must grow, and time {index} does not come after the one before it")]
    ForceTimes {
        /// Which, counted from 0.
        index: usize,
    },
    /// Units of a file of forces.
    #[error("the header gives forces in {header}, and they are read in {unit}")]
    ForceUnit {
        /// Unit in the header.
        header: String,
        /// Unit of the scenario, or the default.
        unit: &'static str,
    },
    /// Two bodies with one name.
    #[error("another body is called `{name}` too")]
    NameTwice {
        /// The name.
        name: String,
    },
}

impl PlanError {
    /// The problem at its place, with a hint.
    pub(super) fn at(self, what: &'static str, span: Span) -> Problem {
        let hint = Some(self.hint());
        let source = Box::new(self);
        Problem::new(ProblemKind::Rejected { what, hint, source }, span)
    }

    fn hint(&self) -> String {
        match self {
            Self::UnstableStep { limit, .. } => format!(
                "set `time.step` to at most {} s; thin floes, strong wind or current and fast \
                 obstacles ask for short steps",
                rounded_down(*limit)
            ),
            Self::SpinOffCentre { .. } => {
                "choose `contact.law = \"inelastic\"`, \"gluey\" or \"rough\", or list waypoints in `path`"
                    .into()
            }
            Self::BodiesOverlap { .. } => "move one of them away".into(),
            Self::LineWithinBody { .. } => "fasten one end to another body or to a point".into(),
            Self::BodyOverWall { .. } => "move it inwards, or enlarge the domain".into(),
            Self::SeriesTooShort { .. } => {
                "shorten the run, or add samples: the last value is not held".into()
            }
            Self::SeriesTooLate { .. } => "add a sample at or before time 0".into(),
            Self::CellTooSmall { .. } => "enlarge `cell_area`".into(),
            Self::RegionUnknown => {
                "give `region = { corner = [\"0 km\", \"0 km\"], size = [\"20 km\", \"10 km\"] }`".into()
            }
            Self::RegionInDomain => "remove `region`".into(),
            Self::FloeLargerThanCell { .. } => "use fewer `cells`, or smaller floes".into(),
            Self::UnstableExchange { limit, .. } => format!(
                "set `time.step` to at most {} s, use fewer `cells`, or a smaller `eddy_viscosity`",
                rounded_down(*limit)
            ),
            Self::CellUnknown => "give `ice_fraction` or `cell_area`".into(),
            Self::LayerWithoutDrag => "remove this table, or switch drag on".into(),
            Self::NoIce => "give `cell_area`, or add a `[[floe]]`".into(),
            Self::NoStart => "give `start = 2016-02-01T00:00:00Z` in `[time]`".into(),
            Self::NoOrigin => {
                "add a table `[origin]` with `longitude = \"36.84 degE\"` and `latitude = \"80.21 degN\"`"
                    .into()
            }
            Self::VaryingOverLayer => {
                "use a series, leave the layer out, or take `model = \"anomaly\"` in `[ocean]`".into()
            }
            Self::FloeOutsideField { .. } => {
                "move the floe or the origin, or take another file; `gaps = \"nearest\"` fills gaps within its grid"
                    .into()
            }
            Self::CellOutsideField { .. } => {
                "take a file that covers the ocean layer; `gaps = \"nearest\"` fills gaps within its grid".into()
            }
            Self::NoThickness { .. } => "give `thickness` in `[ice]`".into(),
            Self::UnknownFloe { .. } => "use the `name` of a `[[floe]]`".into(),
            Self::NoCoast => {
                "check `[origin]`, `coordinates` and `unit`, or the corner and size of `clip` and \
                 `[domain]`"
                    .into()
            }
            Self::UnknownBody { .. } => "use the `name` of a `[[floe]]` or an `[[obstacle]]`".into(),
            Self::OutsideBody { .. } => {
                "`at` is a point of the plane at the start, not one of the body's own frame; without it a line ends at the centre of mass".into()
            }
            Self::LineAroundCell { .. } => {
                "lines do not jump to images: let the `position` of one body lie beyond the edge, beside the other".into()
            }
            Self::UnstableLine { limit, .. } => format!(
                "set `time.step` to at most {} s, or lower `stiffness` and `damping`: floes that are light or tied by many lines ask for short steps",
                rounded_down(*limit)
            ),
            Self::UnresolvedWaves { limit, .. } => {
                format!("set `time.step` to at most {} s", rounded_down(*limit))
            }
            Self::BreakingWaves { .. } => "lower them, or give a longer period".into(),
            Self::ForceUnit { header, .. } => format!("set `unit = \"{header}\"`"),
            Self::ForceTimes { .. } => "list the samples in the order of time".into(),
            Self::NameTwice { .. } => "names must differ: forces are given by name".into(),
        }
    }
}

/// The first three digits: a number that is short to type and not above the limit.
fn rounded_down(limit: f64) -> f64 {
    let text = format!("{limit:.2e}");
    let rounded = text.parse().unwrap_or(limit);
    if rounded <= limit {
        return rounded;
    }
    let lower = format!("{:.2e}", 0.99 * limit);
    lower.parse().unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use super::rounded_down;

    #[test]
    fn a_limit_is_rounded_down_to_something_short() {
        for (limit, short) in [
            (28.812, 28.8),
            (0.073_66, 0.0729),
            (7.0, 7.0),
            (99.99, 99.0),
        ] {
            assert_eq!(rounded_down(limit), short);
        }
    }
}
