//! `banquise compare --fit`: drag and layer that give an observed drift.

use banquise_geometry::{DVec2, math};
use banquise_io::compare::{Comparison, PairedTracks};
use serde_json::{Value, json};

use super::drift::Drift;
use super::print_comparison;
use crate::arguments::CompareArguments;
use crate::failure::Failure;
use crate::scenarios::find_and_tell;

/// Settings that are fitted.
#[derive(Clone, Copy)]
struct Settings {
    air_drag: f64,
    /// \[rad\].
    turning: f64,
    /// [m/s]; `None` without an ocean layer.
    friction: Option<f64>,
}

impl Settings {
    fn overrides(&self, given: &[String]) -> Vec<String> {
        let mut all = given.to_vec();
        all.push(format!("drag.air_drag_coefficient={:e}", self.air_drag));
        all.push(format!("drag.turning_angle=\"{} rad\"", self.turning));
        if let Some(friction) = self.friction {
            all.push(format!(
                "ocean_layer.base_friction_velocity=\"{friction} m/s\""
            ));
        }
        all
    }

    /// Why the fit may not be the best one: the targets are not met, or a setting is at its bound, where other settings may do better.
    fn doubts(&self, fitted: &Comparison) -> Vec<String> {
        let mut doubts = Vec::new();
        let bounded = [
            ("air drag", Some(self.air_drag), AIR_DRAGS),
            ("turning", Some(self.turning), TURNINGS),
            ("base friction", self.friction, FRICTIONS),
        ];
        for (name, value, bounds) in bounded {
            if value.is_some_and(|value| bounds.contains(&value)) {
                doubts.push(format!("{name} is at the bound of what is tried"));
            }
        }
        let (observed, modelled) = (&fitted.observed, &fitted.modelled);
        if let (Some((wanted, ..)), Some((found, ..))) = (observed.wind, modelled.wind) {
            let off = (found.factor / wanted.factor - 1.0).abs();
            let turned = (found.angle - wanted.angle).abs().to_degrees();
            if off > UNMET || turned > UNMET_DEGREES {
                doubts.push(format!(
                    "wind factor and angle are {:.1} % and {turned:.1}° off the observed ones",
                    100.0 * off
                ));
            }
        }
        let ratio = modelled.inertial / observed.inertial;
        if self.friction.is_some() && ratio.is_nan() {
            doubts.push(
                "values are too far apart to tell inertial motion: base friction is that of the best R²"
                    .to_owned(),
            );
        } else if self.friction.is_some() && math::ln(ratio).abs() > UNMET_INERTIAL {
            doubts.push(format!(
                "the inertial amplitude is {ratio:.2} times the observed one, since nearer ones lower R²: `--inertial-weight` weighs the two"
            ));
        }
        doubts
    }

    fn to_json(self) -> Value {
        json!({
            "air_drag_coefficient": self.air_drag,
            "turning_angle_deg": self.turning.to_degrees(),
            "base_friction_velocity_mps": self.friction,
        })
    }
}

/// A fitted wind factor this far off is in doubt [–], and a fitted angle \[degrees\].
const UNMET: f64 = 0.02;
const UNMET_DEGREES: f64 = 1.0;
/// A fitted inertial amplitude that is off by more than this factor, as its logarithm, is in doubt: 1.5.
const UNMET_INERTIAL: f64 = 0.405;
/// Another minimum that is less than this above the best one is told.
const AS_GOOD: f64 = 0.01;

/// Rounds that lead to the observed factor and angle: from the start, from settings nearby, and in the end. Each leaves about a third of what is off.
const ROUNDS: [usize; 3] = [3, 2, 4];
/// Golden sections: they leave 6 % of half a decade of base friction.
const SECTIONS: usize = 6;
/// Largest change of a logarithm in one round, so that a bad start cannot throw it off.
const LARGEST_CHANGE: f64 = 1.0;
/// Bounds of the base friction velocity [m/s], of the turning angle \[rad\] and of the air drag coefficient.
const FRICTIONS: [f64; 2] = [1e-5, 1e-2];
const TURNINGS: [f64; 2] = [-0.8, 0.8];
const AIR_DRAGS: [f64; 2] = [2e-4, 1e-2];
/// Base frictions that are tried first, evenly apart by their logarithms, both bounds among them.
const TRIALS: u32 = 7;

/// Makes pairs of observed and simulated values.
pub(super) type Pair<'a> = &'a dyn Fn(&Drift) -> Result<PairedTracks, Failure>;

/// Fits on the whole track, and on each half, scored on the other.
pub(super) fn fit(
    arguments: &CompareArguments,
    scenario: &str,
    pair: Pair<'_>,
) -> Result<Value, Failure> {
    let mut windows = Vec::new();
    for (name, fitted, scored) in [
        ("all", [0.0, 1.0], [0.0, 1.0]),
        ("first_half", [0.0, 0.5], [0.5, 1.0]),
        ("second_half", [0.5, 1.0], [0.0, 0.5]),
    ] {
        let window = Window {
            scenario,
            set: &arguments.set,
            floe: arguments.floe.as_deref(),
            weight: arguments.inertial_weight,
            part: fitted,
            pair,
        };
        let (settings, tracks, mut doubts) = window.fit()?;
        let inside = tracks.part(fitted[0], fitted[1]).compare();
        let outside = tracks.part(scored[0], scored[1]).compare();
        let [air, turning] = [settings.air_drag, settings.turning.to_degrees()];
        let friction = settings.friction.map_or(String::new(), |friction| {
            format!(", base friction {friction:.2e} m/s")
        });
        eprintln!("fit on {name}: air drag {air:.3e}, turning {turning:.1}°{friction}");
        doubts.extend(settings.doubts(&inside));
        for doubt in &doubts {
            eprintln!("  in doubt: {doubt}");
        }
        print_comparison("  fitted part", &inside);
        if name != "all" {
            print_comparison("  other part", &outside);
        }
        windows.push(json!({
            "fitted_on": name,
            "settings": settings.to_json(),
            "doubts": doubts,
            "fitted_part": inside.to_json(),
            "other_part": if name == "all" { Value::Null } else { outside.to_json() },
        }));
    }
    Ok(Value::Array(windows))
}

/// A part of the track that is fitted.
struct Window<'a> {
    scenario: &'a str,
    set: &'a [String],
    floe: Option<&'a str>,
    weight: f64,
    part: [f64; 2],
    pair: Pair<'a>,
}

impl Window<'_> {
    /// Air drag and turning angle follow from the observed factor and angle for each base friction; of these frictions, the one with the least cost is
    /// looked for among trials over three decades, then between the neighbours of the best.
    fn fit(&self) -> Result<(Settings, PairedTracks, Vec<String>), Failure> {
        let start = self.start()?;
        let mut doubts = Vec::new();
        let mut best = start;
        if start.friction.is_some() {
            let step = math::ln(FRICTIONS[1] / FRICTIONS[0]) / f64::from(TRIALS - 1);
            let mut trials = Vec::new();
            for trial in 0..TRIALS {
                let friction = match trial {
                    0 => FRICTIONS[0],
                    trial if trial == TRIALS - 1 => FRICTIONS[1],
                    trial => FRICTIONS[0] * math::exp(f64::from(trial) * step),
                };
                let tried = self.follow(start, friction, ROUNDS[0])?;
                trials.push((friction, self.cost(&tried.1), tried.0));
            }
            doubts.extend(other_minima(&trials));
            let least = trials.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let &(friction, cost, settings) = least.expect("there are trials");
            best = self.refine((cost, friction, settings), step)?;
        }
        let friction = best.friction.unwrap_or(f64::NAN);
        let (settings, tracks) = self.follow(best, friction, ROUNDS[2])?;
        Ok((settings, tracks, doubts))
    }

    /// Settings of the scenario.
    fn start(&self) -> Result<Settings, Failure> {
        let run = find_and_tell(self.scenario, self.set)?.run;
        let forcing = run.simulation.forcing;
        if forcing.wind_field.is_none() {
            let at = |share: u32| forcing.wind.at(run.duration * f64::from(share) / 64.0);
            if (1..=64).all(|share| at(share) == at(0)) {
                let what = if at(0) == DVec2::ZERO {
                    "no wind"
                } else {
                    "a wind that does not vary"
                };
                return Err(Failure::usage(
                    format!(
                        "--fit: the scenario has {what}: its drift does not tell air drag and turning"
                    ),
                    "give it the wind of the track, as in `[wind] series = \"track.csv\"`",
                ));
            }
        }
        let drag = forcing.drag.ok_or_else(|| {
            Failure::usage(
                "--fit: the scenario has no drag",
                "remove `enabled = false` from `[drag]`",
            )
        })?;
        Ok(Settings {
            air_drag: drag.air_drag_coefficient,
            turning: drag.turning_angle,
            friction: forcing.slab_ocean.map(|slab| slab.base_friction_velocity),
        })
    }

    /// Golden sections of the logarithm of the base friction between the neighbours of the best trial.
    fn refine(
        &self,
        (mut cost, mut friction, mut best): (f64, f64, Settings),
        step: f64,
    ) -> Result<Settings, Failure> {
        const GOLDEN: f64 = 0.381_966;
        let mut ends = [-step, step].map(|by| {
            let end = friction * math::exp(by);
            end.clamp(FRICTIONS[0], FRICTIONS[1])
        });
        for _ in 0..SECTIONS {
            let [below, above] = ends.map(|end| math::ln(end / friction).abs());
            let far = usize::from(above > below);
            let reach = math::ln(ends[far] / friction);
            let next = friction * math::exp(GOLDEN * reach);
            let (settings, tracks) = self.follow(best, next, ROUNDS[1])?;
            let found = self.cost(&tracks);
            if found < cost {
                ends[1 - far] = friction;
                (cost, friction, best) = (found, next, settings);
            } else {
                ends[far] = next;
            }
        }
        Ok(best)
    }

    /// 1 − R², and the weight times the square of the logarithm of the inertial amplitude over the observed one.
    fn cost(&self, tracks: &PairedTracks) -> f64 {
        let comparison = tracks.part(self.part[0], self.part[1]).compare();
        let ratio = comparison.modelled.inertial / comparison.observed.inertial;
        let off = if ratio > 0.0 { math::ln(ratio) } else { 0.0 };
        1.0 - comparison.skill + self.weight * off * off
    }

    /// Free drift goes with the square root of the air drag and turns with the turning angle: both are corrected by what they rule, round after round.
    fn follow(
        &self,
        from: Settings,
        friction: f64,
        rounds: usize,
    ) -> Result<(Settings, PairedTracks), Failure> {
        let mut settings = Settings {
            friction: from.friction.map(|_| friction),
            ..from
        };
        let mut tracks = self.simulate(settings)?;
        for _ in 0..rounds {
            let Comparison {
                observed, modelled, ..
            } = tracks.part(self.part[0], self.part[1]).compare();
            let (Some((wanted, ..)), Some((found, ..))) = (observed.wind, modelled.wind) else {
                return Err(Failure::usage(
                    "--fit: the wind does not vary",
                    "give a track with wind, or a run with a series",
                ));
            };
            let change = math::ln(wanted.factor / found.factor);
            let scale = math::exp(2.0 * change.clamp(-LARGEST_CHANGE, LARGEST_CHANGE));
            let sense = if tracks.coriolis < 0.0 { -1.0 } else { 1.0 };
            settings.air_drag = (settings.air_drag * scale).clamp(AIR_DRAGS[0], AIR_DRAGS[1]);
            settings.turning = (settings.turning + sense * (wanted.angle - found.angle))
                .clamp(TURNINGS[0], TURNINGS[1]);
            tracks = self.simulate(settings)?;
        }
        Ok((settings, tracks))
    }

    fn simulate(&self, settings: Settings) -> Result<PairedTracks, Failure> {
        let overrides = settings.overrides(self.set);
        (self.pair)(&Drift::simulated(self.scenario, &overrides, self.floe)?)
    }
}

/// Trials that are better than their neighbours and nearly as good as the best one.
fn other_minima(trials: &[(f64, f64, Settings)]) -> Option<String> {
    let cost = |index: usize| trials.get(index).map_or(f64::INFINITY, |trial| trial.1);
    let is_minimum = |&index: &usize| {
        let before = index.checked_sub(1).map_or(f64::INFINITY, cost);
        cost(index) < before && cost(index) < cost(index + 1)
    };
    let minima: Vec<usize> = (0..trials.len()).filter(is_minimum).collect();
    let least = minima
        .iter()
        .map(|&index| cost(index))
        .fold(f64::INFINITY, f64::min);
    let good: Vec<String> = minima
        .into_iter()
        .filter(|&index| cost(index) < least + AS_GOOD)
        .map(|index| format!("{:.0e} m/s", trials[index].0))
        .collect();
    (good.len() > 1).then(|| {
        format!(
            "base frictions around {} do as well as each other",
            good.join(" and ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_that_are_nearly_as_good_are_told() {
        let settings = Settings {
            air_drag: 1e-3,
            turning: 0.0,
            friction: Some(1e-4),
        };
        let trials = |costs: [f64; 5]| {
            let pairs = [1e-5, 1e-4, 1e-3, 3e-3, 1e-2].into_iter().zip(costs);
            pairs
                .map(|(friction, cost)| (friction, cost, settings))
                .collect::<Vec<_>>()
        };
        assert_eq!(other_minima(&trials([0.5, 0.2, 0.3, 0.4, 0.5])), None);
        assert_eq!(other_minima(&trials([0.1, 0.2, 0.12, 0.4, 0.5])), None);
        let told = other_minima(&trials([0.1, 0.2, 0.105, 0.4, 0.5])).unwrap();
        assert!(told.contains("1e-5 m/s and 1e-3 m/s"), "{told}");
    }
}
