//! Points whose distance grows away from bodies: squares that are divided until they are as small as asked for.

use banquise_geometry::{DVec2, math};

use super::mesh::FlowMesh;
use crate::MeshError;

/// Points nearer to a kept one than this share of their spacing are left out.
const CLEARANCE: f64 = 0.6;

/// A disc, or half of one on the axis, whose edge is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedDisc {
    /// Centre \[m\].
    pub centre: DVec2,
    /// Radius \[m\].
    pub radius: f64,
    /// Edges around the whole disc.
    pub edges: usize,
}

impl FittedDisc {
    /// Radius of the regular polygon that has the area of the disc: its edges cut the circle.
    fn polygon_radius(&self) -> f64 {
        let n = self.edges as f64;
        let turn = std::f64::consts::TAU / n;
        self.radius * (turn / math::sin(turn)).sqrt()
    }

    /// Radius of the polygon that makes a solid of revolution with the volume of the sphere.
    fn solid_radius(&self) -> f64 {
        // ∫ of π r² along the axis over the cones between the corners of half a polygon.
        let n = self.edges / 2;
        let corner = |k: usize| math::sin_cos(std::f64::consts::PI * k as f64 / n as f64);
        let volume: f64 = (0..n)
            .map(|k| {
                let ((r, z), (s, y)) = (corner(k), corner(k + 1));
                (z - y) * (r * r + r * s + s * s) / 3.0
            })
            .sum();
        self.radius * math::cbrt(4.0 / 3.0 / volume)
    }

    fn ring(&self) -> Vec<DVec2> {
        let radius = self.polygon_radius();
        let turn = std::f64::consts::TAU / self.edges as f64;
        (0..self.edges)
            .map(|k| {
                let (sin, cos) = math::sin_cos(turn * k as f64);
                self.centre + radius * DVec2::new(cos, sin)
            })
            .collect()
    }

    /// From the upper to the lower pole.
    fn half_ring(&self) -> Vec<DVec2> {
        let (radius, n) = (self.solid_radius(), self.edges / 2);
        (0..=n)
            .map(|k| {
                let (sin, cos) = math::sin_cos(std::f64::consts::PI * k as f64 / n as f64);
                let across = if k == 0 || k == n { 0.0 } else { radius * sin };
                DVec2::new(across, self.centre.y + radius * cos)
            })
            .collect()
    }
}

/// A rectangle with bodies in it.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedMesh {
    /// Lower left corner \[m\].
    pub low: DVec2,
    /// Upper right corner \[m\].
    pub high: DVec2,
    /// The bodies; those on the axis x = 0 are half discs if `is_axisymmetric`.
    pub discs: Vec<FittedDisc>,
    /// Spacing at the bodies \[m\].
    pub near: f64,
    /// Spacing at most \[m\].
    pub far: f64,
    /// By how much the spacing grows over a length.
    pub growth: f64,
    /// Whether the left edge is an axis.
    pub is_axisymmetric: bool,
}

impl GradedMesh {
    /// Spacing at a point \[m\].
    fn spacing(&self, at: DVec2) -> f64 {
        let distance = self.discs.iter().fold(f64::INFINITY, |d, disc| {
            d.min((at.distance(disc.centre) - disc.radius).abs())
        });
        (self.near + self.growth * distance).min(self.far)
    }

    /// Makes the mesh.
    ///
    /// # Errors
    /// If a spacing is not positive or a point cannot be triangulated.
    pub fn triangulate(&self) -> Result<FlowMesh, MeshError> {
        for (name, value) in [
            ("the spacing at the bodies", self.near),
            ("the largest spacing", self.far),
        ] {
            MeshError::check_positive(name, value, "give it in metres")?;
        }
        let rings: Vec<Vec<DVec2>> = self
            .discs
            .iter()
            .map(|disc| {
                if self.is_axisymmetric {
                    disc.half_ring()
                } else {
                    disc.ring()
                }
            })
            .collect();
        let on_axis: Vec<DVec2> = if self.is_axisymmetric {
            let poles = rings
                .iter()
                .filter_map(|ring| Some([*ring.first()?, *ring.last()?]));
            poles.flatten().collect()
        } else {
            Vec::new()
        };
        let outline = self.outline(&on_axis);
        let mut kept: Vec<DVec2> = rings.iter().flatten().copied().collect();
        kept.extend(&outline);
        let others = self.inner(&kept);
        let mut chains: Vec<(Vec<DVec2>, bool)> = vec![(outline, true)];
        chains.extend(rings.into_iter().map(|ring| (ring, !self.is_axisymmetric)));
        FlowMesh::delaunay(&chains, &others)
    }

    /// The rectangle, counter-clockwise, with points of the axis among it.
    fn outline(&self, on_axis: &[DVec2]) -> Vec<DVec2> {
        let (low, high) = (self.low, self.high);
        let corners = [
            low,
            DVec2::new(high.x, low.y),
            high,
            DVec2::new(low.x, high.y),
        ];
        let mut points = Vec::new();
        for k in 0..3 {
            self.march(corners[k], corners[k + 1], &mut points);
        }
        // Down the axis, from body to body.
        let mut stops: Vec<DVec2> = on_axis.to_vec();
        stops.sort_by(|a, b| b.y.total_cmp(&a.y));
        stops.push(low);
        let mut from = corners[3];
        for stop in stops {
            self.march(from, stop, &mut points);
            from = stop;
        }
        points
    }

    /// Points from one end of an edge to before the other, as far apart as the spacing there.
    fn march(&self, from: DVec2, to: DVec2, points: &mut Vec<DVec2>) {
        let length = from.distance(to);
        let mut stations = vec![0.0];
        let mut at = 0.0;
        while at < length {
            let step = self.spacing(from + (to - from) * (at / length));
            // The spacing half a step on is nearer to what the step should be.
            at += self.spacing(from + (to - from) * ((at + 0.5 * step) / length).min(1.0));
            stations.push(at);
        }
        // The last station is beyond the end, or nearly: all are pulled together.
        if stations.len() > 2 && at - length > 0.5 * (at - stations[stations.len() - 2]) {
            stations.pop();
        }
        let scale = 1.0 / stations.last().copied().unwrap_or(length);
        let count = stations.len() - 1;
        points.extend(
            stations
                .iter()
                .take(count)
                .map(|s| from + (to - from) * (s * scale)),
        );
    }

    /// Centres of squares.
    fn inner(&self, kept: &[DVec2]) -> Vec<DVec2> {
        let mut buckets = Buckets::new(self.low, self.high, self.near);
        for point in kept {
            buckets.add(*point);
        }
        let size = self.high - self.low;
        let side = size.x.min(size.y).min(self.far);
        let cells = [size.x, size.y].map(|x| (x / side).ceil() as usize);
        let sides = DVec2::new(size.x / cells[0] as f64, size.y / cells[1] as f64);
        let mut points = Vec::new();
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let centre = self.low + sides * DVec2::new(i as f64 + 0.5, j as f64 + 0.5);
                self.divide(centre, sides, &buckets, &mut points);
            }
        }
        points
    }

    fn divide(&self, centre: DVec2, sides: DVec2, buckets: &Buckets, points: &mut Vec<DVec2>) {
        let spacing = self.spacing(centre);
        // Squares of side s hold triangles of edges about 1.1 s.
        if sides.x.max(sides.y) > 1.2 * spacing {
            for [x, y] in [[-0.25, -0.25], [0.25, -0.25], [0.25, 0.25], [-0.25, 0.25]] {
                self.divide(
                    centre + sides * DVec2::new(x, y),
                    0.5 * sides,
                    buckets,
                    points,
                );
            }
        } else if buckets.is_clear(centre, CLEARANCE * spacing) {
            points.push(centre);
        }
    }
}

/// Points by squares of a grid.
struct Buckets {
    low: DVec2,
    side: f64,
    cells: [usize; 2],
    lists: Vec<Vec<DVec2>>,
}

impl Buckets {
    fn new(low: DVec2, high: DVec2, near: f64) -> Self {
        let size = high - low;
        let side = near.max((size.x * size.y).sqrt() / 300.0);
        let cells = [size.x, size.y].map(|x| (x / side) as usize + 1);
        Self {
            low,
            side,
            cells,
            lists: vec![Vec::new(); cells[0] * cells[1]],
        }
    }

    fn cell(&self, at: DVec2) -> [usize; 2] {
        let place = (at - self.low) / self.side;
        [
            (place.x.max(0.0) as usize).min(self.cells[0] - 1),
            (place.y.max(0.0) as usize).min(self.cells[1] - 1),
        ]
    }

    fn add(&mut self, at: DVec2) {
        let [i, j] = self.cell(at);
        self.lists[j * self.cells[0] + i].push(at);
    }

    fn is_clear(&self, at: DVec2, distance: f64) -> bool {
        let from = self.cell(at - distance);
        let to = self.cell(at + distance);
        (from[1]..=to[1]).all(|j| {
            (from[0]..=to[0]).all(|i| {
                let list = &self.lists[j * self.cells[0] + i];
                list.iter().all(|point| point.distance(at) >= distance)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_disc_has_its_area_and_triangles_fill_the_box() {
        let mesh = GradedMesh {
            low: DVec2::ZERO,
            high: DVec2::ONE,
            discs: vec![FittedDisc {
                centre: DVec2::splat(0.5),
                radius: 0.1,
                edges: 48,
            }],
            near: 0.013,
            far: 0.05,
            growth: 0.1,
            is_axisymmetric: false,
        };
        let found = mesh.triangulate().unwrap();
        let total: f64 = (0..found.triangles.len() as u32)
            .map(|e| found.area(e))
            .sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        let inside = found.elements_where(|at| at.distance(DVec2::splat(0.5)) < 0.1);
        let area: f64 = inside.iter().map(|e| found.area(*e)).sum();
        let exact = std::f64::consts::PI * 0.01;
        assert!((area / exact - 1.0).abs() < 1e-12, "{area}");
    }

    #[test]
    fn half_discs_on_the_axis_have_the_volume_of_spheres() {
        let disc = |y: f64| FittedDisc {
            centre: DVec2::new(0.0, y),
            radius: 1.0,
            edges: 40,
        };
        let mesh = GradedMesh {
            low: DVec2::new(0.0, -10.0),
            high: DVec2::new(10.0, 10.0),
            discs: vec![disc(-1.5), disc(1.5)],
            near: 0.15,
            far: 2.0,
            growth: 0.2,
            is_axisymmetric: true,
        };
        let found = mesh.triangulate().unwrap();
        let inside = found.elements_where(|at| at.distance(DVec2::new(0.0, 1.5)) < 1.0);
        // Pappus: the area times the way of its centroid.
        let volume: f64 = inside
            .iter()
            .map(|e| std::f64::consts::TAU * found.centroid(*e).x * found.area(*e))
            .sum();
        assert!(
            (volume * 0.75 / std::f64::consts::PI - 1.0).abs() < 1e-12,
            "{volume}"
        );
        let total: f64 = (0..found.triangles.len() as u32)
            .map(|e| found.area(e))
            .sum();
        assert!((total - 200.0).abs() < 1e-9);
    }
}
