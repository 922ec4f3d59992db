//! The dataset a run leaves: one Zarr directory that describes itself.
//!
//! Dimensions: `time` grows; `body` counts floes and obstacles, and grows as bodies are born: the column of a body is its
//! id, and its values are missing before it is born and after it is gone; `vertex` counts the vertices of all
//! outlines, one body after the other (CF contiguous ragged arrays: `outline_start` and
//! `outline_count` say which are whose), and `outline_version` the outlines of floes that were cut, each from a time on, where
//! there are any; `obstacle` counts obstacles and walls, where there are any; `ocean_y` and `ocean_x` are rows and
//! columns of ocean cells, where there are several. Every variable has a `long_name` and `units`; the root
//! attributes are the manifest: version, scenario, seed, hashes, domain, status.

mod arrays;
mod bodies;
mod breakage;
mod breakages;
mod collisions;
mod contact_forces;
mod failed;
mod frame;
mod lines;
mod load_table;
mod loads;
mod ocean;
mod position;
mod reader;
mod row_table;
mod size;
mod variables;
mod version_table;
mod versions;
mod writer;

pub use breakage::RecordedBreakage;
pub use collisions::{collision_log_statistics, collision_variables, other_number};
pub use contact_forces::ContactForce;
pub use failed::mark_failed;
pub use frame::{Frame, shape_of};
pub use lines::{LineTable, line_variables};
pub use load_table::LoadTable;
pub use loads::{load_statistics, normal_loads};
pub use position::RecorderPosition;
pub use reader::{BodyTable, Recording};
pub use size::bytes_of_record;
pub(crate) use variables::RecordReader;
pub use variables::motion_variables;
pub use versions::{OutlineVersion, SeenVersions, version_variables};
pub use writer::RecordingWriter;

use serde_json::{Map, Value, json};

use banquise::{
    Bounds, CollisionLogSettings, Domain, FractureReport, Method, Rectangle, Simulation,
};

use crate::geography::LocalFrame;

/// Name of the dataset inside a run's directory.
pub const DATASET: &str = "recording.zarr";

/// Status of a run, as written in the dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// Still going on, or killed.
    Running,
    /// Reached its end.
    Complete,
    /// Stopped by the user.
    Interrupted,
    /// Stopped by a step that failed.
    Failed,
}

impl RunStatus {
    /// The word in the dataset.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// Provenance of a run: what is needed to repeat it.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// Title of the scenario.
    pub title: String,
    /// Version of the program, with the revision it was built from.
    pub version: String,
    /// Text of the scenario file.
    pub scenario: String,
    /// The overrides given beside it, as `key=value`.
    pub overrides: Vec<String>,
    /// Start date for the time axis, like `2008-02-01 00:00:00`, where the scenario gives one.
    pub start: Option<String>,
    /// Point where the plane touches the Earth; `None` where the scenario gives none.
    pub origin: Option<LocalFrame>,
    /// Duration asked for \[s\].
    pub duration: f64,
    /// Settings of the report.
    pub report: ReportSettings,
}

/// Settings of the report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportSettings {
    /// Times at which it draws the configuration \[s\].
    pub snapshots: Vec<f64>,
    /// Windows of time over which impulses, collisions and loads are summed \[s\]; `None` for its own choice.
    pub time_window: Option<f64>,
    /// Area in which the concentration of ice is measured.
    pub area: Option<Rectangle>,
    /// Whether the forces of single contacts are recorded, for pictures of force chains.
    pub contact_forces: bool,
    /// What the log of collisions keeps; `None` for no log.
    pub collisions: Option<CollisionLogSettings>,
    /// Whether the recording is compressed.
    pub compress: bool,
    /// Whether the recording has few large files in place of many small ones.
    pub shard: bool,
}

/// A hash of the scenario's text and overrides, for telling runs apart.
pub fn scenario_hash(manifest: &Manifest) -> u64 {
    let mut text = manifest.scenario.clone();
    for item in &manifest.overrides {
        text.push('\0');
        text.push_str(item);
    }
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}

/// All that contacts did since the start: statistics and losses, as in the attributes of the dataset.
pub fn contact_statistics(simulation: &Simulation) -> Value {
    let report = &simulation.contact;
    let budget = &simulation.world.budget.contact;
    let methods: Map<String, Value> = Method::ALL
        .iter()
        .zip(report.methods)
        .map(|(method, count)| (method.name().to_owned(), json!(count)))
        .collect();
    let mut statistics = json!({
        "contacts": report.contacts,
        "islands": report.islands,
        "impacts": report.impacts,
        "impact_contacts": report.impact_contacts,
        "methods": methods,
        "pivots": report.pivots,
        "operations": report.solver.operations,
        "most_operations": report.solver.most_operations,
        "rounds": report.rounds,
        "largest": report.largest,
        "max_residual": report.residual,
        "unsolved": report.unsolved,
        "budget_spent": report.budget_spent,
        "infeasible": report.infeasible,
        "reflections": report.reflections,
        "reductions": report.reductions,
        "given_up": report.given_up,
        "rollbacks": report.rollbacks,
        "shortened": report.shortened,
        "partings": report.pushed_apart,
        "pushed_apart": report.pushed_apart,
        "pressed": report.pressed,
        "jammed": report.pressed,
        "collisions": report.collisions,
        "sticks": report.sticks,
        "take_offs": report.take_offs,
        "regularised": report.regularised,
        "gap_drift_m": report.gap_drift,
        "normal_impulse_n_s": report.normal_impulse,
        "impulse_obstacles_n_s": [budget.impulse.x, budget.impulse.y],
        "work_obstacles_j": budget.work,
        "energy_lost_restitution_j": budget.normal_loss,
        "energy_lost_friction_j": budget.tangent_loss,
        "energy_given_by_push_apart_j": budget.push_gain,
        "energy_lost_crushing_j": budget.crushing_loss,
        "energy_lost_fracture_j": budget.fracture_loss,
        "energy_fracture_strain_j": budget.fracture_strain,
    });
    statistics["bonds_formed"] = json!(report.bonds_formed);
    statistics["bonds_broken"] = json!(report.bonds_broken);
    statistics["energy_stored_bonds_j"] = json!(budget.bond_stored);
    statistics["energy_lost_bonds_j"] = json!(budget.bond_loss);
    statistics["energy_broken_bonds_j"] = json!(budget.bond_broken);
    statistics
}

/// Statistics of fracture since the start, for machines; `None` where floes do not break.
pub fn fracture_statistics(simulation: &Simulation) -> Option<Value> {
    simulation.settings.fracture?;
    let report = &simulation.fracture;
    let ends = FractureReport::bin_ends();
    let bins = report.restitution.iter().zip(ends.windows(2));
    let bins = bins.filter(|(bin, _)| bin.blows > 0).map(|(bin, ends)| {
        json!({
            "speed_m_s": ends,
            "blows": bin.blows,
            "mean_restitution": bin.restitution / bin.blows as f64,
        })
    });
    let mut statistics = fracture_counts(report);
    statistics["restitution"] = bins.collect();
    Some(statistics)
}

/// Counts of fracture, for machines: how many floes passed each bound, and what broke.
pub fn fracture_counts(report: &FractureReport) -> Value {
    let share = |count: u64, of: u64| (of > 0).then(|| count as f64 / of as f64);
    json!({
        "struck": report.struck,
        "struck_with_energy": report.struck_with_energy,
        "struck_with_strain": report.struck_with_strain,
        "struck_broken": report.struck_broken,
        "share_with_energy": share(report.struck_with_energy, report.struck),
        "share_with_strain": share(report.struck_with_strain, report.struck_with_energy),
        "share_broken": share(report.struck_broken, report.struck_with_strain),
        "pressed": report.pressed,
        "pressed_with_strain": report.pressed_with_strain,
        "pressed_broken": report.pressed_broken,
        "share_pressed_with_strain": share(report.pressed_with_strain, report.pressed),
        "share_pressed_broken": share(report.pressed_broken, report.pressed_with_strain),
        "pieces": report.pieces,
        "crack_length_m": report.crack_length,
        "refused": report.refused,
        "lowered": report.lowered,
    })
}

/// The root attributes of the dataset.
fn root_attributes(manifest: &Manifest, simulation: &Simulation) -> Map<String, Value> {
    let Simulation { world, forcing, .. } = simulation;
    let domain = match world.domain {
        Domain::Free => json!({ "edges": "free" }),
        Domain::Bounded(Bounds { rectangle, open }) if open.contains(&true) => json!({
            "edges": "bounded",
            "open": open,
            "min_m": rectangle.min.to_array(),
            "max_m": rectangle.max.to_array(),
        }),
        Domain::Bounded(Bounds { rectangle: r, .. }) | Domain::Periodic(r) => json!({
            "edges": if matches!(world.domain, Domain::Bounded(_)) { "walls" } else { "periodic" },
            "min_m": [r.min.x, r.min.y],
            "max_m": [r.max.x, r.max.y],
        }),
    };
    let mut attributes = json!({
        "Conventions": "CF-1.11",
        "title": manifest.title,
        "source": format!("Banquise {}", manifest.version),
        "banquise_version": manifest.version,
        "scenario": manifest.scenario,
        "scenario_overrides": manifest.overrides,
        "scenario_hash": format!("{:016x}", scenario_hash(manifest)),
        "seed": world.seed,
        "duration_s": manifest.duration,
        "snapshots_s": manifest.report.snapshots,
        "time_window_s": manifest.report.time_window,
        "area": manifest.report.area.map(|r| json!({
            "min_m": [r.min.x, r.min.y],
            "max_m": [r.max.x, r.max.y],
        })),
        "domain": domain,
        "origin": manifest.origin.map(|frame| {
            let [longitude, latitude] = frame.origin().to_degrees();
            json!({ "longitude_degrees": longitude, "latitude_degrees": latitude })
        }),
        "names": bodies::by_column(world, "", |row| world.bodies.names()[row].as_str()),
        "obstacle_names": loads::names(world),
        "line_names": lines::names(&world.lines),
        "nansen_number": forcing.drag.map(|drag| drag.nansen_number()),
        "coriolis_parameter_s-1": forcing.coriolis.parameter_at(0.0),
        "status": RunStatus::Running.name(),
    });
    if let Some(fracture) = simulation.settings.fracture {
        attributes["fracture_settings"] = json!({
            "young_pa": fracture.young,
            "poisson": fracture.poisson,
            "nodes": fracture.nodes,
        });
    }
    match attributes {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The times of all records but the first \[s\], the end of the run always among them.
pub fn record_times(duration: f64, every: f64) -> impl Iterator<Item = f64> {
    // Rounding must not add a sliver of an interval at the end.
    let whole = (duration / every * (1.0 + 1e-12)).floor() as usize;
    let rest = duration - whole as f64 * every > 1e-9 * every;
    let count = if rest { whole + 1 } else { whole.max(1) };
    (1..=count).map(move |index| {
        if index == count {
            duration
        } else {
            index as f64 * every
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_end_with_the_run_whatever_the_interval() {
        let times = |duration, every| record_times(duration, every).collect::<Vec<f64>>();
        assert_eq!(times(10.0, 5.0), [5.0, 10.0]);
        assert_eq!(times(10.0, 4.0), [4.0, 8.0, 10.0]);
        assert_eq!(times(10.0, 30.0), [10.0]);
        assert_eq!(times(0.3, 0.1).len(), 3);
        assert_eq!(times(1.0, 0.001).len(), 1000);
        assert_eq!(times(1.0, 1.0 / 3.0).len(), 3);
    }
}
