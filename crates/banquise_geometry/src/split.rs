//! Pieces of ice cut in two along a crack.
//!
//! Two pieces with a common edge would overlap by rounding once they turn. So a slit is taken out of the outlines, and of the
//! outlines alone: area, centroid and second moment are those of the halves before the slit, and add up to those of the whole.

use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;

use crate::cut::{raw, signed_area, tidied};
use crate::moments::{Moments, closed_pairs};
use crate::outline::Outline;
use crate::segment::distance_point_segment;

/// Largest share of a half that may be lost to the slit and to slivers beside it [–]. A crack that runs so close to the boundary that more is lost
/// is refused.
const LARGEST_LOSS: f64 = 0.1;
/// New vertices closer than this share of the slit to another, or to the line of a side, are left out [–].
const SMALLEST: f64 = 0.02;
/// An end of a crack closer than this share of the slit to a vertex of the outline is that vertex [–].
const SNAP: f64 = 0.05;
/// Slits that are tried, as shares of the one asked for: where an edge of the slit lies within rounding of one of the outline, what is left may be no
/// valid outline.
const SLITS: [f64; 3] = [1.0, 1.07, 1.15];
/// The slit reaches beyond both ends of the crack by this share of its width [–].
const OVERREACH: f64 = 2.0;

/// A piece of ice: its outline, and the moments of the ice that belongs to it, which are those of the outline before a slit was taken out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitPiece {
    /// The outline, without slits.
    pub outline: Outline,
    /// Area of the ice \[m²\].
    pub area: f64,
    /// Its centroid \[m\].
    pub centroid: DVec2,
    /// ∫|p − c|² over the ice, about its centroid \[m⁴\].
    pub second_moment: f64,
}

impl SplitPiece {
    /// The whole of an outline, without a slit.
    pub fn whole(outline: Outline) -> Self {
        Self {
            area: outline.area(),
            centroid: outline.centroid(),
            second_moment: outline.second_moment(),
            outline,
        }
    }

    /// Area that slits took out of the outline \[m²\].
    pub fn slit_area(&self) -> f64 {
        self.area - self.outline.area()
    }
}

/// Cuts a piece in two along a crack, given as points from boundary to boundary, and takes a slit of this width \[m\] out of
/// the outlines: they are at least 0.7 of it apart along the crack.
///
/// The ends of the crack are moved to the closest points of the boundary. The first half is on the left of the crack. Where the moments of the whole are
/// not those of its outline, both halves are changed alike: areas and second moments by a factor, centroids by a shift, so that they add up to the whole. `None` where the crack leaves
/// the outline or touches it on the way, or where what is left beside the slit are no valid outlines.
///
/// ```
/// use banquise_geometry::{DVec2, Outline, SplitPiece, split};
///
/// let square = SplitPiece::whole(Outline::regular_polygon(10.0, 4)?);
/// let crack = [DVec2::new(10.0, 0.0), DVec2::new(-10.0, 0.0)];
/// let [below, above] = split(&square, &crack, 0.1).unwrap();
/// assert!((below.area + above.area - square.area).abs() < 1e-12 * square.area);
/// assert!(below.centroid.y < 0.0 && above.centroid.y > 0.0);
/// # Ok::<(), banquise_geometry::GeometryError>(())
/// ```
pub fn split(whole: &SplitPiece, crack: &[DVec2], slit: f64) -> Option<[SplitPiece; 2]> {
    let polygon = whole.outline.vertices();
    if crack.len() < 2 {
        return None;
    }
    let halves = halves(polygon, crack, SNAP * slit)?;
    // A crack that leaves the polygon, or crosses itself, makes a half that is no valid outline.
    for half in &halves {
        Outline::from_ring(half).ok()?;
    }
    let pieces = SLITS.iter().find_map(|factor| {
        let band = band(crack, factor * slit);
        let [left, right] = &halves;
        Some([
            piece(left, polygon, &band, slit)?,
            piece(right, polygon, &band, slit)?,
        ])
    });
    sharing(whole, pieces?)
}

/// The pieces with moments that add up to those of the whole; `None` where its second moment is too small to be shared.
fn sharing(whole: &SplitPiece, mut pieces: [SplitPiece; 2]) -> Option<[SplitPiece; 2]> {
    let sum: f64 = pieces.iter().map(|piece| piece.area).sum();
    let first: DVec2 = pieces.iter().map(|piece| piece.area * piece.centroid).sum();
    let shift = whole.centroid - first / sum;
    for piece in &mut pieces {
        piece.area *= whole.area / sum;
        piece.centroid += shift;
    }
    let own: f64 = pieces.iter().map(|piece| piece.second_moment).sum();
    let apart = |piece: &SplitPiece| piece.area * piece.centroid.distance_squared(whole.centroid);
    let factor = (whole.second_moment - pieces.iter().map(apart).sum::<f64>()) / own;
    for piece in &mut pieces {
        piece.second_moment *= factor;
    }
    (factor > 0.0).then_some(pieces)
}

/// A place on the boundary: the edge it is on, and the point.
#[derive(Clone, Copy)]
struct Place {
    edge: usize,
    parameter: f64,
    point: DVec2,
}

/// The place of the boundary that is closest to a point; a vertex, where one is closer than `snap` \[m\] to it.
fn closest(polygon: &[DVec2], point: DVec2, snap: f64) -> Place {
    let mut best = (f64::INFINITY, None);
    for (edge, (a, b)) in closed_pairs(polygon).enumerate() {
        let found = distance_point_segment(point, a, b);
        if found.distance < best.0 {
            best = (found.distance, Some((edge, found)));
        }
    }
    let (edge, found) = best.1.expect("a polygon has edges");
    let next = (edge + 1) % polygon.len();
    let at_vertex = |vertex: usize| Place {
        edge: vertex,
        parameter: 0.0,
        point: polygon[vertex],
    };
    if found.point.distance(polygon[edge]) <= snap {
        at_vertex(edge)
    } else if found.point.distance(polygon[next]) <= snap {
        at_vertex(next)
    } else {
        Place {
            edge,
            parameter: found.parameter,
            point: found.point,
        }
    }
}

/// The rings on the left and on the right of a crack.
fn halves(polygon: &[DVec2], crack: &[DVec2], snap: f64) -> Option<[Vec<DVec2>; 2]> {
    let (&first, &last) = (crack.first()?, crack.last()?);
    let (start, end) = (closest(polygon, first, snap), closest(polygon, last, snap));
    if start.point == end.point {
        return None;
    }
    let mut path = vec![start.point];
    path.extend(&crack[1..crack.len() - 1]);
    path.push(end.point);
    // Left of the crack, the boundary goes on from its end to its start.
    let mut left = path.clone();
    left.extend(vertices_between(polygon, end, start));
    path.reverse();
    let mut right = path;
    right.extend(vertices_between(polygon, start, end));
    Some([left, right])
}

/// The vertices of a polygon strictly between two places of its boundary, in its order.
fn vertices_between(polygon: &[DVec2], from: Place, to: Place) -> Vec<DVec2> {
    let count = polygon.len();
    let mut steps = (to.edge + count - from.edge) % count;
    if steps == 0 && to.parameter <= from.parameter {
        steps = count;
    }
    let vertices = (1..=steps).map(|step| polygon[(from.edge + step) % count]);
    vertices
        .filter(|&vertex| vertex != to.point && vertex != from.point)
        .collect()
}

/// Rectangles along a crack, each reaching half a width beyond its ends; their union is within half a width of it.
fn band(crack: &[DVec2], width: f64) -> Vec<Vec<[f64; 2]>> {
    let half = 0.5 * width;
    let last = crack.len() - 2;
    let sides = crack.windows(2).enumerate();
    sides
        .filter(|(_, side)| side[0] != side[1])
        .map(|(number, side)| {
            let along = (side[1] - side[0]).normalize();
            let across = half * along.perp();
            let reach = |is_end: bool| if is_end { OVERREACH * width } else { half };
            let start = side[0] - reach(number == 0) * along;
            let end = side[1] + reach(number == last) * along;
            let corners = [start - across, end - across, end + across, start + across];
            corners.map(|corner| [corner.x, corner.y]).to_vec()
        })
        .collect()
}

/// The piece that is left of a half beside the band.
fn piece(
    half: &[DVec2],
    polygon: &[DVec2],
    band: &[Vec<[f64; 2]>],
    slit: f64,
) -> Option<SplitPiece> {
    let moments = Moments::of_polygon(half);
    let shapes =
        raw(half).overlay_as::<i64>(&band.to_vec(), OverlayRule::Difference, FillRule::NonZero);
    let rings = shapes.iter().filter_map(|shape| shape.first());
    let largest = rings.max_by(|x, y| signed_area(x).total_cmp(&signed_area(y)))?;
    let outline = Outline::from_ring(&tidied(largest, polygon, SMALLEST * slit)).ok()?;
    let lost = moments.area - outline.area();
    (lost > 0.0 && lost <= LARGEST_LOSS * moments.area).then_some(SplitPiece {
        outline,
        area: moments.area,
        centroid: moments.centroid,
        second_moment: moments.second_moment(),
    })
}
