//! The search for the crack that a floe's energy balance asks for.

use crate::candidates::{Boundary, Chord};
use crate::crack::{Crack, CrackSettings};
use crate::cut::{CrackPath, cross_segment};
use crate::elasticity::{Tensor, tractions};
use crate::load::Load;
use crate::opening::{CELLS, Tension, bound, estimate};
use crate::plane::Plane;
use crate::release::Strained;

/// Cracks whose ends are both nearer than this share of the perimeter to those of another are the same to the search. Of 0.04, 0.06, 0.09
/// and 0.12 it is the one with which ten candidates find the most.
const SAME_CRACK: f64 = 0.09;

/// Step by which the ends of the best crack are moved to find a better one, as a share of the perimeter.
const FIRST_STEP: f64 = 0.02;

/// How many such steps an end is moved at most.
const REACH: i32 = 2;

/// Candidates solved again around one crack before the next search.
const ROUND: usize = 2;

/// A search is given up where the best estimate of the ratio of released to surface energy is below this. Of 10,000 random blows, of which the whole search breaks
/// 4,062, the least estimate of one that breaks is 0.118, the next 0.41 (`no_blow_that_breaks_a_floe_is_rejected_by_a_bound` of `banquise`).
const HOPELESS_ESTIMATE: f64 = 0.1;

/// A search is given up where the first crack that is solved again has a ratio below this; the least of one that breaks is 0.046, the next 0.088.
const HOPELESS: f64 = 0.04;

/// A floe under load, and how its crack is searched for.
pub(crate) struct Search<'a> {
    pub plane: &'a Plane,
    pub boundary: &'a Boundary,
    pub settings: &'a CrackSettings,
    /// Elastic energy \[J\].
    pub available: f64,
    /// Stress of each triangle \[Pa\].
    pub stresses: Vec<Tensor>,
    pub strained: Strained<'a>,
}

/// A candidate that was solved again.
#[derive(Clone, Copy)]
struct Tried {
    chord: Chord,
    released: f64,
    /// Energy released over surface energy.
    ratio: f64,
}

impl Search<'_> {
    /// Of the candidates solved again, that of the largest ratio, if it is at least one.
    ///
    /// Half of them are the best by estimate of those that differ; the others are searched for about the best of these.
    pub(crate) fn run(&self, load: &Load) -> Option<Crack> {
        let boundary = self.boundary;
        let ranked = self.ranked(boundary.chords(load, self.settings));
        let most = ranked.first()?.0;
        if self.settings.gives_up && most < HOPELESS_ESTIMATE {
            return None;
        }
        let mut tried: Vec<Tried> = Vec::new();
        let first = self.settings.resolved.saturating_sub(self.settings.refined);
        self.solve(
            &ranked,
            SAME_CRACK * boundary.perimeter(),
            first,
            &mut tried,
        );
        if self.is_hopeless(&tried) {
            return None;
        }
        let mut step = FIRST_STEP * boundary.perimeter();
        let mut left = self.settings.refined.min(self.settings.resolved);
        while left > 0 {
            let best = best(&tried)?;
            let near = boundary.neighbours(&best.chord, step, REACH, self.settings);
            let known = tried.len();
            self.solve(&self.ranked(near), 0.5 * step, left.min(ROUND), &mut tried);
            if tried.len() == known {
                break;
            }
            left -= tried.len() - known;
            step *= 0.5;
        }
        let best = best(&tried).filter(|best| best.ratio >= 1.0)?;
        Some(Crack {
            path: best.chord.points().to_vec(),
            length: best.chord.length(),
            released: best.released,
        })
    }

    /// Solves again the first `most` candidates that are not within `same` \[m\] of one that was tried.
    fn solve(&self, ranked: &[(f64, Chord)], same: f64, most: usize, tried: &mut Vec<Tried>) {
        let boundary = self.boundary;
        let end = tried.len() + most;
        let is_all = ranked.len() <= most;
        for (_, chord) in ranked {
            if tried.len() >= end || self.is_hopeless(tried) {
                return;
            }
            let is_known = |other: &Tried| chord.distance(&other.chord, boundary) < same;
            if !is_all && tried.iter().any(is_known) {
                continue;
            }
            let path = CrackPath {
                points: chord.points().to_vec(),
                open_ends: [true; 2],
            };
            // A crack that leaves one piece leaves a hinge.
            let release = self
                .strained
                .release(&path)
                .filter(|release| release.pieces > 1);
            let released = release.map_or(0.0, |release| release.energy);
            tried.push(Tried {
                chord: *chord,
                released,
                ratio: released / self.plane.surface_energy(chord.length()),
            });
        }
    }

    /// Candidates by the estimated ratio of released to surface energy, the largest first. Those that cost more than there is are
    /// left out, and those that a tensile strength forbids.
    fn ranked(&self, chords: Vec<Chord>) -> Vec<(f64, Chord)> {
        let mut ranked: Vec<(f64, Chord)> = Vec::with_capacity(chords.len());
        for chord in chords {
            if self.plane.surface_energy(chord.length()) <= self.available
                && let Some(ratio) = self.estimated(&chord)
            {
                ranked.push((ratio, chord));
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
    }

    /// Whether the first crack solved again releases so little that no other will do.
    fn is_hopeless(&self, tried: &[Tried]) -> bool {
        self.settings.gives_up && tried.len() == 1 && tried[0].ratio < HOPELESS
    }

    fn estimated(&self, chord: &Chord) -> Option<f64> {
        let plane = self.plane;
        let [a, b] = chord.points();
        let length = chord.length();
        let normal = ((b - a) / length).perp();
        let mut tension: Tension = [Some(0.0); CELLS];
        let mut profile: Vec<([f64; 2], f64)> = Vec::new();
        let cell = length / CELLS as f64;
        cross_segment(plane.mesh(), [a, b], [true; 2], |crossing| {
            let (across, _) = tractions(self.stresses[crossing.element as usize], normal);
            profile.push((crossing.interval, across));
            let nodes = plane.mesh().triangles()[crossing.element as usize];
            let is_held = nodes
                .iter()
                .any(|node| self.strained.held[*node as usize][0]);
            let [from, to] = crossing
                .interval
                .map(|s| (s / cell).clamp(0.0, CELLS as f64));
            let cells = tension.iter_mut().enumerate().skip(from as usize);
            for (i, value) in cells.take_while(|(i, _)| (*i as f64) < to) {
                let share = to.min(i as f64 + 1.0) - from.max(i as f64);
                if is_held && share > 0.5 {
                    *value = None;
                }
                if let Some(value) = value {
                    *value += share * across;
                }
            }
        });
        if !self.is_strained_enough(&mut profile) {
            return None;
        }
        let elasticity = plane.elasticity();
        // L²/E for ice of unit thickness, over G_c L.
        let scale = length / (elasticity.young * elasticity.toughness);
        let most = scale * bound(&tension);
        if self.settings.gives_up && most < HOPELESS_ESTIMATE {
            return Some(most);
        }
        Some(scale * estimate(&tension))
    }

    /// The coupled criterion: somewhere along the path, the mean tension over the length
    /// 2 E `G_c`/(π σ²) reaches the strength σ (finite fracture mechanics, Cornetti et al. 2006).
    fn is_strained_enough(&self, tension: &mut [([f64; 2], f64)]) -> bool {
        let elasticity = self.plane.elasticity();
        let Some(strength) = elasticity.tensile_strength else {
            return true;
        };
        let window = 2.0 * elasticity.young * elasticity.toughness
            / (std::f64::consts::PI * strength * strength);
        tension.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
        (0..tension.len()).any(|first| {
            let (mut length, mut force) = (0.0, 0.0);
            for ([from, to], stress) in &tension[first..] {
                length += to - from;
                force += (to - from) * stress;
                if length >= window {
                    break;
                }
            }
            // A path that is shorter than the window must bear the strength on the mean.
            (length >= window || first == 0) && force >= strength * length
        })
    }
}

/// The largest ratio; the first of equals.
fn best(tried: &[Tried]) -> Option<Tried> {
    tried.iter().copied().reduce(|best, other| {
        if other.ratio > best.ratio {
            other
        } else {
            best
        }
    })
}
