//! The elastic stress of a floe at the moment of breaking, for pictures.

use banquise_fem::{ContactForce, FloeModel, Load};
use banquise_geometry::DVec2;

use super::settings::FractureSettings;
use crate::world::BreakingForce;

/// A triangle of a floe, and its stress.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StressCell {
    /// Corners in the frame of the floe \[m\].
    pub corners: [DVec2; 3],
    /// Largest principal stress, positive in tension \[Pa\].
    pub tension: f64,
}

/// The forces of a load, as they are kept.
pub(super) fn breaking_forces(load: &Load) -> Vec<BreakingForce> {
    let forces = load.contacts.iter().map(|contact| BreakingForce {
        point: contact.point,
        force: contact.force,
        radius: contact.radius,
    });
    forces.collect()
}

/// The stress of a floe of this outline \[m\] and thickness \[m\] under contact forces, with its inertia against them, triangle by triangle.
/// `None` where the outline cannot be meshed.
pub fn breaking_stress(
    outline: &[DVec2],
    thickness: f64,
    forces: &[BreakingForce],
    settings: &FractureSettings,
) -> Option<Vec<StressCell>> {
    let (elasticity, mesh) = (settings.elasticity(), settings.mesh());
    let model = FloeModel::new(outline, thickness, &elasticity, &mesh).ok()?;
    let contacts = forces.iter().map(|force| ContactForce {
        point: force.point,
        force: force.force,
        radius: force.radius,
    });
    let load = Load {
        contacts: contacts.collect(),
        ..Load::default()
    };
    let tensions = model.largest_tensions(&load).into_iter().enumerate();
    let cells = tensions.map(|(element, tension)| StressCell {
        corners: model.mesh().corners(element as u32),
        tension,
    });
    Some(cells.collect())
}
