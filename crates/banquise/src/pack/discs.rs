//! Discs at random places that do not overlap: random sequential addition.

use banquise_geometry::{DVec2, Pose, Shape};

use super::error::PackError;
use crate::domain::Rectangle;
use crate::random::{Purpose, Stream};

/// Places tried for one disc. Discs of equal size jam at a cover of 0.547; below 0.5 a few hundred tries are enough.
const TRIES: u64 = 100_000;

/// Discs to be scattered.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscRequest {
    /// Where they are, as a whole.
    pub region: Rectangle,
    /// How many.
    pub count: usize,
    /// The smallest and the largest radius \[m\]; all between them are as likely.
    pub radii: [f64; 2],
    /// The least distance to each other and to what is there \[m\].
    pub gap: f64,
    /// Seed of the draws.
    pub seed: u64,
}

/// A disc that was placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScatteredDisc {
    /// Centre \[m\].
    pub center: DVec2,
    /// Radius \[m\].
    pub radius: f64,
}

/// Scatters discs between bodies that are there already.
///
/// # Errors
/// When there is no room for one of them.
pub fn scatter_discs(
    request: &DiscRequest,
    given: &[(Shape, Pose)],
) -> Result<Vec<ScatteredDisc>, PackError> {
    let [min, max] = request.radii;
    let size = request.region.size();
    if size.min_element() < 2.0 * max {
        return Err(PackError::TooLarge {
            size: 2.0 * max,
            room: size.min_element(),
        });
    }
    let mut grid = Grid::new(request, given);
    let places = Stream::new(request.seed, Purpose::Place);
    let sizes = Stream::new(request.seed, Purpose::Shape);
    let mut discs = Vec::with_capacity(request.count);
    for number in 0..request.count {
        let radius = sizes.between(min, max, number as u64, 0);
        let room = size - DVec2::splat(2.0 * radius);
        let place = |draw: u64| {
            let center = places.point(number as u64, draw) * room;
            ScatteredDisc {
                center: request.region.min + DVec2::splat(radius) + center,
                radius,
            }
        };
        let free = (0..TRIES)
            .map(place)
            .find(|disc| grid.is_free(disc, &discs, given, request.gap));
        let Some(disc) = free else {
            return Err(PackError::NoRoom {
                placed: number,
                count: request.count,
            });
        };
        grid.add(&disc, number);
        discs.push(disc);
    }
    Ok(discs)
}

/// Discs and given bodies by square cells: those that are close to a disc are in its own cell and those round it.
struct Grid {
    origin: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    discs: Vec<Vec<u32>>,
    given: Vec<Vec<u32>>,
}

impl Grid {
    fn new(request: &DiscRequest, given: &[(Shape, Pose)]) -> Self {
        let reach = 2.0 * request.radii[1] + request.gap;
        let size = request.region.size();
        // Not many more cells than discs: a large sea may hold few.
        let most = 4.0 * request.count as f64;
        let cell = reach.max((size.x * size.y / most).sqrt());
        // Nor may a long strip have more columns than that.
        let cell = cell.max(size.max_element() / most);
        let [columns, rows] = [size.x, size.y].map(|side| (side / cell) as usize + 1);
        let mut grid = Self {
            origin: request.region.min,
            cell,
            columns,
            rows,
            discs: vec![Vec::new(); columns * rows],
            given: vec![Vec::new(); columns * rows],
        };
        for (index, (shape, pose)) in given.iter().enumerate() {
            let circle = shape.enclosing_circle();
            let center = pose.world_from_body(circle.center);
            let reach = DVec2::splat(circle.radius + request.radii[1] + request.gap);
            let (low, high) = (grid.place(center - reach), grid.place(center + reach));
            for row in low[1]..=high[1] {
                for column in low[0]..=high[0] {
                    grid.given[row * columns + column].push(index as u32);
                }
            }
        }
        grid
    }

    /// Column and row of a point; the nearest ones where it is outside.
    fn place(&self, point: DVec2) -> [usize; 2] {
        let at = (point - self.origin) / self.cell;
        // A cast to an unsigned number ends at zero.
        [
            (at.x as usize).min(self.columns - 1),
            (at.y as usize).min(self.rows - 1),
        ]
    }

    fn add(&mut self, disc: &ScatteredDisc, number: usize) {
        let [column, row] = self.place(disc.center);
        self.discs[row * self.columns + column].push(number as u32);
    }

    fn is_free(
        &self,
        disc: &ScatteredDisc,
        discs: &[ScatteredDisc],
        given: &[(Shape, Pose)],
        gap: f64,
    ) -> bool {
        let [column, row] = self.place(disc.center);
        let is_apart = |other: &u32| {
            let other = &discs[*other as usize];
            disc.center.distance(other.center) >= disc.radius + other.radius + gap
        };
        let own = &self.given[row * self.columns + column];
        own.iter().all(|&index| {
            let (shape, pose) = &given[index as usize];
            distance_to(shape, *pose, disc.center) >= disc.radius + gap
        }) && (row.saturating_sub(1)..=(row + 1).min(self.rows - 1)).all(|row| {
            let columns = column.saturating_sub(1)..=(column + 1).min(self.columns - 1);
            columns
                .into_iter()
                .all(|column| self.discs[row * self.columns + column].iter().all(is_apart))
        })
    }
}

/// Distance of a point from a body; zero inside \[m\].
fn distance_to(shape: &Shape, pose: Pose, point: DVec2) -> f64 {
    let local = pose.body_from_world(point);
    match shape {
        Shape::Disc(disc) => (local.distance(disc.center()) - disc.radius()).max(0.0),
        Shape::Outline(outline) if outline.contains(local) => 0.0,
        Shape::Outline(outline) => outline.distance_to_point(local),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banquise_geometry::{Disc, Outline, Rotation};

    fn request(count: usize) -> DiscRequest {
        DiscRequest {
            region: Rectangle {
                min: DVec2::new(-1.0, 4.0),
                max: DVec2::new(1.0, 6.0),
            },
            count,
            radii: [0.015, 0.025],
            gap: 1e-4,
            seed: 3,
        }
    }

    #[test]
    fn discs_keep_away_from_each_other_and_from_what_is_there() {
        let square = Outline::regular_polygon(0.3, 4).unwrap();
        let given = [
            (
                Shape::Disc(Disc::try_new(0.2).unwrap()),
                Pose {
                    position: DVec2::new(0.9, 5.0),
                    rotation: Rotation::IDENTITY,
                },
            ),
            (
                Shape::Outline(square),
                Pose {
                    position: DVec2::new(-0.3, 5.1),
                    rotation: Rotation::from_angle(0.4),
                },
            ),
        ];
        let discs = scatter_discs(&request(900), &given).unwrap();
        for (index, disc) in discs.iter().enumerate() {
            for other in &discs[..index] {
                let apart = disc.center.distance(other.center);
                assert!(apart >= disc.radius + other.radius + 1e-4);
            }
            for (shape, pose) in &given {
                assert!(distance_to(shape, *pose, disc.center) >= disc.radius + 1e-4);
            }
            let from_edge = (disc.center - DVec2::new(0.0, 5.0)).abs().max_element();
            assert!(from_edge <= 1.0 - disc.radius);
        }
        assert_eq!(discs, scatter_discs(&request(900), &given).unwrap());
    }

    #[test]
    fn a_full_region_is_refused() {
        let full = DiscRequest {
            region: Rectangle {
                min: DVec2::ZERO,
                max: DVec2::splat(0.2),
            },
            ..request(100)
        };
        assert!(matches!(
            scatter_discs(&full, &[]),
            Err(PackError::NoRoom { count: 100, .. })
        ));
    }
}
