//! Any points are an outline whose measures make sense, or are refused.

#![no_main]

use banquise_geometry::{DVec2, Mesh, Outline, Shape};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|points: Vec<(f64, f64)>| {
    let vertices: Vec<DVec2> = points.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    for outline in [Outline::try_new(vertices.clone()), Outline::from_ring(&vertices)] {
        let Ok(outline) = outline else {
            continue;
        };
        assert!(outline.area() > 0.0);
        assert!(outline.perimeter() > 0.0);
        assert!(outline.centroid().is_finite());
        let again = Outline::try_new(outline.vertices().to_vec());
        assert!(again.is_ok(), "{again:?}");
        let mesh = Mesh::of(&Shape::Outline(outline));
        assert!(!mesh.elements().is_empty());
    }
});
