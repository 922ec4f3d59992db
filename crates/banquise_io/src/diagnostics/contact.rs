//! Impulses, collisions and loads in windows of time.

use banquise::diagnostics::windows::{Window, exceedance, peaks, windows};

use crate::recording::Recording;
use crate::zarr::ZarrError;

/// Windows of time for collisions, where the scenario does not say.
const COLLISION_WINDOWS: f64 = 50.0;

/// Impulses and collisions in windows of time.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactHistory {
    /// Sums of the normal impulses of all contacts [N s].
    pub normal_impulse: Vec<Window>,
    /// Pairs that came into contact.
    pub collisions: Vec<Window>,
    /// Times of the records at which contacts of the laws without friction had begun to hold since the record before \[s\].
    pub sticks: Vec<f64>,
    /// As `sticks`, for contacts that had taken off \[s\].
    pub take_offs: Vec<f64>,
}

impl ContactHistory {
    pub(super) fn of(recording: &Recording, times: &[f64]) -> Result<Self, ZarrError> {
        let (impulses, collisions) = (
            recording.series("normal_impulse")?,
            recording.series("collision_count")?,
        );
        let end = times.last().copied().unwrap_or_default();
        let asked = recording.time_window();
        let changes = |name: &str| -> Result<Vec<f64>, ZarrError> {
            if !recording.has(name) {
                return Ok(Vec::new());
            }
            let counts = recording.series(name)?;
            let pairs = counts.windows(2).zip(times.iter().skip(1));
            let grown = pairs.filter(|(pair, _)| pair[1] > pair[0]);
            Ok(grown.map(|(_, &time)| time).collect())
        };
        Ok(Self {
            sticks: changes("stick_count")?,
            take_offs: changes("take_off_count")?,
            normal_impulse: windows(times, &impulses, asked.unwrap_or(0.0)),
            collisions: windows(times, &collisions, asked.unwrap_or(end / COLLISION_WINDOWS)),
        })
    }

    /// Whether there was any contact.
    pub fn is_empty(&self) -> bool {
        let mut all = self.normal_impulse.iter().chain(&self.collisions);
        all.all(|window| window.sum == 0.0)
    }
}

/// Load on an obstacle or a wall.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Its name.
    pub name: String,
    /// Sums of the normal impulses in windows of time [N s].
    pub normal: Vec<Window>,
    /// Sums of the tangential impulses, without their signs, in the same windows [N s].
    pub tangent: Vec<Window>,
    /// The largest normal impulse of one step [N s].
    pub largest: f64,
    /// For each mean normal force of a window \[N\], the share of windows that reach it.
    pub exceedance: Vec<(f64, f64)>,
    /// Peaks of the mean normal force: for each \[N\], how many reach it.
    pub peaks: Vec<(f64, f64)>,
    /// Mean pressures of ice that is crushed, in the same windows \[Pa\]: the crushing force over chord times thickness. Zero
    /// where none is crushed.
    pub pressure: Vec<f64>,
    /// For each of them, the share of windows that reach it.
    pub pressure_exceedance: Vec<(f64, f64)>,
}

impl Load {
    /// The window with the largest mean normal force.
    pub fn peak(&self) -> Option<Window> {
        let windows = self.normal.iter().copied();
        windows.max_by(|a, b| a.rate().total_cmp(&b.rate()))
    }

    /// The largest mean pressure of a window \[Pa\]; none where no ice was crushed.
    pub fn peak_pressure(&self) -> Option<f64> {
        self.pressure_exceedance
            .last()
            .map(|&(pressure, _)| pressure)
    }

    /// Normal and tangential impulse of the whole run [N s].
    pub fn total(&self) -> (f64, f64) {
        let sum = |windows: &[Window]| windows.iter().map(|window| window.sum).sum();
        (sum(&self.normal), sum(&self.tangent))
    }
}

/// Mean pressure of a window \[Pa\], from the impulse of contacts that crush and the area over time; zero where none do.
fn pressure((impulse, area): (&Window, &Window)) -> f64 {
    if area.sum > 0.0 {
        impulse.sum / area.sum
    } else {
        0.0
    }
}

/// The loads of all obstacles and walls.
pub(super) fn loads(recording: &Recording, times: &[f64]) -> Result<Vec<Load>, ZarrError> {
    let table = recording.loads()?;
    let length = recording.time_window().unwrap_or(0.0);
    let load = |(index, name): (usize, &String)| {
        let normal = windows(times, &table.normal[index], length);
        let forces: Vec<f64> = normal.iter().map(Window::rate).collect();
        let crushing = windows(times, &table.crushing[index], length);
        let areas = windows(times, &table.crushing_area[index], length);
        let pressure: Vec<f64> = crushing.iter().zip(&areas).map(pressure).collect();
        let maxima = peaks(&forces);
        let count = maxima.len() as f64;
        let shares = exceedance(&maxima).into_iter();
        Load {
            name: name.clone(),
            tangent: windows(times, &table.tangent[index], length),
            largest: table.largest[index],
            exceedance: exceedance(&forces),
            peaks: shares
                .map(|(force, share)| (force, share * count))
                .collect(),
            pressure_exceedance: exceedance(&pressure),
            pressure,
            normal,
        }
    };
    Ok(table.names.iter().enumerate().map(load).collect())
}
