//! A crack that starts at the boundary, or inside, and grows segment by segment under a load that grows in proportion.

use crate::cut::{CrackPath, cross_segment};
use crate::elasticity::Tensor;
use crate::grower::{Grower, GrowthSettings};
use crate::plane::Plane;
use crate::plate::Plate;
use crate::release::Release;

/// The crack after one more segment.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthStep {
    /// All of it.
    pub path: CrackPath,
    /// Load factor at which this segment pays for itself. Where it is less than that of an earlier one, the crack runs.
    pub onset: f64,
    /// Energy released by the whole crack at t = 1 \[J\].
    pub released: f64,
}

/// What a crack releases and costs.
struct Energies<'a> {
    release: &'a dyn Fn(&CrackPath) -> Option<Release>,
    /// `G_c` h L \[J\].
    cost: &'a dyn Fn(&CrackPath) -> f64,
}

impl Energies<'_> {
    /// Grows a crack until nothing is left to grow, no direction releases energy, or there are enough segments.
    ///
    /// Of all segments, that of the smallest onset is taken: t = √(ΔS/ΔΠ), with S the surface energy and Π at t = 1.
    fn grow(
        &self,
        grower: &Grower<'_>,
        first: Vec<CrackPath>,
        settings: &GrowthSettings,
    ) -> Vec<GrowthStep> {
        let mut steps: Vec<GrowthStep> = Vec::new();
        let mut next = self.cheapest(None, first);
        while let Some(step) = next {
            let is_last =
                grower.is_through(&step.path) || steps.len() + 1 >= settings.most_segments;
            next = if is_last {
                None
            } else {
                self.cheapest(Some(&step), grower.next_segments(&step.path, settings))
            };
            steps.push(step);
        }
        steps
    }

    /// The path of the smallest onset; the first of equals.
    fn cheapest(&self, before: Option<&GrowthStep>, paths: Vec<CrackPath>) -> Option<GrowthStep> {
        let known = before.map_or([0.0; 2], |step| [(self.cost)(&step.path), step.released]);
        let mut best: Option<GrowthStep> = None;
        for path in paths {
            let Some(release) = (self.release)(&path) else {
                continue;
            };
            let released = release.energy - known[1];
            let onset = (((self.cost)(&path) - known[0]) / released).sqrt();
            if released > 0.0 && best.as_ref().is_none_or(|best| onset < best.onset) {
                best = Some(GrowthStep {
                    path,
                    onset,
                    released: release.energy,
                });
            }
        }
        best
    }
}

impl Plate {
    /// Grows a crack until both its ends are on the outer boundary, no direction releases energy, or there are enough segments. Both tips of a
    /// crack that starts inside grow; a crack that meets a hole goes on from another place of its boundary.
    pub fn grow(&self, settings: &GrowthSettings) -> Vec<GrowthStep> {
        let is_held = |node: u32| self.is_held(node);
        let grower = Grower::new(self.mesh(), &is_held);
        let energies = Energies {
            release: &|path| self.release(path),
            cost: &|path| self.surface_energy(path),
        };
        let first = grower.first_segments(settings);
        let stresses = self.plane().stresses(self.displacement());
        let cost = |path: &CrackPath| self.surface_energy(path);
        let first = best_by_cut_energy(self.plane(), &stresses, first, &cost, settings.resolved);
        energies.grow(&grower, first, settings)
    }
}

/// First segments by the energy of what they cut over what they cost, the best of them.
fn best_by_cut_energy(
    plane: &Plane,
    stresses: &[Tensor],
    paths: Vec<CrackPath>,
    cost: &dyn Fn(&CrackPath) -> f64,
    count: usize,
) -> Vec<CrackPath> {
    let mut ranked: Vec<(f64, CrackPath)> = Vec::with_capacity(paths.len());
    for path in paths {
        let ends = [path.points[0], path.points[1]];
        let normal = (ends[1] - ends[0]).normalize().perp();
        let mut energy = 0.0;
        cross_segment(plane.mesh(), ends, path.open_ends, |crossing| {
            let stress = stresses[crossing.element as usize];
            let density = plane.elasticity().releasable_density(stress, normal);
            energy += density * (crossing.interval[1] - crossing.interval[0]);
        });
        ranked.push((energy / cost(&path), path));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked
        .into_iter()
        .take(count)
        .map(|(_, path)| path)
        .collect()
}
