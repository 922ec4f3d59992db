//! One hundred floes traced from an image, 23 to 2341 vertices each.

use banquise_geometry::{DVec2, MassProperties, Mesh, Outline, Shape};
use serde_json::Value;

use crate::polygons::moments_about;
use crate::{assert_close, shared_data};

struct Floe {
    ring: Vec<DVec2>,
    enclosing_center: DVec2,
    enclosing_radius: f64,
}

fn point(value: &Value) -> DVec2 {
    DVec2::new(value[0].as_f64().unwrap(), value[1].as_f64().unwrap())
}

fn floes() -> Option<Vec<Floe>> {
    let Some(path) = shared_data("topaz_point/floe_library_100_outlines.json") else {
        println!("skipped: real data not found");
        return None;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let library: Value = serde_json::from_str(&text).unwrap();
    let floe = |floe: &Value| Floe {
        ring: floe["vertices"]
            .as_array()
            .unwrap()
            .iter()
            .map(point)
            .collect(),
        enclosing_center: point(&floe["enclosing_centre"]),
        enclosing_radius: floe["enclosing_radius"].as_f64().unwrap(),
    };
    Some(
        library["floes"]
            .as_array()
            .unwrap()
            .iter()
            .map(floe)
            .collect(),
    )
}

/// The outlines of the floes about their centroids; none where the data are not there.
pub(crate) fn real_outlines() -> Option<Vec<Outline>> {
    let centered = |floe: Floe| {
        let outline = Outline::from_ring(&floe.ring).unwrap();
        outline.translated(-outline.centroid()).unwrap()
    };
    Some(floes()?.into_iter().map(centered).collect())
}

#[test]
fn real_floes_are_valid_and_measured_right() {
    let Some(floes) = floes() else { return };
    assert_eq!(floes.len(), 100);
    for floe in &floes {
        let outline = Outline::from_ring(&floe.ring).unwrap();
        let [area, x, y, ..] = moments_about(&outline, floe.ring[0]);
        assert_close(outline.area(), area, area, 1e-12);
        let centroid = floe.ring[0] + DVec2::new(x, y) / area;
        let [_, _, _, xx, _, yy] = moments_about(&outline, centroid);
        assert_close(outline.second_moment(), xx + yy, xx + yy, 1e-12);

        let circle = outline.enclosing_circle();
        let radius = floe.enclosing_radius;
        // The file rounds its vertices at 5e-5, which is 2.5e-6 of the smallest radius; where three
        // points fix the circle at a flat angle the centre moves more than the radius.
        assert_close(circle.radius, radius, radius, 1e-5);
        assert!((circle.center - floe.enclosing_center).length() < 1e-4 * radius);
        assert!(floe.ring.iter().all(|&vertex| circle.contains(vertex)));
    }
}

#[test]
fn real_floes_have_the_same_mass_by_mesh_and_by_formula() {
    let Some(floes) = floes() else { return };
    let mut outside = 0;
    for floe in &floes {
        let outline = Outline::from_ring(&floe.ring).unwrap();
        let shape = Shape::Outline(outline.clone());
        let mesh = Mesh::of(&shape);
        assert_eq!(mesh.elements().len(), Mesh::ELEMENTS_TARGET);
        let densities = vec![917.0; mesh.elements().len()];
        let summed = MassProperties::per_element(&mesh, &densities).unwrap();
        let exact = MassProperties::uniform(&shape, 917.0);
        assert_close(summed.mass, exact.mass, exact.mass, 1e-10);
        assert_close(summed.inertia, exact.inertia, exact.inertia, 1e-10);
        let reach = outline.enclosing_circle().radius;
        assert!((summed.center - exact.center).length() < 1e-10 * reach);
        outside += mesh
            .quadrature()
            .filter(|&(point, _)| !outline.contains(point))
            .count();
    }
    // A point may fall in a bay between two arms of a floe, which is harmless if it is rare.
    assert!(
        outside < 75,
        "{outside} of 7500 points lie outside their floe"
    );
}
