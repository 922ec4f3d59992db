//! The colours, in one place: what an SVG file shows on white, and what a dark page shows instead.

/// A colour with a role: its class name, its value on white paper and on a dark screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tone {
    pub(crate) name: &'static str,
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
}

const fn tone(name: &'static str, light: &'static str, dark: &'static str) -> Tone {
    Tone { name, light, dark }
}

pub(crate) const PAPER: Tone = tone("paper", "#ffffff", "#131c25");
pub(crate) const INK: Tone = tone("ink", "#1b2a36", "#e4edf4");
pub(super) const MUTED: Tone = tone("muted", "#566978", "#9db0bf");
pub(super) const AXIS: Tone = tone("axis", "#8497a5", "#63788a");
pub(super) const GRID: Tone = tone("grid", "#e3ebf1", "#263441");
pub(crate) const WATER: Tone = tone("water", "#e6f0f7", "#182a39");
pub(super) const ICE: Tone = tone("ice", "#ffffff", "#587489");
pub(crate) const ICE_EDGE: Tone = tone("ice-edge", "#5f8aa6", "#c3d8e5");
/// Outline of floes painted by value: the dark end of the scale must not sink into dark water.
pub(super) const VALUE_EDGE: Tone = tone("value-edge", "#ffffff", "#a3bccc");
pub(crate) const UNKNOWN: Tone = tone("unknown", "#c4cdd4", "#5a6874");
pub(crate) const LAND: Tone = tone("land", "#d8cdb8", "#6a604e");
pub(crate) const LAND_EDGE: Tone = tone("land-edge", "#a3947a", "#948871");
/// Force chains, over ice of any colour.
pub(crate) const FORCE: Tone = tone("force", "#e8452c", "#ff7a5c");
pub(super) const FAINT: Tone = tone("faint", "#2f7fb0", "#7cc0ea");

/// Colours of curves, told apart by most colour-blind readers in this order.
pub(crate) const SERIES: [Tone; 8] = [
    tone("c0", "#1f6f9f", "#6fbbe8"),
    tone("c1", "#d17a2c", "#f0aa6b"),
    tone("c2", "#3d8f72", "#7fcbad"),
    tone("c3", "#a8456a", "#e58fab"),
    tone("c4", "#6a68b5", "#aaa8ee"),
    tone("c5", "#8b7a3f", "#cdbd83"),
    tone("c6", "#3aa7c2", "#86dcee"),
    tone("c7", "#55636f", "#aebbc6"),
];

const ROLES: [Tone; 14] = [
    PAPER, INK, MUTED, AXIS, GRID, WATER, ICE, ICE_EDGE, VALUE_EDGE, UNKNOWN, LAND, LAND_EDGE,
    FAINT, FORCE,
];

/// Attributes that fill a shape with `inside`.
pub(super) fn filled(inside: Tone) -> String {
    format!("class=\"f-{}\" fill=\"{}\"", inside.name, inside.light)
}

/// Attributes that draw an outline only.
pub(super) fn stroked(line: Tone) -> String {
    format!(
        "class=\"s-{}\" fill=\"none\" stroke=\"{}\"",
        line.name, line.light
    )
}

/// Attributes that fill a shape and draw its outline.
pub(super) fn filled_and_stroked(inside: Tone, line: Tone) -> String {
    format!(
        "class=\"f-{} s-{}\" fill=\"{}\" stroke=\"{}\"",
        inside.name, line.name, inside.light, line.light
    )
}

/// Style sheet by which a page repaints its figures: variables for both themes, and one pair of
/// rules per tone.
pub(super) fn theme_css() -> String {
    let (mut light, mut dark, mut rules) = (String::new(), String::new(), String::new());
    for Tone {
        name,
        light: on_white,
        dark: on_dark,
    } in ROLES.into_iter().chain(SERIES)
    {
        light += &["--", name, ":", on_white, ";"].concat();
        dark += &["--", name, ":", on_dark, ";"].concat();
        rules += &[".f-", name, "{fill:var(--", name, ")}\n"].concat();
        rules += &[".s-", name, "{stroke:var(--", name, ")}\n"].concat();
    }
    format!(
        ":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{rules}"
    )
}

/// Ten control colours of the viridis map (S. van der Walt and N. Smith, 2015, public domain):
/// perceptually uniform, readable in grey and by colour-blind readers.
const VIRIDIS: [[f64; 3]; 10] = [
    [68.0, 1.0, 84.0],
    [72.0, 40.0, 120.0],
    [62.0, 73.0, 137.0],
    [49.0, 104.0, 142.0],
    [38.0, 130.0, 142.0],
    [31.0, 158.0, 137.0],
    [53.0, 183.0, 121.0],
    [110.0, 206.0, 88.0],
    [181.0, 222.0, 43.0],
    [253.0, 231.0, 37.0],
];

/// The colour at `fraction` of the way from dark violet (0) to yellow (1), as `#rrggbb`.
pub(super) fn viridis(fraction: f64) -> String {
    let [red, green, blue] = viridis_rgb(fraction);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Colour of the viridis map as red, green and blue.
pub(crate) fn viridis_rgb(fraction: f64) -> [u8; 3] {
    let intervals = VIRIDIS.len() - 1;
    let fraction = if fraction.is_nan() {
        0.0
    } else {
        fraction.clamp(0.0, 1.0)
    };
    let place = fraction * intervals as f64;
    let index = (place.floor() as usize).min(intervals - 1);
    let part = place - index as f64;
    let mix = |k: usize| VIRIDIS[index][k] + part * (VIRIDIS[index + 1][k] - VIRIDIS[index][k]);
    [0, 1, 2].map(|k| mix(k).round() as u8)
}

/// Opacity of one line among `count` overlapping ones, so that a crowd is neither black nor lost.
pub(super) fn crowd_opacity(count: usize) -> f64 {
    let opacity = 3.0 / (count.max(1) as f64).sqrt();
    (opacity.clamp(0.1, 0.7) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_map_runs_from_violet_to_yellow() {
        assert_eq!(viridis(0.0), "#440154");
        assert_eq!(viridis(1.0), "#fde725");
        assert_eq!(viridis(-3.0), viridis(0.0));
        assert_eq!(viridis(f64::NAN), viridis(0.0));
    }

    #[test]
    fn every_tone_is_in_the_style_sheet() {
        let css = theme_css();
        for tone in ROLES.into_iter().chain(SERIES) {
            assert!(css.contains(&format!(".s-{}{{", tone.name)));
        }
    }
}
