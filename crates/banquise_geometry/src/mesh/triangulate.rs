//! Triangles that fill an outline exactly.

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::{DVec2, Outline};

type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The triangles of the constrained Delaunay triangulation of the outline, no vertex added, as numbers of its vertices.
///
/// They come in an order fixed by these numbers. Coordinates are those of the
/// outline: shifting them before would round them, and rounded edges might cross.
pub fn triangulate(outline: &Outline) -> Vec<[usize; 3]> {
    let vertices = outline.vertices();
    let count = vertices.len();
    let cdt = constrained_triangulation(vertices);
    let mut inside = faces_inside(&cdt, count);
    // A simple polygon of n vertices has n - 2 triangles, however it is cut.
    assert_eq!(
        inside.len(),
        count - 2,
        "triangles in an outline of {count} vertices"
    );
    inside.sort_unstable();
    inside
}

/// The corners of these triangles.
pub(super) fn triangles(outline: &Outline) -> Vec<[DVec2; 3]> {
    let vertices = outline.vertices();
    let triangles = triangulate(outline).into_iter();
    triangles
        .map(|corners| corners.map(|i| vertices[i]))
        .collect()
}

/// The triangulation of the hull of the vertices in which every edge of the outline is an edge.
///
/// NOTE: spade's bulk loading is faster but walks through hash sets in their random order, so
/// that vertices on one circle may be joined differently from one run to the next.
fn constrained_triangulation(vertices: &[DVec2]) -> Cdt {
    let mut cdt = Cdt::new();
    let mut handles = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        let handle = cdt.insert(Point2::new(vertex.x, vertex.y));
        handles.push(handle.expect("the coordinates of an outline are in the range of spade"));
    }
    for (i, &handle) in handles.iter().enumerate() {
        cdt.add_constraint(handle, handles[(i + 1) % handles.len()]);
    }
    cdt
}

/// Vertex indices of the faces inside, counter-clockwise, smallest first.
///
/// The face to the left of an edge of the outline is inside, and so is every face reached from
/// there without crossing the outline.
fn faces_inside(cdt: &Cdt, count: usize) -> Vec<[usize; 3]> {
    let mut is_inside = vec![false; cdt.num_all_faces()];
    let mut pending = Vec::new();
    for edge in cdt.directed_edges() {
        let starts_outline_edge = edge.to().index() == (edge.from().index() + 1) % count;
        if edge.is_constraint_edge() && starts_outline_edge {
            pending.extend(edge.face().as_inner());
        }
    }
    let mut corners = Vec::new();
    while let Some(face) = pending.pop() {
        if std::mem::replace(&mut is_inside[face.index()], true) {
            continue;
        }
        corners.push(smallest_first(face.vertices().map(|vertex| vertex.index())));
        for edge in face.adjacent_edges() {
            if !edge.is_constraint_edge() {
                pending.extend(edge.rev().face().as_inner());
            }
        }
    }
    corners
}

fn smallest_first([a, b, c]: [usize; 3]) -> [usize; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::triangle_area;

    #[test]
    fn a_concave_outline_is_filled_and_not_overfilled() {
        let p = DVec2::new;
        let arrow =
            Outline::try_new(vec![p(0.0, 0.0), p(4.0, 0.0), p(4.0, 4.0), p(3.0, 1.0)]).unwrap();
        let triangles = triangles(&arrow);
        assert_eq!(triangles.len(), 2);
        let area: f64 = triangles.into_iter().map(triangle_area).sum();
        assert!((area - arrow.area()).abs() < 1e-14);
    }

    #[test]
    fn a_single_triangle_is_itself() {
        let p = DVec2::new;
        let outline = Outline::try_new(vec![p(0.0, 0.0), p(4.0, 0.0), p(0.0, 3.0)]).unwrap();
        assert_eq!(
            triangles(&outline),
            [[p(0.0, 0.0), p(4.0, 0.0), p(0.0, 3.0)]]
        );
    }
}
