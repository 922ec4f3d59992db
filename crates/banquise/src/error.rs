//! Everything that can go wrong when a world is built or stepped.

use banquise_geometry::GeometryError;
use thiserror::Error;

use crate::id::BodyId;

/// Error of a body that cannot enter a world.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BodyError {
    /// The shape or its mesh refused.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A physical quantity that must be positive and finite is not.
    #[error("{quantity} must be positive and finite, not {value}")]
    NotPositive {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// A pose or a velocity holds NaN or infinity.
    #[error("{quantity} must be finite, not {value}")]
    NotFinite {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// A floe of a periodic domain could touch its own image.
    #[error("the floe spans {span} m, but the periodic cell only {cell} m")]
    WiderThanCell {
        /// Diameter of the floe about its centre of mass \[m\].
        span: f64,
        /// Shorter side of the cell \[m\].
        cell: f64,
    },
    /// Only floes are cut; the outline of an obstacle never changes.
    #[error("{id} is an obstacle: its outline does not change")]
    NotAFloe {
        /// The obstacle.
        id: BodyId,
    },
    /// There is no body with this id, or not any more.
    #[error("there is no {id} in the world")]
    Unknown {
        /// The id asked for.
        id: BodyId,
    },
}

/// Error of a vector series (wind or current in time).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SeriesError {
    /// No sample at all.
    #[error("the series has no sample")]
    Empty,
    /// A sample holds NaN or infinity.
    #[error("sample {index} at {time} s is not finite: ({x}, {y}) m/s")]
    NotFinite {
        /// Index of the sample.
        index: usize,
        /// Its time \[s\].
        time: f64,
        /// Its first component [m/s].
        x: f64,
        /// Its second component [m/s].
        y: f64,
    },
    /// Times must grow strictly.
    #[error("sample {index} at {time} s does not come after the one before it at {previous} s")]
    NotIncreasing {
        /// Index of the sample.
        index: usize,
        /// Its time \[s\].
        time: f64,
        /// The time of the sample before \[s\].
        previous: f64,
    },
    /// The ramp from rest must be finite and not negative.
    #[error("the ramp must last a finite time of at least 0 s, not {ramp} s")]
    BadRamp {
        /// The ramp given \[s\].
        ramp: f64,
    },
}

/// Error of a grid of wind or current.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FieldError {
    /// No time at all.
    #[error("there is no time")]
    NoTimes,
    /// Times must grow strictly.
    #[error("time {index}, {time} s, does not come after the one before it, {previous} s")]
    TimesNotIncreasing {
        /// Index of the time.
        index: usize,
        /// The time \[s\].
        time: f64,
        /// The one before \[s\].
        previous: f64,
    },
    /// No four nodes make a cell.
    #[error("no cell of the grid has four nodes")]
    NoCell,
    /// A cell without area, or turned over against the others.
    #[error("the grid is folded at column {column}, row {row}")]
    Folded {
        /// Column of the cell, counted from 0.
        column: usize,
        /// Row of the cell, counted from 0.
        row: usize,
    },
}

/// Error of the path of a moving obstacle.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PathError {
    /// A spin that is none.
    #[error("a spin of {period} s a turn, or about a point that is not finite, is none")]
    NoSpin {
        /// Time of a turn \[s\].
        period: f64,
    },
    /// One waypoint is a place, not a path.
    #[error("a path needs at least two waypoints, not {found}")]
    TooShort {
        /// Number of waypoints.
        found: usize,
    },
    /// A waypoint holds NaN or infinity.
    #[error("waypoint {index} is not finite")]
    NotFinite {
        /// Index of the waypoint.
        index: usize,
    },
    /// Times must grow strictly.
    #[error("waypoint {index} at {time} s does not come after the one before it at {previous} s")]
    NotIncreasing {
        /// Index of the waypoint.
        index: usize,
        /// Its time \[s\].
        time: f64,
        /// The time of the waypoint before \[s\].
        previous: f64,
    },
}

/// Reason why squeezed floes have no admissible motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqueezeCause {
    /// A certificate shows that no velocities keep the floes apart from all they touch.
    Kinematic,
    /// A certificate shows that friction leaves no solution.
    Frictional,
    /// No solution was found, and no certificate: friction holds the floes; or only one with speeds or impulses beyond the thresholds of squeezed floes.
    Locked,
}

impl SqueezeCause {
    /// Description for messages.
    pub fn description(self) -> &'static str {
        match self {
            Self::Kinematic => "a certificate shows that they cannot escape",
            Self::Frictional => "a certificate shows that friction keeps them from escaping",
            Self::Locked => {
                "they are locked: no velocities were found with which they escape before ice would be crushed"
            }
        }
    }
}

/// Error of a step, which ends the run.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StepError {
    /// A velocity or a position became NaN or infinite.
    #[error(
        "step {step} at {time} s: the state is not finite: {body} at ({}, {}) m with ({}, {}) m/s and {} rad/s, the first of {count} such bodies",
        position[0], position[1], velocity[0], velocity[1], velocity[2]
    )]
    NonFinite {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Number of such bodies.
        count: usize,
        /// Name or number of the first of them.
        body: Box<str>,
        /// Its centre of mass \[m\].
        position: Box<[f64; 2]>,
        /// Its velocity [m/s] and angular velocity [rad/s].
        velocity: Box<[f64; 3]>,
    },
    /// The explicit drag would overshoot and grow.
    #[error(
        "step {step} at {time} s: {body} moves at {slip} m/s through the water, and a step of \
         {dt} s is unstable above {limit} s"
    )]
    Unstable {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// The body.
        body: BodyId,
        /// Its speed relative to the water [m/s].
        slip: f64,
        /// The step \[s\].
        dt: f64,
        /// The largest stable step at that speed \[s\].
        limit: f64,
    },
    /// A floe is where the wind or the current has no data.
    #[error(
        "step {step} at {time} s: there are no data of the {what} for all of {body}, which is at \
         ({x}, {y}) m"
    )]
    NoData {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// The floe.
        body: BodyId,
        /// `wind` or `current`.
        what: &'static str,
        /// Eastward coordinate of its centre of mass \[m\].
        x: f64,
        /// Northward coordinate of its centre of mass \[m\].
        y: f64,
    },
    /// The centre of an ocean cell is where the wind has no data.
    #[error(
        "step {step} at {time} s: there are no data of the wind for the ocean cell at ({x}, {y}) m"
    )]
    NoWindOverCell {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Eastward coordinate of the centre of the cell \[m\].
        x: f64,
        /// Northward coordinate of the centre of the cell \[m\].
        y: f64,
    },
    /// Bodies are so close, and turn so fast, that no step is both safe and of any length.
    #[error("step {step} at {time} s: the step shrank to {dt:e} s, by {bodies}")]
    StepCollapsed {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Its length \[s\].
        dt: f64,
        /// The pair that needs so short a step, or the body that moves fastest, with places and velocities.
        bodies: Box<str>,
    },
    /// Rigid floes are squeezed between bodies on given paths.
    #[error(
        "step {step} at {} s: {floes} floe(s), {body} among them, are squeezed between {first} and {second}, which close on each other at \
         {} m/s, at ({x:.2}, {y:.2}) m; {}", four_decimals(*time), four_decimals(*speed), cause.description()
    )]
    Squeezed {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Number of floes of the island.
        floes: usize,
        /// Name or number of the floe at the place.
        body: Box<str>,
        /// Name of the obstacle that moves into them.
        first: String,
        /// Name of the obstacle or wall on which it closes.
        second: String,
        /// Closing speed [m/s].
        speed: f64,
        /// Eastward coordinate of the point where the first touches a floe \[m\].
        x: f64,
        /// Northward coordinate of that point \[m\].
        y: f64,
        /// Kind of the proof.
        cause: SqueezeCause,
    },
    /// A line is too stiff for the step and the mass at its end.
    #[error("step {step} at {time} s: {line} is stable for steps up to {} s, and the step has {} s", four_decimals(*limit), four_decimals(*dt))]
    LineUnstable {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// The line.
        line: String,
        /// Length of the step \[s\].
        dt: f64,
        /// The longest stable one \[s\].
        limit: f64,
    },
    /// Interrupted while contacts were being solved. The state is neither that before the step nor that after it.
    #[error("step {step} at {time} s: interrupted")]
    Interrupted {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
    },
    /// Friction problems were not solved, and the settings ask to stop then.
    #[error(
        "step {step} at {time} s: {count} friction problem(s) without a solution; the largest problem has {largest} contacts, \
         and the largest residual is {residual:.1e}"
    )]
    Unsolved {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Number of friction problems.
        count: u64,
        /// Contacts of the largest friction problem of the step, solved or not.
        largest: usize,
        /// The largest scaled residual.
        residual: f64,
    },
}

impl StepError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::LineUnstable { .. } => {
                "take a shorter `time.step`, or a line with less stiffness and damping: the floe at its end has become lighter"
            }
            Self::Squeezed { .. } => {
                "`contact.squeeze = \"crush\"` crushes the ice at a stated pressure; or end the path before, or leave room for the floes"
            }
            Self::Interrupted { .. } => "run it again, or for a shorter time",
            Self::NonFinite { .. } => "shorten the step, and look for an extreme force or velocity",
            Self::Unstable { .. } => "shorten the step, or thicken the floe",
            Self::NoData { .. } => {
                "shorten the run, or take a file that reaches further; where its gaps are land, an \
                 obstacle keeps floes away, and `gaps = \"nearest\"` fills them"
            }
            Self::NoWindOverCell { .. } => {
                "take a file that covers the ocean layer; `gaps = \"nearest\"` fills gaps within its grid"
            }
            Self::Unsolved { .. } => {
                "`contact.on_unsolved = \"continue\"` goes on with the convex relaxation and counts it; \
                 `banquise run --capture` stores the problem"
            }
            Self::StepCollapsed { .. } => {
                "start with bodies further apart, or look for a floe squeezed by others"
            }
        }
    }
}

/// A number for a message, rounded to four decimals.
fn four_decimals(value: f64) -> f64 {
    (1e4 * value).round() / 1e4
}
