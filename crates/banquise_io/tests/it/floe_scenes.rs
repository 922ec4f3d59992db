//! Scenes of MODIS, 100 km wide: outlines, hand-made labels and true-colour pictures of the same ice.

use std::path::{Path, PathBuf};

use banquise_geometry::{Aabb, DVec2, Outline, Pose, Rotation, Shape, shapes_overlap};
use banquise_io::image::{Image, Raster};
use banquise_io::shapes::{ImportSettings, Imported, import};

use crate::shared_data;

const BEAUFORT: &str = "063-beaufort_sea-20070711-terra";
const HERE: Pose = Pose {
    position: DVec2::ZERO,
    rotation: Rotation::IDENTITY,
};

fn scene(file: &str) -> Option<PathBuf> {
    let path = shared_data(&format!("floe_scenes/{file}"));
    if path.is_none() {
        println!("skipped: {file} not found");
    }
    path
}

fn imported(path: &Path) -> Imported {
    let settings = ImportSettings {
        unit: Some(250.0),
        ..ImportSettings::default()
    };
    import(path, &settings).unwrap()
}

fn area(outlines: &[Outline]) -> f64 {
    outlines.iter().map(Outline::area).sum()
}

fn assert_apart(outlines: &[Outline]) {
    for (index, a) in outlines.iter().enumerate() {
        for b in &outlines[..index] {
            let shapes = [a, b].map(|outline| Shape::Outline(outline.clone()));
            assert!(!shapes_overlap(&shapes[0], HERE, &shapes[1], HERE));
        }
    }
}

#[test]
fn the_labels_give_the_floes_of_the_outlines() {
    for name in [
        BEAUFORT,
        "063-beaufort_sea-20070711-aqua",
        "006-baffin_bay-20220530-terra",
        "006-baffin_bay-20220530-aqua",
        "166-laptev_sea-20160904-terra",
        "166-laptev_sea-20160904-aqua",
    ] {
        let (Some(outlines), Some(mask)) = (
            scene(&format!("{name}.geojson")),
            scene(&format!("{name}.png")),
        ) else {
            return;
        };
        let (expected, found) = (imported_metres(&outlines), imported(&mask));
        assert_apart(&found.outlines);
        assert_eq!(
            found.outlines.len(),
            expected.len(),
            "{name} {:?}",
            found.notes
        );
        for floe in &expected {
            let same = found.outlines.iter().filter(|other| {
                let apart = other.centroid() - floe.centroid();
                apart.length() < 125.0 && (other.area() / floe.area() - 1.0).abs() < 0.01
            });
            assert_eq!(same.count(), 1, "{name}: {}", floe.area());
        }
        if name == BEAUFORT {
            assert_eq!(expected.len(), 99);
            let fraction = area(&found.outlines) / 1e10;
            assert!((fraction - 0.619).abs() < 0.0005, "{fraction}");
        }
    }
}

/// The outlines of a file in metres, whose unit is no pixel.
fn imported_metres(path: &Path) -> Vec<Outline> {
    import(path, &ImportSettings::default()).unwrap().outlines
}

#[test]
fn a_budget_of_vertices_keeps_areas_and_leads() {
    let Some(mask) = scene(&format!("{BEAUFORT}.png")) else {
        return;
    };
    let imported = imported(&mask);
    let found = &imported.outlines;
    for budget in [12, 40] {
        let simple = imported.simplified(budget);
        assert_apart(&simple);
        for (before, after) in found.iter().zip(&simple) {
            assert!((after.area() / before.area() - 1.0).abs() < 1e-9);
            assert!(after.vertices().len() <= budget);
        }
    }
}

/// How well floes found in a picture agree with labels made by hand.
#[derive(Debug)]
struct Agreement {
    /// Part of the labelled area that is covered.
    covered: f64,
    /// Area taken that no label has, as a part of the labelled area.
    taken: f64,
    /// Labelled floes with a floe of their own: more common area than not.
    matched: usize,
    labelled: usize,
}

fn agreement(outlines: &[Outline], labels: &Raster<u32>) -> Agreement {
    let (width, height) = (labels.width, labels.height);
    let mut shared = std::collections::BTreeMap::<(u32, usize), usize>::new();
    let mut pixels = vec![0; outlines.len() + 1];
    let boxes: Vec<Aabb> = outlines
        .iter()
        .map(|outline| Aabb::of_points(outline.vertices().iter().copied()))
        .collect();
    for row in 0..height {
        for column in 0..width {
            let point = 250.0
                * DVec2::new(
                    column as f64 + 0.5 - 0.5 * width as f64,
                    0.5 * height as f64 - row as f64 - 0.5,
                );
            let floe = (0..outlines.len())
                .find(|&index| boxes[index].contains(point) && outlines[index].contains(point));
            let floe = floe.map_or(0, |index| index + 1);
            pixels[floe] += 1;
            let label = labels.values[row * width + column];
            *shared.entry((label, floe)).or_default() += 1;
        }
    }
    let mut sizes = std::collections::BTreeMap::<u32, usize>::new();
    for (&(label, _), count) in &shared {
        *sizes.entry(label).or_default() += count;
    }
    let sum = |keep: &dyn Fn(u32, usize) -> bool| -> f64 {
        let kept = shared
            .iter()
            .filter(|((label, floe), _)| keep(*label, *floe));
        kept.map(|(_, &count)| count as f64).sum()
    };
    let labelled_area = sum(&|label, _| label > 0);
    let is_match = |label: u32, floe: usize, common: usize| {
        label > 0 && floe > 0 && 3 * common > sizes[&label] + pixels[floe]
    };
    Agreement {
        covered: sum(&|label, floe| label > 0 && floe > 0) / labelled_area,
        taken: sum(&|label, floe| label == 0 && floe > 0) / labelled_area,
        matched: shared
            .iter()
            .filter(|&(&(label, floe), &common)| is_match(label, floe, common))
            .count(),
        labelled: sizes.len() - 1,
    }
}

/// Picture, labels, then the least that must be covered and matched and the most that may be taken.
const PICTURES: [(&str, &str, f64, f64, f64); 4] = [
    (
        "063-beaufort_sea-100km-20070711.terra",
        BEAUFORT,
        0.95,
        0.85,
        0.2,
    ),
    (
        "063-beaufort_sea-100km-20070711.aqua",
        "063-beaufort_sea-20070711-aqua",
        0.95,
        0.8,
        0.25,
    ),
    // In these two, people labelled a third of the scene and left many floes without a label.
    (
        "006-baffin_bay-100km-20220530.terra",
        "006-baffin_bay-20220530-terra",
        0.9,
        0.8,
        1.0,
    ),
    (
        "006-baffin_bay-100km-20220530.aqua",
        "006-baffin_bay-20220530-aqua",
        0.9,
        0.8,
        1.0,
    ),
];

#[test]
fn pictures_give_most_of_the_floes_that_people_see() {
    for (picture, name, covered, matched, taken) in PICTURES {
        let (Some(picture), Some(mask)) = (
            scene(&format!("{picture}.truecolor.png")),
            scene(&format!("{name}.png")),
        ) else {
            return;
        };
        let found = imported(&picture);
        assert_apart(&found.outlines);
        let labels = Image::from_png(&std::fs::read(mask).unwrap()).unwrap();
        let simple = found.simplified(40);
        assert_apart(&simple);
        let agreement = agreement(&simple, &labels.labels().unwrap());
        println!("{name}: {} floes, {agreement:.3?}", simple.len());
        assert!(agreement.covered > covered, "{agreement:?}");
        assert!(agreement.taken < taken, "{agreement:?}");
        assert!(
            agreement.matched as f64 > matched * agreement.labelled as f64,
            "{agreement:?}"
        );
    }
}
