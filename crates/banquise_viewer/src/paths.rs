//! The numbers and the way of one floe.

use banquise::Domain;
use banquise_geometry::DVec2;
use banquise_io::recording::Frame;
use serde_json::{Value, json};

use crate::stage::Stage;

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
