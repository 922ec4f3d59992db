//! Ice concentration: the share of the sea that is covered by ice.

use std::f64::consts::TAU;

use banquise_geometry::{Aabb, DVec2, Pose, Shape, convex_hull, math};

use crate::domain::{Domain, Rectangle};

/// Area of ice in a window \[m²\], exactly: floes that reach over its edge count with the part inside. In a periodic
/// domain all images count.
pub fn ice_area_within(
    shapes: &[Shape],
    poses: &[Pose],
    domain: &Domain,
    window: &Rectangle,
) -> f64 {
    let floes = shapes.iter().zip(poses);
    floes
        .map(|(shape, &pose)| area_within(shape, pose, domain, window))
        .sum()
}

/// Share of a window that is covered by ice [–].
pub fn concentration_within(
    shapes: &[Shape],
    poses: &[Pose],
    domain: &Domain,
    window: &Rectangle,
) -> f64 {
    ice_area_within(shapes, poses, domain, window) / window.area()
}

/// Area of the convex hull of all floes \[m²\]; a disc enters as a polygon of 96 sides, which lacks 0.07 % of its area.
pub fn hull_area(shapes: &[Shape], poses: &[Pose]) -> f64 {
    let mut points = Vec::new();
    for (shape, pose) in shapes.iter().zip(poses) {
        match shape {
            Shape::Outline(outline) => {
                let vertices = outline.vertices().iter();
                points.extend(vertices.map(|&vertex| pose.world_from_body(vertex)));
            }
            Shape::Disc(disc) => {
                let center = pose.world_from_body(disc.center());
                points.extend((0..96).map(|k| {
                    let (sin, cos) = math::sin_cos(TAU * f64::from(k) / 96.0);
                    center + disc.radius() * DVec2::new(cos, sin)
                }));
            }
        }
    }
    polygon_area(&convex_hull(&points))
}

/// Share of the pack's own area that is covered by ice [–]: of the cell where the domain is periodic, else of the
/// convex hull of all floes. Positions in a free domain only; nearer or farther images make no difference.
pub fn pack_concentration(shapes: &[Shape], poses: &[Pose], domain: &Domain) -> f64 {
    let ice: f64 = shapes.iter().map(Shape::area).sum();
    match domain {
        Domain::Periodic(cell) => ice / cell.area(),
        Domain::Free | Domain::Bounded(_) => ice / hull_area(shapes, poses),
    }
}

fn area_within(shape: &Shape, pose: Pose, domain: &Domain, window: &Rectangle) -> f64 {
    let aabb = Aabb::of_shape(shape, pose);
    let Domain::Periodic(cell) = domain else {
        return clipped_area(shape, pose, window);
    };
    let size = cell.size();
    let first = ((window.min - aabb.max) / size).ceil();
    let last = ((window.max - aabb.min) / size).floor();
    let mut area = 0.0;
    for column in first.x as i64..=last.x as i64 {
        for row in first.y as i64..=last.y as i64 {
            let image = Pose {
                position: pose.position + size * DVec2::new(column as f64, row as f64),
                ..pose
            };
            area += clipped_area(shape, image, window);
        }
    }
    area
}

fn clipped_area(shape: &Shape, pose: Pose, window: &Rectangle) -> f64 {
    let Aabb { min, max } = Aabb::of_shape(shape, pose);
    if min.cmpge(window.min).all() && max.cmple(window.max).all() {
        return shape.area();
    }
    if min.cmpge(window.max).any() || max.cmple(window.min).any() {
        return 0.0;
    }
    match shape {
        Shape::Outline(outline) => {
            let vertices = outline.vertices().iter();
            let mut polygon: Vec<DVec2> = vertices.map(|&v| pose.world_from_body(v)).collect();
            for (normal, limit) in [
                (DVec2::X, window.max.x),
                (DVec2::NEG_X, -window.min.x),
                (DVec2::Y, window.max.y),
                (DVec2::NEG_Y, -window.min.y),
            ] {
                polygon = cut(&polygon, normal, limit);
            }
            polygon_area(&polygon)
        }
        Shape::Disc(disc) => {
            let center = pose.world_from_body(disc.center());
            let corners = [
                window.min,
                DVec2::new(window.max.x, window.min.y),
                window.max,
                DVec2::new(window.min.x, window.max.y),
            ];
            disc_area_within(&corners.map(|corner| corner - center), disc.radius())
        }
    }
}

/// The part of a polygon with `point · normal ≤ limit` (Sutherland & Hodgman 1974). Where it falls into several pieces
/// they are joined along the cut, which has no area.
fn cut(polygon: &[DVec2], normal: DVec2, limit: f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(polygon.len() + 2);
    for (index, &second) in polygon.iter().enumerate() {
        let first = polygon[(index + polygon.len() - 1) % polygon.len()];
        let (before, after) = (first.dot(normal) - limit, second.dot(normal) - limit);
        if (before <= 0.0) != (after <= 0.0) {
            kept.push(first + (second - first) * (before / (before - after)));
        }
        if after <= 0.0 {
            kept.push(second);
        }
    }
    kept
}

/// Area common to a polygon, counter-clockwise, and a disc about the origin: each side adds the triangle to the origin
/// where it is inside the disc, and the sector where it is outside.
fn disc_area_within(polygon: &[DVec2], radius: f64) -> f64 {
    let sector = |a: DVec2, b: DVec2| 0.5 * radius * radius * math::atan2(a.perp_dot(b), a.dot(b));
    let side = |a: DVec2, b: DVec2| {
        let direction = b - a;
        let squared = direction.length_squared();
        let middle = -a.dot(direction) / squared;
        let reach = radius * radius / squared - (a + middle * direction).length_squared() / squared;
        if reach <= 0.0 {
            return sector(a, b);
        }
        let half = reach.sqrt();
        let (enter, leave) = (
            (middle - half).clamp(0.0, 1.0),
            (middle + half).clamp(0.0, 1.0),
        );
        let (p, q) = (a + enter * direction, a + leave * direction);
        let outside = if enter < leave {
            sector(a, p) + sector(q, b)
        } else {
            return sector(a, b);
        };
        outside + 0.5 * p.perp_dot(q)
    };
    let count = polygon.len();
    (0..count)
        .map(|index| side(polygon[index], polygon[(index + 1) % count]))
        .sum()
}

fn polygon_area(polygon: &[DVec2]) -> f64 {
    let Some(&origin) = polygon.first() else {
        return 0.0;
    };
    let sides = polygon.windows(2);
    0.5 * sides
        .map(|side| (side[0] - origin).perp_dot(side[1] - origin))
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banquise_geometry::{Disc, Outline, Rotation};
    use std::f64::consts::PI;

    fn at(x: f64, y: f64, angle: f64) -> Pose {
        Pose {
            position: DVec2::new(x, y),
            rotation: Rotation::from_angle(angle),
        }
    }

    fn rectangle(width: f64, height: f64) -> Rectangle {
        Rectangle {
            min: DVec2::ZERO,
            max: DVec2::new(width, height),
        }
    }

    fn disc(radius: f64) -> Shape {
        Shape::Disc(Disc::try_new(radius).unwrap())
    }

    fn comb() -> Shape {
        // Two teeth of 1 by 2 on a back of 3 by 1.
        let points = [
            (0.0, 0.0),
            (3.0, 0.0),
            (3.0, 3.0),
            (2.0, 3.0),
            (2.0, 1.0),
            (1.0, 1.0),
            (1.0, 3.0),
            (0.0, 3.0),
        ];
        let vertices = points.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
        Shape::Outline(Outline::try_new(vertices).unwrap())
    }

    #[test]
    fn parts_of_a_disc_have_their_areas() {
        let window = rectangle(10.0, 10.0);
        let part = |x, y| clipped_area(&disc(2.0), at(x, y, 0.3), &window);
        let whole = 4.0 * PI;
        assert!((part(5.0, 5.0) - whole).abs() < 1e-12);
        assert!((part(0.0, 5.0) - 0.5 * whole).abs() < 1e-12);
        assert!((part(10.0, 10.0) - 0.25 * whole).abs() < 1e-12);
        // A segment of half a radius: r² acos(h/r) − h √(r² − h²).
        let segment = 4.0 * PI / 3.0 - 3.0_f64.sqrt();
        assert!(
            (part(-1.0, 5.0) - segment).abs() < 1e-12,
            "{}",
            part(-1.0, 5.0)
        );
        assert_eq!(part(-2.5, 5.0), 0.0);
        assert!(
            part(-1.5, -1.5).abs() < 1e-12,
            "the box meets the corner, the disc does not"
        );
        let tiny = rectangle(0.5, 0.5);
        assert!((clipped_area(&disc(2.0), at(0.2, 0.2, 0.0), &tiny) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn pieces_of_a_comb_are_counted_and_the_gap_is_not() {
        let window = Rectangle {
            min: DVec2::new(-10.0, 2.0),
            max: DVec2::new(10.0, 10.0),
        };
        assert!((clipped_area(&comb(), at(0.0, 0.0, 0.0), &window) - 2.0).abs() < 1e-12);
        assert!((clipped_area(&comb(), at(0.0, 0.0, PI), &window)).abs() < 1e-12);
    }

    #[test]
    fn windows_of_a_periodic_cell_add_up_to_all_the_ice() {
        let cell = rectangle(20.0, 10.0);
        let domain = Domain::Periodic(cell);
        let shapes = [disc(3.0), comb(), comb()];
        let poses = [at(0.5, 9.5, 0.0), at(19.0, 4.0, 0.7), at(-35.0, 71.0, 2.0)];
        let ice = 9.0 * PI + 14.0;
        let in_cell = ice_area_within(&shapes, &poses, &domain, &cell);
        assert!((in_cell - ice).abs() < 1e-11, "{in_cell} {ice}");
        let halves: f64 = [0.0, 10.0]
            .iter()
            .map(|&x| Rectangle {
                min: DVec2::new(x, 0.0),
                max: DVec2::new(x + 10.0, 10.0),
            })
            .map(|half| ice_area_within(&shapes, &poses, &domain, &half))
            .sum();
        assert!((halves - ice).abs() < 1e-11, "{halves} {ice}");
        assert_eq!(pack_concentration(&shapes, &poses, &domain), ice / 200.0);
    }

    #[test]
    fn the_hull_of_four_squares_at_the_corners_is_the_square() {
        let square = Shape::Outline(Outline::regular_polygon(2.0_f64.sqrt(), 4).unwrap());
        let turn = PI / 4.0;
        let poses = [
            at(1.0, 1.0, turn),
            at(9.0, 1.0, turn),
            at(9.0, 9.0, turn),
            at(1.0, 9.0, turn),
        ];
        let shapes = vec![square; 4];
        assert!((hull_area(&shapes, &poses) - 100.0).abs() < 1e-9);
        let share = pack_concentration(&shapes, &poses, &Domain::Free);
        assert!((share - 0.16).abs() < 1e-12, "{share}");
        let round = hull_area(&[disc(1.0)], &[at(0.0, 0.0, 0.0)]);
        assert!((round / PI - 1.0).abs() < 7.2e-4, "{round}");
    }
}
