//! A map: what it holds.

use super::axis::{bounds, drawable, widened};
use super::unit::Unit;

/// A shape in world coordinates \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Rings of vertices; the first is the outline, the others are holes.
    Polygon(Vec<Vec<[f64; 2]>>),
    /// A true disc.
    Disc {
        /// Centre \[m\].
        center: [f64; 2],
        /// Radius \[m\].
        radius: f64,
    },
}

/// A floe: its shape, and the number that colours it.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Outline or disc.
    pub shape: Shape,
    /// Value on the colour scale of the map; grey when it is missing or not finite.
    pub value: Option<f64>,
}

impl Patch {
    /// A floe of plain ice with this outline.
    pub fn polygon(outline: Vec<[f64; 2]>) -> Self {
        Self {
            shape: Shape::Polygon(vec![outline]),
            value: None,
        }
    }

    /// A round floe of plain ice.
    pub fn disc(center: [f64; 2], radius: f64) -> Self {
        Self {
            shape: Shape::Disc { center, radius },
            value: None,
        }
    }

    /// A copy of the floe with a value to colour it by.
    #[must_use]
    pub fn with_value(self, value: f64) -> Self {
        Self {
            value: Some(value),
            ..self
        }
    }
}

/// A rectangle of the world \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lower left corner.
    pub min: [f64; 2],
    /// Upper right corner.
    pub max: [f64; 2],
}

/// A straight part of a crack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrackLine {
    /// Both ends \[m\].
    pub ends: [[f64; 2]; 2],
    /// Value on the colour scale of the map; in ink when it is missing.
    pub value: Option<f64>,
}

/// One layer of a map; layers are drawn in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// Floes, in plain ice or coloured by their values.
    Floes(Vec<Patch>),
    /// Fixed obstacles, in the colour of land.
    Obstacles(Vec<Shape>),
    /// Paths, from a ring at the start to an arrow at the end. More than twelve are drawn thin.
    Trajectories(Vec<Vec<[f64; 2]>>),
    /// Paths of bodies that are no floes, in orange.
    ObstaclePaths(Vec<Vec<[f64; 2]>>),
    /// Velocities, each from its tail to its tip \[m\], in the colour of a curve.
    Velocities(usize, Vec<[[f64; 2]; 2]>),
    /// Cracks, in ink or coloured by their values.
    Cracks(Vec<CrackLine>),
    /// The border of the domain, which nothing stops at.
    Domain(Extent),
    /// The border of a domain whose edges in the west, east, south and north are open or walls.
    Walls(Extent, [bool; 4]),
    /// The border of a region that is no rectangle.
    Border(Vec<[f64; 2]>),
}

/// What the colours of the floes mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColorScale {
    /// What is measured, without its unit.
    pub label: String,
    /// Unit of the values.
    pub unit: Unit,
    /// Values at both ends of the scale; taken from the floes when `None`.
    pub range: Option<[f64; 2]>,
}

/// A direction with a name, such as the wind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrow {
    /// Text beside the arrow.
    pub label: String,
    /// Where it points to; only the direction counts.
    pub direction: [f64; 2],
}

/// A map with equal scales along x and y.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Title above the map.
    pub title: String,
    /// What the map shows, for those who cannot see it; counted from the layers when empty.
    pub description: String,
    /// Part of the world to show, widened where needed for a readable shape; everything when
    /// `None`.
    pub extent: Option<Extent>,
    /// What to draw, from bottom to top.
    pub layers: Vec<Layer>,
    /// Meaning of the floes' values; without it floes are plain ice.
    pub color_scale: Option<ColorScale>,
    /// Directions shown above the map.
    pub arrows: Vec<Arrow>,
    /// Time shown above the map \[s\].
    pub time: Option<f64>,
    /// Width of the figure \[px\]; the height follows from the extent.
    pub width: f64,
}

impl Default for Map {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            extent: None,
            layers: Vec::new(),
            color_scale: None,
            arrows: Vec::new(),
            time: None,
            width: 560.0,
        }
    }
}

impl Map {
    /// What is on the map, in a sentence.
    pub(super) fn describe(&self) -> String {
        if !self.description.is_empty() {
            return self.description.clone();
        }
        let (mut floes, mut obstacles, mut tracks) = (0, 0, 0);
        for layer in &self.layers {
            match layer {
                Layer::Floes(patches) => floes += patches.len(),
                Layer::Obstacles(shapes) => obstacles += shapes.len(),
                Layer::Trajectories(paths) => tracks += paths.len(),
                _ => {}
            }
        }
        format!("Map with {floes} floes, {obstacles} obstacles and {tracks} trajectories.")
    }

    /// The values that colour floes and cracks.
    pub(super) fn values(&self) -> Vec<f64> {
        let values = self.layers.iter().flat_map(|layer| match layer {
            Layer::Floes(patches) => patches.iter().filter_map(|patch| patch.value).collect(),
            Layer::Cracks(lines) => lines.iter().filter_map(|line| line.value).collect(),
            _ => Vec::new(),
        });
        values.collect()
    }

    /// The extent asked for, or else that of the layers with some water around.
    pub(super) fn shown_extent(&self) -> Extent {
        if let Some(extent) = self.extent.and_then(usable) {
            return extent;
        }
        let points: Vec<[f64; 2]> = self.layers.iter().flat_map(layer_corners).collect();
        let side = |k: usize| bounds(points.iter().map(move |point| point[k]));
        let (Some(x), Some(y)) = (side(0), side(1)) else {
            return Extent {
                min: [0.0, 0.0],
                max: [1000.0, 1000.0],
            };
        };
        // One margin for both sides, and never none: a line of floes has no height of its own.
        let margin = (0.04 * (x[1] - x[0]).max(y[1] - y[0])).max(1e-6);
        let [x, y] = [x, y].map(|[lo, hi]| widened([lo - margin, hi + margin]));
        Extent {
            min: [x[0], y[0]],
            max: [x[1], y[1]],
        }
    }
}

fn usable(extent: Extent) -> Option<Extent> {
    let corners = [extent.min, extent.max];
    let is_finite = corners
        .iter()
        .flatten()
        .all(|value| drawable(*value).is_some());
    let is_open =
        (0..2).all(|k| widened([extent.min[k], extent.max[k]]) == [extent.min[k], extent.max[k]]);
    (is_finite && is_open).then_some(extent)
}

/// `extent` widened so that a channel does not become a thread.
pub(super) fn readable(extent: Extent) -> Extent {
    let size = [0, 1].map(|k| extent.max[k] - extent.min[k]);
    let wanted = [size[0].max(size[1]), size[1].max(size[0] * 0.36)];
    let grow = |k: usize| 0.5 * (wanted[k] - size[k]);
    Extent {
        min: [0, 1].map(|k| extent.min[k] - grow(k)),
        max: [0, 1].map(|k| extent.max[k] + grow(k)),
    }
}

/// Points whose bounding box is that of the layer.
fn layer_corners(layer: &Layer) -> Vec<[f64; 2]> {
    match layer {
        Layer::Floes(patches) => patches
            .iter()
            .flat_map(|patch| shape_corners(&patch.shape))
            .collect(),
        Layer::Obstacles(shapes) => shapes.iter().flat_map(shape_corners).collect(),
        Layer::Trajectories(paths) | Layer::ObstaclePaths(paths) => paths.concat(),
        Layer::Velocities(_, arrows) => arrows.concat(),
        Layer::Cracks(lines) => lines.iter().flat_map(|line| line.ends).collect(),
        Layer::Domain(extent) | Layer::Walls(extent, _) => vec![extent.min, extent.max],
        Layer::Border(ring) => ring.clone(),
    }
}

fn shape_corners(shape: &Shape) -> Vec<[f64; 2]> {
    match shape {
        Shape::Polygon(rings) => rings.concat(),
        Shape::Disc {
            center: [x, y],
            radius,
        } => {
            vec![[x - radius, y - radius], [x + radius, y + radius]]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_holds_every_layer() {
        let map = Map {
            layers: vec![
                Layer::Floes(vec![Patch::disc([0.0, 0.0], 50.0)]),
                Layer::Trajectories(vec![vec![[0.0, 0.0], [400.0, f64::NAN], [300.0, 20.0]]]),
            ],
            ..Map::default()
        };
        let extent = map.shown_extent();
        assert!(extent.min[0] < -50.0 && extent.max[0] > 400.0);
        assert!(extent.min[1] < -50.0 && extent.max[1] > 50.0);
    }

    #[test]
    fn thin_extents_are_widened_about_their_middle() {
        let tall = readable(Extent {
            min: [0.0, 0.0],
            max: [1.0, 100.0],
        });
        assert_eq!((tall.min[0], tall.max[0]), (-49.5, 50.5));
        let flat = readable(Extent {
            min: [0.0, 0.0],
            max: [100.0, 1.0],
        });
        assert_eq!((flat.min[1], flat.max[1]), (-17.5, 18.5));
    }
}
