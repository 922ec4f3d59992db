//! A crack that starts at the boundary, or inside, and grows segment by segment under a load that grows in proportion.

use banquise_geometry::DVec2;

use crate::crack::{Crack, CrackSettings};
use crate::cut::{CrackPath, cross_segment};
use crate::elasticity::Tensor;
use crate::floe::FloeModel;
use crate::grower::{Grower, GrowthSettings};
use crate::load::Load;
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

/// What a crack releases and costs, in a plate or a floe.
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

/// Directions of the first segment of a curved crack on either side of the straight one, and the largest turn from then on \[rad\].
const FLOE_TURN: f64 = 0.6;

impl FloeModel {
    /// The crack that the energy balance asks for, which may be curved: from both ends of the best straight crack one grows segment by segment, of
    /// length `segment` \[m\], and the best of the three is taken: that of the largest ratio of released to surface energy. It costs some ten times as much as
    /// [`crack`](Self::crack).
    pub fn curved_crack(
        &self,
        load: &Load,
        settings: &CrackSettings,
        segment: f64,
    ) -> Option<Crack> {
        let straight = self.crack(load, settings)?;
        let growth = GrowthSettings {
            segment,
            largest_turn: FLOE_TURN,
            ..GrowthSettings::default()
        };
        let ends = [straight.path[0], straight.path[straight.path.len() - 1]];
        let ratio = |crack: &Crack| crack.released / crack.length;
        let mut best = straight;
        for [from, to] in [ends, [ends[1], ends[0]]] {
            let grown = self.grown_crack(load, settings, [from, to], &growth);
            if let Some(grown) = grown.filter(|grown| ratio(grown) > ratio(&best)) {
                best = grown;
            }
        }
        Some(best)
    }

    /// The crack that grows from a point of the boundary, at first about towards another point; `None` if it does not cut the floe in two.
    fn grown_crack(
        &self,
        load: &Load,
        settings: &CrackSettings,
        [from, to]: [DVec2; 2],
        growth: &GrowthSettings,
    ) -> Option<Crack> {
        self.with_strained(load, settings, |strained, _| {
            let grower = Grower::new(self.mesh(), &|_| false);
            let energies = Energies {
                release: &|path| strained.release(path),
                cost: &|path| strained.plane.surface_energy(path.length()),
            };
            let first = grower.segments_towards(from, to, growth);
            let last = energies.grow(&grower, first, growth).pop()?;
            let release = strained.release(&last.path)?;
            (grower.is_through(&last.path) && release.pieces > 1).then(|| Crack {
                length: last.path.length(),
                released: release.energy,
                path: last.path.points,
            })
        })
    }
}
