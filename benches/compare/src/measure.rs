//! Runs a scene in an engine and measures it.

use banquise::Velocity;
use cpu_time::ProcessTime;
use serde::Serialize;

use crate::engine::{Choice, Engine, Motion};
use crate::judge::energy;
use crate::overlap::Overlaps;
use crate::scene::Scene;

/// What came out.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement {
    /// Name of the scene.
    pub scene: &'static str,
    /// The engine and how hard it tries.
    pub engine: String,
    /// Floes.
    pub floes: usize,
    /// Steps measured.
    pub steps: usize,
    /// Processor time of a step, the median of all repetitions \[ms\].
    pub cpu_ms_per_step: f64,
    /// Processor time of the slowest step of the first run \[ms\].
    pub slowest_ms: f64,
    /// The deepest overlap after any step \[m\].
    pub deepest_overlap_m: f64,
    /// The deepest overlap over the root of the smaller floe's area.
    pub overlap_share: f64,
    /// Energy that steps added, over all energy there was to have.
    pub energy_gained: f64,
    /// Energy at the end over that at the start of the measurement.
    pub energy_kept: f64,
    /// The largest scaled residual of Coulomb's law in a step, the median of all steps; none where contacts give back, since
    /// engines then change velocities after their last solution.
    pub residual: Option<f64>,
    /// The largest scaled residual of all steps.
    pub largest_residual: Option<f64>,
    /// Contacts, the most of any step.
    pub contacts: usize,
    /// Contacts of the largest island of any step.
    pub largest_island: usize,
    /// Friction problems without a solution, of engines that say so.
    pub unsolved: u64,
    /// Steps made shorter, of engines that do so.
    pub shortened: u64,
}

/// Measures one engine in one scene, `repeat` times.
///
/// # Errors
/// When the engine fails.
pub fn measure(scene: &Scene, choice: Choice, repeat: usize) -> Result<Measurement, String> {
    let (mut measurement, seconds) = run(scene, choice)?;
    let mut times = vec![seconds];
    for _ in 1..repeat {
        times.push(run(scene, choice)?.1);
    }
    times.sort_by(f64::total_cmp);
    let steps = scene.setting.steps as f64;
    measurement.cpu_ms_per_step = 1e3 * times[times.len() / 2] / steps;
    Ok(measurement)
}

/// One run, and the processor time of its steps \[s\].
fn run(scene: &Scene, choice: Choice) -> Result<(Measurement, f64), String> {
    let setting = &scene.setting;
    let mut engine = choice.engine(scene)?;
    let mut before = engine.motions()?;
    for _ in 0..setting.warm_up {
        push(scene, &mut before);
        set_velocities(scene, engine.as_mut(), &before)?;
        for _ in 0..choice.splits {
            engine.step()?;
        }
        before = engine.motions()?;
    }
    let first = energy(scene, &before);
    let mut measurement = Measurement {
        scene: setting.name,
        engine: choice.name(),
        floes: scene.floes.len(),
        steps: setting.steps,
        cpu_ms_per_step: 0.0,
        slowest_ms: 0.0,
        deepest_overlap_m: 0.0,
        overlap_share: 0.0,
        energy_gained: 0.0,
        energy_kept: 0.0,
        residual: None,
        largest_residual: None,
        contacts: 0,
        largest_island: 0,
        unsolved: 0,
        shortened: 0,
    };
    let mut overlaps = Overlaps::default();
    let mut residuals = Vec::with_capacity(setting.steps);
    // What was there, and what the push gave.
    let (mut supply, mut seconds, mut last) = (first, 0.0, first);
    for _ in 0..setting.steps {
        push(scene, &mut before);
        let pushed = energy(scene, &before);
        supply += (pushed - last).abs();
        set_velocities(scene, engine.as_mut(), &before)?;
        let until_now = seconds;
        for split in 0..choice.splits {
            if split > 0 {
                before = engine.motions()?;
            }
            let start = ProcessTime::now();
            engine.step()?;
            seconds += start.elapsed().as_secs_f64();
        }
        measurement.slowest_ms = measurement.slowest_ms.max(1e3 * (seconds - until_now));
        let after = engine.motions()?;
        last = energy(scene, &after);
        measurement.energy_gained += (last - pushed).max(0.0);
        overlaps = overlaps.max(Overlaps::of(scene, &after));
        let judged = engine.judge(scene, &before, &after)?;
        residuals.push(judged.residual);
        measurement.contacts = measurement.contacts.max(judged.contacts);
        measurement.largest_island = measurement.largest_island.max(judged.largest);
        measurement.unsolved += judged.unsolved;
        measurement.shortened += judged.shortened;
        before = after;
    }
    measurement.deepest_overlap_m = overlaps.deepest;
    measurement.overlap_share = overlaps.share;
    measurement.energy_gained /= supply;
    measurement.energy_kept = last / first;
    if setting.restitution == 0.0 {
        residuals.sort_by(f64::total_cmp);
        measurement.residual = residuals.get(residuals.len() / 2).copied();
        measurement.largest_residual = residuals.last().copied();
    }
    Ok((measurement, seconds))
}

/// Drag and the push of the scene.
fn push(scene: &Scene, motions: &mut [Motion]) {
    for motion in motions {
        motion.velocity = Velocity {
            linear: scene.setting.kept * motion.velocity.linear + scene.setting.push,
            angular: scene.setting.kept * motion.velocity.angular,
        };
    }
}

/// Tells the engine, unless nothing changed: an engine with single precision would round for nothing.
fn set_velocities(
    scene: &Scene,
    engine: &mut dyn Engine,
    motions: &[Motion],
) -> Result<(), String> {
    if scene.setting.kept == 1.0 {
        return Ok(());
    }
    let velocities: Vec<Velocity> = motions.iter().map(|motion| motion.velocity).collect();
    engine.set_velocities(&velocities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::scene::tests::small_scene;

    #[test]
    fn all_three_engines_run_a_small_scene_and_lose_energy_alike() {
        let scene = small_scene();
        let [ours, rapier, box2d] = [EngineKind::Banquise, EngineKind::RAPIER, EngineKind::BOX2D]
            .map(|kind| measure(&scene, Choice { kind, splits: 1 }, 1).unwrap());
        assert_eq!(ours.deepest_overlap_m, 0.0);
        assert!(ours.largest_residual.unwrap() <= 1e-9);
        assert_eq!(ours.unsolved, 0);
        // Inelastic with friction: nothing may add energy; what is left is rounding.
        assert!(ours.energy_gained < 1e-12);
        for measurement in [&ours, &rapier, &box2d] {
            assert!(measurement.cpu_ms_per_step > 0.0);
            assert!(measurement.contacts > 0, "{measurement:?}");
            assert!(measurement.overlap_share < 0.1, "{measurement:?}");
            assert!(measurement.energy_gained < 1e-2, "{measurement:?}");
            // Trajectories part after the first collisions, so that energies agree but roughly.
            let ratio = measurement.energy_kept / ours.energy_kept;
            assert!((0.8..1.25).contains(&ratio), "{measurement:?}");
        }
        assert!(rapier.residual.unwrap() > 1e-6 && box2d.residual.unwrap() > 1e-6);
    }
}
