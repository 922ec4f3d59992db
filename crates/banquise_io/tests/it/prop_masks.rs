//! Any mask gives outlines that are valid, apart and as large as their pixels; damaged files are refused.

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, shapes_overlap, simplify};
use banquise_io::image::{Raster, SegmentSettings, segment, trace};
use banquise_io::shapes::{Coordinates, ImportSettings, import_bytes};
use proptest::prelude::*;

use crate::config;

const HERE: Pose = Pose {
    position: DVec2::ZERO,
    rotation: Rotation::IDENTITY,
};

fn assert_apart(outlines: &[Outline]) {
    for (index, a) in outlines.iter().enumerate() {
        for b in &outlines[..index] {
            let shapes = [a, b].map(|outline| Shape::Outline(outline.clone()));
            assert!(!shapes_overlap(&shapes[0], HERE, &shapes[1], HERE));
        }
    }
}

fn raster<T: Clone + std::fmt::Debug>(
    value: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Raster<T>> {
    (1..16_usize, 1..16_usize).prop_flat_map(move |(width, height)| {
        prop::collection::vec(value.clone(), width * height).prop_map(move |values| Raster {
            width,
            height,
            values,
        })
    })
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn floes_of_any_mask_are_apart_and_as_large_as_their_pixels(
        labels in raster(prop_oneof![Just(0_u32), 1..4_u32]), budget in 3..20_usize,
    ) {
        let Ok(tracing) = trace(&labels, 10.0, 1) else {
            prop_assert!(labels.values.iter().all(|&label| label == 0));
            return Ok(());
        };
        let outlines: Vec<Outline> =
            tracing.floes.iter().map(|floe| floe.outline.clone()).collect();
        assert_apart(&outlines);
        let pixels = labels.values.iter().filter(|&&label| label > 0).count();
        let area: f64 = outlines.iter().map(Outline::area).sum();
        // Water in holes of a floe becomes ice, but nothing beyond the picture.
        prop_assert!(area <= 100.0 * labels.values.len() as f64);
        prop_assert!(pixels > 0);
        let simple = simplify(&outlines, |_| budget);
        assert_apart(&simple);
        for (before, after) in outlines.iter().zip(&simple) {
            prop_assert!((after.area() / before.area() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn floes_found_in_any_picture_are_apart(picture in raster(any::<u8>())) {
        let settings = SegmentSettings { threshold: None, min_pixels: 1 };
        let Ok(found) = segment(&picture, &settings) else { return Ok(()); };
        if let Ok(tracing) = trace(&found.labels, 1.0, 1) {
            let outlines = tracing.floes.into_iter().map(|floe| floe.outline);
            assert_apart(&outlines.collect::<Vec<_>>());
        }
    }

    #[test]
    fn damaged_files_are_answered(
        at in 0..400_usize, byte in any::<u8>(), cut in prop::option::of(0..400_usize),
    ) {
        let text = r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": null,
            "geometry": {"type": "MultiPolygon", "coordinates": [[[[10, 80], [11, 80], [11, 81], [10, 80]]],
            [[[12, 80], [13, 80.5], [12, 81], [12, 80]]]]}}, {"type": "Feature", "geometry": null}]}"#;
        let mut bytes = text.as_bytes().to_vec();
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        bytes.truncate(cut.unwrap_or(usize::MAX));
        for coordinates in [None, Some(Coordinates::Metres), Some(Coordinates::Degrees(None))] {
            let settings = ImportSettings { coordinates, ..ImportSettings::default() };
            if let Err(error) = import_bytes(&bytes, &settings) {
                prop_assert!(!error.to_string().is_empty() && !error.hint().is_empty());
            }
        }
    }
}
