//! A crack that starts at the boundary, or inside, and grows segment by segment under a load that grows in proportion.

use std::f64::consts::{PI, TAU};

use banquise_geometry::{DVec2, distance_point_segment, math};

use crate::cut::{CrackPath, cross_segment};
use crate::mesh::area;
use crate::plate::Plate;

/// How a crack is grown.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthSettings {
    /// Length of a segment \[m\]. A segment ends on the edge of the mesh before it.
    pub segment: f64,
    /// Angle between directions that are tried \[rad\].
    pub angle_step: f64,
    /// Largest turn from one segment to the next \[rad\].
    pub largest_turn: f64,
    /// Distance of the boundary points from which cracks start \[m\].
    pub start_step: f64,
    /// Also starts at interior nodes.
    pub starts_inside: bool,
    /// First segments that are solved again, of all that are ranked.
    pub resolved: usize,
    /// Segments after which growth ends.
    pub most_segments: usize,
}

impl Default for GrowthSettings {
    /// For plates of 100 m.
    fn default() -> Self {
        Self {
            segment: 12.0,
            angle_step: 0.15,
            largest_turn: 1.2,
            start_step: 5.0,
            starts_inside: false,
            resolved: 40,
            most_segments: 40,
        }
    }
}

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

impl Plate {
    /// Grows a crack until it has crossed the plate, no direction releases energy, or there are enough segments.
    ///
    /// Of all segments, that of the smallest onset is taken: t = √(ΔS/ΔΠ), with S the surface energy and Π at t = 1.
    pub fn grow(&self, settings: &GrowthSettings) -> Vec<GrowthStep> {
        let mut steps: Vec<GrowthStep> = Vec::new();
        let first = self.cheapest(None, self.first_segments(settings));
        let Some(mut step) = first else {
            return steps;
        };
        loop {
            let is_through = step.path.open_ends[1];
            let is_last = is_through || steps.len() + 1 >= settings.most_segments;
            let next = self.next_segments(&step.path, settings);
            steps.push(step.clone());
            if is_last {
                return steps;
            }
            match self.cheapest(Some(&step), next) {
                Some(longer) => step = longer,
                None => return steps,
            }
        }
    }

    /// The path of the smallest onset; the first of equals.
    fn cheapest(&self, before: Option<&GrowthStep>, paths: Vec<CrackPath>) -> Option<GrowthStep> {
        let known = before.map_or([0.0; 2], |step| {
            [self.surface_energy(&step.path), step.released]
        });
        let mut best: Option<GrowthStep> = None;
        for path in paths {
            let Some(release) = self.release(&path) else {
                continue;
            };
            let released = release.energy - known[1];
            let onset = ((self.surface_energy(&path) - known[0]) / released).sqrt();
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

    /// First segments by the energy of what they cut over what they cost, the best of them.
    fn first_segments(&self, settings: &GrowthSettings) -> Vec<CrackPath> {
        let plane = self.plane();
        let stresses = plane.stresses(self.displacement());
        let mut ranked: Vec<(f64, CrackPath)> = Vec::new();
        for (start, inward) in self.starts(settings) {
            let is_open = inward.is_some();
            let range = if is_open { 0.5 * PI - 0.1 } else { PI };
            let middle = inward.unwrap_or(DVec2::X);
            for direction in fan(middle, range, settings.angle_step) {
                let Some(path) =
                    self.extended(&[start], [is_open, false], direction, settings.segment)
                else {
                    continue;
                };
                let normal = direction.perp();
                let mut energy = 0.0;
                cross_segment(
                    plane.mesh(),
                    [path.points[0], path.points[1]],
                    path.open_ends,
                    |crossing| {
                        let stress = stresses[crossing.element as usize];
                        let density = plane.elasticity().releasable_density(stress, normal);
                        energy += density * (crossing.interval[1] - crossing.interval[0]);
                    },
                );
                ranked.push((energy / self.surface_energy(&path), path));
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
            .into_iter()
            .take(settings.resolved)
            .map(|(_, path)| path)
            .collect()
    }

    /// Points where cracks may start, with the inward normal on the boundary.
    fn starts(&self, settings: &GrowthSettings) -> Vec<(DVec2, Option<DVec2>)> {
        let mesh = self.mesh();
        let mut starts = Vec::new();
        let mut is_boundary = vec![false; mesh.points().len()];
        let mut walked = 0.0;
        for edge in mesh.boundary() {
            let [a, b] = edge.map(|node| mesh.points()[node as usize]);
            is_boundary[edge[0] as usize] = true;
            walked += a.distance(b);
            // The middle of an edge: a crack that starts in a node has no edge to open.
            if walked >= settings.start_step && !edge.iter().all(|node| self.is_held(*node)) {
                walked = 0.0;
                starts.push((0.5 * (a + b), Some((b - a).normalize().perp())));
            }
        }
        if settings.starts_inside {
            let inner = (0..mesh.triangles().len()).map(|element| {
                let [a, b, c] = mesh.corners(element as u32);
                ((a + b + c) / 3.0, None)
            });
            starts.extend(inner.step_by(4));
        }
        starts
    }

    fn next_segments(&self, path: &CrackPath, settings: &GrowthSettings) -> Vec<CrackPath> {
        let [.., before, tip] = path.points[..] else {
            return Vec::new();
        };
        let ahead = (tip - before).normalize();
        fan(ahead, settings.largest_turn, settings.angle_step)
            .filter_map(|direction| {
                self.extended(&path.points, path.open_ends, direction, settings.segment)
            })
            .collect()
    }

    /// A path with one more segment, which ends on an edge of the mesh or on the boundary.
    fn extended(
        &self,
        points: &[DVec2],
        [open_start, _]: [bool; 2],
        direction: DVec2,
        length: f64,
    ) -> Option<CrackPath> {
        let mesh = self.mesh();
        let from = *points.last()?;
        let to = from + length * direction;
        let is_open = [open_start || points.len() > 1, true];
        let mut intervals: Vec<[f64; 2]> = Vec::new();
        cross_segment(mesh, [from, to], is_open, |crossing| {
            intervals.push(crossing.interval);
        });
        intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let near = 1e-6 * length;
        let start = if is_open[0] {
            0.0
        } else {
            intervals.first()?[0]
        };
        let mut end = start;
        for [enters, leaves] in intervals {
            if enters > end + near {
                break;
            }
            end = end.max(leaves);
        }
        if end <= start + near {
            return None;
        }
        let beyond = from + (end + 1e-3 * length) * direction;
        let is_through = !self.contains(beyond);
        if is_through && self.is_gripped(from + end * direction) {
            return None;
        }
        let mut path: Vec<DVec2> = points.to_vec();
        if !is_open[0] {
            path = vec![from + start * direction];
        }
        path.push(from + end * direction);
        Some(CrackPath {
            points: path,
            open_ends: [open_start, is_through],
        })
    }

    /// Whether a point of the boundary is on an edge that is held. Cracks do not run into grips.
    fn is_gripped(&self, point: DVec2) -> bool {
        let mesh = self.mesh();
        let distance = |edge: &[u32; 2]| {
            let [a, b] = edge.map(|node| mesh.points()[node as usize]);
            distance_point_segment(point, a, b).distance
        };
        let nearest = mesh
            .boundary()
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.is_some_and(|edge| edge.iter().all(|node| self.is_held(*node)))
    }

    fn contains(&self, point: DVec2) -> bool {
        let mesh = self.mesh();
        (0..mesh.triangles().len()).any(|element| {
            let [a, b, c] = mesh.corners(element as u32);
            area([a, b, point]) >= 0.0 && area([b, c, point]) >= 0.0 && area([c, a, point]) >= 0.0
        })
    }
}

/// Directions about a middle one, at most `range` away from it.
fn fan(middle: DVec2, range: f64, step: f64) -> impl Iterator<Item = DVec2> {
    let count = (range.min(TAU) / step) as i32;
    (-count..=count).map(move |k| {
        let (sin, cos) = math::sin_cos(f64::from(k) * step);
        DVec2::new(cos, sin).rotate(middle)
    })
}
