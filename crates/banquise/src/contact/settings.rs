//! Settings of contact.

use banquise_geometry::math::pow;
use banquise_solver::{Cone, ImpactSettings, Mode, ProjectionSettings, SolverSettings};

use super::capture::Capture;
use super::films::LubricationForce;
use super::law::{ContactLaw, SolidContact};

/// Collision distance: two bodies closer than this are in contact.
///
/// A floe of area A has a collision distance η = √A/100 (Rabatel 2015, section 2.1.3); an obstacle has
/// none of its own and takes that of the floe.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CollisionDistance {
    /// The smaller of the two: contacts are where bodies are closest.
    #[default]
    Smaller,
    /// The larger of the two.
    Larger,
    /// One distance for all pairs \[m\].
    Fixed(f64),
}

impl CollisionDistance {
    /// The distance of all pairs \[m\], where there is one.
    pub(crate) fn fixed(self) -> Option<f64> {
        match self {
            Self::Fixed(distance) => Some(distance),
            Self::Smaller | Self::Larger => None,
        }
    }

    /// Collision distance of a pair, given those of its two bodies \[m\], which is infinite for an obstacle.
    pub(crate) fn of_pair(self, first: f64, second: f64) -> f64 {
        match self {
            Self::Fixed(distance) => distance,
            Self::Larger if first.is_finite() && second.is_finite() => first.max(second),
            Self::Smaller | Self::Larger => first.min(second),
        }
    }
}

/// Time integrator of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integrator {
    /// Event-driven: a body moves freely until it may touch another, and impacts are solved when they happen.
    #[default]
    Event,
    /// Fixed-step (time-stepping): all contacts that would happen within a step are solved at its start. For large packs and long runs.
    Stepping,
}

/// Reach of the search for contact candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchReach {
    /// As far as bodies may go within their margins: there is no other query before the end of the step.
    Margins,
    /// As far as margins reach when every body may reach the maximum speed, for fixed steps.
    Fastest,
    /// As far as bodies go with their velocities, or less: a pair that needs more is queried again.
    Velocities,
}

/// Rule for the length of a step, within which bodies keep their velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepRule {
    /// The guaranteed step bound (conservative advancement): no two bodies can touch within it.
    #[default]
    Guaranteed,
    /// A step bound that neglects rotation; where the exact test at the end of the step finds an overlap, the step is
    /// repeated with the guaranteed bound (Rabatel 2015, section 2.1.5). A thin body may be passed through between two tests.
    Optimistic,
}

/// The thresholds of contact: lengths are shares of the collision distance of a pair unless they have a unit.
///
/// None of them is a physical quantity. The defaults are for floes from metres to tens of kilometres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactThresholds {
    /// Gap at which a body that approaches has entered the contact zone [–]: a step ends there. Below one, or rounding
    /// would leave it outside, and the next step would be a sliver.
    pub entry_gap: f64,
    /// Share of its own gap that a pair in contact keeps over an event-driven step [–]: halving it takes tens of steps to
    /// matter, and pushing apart comes long before.
    pub kept_gap_share: f64,
    /// Gap that a fixed step keeps [–]: half, so that there is room for rotation, which its linear bounds neglect.
    pub fixed_kept_gap: f64,
    /// Largest allowance of a fixed step for rotation [–]; with `fixed_kept_gap` less than one, so that bodies in the contact
    /// zone are not pushed.
    pub max_turning_gap: f64,
    /// Bodies closer than this are pushed apart by the event-driven integrator [–]; impacts alone never bring them there,
    /// since they stop at `entry_gap`.
    pub event_push_apart_gap: f64,
    /// Bodies closer than this are pushed apart in a fixed step [–]; larger than for events, since rotation takes gap at
    /// every step.
    pub fixed_push_apart_gap: f64,
    /// Bodies closer than this are pushed apart in a fixed step without friction, where the solution with friction keeps them together [–]: rounding of
    /// their velocities would let the step shrink to nothing. Steps of jams leave them a hundred times as much.
    pub lost_gap: f64,
    /// Bodies closer than `lost_gap` whose velocities after a solve are all below this share of what the impulses could give them are at rest [–]:
    /// ten times the tolerance of the solver for a jam.
    pub settled_share: f64,
    /// Time in which the event-driven integrator opens the gap \[s\]: a millimetre a second for a collision distance of 20 mm,
    /// whose energy is negligible beside that of drift.
    pub push_apart_time: f64,
    /// Bodies are pushed apart no faster than this [m/s]: floes of 20 km that lie against a wall at the start would be thrown
    /// off it at 10 m/s.
    pub max_push_apart_speed: f64,
    /// Share of its target that a separation velocity must reach [–]: less is pushed again, and rounding is not.
    pub separation_reached_share: f64,
    /// Share of an approach that the forces of the last step must have given for it to be no impact [–].
    pub pressed_share: f64,
    /// Contacts of an island beyond which an impact among floes at rest is solved with all contacts at once. In the active mode
    /// the impulse travels between floes at rest without end, in 677 of 683 such islands of a pack.
    pub jam_contacts: usize,
    /// Rounds of a fixed step in which contacts may be added. Contacts that would be added later are not solved, and the step is shortened.
    pub fixed_rounds: usize,
    /// A normal velocity this close to its bound does not violate it, as a share of the speed of the fastest body [–]: a
    /// hundred times the tolerance of the solver.
    pub bound_tolerance: f64,
    /// Islands from which a fixed step solves them on all threads: fewer are solved before a thread wakes.
    pub parallel_islands: usize,
    /// Touching bodies still touch, for the count of collisions, while their gap is below this [–]: a floe that jitters at the
    /// edge of the contact zone has not separated.
    pub separated_gap: f64,
    /// A body may move by this many times what its speed gives in the longest step, and by as many collision distances, before
    /// the search is out of date [–]: an impact may make it faster.
    pub search_margin: f64,
    /// Fat boxes of the bounding-volume hierarchy stick out by this share of the radius of the body [–], and by
    /// `fat_box_margins` of its search margins: they hold for some tens of steps, while pairs that are far apart stay few.
    pub fat_box_radius_share: f64,
    /// Margin of fat boxes, as a multiple of the search margin of the body [–].
    pub fat_box_margins: f64,
    /// Closest features are cached for pairs that move by less than this share of the reach between two queries [–]: to find
    /// them takes as long as some queries.
    pub cached_motion_share: f64,
    /// Rigid floes between kinematic bodies that close on each other are locked where one leaves faster than this many times the closing speed plus the largest speed before [–].
    /// Faces at an angle θ throw floes out at 1/θ times the closing speed: at a tenth ice would be crushed first. In 51,729 problems of a hundred presses of floes in a
    /// wedge 99.9 % are below 1.8, and 2 above 10.
    pub squeezed_escape_ratio: f64,
    /// They are locked too where the normal impulses on the kinematic bodies exceed this many times their mass times these speeds [–]: friction nearly locks them. In the same problems 99.5 % are below 4,
    /// and 62 above 30.
    pub squeezed_impulse_ratio: f64,
}

impl Default for ContactThresholds {
    fn default() -> Self {
        Self {
            entry_gap: 0.9,
            kept_gap_share: 0.5,
            fixed_kept_gap: 0.5,
            max_turning_gap: 0.4,
            event_push_apart_gap: 0.02,
            fixed_push_apart_gap: 0.25,
            lost_gap: 1e-4,
            settled_share: 1e-7,
            push_apart_time: 0.5,
            max_push_apart_speed: 0.01,
            separation_reached_share: 0.999,
            pressed_share: 0.5,
            jam_contacts: 20,
            fixed_rounds: 30,
            bound_tolerance: 1e-7,
            parallel_islands: 16,
            separated_gap: 2.0,
            search_margin: 2.0,
            fat_box_radius_share: 0.05,
            fat_box_margins: 1.0,
            cached_motion_share: 0.2,
            squeezed_escape_ratio: 10.0,
            squeezed_impulse_ratio: 30.0,
        }
    }
}

/// Policy for friction problems without a solution within tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUnsolved {
    /// The run goes on with the convex relaxation, which keeps bodies apart and adds no energy. It is counted.
    #[default]
    Continue,
    /// The step fails.
    Stop,
}

/// Policy for floes that are squeezed between kinematic bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Squeeze {
    /// The step fails.
    #[default]
    Stop,
    /// The floes are crushed where they touch.
    Crush(CrushingPressure),
}

impl Squeeze {
    /// Crushing pressure of the ice; `None` where ice is not crushed.
    pub(crate) fn pressure(self) -> Option<CrushingPressure> {
        match self {
            Self::Stop => None,
            Self::Crush(pressure) => Some(pressure),
        }
    }
}

/// Crushing pressure of the ice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CrushingPressure {
    /// One pressure for all ice \[Pa\].
    Constant(f64),
    /// Pressure of ISO 19906 (2010, A.8.2.4.3) for ice of thickness h over a width w: C (w/h)^−0.16 (h/1 m)^n with n = −0.5 + h/5 up to a
    /// thickness of 1 m and −0.3 beyond.
    Iso19906 {
        /// The strength C \[Pa\]: 2.8e6 for Arctic ice, 2.4e6 for subarctic and 1.8e6 for temperate ice.
        strength: f64,
    },
}

/// Pressure of ISO 19906 for Arctic ice 1 m thick over a width of 50 m: 2.8e6 × 50^−0.16 = 1.50e6 pascals.
impl Default for CrushingPressure {
    fn default() -> Self {
        Self::Constant(1.5e6)
    }
}

impl CrushingPressure {
    /// Crushing pressure of ice of this thickness over this width \[m\], in pascals. Where the width is less than the thickness, it is that of a square.
    pub fn of(self, thickness: f64, width: f64) -> f64 {
        match self {
            Self::Constant(pressure) => pressure,
            Self::Iso19906 { strength } => {
                let exponent = if thickness < 1.0 {
                    -0.5 + thickness / 5.0
                } else {
                    -0.3
                };
                let aspect = (width / thickness).max(1.0);
                strength * pow(aspect, -0.16) * pow(thickness, exponent)
            }
        }
    }
}

/// What the log of collisions keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CollisionLogSettings {
    /// Keeps every so many rows, of those that the other settings leave.
    pub every: u64,
    /// Leaves out contacts that approached more slowly [m/s].
    pub min_approach_speed: f64,
    /// Leaves out contacts with a smaller normal impulse [N s].
    pub min_impulse: f64,
    /// Keeps rows of contacts that last, beside those of collisions.
    pub sustained: bool,
    /// Largest number of rows: later ones are counted and left out.
    pub max_rows: u64,
}

impl Default for CollisionLogSettings {
    /// Everything, up to a million rows: 90 MB in the dataset, as much again as CSV, and a table that other programs still open at once.
    fn default() -> Self {
        Self {
            every: 1,
            min_approach_speed: f64::NEG_INFINITY,
            min_impulse: 0.0,
            sustained: true,
            max_rows: 1_000_000,
        }
    }
}

/// Settings of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSettings {
    /// Time integrator of contacts.
    pub integrator: Integrator,
    /// Law of contact; other than Coulomb's with the fixed-step integrator alone.
    pub law: ContactLaw,
    /// Whether contacts that stick resist sliding and rolling: tangential lubrication of discs.
    pub tangential_lubrication: bool,
    /// The explicit force of normal lubrication between discs; with the laws without friction alone.
    pub lubrication_force: Option<LubricationForce>,
    /// Solid contact of the laws other than Coulomb's, along the tangent; always [`SolidContact::Roll`] between floes that can freeze together.
    pub solid: SolidContact,
    /// Rule for the collision distance.
    pub distance: CollisionDistance,
    /// Which contacts are solved together.
    pub mode: Mode,
    /// Friction cone of the decompression phase.
    pub cone: Cone,
    /// Contacts that approach more slowly than this are ignored [m/s].
    ///
    /// The source compares this velocity with a distance (η/50); here it is a velocity, and zero
    /// unless asked for.
    pub slack_velocity: f64,
    /// Rule for the length of a step.
    pub step_rule: StepRule,
    /// Whether impacts within a step are events of the floes concerned (local time stepping); else the common step ends
    /// before any two bodies can touch. Only with [`StepRule::Guaranteed`].
    pub local_time: bool,
    /// Policy for friction problems without a solution.
    pub on_unsolved: OnUnsolved,
    /// Policy for squeezed floes.
    pub squeeze: Squeeze,
    /// Which contact problems are kept for the report of the step. It changes no result.
    pub capture: Capture,
    /// What the log of collisions keeps; `None` for no log. It changes no result.
    pub log: Option<CollisionLogSettings>,
    /// Thresholds.
    pub thresholds: ContactThresholds,
    /// Tolerances, limits and policy of the contact solvers.
    pub solver: SolverSettings,
    /// Method of the laws other than Coulomb's.
    pub projection: ProjectionSettings,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            integrator: Integrator::default(),
            law: ContactLaw::default(),
            tangential_lubrication: false,
            lubrication_force: None,
            solid: SolidContact::default(),
            distance: CollisionDistance::default(),
            mode: Mode::default(),
            cone: Cone::default(),
            slack_velocity: 0.0,
            step_rule: StepRule::default(),
            local_time: true,
            on_unsolved: OnUnsolved::default(),
            squeeze: Squeeze::default(),
            capture: Capture::default(),
            log: None,
            thresholds: ContactThresholds::default(),
            solver: SolverSettings::DEFAULT,
            projection: ProjectionSettings::DEFAULT,
        }
    }
}

impl ContactSettings {
    /// Whether the step uses local time stepping.
    pub(crate) fn has_local_time(&self) -> bool {
        let is_event = self.integrator == Integrator::Event;
        is_event && self.local_time && self.step_rule == StepRule::Guaranteed
    }

    /// What the explicit force adds to the reach of each body \[m\].
    pub(crate) fn lubrication_reach(&self) -> f64 {
        self.lubrication_force
            .map_or(0.0, |force| 0.5 * force.reference_gap)
    }

    /// Reach of the search for contact candidates.
    pub(crate) fn search_reach(&self) -> SearchReach {
        match self.integrator {
            Integrator::Stepping => SearchReach::Fastest,
            Integrator::Event if self.has_local_time() => SearchReach::Velocities,
            Integrator::Event => SearchReach::Margins,
        }
    }

    /// What solid contact does along the tangent.
    pub(crate) fn solid_contact(&self) -> SolidContact {
        match self.law {
            ContactLaw::Bonded(_) => SolidContact::Roll,
            _ => self.solid,
        }
    }

    pub(crate) fn impact(&self) -> ImpactSettings {
        ImpactSettings {
            mode: self.mode,
            cone: self.cone,
            slack_velocity: self.slack_velocity,
        }
    }
}
