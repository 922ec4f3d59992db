//! Figures of floes that broke: where and when cracks opened, which floes are pieces, and the stress at the moment of breaking.

use std::sync::Arc;

use banquise::{FractureSettings, breaking_stress};
use banquise_geometry::{DVec2, Pose, polygon_of};
use serde_json::Value;

use super::chapter::Drawing;
use super::maps::{Wrap, domain_layer, placed_at, shape_at, shown_extent};
use super::tracks::Tracks;
use crate::figure::{ColorScale, CrackLine, Layer, Map, MapRow, Patch, Shape, Unit};
use crate::recording::{RecordedBreakage, Recording};
use crate::zarr::ZarrError;

/// Floes whose stress is drawn.
const MAX_STRESSED: usize = 4;
/// The colours end at the tension that this share of the floe's triangles does not reach: at a contact it is as large as the mesh is fine.
const QUANTILE: f64 = 0.99;
/// Length of the arrow of the largest force, as a share of the width of the floe.
const ARROW: f64 = 0.3;

/// The figures; none where no floe broke, or the recording is older than they are.
pub(super) fn cracks(recording: &Recording, tracks: &Tracks) -> Result<Vec<Drawing>, ZarrError> {
    let breakages = &tracks.table.breakages;
    let Some(last) = tracks.all_times.len().checked_sub(1) else {
        return Ok(Vec::new());
    };
    if breakages.is_empty() {
        return Ok(Vec::new());
    }
    let mut drawings = vec![
        crack_map(recording, tracks, breakages)?,
        generations(recording, tracks, last)?,
    ];
    drawings.extend(stress(recording, tracks, breakages));
    Ok(drawings)
}

/// Cracks where they opened, coloured by time, over the floes of the start as they were when they broke.
fn crack_map(
    recording: &Recording,
    tracks: &Tracks,
    breakages: &[Arc<RecordedBreakage>],
) -> Result<Drawing, ZarrError> {
    let lines = breakages.iter().flat_map(|own| {
        let line = |ends: &[DVec2; 2]| CrackLine {
            ends: ends.map(|end| end.to_array()),
            value: Some(own.time),
        };
        own.cracks.iter().map(line)
    });
    let lines: Vec<CrackLine> = lines.collect();
    let mut layers = layers_at(recording, tracks, 0, |_| None)?;
    layers.pop();
    layers.push(Layer::Floes(broken_floes(tracks, breakages)));
    layers.push(Layer::Cracks(lines));
    layers.extend(domain_layer(tracks));
    let map = Map {
        title: "Cracks".into(),
        description: format!("Map with the cracks of {} floes.", breakages.len()),
        extent: shown_extent(tracks),
        layers,
        color_scale: Some(ColorScale {
            label: "Time".into(),
            unit: Unit::Time,
            range: None,
        }),
        ..Map::default()
    };
    Ok(Drawing::new(
        "cracks.svg",
        map.to_svg(),
        format!(
            "Cracks of {} floes, each where it opened, coloured by the time; floes that are no pieces grey, as they were when they broke.",
            breakages.len()
        ),
    ))
}

/// Floes that are no pieces of others, where they broke.
fn broken_floes(tracks: &Tracks, breakages: &[Arc<RecordedBreakage>]) -> Vec<Patch> {
    let table = &tracks.table;
    let whole = breakages
        .iter()
        .filter(|own| table.generations.get(own.body) == Some(&0));
    whole
        .map(|own| Patch {
            shape: shape_at(&table.at(own.time), own.body, own.pose),
            value: None,
        })
        .collect()
}

/// Floes of a record, coloured by generation.
fn generations(
    recording: &Recording,
    tracks: &Tracks,
    record: usize,
) -> Result<Drawing, ZarrError> {
    let generation = |row: usize| tracks.table.generations.get(row).map(|&g| g as f64);
    let mut layers = layers_at(recording, tracks, record, generation)?;
    layers.extend(domain_layer(tracks));
    let map = Map {
        title: "Generations".into(),
        extent: shown_extent(tracks),
        layers,
        color_scale: Some(ColorScale {
            label: "Generation".into(),
            unit: Unit::None,
            range: None,
        }),
        ..Map::default()
    };
    Ok(Drawing::new(
        "generations.svg",
        map.to_svg(),
        "Floes at the end, coloured by generation: 0 did not break, pieces have one more than the floe they come from.".into(),
    ))
}

/// Floes and obstacles of a record.
fn layers_at(
    recording: &Recording,
    tracks: &Tracks,
    record: usize,
    value: impl Fn(usize) -> Option<f64>,
) -> Result<Vec<Layer>, ZarrError> {
    let (mut floes, mut obstacles) = (Vec::new(), Vec::new());
    for (row, shape) in placed_at(recording, tracks, record, Wrap::Yes)? {
        if tracks.table.is_obstacle[row] {
            obstacles.push(shape);
        } else {
            let value = value(row);
            floes.push(Patch { shape, value });
        }
    }
    Ok(vec![Layer::Obstacles(obstacles), Layer::Floes(floes)])
}

/// Largest principal stress of the floes that broke first, with their cracks and the forces that broke them; `None` where their shapes are not
/// recorded.
fn stress(
    recording: &Recording,
    tracks: &Tracks,
    breakages: &[Arc<RecordedBreakage>],
) -> Option<Drawing> {
    let settings = settings_of(recording.value("fracture_settings"))?;
    let maps = breakages
        .iter()
        .filter_map(|own| stress_map(tracks, own, &settings));
    let maps: Vec<(Map, f64)> = maps.take(MAX_STRESSED).collect();
    let largest = maps.iter().map(|(_, tension)| *tension);
    let largest = largest.fold(0.0, f64::max);
    let count = maps.len();
    let mut maps: Vec<Map> = maps.into_iter().map(|(map, _)| map).collect();
    maps.first_mut()?.color_scale = Some(ColorScale {
        label: "Largest principal stress".into(),
        unit: Unit::Prefixed("Pa".into()),
        range: Some([0.0, largest]),
    });
    let row = MapRow {
        title: "Stress at the moment of breaking".into(),
        description: format!("Maps of the tension in {count} floes when they broke."),
        maps,
        columns: count.min(2),
        width: 900.0,
    };
    Some(Drawing::wide(
        "breaking_stress.svg",
        row.to_svg(),
        "Largest principal stress of the floes that broke first, as the elastic plate has it just before its cracks open, about their centres of mass; compression \
         has the colour of zero, and the largest hundredth that of the end. Lines are the cracks of that moment, arrows the contact forces, as long as they are large."
            .into(),
    ))
}

/// The stress of one floe, and the tension at which its colours end \[Pa\].
fn stress_map(
    tracks: &Tracks,
    breakage: &RecordedBreakage,
    settings: &FractureSettings,
) -> Option<(Map, f64)> {
    let row = breakage.body;
    let table = tracks.table.at(breakage.time);
    if breakage.forces.is_empty() || row >= table.len() {
        return None;
    }
    let outline = polygon_of(&table.shape(row)?);
    let thickness = table.thicknesses[row];
    let cells = breaking_stress(&outline, thickness, &breakage.forces, settings)?;
    let mut tensions: Vec<f64> = cells.iter().map(|cell| cell.tension).collect();
    tensions.sort_unstable_by(f64::total_cmp);
    let end = tensions[((tensions.len() - 1) as f64 * QUANTILE) as usize];
    // About the centre of mass, with the axes of the world.
    let pose = Pose {
        position: DVec2::ZERO,
        ..breakage.pose
    };
    let place = |point: DVec2| pose.world_from_body(point).to_array();
    let patches = cells.iter().map(|cell| Patch {
        shape: Shape::Polygon(vec![cell.corners.map(place).to_vec()]),
        value: Some(cell.tension.clamp(0.0, end)),
    });
    let cracks = breakage.cracks.iter().map(|ends| CrackLine {
        ends: ends.map(|end| (end - breakage.pose.position).to_array()),
        value: None,
    });
    let forces = breakage.forces.iter().map(|force| force.force.length());
    let scale = ARROW * table.areas[row].sqrt() / forces.fold(f64::MIN_POSITIVE, f64::max);
    let arrows = breakage.forces.iter().map(|force| {
        let tail = force.point - scale * force.force;
        [place(tail), place(force.point)]
    });
    let map = Map {
        title: format!("floe {row}"),
        layers: vec![
            Layer::Floes(patches.collect()),
            Layer::Cracks(cracks.collect()),
            Layer::Velocities(1, arrows.collect()),
        ],
        time: Some(breakage.time),
        ..Map::default()
    };
    Some((map, end))
}

/// The settings of fracture that stresses depend on.
fn settings_of(recorded: &Value) -> Option<FractureSettings> {
    Some(FractureSettings {
        young: recorded["young_pa"].as_f64()?,
        poisson: recorded["poisson"].as_f64()?,
        nodes: usize::try_from(recorded["nodes"].as_u64()?).ok()?,
        ..FractureSettings::default()
    })
}
