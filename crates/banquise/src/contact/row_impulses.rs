//! What the impulses of rows of a fixed step are to contacts: rows of friction and of joints stand beside those of contacts.

use super::candidate::ContactCandidate;
use super::island::Island;
use super::load::StepLoads;
use super::place::{Place, Role};
use crate::contact_state::ContactLoad;

/// Impulses of an island along normals and tangents: friction belongs to its contact, and what joints hold to none.
pub(super) fn contact_impulses(
    island: &Island,
    places: &[Place],
    impulses: &[f64],
) -> Vec<[f64; 2]> {
    let mut all = vec![[0.0; 2]; impulses.len()];
    for (row, (&index, &impulse)) in island.candidates.iter().zip(impulses).enumerate() {
        match places[index as usize].role {
            Role::Contact => all[row][0] = impulse,
            Role::Friction { of, .. } | Role::Stick { of } => {
                if let Ok(contact) = island.candidates.binary_search(&of) {
                    all[contact][1] += impulse;
                }
            }
            Role::Bond { .. } => {}
        }
    }
    all
}

/// Adds the loads of an island: friction and shear along the tangents, the rest along the normals.
pub(super) fn note_loads(
    loads: &mut StepLoads,
    island: &Island,
    rows: &[ContactCandidate],
    places: &[Place],
    impulses: &[f64],
) {
    let contacts = island.problem.contacts.iter().zip(&island.candidates);
    for ((contact, &index), &impulse) in contacts.zip(impulses) {
        let is_normal = match places[index as usize].role {
            Role::Contact => true,
            Role::Friction { .. } | Role::Stick { .. } => false,
            Role::Bond { is_shear, .. } => !is_shear,
        };
        let sizes = if is_normal {
            ContactLoad {
                normal: impulse,
                largest: impulse,
                ..ContactLoad::default()
            }
        } else {
            ContactLoad {
                tangent: impulse.abs(),
                ..ContactLoad::default()
            }
        };
        let row = &rows[index as usize];
        // A sum, as for contacts with friction: it has no negative zeros.
        let vector = impulse * contact.normal + 0.0 * contact.tangent();
        loads.add(row, contact, vector, sizes);
    }
}
