//! Forces of the water on a floating rectangle: lift, drag, torque about its centre. The water fills y < 0.

/// A tilted rectangle; its centre is at x = 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rectangle {
    pub(crate) half_height: f64,
    pub(crate) half_width: f64,
    /// Height of the centre over the water \[m\].
    pub(crate) height: f64,
    /// Sine of the tilt, counter-clockwise: the top leans towards −x.
    pub(crate) sin: f64,
    pub(crate) cos: f64,
}

/// Forces of the water, per unit width.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Water {
    /// Along x \[N m⁻¹\].
    pub(crate) push: f64,
    /// Upwards \[N m⁻¹\].
    pub(crate) lift: f64,
    /// Counter-clockwise about the centre \[N\].
    pub(crate) torque: f64,
}

impl Rectangle {
    /// Height of the upper left corner over the centre \[m\].
    pub(crate) fn corner_height(&self) -> f64 {
        self.half_height * self.cos - self.half_width * self.sin
    }

    /// How far the upper left corner reaches from the centre towards −x \[m\].
    pub(crate) fn reach(&self) -> f64 {
        self.half_width * self.cos + self.half_height * self.sin
    }

    /// Corners counter-clockwise from the lower left one.
    fn corners(&self) -> [[f64; 2]; 4] {
        let (w, h) = (self.half_width, self.half_height);
        [[-w, -h], [w, -h], [w, h], [-w, h]].map(|[a, b]| {
            [
                self.cos * a - self.sin * b,
                self.height + self.sin * a + self.cos * b,
            ]
        })
    }

    /// The four edges.
    fn edges(&self) -> [[[f64; 2]; 2]; 4] {
        let corners = self.corners();
        std::array::from_fn(|i| [corners[i], corners[(i + 1) % 4]])
    }

    /// Area under water and its centroid.
    pub(crate) fn submerged(&self) -> (f64, [f64; 2]) {
        // Green's theorem over the wet parts of the edges; the water line, y = 0, adds nothing to ∮ ½ y² dx and the
        // like if area and moments are taken as integrals over x of powers of y.
        let (mut area, mut moment_x, mut moment_y) = (0.0, 0.0, 0.0);
        for edge in self.edges() {
            let Some([[x0, y0], [x1, y1]]) = wet(edge) else {
                continue;
            };
            let dx = x1 - x0;
            area -= 0.5 * dx * (y0 + y1);
            moment_x -= dx * (x0 * (2.0 * y0 + y1) + x1 * (y0 + 2.0 * y1)) / 6.0;
            moment_y -= dx * (y0 * y0 + y0 * y1 + y1 * y1) / 6.0;
        }
        if area > 0.0 {
            (area, [moment_x / area, moment_y / area])
        } else {
            (0.0, [0.0, 0.0])
        }
    }
}

/// The part of an edge below y = 0.
fn wet([a, b]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    if a[1] >= 0.0 && b[1] >= 0.0 {
        return None;
    }
    let surface = || {
        let part = a[1] / (a[1] - b[1]);
        [a[0] + part * (b[0] - a[0]), 0.0]
    };
    Some([
        if a[1] > 0.0 { surface() } else { a },
        if b[1] > 0.0 { surface() } else { b },
    ])
}

/// Points and weights of Gauss's rule of three points on [0, 1], exact to degree five.
const GAUSS: [[f64; 2]; 3] = [
    [0.112_701_665_379_258_31, 5.0 / 18.0],
    [0.5, 8.0 / 18.0],
    [0.887_298_334_620_741_7, 5.0 / 18.0],
];

/// Buoyancy of `weight` \[N m⁻³\] and drag of `drag` vₙ² on faces that move into the water, for a rectangle whose
/// centre moves with `velocity` and that turns with `spin`.
pub(crate) fn water(
    rectangle: &Rectangle,
    weight: f64,
    drag: f64,
    velocity: [f64; 2],
    spin: f64,
) -> Water {
    let (area, centroid) = rectangle.submerged();
    let mut total = Water {
        push: 0.0,
        lift: weight * area,
        torque: weight * area * centroid[0],
    };
    for edge in rectangle.edges() {
        let Some([a, b]) = wet(edge) else { continue };
        let (along, length) = ([b[0] - a[0], b[1] - a[1]], distance(a, b));
        if length == 0.0 {
            continue;
        }
        let normal = [along[1] / length, -along[0] / length];
        let into = |point: [f64; 2]| {
            let (rx, ry) = (point[0], point[1] - rectangle.height);
            (velocity[0] - spin * ry) * normal[0] + (velocity[1] + spin * rx) * normal[1]
        };
        let Some([from, to]) = positive_part(into(a), into(b)) else {
            continue;
        };
        for [place, share] in GAUSS {
            let part = from + (to - from) * place;
            let point = [a[0] + part * along[0], a[1] + part * along[1]];
            let speed = into(point);
            let force = -drag * speed * speed * length * (to - from) * share;
            let (rx, ry) = (point[0], point[1] - rectangle.height);
            total.push += force * normal[0];
            total.lift += force * normal[1];
            total.torque += force * (rx * normal[1] - ry * normal[0]);
        }
    }
    total
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1])).sqrt()
}

/// Where a straight line from `start` at 0 to `end` at 1 is positive.
fn positive_part(start: f64, end: f64) -> Option<[f64; 2]> {
    let zero = start / (start - end);
    match (start > 0.0, end > 0.0) {
        (true, true) => Some([0.0, 1.0]),
        (true, false) => Some([0.0, zero]),
        (false, true) => Some([zero, 1.0]),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(height: f64, tilt: f64) -> Rectangle {
        Rectangle {
            half_height: 4.0,
            half_width: 1.0,
            height,
            sin: banquise_geometry::math::sin(tilt),
            cos: banquise_geometry::math::cos(tilt),
        }
    }

    #[test]
    fn an_upright_rectangle_is_submerged_to_its_draught() {
        let (area, centroid) = rectangle(1.0, 0.0).submerged();
        assert!((area - 6.0).abs() < 1e-12);
        assert!(centroid[0].abs() < 1e-12 && (centroid[1] + 1.5).abs() < 1e-12);
        assert_eq!(rectangle(9.0, 0.3).submerged().0, 0.0);
        let (area, centroid) = rectangle(-9.0, 0.3).submerged();
        assert!((area - 16.0).abs() < 1e-12 && (centroid[1] + 9.0).abs() < 1e-12);
    }

    #[test]
    fn drag_opposes_motion_and_is_that_of_the_leading_face() {
        // Sideways at 2 m/s: the right face, 3 m under water.
        let force = water(&rectangle(1.0, 0.0), 0.0, 0.5, [2.0, 0.0], 0.0);
        assert!((force.push + 0.5 * 4.0 * 3.0).abs() < 1e-12 && force.lift.abs() < 1e-12);
        assert!((force.torque + 6.0 * 2.5).abs() < 1e-12, "{}", force.torque);
        for (velocity, spin) in [([1.0, -2.0], 0.3), ([-0.2, 0.1], -1.0), ([0.0, 0.0], 0.5)] {
            let force = water(&rectangle(0.3, 0.7), 0.0, 1.0, velocity, spin);
            let power = force.push * velocity[0] + force.lift * velocity[1] + force.torque * spin;
            assert!(power < 0.0);
        }
    }
}
