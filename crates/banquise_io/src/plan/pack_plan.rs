//! A pack without a run: what `banquise pack` reads.

use std::path::Path;

use banquise::pack::Watch;
use banquise::{Domain, World};

use super::body_list::BodyList;
use super::checks::check_meetings;
use super::pack::{PackSource, PackTable};
use super::pack_build::MadePack;
use super::placed::PlacedBodies;
use super::site::Site;
use super::tables::{decode_domain, decode_origin};
use super::{bodies, contact, pack, pack_build};
use crate::scenario::{
    Document, Problem, ProblemKind, Problems, ScenarioError, ScenarioInput, TableReader,
};

/// Keys of a scenario that say nothing about a pack: they are for `run` to read.
const OTHER_KEYS: [&str; 13] = [
    "time",
    "drag",
    "coriolis",
    "ocean",
    "ocean_layer",
    "tide",
    "fracture",
    "source",
    "wind",
    "current",
    "force",
    "report",
    "summary",
];

/// A pack, and the bodies it was made round.
#[derive(Debug)]
pub struct PackPlan {
    /// Title, from the file or its name.
    pub title: String,
    /// The pack.
    pub made: MadePack,
    /// All bodies, those of the pack last.
    pub world: World,
}

impl PackPlan {
    /// Makes the pack of a scenario file, which needs no more than `[domain]` and `[pack]`; `watch` is
    /// told how it goes on.
    ///
    /// # Errors
    /// All problems of the file, with their places.
    pub fn read(
        path: &Path,
        overrides: &[String],
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        Self::of(&ScenarioInput::read(path)?, overrides, watch)
    }

    /// Makes the pack of the text of a scenario.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn parse(
        name: &str,
        text: &str,
        overrides: &[String],
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        let input = ScenarioInput::of_text(name, text, Path::new(""));
        Self::of(&input, overrides, watch)
    }

    fn of(
        input: &ScenarioInput,
        overrides: &[String],
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        let document = Document::of(input, overrides)?;
        let problems = Problems::default();
        let values = decode_root(&document, &problems, &input.name, &input.folder);
        let plan = values
            .filter(|_| problems.is_empty())
            .and_then(|values| build(values, &problems, watch));
        let plan = document.conclude(plan, problems)?;
        Ok(plan.expect("a file without a problem gives a pack"))
    }
}

/// Values of the file for the pack and for the bodies round which it is made.
struct Values {
    title: String,
    seed: u64,
    bodies: BodyList,
    pack: PackTable,
}

fn decode_root(
    document: &Document,
    problems: &Problems,
    name: &str,
    folder: &Path,
) -> Option<Values> {
    let root = TableReader::root(document, problems);
    let title = root.optional("title").text().or(name).to_owned();
    let seed = root.optional("seed").integer().non_negative().or(1) as u64;
    let field = root.optional("domain");
    let domain = if field.is_present() {
        field.table().and_then(decode_domain)
    } else {
        Some(Domain::Free)
    };
    let contact = contact::decode(&root);
    let site = Site {
        folder,
        origin: decode_origin(&root),
    };
    let domain = domain.unwrap_or(Domain::Free);
    let bodies = bodies::decode(&root, domain, contact.material, seed, site);
    root.required_like("pack", "a table `[pack]` with `concentration = 0.7`");
    for key in OTHER_KEYS {
        root.optional(key);
    }
    let pack = bodies
        .as_ref()
        .and_then(|bodies| pack::decode(&root, bodies, seed, folder).ok());
    let span = root.span();
    root.finish();
    let pack = pack??;
    if matches!(pack.floes, PackSource::File(_)) {
        let kind = ProblemKind::MissingKey {
            table: "pack".into(),
            key: "concentration",
        };
        let hint = "the pack is read from a file: there is nothing to make";
        problems.push(Problem::new(kind, span).with_hint(hint.into()));
        return None;
    }
    Some(Values {
        title,
        seed,
        bodies: bodies?,
        pack,
    })
}

fn build(values: Values, problems: &Problems, watch: &mut Watch<'_>) -> Option<PackPlan> {
    let BodyList { bodies, domain, .. } = values.bodies;
    let world = World::new(domain, values.seed);
    let mut placed = PlacedBodies::of(world, bodies, problems)?;
    let made = pack_build::build(values.pack, &mut placed, problems, watch).ok()??;
    check_meetings(&placed.world, &placed.spans, problems);
    Some(PackPlan {
        title: values.title,
        made,
        world: placed.world,
    })
}
