//! Forces of contacts on floes, as fracture sees them.

use banquise_fem::{ContactForce, Load};
use banquise_geometry::DVec2;

use super::settings::FractureSettings;

/// What a contact does to a floe, in the frame of the floe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    /// Row of the floe.
    pub(crate) row: usize,
    /// Where \[m\].
    pub(crate) point: DVec2,
    /// Impulse of a blow on the floe, in its compression phase [N s]. It lasts the contact time.
    pub(crate) blow: DVec2,
    /// Impulse of a sustained contact on the floe [N s].
    pub(crate) pressing: DVec2,
    /// Time in which that was gathered \[s\].
    pub(crate) time: f64,
}

impl Touch {
    /// The force on the floe while a blow lasts \[N\].
    fn force(&self, settings: &FractureSettings) -> DVec2 {
        let contact_time = settings.contact_time;
        self.blow / contact_time + self.pressing / self.time.max(contact_time)
    }
}

/// The forces on a floe while it is struck.
pub(super) fn load_of_blow(touches: &[Touch], settings: &FractureSettings) -> Load {
    load(
        touches
            .iter()
            .map(|touch| (touch.point, touch.force(settings))),
        settings,
    )
}

/// The forces that press a floe: sustained impulses over the time in which all of them were gathered \[s\]. No impulse lasts less than a blow.
pub(super) fn load_of_pressing(touches: &[Touch], time: f64, settings: &FractureSettings) -> Load {
    let time = time.max(settings.contact_time);
    let forces = touches
        .iter()
        .map(|touch| (touch.point, touch.pressing / time));
    load(forces, settings)
}

fn load(forces: impl Iterator<Item = (DVec2, DVec2)>, settings: &FractureSettings) -> Load {
    let contacts = forces.map(|(point, force)| ContactForce {
        point,
        force,
        radius: settings.indentation,
    });
    Load {
        contacts: contacts.collect(),
        ..Load::default()
    }
}
