//! The picture of a plate: its stress, boundary, inclusions and crack.

use banquise_fem::plate_cases::{PlateShape, SIDE, rings};
use banquise_fem::{CrackPath, GrowthStep, Plate};
use banquise_geometry::DVec2;
use banquise_io::figure::{ColorScale, CrackLine, Extent, Layer, Map, Patch, Shape, Unit};

use crate::failure::Failure;

/// The colours end at the tension that this share of the triangles does not reach: at corners it is as large as the mesh is fine.
const QUANTILE: f64 = 0.99;

/// Largest principal stress when the first segment of the crack opens, and all of the crack.
pub(super) fn stress_map(
    plate: &Plate,
    shape: PlateShape,
    steps: &[GrowthStep],
) -> Result<String, Failure> {
    let onset = steps.first().map_or(1.0, |step| step.onset);
    let tensions = plate.largest_tensions();
    let mut sorted = tensions.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let end = onset * sorted[((sorted.len() - 1) as f64 * QUANTILE) as usize];
    let patches = tensions.iter().enumerate().map(|(element, tension)| {
        let corners = plate.mesh().corners(element as u32);
        Patch {
            shape: Shape::Polygon(vec![corners.map(|corner| corner.to_array()).to_vec()]),
            value: Some((onset * tension).clamp(0.0, end)),
        }
    });
    let mut layers = vec![Layer::Floes(patches.collect())];
    for ring in rings(shape)? {
        let ring = ring.vertices().iter().map(DVec2::to_array);
        layers.push(Layer::Border(ring.collect()));
    }
    for inclusion in &plate.inclusions {
        let ring = (0..48).map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 48.0;
            [
                inclusion.centre.x + inclusion.radius * angle.cos(),
                inclusion.centre.y + inclusion.radius * angle.sin(),
            ]
        });
        layers.push(Layer::Border(ring.collect()));
    }
    layers.extend(steps.last().map(|step| crack_layer(plate, &step.path)));
    let margin = 0.04 * SIDE;
    Ok(Map {
        title: "Stress and crack".into(),
        description: "Map of the tension in the plate, with its crack.".into(),
        extent: Some(Extent {
            min: [-margin; 2],
            max: [SIDE + margin; 2],
        }),
        layers,
        color_scale: Some(ColorScale {
            label: "Largest principal stress".into(),
            unit: Unit::Prefixed("Pa".into()),
            range: (end > 0.0).then_some([0.0, end]),
        }),
        width: 640.0,
        ..Map::default()
    }
    .to_svg())
}

fn crack_layer(plate: &Plate, path: &CrackPath) -> Layer {
    let lines = plate.segments_in_ice(path).map(|ends| CrackLine {
        ends: ends.map(|end| end.to_array()),
        value: None,
    });
    Layer::Cracks(lines.collect())
}
