//! Bodies in their world.

use banquise::{BodyError, World};

use super::body_list::PlannedBody;
use crate::scenario::{Problem, ProblemKind, Problems, Span};

/// The world with its bodies, and where each is written.
pub(super) struct PlacedBodies {
    pub(super) world: World,
    pub(super) spans: Vec<Span>,
}

impl PlacedBodies {
    /// The bodies in the world; nothing if some are refused, all of which are reported, once for each table.
    pub(super) fn of(world: World, bodies: Vec<PlannedBody>, problems: &Problems) -> Option<Self> {
        let mut placed = Self {
            world,
            spans: Vec::with_capacity(bodies.len()),
        };
        let mut refused = None;
        for body in bodies {
            let span = body.span;
            if refused != Some(span) && placed.add(body, problems).is_none() {
                refused = Some(span);
            }
        }
        refused.is_none().then_some(placed)
    }

    /// Adds a body to the world; its refusal is reported.
    pub(super) fn add(&mut self, body: PlannedBody, problems: &Problems) -> Option<()> {
        let PlannedBody { spec, path, span } = body;
        let added = match path {
            Some(path) => self.world.add_on_path(spec, &path),
            None => self.world.add(spec),
        };
        match added {
            Ok(_) => {
                self.spans.push(span);
                Some(())
            }
            Err(error) => {
                problems.push(rejected_body(error, span));
                None
            }
        }
    }
}

fn rejected_body(error: BodyError, span: Span) -> Problem {
    let hint = match &error {
        BodyError::Geometry(error) => error.hint().to_owned(),
        BodyError::NotPositive { .. } | BodyError::NotFinite { .. } => {
            "look at the body's size, thickness and mass".to_owned()
        }
        BodyError::WiderThanCell { .. } => "enlarge `domain.size`".to_owned(),
        BodyError::Unknown { .. } => "name a body that is in the world".to_owned(),
        BodyError::NotAFloe { .. } => "name a floe".to_owned(),
    };
    let kind = ProblemKind::Rejected {
        what: "this body",
        hint: Some(hint),
        source: error.into(),
    };
    Problem::new(kind, span)
}
