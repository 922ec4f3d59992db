//! Forces of contacts on floes, as fracture sees them.

use banquise_fem::{ContactForce, Load, StruckFloe};
use banquise_geometry::DVec2;

use super::settings::FractureSettings;
use crate::body::Bodies;

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
    /// Width over which a joint acts \[m\]; zero for a contact, which indents the floe.
    pub(crate) width: f64,
    /// Mass of the body on the other side \[kg\]; infinite for obstacles.
    pub(crate) striker_mass: f64,
}

/// What the force of a blow on a floe depends on beside its impulse.
pub(super) fn struck_floe(bodies: &Bodies, row: usize, settings: &FractureSettings) -> StruckFloe {
    StruckFloe {
        mass: bodies.masses()[row],
        area: bodies.areas()[row],
        membrane: settings.young * bodies.mean_thicknesses()[row],
    }
}

/// The forces on a floe while it is struck.
pub(super) fn load_of_blow(
    touches: &[Touch],
    floe: &StruckFloe,
    settings: &FractureSettings,
) -> Load {
    let force = |touch: &Touch| {
        let blow_time = settings.blow_time(floe, touch.striker_mass);
        touch.blow / blow_time + touch.pressing / touch.time.max(blow_time)
    };
    load(touches, force, settings.spread_of(floe))
}

/// The forces that press a floe: sustained impulses over the time in which all of them were gathered \[s\]. No impulse lasts less than a blow.
pub(super) fn load_of_pressing(
    touches: &[Touch],
    time: f64,
    floe: &StruckFloe,
    settings: &FractureSettings,
) -> Load {
    let blow_times = touches
        .iter()
        .map(|touch| settings.blow_time(floe, touch.striker_mass));
    let time = blow_times.fold(time, f64::max);
    let force = |touch: &Touch| touch.pressing / time;
    Load {
        is_sustained: true,
        ..load(touches, force, settings.spread_of(floe))
    }
}

/// Where impulses act on a floe, and their sizes [N s], of those that act in `time` \[s\].
pub(super) fn impulses_in(touches: &[Touch], time: f64) -> Vec<(DVec2, f64)> {
    let impulse = |touch: &Touch| {
        let lasting = touch.pressing * (time / touch.time.max(time));
        (touch.point, (touch.blow + lasting).length())
    };
    touches.iter().map(impulse).collect()
}

/// Forces of contacts, each spread over the indentation of the floe, or the width of its joint \[m\].
fn load(touches: &[Touch], force: impl Fn(&Touch) -> DVec2, indentation: f64) -> Load {
    let contacts = touches.iter().map(|touch| ContactForce {
        point: touch.point,
        force: force(touch),
        radius: indentation.max(0.5 * touch.width),
    });
    Load {
        contacts: contacts.collect(),
        ..Load::default()
    }
}
