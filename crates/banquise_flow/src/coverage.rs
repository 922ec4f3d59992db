//! Which share of each cell a body covers, exactly, for discs and polygons; lengths in cells.

use banquise_geometry::{DVec2, Shape, math};

use crate::body::Body;

/// Shares below this one are left out, and shares that miss unity by less are unity: they would change the area of a body by rounding
/// only, and their compliance would exceed that of the fluid by more digits than the factorisation has.
const NEGLIGIBLE: f64 = 1e-6;

/// The outline of a body in units of cells, in the frame of the grid.
#[derive(Debug, Clone)]
pub(crate) enum Region {
    Disc { centre: DVec2, radius: f64 },
    Polygon { vertices: Vec<DVec2>, centre: DVec2 },
}

impl Region {
    pub(crate) fn new(body: &Body, spacing: f64) -> Self {
        let place = |point: DVec2| body.pose.world_from_body(point) / spacing;
        let centre = place(body.shape.centroid());
        match &body.shape {
            Shape::Disc(disc) => Self::Disc {
                centre,
                radius: disc.radius() / spacing,
            },
            Shape::Outline(outline) => Self::Polygon {
                vertices: outline.vertices().iter().map(|&v| place(v)).collect(),
                centre,
            },
        }
    }

    pub(crate) fn centre(&self) -> DVec2 {
        match self {
            Self::Disc { centre, .. } | Self::Polygon { centre, .. } => *centre,
        }
    }

    /// Lower left and upper right corner of the bounding box.
    pub(crate) fn bounds(&self) -> [DVec2; 2] {
        match self {
            Self::Disc { centre, radius } => [*centre - *radius, *centre + *radius],
            Self::Polygon { vertices, .. } => {
                let first = [DVec2::INFINITY, DVec2::NEG_INFINITY];
                let grow = |[low, high]: [DVec2; 2], v: &DVec2| [low.min(*v), high.max(*v)];
                vertices.iter().fold(first, grow)
            }
        }
    }

    /// Calls `visit(i, j, share)` for each window of side 1 around (i, j) + `offset` that the body covers in part or whole, row by
    /// row. Indices are not wrapped.
    pub(crate) fn for_each_share(&self, offset: DVec2, mut visit: impl FnMut(i64, i64, f64)) {
        let [low, high] = self.bounds();
        // The window of index i reaches from i + offset − ½ to i + offset + ½.
        let range = |low: f64, high: f64, offset: f64| {
            let first = (low - offset - 0.5).floor() as i64;
            let last = (high - offset + 0.5).ceil() as i64;
            first..=last
        };
        for j in range(low.y, high.y, offset.y) {
            let bottom = j as f64 + offset.y - 0.5;
            let strip = self.strip(bottom);
            for i in range(low.x, high.x, offset.x) {
                let left = i as f64 + offset.x - 0.5;
                let share = strip.share(DVec2::new(left, bottom));
                if share > 1.0 - NEGLIGIBLE {
                    visit(i, j, 1.0);
                } else if share > NEGLIGIBLE {
                    visit(i, j, share);
                }
            }
        }
    }

    fn strip(&self, bottom: f64) -> Strip {
        match self {
            Self::Disc { centre, radius } => Strip::Disc {
                centre: *centre,
                radius: *radius,
            },
            Self::Polygon { vertices, .. } => {
                let above = clip(vertices, |p| p.y - bottom);
                Strip::Polygon(clip(&above, |p| bottom + 1.0 - p.y))
            }
        }
    }
}

/// What is left of a region in a row of windows.
enum Strip {
    Disc { centre: DVec2, radius: f64 },
    Polygon(Vec<DVec2>),
}

impl Strip {
    /// Covered share of the window of side 1 with this lower left corner.
    fn share(&self, corner: DVec2) -> f64 {
        match self {
            Self::Disc { centre, radius } => disc_share(corner - *centre, *radius),
            Self::Polygon(vertices) => {
                let right = clip(vertices, |p| p.x - corner.x);
                area(&clip(&right, |p| corner.x + 1.0 - p.x), corner)
            }
        }
    }
}

/// Part of a polygon where `side` is not negative (Sutherland and Hodgman 1974). Parts of a polygon that is not convex stay joined by
/// edges that coincide, which do not change its area.
fn clip(vertices: &[DVec2], side: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut out = Vec::with_capacity(vertices.len() + 2);
    for (k, &q) in vertices.iter().enumerate() {
        let p = vertices[if k == 0 { vertices.len() - 1 } else { k - 1 }];
        let (a, b) = (side(p), side(q));
        if (a < 0.0) != (b < 0.0) {
            out.push(p + (q - p) * (a / (a - b)));
        }
        if b >= 0.0 {
            out.push(q);
        }
    }
    out
}

/// Area of a polygon, by triangles from a point nearby.
fn area(vertices: &[DVec2], from: DVec2) -> f64 {
    let mut twice = 0.0;
    for (k, &q) in vertices.iter().enumerate() {
        let p = vertices[if k == 0 { vertices.len() - 1 } else { k - 1 }];
        twice += (p - from).perp_dot(q - from);
    }
    0.5 * twice
}

/// Area of a disc around the origin within the window of side 1 with this lower left corner.
fn disc_share(corner: DVec2, radius: f64) -> f64 {
    let opposite = corner + 1.0;
    let farthest = corner.abs().max(opposite.abs());
    let nearest = corner.max(-opposite).max(DVec2::ZERO);
    if farthest.length_squared() <= radius * radius {
        return 1.0;
    }
    if nearest.length_squared() >= radius * radius {
        return 0.0;
    }
    let corners = [
        corner,
        DVec2::new(opposite.x, corner.y),
        opposite,
        DVec2::new(corner.x, opposite.y),
    ];
    let sum: f64 = (0..4)
        .map(|k| sector(corners[k], corners[(k + 1) % 4], radius))
        .sum();
    sum.clamp(0.0, 1.0)
}

/// Signed area of the part of the triangle (origin, p, q) that lies in the disc of this radius.
fn sector(p: DVec2, q: DVec2, radius: f64) -> f64 {
    let arc = |a: DVec2, b: DVec2| 0.5 * radius * radius * math::atan2(a.perp_dot(b), a.dot(b));
    let step = q - p;
    // |p + t step|² = r²
    let (a, b) = (step.length_squared(), p.dot(step));
    let c = p.length_squared() - radius * radius;
    let discriminant = b * b - a * c;
    if discriminant <= 0.0 {
        return arc(p, q);
    }
    let root = discriminant.sqrt();
    let (enter, leave) = ((-b - root) / a, (-b + root) / a);
    if leave <= 0.0 || enter >= 1.0 {
        return arc(p, q);
    }
    let first = p + step * enter.max(0.0);
    let last = p + step * leave.min(1.0);
    let mut sum = 0.5 * first.perp_dot(last);
    if enter > 0.0 {
        sum += arc(p, first);
    }
    if leave < 1.0 {
        sum += arc(last, q);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use banquise_geometry::{Disc, Outline, Pose, Rotation};

    fn total(region: &Region, offset: DVec2) -> (f64, DVec2) {
        let (mut area, mut moment) = (0.0, DVec2::ZERO);
        region.for_each_share(offset, |i, j, share| {
            area += share;
            moment += share * (DVec2::new(i as f64, j as f64) + offset);
        });
        (area, moment / area)
    }

    #[test]
    fn shares_add_up_to_the_area_of_the_body() {
        let pose = Pose {
            position: DVec2::new(1.37, -2.21),
            rotation: Rotation::from_angle(0.4),
        };
        for radius in [0.3, 1.0, 2.5, 8.0, 51.3] {
            let shape = Shape::Disc(Disc::try_new(radius).unwrap());
            let region = Region::new(&Body { shape, pose }, 1.0);
            for offset in [DVec2::ZERO, DVec2::splat(0.5)] {
                let (area, _) = total(&region, offset);
                // Shares below the negligible one are left out, at most one for each cell of the edge.
                let missing = 1e-6 * 8.0 * (radius + 1.0);
                assert!((area - std::f64::consts::PI * radius * radius).abs() < missing);
            }
        }
        let bay = [
            [-3.0, -3.0],
            [4.0, -2.5],
            [3.0, 4.0],
            [0.2, -1.0],
            [-2.0, 3.0],
        ];
        let outline = Outline::try_new(bay.map(DVec2::from).to_vec()).unwrap();
        let known = outline.area();
        let shape = Shape::Outline(outline);
        let region = Region::new(&Body { shape, pose }, 0.25);
        let (area, centre) = total(&region, DVec2::new(0.5, 0.0));
        assert!((area - 16.0 * known).abs() < 1e-4);
        assert!(centre.distance(region.centre()) < 0.02);
    }
}
