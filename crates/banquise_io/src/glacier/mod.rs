//! From a scenario of a glacier to a run ready to start: `[glacier]`, `[bed]`, `[contact]`, `[time]`, `[report]`.

mod contact;

use std::path::Path;

use banquise_glacier::stability::stable_step;
use banquise_glacier::{
    BedLaw, Capsize, Chain, ChainSettings, ContactForce, GlacierError, Iceberg, OverLimit, Run,
    RunSettings, Scheme,
};

use crate::scenario::{
    Dimension, Document, Problem, ProblemKind, Problems, ScenarioError, ScenarioInput, Span,
    Spanned, TableReader,
};

/// Steps a run may take: an hour of work for a short chain.
const MAX_STEPS: f64 = 1e10;
/// Rows a table of results may have.
const MAX_RECORDS: f64 = 1e7;
/// Rows of a run whose scenario does not say how many.
const DEFAULT_RECORDS: f64 = 1000.0;
/// Step of the implicit schemes where the scenario does not say \[s\]: 0.01 % of the displacement under a pulse of 100 s.
const DEFAULT_STEP: f64 = 0.1;
/// Share of the stable step that explicit schemes take where the scenario does not say.
const SAFETY: f64 = 0.9;
/// α of the HHT scheme where the scenario does not say: the best damping of stiff friction.
const DEFAULT_ALPHA: f64 = -0.25;

/// A run of a glacier, ready to start.
#[derive(Debug)]
pub struct GlacierPlan {
    /// Title, from the scenario or its file name.
    pub title: String,
    /// One line for lists of scenarios.
    pub summary: String,
    /// The chain.
    pub chain: Chain,
    /// Contact force on its front.
    pub load: ContactForce,
    /// The iceberg of the contact force, where it is one.
    pub iceberg: Option<Iceberg>,
    /// Its motion.
    pub capsize: Option<Capsize>,
    /// Scheme and step.
    pub settings: RunSettings,
    /// Duration of the run \[s\].
    pub duration: f64,
    /// Time between rows of the results \[s\].
    pub record_every: f64,
    /// Distances from the front at which displacement and velocity are shown \[m\].
    pub points: Vec<f64>,
}

impl GlacierPlan {
    /// Reads a scenario file, with overrides like `time.step="1 s"`.
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

    /// The plan of a scenario that was read.
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

    /// Number of steps of the run.
    pub fn steps(&self) -> u64 {
        (self.duration / self.settings.dt * (1.0 - 1e-12)).ceil() as u64
    }

    /// The run at its start.
    ///
    /// # Errors
    /// What only the whole can tell; a plan that was read has none.
    pub fn start(&self) -> Result<Run, GlacierError> {
        Run::try_new(self.chain.clone(), self.load.clone(), self.settings)
    }
}

/// Whether a scenario is one of a glacier: it has a `[glacier]` table.
pub fn is_glacier(text: &str) -> bool {
    let Ok(document) = Document::parse("scenario", text, &[]) else {
        return false;
    };
    let problems = Problems::default();
    TableReader::root(&document, &problems).has("glacier")
}

/// Values of `[time]`.
struct TimePlan {
    duration: f64,
    step: Option<Spanned<f64>>,
    record_every: Option<Spanned<f64>>,
    scheme: Scheme,
    over_limit: OverLimit,
    span: Span,
}

pub(crate) fn decode_root(
    document: &Document,
    problems: &Problems,
    name: &str,
    folder: &Path,
) -> Option<GlacierPlan> {
    let root = TableReader::root(document, problems);
    let title = root.optional("title").text().or(name).to_owned();
    let summary = root.optional("summary").text().or("").to_owned();
    let bed = decode_bed(&root);
    let chain = root
        .required_like(
            "glacier",
            "a table `[glacier]` with `length = \"2 km\"` and `blocks = 80`",
        )
        .table()
        .and_then(|table| decode_chain(table, bed));
    let load = contact::decode(
        &root,
        chain.as_ref().map(|(chain, _)| chain.settings()),
        folder,
    );
    let time = root
        .required_like("time", "a table `[time]` with `duration = \"300 s\"`")
        .table()
        .and_then(decode_time);
    let points = decode_points(&root, chain.as_ref().map(|(chain, _)| chain));
    root.finish();
    if !problems.is_empty() {
        return None;
    }
    let ((chain, initial_velocity), (load, berg), time) = (chain?, load?, time?);
    let (iceberg, capsize) = berg.unzip();
    let settings = RunSettings {
        scheme: time.scheme,
        dt: choose_step(&chain, &time, initial_velocity),
        initial_velocity,
        over_limit: time.over_limit,
    };
    let record_every = check_counts(&time, settings.dt, problems)?;
    if let Err(error) = Run::check(&chain, &settings) {
        let span = time.step.as_ref().map_or(time.span, |step| step.span);
        problems.push(rejected("the step", &error, span));
        return None;
    }
    Some(GlacierPlan {
        title,
        summary,
        chain,
        load,
        iceberg,
        capsize,
        settings,
        duration: time.duration,
        record_every,
        points,
    })
}

/// A problem of the model at a place of the file.
fn rejected(what: &'static str, error: &GlacierError, span: Span) -> Problem {
    let kind = ProblemKind::Rejected {
        what,
        hint: Some(error.hint().to_owned()),
        source: Box::new(error.clone()),
    };
    Problem::new(kind, span)
}

/// `[glacier]`: the chain, and the velocity at the start where it is not that of steady sliding.
fn decode_chain(table: TableReader<'_>, bed: BedLaw) -> Option<(Chain, Option<f64>)> {
    let usual = ChainSettings::default();
    let quantity = |key, dimension, default| {
        table
            .optional(key)
            .quantity(dimension)
            .positive()
            .or(default)
    };
    let glacier_length = table
        .required_like("length", "`length = \"2 km\"`")
        .quantity(Dimension::Length)
        .positive()
        .or(usual.glacier_length);
    let blocks = table
        .required_like("blocks", "`blocks = 80`")
        .integer()
        .check("between 1 and 20 million", |blocks| {
            (1..=20_000_000).contains(blocks)
        })
        .or(1);
    let settings = ChainSettings {
        glacier_length,
        blocks: blocks as usize,
        glacier_thickness: quantity("thickness", Dimension::Length, usual.glacier_thickness),
        glacier_density: quantity("density", Dimension::Density, usual.glacier_density),
        young_modulus: quantity("young_modulus", Dimension::Stress, usual.young_modulus),
        gravity: quantity("gravity", Dimension::Acceleration, usual.gravity),
        bed_slope: table
            .optional("slope")
            .quantity(Dimension::Angle)
            .check("at least 0 and below 90 deg", |slope| {
                (0.0..std::f64::consts::FRAC_PI_2).contains(slope)
            })
            .or(usual.bed_slope),
        bed,
    };
    // Towards the front, as people speak of it; the model counts upstream.
    let speed = table
        .optional("initial_speed")
        .quantity(Dimension::Speed)
        .non_negative()
        .get();
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    match Chain::try_new(settings) {
        Ok(chain) => Some((chain, speed.map(|speed| -speed))),
        Err(error) => {
            problems.push(rejected("the glacier", &error, span));
            None
        }
    }
}

/// `[bed]`.
fn decode_bed(root: &TableReader<'_>) -> BedLaw {
    #[derive(Clone, Copy, PartialEq)]
    enum Law {
        Weertman,
        Regularised,
        None,
    }
    let usual = BedLaw::default();
    let Some(table) = root.optional("bed").table() else {
        return usual;
    };
    let law = table
        .optional("law")
        .choice(&[
            ("weertman", Law::Weertman),
            ("regularised", Law::Regularised),
            ("none", Law::None),
        ])
        .or(Law::Weertman);
    let friction_coefficient = table
        .optional("coefficient")
        .number()
        .positive()
        .or(usual.friction_coefficient);
    let stress_exponent = table
        .optional("stress_exponent")
        .number()
        .check("between 1 and 100", |n| (1.0..=100.0).contains(n))
        .or(usual.stress_exponent);
    let linear_below = match law {
        Law::Regularised => table.required_like("linear_below", "`linear_below = \"1e-6 m/s\"`"),
        Law::Weertman | Law::None => table.optional("linear_below"),
    };
    let linear_below = linear_below.quantity(Dimension::Speed).positive().or(0.0);
    table.finish();
    match law {
        Law::None => BedLaw::NONE,
        Law::Weertman => BedLaw {
            friction_coefficient,
            stress_exponent,
            linear_below: 0.0,
        },
        Law::Regularised => BedLaw {
            friction_coefficient,
            stress_exponent,
            linear_below,
        },
    }
}

/// `[time]`.
fn decode_time(table: TableReader<'_>) -> Option<TimePlan> {
    let duration = table
        .required_like("duration", "`duration = \"300 s\"`")
        .quantity(Dimension::Time)
        .positive()
        .get();
    let time = |key| {
        table
            .optional(key)
            .quantity(Dimension::Time)
            .positive()
            .spanned()
    };
    let (step, record_every) = (time("step"), time("record_every"));
    let alpha = table
        .optional("alpha")
        .number()
        .check("between -1/3 and 0", |alpha| {
            (-1.0 / 3.0..=0.0).contains(alpha)
        })
        .or(DEFAULT_ALPHA);
    let scheme = table
        .optional("scheme")
        .choice(&[
            ("hht", Scheme::Hht { alpha }),
            ("backward-euler", Scheme::BackwardEuler),
            ("semi-implicit", Scheme::SemiImplicit),
            ("lagged-verlet", Scheme::LaggedVerlet),
        ])
        .or(Scheme::Hht { alpha });
    let over_limit = table
        .optional("over_limit")
        .choice(&[("refuse", OverLimit::Refuse), ("warn", OverLimit::Warn)])
        .or(OverLimit::Refuse);
    let span = table.span();
    table.finish();
    Some(TimePlan {
        duration: duration?,
        step,
        record_every,
        scheme,
        over_limit,
        span,
    })
}

/// The step of the scenario, or a good one for its scheme.
fn choose_step(chain: &Chain, time: &TimePlan, initial_velocity: Option<f64>) -> f64 {
    if let Some(step) = &time.step {
        return step.value;
    }
    let velocity = initial_velocity.unwrap_or(chain.equilibrium_velocity());
    stable_step(chain, time.scheme, velocity).map_or(DEFAULT_STEP, |limit| SAFETY * limit)
}

/// Steps and records must not be too many. Gives the time between records, a whole number of steps.
fn check_counts(time: &TimePlan, dt: f64, problems: &Problems) -> Option<f64> {
    let count = |span: Option<Span>, what, every: f64, limit: f64, hint: &str| {
        let count = time.duration / every;
        if count <= limit {
            return true;
        }
        let kind = ProblemKind::TooMany {
            what,
            count: count as usize,
            limit: limit as usize,
        };
        problems.push(Problem::new(kind, span.unwrap_or(time.span)).with_hint(hint.into()));
        false
    };
    let step_span = time.step.as_ref().map(|step| step.span);
    let asked = time.record_every.as_ref();
    let every = asked.map_or(time.duration / DEFAULT_RECORDS, |every| every.value);
    let steps_fit = count(step_span, "steps", dt, MAX_STEPS, "take longer steps");
    let records_fit = count(
        asked.map(|e| e.span),
        "records",
        every,
        MAX_RECORDS,
        "record less often",
    );
    (steps_fit && records_fit).then(|| dt * (every / dt).round().max(1.0))
}

/// The distances of `[report] points`; four, from the front on, where none are given.
fn decode_points(root: &TableReader<'_>, chain: Option<&Chain>) -> Vec<f64> {
    let length = chain.map_or(f64::INFINITY, |chain| chain.settings().glacier_length);
    let mut points = Vec::new();
    if let Some(table) = root.optional("report").table() {
        for field in table.optional("points").array() {
            let distance = field
                .quantity(Dimension::Length)
                .check("on the glacier", |distance| {
                    (0.0..=length).contains(distance)
                });
            points.extend(distance.get());
        }
        table.finish();
    }
    if points.is_empty() {
        points = [0.0, 0.05, 0.1, 0.25].map(|part| part * length).into();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> GlacierPlan {
        GlacierPlan::parse("test", text, &[], Path::new("")).unwrap()
    }

    const SHORT: &str = "[glacier]\nlength = \"2 km\"\nblocks = 80\n[time]\nduration = \"300 s\"\n";

    #[test]
    fn a_short_scenario_has_the_constants_of_the_source() {
        let plan = plan(SHORT);
        assert_eq!(plan.chain.settings(), &ChainSettings::default());
        assert_eq!(
            plan.settings,
            RunSettings::new(Scheme::Hht { alpha: -0.25 }, 0.1)
        );
        assert_eq!((plan.steps(), plan.record_every), (3000, 3.0 * 0.1));
        assert_eq!(plan.points.len(), 4);
    }

    #[test]
    fn explicit_schemes_take_nine_tenths_of_their_limit() {
        let plan = plan(&format!("{SHORT}scheme = \"lagged-verlet\"\n"));
        assert!(
            (plan.settings.dt / 3.532_4e-4 - 1.0).abs() < 1e-4,
            "{}",
            plan.settings.dt
        );
    }

    #[test]
    fn a_glacier_is_told_by_its_table() {
        assert!(is_glacier(SHORT));
        assert!(!is_glacier("[time]\nduration = \"1 h\"\n"));
        assert!(!is_glacier("no toml"));
    }
}
