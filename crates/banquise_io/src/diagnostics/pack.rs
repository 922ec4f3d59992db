//! Diagnostics of the pack: dispersion, distances, concentration, groups, sizes, deformation.

use banquise::diagnostics::clusters::{cluster_sizes, clusters};
use banquise::diagnostics::concentration::{concentration_within, pack_concentration};
use banquise::diagnostics::dispersion::dispersion;
use banquise::diagnostics::energy::{common_energy, is_held};
use banquise::diagnostics::pairs::{PairDistances, median_distance};
use banquise::diagnostics::sizes::{PowerLaw, fit_truncated_power_law};
use banquise::diagnostics::strain::deformation;
use banquise::{Domain, Rectangle};
use banquise_geometry::{DVec2, Shape, convex_hull};

use super::drift::Drift;
use super::floes::{Floes, State};
use crate::recording::Recording;
use crate::spread::{nearest, spread};
use crate::zarr::ZarrError;

/// Records measured at most, and floes times records.
const MAX_RECORDS: usize = 300;
const FLOE_BUDGET: usize = 200_000;
/// Records in which groups are counted at most, and floes times records: groups need distances of outlines.
const MAX_CLUSTER_RECORDS: usize = 60;
const CLUSTER_BUDGET: usize = 60_000;
/// Floes whose pairs are counted: half a million pairs.
const MAX_PAIRED: usize = 1000;
/// Points of a curve of pairs.
const CURVE_POINTS: usize = 60;
/// Fewer different sizes have no law.
const MIN_SIZES: usize = 10;
/// Fewer floes are no pack.
const MIN_FLOES: usize = 3;
/// Floes closer than this share of the mean of √area are of one group.
const CLUSTER_GAP: f64 = 0.02;
/// A floe slower than this share of free drift is held.
pub const HELD_SHARE: f64 = 0.1;

/// The pack in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// Times of the records measured \[s\].
    pub times: Vec<f64>,
    /// σ \[m\].
    pub dispersion: Vec<f64>,
    /// `r_moy` \[m\].
    pub median_distance: Vec<f64>,
    /// Ice in the hull of the pack, or in the periodic cell [–].
    pub concentration: Vec<f64>,
    /// Ice in the area of the scenario [–]; empty where it names none.
    pub area_concentration: Vec<f64>,
    /// Strain rates of the polygon of the floes that were outermost at the start [1/s]; once one of them is gone, of
    /// those that are outermost then.
    pub divergence: Vec<f64>,
    /// Shear rate of that polygon [1/s].
    pub shear: Vec<f64>,
    /// Share of the mass that is held: slower than a tenth of free drift [–]; empty where there is no free drift.
    pub held: Vec<f64>,
    /// Kinetic energy of the others if they drifted freely \[J\]; empty where there is no free drift.
    pub free_energy: Vec<f64>,
    /// Groups of floes.
    pub clusters: Clusters,
    /// Distances of pairs at the snapshots of the scenario.
    pub correlations: Vec<Correlation>,
    /// How many floes were paired.
    pub paired: usize,
    /// Mean caliper diameters of the floes in the last record, sorted \[m\].
    pub sizes: Vec<f64>,
    /// Their power law between the smallest and the largest of them.
    pub law: Option<PowerLaw>,
}

/// Groups of floes in time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clusters {
    /// Floes at most this far apart are of one group \[m\].
    pub gap: f64,
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Numbers of floes in the groups, the largest first.
    pub sizes: Vec<Vec<usize>>,
}

/// Distances of pairs at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// When \[s\].
    pub time: f64,
    /// Points (r \[m\], `C_r` [–]).
    pub curve: Vec<(f64, f64)>,
    /// Slope of ln `C_r` between two radii \[m\]: from, to, slope.
    pub slope: Option<(f64, f64, f64)>,
}

impl Pack {
    pub(super) fn of(
        recording: &Recording,
        times: &[f64],
        floes: &Floes<'_>,
        drift: Option<&Drift>,
    ) -> Result<Option<Self>, ZarrError> {
        let count = floes.count();
        if !floes.have_shapes() || count < MIN_FLOES {
            return Ok(None);
        }
        let last = times.len().checked_sub(1);
        let last = last.map_or(Ok(None), |last| floes.at(last, times[last]))?;
        let last = last.filter(|state| state.floes.len() >= MIN_FLOES);
        let shapes = last.map_or_else(|| floes.first_shapes(), |state| floes.shapes(&state));
        let mut pack = Self::still(&shapes);
        let area = recording.area().filter(|area| is_measurable(area, floes));
        let mut corners: Vec<usize> = Vec::new();
        let limit = (FLOE_BUDGET / count).clamp(4, MAX_RECORDS);
        for record in spread(times.len(), limit) {
            let Some(state) = floes.at(record, times[record])? else {
                continue;
            };
            // A corner that is gone takes the polygon with it.
            if corners.is_empty() || corners.iter().any(|&floe| state.place(floe).is_none()) {
                let places = outermost(&state.positions());
                corners = places.into_iter().map(|place| state.floes[place]).collect();
            }
            pack.times.push(times[record]);
            pack.measure(floes, &state, area.as_ref());
            pack.deform(&state, &corners);
            if let Some(free) = drift.and_then(|drift| drift.free.get(record)) {
                pack.hold(floes, &state, *free);
            }
        }
        pack.group(times, floes)?;
        pack.correlate(recording, times, floes)?;
        Ok((!pack.times.is_empty()).then_some(pack))
    }

    /// Constant measures: sizes and their law.
    fn still(shapes: &[Shape]) -> Self {
        let mut sizes: Vec<f64> = shapes.iter().map(Shape::mean_caliper_diameter).collect();
        sizes.sort_by(f64::total_cmp);
        let law = match sizes[..] {
            [smallest, .., largest] if different(&sizes) >= MIN_SIZES => {
                fit_truncated_power_law(&sizes, smallest, largest)
            }
            _ => None,
        };
        let mean = shapes.iter().map(|shape| shape.area().sqrt()).sum::<f64>();
        Self {
            times: Vec::new(),
            dispersion: Vec::new(),
            median_distance: Vec::new(),
            concentration: Vec::new(),
            area_concentration: Vec::new(),
            divergence: Vec::new(),
            shear: Vec::new(),
            held: Vec::new(),
            free_energy: Vec::new(),
            clusters: Clusters {
                gap: CLUSTER_GAP * mean / shapes.len() as f64,
                ..Clusters::default()
            },
            correlations: Vec::new(),
            paired: shapes.len().min(MAX_PAIRED),
            sizes,
            law,
        }
    }

    fn measure(&mut self, floes: &Floes<'_>, state: &State, area: Option<&Rectangle>) {
        let positions = state.positions();
        let domain = &floes.domain;
        let (masses, shapes) = (floes.masses(state), floes.shapes(state));
        let is_pack = positions.len() >= MIN_FLOES;
        let or_missing = |measured: &dyn Fn() -> f64| if is_pack { measured() } else { f64::NAN };
        let spread = or_missing(&|| dispersion(&masses, &positions));
        self.dispersion.push(spread);
        let median = median_distance(&some_of(&positions), domain);
        self.median_distance.push(median.unwrap_or(f64::NAN));
        let share = or_missing(&|| pack_concentration(&shapes, &state.poses, domain));
        self.concentration.push(share);
        let inside = |area| concentration_within(&shapes, &state.poses, domain, area);
        self.area_concentration.extend(area.map(inside));
    }

    fn deform(&mut self, state: &State, corners: &[usize]) {
        let corners: Vec<usize> = corners.iter().filter_map(|&c| state.place(c)).collect();
        let places: Vec<DVec2> = corners.iter().map(|&c| state.poses[c].position).collect();
        let velocities: Vec<DVec2> = corners.iter().map(|&c| state.velocities[c]).collect();
        let (divergence, shear) = deformation(&places, &velocities)
            .map_or((f64::NAN, f64::NAN), |found| {
                (found.divergence, found.shear)
            });
        self.divergence.push(divergence);
        self.shear.push(shear);
    }

    /// Which floes are held, as in a jam, and the energy the others would have.
    fn hold(&mut self, floes: &Floes<'_>, state: &State, free: DVec2) {
        let masses = floes.masses(state);
        let both = masses.iter().zip(&state.velocities);
        let going = both.filter(|(_, velocity)| !is_held(**velocity, free, HELD_SHARE));
        let going: f64 = going.map(|(mass, _)| mass).sum();
        let all: f64 = masses.iter().sum();
        self.held.push(1.0 - going / all);
        let energy = common_energy(std::iter::once(going), free);
        self.free_energy.push(energy);
    }

    fn group(&mut self, times: &[f64], floes: &Floes<'_>) -> Result<(), ZarrError> {
        let limit = (CLUSTER_BUDGET / floes.count()).clamp(4, MAX_CLUSTER_RECORDS);
        for record in spread(times.len(), limit) {
            if let Some(state) = floes.at(record, times[record])? {
                let groups = clusters(
                    &floes.shapes(&state),
                    &state.poses,
                    &floes.domain,
                    self.clusters.gap,
                );
                self.clusters.times.push(times[record]);
                self.clusters.sizes.push(cluster_sizes(&groups));
            }
        }
        Ok(())
    }

    fn correlate(
        &mut self,
        recording: &Recording,
        times: &[f64],
        floes: &Floes<'_>,
    ) -> Result<(), ZarrError> {
        let snapshots = recording.snapshots().into_iter();
        let mut records: Vec<usize> = snapshots.filter_map(|time| nearest(times, time)).collect();
        records.dedup();
        let mean_size = self.sizes.iter().sum::<f64>() / self.sizes.len() as f64;
        for record in records {
            let Some(state) = floes.at(record, times[record])? else {
                continue;
            };
            let pairs = PairDistances::of(&some_of(&state.positions()), &floes.domain);
            // From the size of the floes, which keeps them apart, to where the edge of the pack is felt.
            let (from, to) = (2.0 * mean_size, 0.5 * pairs.median().unwrap_or_default());
            let slope = pairs.slope(from, to).map(|slope| (from, to, slope));
            self.correlations.push(Correlation {
                time: times[record],
                curve: pairs.curve(CURVE_POINTS),
                slope,
            });
        }
        Ok(())
    }
}

/// Whether an area is not so many periodic cells wide that counting the images in it would not end.
fn is_measurable(area: &Rectangle, floes: &Floes<'_>) -> bool {
    const MAX_CELLS: f64 = 1000.0;
    match floes.domain {
        Domain::Periodic(cell) => (area.size() / cell.size()).max_element() < MAX_CELLS,
        Domain::Free | Domain::Bounded(_) => true,
    }
}

/// How many sorted sizes differ.
fn different(sizes: &[f64]) -> usize {
    sizes.chunk_by(|a, b| a == b).count()
}

/// Not more floes than can be paired.
fn some_of(positions: &[DVec2]) -> Vec<DVec2> {
    spread(positions.len(), MAX_PAIRED)
        .map(|index| positions[index])
        .collect()
}

/// The floes on the convex hull of all, counter-clockwise.
fn outermost(positions: &[DVec2]) -> Vec<usize> {
    let hull = convex_hull(positions);
    let place = |corner: &DVec2| positions.iter().position(|position| position == corner);
    hull.iter().filter_map(place).collect()
}
