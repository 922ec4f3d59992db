//! Letters as strokes, so that no font is needed: each is a few lines on a grid 4 units wide, with the baseline at 2, small
//! letters up to 6 and capitals up to 8.

use tiny_skia::{Path, PathBuilder};

/// Units of the grid in the height of a capital.
const CAPITAL: f32 = 6.0;
/// Space between two letters.
const GAP: f32 = 1.8;
/// Width of a space.
const SPACE: f32 = 1.2;

/// Strokes of a character: points as two digits, x then y; strokes are apart by a comma.
fn strokes(character: char) -> &'static str {
    match character {
        '0' => "13 17 28 38 47 43 32 22 13",
        '1' => "16 28 22,12 32",
        '2' => "17 28 38 47 46 12 42",
        '3' => "17 28 38 47 46 35 25,35 44 43 32 22 13",
        '4' => "32 38 14 44",
        '5' => "48 18 15 35 44 43 32 22 13",
        '6' => "47 38 28 17 13 22 32 43 44 35 25 14",
        '7' => "18 48 22",
        '8' => "25 16 17 28 38 47 46 35 25 14 13 22 32 43 44 35",
        '9' => "13 22 32 43 47 38 28 17 16 25 35 46",
        'A' => "02 28 42,14 34",
        'B' => "02 08 38 47 46 35 05,35 44 43 32 02",
        'C' => "47 38 18 07 03 12 32 43",
        'D' => "02 08 28 46 44 22 02",
        'E' => "48 08 02 42,05 35",
        'F' => "48 08 02,05 35",
        'G' => "47 38 18 07 03 12 32 43 45 25",
        'H' => "02 08,42 48,05 45",
        'I' => "12 32,18 38,22 28",
        'J' => "48 43 32 12 03",
        'K' => "02 08,48 05 42",
        'L' => "08 02 42",
        'M' => "02 08 25 48 42",
        'N' => "02 08 42 48",
        'O' => "03 07 18 38 47 43 32 12 03",
        'P' => "02 08 38 47 46 35 05",
        'Q' => "03 07 18 38 47 43 32 12 03,24 42",
        'R' => "02 08 38 47 46 35 05,25 42",
        'S' => "47 38 18 07 06 15 35 44 43 32 12 03",
        'T' => "08 48,28 22",
        'U' => "08 03 12 32 43 48",
        'V' => "08 22 48",
        'W' => "08 12 25 32 48",
        'X' => "02 48,08 42",
        'Y' => "08 25 48,25 22",
        'Z' => "08 48 02 42",
        'a' => "16 36 45 42,44 14 03 12 32 43",
        'b' => "08 02,05 16 36 45 43 32 12 03",
        'c' => "45 36 16 05 03 12 32 43",
        'd' => "48 42,45 36 16 05 03 12 32 43",
        'e' => "04 44 45 36 16 05 03 12 32 43",
        'f' => "48 38 27 22,16 36",
        'g' => "46 41 30 10,45 36 16 05 03 12 32 43",
        'h' => "08 02,05 16 36 45 42",
        'i' => "26 22,28 28",
        'j' => "36 31 20 10,38 38",
        'k' => "08 02,46 04 42",
        'l' => "18 28 22,12 32",
        'm' => "02 06,05 16 25 22,25 36 45 42",
        'n' => "02 06,05 16 36 45 42",
        'o' => "03 05 16 36 45 43 32 12 03",
        'p' => "00 06,05 16 36 45 43 32 12 03",
        'q' => "40 46,45 36 16 05 03 12 32 43",
        'r' => "02 06,04 16 36 45",
        's' => "45 36 16 05 14 34 43 32 12 03",
        't' => "28 23 32 42,06 46",
        'u' => "06 03 12 32 43,46 42",
        'v' => "06 22 46",
        'w' => "06 12 24 32 46",
        'x' => "02 46,06 42",
        'y' => "06 22,46 22 10 00",
        'z' => "06 46 02 42",
        '.' => "22 22",
        ',' => "22 11",
        ':' => "23 23,26 26",
        '-' | '\u{2212}' => "15 45",
        '+' => "15 45,27 23",
        '/' => "01 48",
        '(' => "38 26 24 32",
        ')' => "18 26 24 12",
        '[' => "38 18 12 32",
        ']' => "18 38 32 12",
        '%' => "02 48,17 17,43 43",
        '\u{b0}' => "17 18 28 27 17",
        '=' => "14 44,16 46",
        '\u{2265}' => "18 46 14,12 42",
        ' ' => "",
        // Something is there that we cannot write.
        _ => "02 08 48 42 02",
    }
}

/// Where the strokes of a character begin and end along the line. Digits are all equally wide, or a clock would tremble.
fn bounds(character: char) -> (f32, f32) {
    if character.is_ascii_digit() {
        return (1.0, 4.0);
    }
    let points = strokes(character).split([' ', ',']);
    let places = points.filter_map(|point| point.bytes().next());
    let places = places.map(|digit| f32::from(digit - b'0'));
    let range = places.fold(None, |range: Option<(f32, f32)>, place| {
        let (low, high) = range.unwrap_or((place, place));
        Some((low.min(place), high.max(place)))
    });
    range.unwrap_or((0.0, SPACE))
}

/// How wide a text is, with capitals of this height.
pub(super) fn text_width(text: &str, letter: f32) -> f32 {
    let widths = text.chars().map(|character| {
        let (low, high) = bounds(character);
        high - low + GAP
    });
    (widths.sum::<f32>() - GAP).max(0.0) * letter / CAPITAL
}

/// The strokes of a text from its lower left corner; `None` where there are none.
pub(super) fn text_path(text: &str, x: f32, y: f32, letter: f32) -> Option<Path> {
    let unit = letter / CAPITAL;
    let mut builder = PathBuilder::new();
    let mut left = x;
    for character in text.chars() {
        let (low, high) = bounds(character);
        for stroke in strokes(character)
            .split(',')
            .filter(|stroke| !stroke.is_empty())
        {
            for (number, point) in stroke.split(' ').enumerate() {
                let digits = point.as_bytes();
                let place = |digit: u8| f32::from(digit - b'0');
                let px = left + (place(digits[0]) - low) * unit;
                let py = y - (place(digits[1]) - 2.0) * unit;
                if number == 0 {
                    builder.move_to(px, py);
                } else {
                    // A dot is a line too short to see without its round ends.
                    builder.line_to(px + 0.01, py);
                }
            }
        }
        left += (high - low + GAP) * unit;
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_does_not_tremble() {
        assert_eq!(text_width("11:11", 20.0), text_width("20:48", 20.0));
        assert!(text_width("mm", 20.0) > text_width("ii", 20.0));
        assert_eq!(text_width("", 20.0), 0.0);
    }

    #[test]
    fn every_stroke_is_on_the_grid() {
        for character in (' '..='~').chain(['\u{b0}']) {
            for point in strokes(character)
                .split([' ', ','])
                .filter(|point| !point.is_empty())
            {
                let digits = point.as_bytes();
                assert_eq!(digits.len(), 2, "{character}: {point}");
                assert!(
                    (b'0'..=b'4').contains(&digits[0]) && (b'0'..=b'8').contains(&digits[1]),
                    "{character}: {point}"
                );
            }
        }
    }
}
