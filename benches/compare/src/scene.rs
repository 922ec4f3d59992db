//! The scenes: convex octagons of many sizes in a square box, the same for all engines.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Pose, Rotation, math};

use crate::overlap::{Grid, Placed};

/// Vertices of a floe: the most that Box2D allows.
pub const VERTICES: usize = 8;
/// Widths of floes \[m\].
const WIDTHS: [f64; 2] = [10.0, 60.0];
/// Exponent of the density of widths.
const WIDTH_EXPONENT: f64 = -2.5;
/// Least gap at the start, as a share of the root of the smaller floe's area.
const FIRST_GAP: f64 = 0.012;

/// A floe, turned as it is at the start.
#[derive(Debug, Clone)]
pub struct Floe {
    /// Counter-clockwise, from the centre of mass \[m\].
    pub vertices: [DVec2; VERTICES],
    /// The farthest vertex from the centre of mass \[m\].
    pub radius: f64,
    /// \[m²\]; also its mass, since the density does not matter.
    pub area: f64,
    /// About the centre of mass, of density one \[m⁴\].
    pub inertia: f64,
    /// Centre of mass at the start \[m\].
    pub position: DVec2,
    /// Velocity at the start [m/s].
    pub velocity: DVec2,
}

/// What happens to floes.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name on the command line.
    pub name: &'static str,
    /// Number of floes.
    pub floes: usize,
    /// Floes start with velocities of all directions up to this [m/s].
    pub speed: f64,
    /// Friction of everything.
    pub friction: f64,
    /// Restitution of everything.
    pub restitution: f64,
    /// Velocity added before each step [m/s].
    pub push: DVec2,
    /// Share of the velocities that drag leaves before each step.
    pub kept: f64,
    /// Length of all steps \[s\].
    pub dt: f64,
    /// Steps before the measurement.
    pub warm_up: usize,
    /// Steps measured.
    pub steps: usize,
}

const GAS: Setting = Setting {
    name: "gas-1000",
    floes: 1000,
    speed: 0.3,
    friction: 0.7,
    restitution: 0.0,
    push: DVec2::ZERO,
    kept: 1.0,
    dt: 1.0,
    warm_up: 0,
    steps: 200,
};

/// All scenes.
pub const SETTINGS: [Setting; 5] = [
    GAS,
    Setting {
        name: "gas-10000",
        floes: 10_000,
        steps: 20,
        ..GAS
    },
    Setting {
        name: "elastic-1000",
        friction: 0.0,
        restitution: 1.0,
        ..GAS
    },
    Setting {
        name: "pressed-200",
        floes: 200,
        ..PRESSED
    },
    PRESSED,
];

/// A steady push to the left against drag, until most floes are one heap.
const PRESSED: Setting = Setting {
    name: "pressed-1000",
    speed: 0.1,
    push: DVec2::new(-2e-3, 0.0),
    kept: 0.99,
    warm_up: 400,
    steps: 50,
    ..GAS
};

/// Floes in a box from the origin to `side` in both directions.
#[derive(Debug, Clone)]
pub struct Scene {
    /// What happens to them.
    pub setting: Setting,
    /// Width of the box \[m\].
    pub side: f64,
    /// The floes.
    pub floes: Vec<Floe>,
}

impl Scene {
    /// Puts the floes of a setting into a box of which they cover the share `concentration`, largest first, wherever there is room.
    ///
    /// # Errors
    /// When there is no room for one.
    pub fn new(setting: Setting, concentration: f64) -> Result<Self, String> {
        let mut random = Random(1);
        let mut floes: Vec<Floe> = (0..setting.floes)
            .map(|_| octagon(&mut random, setting.speed))
            .collect();
        floes.sort_by(|x, y| y.area.total_cmp(&x.area));
        let ice: f64 = floes.iter().map(|floe| floe.area).sum();
        let side = (ice / concentration).sqrt();
        let mut grid = Grid::new(side, WIDTHS[1]);
        let mut placed: Vec<Placed> = Vec::with_capacity(floes.len());
        for floe in &mut floes {
            let Some(place) = find_room(floe, side, &placed, &grid, &mut random) else {
                return Err(format!(
                    "no room for a floe of {:.0} m² after {} others",
                    floe.area,
                    placed.len()
                ));
            };
            floe.position = place.center;
            grid.insert(place.center, placed.len());
            placed.push(place);
        }
        Ok(Self {
            setting,
            side,
            floes,
        })
    }
}

fn find_room(
    floe: &Floe,
    side: f64,
    placed: &[Placed],
    grid: &Grid,
    random: &mut Random,
) -> Option<Placed> {
    let gap = FIRST_GAP * floe.area.sqrt();
    let low = floe.vertices.iter().fold(DVec2::ZERO, |low, v| low.min(*v));
    let high = floe
        .vertices
        .iter()
        .fold(DVec2::ZERO, |high, v| high.max(*v));
    let (from, to) = (gap - low, DVec2::splat(side - gap) - high);
    for _ in 0..200_000 {
        let share = DVec2::new(random.unit(), random.unit());
        let pose = Pose {
            position: from + share * (to - from),
            rotation: Rotation::IDENTITY,
        };
        let place = Placed::new(floe, &pose);
        // Floes are placed largest first: this one is the smaller of each pair.
        let is_free = |other: usize| place.separation(&placed[other], gap) >= gap;
        if grid.near(pose.position).all(is_free) {
            return Some(place);
        }
    }
    None
}

/// Points of an ellipse, in order: always convex.
fn octagon(random: &mut Random, speed: f64) -> Floe {
    let power = WIDTH_EXPONENT + 1.0;
    let [least, most] = WIDTHS.map(|width| math::pow(width, power));
    let width = math::pow(least + random.unit() * (most - least), 1.0 / power);
    let stretch = 1.0 + 0.2 * random.unit();
    let turn = Rotation::from_angle(TAU * random.unit());
    let corner = |number: usize| {
        let angle = TAU * (number as f64 + 0.5 * (random.unit() - 0.5)) / VERTICES as f64;
        let (sin, cos) = math::sin_cos(angle);
        0.5 * width * turn.rotate(DVec2::new(stretch * cos, sin / stretch))
    };
    let numbers: [usize; VERTICES] = std::array::from_fn(|number| number);
    let vertices = numbers.map(corner);
    let (area, centroid) = area_and_centroid(&vertices);
    let vertices = vertices.map(|vertex| vertex - centroid);
    let heading = Rotation::from_angle(TAU * random.unit());
    Floe {
        vertices,
        radius: vertices.into_iter().map(DVec2::length).fold(0.0, f64::max),
        area,
        inertia: second_moment(&vertices),
        position: DVec2::ZERO,
        velocity: heading.rotate(DVec2::new(speed * random.unit(), 0.0)),
    }
}

fn edges(vertices: &[DVec2; VERTICES]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    (0..VERTICES).map(|index| (vertices[index], vertices[(index + 1) % VERTICES]))
}

fn area_and_centroid(vertices: &[DVec2; VERTICES]) -> (f64, DVec2) {
    let mut area = 0.0;
    let mut moment = DVec2::ZERO;
    for (p, q) in edges(vertices) {
        area += 0.5 * p.perp_dot(q);
        moment += p.perp_dot(q) * (p + q) / 6.0;
    }
    (area, moment / area)
}

fn second_moment(vertices: &[DVec2; VERTICES]) -> f64 {
    edges(vertices)
        .map(|(p, q)| p.perp_dot(q) * (p.dot(p) + p.dot(q) + q.dot(q)) / 12.0)
        .sum()
}

/// Splitmix64: the same floes on every machine.
struct Random(u64);

impl Random {
    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Sixty floes that fly about at 50 %.
    pub fn small_scene() -> Scene {
        let setting = Setting {
            floes: 60,
            steps: 40,
            ..GAS
        };
        Scene::new(setting, 0.5).unwrap()
    }
}
