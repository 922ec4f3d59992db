//! The policy as data: which methods are tried for which problem, in which order.
//!
//! Each use of the solver has a table. Its rows for the number of contacts are tried from the top; a row is skipped
//! where the residual is already within its tolerance. The order was found on problems of our own runs: cheap methods first, and
//! pivoting, whose work grows with the cube of the contacts, late where there are many.

/// Use of the solver, and its table of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// The compression phase of an impact, and single friction problems.
    Event,
    /// The decompression phase of an impact. With many contacts it may be left unsolved: then there is no restitution.
    Decompression,
    /// Velocity bounds of a fixed step.
    FixedStep,
    /// Velocity bounds that may have no solution: a cheap attempt.
    Feasibility,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 4] = [
        Self::Event,
        Self::Decompression,
        Self::FixedStep,
        Self::Feasibility,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Decompression => "decompression",
            Self::FixedStep => "fixed_step",
            Self::Feasibility => "feasibility",
        }
    }
}

/// A method with the point it starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Takes the impulses of a warm start as they are.
    WarmStart,
    /// Newton's method from a warm start; the limit is how often it is repeated.
    WarmNewton,
    /// The proximal point method on the brisk schedule, from a warm start.
    WarmProximal,
    /// The proximal point method on the schedule with path following, from a warm start.
    WarmFollowing,
    /// The central path of Coulomb's law by arc length from near a warm start, then the proximal point method; the limit is of linear systems.
    WarmCentralPath,
    /// The proximal point method on the brisk schedule, from zero; not after a warm start.
    ColdProximal,
    /// Cold-started proximal point method, then Newton's method to round-off: post-impact velocities of a decompression may be a million times those of
    /// the impact.
    ColdProximalPolished,
    /// Closed form: enumeration of all states of one or two contacts.
    ClosedForm,
    /// One path of the interior-point method, then Newton's method.
    InteriorPoint(usize),
    /// One of the central paths by arc length, then the proximal point method; the limit is of linear systems.
    CentralPath(usize),
    /// The proximal point method on the schedule with path following, from the relaxation.
    RelaxedFollowing,
    /// The proximal point method on the careful schedule, from zero.
    CarefulFromZero,
    /// The proximal point method on the careful schedule, from the best impulses so far.
    CarefulFromBest,
    /// The proximal point method on the steady schedule, from zero, where there is much friction.
    SteadyFromZero,
    /// Newton's method on dense active sets, from the best impulses so far.
    DenseNewton,
    /// Lemke's method with one of three covering vectors; the limit is of pivots.
    Lemke(usize),
    /// Lemke's method with fresh factors at each pivot, on the problem and on perturbed ones; the limit is of problems.
    LemkePerturbed,
    /// The convex relaxation, whatever its residual.
    Relaxation,
}

impl Attempt {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        const INTERIOR: [&str; INTERIOR_PATHS] = [
            "interior_point_1",
            "interior_point_2",
            "interior_point_3",
            "interior_point_4",
        ];
        const CENTRAL: [&str; CENTRAL_PATHS] =
            ["central_path_1", "central_path_2", "central_path_3"];
        match self {
            Self::WarmStart => "warm_start",
            Self::WarmNewton => "warm_newton",
            Self::WarmProximal => "warm_proximal",
            Self::WarmFollowing => "warm_path_following",
            Self::WarmCentralPath => "warm_central_path",
            Self::ColdProximal => "cold_proximal",
            Self::ColdProximalPolished => "cold_proximal_polished",
            Self::ClosedForm => "closed_form",
            Self::InteriorPoint(path) => INTERIOR[path],
            Self::CentralPath(path) => CENTRAL[path],
            Self::RelaxedFollowing => "relaxed_path_following",
            Self::CarefulFromZero => "careful_from_zero",
            Self::CarefulFromBest => "careful_from_best",
            Self::SteadyFromZero => "steady_from_zero",
            Self::DenseNewton => "dense_newton",
            Self::Lemke(0) => "lemke",
            Self::Lemke(1) => "lemke_ascending",
            Self::Lemke(_) => "lemke_descending",
            Self::LemkePerturbed => "lemke_perturbed",
            Self::Relaxation => "relaxation",
        }
    }
}

/// A residual at which a row is not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerance {
    /// No tolerance: the row is always tried.
    Never,
    /// Round-off up to `dense_contacts` contacts, and the acceptable residual beyond.
    Accurate,
    /// The acceptable residual.
    Acceptable,
    /// The acceptable residual, or the rounding-limited one where that is more.
    Rounding,
}

/// One row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The method.
    pub attempt: Attempt,
    /// The least and the largest number of contacts.
    pub contacts: [usize; 2],
    /// Iteration limit: proximal problems, steps or pivots.
    pub limit: usize,
    /// The residual within which the row is skipped.
    pub tolerance: Tolerance,
}

/// Rows of a table at most: each has its counter.
pub const MAX_ROWS: usize = 24;

/// The tables, one for each use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The compression phase of an impact.
    pub event: &'static [Row],
    /// The decompression phase of an impact.
    pub decompression: &'static [Row],
    /// A fixed step.
    pub fixed_step: &'static [Row],
    /// A feasibility trial.
    pub feasibility: &'static [Row],
}

impl Policy {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        event: EVENT,
        decompression: DECOMPRESSION,
        fixed_step: FIXED_STEP,
        feasibility: FEASIBILITY,
    };

    /// The rows of a table.
    pub fn rows(&self, table: Table) -> &'static [Row] {
        match table {
            Table::Event => self.event,
            Table::Decompression => self.decompression,
            Table::FixedStep => self.fixed_step,
            Table::Feasibility => self.feasibility,
        }
    }

    /// All tables with their rows.
    pub fn tables(&self) -> [(Table, &'static [Row]); Table::ALL.len()] {
        Table::ALL.map(|table| (table, self.rows(table)))
    }
}

const fn row(attempt: Attempt, contacts: [usize; 2], limit: usize, tolerance: Tolerance) -> Row {
    Row {
        attempt,
        contacts,
        limit,
        tolerance,
    }
}

const ANY: usize = usize::MAX;

use Attempt::{
    CarefulFromBest, CarefulFromZero, CentralPath, ClosedForm, ColdProximal, ColdProximalPolished,
    DenseNewton, InteriorPoint, Lemke, LemkePerturbed, Relaxation, RelaxedFollowing,
    SteadyFromZero, WarmCentralPath, WarmFollowing, WarmNewton, WarmProximal, WarmStart,
};
use Tolerance::{Acceptable, Accurate, Never, Rounding};

/// Paths of the interior-point method.
pub(crate) const INTERIOR_PATHS: usize = 4;
/// Central paths.
pub(crate) const CENTRAL_PATHS: usize = 3;

// A row beyond the counters would be counted out of bounds, and only when it is reached.
const _: () = assert!(
    EVENT.len() <= MAX_ROWS
        && DECOMPRESSION.len() <= MAX_ROWS
        && FIXED_STEP.len() <= MAX_ROWS
        && FEASIBILITY.len() <= MAX_ROWS
);

const EVENT: &[Row] = &[
    row(WarmNewton, [2, ANY], 3, Never),
    row(WarmProximal, [2, ANY], 80, Accurate),
    row(ColdProximalPolished, [21, ANY], 80, Accurate),
    row(ClosedForm, [1, 2], 1, Accurate),
    row(InteriorPoint(0), [21, ANY], 80, Accurate),
    row(InteriorPoint(1), [21, ANY], 80, Accurate),
    row(InteriorPoint(2), [21, ANY], 80, Accurate),
    row(InteriorPoint(3), [21, ANY], 80, Accurate),
    row(SteadyFromZero, [61, ANY], 2000, Acceptable),
    row(RelaxedFollowing, [21, ANY], 200, Acceptable),
    row(CarefulFromBest, [21, 400], 200, Acceptable),
    row(DenseNewton, [21, 60], 8, Accurate),
    row(Lemke(0), [1, 400], 2000, Accurate),
    row(Lemke(1), [1, 60], 2000, Accurate),
    row(Lemke(2), [1, 60], 2000, Accurate),
    row(InteriorPoint(0), [1, 20], 80, Accurate),
    row(InteriorPoint(1), [1, 20], 80, Accurate),
    row(InteriorPoint(2), [1, 20], 80, Accurate),
    row(InteriorPoint(3), [1, 20], 80, Accurate),
    row(CarefulFromZero, [1, 20], 200, Acceptable),
    row(CarefulFromBest, [1, 20], 200, Acceptable),
    row(LemkePerturbed, [1, 60], 16, Acceptable),
    row(Relaxation, [1, ANY], 200, Rounding),
];

/// Policy of decompression phases, without the relaxation: where no row solves the problem, there is no restitution.
const DECOMPRESSION: &[Row] = &[
    row(ColdProximalPolished, [21, 60], 80, Accurate),
    row(ColdProximal, [61, ANY], 80, Accurate),
    row(ClosedForm, [1, 2], 1, Accurate),
    row(InteriorPoint(0), [21, ANY], 80, Accurate),
    row(InteriorPoint(1), [21, ANY], 80, Accurate),
    row(InteriorPoint(2), [21, ANY], 80, Accurate),
    row(InteriorPoint(3), [21, ANY], 80, Accurate),
    row(RelaxedFollowing, [21, 60], 200, Acceptable),
    row(CarefulFromZero, [21, 60], 200, Acceptable),
    row(Lemke(0), [1, 60], 2000, Accurate),
    row(Lemke(1), [1, 60], 2000, Accurate),
    row(Lemke(2), [1, 60], 2000, Accurate),
    row(InteriorPoint(0), [1, 20], 80, Accurate),
];

const FIXED_STEP: &[Row] = &[
    row(WarmStart, [1, ANY], 1, Never),
    row(ClosedForm, [1, 2], 1, Accurate),
    row(WarmFollowing, [3, 400], 200, Accurate),
    row(WarmFollowing, [401, ANY], 60, Accurate),
    row(WarmCentralPath, [401, ANY], 600, Acceptable),
    row(CentralPath(0), [401, ANY], 800, Acceptable),
    row(CentralPath(1), [401, ANY], 800, Acceptable),
    row(CentralPath(2), [401, ANY], 1200, Acceptable),
    row(RelaxedFollowing, [3, ANY], 200, Acceptable),
    row(InteriorPoint(0), [3, 400], 80, Acceptable),
    row(InteriorPoint(1), [3, 400], 80, Acceptable),
    row(InteriorPoint(2), [3, 400], 80, Acceptable),
    row(InteriorPoint(3), [3, 400], 80, Acceptable),
    row(SteadyFromZero, [61, ANY], 2000, Acceptable),
    row(CarefulFromZero, [3, 400], 500, Acceptable),
    row(CarefulFromBest, [3, 400], 500, Acceptable),
    row(DenseNewton, [3, 60], 8, Accurate),
    row(Lemke(0), [1, 200], 2000, Accurate),
    row(Lemke(1), [1, 60], 2000, Accurate),
    row(Lemke(2), [1, 60], 2000, Accurate),
    row(LemkePerturbed, [1, 60], 16, Acceptable),
    row(Relaxation, [1, ANY], 200, Rounding),
];

const FEASIBILITY: &[Row] = &[
    row(WarmStart, [1, ANY], 1, Never),
    row(ClosedForm, [1, 2], 1, Accurate),
    row(WarmFollowing, [3, ANY], 8, Accurate),
    row(InteriorPoint(0), [3, ANY], 80, Accurate),
];

/// How often each row was tried, and how often its impulses were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCounts {
    /// Friction problems on which each row of each table was tried.
    pub tried: [[u64; MAX_ROWS]; Table::ALL.len()],
    /// Friction problems of which each row's impulses were taken.
    pub taken: [[u64; MAX_ROWS]; Table::ALL.len()],
}

impl Default for RowCounts {
    fn default() -> Self {
        Self {
            tried: [[0; MAX_ROWS]; Table::ALL.len()],
            taken: [[0; MAX_ROWS]; Table::ALL.len()],
        }
    }
}

impl RowCounts {
    /// Adds one friction problem.
    pub(crate) fn add(&mut self, walked: Walked) {
        let table = walked.table as usize;
        let mut left = walked.tried;
        while left != 0 {
            self.tried[table][left.trailing_zeros() as usize] += 1;
            left &= left - 1;
        }
        if let Some(row) = walked.taken {
            self.taken[table][row] += 1;
        }
    }
}

impl std::ops::AddAssign<&Self> for RowCounts {
    fn add_assign(&mut self, other: &Self) {
        let sums = [&mut self.tried, &mut self.taken];
        for (sums, counts) in sums.into_iter().zip([&other.tried, &other.taken]) {
            for (sum, count) in sums
                .as_flattened_mut()
                .iter_mut()
                .zip(counts.as_flattened())
            {
                *sum += count;
            }
        }
    }
}

/// Which rows were tried on a friction problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Walked {
    /// The table.
    pub(crate) table: Table,
    /// A bit for each row.
    pub(crate) tried: u32,
    /// The row whose impulses were taken; `None` for zero impulses.
    pub(crate) taken: Option<usize>,
}
