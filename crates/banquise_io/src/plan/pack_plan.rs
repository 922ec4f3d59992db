//! A pack without a run: what `banquise pack` reads.

use std::path::Path;

use banquise::pack::Watch;
use banquise::{Domain, World};

use super::outlines::Site;
use super::pack::{self, MadePack};
use super::{bodies, check_meetings, contact, decode_domain, decode_origin};
use crate::scenario::{Document, Problem, ProblemKind, Problems, ScenarioError, TableReader};

/// Keys of a scenario that say nothing about a pack: they are for `run` to read.
const OTHER_KEYS: [&str; 9] = [
    "time",
    "drag",
    "coriolis",
    "ocean_layer",
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
        let folder = path.parent().unwrap_or(Path::new(""));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::decode(Document::read(path, overrides)?, &stem, folder, watch)
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
        let document = Document::parse(name, text, overrides)?;
        Self::decode(document, name, Path::new(""), watch)
    }

    fn decode(
        document: Document,
        name: &str,
        folder: &Path,
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        let problems = Problems::default();
        let plan = decode_root(&document, &problems, name, folder, watch);
        let plan = document.conclude(plan, problems)?;
        Ok(plan.expect("a file without a problem gives a pack"))
    }
}

fn decode_root(
    document: &Document,
    problems: &Problems,
    name: &str,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Option<PackPlan> {
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
    let world = World::new(domain.unwrap_or(Domain::Free), seed);
    let mut placed = bodies::decode(&root, world, contact.material, site);
    root.required_like("pack", "a table `[pack]` with `concentration = 0.7`");
    for key in OTHER_KEYS {
        root.optional(key);
    }
    let made = placed
        .as_mut()
        .and_then(|placed| pack::decode(&root, placed, folder, watch).ok());
    let span = root.span();
    root.finish();
    if !problems.is_empty() {
        return None;
    }
    let placed = placed?;
    let Some(made) = made? else {
        let kind = ProblemKind::MissingKey {
            table: "pack".into(),
            key: "concentration",
        };
        let hint = "the pack is read from a file: there is nothing to make";
        problems.push(Problem::new(kind, span).with_hint(hint.into()));
        return None;
    };
    check_meetings(&placed.world, &placed.spans, problems);
    Some(PackPlan {
        title,
        made,
        world: placed.world,
    })
}
