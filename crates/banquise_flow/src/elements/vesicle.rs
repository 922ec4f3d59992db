//! A vesicle as a necklace of discs with springs and bending, in shear flow (Lefebvre 2007, section 2.3): slow flow, one viscosity outside and another inside.
//!
//! The area is kept by a pressure inside, found by superposition, to first order in the step; then the places are projected on those with the distances and the area of the
//! start, so that both are kept in runs of any length. The source gives neither shear rate, domain nor step: they are ours.

use banquise_fem::stokes::{Edge, FlowLoad};
use banquise_geometry::{DVec2, math};

use super::stepper::Stepper;
use crate::error::{check_path, positive};
use crate::{FlowError, Grid};

/// The vesicle. Radius, number, springs and bending are the source's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VesicleSettings {
    /// Viscosity inside over that outside.
    pub inner_viscosity: f64,
    /// Stiffness of the springs.
    pub spring: f64,
    /// Stiffness in bending.
    pub bending: f64,
    /// Side of a cell.
    pub spacing: f64,
    /// Step times shear rate.
    pub dt: f64,
}

impl Default for VesicleSettings {
    /// Tank-treading: viscosity 1, springs 100, bending 1 as in the source; cells of half a radius, steps of 0.08 (ours).
    fn default() -> Self {
        Self {
            inner_viscosity: 1.0,
            spring: 100.0,
            bending: 1.0,
            spacing: 2.0,
            dt: 0.08,
        }
    }
}

impl VesicleSettings {
    /// Refuses settings out of range.
    ///
    /// # Errors
    /// Which, and what it must be.
    pub fn check(&self) -> Result<(), FlowError> {
        for (name, value) in [
            ("the viscosity inside", self.inner_viscosity),
            ("the stiffness of the springs", self.spring),
            ("the stiffness in bending", self.bending),
            ("the step", self.dt),
        ] {
            positive(name, value)?;
        }
        if self.inner_viscosity > MOST_INNER {
            return Err(FlowError::OutOfRange {
                quantity: "the viscosity inside",
                requirement: "at most 1000 times that outside: discs are rigid by one of 1e5 times",
                value: self.inner_viscosity,
            });
        }
        if !(0.25..=2.0).contains(&self.spacing) {
            return Err(FlowError::OutOfRange {
                quantity: "the side of a cell",
                requirement: "from 0.25 to 2: discs have a radius of 4",
                value: self.spacing,
            });
        }
        Ok(())
    }
}

/// Discs of the necklace and their radius; rest length of the springs; shear rate.
const COUNT: usize = 20;
const RADIUS: f64 = 4.0;
const REST: f64 = 1.5 * RADIUS;
const SHEAR: f64 = 1.0;
/// Sides of the box, periodic along the flow; the ellipse at the start has axes of ratio two.
const SIZE: [f64; 2] = [192.0, 120.0];
/// What is left out of a rigid disc at its edge, in cells: neighbours that share triangles would be one rigid ring, which neither bends nor goes round.
const MARGIN: f64 = 0.75;
/// Viscosity of discs over that of the fluid.
const PENALTY: f64 = 1e5;
/// Largest viscosity inside: that of the discs is a hundred times as much.
const MOST_INNER: f64 = 1e-2 * PENALTY;
/// Projections of the places end when gaps and area are within this share.
const TOLERANCE: f64 = 1e-13;

/// One instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VesicleState {
    /// Time.
    pub time: f64,
    /// Angle of the long axis \[rad\], continued over half turns.
    pub inclination: f64,
    /// Mean angle by which the discs went round their middle \[rad\].
    pub membrane: f64,
    /// Area over that at the start.
    pub area: f64,
    /// Σ ρᵢ Vᵢ·nᵢ over Σ |ρᵢ Vᵢ|, before contacts.
    pub growth: f64,
    /// Largest deviation of neighbours from touching, in radii.
    pub worst_gap: f64,
}

/// How a vesicle moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// The long axis stays, the membrane goes round.
    TankTreading,
    /// The long axis goes round.
    Tumbling,
    /// Neither for certain in the time given.
    Between,
}

/// A vesicle that moves.
#[derive(Debug)]
pub struct Vesicle {
    settings: VesicleSettings,
    stepper: Stepper,
    /// Centres of the discs, counter-clockwise.
    pub places: Vec<DVec2>,
    area: f64,
    /// Where it is now.
    pub state: VesicleState,
}

fn area(places: &[DVec2]) -> f64 {
    let next = places.iter().cycle().skip(1);
    0.5 * places
        .iter()
        .zip(next)
        .map(|(a, b)| a.perp_dot(*b))
        .sum::<f64>()
}

/// Twice the derivative of the area by each place.
fn outward(places: &[DVec2]) -> Vec<DVec2> {
    (0..places.len())
        .map(|i| {
            let next = places[(i + 1) % places.len()];
            let before = places[(i + places.len() - 1) % places.len()];
            -(next - before).perp()
        })
        .collect()
}

fn is_inside(places: &[DVec2], at: DVec2) -> bool {
    let mut inside = false;
    for (i, a) in places.iter().enumerate() {
        let b = places[(i + 1) % places.len()];
        if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y) {
            inside = !inside;
        }
    }
    inside
}

impl Vesicle {
    /// An ellipse along the flow, its discs touching.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(settings: VesicleSettings) -> Result<Self, FlowError> {
        settings.check()?;
        let cells = SIZE.map(|side| (side / settings.spacing).round() as usize);
        let edges = |_: DVec2, normal: DVec2| {
            if normal.x > 0.5 {
                Edge::Periodic {
                    shift: DVec2::new(-SIZE[0], 0.0),
                }
            } else if normal.x < -0.5 {
                Edge::Free
            } else {
                Edge::Velocity
            }
        };
        let stepper = Stepper::new(cells, SIZE[0] / cells[0] as f64, edges)?;
        let middle = 0.5 * DVec2::from(SIZE);
        let mut places: Vec<DVec2> = (0..COUNT)
            .map(|k| {
                let (sin, cos) = math::sin_cos(std::f64::consts::TAU * k as f64 / COUNT as f64);
                middle + DVec2::new(33.0 * cos, 16.5 * sin)
            })
            .collect();
        // Distances first, whatever area that gives: it is the area to keep.
        for _ in 0..200 {
            relax(&mut places, None);
        }
        let area = area(&places);
        Ok(Self {
            settings,
            stepper,
            state: VesicleState {
                time: 0.0,
                inclination: inclination(&places),
                membrane: 0.0,
                area: 1.0,
                growth: 0.0,
                worst_gap: worst_gap(&places),
            },
            places,
            area,
        })
    }

    /// Area over that of a circle of the same circumference.
    pub fn reduced_area(&self) -> f64 {
        let around = 2.0 * RADIUS * COUNT as f64;
        4.0 * std::f64::consts::PI * self.area / (around * around)
    }

    /// Radius of a disc.
    pub fn radius(&self) -> f64 {
        RADIUS
    }

    /// Cells of the mesh, for pictures.
    ///
    /// # Errors
    /// If there are too few cells.
    pub fn grid(&self) -> Result<Grid, FlowError> {
        self.stepper.grid()
    }

    /// Pressure in the middle of the cells, of mean zero.
    pub fn pressure(&self) -> Vec<f64> {
        self.stepper.pressure()
    }

    /// Stream function at the corners of the cells.
    pub fn stream(&self) -> Vec<f64> {
        self.stepper.stream()
    }

    /// Springs and bending on each disc.
    fn forces(&self) -> Vec<DVec2> {
        let n = self.places.len();
        let mut forces = vec![DVec2::ZERO; n];
        let edge = |i: usize| self.places[i] - self.places[(i + n - 1) % n];
        for i in 0..n {
            let before = (i + n - 1) % n;
            let (own, length) = (edge(i).normalize(), edge(i).length());
            let pull = self.settings.spring * (length - REST) * own;
            forces[i] -= pull;
            forces[before] += pull;
            let after = (i + 1) % n;
            let (next, next_length) = (edge(after).normalize(), edge(after).length());
            let cosine = own.dot(next);
            let first = -self.settings.bending / length * (next - cosine * own);
            let last = self.settings.bending / next_length * (own - cosine * next);
            forces[before] += first;
            forces[after] += last;
            forces[i] -= first + last;
        }
        forces
    }

    /// Makes a step.
    ///
    /// # Errors
    /// If the flow is not found.
    pub fn step(&mut self) -> Result<VesicleState, FlowError> {
        let velocities = self.velocities()?;
        for (k, velocity) in velocities.iter().enumerate() {
            let path = self.settings.dt * velocity.length();
            check_path(self.state.time, k, path, RADIUS)?;
        }
        let before = self.places.clone();
        for (place, velocity) in self.places.iter_mut().zip(&velocities) {
            *place += self.settings.dt * *velocity;
        }
        for _ in 0..30 {
            if relax(&mut self.places, Some(self.area)) < TOLERANCE {
                break;
            }
        }
        let state = &mut self.state;
        state.time += self.settings.dt;
        state.area = area(&self.places) / self.area;
        state.worst_gap = worst_gap(&self.places);
        let turned = inclination(&self.places) - state.inclination;
        let half = std::f64::consts::PI;
        state.inclination += turned - half * (turned / half).round();
        state.membrane += mean_turn(&before, &self.places);
        Ok(*state)
    }

    /// Velocities of the discs in the flow, the area kept to first order.
    fn velocities(&mut self) -> Result<Vec<DVec2>, FlowError> {
        let mesh = self.stepper.mesh();
        let core = RADIUS - MARGIN * self.stepper.spacing;
        let mut matter = self.stepper.uniform(1.0, 0.0);
        let mut owner = vec![u32::MAX; mesh.triangles().len()];
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); COUNT];
        for triangle in 0..mesh.triangles().len() as u32 {
            let at = mesh.centroid(triangle);
            let disc = self.places.iter().position(|place| {
                let mut apart = at - *place;
                apart.x -= SIZE[0] * (apart.x / SIZE[0]).round();
                apart.length() < core
            });
            let viscosity = &mut matter.viscosity[triangle as usize];
            if let Some(disc) = disc {
                *viscosity += PENALTY;
                owner[triangle as usize] = disc as u32;
                members[disc].push(triangle);
            } else if is_inside(&self.places, at) {
                *viscosity = self.settings.inner_viscosity;
            }
        }
        let volumes: Vec<f64> = members
            .iter()
            .map(|list| list.iter().map(|t| mesh.area(*t)).sum())
            .collect();
        let spread = |forces: &[DVec2]| -> Vec<DVec2> {
            forces.iter().zip(&volumes).map(|(f, v)| *f / *v).collect()
        };
        let (forces, normals) = (spread(&self.forces()), outward(&self.places));
        let pressed = spread(&normals);
        let flow = self.stepper.factorise(&matter, f64::INFINITY)?;
        let on_discs = |density: &[DVec2], triangle: u32| {
            density
                .get(owner[triangle as usize] as usize)
                .copied()
                .unwrap_or(DVec2::ZERO)
        };
        let shear = |at: DVec2| DVec2::new(SHEAR * (at.y - 0.5 * SIZE[1]), 0.0);
        let mut field = flow.solve(&FlowLoad {
            force: &|triangle, _| on_discs(&forces, triangle),
            velocity: &shear,
        })?;
        let pushed = flow.solve(&FlowLoad {
            force: &|triangle, _| on_discs(&pressed, triangle),
            velocity: &|_| DVec2::ZERO,
        })?;
        let mean = |field: &_, list: &Vec<u32>| self.stepper.problem.mean_motion(field, list).0;
        let growth = |field: &_| -> f64 {
            members
                .iter()
                .zip(&normals)
                .map(|(list, n)| n.dot(mean(field, list)))
                .sum()
        };
        field.add(-growth(&field) / growth(&pushed), &pushed);
        let velocities: Vec<DVec2> = members.iter().map(|list| mean(&field, list)).collect();
        let sizes = velocities
            .iter()
            .zip(&normals)
            .map(|(v, n)| v.length() * n.length());
        self.state.growth = growth(&field).abs() / sizes.sum::<f64>();
        self.stepper.keep(field, matter);
        Ok(velocities)
    }
}

/// Mean angle by which discs went round their middle.
fn mean_turn(before: &[DVec2], after: &[DVec2]) -> f64 {
    let middle = |places: &[DVec2]| places.iter().sum::<DVec2>() / places.len() as f64;
    let (from, to) = (middle(before), middle(after));
    let turns = before.iter().zip(after).map(|(a, b)| {
        let (a, b) = (*a - from, *b - to);
        math::atan2(a.perp_dot(b), a.dot(b))
    });
    turns.sum::<f64>() / before.len() as f64
}

/// Angle of the long axis, from the second moments of the discs.
fn inclination(places: &[DVec2]) -> f64 {
    let middle = places.iter().sum::<DVec2>() / places.len() as f64;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for place in places {
        let d = *place - middle;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    0.5 * math::atan2(2.0 * xy, xx - yy)
}

fn worst_gap(places: &[DVec2]) -> f64 {
    let next = places.iter().cycle().skip(1);
    places
        .iter()
        .zip(next)
        .map(|(a, b)| (a.distance(*b) / RADIUS - 2.0).abs())
        .fold(0.0, f64::max)
}

/// One step of Newton's method to the nearest places at which neighbours touch, others do not overlap, and the area is the given one. Returns the largest deviation before it,
/// relative.
fn relax(places: &mut [DVec2], kept: Option<f64>) -> f64 {
    let n = places.len();
    let mut rows: Vec<(Vec<(usize, DVec2)>, f64)> = Vec::new();
    let mut worst: f64 = 0.0;
    for a in 0..n {
        for b in a + 1..n {
            let apart = places[b] - places[a];
            let gap = apart.length() - 2.0 * RADIUS;
            let is_neighbour = b == a + 1 || (a == 0 && b == n - 1);
            if is_neighbour || gap < 0.0 {
                let normal = apart.normalize();
                rows.push((vec![(a, -normal), (b, normal)], gap));
                worst = worst.max(gap.abs() / RADIUS);
            }
        }
    }
    if let Some(kept) = kept {
        let slopes = outward(places)
            .into_iter()
            .map(|n| 0.5 * n)
            .enumerate()
            .collect();
        let missing = area(places) - kept;
        worst = worst.max(missing.abs() / kept);
        rows.push((slopes, missing));
    }
    let m = rows.len();
    let mut system = vec![vec![0.0; m + 1]; m];
    for (i, (a, defect)) in rows.iter().enumerate() {
        for (j, (b, _)) in rows.iter().enumerate() {
            for (k, v) in a {
                system[i][j] += b
                    .iter()
                    .filter(|(l, _)| l == k)
                    .map(|(_, w)| v.dot(*w))
                    .sum::<f64>();
            }
        }
        system[i][m] = *defect;
    }
    let factors = eliminate(system);
    for ((slopes, _), factor) in rows.iter().zip(factors) {
        for (k, slope) in slopes {
            places[*k] -= factor * *slope;
        }
    }
    worst
}

/// Solves a small dense system, its right-hand side in the last column.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| {
            if rows[i][k].abs() > rows[best][k].abs() {
                i
            } else {
                best
            }
        });
        rows.swap(k, pivot);
        let line = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / line[k];
            for (value, other) in row.iter_mut().zip(&line).skip(k) {
                *value -= factor * other;
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - sum) / rows[k][k];
    }
    x
}

/// What a history shows, its first quarter left out.
pub fn regime(history: &[VesicleState]) -> Regime {
    let (Some(first), Some(last)) = (history.get(history.len() / 4), history.last()) else {
        return Regime::Between;
    };
    let turned = (last.inclination - first.inclination).abs();
    let round = (last.membrane - first.membrane).abs();
    // More than a quarter turn takes the long axis across the flow, where a vesicle that treads never is.
    if turned > std::f64::consts::FRAC_PI_2 {
        Regime::Tumbling
    } else if turned < 0.25 * std::f64::consts::PI && round > 0.5 * std::f64::consts::PI {
        Regime::TankTreading
    } else {
        Regime::Between
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_and_distances_are_kept_and_the_membrane_goes_round() {
        let mut vesicle = Vesicle::new(VesicleSettings::default()).unwrap();
        assert!(vesicle.state.worst_gap < 1e-10, "{:?}", vesicle.state);
        for _ in 0..3 {
            let state = vesicle.step().unwrap();
            assert!(state.growth < 1e-10 && state.worst_gap < 1e-12, "{state:?}");
            assert!((state.area - 1.0).abs() < 1e-12, "{state:?}");
        }
        // Clockwise, as the shear turns, at less than half the shear rate.
        let turned = vesicle.state.membrane / vesicle.state.time;
        assert!(turned < -0.02 && turned > -0.5, "{:?}", vesicle.state);
        // The necklace bends: discs at the ends go round more slowly than those above and below.
        let middle = 0.5 * DVec2::from(SIZE);
        let velocities = vesicle.velocities().unwrap();
        let rate = |k: usize| {
            let arm = vesicle.places[k] - middle;
            arm.perp_dot(velocities[k]) / arm.length_squared()
        };
        assert!(rate(5) < 2.0 * rate(0), "{} {}", rate(5), rate(0));
    }

    #[test]
    fn springs_and_bending_have_no_resultant() {
        let vesicle = Vesicle::new(VesicleSettings::default()).unwrap();
        let forces = vesicle.forces();
        let sum: DVec2 = forces.iter().sum();
        let torque: f64 = forces
            .iter()
            .zip(&vesicle.places)
            .map(|(f, x)| x.perp_dot(*f))
            .sum();
        assert!(sum.length() < 1e-9 && torque.abs() < 1e-7, "{sum} {torque}");
    }
}
