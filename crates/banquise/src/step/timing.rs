//! Times of the stages of a step.

/// The stages of a step, for timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Broad and narrow phase.
    Search,
    /// Impacts at the start of the step, or the contact problems of a fixed step.
    Collide,
    /// Events within the step, with local time stepping; else the length of the step.
    Events,
    /// Loads of wind, water and given forces.
    Forcing,
    /// New velocities and positions.
    Integrate,
    /// The coupled ocean.
    OceanLayer,
    /// Floes that leave and enter.
    Topology,
    /// Checks of the result.
    Finish,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 8] = [
        Self::Search,
        Self::Collide,
        Self::Events,
        Self::Forcing,
        Self::Integrate,
        Self::OceanLayer,
        Self::Topology,
        Self::Finish,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Collide => "collide",
            Self::Events => "events",
            Self::Forcing => "forcing",
            Self::Integrate => "integrate",
            Self::OceanLayer => "ocean_layer",
            Self::Topology => "topology",
            Self::Finish => "finish",
        }
    }
}

/// Parts of [`Stage::Events`], which repeats stages of a whole step for some floes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventPart {
    /// The event queue, and queries of pairs.
    Query,
    /// Forces on floes up to the time of an impact.
    Forcing,
    /// Impacts.
    Solve,
}

impl EventPart {
    /// All parts, in order.
    pub const ALL: [Self; 3] = [Self::Query, Self::Forcing, Self::Solve];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "events.query",
            Self::Forcing => "events.forcing",
            Self::Solve => "events.solve",
        }
    }
}

/// A clock for the stages of a step, which has none of its own.
pub trait StageTimer {
    /// A stage starts; the one before it, if any, ends.
    fn start(&mut self, stage: Stage);
    /// A part of the events starts; the one before it, if any, ends. Parts end with their stage.
    fn start_part(&mut self, part: EventPart);
    /// The last stage of a step ends.
    fn stop(&mut self);
}

/// A timer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTimer;

impl StageTimer for NoTimer {
    fn start(&mut self, _stage: Stage) {}
    fn start_part(&mut self, _part: EventPart) {}
    fn stop(&mut self) {}
}
