//! Criteria of other programs, for comparison with the energy balance.
//!
//! They know no energy of cracks: none is booked, and restitution stays as it is. Those of Subzero take the mean stress of a floe and cut it into three
//! Voronoi cells; that of FloeDyn takes impulses and cuts along a chord. Both add up contacts over some time; here what one impact or step does is judged, so
//! that nothing has to be remembered. All stresses are positive in tension.

use banquise_fem::Load;
use banquise_geometry::{DVec2, Outline, SplitPiece, distance_point_segment, math, split};

use super::settings::Criterion;
use crate::random::{Purpose, Stream};

/// Slope of the Mohr cone of Subzero [–].
const MOHR_SLOPE: f64 = 5.2;
/// Its strength `σ_c` \[Pa\].
const MOHR_STRENGTH: f64 = 250e3;
/// The smaller principal stress where it is cut off, positive in compression there \[Pa\].
const MOHR_CUT_OFF: f64 = -33.75e3;
/// Hibler's strength P* \[Pa\]. His P is P* h exp(−C (1 − A)) for a unit of width; within a floe the concentration A is one.
const HIBLER_STRENGTH: f64 = 2.25e5;
/// Relative margin at the yield ellipse [–]: a floe without stress is on it.
const ELLIPSE_ROUNDING: f64 = 1e-9;
/// Threshold of FloeDyn: `G_c` = 1.5 J/m² times its calibration factor \[J/m²\].
const CHORD_ENERGY: f64 = 1.5 * 5000.0;
/// Time over which FloeDyn adds up impulses \[s\].
pub(super) const CHORD_TIME: f64 = 1.0;
/// Points of the boundary between which chords are tried.
const CHORD_POINTS: usize = 40;
/// Chords that are tried in the order of their scores, until one leaves two allowed pieces.
const CHORD_TRIALS: usize = 20;
/// Triples of Voronoi seeds that are tried until their cells meet inside and are large enough.
const VORONOI_TRIALS: u64 = 40;
/// Directions in which widths are measured.
const DIRECTIONS: u32 = 60;

/// A floe under load, as these criteria see it.
pub(super) struct PeerFloe<'a> {
    pub(super) id: u64,
    pub(super) whole: &'a SplitPiece,
    pub(super) thickness: f64,
    pub(super) mass: f64,
    pub(super) load: &'a Load,
    /// Where impulses of [`CHORD_TIME`] act, and their sizes \[N s\].
    pub(super) impulses: &'a [(DVec2, f64)],
    /// Width of the slit between pieces \[m\], and smallest area of a piece \[m²\].
    pub(super) slit: f64,
    pub(super) smallest_area: f64,
}

/// Pieces of a floe, and the length of the cracks between them \[m\].
pub(super) type Pieces = (Vec<SplitPiece>, f64);

impl PeerFloe<'_> {
    /// Whether a criterion breaks the floe.
    pub(super) fn is_reached(&self, criterion: Criterion) -> bool {
        match criterion {
            Criterion::Variational => false,
            Criterion::Mohr => !is_in_cone(self.principal_stresses()),
            Criterion::Hibler => !is_in_ellipse(self.principal_stresses()),
            Criterion::Chord => self.energy() > CHORD_ENERGY * self.thickness * self.width(),
        }
    }

    /// The pieces of a criterion; `None` where no allowed ones were found.
    pub(super) fn pieces(&self, criterion: Criterion) -> Option<Pieces> {
        match criterion {
            Criterion::Variational => None,
            Criterion::Mohr | Criterion::Hibler => self.voronoi(),
            Criterion::Chord => self.chord(),
        }
    }

    /// Principal values of Σ sym(F ⊗ (x − c))/(A h) \[Pa\].
    fn principal_stresses(&self) -> [f64; 2] {
        let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
        for contact in &self.load.contacts {
            let arm = contact.point - self.whole.centroid;
            let force = contact.force;
            xx += force.x * arm.x;
            yy += force.y * arm.y;
            xy += 0.5 * (force.x * arm.y + force.y * arm.x);
        }
        let volume = self.whole.area * self.thickness;
        let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let radius = (half * half + xy * xy).sqrt();
        [(mean + radius) / volume, (mean - radius) / volume]
    }

    /// Σ|p|²/(2m) \[J\].
    fn energy(&self) -> f64 {
        let squares: f64 = self.impulses.iter().map(|(_, size)| size * size).sum();
        squares / (2.0 * self.mass)
    }

    /// Smallest width of the floe, within a thousandth \[m\].
    fn width(&self) -> f64 {
        let width = |direction: u32| {
            let angle = std::f64::consts::PI * f64::from(direction) / f64::from(DIRECTIONS);
            let (sin, cos) = math::sin_cos(angle);
            let along = DVec2::new(cos, sin);
            let places = self.whole.outline.vertices().iter().map(|p| p.dot(along));
            let ends = places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                [low.min(x), high.max(x)]
            });
            ends[1] - ends[0]
        };
        (0..DIRECTIONS).map(width).fold(f64::INFINITY, f64::min)
    }

    fn is_allowed(&self, piece: &SplitPiece) -> bool {
        piece.outline.area() >= self.smallest_area
    }

    /// Three Voronoi cells that meet inside the floe.
    fn voronoi(&self) -> Option<Pieces> {
        (0..VORONOI_TRIALS).find_map(|trial| {
            let seeds = self.seeds(trial)?;
            let (centre, rays) = cell_edges(seeds)?;
            let outline = &self.whole.outline;
            if !outline.contains(centre) {
                return None;
            }
            let mut ends = [DVec2::ZERO; 3];
            for (end, direction) in ends.iter_mut().zip(rays) {
                *end = first_hit(outline, centre, direction)?;
            }
            // The cell of the first seed has the edges to the second and to the third.
            let [first, second, last] = ends;
            let halves = split(self.whole, &[first, centre, second], self.slit)?;
            let rest = usize::from(halves[0].outline.contains(seeds[0]));
            let cells = split(&halves[rest], &[centre, last], self.slit)?;
            let [left, right] = halves;
            let cut_off = if rest == 0 { right } else { left };
            let pieces: Vec<SplitPiece> = cells.into_iter().chain([cut_off]).collect();
            let length = ends.iter().map(|end| end.distance(centre)).sum();
            let are_allowed = pieces.iter().all(|piece| self.is_allowed(piece));
            are_allowed.then_some((pieces, length))
        })
    }

    /// Three points of the floe.
    fn seeds(&self, trial: u64) -> Option<[DVec2; 3]> {
        let random = Stream::new(self.id, Purpose::Crack);
        let vertices = self.whole.outline.vertices();
        let low = vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = vertices
            .iter()
            .copied()
            .fold(DVec2::NEG_INFINITY, DVec2::max);
        let place = |draw: u64| low + (high - low) * random.point(trial, draw);
        let mut inside = (0..60)
            .map(place)
            .filter(|point| self.whole.outline.contains(*point));
        Some([inside.next()?, inside.next()?, inside.next()?])
    }

    /// The chord of the smallest score: its length times a weight that falls from 1 to ½ with the share of impulses at its ends, and twice the distance
    /// from the centroid.
    fn chord(&self) -> Option<Pieces> {
        let points = self.boundary_points();
        let all: f64 = self.impulses.iter().map(|(_, size)| size).sum();
        let mut shares = vec![0.0; points.len()];
        for (point, size) in self.impulses {
            let distances = points.iter().map(|own| own.distance_squared(*point));
            let closest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))?.0;
            shares[closest] += size / all;
        }
        let mut chords = Vec::new();
        for (i, &a) in points.iter().enumerate() {
            for (j, &b) in points[..i].iter().enumerate() {
                let weight = 1.0 - 0.5 * (shares[i] + shares[j]);
                let apart = distance_point_segment(self.whole.centroid, a, b).distance;
                chords.push((a.distance(b) * weight + 2.0 * apart, [a, b]));
            }
        }
        chords.sort_by(|x, y| x.0.total_cmp(&y.0));
        let is_large = |(_, [a, b]): &&(f64, [DVec2; 2])| {
            // Shorter ones cut off less than the smallest piece.
            a.distance_squared(*b) >= self.smallest_area
        };
        let mut trials = chords.iter().filter(is_large).take(CHORD_TRIALS);
        trials.find_map(|(_, chord)| {
            let halves = split(self.whole, chord, self.slit)?;
            let are_allowed = halves.iter().all(|half| self.is_allowed(half));
            are_allowed.then(|| (halves.to_vec(), chord[0].distance(chord[1])))
        })
    }

    /// Points at equal distances along the boundary.
    fn boundary_points(&self) -> Vec<DVec2> {
        let outline = &self.whole.outline;
        let spacing = outline.perimeter() / CHORD_POINTS as f64;
        let mut points = Vec::with_capacity(CHORD_POINTS);
        let mut start = 0.0;
        for (a, b) in outline.edges() {
            let length = a.distance(b);
            while (points.len() as f64 + 0.5) * spacing < start + length
                && points.len() < CHORD_POINTS
            {
                let along = (points.len() as f64 + 0.5) * spacing - start;
                points.push(a.lerp(b, along / length));
            }
            start += length;
        }
        points
    }
}

/// Whether principal stresses are in the Mohr cone of Subzero, a triangle.
fn is_in_cone([first, second]: [f64; 2]) -> bool {
    let tip = -(1.0 / MOHR_SLOPE + 1.0) * MOHR_STRENGTH / (1.0 / MOHR_SLOPE - MOHR_SLOPE);
    let side = -(MOHR_SLOPE * MOHR_CUT_OFF + MOHR_STRENGTH);
    let corners = [
        DVec2::splat(tip),
        DVec2::new(side, -MOHR_CUT_OFF),
        DVec2::new(-MOHR_CUT_OFF, side),
    ];
    let point = DVec2::new(first, second);
    (0..3).all(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        (b - a).perp_dot(point - a) >= 0.0
    })
}

/// Whether principal stresses are in the yield ellipse of Hibler, which passes through zero and (−P, −P).
fn is_in_ellipse([first, second]: [f64; 2]) -> bool {
    let sum = (first + second) / HIBLER_STRENGTH + 1.0;
    let difference = 2.0 * (first - second) / HIBLER_STRENGTH;
    sum * sum + difference * difference <= 1.0 + ELLIPSE_ROUNDING
}

/// Where the Voronoi cells of three points meet, and the directions of the edges between cells: first and second, first and third, second and third.
fn cell_edges(seeds: [DVec2; 3]) -> Option<(DVec2, [DVec2; 3])> {
    let [a, b, c] = seeds;
    let (ab, ac) = (b - a, c - a);
    let twice = 2.0 * ab.perp_dot(ac);
    if twice == 0.0 {
        return None;
    }
    let (bb, cc) = (ab.length_squared(), ac.length_squared());
    let centre = a + DVec2::new(ac.y * bb - ab.y * cc, ab.x * cc - ac.x * bb) / twice;
    let edge = |p: DVec2, q: DVec2, other: DVec2| {
        let along = (q - p).perp();
        // It leads away from the cell of the third.
        if along.dot(p - other) > 0.0 {
            along
        } else {
            -along
        }
    };
    let rays = [edge(a, b, c), edge(a, c, b), edge(b, c, a)];
    centre.is_finite().then_some((centre, rays))
}

/// Where a ray from inside leaves an outline first.
fn first_hit(outline: &Outline, from: DVec2, direction: DVec2) -> Option<DVec2> {
    let hits = outline.edges().filter_map(|(a, b)| {
        let side = b - a;
        let across = direction.perp_dot(side);
        let along = (a - from).perp_dot(side) / across;
        let share = (a - from).perp_dot(direction) / across;
        (along > 0.0 && (0.0..=1.0).contains(&share)).then_some(along)
    });
    let nearest = hits.fold(f64::INFINITY, f64::min);
    nearest.is_finite().then(|| from + nearest * direction)
}

#[cfg(test)]
mod tests {
    use banquise_fem::ContactForce;
    use banquise_geometry::{Pose, Rotation, Shape};

    use super::*;
    use crate::body::{BodyKind, BodySpec, Thickness};
    use crate::domain::Domain;
    use crate::material::Material;
    use crate::motion::Velocity;
    use crate::pack::builtin_shapes;
    use crate::world::World;

    #[test]
    fn the_cone_and_the_ellipse_have_their_corners() {
        // The corners of the cone: (59.5, 59.5), (33.75, −74.5) kPa.
        assert!(is_in_cone([59.4e3, 59.4e3]) && !is_in_cone([59.6e3, 59.6e3]));
        assert!(is_in_cone([33.6e3, -74.2e3]) && !is_in_cone([33.9e3, -74.8e3]));
        // Its base is σ₁ + σ₂ = −40.75 kPa.
        assert!(is_in_cone([-20.3e3; 2]) && !is_in_cone([-20.5e3; 2]));
        assert!(is_in_ellipse([-1e3; 2]) && is_in_ellipse([0.0; 2]));
        assert!(!is_in_ellipse([1.0, 1.0]) && !is_in_ellipse([1e3, -1e3]));
        assert!(is_in_ellipse([-224e3; 2]) && !is_in_ellipse([-226e3; 2]));
    }

    /// A square of 100 m, 2 m thick, pressed by 4 MN from left and right.
    fn pressed(run: impl Fn(&PeerFloe<'_>)) {
        let corners = [[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]];
        let outline = Outline::try_new(corners.map(DVec2::from).to_vec()).unwrap();
        let push = |x: f64| ContactForce {
            point: DVec2::new(x, 0.0),
            force: DVec2::new(-4e6 * x.signum(), 0.0),
            radius: 5.0,
        };
        let load = Load {
            contacts: vec![push(-50.0), push(50.0)],
            ..Load::default()
        };
        let floe = PeerFloe {
            id: 7,
            whole: &SplitPiece::whole(outline),
            thickness: 2.0,
            mass: 1.84e7,
            load: &load,
            impulses: &[(DVec2::new(-50.0, 0.0), 4e6), (DVec2::new(50.0, 0.0), 4e6)],
            slit: 0.1,
            smallest_area: 400.0,
        };
        run(&floe);
    }

    #[test]
    fn a_pressed_square_has_the_mean_stress_of_a_bar_and_the_energy_of_its_impulses() {
        pressed(|floe| {
            // 4 MN over 100 m by 2 m.
            let [first, second] = floe.principal_stresses();
            assert!(
                first.abs() < 1e-9 && (second + 20e3).abs() < 1e-6,
                "{first} {second}"
            );
            assert!((floe.energy() - 2.0 * 8e12 / 1.84e7).abs() < 1e-6);
            assert!((floe.width() - 100.0).abs() < 1e-9);
            assert!(!floe.is_reached(Criterion::Mohr) && !floe.is_reached(Criterion::Chord));
        });
        // The chord between the contacts is as short as any through the centre, and has all impulses at its ends.
        pressed(|floe| {
            let (pieces, length) = floe.pieces(Criterion::Chord).unwrap();
            assert_eq!(pieces.len(), 2);
            assert!((length - 100.0).abs() < 1.0, "{length}");
            assert!(pieces.iter().all(|piece| piece.centroid.x.abs() < 5.0));
            let (pieces, _) = floe.pieces(Criterion::Mohr).unwrap();
            assert_eq!(pieces.len(), 3);
        });
    }

    /// Mass, momentum, angular momentum and kinetic energy.
    fn sums(world: &World) -> [f64; 5] {
        let bodies = &world.bodies;
        let mut sums = [0.0; 5];
        for row in 0..bodies.len() {
            let (mass, inertia) = (bodies.masses()[row], bodies.inertias()[row]);
            let motion = &bodies.motions()[row];
            let (linear, angular) = (motion.velocity.linear, motion.velocity.angular);
            let turning = mass * motion.pose.position.perp_dot(linear) + inertia * angular;
            let energy = 0.5 * (mass * linear.length_squared() + inertia * angular * angular);
            let own = [mass, mass * linear.x, mass * linear.y, turning, energy];
            for (sum, value) in sums.iter_mut().zip(own) {
                *sum += value;
            }
        }
        sums
    }

    fn moving(outline: Outline) -> BodySpec {
        BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            shape: Shape::Outline(outline),
            pose: Pose {
                position: DVec2::new(300.0, -200.0),
                rotation: Rotation::from_angle(0.4),
            },
            velocity: Velocity {
                linear: DVec2::new(0.3, -0.2),
                angular: 1e-3,
            },
            thickness: Thickness::Uniform(1.0),
            material: Material::default(),
            mass: None,
            inertia: None,
        }
    }

    #[test]
    fn pieces_of_all_criteria_keep_mass_momentum_and_energy() {
        let mut made = [0; 3];
        for (number, shape) in builtin_shapes().iter().enumerate() {
            let criteria = [Criterion::Mohr, Criterion::Hibler, Criterion::Chord];
            for (count, criterion) in made.iter_mut().zip(criteria) {
                let mut world = World::new(Domain::Free, 1);
                let id = world.add(moving(shape.scaled(100.0).unwrap())).unwrap();
                let whole = world.bodies.ice_of(0).unwrap();
                let floe = PeerFloe {
                    id: number as u64,
                    whole: &whole,
                    thickness: 1.0,
                    mass: world.bodies.masses()[0],
                    load: &Load::default(),
                    impulses: &[(whole.outline.vertices()[0], 1e7)],
                    slit: 0.05,
                    smallest_area: 200.0,
                };
                let Some((pieces, _)) = floe.pieces(criterion) else {
                    continue;
                };
                let before = sums(&world);
                world.split(id, &pieces).unwrap();
                *count += 1;
                for (after, before) in sums(&world).iter().zip(before) {
                    assert!(
                        (after - before).abs() <= 1e-12 * before.abs().max(1.0),
                        "{number}"
                    );
                }
            }
        }
        let shapes = builtin_shapes().len();
        assert!(
            made.iter().all(|count| 10 * count > 9 * shapes),
            "{made:?} of {shapes}"
        );
    }
}
