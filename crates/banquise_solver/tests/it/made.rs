//! Problems of large islands made from seeds: piles of discs whose masses differ by up to a million, and walls of bricks that are struck and pressed. Shared by the tests and
//! the example that prints how they are solved.

use banquise_solver::{Body, Bound, Contact, ContactProblem};
use glam::DVec2;

/// A problem of a fixed step.
pub(crate) struct Made {
    pub(crate) name: String,
    pub(crate) problem: ContactProblem,
    pub(crate) bounds: Vec<Bound>,
}

/// A pile of discs: columns, rows, powers of ten between its masses, seed.
pub(crate) type Pile = (usize, usize, usize, u64);
/// A wall of bricks: columns, rows, speed at which it is pressed \[m/s\], seed.
pub(crate) type Wall = (usize, usize, f64, u64);

/// Piles of 1,000 to 10,000 contacts.
pub(crate) const PILES: [Pile; 24] = [
    (20, 20, 0, 1),
    (20, 20, 2, 2),
    (20, 20, 4, 3),
    (20, 20, 6, 4),
    (50, 8, 6, 5),
    (10, 40, 6, 6),
    (30, 30, 0, 7),
    (30, 30, 3, 8),
    (30, 30, 6, 9),
    (40, 40, 0, 10),
    (40, 40, 3, 11),
    (40, 40, 6, 12),
    (100, 20, 6, 13),
    (58, 58, 0, 14),
    (58, 58, 3, 15),
    (58, 58, 6, 16),
    (20, 20, 6, 17),
    (20, 20, 5, 18),
    (12, 34, 4, 19),
    (34, 12, 6, 20),
    (25, 25, 1, 21),
    (25, 25, 6, 22),
    (80, 10, 3, 23),
    (15, 60, 6, 24),
];

/// Walls of 1,000 to 10,000 contacts.
pub(crate) const WALLS: [Wall; 12] = [
    (14, 14, 0.0, 1),
    (14, 14, 0.2, 2),
    (25, 25, 0.0, 3),
    (25, 25, 0.2, 4),
    (10, 60, 0.2, 5),
    (60, 10, 0.2, 6),
    (40, 40, 0.0, 7),
    (40, 40, 0.2, 8),
    (14, 14, 1.0, 9),
    (20, 12, 0.2, 10),
    (12, 20, 0.0, 11),
    (30, 8, 0.5, 12),
];

/// Step of the problems \[s\].
const STEP: f64 = 0.005;
/// Gravity \[m/s²\].
const GRAVITY: f64 = 10.0;

/// Numbers between 0 and 1, the same for each seed by a fixed recipe.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }

    /// Between −1 and 1.
    fn around_zero(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }
}

/// A problem that grows.
struct Builder {
    made: Made,
    random: Random,
    friction: f64,
}

impl Builder {
    fn new(name: String, seed: u64, friction: f64) -> Self {
        let made = Made {
            name,
            problem: ContactProblem::default(),
            bounds: Vec::new(),
        };
        Self {
            made,
            random: Random(seed),
            friction,
        }
    }

    /// A mass between 1 kg and a power of ten \[kg\], all its decades alike.
    fn mass(&mut self, powers: usize) -> f64 {
        const DECADES: [f64; 6] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5];
        let (decade, within) = (self.random.next(), self.random.next());
        let decades = &DECADES[..powers];
        let chosen = (decade * powers as f64) as usize;
        match decades.get(chosen).or(decades.last()) {
            Some(decade) => decade * (1.0 + 9.0 * within),
            None => 1.0,
        }
    }

    /// A body that impulses do not move.
    fn fixed(&mut self, velocity: DVec2) -> usize {
        self.body(0.0, 0.0, DVec2::ZERO, velocity, 0.0)
    }

    fn body(
        &mut self,
        inv_mass: f64,
        inv_inertia: f64,
        position: DVec2,
        linear_velocity: DVec2,
        angular_velocity: f64,
    ) -> usize {
        self.made.problem.bodies.push(Body {
            inv_mass,
            inv_inertia,
            position,
            linear_velocity,
            angular_velocity,
        });
        self.made.problem.bodies.len() - 1
    }

    /// A contact at a point, with a gap of up to 0.2 mm that may close in the step.
    fn touch(&mut self, a: usize, b: usize, point: DVec2, normal: DVec2) {
        let gap = 2e-4 * self.random.next();
        let bodies = &self.made.problem.bodies;
        let arms = [a, b].map(|row| point - bodies[row].position);
        self.made.problem.contacts.push(Contact {
            a,
            b,
            arms,
            normal,
            friction: self.friction,
            restitution: 0.0,
            gap,
            start: [0.0; 2],
        });
        self.made.bounds.push(Bound {
            least: -gap / STEP,
            rebound: 0.0,
        });
    }
}

/// Discs of 1 m radius on a triangular lattice in a box that is tilted by a tenth, under gravity: in odd rows one less, between those below.
pub(crate) fn pile((columns, rows, powers, seed): Pile) -> Made {
    let name = format!("pile-{columns}x{rows}-1e{powers}-{seed}");
    let mut builder = Builder::new(name, seed, 0.5);
    let [floor, west, east] = [(); 3].map(|()| builder.fixed(DVec2::ZERO));
    let fall = GRAVITY * STEP * DVec2::new(0.1, -1.0);
    let height = 3.0_f64.sqrt();
    let mut below: Vec<usize> = Vec::new();
    for row in 0..rows {
        let is_odd = row % 2 == 1;
        let count = columns - usize::from(is_odd);
        let mut own = Vec::with_capacity(count);
        for column in 0..count {
            let x = 1.0 + 2.0 * column as f64 + if is_odd { 1.0 } else { 0.0 };
            let position = DVec2::new(x, 1.0 + height * row as f64);
            let mass = builder.mass(powers);
            let shaken = DVec2::new(builder.random.around_zero(), builder.random.around_zero());
            let turn = 0.02 * builder.random.around_zero();
            let (inverse, velocity) = (1.0 / mass, fall + 0.02 * shaken);
            let disc = builder.body(inverse, 2.0 * inverse, position, velocity, turn);
            if row == 0 {
                builder.touch(floor, disc, position - DVec2::Y, DVec2::Y);
            }
            // Of an even row above an odd one, the outermost discs have one below.
            let first = if is_odd {
                column
            } else {
                column.wrapping_sub(1)
            };
            for lower in [first, first.wrapping_add(1)] {
                if let Some(&other) = below.get(lower) {
                    let apart = position - builder.made.problem.bodies[other].position;
                    builder.touch(other, disc, position - 0.5 * apart, 0.5 * apart);
                }
            }
            if let Some(&other) = own.last() {
                builder.touch(other, disc, position - DVec2::X, DVec2::X);
            }
            if !is_odd && column == 0 {
                builder.touch(west, disc, position - DVec2::X, DVec2::X);
            }
            if !is_odd && column + 1 == count {
                builder.touch(disc, east, position + DVec2::X, DVec2::X);
            }
            own.push(disc);
        }
        below = own;
    }
    builder.made
}

/// Bricks of 2 m by 1 m in bond, each course half a brick beside that below, on a floor and beside a fixed body, or struck by one that moves.
pub(crate) fn wall((columns, rows, speed, seed): Wall) -> Made {
    let name = format!("wall-{columns}x{rows}-{speed}-{seed}");
    let mut builder = Builder::new(name, seed, 0.7);
    let [floor, west] = [(); 2].map(|()| builder.fixed(DVec2::ZERO));
    let east = builder.fixed(DVec2::new(-speed, 0.0));
    let mass = 2000.0;
    let inertia = mass * (2.0_f64.powi(2) + 1.0) / 12.0;
    let mut below: Vec<(usize, f64)> = Vec::new();
    for row in 0..rows {
        let offset = if row % 2 == 1 { 1.0 } else { 0.0 };
        let mut own: Vec<(usize, f64)> = Vec::with_capacity(columns);
        for column in 0..columns {
            // The place of its west side.
            let x = offset + 2.0 * column as f64;
            let position = DVec2::new(x + 1.0, row as f64 + 0.5);
            let shaken = DVec2::new(builder.random.around_zero(), builder.random.around_zero());
            let velocity = DVec2::new(-0.5 * speed, -GRAVITY * STEP) + 0.02 * shaken;
            let turn = 0.02 * builder.random.around_zero();
            let brick = builder.body(1.0 / mass, 1.0 / inertia, position, velocity, turn);
            let bottom = row as f64;
            if row == 0 {
                for end in [x, x + 2.0] {
                    builder.touch(floor, brick, DVec2::new(end, bottom), DVec2::Y);
                }
            }
            for &(other, side) in &below {
                let (from, to) = (x.max(side), (x + 2.0).min(side + 2.0));
                if to - from > 0.5 {
                    for end in [from, to] {
                        builder.touch(other, brick, DVec2::new(end, bottom), DVec2::Y);
                    }
                }
            }
            let mut face = |a: usize, b: usize, at: f64| {
                for corner in [bottom, bottom + 1.0] {
                    builder.touch(a, b, DVec2::new(at, corner), DVec2::X);
                }
            };
            match own.last() {
                Some(&(other, _)) => face(other, brick, x),
                // Nothing holds those that are pressed: they could not yield between two bodies.
                None if offset == 0.0 && speed == 0.0 => face(west, brick, x),
                None => {}
            }
            if column + 1 == columns && offset == 1.0 {
                face(brick, east, x + 2.0);
            }
            own.push((brick, x));
        }
        below = own;
    }
    builder.made
}

/// All problems made from seeds.
pub(crate) fn all() -> Vec<Made> {
    let piles = PILES.into_iter().map(pile);
    piles.chain(WALLS.into_iter().map(wall)).collect()
}
