//! What floes are coloured by.

use crate::figure::palette::{SERIES, viridis_rgb};
use crate::recording::{BodyTable, Frame};

/// What floes are coloured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coloring {
    /// Speed of the centre [m/s].
    Speed,
    /// Mean thickness \[m\].
    Thickness,
    /// Mean pressure between two records \[Pa\].
    Stress,
    /// Mean normal force of contacts between two records \[N\].
    Impulse,
    /// Angular velocity, without its sign [degrees/h].
    Rotation,
    /// Time since the floe came into being \[h\].
    Age,
    /// Number of times that the floe and those it is a piece of broke.
    Generation,
    /// The floe that it is a piece of, at the end of the line: pieces of one floe have one colour.
    Family,
    /// Number of the floe: neighbours differ.
    Id,
}

/// Decades of a logarithmic scale.
const DECADES: f64 = 3.0;

impl Coloring {
    /// All of them with their names.
    pub const ALL: [(&'static str, Self); 9] = [
        ("speed", Self::Speed),
        ("thickness", Self::Thickness),
        ("stress", Self::Stress),
        ("impulse", Self::Impulse),
        ("rotation", Self::Rotation),
        ("age", Self::Age),
        ("generation", Self::Generation),
        ("family", Self::Family),
        ("id", Self::Id),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(own, _)| *own == name)
            .map(|(_, coloring)| coloring)
    }

    /// Name and unit, as written under the colours.
    pub(super) fn label(self) -> (&'static str, &'static str) {
        match self {
            Self::Speed => ("Speed", "m/s"),
            Self::Thickness => ("Thickness", "m"),
            Self::Stress => ("Stress", "Pa"),
            Self::Impulse => ("Force", "N"),
            Self::Rotation => ("Rotation", "°/h"),
            Self::Age => ("Age", "h"),
            Self::Generation => ("Generation", ""),
            Self::Family | Self::Id => ("", ""),
        }
    }

    /// The number of a body, given the frame before.
    pub(super) fn value(
        self,
        table: &BodyTable,
        frame: &Frame,
        earlier: &Frame,
        row: usize,
    ) -> f64 {
        match self {
            Self::Speed => frame.velocities[row].length(),
            Self::Thickness => table.thicknesses[row],
            Self::Stress => frame.pressure(earlier, row, table.volume(row)).max(0.0),
            Self::Impulse => frame.contact_force(earlier, row),
            Self::Rotation => frame.angular_velocities[row].to_degrees().abs() * 3600.0,
            Self::Age => (frame.time - table.born[row]) / 3600.0,
            Self::Generation => table.generations[row] as f64,
            Self::Family => table.ancestor(row) as f64,
            Self::Id => table.ids[row] as f64,
        }
    }

    /// Whether the colours are those of logarithms.
    pub(super) fn is_logarithmic(self) -> bool {
        matches!(self, Self::Stress | Self::Impulse)
    }

    /// The range of the colours, given that of the numbers.
    pub(super) fn range(self, (low, high): (f64, f64)) -> (f64, f64) {
        let range = match self {
            Self::Stress | Self::Impulse => (high * 10f64.powf(-DECADES), high),
            Self::Thickness => (low, high),
            _ => (0.0, high),
        };
        if range.0 < range.1 {
            range
        } else {
            (range.0, range.0 + 1.0)
        }
    }

    /// The colour of a number in a range; `None` where there is no number.
    pub(super) fn color(self, value: f64, (low, high): (f64, f64)) -> Option<[u8; 3]> {
        if value.is_nan() {
            return None;
        }
        Some(match self {
            Self::Id | Self::Family => rgb(SERIES[value as usize % SERIES.len()].light),
            Self::Stress | Self::Impulse => {
                viridis_rgb((value / low).max(1.0).log10() / (high / low).log10())
            }
            _ => viridis_rgb((value - low) / (high - low)),
        })
    }
}

/// The three numbers of `#rrggbb`.
pub(super) fn rgb(text: &str) -> [u8; 3] {
    let part = |start: usize| {
        let digits = text.get(start..start + 2).unwrap_or_default();
        u8::from_str_radix(digits, 16).unwrap_or_default()
    };
    [part(1), part(3), part(5)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_over_their_range() {
        let dark = Some([68, 1, 84]);
        let bright = Some([253, 231, 37]);
        assert_eq!(Coloring::Speed.color(0.0, (0.0, 2.0)), dark);
        assert_eq!(Coloring::Speed.color(2.0, (0.0, 2.0)), bright);
        assert_eq!(Coloring::Thickness.color(f64::NAN, (0.0, 2.0)), None);
        let range = Coloring::Stress.range((0.0, 5e4));
        assert!((range.0 / 50.0 - 1.0).abs() < 1e-12);
        assert_eq!(Coloring::Stress.color(0.0, range), dark);
        assert_eq!(Coloring::Stress.color(5e4, range), bright);
        assert_eq!(Coloring::Thickness.range((1.0, 1.0)), (1.0, 2.0));
    }

    #[test]
    fn every_name_is_found() {
        for (name, coloring) in Coloring::ALL {
            assert_eq!(Coloring::named(name), Some(coloring));
        }
        assert_eq!(Coloring::named("colour"), None);
    }
}
