//! How deep floes overlap: an exact test of its own, that knows no engine.

use banquise_geometry::{DVec2, Pose};

use crate::engine::Motion;
use crate::scene::{Floe, Scene, VERTICES};

/// The deepest overlaps of a scene.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overlaps {
    /// The deepest \[m\]; zero for none.
    pub deepest: f64,
    /// The deepest as a share of the root of the smaller floe's area.
    pub share: f64,
}

impl Overlaps {
    /// Of all floes and walls.
    pub fn of(scene: &Scene, motions: &[Motion]) -> Self {
        let widest = scene.floes.iter().map(|floe| 2.0 * floe.radius);
        let widest = widest.fold(0.0, f64::max);
        let floes = scene.floes.iter().zip(motions);
        let placed: Vec<Placed> = floes
            .map(|(floe, motion)| Placed::new(floe, &motion.pose))
            .collect();
        let mut grid = Grid::new(scene.side, widest);
        let mut overlaps = Self::default();
        for (row, floe) in placed.iter().enumerate() {
            let size = scene.floes[row].area.sqrt();
            for vertex in &floe.vertices {
                let inside = vertex.min(DVec2::splat(scene.side) - *vertex);
                overlaps.add(-inside.min_element(), size);
            }
            for other in grid.near(floe.center) {
                let smaller = size.min(scene.floes[other].area.sqrt());
                overlaps.add(-floe.separation(&placed[other], 0.0), smaller);
            }
            grid.insert(floe.center, row);
        }
        overlaps
    }

    fn add(&mut self, depth: f64, size: f64) {
        // `max` would drop a NaN.
        assert!(depth.is_finite(), "a floe is nowhere");
        self.deepest = self.deepest.max(depth);
        self.share = self.share.max(depth / size);
    }

    /// The deeper of two looks.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            deepest: self.deepest.max(other.deepest),
            share: self.share.max(other.share),
        }
    }
}

/// A floe where it is.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    /// Counter-clockwise \[m\].
    pub vertices: [DVec2; VERTICES],
    /// Centre of mass \[m\].
    pub center: DVec2,
    /// Of a circle around it that holds all vertices \[m\].
    pub radius: f64,
}

impl Placed {
    /// A floe with its frame here.
    pub fn new(floe: &Floe, pose: &Pose) -> Self {
        Self {
            vertices: floe.vertices.map(|vertex| pose.world_from_body(vertex)),
            center: pose.position,
            radius: floe.radius,
        }
    }

    /// How far two floes can be told apart along the normal of an edge \[m\]: positive where they are apart, and then
    /// at most their distance; negative where they overlap, and then exactly the shortest way out. Where circles around them tell that it is
    /// `enough`, their distance will do.
    pub fn separation(&self, other: &Self, enough: f64) -> f64 {
        let between = self.center.distance(other.center) - self.radius - other.radius;
        if between >= enough {
            return between;
        }
        ahead(&self.vertices, &other.vertices).max(ahead(&other.vertices, &self.vertices))
    }
}

/// The largest distance of all of `b` in front of an edge of `a`.
fn ahead(a: &[DVec2; VERTICES], b: &[DVec2; VERTICES]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for index in 0..VERTICES {
        let (p, q) = (a[index], a[(index + 1) % VERTICES]);
        let normal = -(q - p).normalize().perp();
        let nearest = b
            .iter()
            .map(|vertex| (*vertex - p).dot(normal))
            .fold(f64::INFINITY, f64::min);
        best = best.max(nearest);
    }
    best
}

/// Squares of the box with what is in them.
pub struct Grid {
    cell: f64,
    columns: usize,
    cells: Vec<Vec<usize>>,
}

impl Grid {
    /// For things at most `widest` wide.
    pub fn new(side: f64, widest: f64) -> Self {
        // Two floes whose centres are two cells apart are apart.
        let columns = ((side / widest) as usize).max(1);
        Self {
            cell: side / columns as f64,
            columns,
            cells: vec![Vec::new(); columns * columns],
        }
    }

    fn place(&self, position: DVec2) -> [usize; 2] {
        let clamp = |x: f64| (x / self.cell).clamp(0.0, self.columns as f64 - 1.0) as usize;
        [clamp(position.x), clamp(position.y)]
    }

    /// Adds a thing.
    pub fn insert(&mut self, position: DVec2, thing: usize) {
        let [column, row] = self.place(position);
        self.cells[row * self.columns + column].push(thing);
    }

    /// Everything that may touch a thing here.
    pub fn near(&self, position: DVec2) -> impl Iterator<Item = usize> + '_ {
        let [column, row] = self.place(position);
        let around = move |at: usize| at.saturating_sub(1)..=(at + 1).min(self.columns - 1);
        around(row)
            .flat_map(move |row| around(column).map(move |column| row * self.columns + column))
            .flat_map(|cell| self.cells[cell].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Choice, EngineKind};
    use crate::scene::tests::small_scene;

    fn square(center: DVec2) -> Placed {
        // With a vertex on each side, a little outside, so that it is an octagon.
        let vertices = [
            (-1.0, -1.0),
            (0.0, -1.01),
            (1.0, -1.0),
            (1.01, 0.0),
            (1.0, 1.0),
            (0.0, 1.01),
            (-1.0, 1.0),
            (-1.01, 0.0),
        ]
        .map(|(x, y)| center + DVec2::new(x, y));
        Placed {
            vertices,
            center,
            radius: 2.0_f64.sqrt(),
        }
    }

    #[test]
    fn the_depth_of_an_overlap_is_the_shortest_way_out() {
        let fixed = square(DVec2::ZERO);
        // Tips meet tips: 2.02 between centres is touching.
        let touching = fixed.separation(&square(DVec2::new(2.02, 0.0)), 0.0);
        assert!(touching.abs() < 0.03, "{touching}");
        let apart = fixed.separation(&square(DVec2::new(5.0, 0.0)), 9.0);
        assert!((apart - 3.0).abs() < 0.05, "{apart}");
        let deep = fixed.separation(&square(DVec2::new(1.5, 0.3)), 0.0);
        assert!((deep + 0.5).abs() < 0.05, "{deep}");
    }

    #[test]
    fn an_overlap_that_was_made_is_found_and_a_scene_has_none() {
        let scene = small_scene();
        let choice = Choice {
            kind: EngineKind::Banquise,
            splits: 1,
        };
        let mut motions = choice.engine(&scene).unwrap().motions().unwrap();
        assert_eq!(Overlaps::of(&scene, &motions).deepest, 0.0);
        // The last floe goes half a metre into the wall on the right.
        let last = motions.last_mut().unwrap();
        let reach = scene.floes[59].vertices.map(|vertex| vertex.x);
        let reach = reach.into_iter().fold(0.0, f64::max);
        last.pose.position.x = scene.side - reach + 0.5;
        let overlaps = Overlaps::of(&scene, &motions);
        assert!(overlaps.deepest >= 0.5 - 1e-9, "{overlaps:?}");
        // And onto another floe.
        motions[59].pose.position = motions[0].pose.position;
        let depth = Overlaps::of(&scene, &motions).deepest;
        assert!(depth > 2.0, "{depth}");
    }
}
