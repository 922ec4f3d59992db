//! Every tolerance and limit of the solvers, and the policy.
//!
//! Residuals, impulses and velocities are those of the scaled problem ([`crate::LocalProblem::in_own_units`]) and have no unit.
//! The defaults were found on problems of our own runs; the sensitivity example of this crate scales each of them by 3 and 1/3.

use crate::policy::{CENTRAL_PATHS, INTERIOR_PATHS, Policy};

/// One constant of the settings, to be read or changed by its name.
#[derive(Debug, PartialEq)]
pub enum Constant<'a> {
    /// A tolerance, a share or a factor.
    Number(&'a mut f64),
    /// A limit of iterations or contacts.
    Limit(&'a mut usize),
}

impl<'a> From<&'a mut f64> for Constant<'a> {
    fn from(value: &'a mut f64) -> Self {
        Self::Number(value)
    }
}

impl<'a> From<&'a mut usize> for Constant<'a> {
    fn from(value: &'a mut usize) -> Self {
        Self::Limit(value)
    }
}

/// Defines a group of settings: the struct, its defaults, and a visitor of its fields, so that no field is forgotten.
macro_rules! settings {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$field_doc:meta])* $field:ident: $kind:ty = $value:expr,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $kind,)+
        }

        impl $name {
            /// The defaults.
            pub const DEFAULT: Self = Self { $($field: $value,)+ };

            fn visit(&mut self, group: &str, visit: &mut dyn FnMut(&str, Constant<'_>)) {
                $(visit(&format!("{group}.{}", stringify!($field)), (&mut self.$field).into());)+
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::DEFAULT
            }
        }
    };
}

settings! {
    /// Tolerances within which impulses count as a solution.
    AccuracySettings {
        /// A residual at which no other method is tried, up to `dense_contacts` contacts: round-off.
        round_off: f64 = 1e-12,
        /// Residual that counts as round-off with more contacts, since sparse factors do not always reach more digits.
        sparse_round_off: f64 = 1e-10,
        /// The best of all attempts is a solution if its residual is within this.
        acceptable: f64 = 1e-9,
        /// Acceptable residual in a fixed step of more than `jam_contacts` contacts: a digit more takes seconds where floes are jammed.
        jam_acceptable: f64 = 1e-8,
        /// Rounding-limited acceptance: this times ε Σ|W p|. It matters where the impulse between heavy bodies passes through
        /// one lighter by more than 1e7.
        rounding_multiple: f64 = 16.0,
        /// Cap of the rounding-limited acceptance.
        largest_acceptable: f64 = 1e-4,
        /// Contacts up to which dense methods, whose work grows with their cube, are used without reserve.
        dense_contacts: usize = 60,
        /// Contacts of a fixed step beyond which `jam_acceptable` holds.
        jam_contacts: usize = 200,
    }
}

settings! {
    /// Schedule of the regularisation ε of the proximal point method; found by trial.
    ProximalSchedule {
        /// The first ε far from a solution.
        first: f64 = 1e-2,
        /// Factor of ε after Newton's method needed at most `easy_steps`.
        shrink_easy: f64 = 0.01,
        /// Factor of ε after another success.
        shrink: f64 = 0.2,
        /// Factor of ε in the successes that follow a failure.
        shrink_after_failure: f64 = 0.5,
        /// Factor of ε after a failure.
        grow: f64 = 5.0,
        /// Gauss–Seidel sweeps before the first problem.
        first_sweeps: usize = 10,
        /// Sweeps after a success: none, since they would lead away from the solution.
        sweeps: usize = 0,
        /// Sweeps after a failure.
        sweeps_after_failure: usize = 10,
        /// Paths to follow for a problem on which Newton's method fails: 0 or 1.
        paths: usize = 0,
        /// The largest ε.
        most: f64 = 0.3,
        /// Whether the centre stays where it is after a failure, until ε is the largest: 0 or 1.
        retreats: usize = 0,
    }
}

impl ProximalSchedule {
    /// For a warm start of a fixed step, and from the relaxation: few sweeps, and path following.
    const FOLLOWING: Self = Self {
        shrink_easy: 0.03,
        first_sweeps: 5,
        sweeps_after_failure: 5,
        paths: 1,
        ..Self::DEFAULT
    };

    /// For problems on which the other schedules fail: walls of discs that collapse.
    const CAREFUL: Self = Self {
        first: 0.3,
        shrink_easy: 0.25,
        shrink: 0.5,
        shrink_after_failure: 0.5,
        grow: 1.5,
        first_sweeps: 50,
        sweeps: 50,
        sweeps_after_failure: 50,
        paths: 1,
        ..Self::DEFAULT
    };

    /// For high friction, where the path of solutions has turning points in ε, and a failed iterate is far away: only solutions of proximal
    /// problems become centres. Of twelve grids of 378 contacts with μ from 1 to 5 it solves seven within 6e9 operations, and the other schedules
    /// none; with a factor `grow` of 3 or 8 it is seven and six.
    const STEADY: Self = Self {
        shrink_easy: 0.1,
        shrink: 0.3,
        grow: 4.0,
        most: 3.0,
        retreats: 1,
        ..Self::FOLLOWING
    };

    /// For contacts that crush: small steps of ε.
    const CRUSHING_WARM: Self = Self {
        first: 0.1,
        first_sweeps: 20,
        sweeps: 0,
        sweeps_after_failure: 20,
        paths: 0,
        ..Self::CAREFUL
    };

    /// For contacts that crush, from the end of a path: no sweeps, which would lead away from it.
    const CRUSHING_PIVOTED: Self = Self {
        first: 1e-6,
        shrink_easy: 0.1,
        shrink: 0.3,
        grow: 2.0,
        most: 1e-3,
        first_sweeps: 0,
        sweeps_after_failure: 0,
        paths: 1,
        ..Self::CRUSHING_WARM
    };
}

settings! {
    /// Gauss–Seidel and Newton's method on proximal problems.
    ProximalSettings {
        /// The least ε: negligible beside the entries of the scaled operator, which are of order one.
        least_regularisation: f64 = 1e-9,
        /// Friction from which the steady schedule is tried: more than ice has, so that it is left alone where others suffice.
        high_friction: f64 = 1.0,
        /// Successes after a failure in which ε shrinks slowly: at the usual rate the next problem would fail again.
        slow_successes: usize = 2,
        /// Steps of Newton's method for one problem.
        newton_steps: usize = 8,
        /// Repetitions of Newton's method at a point near a solution. The second removes the effect of the regularisation.
        polishes: usize = 3,
        /// Steps up to which a success is easy.
        easy_steps: usize = 2,
        /// Growth of the residual beyond which Newton's method is given up, after the easy steps.
        max_growth: f64 = 1.5,
        /// Residual up to which a repeated active set, or the end of a path, is a solution but for rounding.
        newton_rounding: f64 = 1e-7,
        /// Residual of a proximal problem as a share of the tolerance of the problem itself.
        inner_share: f64 = 0.3,
        /// The least residual of a proximal problem.
        least_inner: f64 = 1e-11,
        /// Stagnation limit: problems at the least ε in a row that do not halve the residual.
        stagnation_limit: usize = 3,
        /// Sweeps of an estimate, which finds the contacts of a fixed step.
        estimate_sweeps: usize = 30,
        /// Change of the impulses, as a share of the largest, at which an estimate ends.
        estimate_tolerance: f64 = 1e-6,
    }
}

settings! {
    /// One path of the interior-point method from the relaxation to Coulomb's law.
    InteriorPath {
        /// The barrier parameter below which it turns to Coulomb's law; zero for the relaxation itself.
        coulomb_below: f64 = 1e-2,
        /// Exponent of Mehrotra's centring: the power of what the predictor leaves of the barrier parameter.
        centering_exponent: usize = 2,
    }
}

impl InteriorPath {
    /// The path to the relaxation.
    pub(crate) const RELAXATION: Self = Self {
        coulomb_below: 0.0,
        centering_exponent: 3,
    };
}

settings! {
    /// The interior-point method.
    InteriorSettings {
        /// Steps to the relaxation; twenty to forty are usual.
        relaxation_steps: usize = 200,
        /// Steps in which the barrier parameter must fall to a half.
        stagnation_limit: usize = 12,
        /// Barrier parameter at which it ends.
        final_barrier: f64 = 1e-24,
        /// Barrier parameter at which a point is first given to Newton's method.
        first_judged: f64 = 1e-9,
        /// Factor of the barrier parameter until the next such point.
        next_judged: f64 = 1e-3,
        /// Distance kept from the boundary of the cone, as a share of the longest step. Below 0.1 % steps end in corners.
        boundary_margin: f64 = 0.005,
        /// The shortest step worth taking.
        least_step_length: f64 = 1e-9,
        /// Regularisation of the systems of redundant contacts. It slows the last steps and does not change the solution.
        regularisation: f64 = 1e-13,
    }
}

settings! {
    /// The central path, followed by its arc length. Measured on eleven problems of 1,068 to 1,567 contacts of a jam, most of which no other method solves.
    CentralPathSettings {
        /// Distance from the path within which a point is accepted: the largest relative change of a slack or multiplier that leads back to it.
        accepted: f64 = 2.0,
        /// This distance for a while after the path was lost.
        accepted_near: f64 = 0.3,
        /// Steps made near the path after it was lost.
        careful_steps: usize = 20,
        /// How often the path may be lost without progress.
        most_losses: usize = 10,
        /// First correction below which the next step is longer.
        easy: f64 = 0.1,
        /// First correction above which the next step is shorter.
        hard: f64 = 2.0,
        /// Length of the first step: a relative change.
        first_length: f64 = 0.5,
        /// The longest step: a share of the largest relative change by which a slack or multiplier would vanish.
        most_length: f64 = 0.99,
        /// Steps below which a path is given up.
        least_length: f64 = 1e-7,
        /// Factor of what a step keeps away from the boundary, after an easy one.
        margin_shrink: f64 = 0.4,
        /// Factor of the length after a hard step.
        shrink: f64 = 0.7,
        /// Factor of the length after a step that fails.
        retreat: f64 = 0.35,
        /// How much more a variable may grow in a step than another may shrink.
        growth: f64 = 10.0,
        /// The share of a slack or multiplier that one step may take.
        boundary_share: f64 = 0.95,
        /// Corrections of one step.
        corrections: usize = 3,
        /// Factor by which each correction must be smaller than the one before.
        contraction: f64 = 0.7,
        /// First correction beyond which a step has failed.
        hopeless: f64 = 3.0,
        /// Distance from the path within which a point is on it, but for rounding.
        on_path: f64 = 0.1,
        /// Barrier parameter at the start of a path near given impulses. With values from 1e-2 to 1 seven stored problems of 1,492 to 1,567 contacts are solved, with 1e-4 four of them.
        warm_barrier: f64 = 0.1,
        /// Barrier parameter at which a point is first given to the proximal point method. With 1e-5 the seven stored problems take 1,863 factorisations together, with 1e-7 1,531.
        first_judged: f64 = 1e-7,
        /// Factor of the barrier parameter until the next such point.
        next_judged: f64 = 1e-2,
        /// Proximal problems of one such attempt.
        problems: usize = 10,
        /// Regularisation of the systems. With 1e-13 rounding decides the sign of the determinant where contacts are redundant: four problems of 1,492 to 1,567 contacts then take
        /// 460 to 2,500 steps with 130 to 720 turning points, with 1e-10 310 to 460 with 30 to 90.
        regularisation: f64 = 1e-10,
        /// Barrier parameter at which a path ends: rounding.
        final_barrier: f64 = 1e-13,
    }
}

settings! {
    /// Path following from a neighbouring problem that the current impulses solve.
    PathSettings {
        /// Pivots on one path; longer paths rarely reach the end.
        max_changes: usize = 48,
        /// How far τ may fall below its start, as a share of the length of the path.
        max_backtrack: f64 = 0.01,
        /// Changes between factorisations.
        changes_per_factorisation: usize = 24,
        /// Distance of a contact from the limits of its state at the start. With several contacts at their limits at once the
        /// first pivot would be undetermined.
        least_slack: f64 = 1e-9,
        /// An impulse within this of a limit is at it.
        impulse_rounding: f64 = 1e-12,
        /// Distance in velocities from the end at which a path has arrived: degenerate contacts there could cycle.
        end_distance: f64 = 1e-8,
    }
}

settings! {
    /// Lemke's method and dense active sets.
    PivotingSettings {
        /// Ratios that differ by less than this share of the scale are tied.
        tie: f64 = 1e-12,
        /// A rate below this share of the largest is zero.
        rate: f64 = 1e-9,
        /// Every other perturbed problem is solved with this instead of `rate`.
        careful_rate: f64 = 1e-12,
        /// Pivots between two checks of the updated inverse.
        check_every: usize = 16,
        /// Error of the updated inverse at which it is computed afresh.
        drift: f64 = 1e-11,
        /// z₀ below this share of q is zero: the basis solves the problem though z₀ has not left it.
        artificial: f64 = 1e-15,
        /// Pivot limit as a multiple of the unknowns, where this exceeds the limit of the row.
        pivots_per_unknown: usize = 10,
        /// Steps of Newton's method on dense active sets after Lemke's method.
        newton_steps: usize = 8,
        /// Relative perturbation of the operator in the last attempts.
        perturbation: f64 = 1e-10,
        /// A pivot below this share of the largest entry makes a dense matrix singular.
        singular: f64 = 1e-13,
        /// Regularisation of a singular active set; refinement takes its effect away.
        active_set_regularisation: f64 = 1e-9,
        /// Steps of this refinement.
        refinements: usize = 2,
    }
}

settings! {
    /// The impact law.
    ImpactLawSettings {
        /// An approach below this share of the fastest velocity is rounding.
        approach_rounding: f64 = 1e-13,
        /// Energy may grow by this share from rounding.
        energy_rounding: f64 = 1e-14,
        /// Rounds of the active mode in which one contact may be active. Between squeezed floes the rounds do not end, with
        /// impulses a little smaller each time; all contacts are then solved together.
        max_turns: usize = 4,
        /// Turns of a contact without any loss, for each contact of the impact. Energy depends on taking all rounds.
        lossless_turns_per_contact: usize = 100,
        /// Halvings of the restitution of an impact before it is dropped.
        restitution_halvings: usize = 20,
        /// The least share of the restitution tried in a fixed step before it is dropped.
        least_restitution_share: f64 = 0.125,
    }
}

settings! {
    /// Contacts that crush. Measured on 586 problems of 220 to 366 contacts from an ice pack that is pressed into a wedge, 33 of which were unsolved by the proximal point method alone.
    CrushingSettings {
        /// Proximal problems of one attempt.
        problems: usize = 150,
        /// Gauss–Seidel sweeps of an estimate.
        estimate_sweeps: usize = 100,
        /// The least ε. With less, factors lose the digits by which redundant contacts are told apart: of 164 problems all are solved with 1e-8, 3e-8 and 1e-7, with 3.4e10, 2.9e10 and 2.8e10 operations.
        least_regularisation: f64 = 3e-8,
        /// Refinements of a solution at most: each removes what its factors lost by rounding, and less where an active set is nearly singular.
        refinements: usize = 30,
        /// Errors of the equations that need no refinement: rounding, since impulses of scaled problems are some hundreds.
        refined: f64 = 1e-14,
        /// Factor by which a refinement must lower the errors, or it is the last.
        refinement_gain: f64 = 0.9,
        /// Share of the residual which the solution of a proximal problem must leave for its motion to be a drift.
        drift_residual: f64 = 0.5,
        /// Residual below which the end of a drift is always the next centre; above, only where the residual there is at most twice as large.
        drift_end: f64 = 1e-6,
        /// Changes of impulses below this share of the largest are rounding, not drift.
        drift_rounding: f64 = 1e-6,
        /// ε of a path from open contacts. Of 33 problems all paths with 1e-6 end at a solution, with 1e-7 two of three, with 1e-8 none: rounding.
        path_regularisation: f64 = 1e-6,
        /// Refinements on a path.
        path_refinements: usize = 1,
        /// Pivots of a path from open contacts, for each contact; those that end take 5 to 21.
        path_pivots_per_contact: usize = 20,
        /// Pivots of a path from a point; those that end take up to 294.
        path_pivots: usize = 300,
    }
}

settings! {
    /// The work and memory of one solve: a whole impact, or the bounds of one island. Once it is spent, what is left of the policy is skipped, and
    /// what comes out is the relaxation. An operation takes 0.1 to 0.4 ns.
    BudgetSettings {
        /// Operations, whatever the number of contacts. The hardest problem of the corpus takes 4e8, for 422 contacts.
        /// Grids of 378 contacts with friction 1 to 5 take up to 7e9.
        operations: f64 = 8e9,
        /// Operations for each contact, three times as many as any problem of the corpus of 200 contacts or more takes.
        operations_per_contact: f64 = 3e6,
        /// Operations of the last attempt, once the budget is spent: forty steps of the interior-point method for a thousand contacts.
        last_operations: f64 = 1e9,
        /// Blocks of the matrix, whatever the number of contacts: 40 bytes each, and a solve has five copies. Floes at thousands of metres a second
        /// had 75 million of them. Beyond, bodies are swept without a matrix.
        blocks: f64 = 1e6,
        /// Blocks for each contact; in a pack there are ten.
        blocks_per_contact: f64 = 100.0,
        /// Sweeps over bodies without a matrix.
        sweeps: usize = 30,
    }
}

settings! {
    /// Settings of the attempts after the policy, before a problem is called unsolved: double-double arithmetic, and the tree of states that proves frictional locking.
    /// Measured on 10,000 hard problems (the example `verdicts`).
    VerdictSettings {
        /// Error, as a share of the impact speed, at which refinement ends: two digits less than the approach that is allowed.
        refined: f64 = 1e-11,
        /// Regularisation of the first sparse factors, which refinement takes away. With less, rounding makes the impulses of redundant contacts of a jam grow without bound.
        redundant_regularisation: f64 = 1e-8,
        /// Regularisation where `redundant_regularisation` fails: small against mass ratios of 1e10.
        mass_regularisation: f64 = 1e-14,
        /// Regularisation of factors in double-double arithmetic, where `mass_regularisation` fails.
        dense_regularisation: f64 = 1e-18,
        /// Corrections with the factors of one active set.
        corrections: usize = 12,
        /// Active sets of Newton's method. Most problems need one to three.
        active_sets: usize = 24,
        /// Contacts up to which dense factors are made in double-double arithmetic: eighty take 40 ms.
        dense_contacts: usize = 80,
        /// Contacts up to which Lemke's method is used in double-double arithmetic: forty take a quarter of a second.
        lemke_contacts: usize = 40,
        /// Contacts up to which a tree of states is searched.
        locking_contacts: usize = 20,
        /// Nodes of such a tree: all of any tree of six contacts, which has up to 5461. Three stored problems of 9 to 19 contacts need 97, 5109 and 5545. A node of nineteen contacts takes 0.2 ms.
        locking_nodes: usize = 6000,
        /// Margin by which (W λ)·p must be below zero, in units of the scaled problem: more than rounding, so that the proof holds for the data as they are.
        locking_margin: f64 = 1e-9,
        /// A residual of the multipliers below which they may be a proof, and a load below which a body bears none.
        locking_residual: f64 = 1e-6,
        /// Natural map of impulses at a node, in units of the scaled problem, from which Newton's method may find a solution.
        locking_candidate: f64 = 1e-3,
    }
}

/// Every tolerance and limit of the solvers, and the policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverSettings {
    /// Which methods are tried for which problem, in which order.
    pub policy: Policy,
    /// Tolerances within which impulses count as a solution.
    pub accuracy: AccuracySettings,
    /// The proximal point method.
    pub proximal: ProximalSettings,
    /// Schedule of the proximal point method for a first attempt: large steps of ε.
    pub brisk: ProximalSchedule,
    /// Schedule of the proximal point method with path following.
    pub following: ProximalSchedule,
    /// Schedule of the proximal point method in small steps of ε.
    pub careful: ProximalSchedule,
    /// Schedule of the proximal point method for high friction.
    pub steady: ProximalSchedule,
    /// Schedule of the proximal point method for contacts that crush.
    pub crushing_warm: ProximalSchedule,
    /// Its schedule from the end of a path.
    pub crushing_pivoted: ProximalSchedule,
    /// The interior-point method.
    pub interior: InteriorSettings,
    /// Paths of the interior-point method to Coulomb's law, in the order in which they are tried. On problems of jams the first succeeds in two of
    /// three.
    pub interior_paths: [InteriorPath; INTERIOR_PATHS],
    /// The central path by arc length.
    pub central_path: CentralPathSettings,
    /// Barrier parameters at which half of the multiplier of a flank of the cone acts along the normal, one for each path in the order in which they are tried: no one solves all of
    /// eleven problems of 1,068 to 1,567 contacts, each is solved by one.
    pub central_paths: [f64; CENTRAL_PATHS],
    /// Path following.
    pub path: PathSettings,
    /// Lemke's method and dense active sets.
    pub pivoting: PivotingSettings,
    /// The impact law.
    pub impact: ImpactLawSettings,
    /// The work and memory of one solve.
    pub budget: BudgetSettings,
    /// Contacts that crush.
    pub crushing: CrushingSettings,
    /// Settings of the attempts after the policy.
    pub verdict: VerdictSettings,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl SolverSettings {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        policy: Policy::DEFAULT,
        accuracy: AccuracySettings::DEFAULT,
        proximal: ProximalSettings::DEFAULT,
        brisk: ProximalSchedule::DEFAULT,
        following: ProximalSchedule::FOLLOWING,
        careful: ProximalSchedule::CAREFUL,
        steady: ProximalSchedule::STEADY,
        crushing_warm: ProximalSchedule::CRUSHING_WARM,
        crushing_pivoted: ProximalSchedule::CRUSHING_PIVOTED,
        interior: InteriorSettings::DEFAULT,
        interior_paths: [
            InteriorPath::DEFAULT,
            InteriorPath {
                coulomb_below: 3e-3,
                centering_exponent: 3,
            },
            InteriorPath {
                coulomb_below: 1e-2,
                centering_exponent: 3,
            },
            InteriorPath {
                coulomb_below: 3e-2,
                centering_exponent: 2,
            },
        ],
        central_path: CentralPathSettings::DEFAULT,
        central_paths: [1e-2, 1e-4, 1e-5],
        path: PathSettings::DEFAULT,
        pivoting: PivotingSettings::DEFAULT,
        impact: ImpactLawSettings::DEFAULT,
        budget: BudgetSettings::DEFAULT,
        crushing: CrushingSettings::DEFAULT,
        verdict: VerdictSettings::DEFAULT,
    };

    /// Shows every constant with its name, to read or to change it. The tables of the policy are not among them.
    pub fn visit(&mut self, mut visit: impl FnMut(&str, Constant<'_>)) {
        let visit = &mut visit;
        self.accuracy.visit("accuracy", visit);
        self.proximal.visit("proximal", visit);
        self.brisk.visit("brisk", visit);
        self.following.visit("following", visit);
        self.careful.visit("careful", visit);
        self.steady.visit("steady", visit);
        self.crushing_warm.visit("crushing_warm", visit);
        self.crushing_pivoted.visit("crushing_pivoted", visit);
        self.interior.visit("interior", visit);
        for (index, path) in self.interior_paths.iter_mut().enumerate() {
            path.visit(&format!("interior_paths[{index}]"), visit);
        }
        self.central_path.visit("central_path", visit);
        for (index, path) in self.central_paths.iter_mut().enumerate() {
            visit(&format!("central_paths[{index}]"), path.into());
        }
        self.path.visit("path", visit);
        self.pivoting.visit("pivoting", visit);
        self.impact.visit("impact", visit);
        self.budget.visit("budget", visit);
        self.crushing.visit("crushing", visit);
        self.verdict.visit("verdict", visit);
    }
}
