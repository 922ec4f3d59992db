//! The search for the crack that a floe's energy balance asks for.

use banquise_geometry::DVec2;

use crate::candidates::{Boundary, Chord};
use crate::crack::{Crack, CrackSettings};
use crate::cut::{CrackPath, cross_segment};
use crate::elasticity::{Tensor, tractions};
use crate::load::Load;
use crate::opened::Relief;
use crate::opening::{CELLS, Tension, bound, estimate};
use crate::plane::{Held, Plane};
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

/// Meshes with fewer nodes do not resolve contacts: estimates are off there, and a search goes on with less hope.
const RESOLVED_NODES: usize = 150;

/// A search is given up where the best estimate of the ratio of released to surface energy is below this, on meshes that resolve contacts and on others.
/// Of 20,000 random blows on meshes of 150 nodes, of which the whole search breaks 8,882, the least estimate of one that breaks is 0.309, the next 0.362; on meshes of 100
/// nodes, of which 8,137 break, it is 0.118, the next 0.213 (blows of `no_blow_that_breaks_a_floe_is_rejected_by_a_bound` of `banquise`, seeds 7 and 8).
const HOPELESS_ESTIMATE: f64 = 0.2;
const HOPELESS_UNRESOLVED: f64 = 0.1;

/// A search on a mesh that resolves contacts is given up where after so many candidates the best ratio is below this. The least of the same blows that break are 0.081,
/// 0.098, 0.171, 0.65 and 0.854.
const HOPELESS: [(usize, f64); 5] = [(1, 0.04), (3, 0.06), (5, 0.1), (7, 0.4), (9, 0.7)];

/// A floe under load, and how its crack is searched for.
pub(crate) struct Search<'a> {
    pub plane: &'a Plane,
    pub boundary: &'a Boundary,
    pub settings: &'a CrackSettings,
    /// Elastic energy \[J\].
    pub available: f64,
    /// Stress of each triangle \[Pa\].
    pub stresses: Vec<Tensor>,
    pub displacement: &'a [DVec2],
    /// Nodes under contact forces.
    pub held: &'a [Held],
    /// Drag and inertia for a unit of area \[N/m²\].
    pub body_force: &'a [DVec2],
    pub relief: Relief,
}

/// A candidate whose release is estimated.
struct Candidate {
    chord: Chord,
    tension: Tension,
    /// L²/E over `G_c` L, with which estimates of a crack of unit length become ratios of released to surface energy.
    scale: f64,
    /// Bound of the estimate.
    most: f64,
}

/// Candidates by their estimates, the largest first. An estimate is made where its bound is above all that were made.
struct Ranked {
    /// By their bounds, the largest last.
    unknown: Vec<Candidate>,
    known: Vec<(f64, Chord)>,
}

impl Ranked {
    fn new(mut unknown: Vec<Candidate>) -> Self {
        unknown.reverse();
        unknown.sort_by(|a, b| a.most.total_cmp(&b.most));
        Self {
            unknown,
            known: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.unknown.len() + self.known.len()
    }

    /// Place of the largest estimate; the first of equals.
    fn largest(&mut self) -> Option<usize> {
        loop {
            let mut largest: Option<usize> = None;
            for (place, (estimate, _)) in self.known.iter().enumerate() {
                if largest.is_none_or(|other| *estimate > self.known[other].0) {
                    largest = Some(place);
                }
            }
            let known = largest.map_or(f64::NEG_INFINITY, |place| self.known[place].0);
            match self.unknown.pop_if(|next| next.most > known) {
                Some(next) => {
                    let estimate = next.scale * estimate(&next.tension);
                    self.known.push((estimate, next.chord));
                }
                None => return largest,
            }
        }
    }

    /// The largest estimate.
    fn peek(&mut self) -> Option<f64> {
        self.largest().map(|place| self.known[place].0)
    }

    /// Takes the candidate with the largest estimate.
    fn next(&mut self) -> Option<Chord> {
        self.largest().map(|place| self.known.remove(place).1)
    }
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
        let mut ranked = self.ranked(boundary.chords(load, self.settings));
        let most = ranked.peek()?;
        if self.settings.gives_up && most < self.hopeless_estimate() {
            return None;
        }
        // Contacts touch both ends of an edge at least, and hold the floe in place.
        let factor = self.plane.factor(self.held)?;
        let strained = Strained {
            plane: self.plane,
            factor: &factor,
            displacement: self.displacement,
            held: self.held,
            body_force: self.body_force,
            relief: self.relief,
            lips: self.settings.lips,
        };
        let mut tried: Vec<Tried> = Vec::new();
        let first = self.settings.resolved.saturating_sub(self.settings.refined);
        let same = SAME_CRACK * boundary.perimeter();
        self.solve(&strained, ranked, (same, first), &mut tried);
        let mut step = FIRST_STEP * boundary.perimeter();
        let mut left = self.settings.refined.min(self.settings.resolved);
        while left > 0 && !self.is_hopeless(&tried) {
            let best = best(&tried)?;
            let near = boundary.neighbours(&best.chord, step, REACH, self.settings);
            let known = tried.len();
            let most = left.min(ROUND);
            self.solve(&strained, self.ranked(near), (0.5 * step, most), &mut tried);
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
    fn solve(
        &self,
        strained: &Strained<'_>,
        mut ranked: Ranked,
        (same, most): (f64, usize),
        tried: &mut Vec<Tried>,
    ) {
        let boundary = self.boundary;
        let end = tried.len() + most;
        let is_all = ranked.len() <= most;
        while tried.len() < end && !self.is_hopeless(tried) {
            let Some(chord) = ranked.next() else {
                return;
            };
            let is_known = |other: &Tried| chord.distance(&other.chord, boundary) < same;
            if !is_all && tried.iter().any(is_known) {
                continue;
            }
            let path = CrackPath {
                points: chord.points().to_vec(),
                open_ends: [true; 2],
            };
            // A crack that leaves one piece leaves a hinge.
            let release = strained.release(&path);
            let release = release.filter(|release| release.pieces > 1);
            let released = release.map_or(0.0, |release| release.energy);
            tried.push(Tried {
                chord,
                released,
                ratio: released / self.plane.surface_energy(chord.length()),
            });
        }
    }

    /// Candidates by the estimated ratio of released to surface energy. Those that cost more than there is are left out, and those that a
    /// tensile strength forbids.
    fn ranked(&self, chords: Vec<Chord>) -> Ranked {
        let is_paid = |chord: &Chord| self.plane.surface_energy(chord.length()) <= self.available;
        let paid = chords.into_iter().filter(is_paid);
        Ranked::new(paid.filter_map(|chord| self.candidate(chord)).collect())
    }

    fn is_resolved(&self) -> bool {
        self.plane.node_count() >= RESOLVED_NODES
    }

    fn hopeless_estimate(&self) -> f64 {
        if self.is_resolved() {
            HOPELESS_ESTIMATE
        } else {
            HOPELESS_UNRESOLVED
        }
    }

    /// Whether the cracks solved again release so little that no other will do.
    fn is_hopeless(&self, tried: &[Tried]) -> bool {
        let is_below = |&(count, ratio): &(usize, f64)| {
            tried.len() == count && tried.iter().all(|own| own.ratio < ratio)
        };
        self.settings.gives_up && self.is_resolved() && HOPELESS.iter().any(is_below)
    }

    /// A crack with the tension across it, unless a tensile strength forbids it.
    fn candidate(&self, chord: Chord) -> Option<Candidate> {
        let plane = self.plane;
        let [a, b] = chord.points();
        let length = chord.length();
        let normal = ((b - a) / length).perp();
        let mut tension: Tension = [Some(0.0); CELLS];
        let mut profile: Vec<([f64; 2], f64)> = Vec::new();
        let cell = length / CELLS as f64;
        cross_segment(plane.mesh(), [a, b], [true; 2], |crossing| {
            let (across, _) = tractions(self.stresses[crossing.element as usize], normal);
            if plane.elasticity().tensile_strength.is_some() {
                profile.push((crossing.interval, across));
            }
            let nodes = plane.mesh().triangles()[crossing.element as usize];
            let is_held = nodes.iter().any(|node| self.held[*node as usize][0]);
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
        Some(Candidate {
            chord,
            scale,
            most: scale * bound(&tension),
            tension,
        })
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
