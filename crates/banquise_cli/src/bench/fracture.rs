//! What fracture costs in a scene.

use std::sync::OnceLock;
use std::time::Instant;

use banquise::{FractureReport, FractureTimes, Simulation};
use banquise_io::recording::fracture_counts;
use serde_json::{Value, json};

/// What fracture took while a scene was measured.
pub(super) struct FractureCost {
    times: FractureTimes,
    report: FractureReport,
    /// Time of the whole measurement \[s\].
    wall: f64,
}

/// Seconds since the first call.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Starts the clock of fracture, where floes can break, and its counts.
pub(super) fn start(simulation: &mut Simulation) {
    if simulation.settings.fracture.is_some() {
        simulation.time_fracture(now);
        simulation.fracture = FractureReport::default();
    }
}

impl FractureCost {
    /// What was measured since [`start`], in a run that took `wall` \[s\]; `None` where floes cannot break.
    pub(super) fn of(simulation: &mut Simulation, wall: f64) -> Option<Self> {
        simulation.settings.fracture?;
        Some(Self {
            times: simulation.fracture_times().clone(),
            report: simulation.fracture,
            wall,
        })
    }

    fn bound_us(&self) -> f64 {
        1e6 * self.times.first_bound / self.times.contacts as f64
    }

    /// All of fracture \[s\].
    fn total(&self) -> f64 {
        self.times.total + self.times.outline_bounds.iter().sum::<f64>()
    }

    fn share(&self) -> f64 {
        self.total() / self.wall
    }

    pub(super) fn to_json(&self) -> Value {
        let times = &self.times;
        json!({
            "counts": fracture_counts(&self.report),
            "contacts": times.contacts,
            "first_bound_us_per_contact": self.bound_us(),
            "decision_ms": quantiles(&times.decisions),
            "repeated_rejection_ms": quantiles(&times.repeated_rejections),
            "first_rejection_ms": quantiles(&times.first_rejections),
            "outline_bound_ms": quantiles(&times.outline_bounds),
            "split_ms": 1e3 * times.splits,
            "total_ms": 1e3 * self.total(),
            "share_of_run": self.share(),
        })
    }

    pub(super) fn text(&self) -> String {
        let [decisions, repeated] =
            [&self.times.decisions, &self.times.repeated_rejections].map(|times| {
                let [median, high, _] = [0.5, 0.99, 1.0].map(|share| 1e3 * quantile(times, share));
                format!("{median:.3} ms in the median, {high:.3} ms at 99 %")
            });
        format!(
            "fracture: {:.1} % of the run, {} pieces; first bound {:.3} µs for each of {} contacts; {} decisions, {decisions}; {} repeated rejections, {repeated}",
            100.0 * self.share(),
            self.report.pieces,
            self.bound_us(),
            self.times.contacts,
            self.times.decisions.len(),
            self.times.repeated_rejections.len(),
        )
    }
}

/// Number, median, 99 % and largest of some times [ms].
fn quantiles(times: &[f64]) -> Value {
    let [median, high, largest] = [0.5, 0.99, 1.0].map(|share| 1e3 * quantile(times, share));
    json!({ "count": times.len(), "median": median, "p99": high, "max": largest })
}

/// The time that a share of the others does not exceed \[s\]; NaN where there is none.
fn quantile(times: &[f64], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or(f64::NAN)
}
