//! The numbers and the path of one floe, and the trails of all.

use banquise::Domain;
use banquise_geometry::DVec2;
use banquise_io::recording::Frame;
use serde_json::{Value, json};

use crate::encode::{put_f32, put_u32};
use crate::stage::Stage;

/// Points of all trails together: a megabyte or two for the page.
const TRAIL_POINTS: usize = 200_000;
/// Points of a trail, at least and at most.
const TRAIL_LENGTHS: (usize, usize) = (16, 1000);

/// Points of a trail in a run with this many bodies.
pub(crate) fn trail_length(bodies: usize) -> usize {
    let (shortest, longest) = TRAIL_LENGTHS;
    (TRAIL_POINTS / bodies.max(1)).clamp(shortest, longest)
}

/// Numbers of points and of bodies; then the time, `x` of all bodies and `y` of all bodies of each point. A body that is
/// not in the world has no position.
pub(crate) fn trails(stage: &Stage, points: &[(f64, Vec<DVec2>)]) -> Vec<u8> {
    let bodies = stage.table.get().len();
    let mut bytes = Vec::new();
    put_u32(&mut bytes, [points.len() as u32, bodies as u32]);
    for (time, positions) in points {
        let places = positions.iter().map(|&position| stage.place(position));
        let missing = std::iter::repeat(DVec2::NAN);
        let places: Vec<DVec2> = places.chain(missing).take(bodies).collect();
        put_f32(&mut bytes, [*time]);
        put_f32(&mut bytes, places.iter().map(|place| place.x));
        put_f32(&mut bytes, places.iter().map(|place| place.y));
    }
    bytes
}

/// All numbers of a body in a record, and its path in pieces that do not jump over the cell.
pub(crate) fn floe(
    stage: &Stage,
    row: usize,
    frame: &Frame,
    earlier: &Frame,
    path: &[DVec2],
) -> Value {
    let table = stage.table.get();
    let table = table.at(frame.time);
    // A body that is not in the world has no place: its numbers are null.
    let is_alive = frame.is_alive(row);
    let number = |read: &dyn Fn() -> f64| if is_alive { read() } else { f64::NAN };
    let vector = |read: &dyn Fn() -> DVec2| if is_alive { read() } else { DVec2::NAN };
    let place = vector(&|| stage.domain.wrap(frame.positions[row]).0);
    let on_earth = stage.earth.filter(|_| is_alive);
    json!({
        "is_there": is_alive,
        "born_s": table.born[row],
        "gone_s": table.gone[row],
        "parent": table.parents[row],
        "generation": table.generations[row],
        "body": row,
        "id": table.ids[row],
        "name": table.names.get(row),
        "is_obstacle": table.is_obstacle[row],
        "mass_kg": table.masses[row],
        "area_m2": table.areas[row],
        "thickness_m": table.thicknesses[row],
        "vertices": table.outlines[row].len(),
        "disc_radius_m": table.discs[row].map(|(_, radius)| radius),
        "position_m": vector(&|| frame.positions[row]).to_array(),
        "longitude_latitude_deg": on_earth.map(|earth| earth.to_earth(place).to_degrees()),
        "heading_rad": number(&|| frame.headings[row]),
        "velocity_m_s": vector(&|| frame.velocities[row]).to_array(),
        "angular_velocity_rad_s": number(&|| frame.angular_velocities[row]),
        "impulse_n_s": number(&|| frame.impulses[row]),
        "contact_force_n": number(&|| frame.contact_force(earlier, row)),
        "pressure_pa": number(&|| frame.pressure(earlier, row, table.volume(row))),
        "path": pieces(stage, path),
    })
}

fn pieces(stage: &Stage, path: &[DVec2]) -> Vec<Vec<[f64; 2]>> {
    let mut pieces: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
    let mut before: Option<DVec2> = None;
    for &position in path.iter().filter(|position| position.is_finite()) {
        let place = stage.place(position);
        if let (Domain::Periodic(cell), Some(before)) = (stage.domain, before)
            && (place - before).abs().cmpgt(0.5 * cell.size()).any()
        {
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(place.to_array());
        }
        before = Some(place);
    }
    pieces
}
