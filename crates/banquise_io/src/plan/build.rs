//! From values to a world: bodies in their places, the pack made, forcing bound to them, and what only the whole can tell
//! checked.

use banquise::pack::Watch;
use banquise::{BodyForce, BodyId, RunState, Simulation, StepSettings, World};

use super::Plan;
use super::checks::{check_fields, check_simulation};
use super::forces::ForcePlan;
use super::forcing::ForcingPlan;
use super::lines;
use super::pack::PackTable;
use super::pack_build::{self, MadePack};
use super::placed::PlacedBodies;
use super::plausible;
use super::tables::TimePlan;
use crate::geography::LocalFrame;
use crate::recording::ReportSettings;
use crate::scenario::{Problems, ScenarioError};

/// A run ready to start.
#[derive(Debug)]
pub struct PreparedRun {
    /// Title, from the scenario or its file name.
    pub title: String,
    /// One line for lists of scenarios.
    pub summary: String,
    /// The world, its forcing and its settings.
    pub simulation: Simulation,
    /// Duration of the run \[s\].
    pub duration: f64,
    /// Time between records \[s\].
    pub record_every: f64,
    /// Date of time zero, like `2008-02-01 00:00:00`.
    pub start: Option<String>,
    /// Point where the plane touches the Earth; `None` where the scenario gives none.
    pub origin: Option<LocalFrame>,
    /// Settings of the report.
    pub report: ReportSettings,
    /// The pack that was made for it.
    pub pack: Option<MadePack>,
    /// Notices for the user that are not errors.
    pub notices: Vec<String>,
    /// The text of the scenario: the very one that all this was made of.
    pub scenario: String,
    /// The overrides that were laid over it.
    pub overrides: Vec<String>,
}

impl Plan {
    /// Makes the world: adds the bodies, makes the pack, and checks what only the whole can tell, such as the stable step
    /// and bodies in each other's way.
    ///
    /// # Errors
    /// All problems that are left, with their places in the text.
    pub fn build(self) -> Result<PreparedRun, ScenarioError> {
        self.build_watched(&mut |_, _| {})
    }

    /// Makes the world as [`Plan::build`] does, with `watch` told how the making of a pack goes on.
    ///
    /// # Errors
    /// As [`Plan::build`].
    pub fn build_watched(self, watch: &mut Watch<'_>) -> Result<PreparedRun, ScenarioError> {
        let Self {
            title,
            summary,
            seed,
            domain,
            bodies,
            contact,
            fracture,
            origin,
            report,
            mut notices,
            sources,
            time,
            pack,
            forcing,
            texts,
        } = self;
        let problems = Problems::default();
        let mut world = World::new(domain, seed);
        world.sources = sources;
        let placed = PlacedBodies::of(world, bodies, &problems);
        let filled = placed.and_then(|placed| fill(placed, pack, &problems, watch));
        let ready = filled.and_then(|(placed, pack)| {
            let settings = StepSettings {
                scheme: time.scheme,
                contact,
                fracture,
                ..StepSettings::default()
            };
            let simulation = drive(placed, forcing, &settings, &time, &problems)?;
            Some((simulation, pack))
        });
        match ready {
            Some((simulation, pack)) if problems.is_empty() => Ok(PreparedRun {
                notices: {
                    notices.extend(plausible::notices(&simulation, time.duration.value));
                    notices.extend(plausible::short_records(&simulation, time.record_every));
                    notices
                },
                title,
                summary,
                simulation,
                duration: time.duration.value,
                record_every: time.record_every,
                start: time.start,
                origin,
                report,
                pack,
                overrides: texts.overrides(),
                scenario: texts.scenario().to_owned(),
            }),
            _ => {
                assert!(!problems.is_empty(), "a world without a problem is built");
                Err(ScenarioError::new(texts, problems.into_list()))
            }
        }
    }
}

impl Plan {
    /// A run that goes on from a state that was stored, instead of the world that the scenario describes: no pack is made.
    pub fn resume(self, state: RunState) -> PreparedRun {
        let settings = StepSettings {
            scheme: self.time.scheme,
            contact: self.contact,
            fracture: self.fracture,
            ..StepSettings::default()
        };
        let step = self.time.step.value;
        PreparedRun {
            simulation: Simulation::resumed(state, self.forcing.forcing, settings, step),
            title: self.title,
            summary: self.summary,
            duration: self.time.duration.value,
            record_every: self.time.record_every,
            start: self.time.start,
            origin: self.origin,
            report: self.report,
            pack: None,
            notices: self.notices,
            overrides: self.texts.overrides(),
            scenario: self.texts.scenario().to_owned(),
        }
    }
}

/// Adds the pack, if there is one.
fn fill(
    mut placed: PlacedBodies,
    pack: Option<PackTable>,
    problems: &Problems,
    watch: &mut Watch<'_>,
) -> Option<(PlacedBodies, Option<MadePack>)> {
    let made = match pack {
        Some(table) => pack_build::build(table, &mut placed, problems, watch).ok()?,
        None => None,
    };
    Some((placed, made))
}

/// Binds the forcing to the bodies, and checks what only the whole can tell.
fn drive(
    placed: PlacedBodies,
    plan: ForcingPlan,
    settings: &StepSettings,
    time: &TimePlan,
    problems: &Problems,
) -> Option<Simulation> {
    let mut forcing = plan.forcing;
    if let Some(layer) = plan.ocean_layer {
        let slab = layer.build(&placed.world);
        let slab = slab.map_err(|error| problems.push(error.at("the ocean layer", layer.span)));
        forcing.slab_ocean = Some(slab.ok()?);
    }
    let forces = plan.body_forces.iter();
    forcing.body_forces = forces.map(|force| bound(force, &placed.world)).collect();
    let mut world = placed.world;
    for line in &plan.lines {
        let line = line.build(&world, problems);
        world.lines.push(line);
    }
    let added_mass = forcing.waves.as_ref().map_or(0.0, |waves| waves.added_mass);
    lines::check_step(&world, added_mass, time.step.value, &plan.lines, problems);
    let simulation = Simulation::new(world, forcing, *settings, time.step.value);
    check_fields(&simulation, plan.field_spans, &plan.tide_spans, problems);
    check_simulation(&simulation, time, &placed.spans, problems);
    Some(simulation)
}

/// The force on the floes of its names.
fn bound(plan: &ForcePlan, world: &World) -> BodyForce {
    let id = |name: &String| -> BodyId {
        let row = world.bodies.names().iter().position(|known| known == name);
        world.bodies.ids()[row.expect("names of floes were looked up when they were read")]
    };
    BodyForce {
        bodies: plan.floes.iter().map(id).collect(),
        ..plan.force.clone()
    }
}
