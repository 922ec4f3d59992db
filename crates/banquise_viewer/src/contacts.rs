//! Contact points, found from outlines and poses: closer than the collision distance of the smaller one.

use banquise::{COLLISION_DISTANCE_RATIO, Domain};
use banquise_geometry::{Aabb, Bvh, ContactShape, DVec2, PeriodicPair, Pose, approaches};
use banquise_io::recording::Frame;

use crate::encode::{put_f32, put_u32};
use crate::stage::Stage;

/// Places where bodies touch, as bytes: their count, then `x y` of each, then the two bodies of each.
pub(crate) fn contacts(stage: &Stage, frame: &Frame) -> Vec<u8> {
    let (points, pairs) = touching(stage, frame);
    let mut bytes = Vec::new();
    put_u32(&mut bytes, [points.len() as u32]);
    put_f32(&mut bytes, points.iter().flat_map(DVec2::to_array));
    put_u32(&mut bytes, pairs.into_iter().flatten());
    bytes
}

fn touching(stage: &Stage, frame: &Frame) -> (Vec<DVec2>, Vec<[u32; 2]>) {
    let table = stage.table.get();
    let table = table.at(frame.time);
    let rows: Vec<usize> = frame.living().collect();
    let shapes: Option<Vec<_>> = rows.iter().map(|&row| table.shape(row)).collect();
    let Some(shapes) = shapes else {
        return (Vec::new(), Vec::new());
    };
    let shapes: Vec<ContactShape> = shapes.iter().map(ContactShape::new).collect();
    let poses: Vec<Pose> = rows
        .iter()
        .map(|&row| Pose {
            position: stage.domain.wrap(frame.positions[row]).0,
            ..frame.pose(row)
        })
        .collect();
    // An obstacle has no distance of its own.
    let reach = |place: usize| {
        let row = rows[place];
        let own = COLLISION_DISTANCE_RATIO * table.areas[row].sqrt();
        (!table.is_obstacle[row]).then_some(own)
    };
    let grown = |place: usize| {
        let aabb = shapes[place].aabb(poses[place]);
        aabb.grown(reach(place).unwrap_or(0.0))
    };
    let boxes: Vec<Aabb> = (0..rows.len()).map(grown).collect();
    let (mut points, mut pairs, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for PeriodicPair { a, b, offset } in near_pairs(&boxes, stage.domain) {
        let (a, b) = (a as usize, b as usize);
        let reaches = [reach(a), reach(b)].into_iter().flatten();
        let Some(distance) = reaches.reduce(f64::min) else {
            continue;
        };
        let image = Pose {
            position: poses[b].position + offset,
            ..poses[b]
        };
        approaches(
            &shapes[a], poses[a], &shapes[b], image, distance, &mut found,
        );
        for approach in found.iter().filter(|approach| approach.is_contact) {
            points.push(stage.place(0.5 * (approach.point_a + approach.point_b)));
            pairs.push([rows[a] as u32, rows[b] as u32]);
        }
    }
    (points, pairs)
}

fn near_pairs(boxes: &[Aabb], domain: Domain) -> Vec<PeriodicPair> {
    let mut bvh = Bvh::default();
    bvh.build(boxes);
    if let Domain::Periodic(cell) = domain {
        let mut pairs = Vec::new();
        bvh.pairs_periodic(cell.size(), &mut pairs);
        return pairs;
    }
    let mut pairs = Vec::new();
    bvh.pairs(&mut pairs);
    let offset = DVec2::ZERO;
    let pair = |(a, b)| PeriodicPair { a, b, offset };
    pairs.into_iter().map(pair).collect()
}
