//! The quadrature is exact for polynomials of degree 2 on any floe.

use banquise_geometry::{DVec2, Disc, MassProperties, Mesh, Outline, Shape, math};
use proptest::prelude::*;

use crate::polygons::{moments_about, outline};
use crate::{assert_close, config};

/// Integrals of 1, x, y, x², xy, y² by the quadrature, with x and y counted from `origin`.
fn quadrature_about(mesh: &Mesh, origin: DVec2) -> [f64; 6] {
    let mut sums = [0.0; 6];
    for (point, weight) in mesh.quadrature() {
        let DVec2 { x, y } = point - origin;
        for (sum, f) in sums.iter_mut().zip([1.0, x, y, x * x, x * y, y * y]) {
            *sum += weight * f;
        }
    }
    sums
}

fn assert_exact(shape: &Shape, expected: [f64; 6], origin: DVec2, tolerance: f64) -> Mesh {
    let mesh = Mesh::of(shape);
    assert_eq!(mesh.elements().len(), Mesh::ELEMENTS_TARGET);
    assert!(
        mesh.quadrature()
            .all(|(point, weight)| point.is_finite() && weight > 0.0)
    );
    let found = quadrature_about(&mesh, origin);
    // ∫x or ∫xy may vanish: errors are counted against ∫1, √(∫1 ∫r²) and ∫r².
    let polar = expected[3] + expected[5];
    let first = (expected[0] * polar).sqrt();
    for k in 0..6 {
        let scale = [expected[0], first, first, polar, polar, polar][k];
        assert_close(found[k], expected[k], scale, tolerance);
    }
    assert_close(mesh.area(), shape.area(), shape.area(), tolerance);
    mesh
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn the_quadrature_is_exact_for_quadratics(outline in outline(400)) {
        let origin = DVec2::new(0.3, -0.2);
        let expected = moments_about(&outline, origin);
        assert_exact(&Shape::Outline(outline), expected, origin, 1e-12);
    }

    #[test]
    fn few_vertices_are_cut_as_well_as_many(outline in outline(6)) {
        let expected = moments_about(&outline, DVec2::ZERO);
        assert_exact(&Shape::Outline(outline), expected, DVec2::ZERO, 1e-12);
    }

    #[test]
    fn a_small_floe_far_away_keeps_its_digits(outline in outline(60)) {
        let far = DVec2::new(1e5, -1e5);
        let moved = outline.translated(far).unwrap();
        let expected = moments_about(&moved, far);
        // Points near 1e5 m are rounded at 1.5e-11 m: that alone limits the sums.
        assert_exact(&Shape::Outline(moved), expected, far, 1e-10);
    }

    #[test]
    fn cells_have_equal_areas_and_the_same_bits_each_time(outline in outline(200)) {
        let shape = Shape::Outline(outline);
        let mesh = Mesh::of(&shape);
        for element in mesh.elements() {
            let share = shape.area() / 25.0;
            assert_close(element.area, share, share, 1e-6);
            // Of a positive definite tensor.
            let [xx, xy, yy] = element.second_moment;
            prop_assert!(xx > 0.0 && yy > 0.0 && xx * yy > xy * xy);
        }
        prop_assert_eq!(mesh, Mesh::of(&shape));
    }

    #[test]
    fn points_lie_inside_a_convex_floe(outline in outline(40)) {
        let hull = outline.convex_hull();
        let mesh = Mesh::of(&Shape::Outline(hull.clone()));
        for (point, _) in mesh.quadrature() {
            prop_assert!(hull.distance_to_point(point) < 1e-13);
        }
    }

    #[test]
    fn mass_and_inertia_by_elements_are_those_of_the_formula(
        outline in outline(200), density in 1.0..5e3_f64,
    ) {
        let shape = Shape::Outline(outline);
        let mesh = Mesh::of(&shape);
        let exact = MassProperties::uniform(&shape, density);
        let summed =
            MassProperties::per_element(&mesh, &vec![density; mesh.elements().len()]).unwrap();
        assert_close(summed.mass, exact.mass, exact.mass, 1e-12);
        assert_close(summed.inertia, exact.inertia, exact.inertia, 1e-12);
        prop_assert!((summed.center - exact.center).length() < 1e-12);
    }

    #[test]
    fn the_quadrature_of_a_disc_is_exact(radius in 1e-3..1e5_f64) {
        let disc = Disc::try_new(radius).unwrap();
        let half = 0.5 * disc.second_moment();
        let expected = [disc.area(), 0.0, 0.0, half, 0.0, half];
        let mesh = assert_exact(&Shape::Disc(disc), expected, DVec2::ZERO, 1e-13);
        prop_assert!(mesh.quadrature().all(|(point, _)| point.length() < radius));
    }
}

#[test]
fn a_smooth_function_is_integrated_well_and_not_only_quadratics() {
    // ∫cos(x/r) over a disc of radius r is 2πr² J₁(1), J₁(1) = 0.440 050 585 744 933 5
    // (Abramowitz & Stegun 1964, table 9.1). The polygon of 1000 sides lacks 7e-6 of the area.
    let exact = std::f64::consts::TAU * 0.440_050_585_744_933_5;
    let disc = Shape::Disc(Disc::try_new(1.0).unwrap());
    let polygon = Shape::Outline(Outline::regular_polygon(1.0, 1000).unwrap());
    for (shape, tolerance) in [(disc, 2e-5), (polygon, 3e-5)] {
        let mesh = Mesh::of(&shape);
        let sum: f64 = mesh
            .quadrature()
            .map(|(point, weight)| weight * math::cos(point.x))
            .sum();
        assert_close(sum, exact, exact, tolerance);
    }
}
