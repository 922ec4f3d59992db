//! From a scenario to a simulation ready to run: the keys a scenario may have, and what they mean.
//!
//! Two steps. [`Plan::parse`] turns the text into values: each table of the file has its function here, every problem
//! is collected with its place, and only a plan without a problem is returned; no world and no pack is made.
//! [`Plan::build`] makes the world of these values, and checks what only the whole world can tell.

mod bodies;
mod body_list;
mod build;
mod channel;
mod checks;
mod contact;
mod contact_law;
mod discs;
mod edges;
mod error;
mod files;
mod forces;
mod forcing;
mod fracture;
mod gridded;
mod import;
mod lines;
mod ocean;
mod ocean_layer;
mod outlines;
mod pack;
mod pack_build;
mod pack_plan;
mod paths;
mod patterns;
mod placed;
mod plausible;
mod shape;
mod site;
mod sources;
mod tables;
mod tides;
mod waves;
mod weather;
mod weather_values;

use std::path::Path;

use banquise::{ContactLaw, ContactSettings, Domain, FractureSettings, ProjectionMethod, Source};

pub use body_list::PlannedBody;
pub use build::PreparedRun;
pub use error::PlanError;
pub use pack_build::MadePack;
pub use pack_plan::PackPlan;

use forcing::ForcingPlan;
use pack::PackTable;
use site::Site;
use sources::RunTimes;
use tables::{TimePlan, decode_domain, decode_origin, decode_report, decode_time};
use weather_values::WeatherContext;

use crate::geography::LocalFrame;
use crate::recording::ReportSettings;
use crate::scenario::{
    Document, ProblemKind, Problems, ScenarioError, ScenarioInput, Sources, TableReader,
};
use crate::weather::calendar::DateTime;

/// The values of a scenario, before the world is built.
#[derive(Debug)]
pub struct Plan {
    /// Title, from the scenario or its file name.
    pub title: String,
    /// One line for lists of scenarios.
    pub summary: String,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
    /// The edges of the world.
    pub domain: Domain,
    /// The bodies that the scenario lists, without those of a pack.
    pub bodies: Vec<PlannedBody>,
    /// Settings of contact.
    pub contact: ContactSettings,
    /// Settings of fracture; `None` where floes do not break.
    pub fracture: Option<FractureSettings>,
    /// Point where the plane touches the Earth; `None` where the scenario gives none.
    pub origin: Option<LocalFrame>,
    /// Settings of the report.
    pub report: ReportSettings,
    /// Notices for the user that are not errors.
    pub notices: Vec<String>,
    /// Sources at which floes enter.
    pub sources: Vec<Source>,
    time: TimePlan,
    pack: Option<PackTable>,
    forcing: ForcingPlan,
    /// The texts, for problems that show when the world is made, and for the record.
    texts: Sources,
}

impl Plan {
    /// Reads a scenario file, with overrides like `time.duration="2 d"`.
    ///
    /// # Errors
    /// All problems of the file, with their places.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ScenarioError> {
        Self::of(&ScenarioInput::read(path)?, overrides)
    }

    /// Reads the text of a scenario; files it names are looked for in `folder`.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn parse(
        name: &str,
        text: &str,
        overrides: &[String],
        folder: &Path,
    ) -> Result<Self, ScenarioError> {
        Self::of(&ScenarioInput::of_text(name, text, folder), overrides)
    }

    /// The values of a scenario that was read.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn of(input: &ScenarioInput, overrides: &[String]) -> Result<Self, ScenarioError> {
        let document = Document::of(input, overrides)?;
        let problems = Problems::default();
        let plan = decode_root(&document, &problems, &input.name, &input.folder);
        let plan = document.conclude(plan, problems)?;
        Ok(plan.expect("a scenario without a problem gives a plan"))
    }

    /// Duration of the run \[s\].
    pub fn duration(&self) -> f64 {
        self.time.duration.value
    }

    /// The longest step \[s\].
    pub fn step(&self) -> f64 {
        self.time.step.value
    }

    /// The text of the scenario, as it was read.
    pub fn text(&self) -> &str {
        self.texts.scenario()
    }
}

pub(crate) fn decode_root(
    document: &Document,
    problems: &Problems,
    name: &str,
    folder: &Path,
) -> Option<Plan> {
    let root = TableReader::root(document, problems);
    let title = root.optional("title").text().or(name).to_owned();
    let summary = root.optional("summary").text().or("").to_owned();
    let seed = root.optional("seed").integer().non_negative().or(1) as u64;
    let time = root
        .required_like(
            "time",
            "a table `[time]` with `duration = \"2 d\"` and `step = \"10 s\"`",
        )
        .table()
        .and_then(|table| decode_time(table));
    let origin = decode_origin(&root);
    let domain = root.optional("domain");
    let domain = if domain.is_present() {
        domain.table().and_then(decode_domain)
    } else {
        Some(Domain::Free)
    };
    let end = time.as_ref().map(|time| time.duration);
    let duration = end.map(|end| end.value);
    // Bodies are read without their domain too, for the problems they may have of their own.
    let mut contact = contact::decode(&root);
    let fracture = fracture::decode(&root);
    let law = contact.settings.law;
    if fracture.is_some() && !matches!(law, ContactLaw::Coulomb | ContactLaw::Bonded(_)) {
        let kind = ProblemKind::Conflict {
            first: "fracture".to_owned(),
            second: "contact.law".to_owned(),
        };
        let hint = "floes break with `law = \"coulomb\"` and `law = \"bonded\"`";
        root.optional("fracture").report_with_hint(kind, hint);
    }
    if let (Some(time), ProjectionMethod::Uzawa { tolerance, .. }) =
        (&time, &mut contact.settings.projection.method)
    {
        // A length in the scenario, and a velocity in the solver.
        *tolerance /= time.step.value;
    }
    let site = Site { folder, origin };
    let bodies = bodies::decode(
        &root,
        domain.unwrap_or(Domain::Free),
        contact.material,
        seed,
        site,
    );
    let bodies = bodies.filter(|_| domain.is_some());
    if bodies.is_none() {
        // What a pack may be depends on the bodies: its table is known, and not looked at.
        drop(root.optional("pack"));
        drop(root.optional("source"));
    }
    let pack = bodies
        .as_ref()
        .and_then(|bodies| pack::decode(&root, bodies, seed, folder).ok());
    let step = time.as_ref().map(|time| time.step.value);
    let times = RunTimes { step, duration };
    let sources = bodies
        .as_ref()
        .map(|bodies| sources::decode(&root, bodies, times, folder));
    let start = time.as_ref().and_then(|time| time.start.as_deref());
    let context = WeatherContext {
        duration,
        start: start.and_then(DateTime::parse),
        origin,
        period: match domain {
            Some(Domain::Periodic(rectangle)) => Some(rectangle),
            _ => None,
        },
        folder,
    };
    let forcing = forcing::decode(&root, bodies.as_ref(), context, (seed, step));
    let (report, notices) = decode_report(&root, end, contact.settings.integrator);
    contact.settings.log = report.collisions;
    root.finish();
    Some(Plan {
        title,
        summary,
        seed,
        domain: domain?,
        bodies: bodies?.bodies,
        contact: contact.settings,
        fracture,
        origin,
        report,
        notices,
        sources: sources?,
        time: time?,
        pack: pack?,
        forcing: forcing?,
        texts: document.sources().clone(),
    })
}
