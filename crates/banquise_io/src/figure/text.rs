//! Escaping, and numbers as people write them.

/// `raw` made safe inside XML and HTML, as text or between double quotes.
///
/// Control characters are not allowed in XML even when escaped, so they become U+FFFD.
pub(super) fn escape(raw: &str) -> String {
    let mut safe = String::with_capacity(raw.len());
    for character in raw.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(character),
            '\u{FFFE}' | '\u{FFFF}' => safe.push('\u{FFFD}'),
            _ if character.is_control() => safe.push('\u{FFFD}'),
            _ => safe.push(character),
        }
    }
    safe
}

/// A length in pixels rounded to a tenth, in as few characters as possible.
pub(super) fn px(length: f64) -> String {
    tenths_to_text(tenths(length))
}

/// A length in tenths of a pixel. Values far outside any figure are held at its doorstep.
pub(super) fn tenths(length: f64) -> i64 {
    (length.clamp(-20_000.0, 20_000.0) * 10.0).round() as i64
}

/// Tenths of a pixel as decimal text: `12`, `0.5`, `-3.4`.
pub(super) fn tenths_to_text(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, rest) = (tenths.abs() / 10, tenths.abs() % 10);
    if rest == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{rest}")
    }
}

/// `value` with a fixed number of decimals, a true minus sign, and thin spaces between groups of
/// three digits once there are five digits before the point.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let is_zero = plain.chars().all(|c| matches!(c, '0' | '.'));
    let mut text = String::new();
    if value < 0.0 && !is_zero {
        text.push('\u{2212}');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && whole.len() > 4 && (whole.len() - index) % 3 == 0 {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `value` with at most three significant digits and no trailing zeros; very large and very small
/// values as 2×10⁷.
pub(super) fn short_number(value: f64) -> String {
    let rounded = format!("{value:.2e}");
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-3..6).contains(&exponent) {
        return trim_zeros(&decimal(value, (2 - exponent).max(0) as usize));
    }
    let mantissa = trim_zeros(&decimal(mantissa.parse().unwrap_or(1.0), 2));
    if mantissa == "1" {
        format!("10{}", superscript(exponent))
    } else {
        format!("{mantissa}×10{}", superscript(exponent))
    }
}

fn trim_zeros(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

/// An integer in raised digits.
pub(super) fn superscript(exponent: i32) -> String {
    let raise = |digit| match digit {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁻',
    };
    exponent.to_string().chars().map(raise).collect()
}

/// Width \[px\] that `text` will roughly take. The font is the reader's, so this can only be a
/// guess; it errs on the wide side so that labels do not collide.
pub(super) fn text_width(text: &str, font_size: f64) -> f64 {
    let width_of = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ',' | ' ' | '(' | ')' | '|' | '\'' => 0.34,
        '\u{2009}' => 0.2,
        'm' | 'w' | 'M' | 'W' => 0.88,
        '⁰'..='⁹' | '⁻' | '¹' | '²' | '³' => 0.4,
        _ if c.is_uppercase() => 0.68,
        _ if c.is_ascii() => 0.56,
        _ => 0.62,
    };
    text.chars().map(width_of).sum::<f64>() * font_size
}

/// `text` broken between words into lines no wider than `width` \[px\]; at most `max_lines` lines,
/// the last one ending in "…" when something had to go.
pub(super) fn wrap(text: &str, width: f64, font_size: f64, max_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let joined = lines.last().map(|line| format!("{line} {word}"));
        match (joined, lines.last_mut()) {
            (Some(joined), Some(line)) if text_width(&joined, font_size) <= width => *line = joined,
            _ => lines.push(word.to_owned()),
        }
    }
    let is_cut = lines.len() > max_lines;
    lines.truncate(max_lines);
    for line in &mut lines {
        shorten(line, width, font_size);
    }
    if is_cut && let Some(line) = lines.last_mut().filter(|line| !line.ends_with('…')) {
        line.push('…');
    }
    lines
}

/// Cuts `line` to `width` \[px\], ending it in "…" when something had to go.
pub(super) fn shorten(line: &mut String, width: f64, font_size: f64) {
    if text_width(line, font_size) <= width {
        return;
    }
    while !line.is_empty() && text_width(line, font_size) + font_size > width {
        line.pop();
    }
    line.push('…');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_made_safe() {
        assert_eq!(escape("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
        assert_eq!(escape("bell\u{7}nul\0\n"), "bell\u{FFFD}nul\u{FFFD}\n");
    }

    #[test]
    fn pixels_are_rounded_to_a_tenth() {
        assert_eq!(px(12.04), "12");
        assert_eq!(px(-0.04), "0");
        assert_eq!(px(-3.36), "-3.4");
        assert_eq!(px(f64::MAX), "20000");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(decimal(-0.0, 1), "0.0");
        assert_eq!(decimal(-1.25, 1), "−1.2");
        assert_eq!(decimal(1000.0, 0), "1000");
        assert_eq!(decimal(25_000.0, 0), "25\u{2009}000");
        assert_eq!(short_number(2.50), "2.5");
        assert_eq!(short_number(0.0), "0");
        assert_eq!(short_number(2e7), "2×10⁷");
        assert_eq!(short_number(-1e-9), "−1×10⁻⁹");
        assert_eq!(short_number(1e-9), "10⁻⁹");
    }

    #[test]
    fn long_titles_wrap_and_end_in_an_ellipsis() {
        let lines = wrap("one two three four five six", 60.0, 10.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'), "{lines:?}");
        assert!(wrap("", 60.0, 10.0, 2).is_empty());
        assert!(wrap(&"x".repeat(500), 60.0, 10.0, 2)[0].ends_with('…'));
    }
}
