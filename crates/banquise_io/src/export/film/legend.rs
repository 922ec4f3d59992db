//! What is written on a picture: clock, scale bar, wind, colours. Sizes are shares of the height of the picture.

use tiny_skia::{PathBuilder, Rect};

use super::super::coloring::{Coloring, rgb};
use super::canvas::Canvas;
use super::glyphs::{text_path, text_width};
use super::survey::Survey;
use crate::figure::palette::{INK, PAPER, SERIES};
use crate::recording::Frame;

/// Height of a capital letter.
const LETTER: f32 = 0.022;
/// Distance from the edges of the picture.
const MARGIN: f32 = 0.03;

/// What the legend of one frame tells.
pub(super) struct Legend<'a> {
    /// Date of the frame, where the scenario has one.
    pub(super) date: Option<String>,
    pub(super) coloring: Coloring,
    pub(super) survey: &'a Survey,
}

/// Sizes on a picture \[pixels\].
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) margin: f32,
    /// Height of a capital letter.
    pub(super) letter: f32,
}

impl Sizes {
    pub(super) fn of(canvas: &Canvas) -> Self {
        // The shorter side: in a tall picture the legend would cover the ice.
        let side = canvas.pixmap.height().min(canvas.pixmap.width()) as f32;
        Self {
            margin: MARGIN * side,
            letter: LETTER * side,
        }
    }
}

impl Legend<'_> {
    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let sizes = Sizes::of(canvas);
        draw_clock(canvas, frame.time, self.date.as_deref(), sizes);
        draw_scale_bar(canvas, sizes);
        draw_wind(canvas, frame, sizes);
        self.draw_colors(canvas, sizes);
    }

    fn draw_colors(&self, canvas: &mut Canvas, sizes: Sizes) {
        let Sizes { margin, letter } = sizes;
        let (name, unit) = self.coloring.label();
        if name.is_empty() {
            return;
        }
        let (width, height) = (canvas.pixmap.width() as f32, canvas.pixmap.height() as f32);
        let is_log = self.coloring.is_logarithmic();
        // Whole pixels: between parts of them seams show.
        let length = (12.0 * letter).round();
        let left = (width - margin - length).round();
        let top = (height - margin - 2.6 * letter).round();
        let (low, high) = self.survey.range;
        let panel = Rect::from_ltrb(
            left - letter,
            top - 2.4 * letter,
            width - margin + letter,
            height - margin + 0.8 * letter,
        );
        if let Some(panel) = panel {
            canvas.fill(&PathBuilder::from_rect(panel), rgb(PAPER.light), 0.8);
        }
        let columns = length as u16;
        for column in 0..columns {
            let part = (f64::from(column) + 0.5) / f64::from(columns);
            let value = if is_log {
                low * (high / low).powf(part)
            } else {
                low + part * (high - low)
            };
            let color = self.coloring.color(value, self.survey.range);
            let x = left + f32::from(column);
            let cell = Rect::from_xywh(x, top, 1.0, (0.8 * letter).round());
            if let (Some(color), Some(cell)) = (color, cell) {
                canvas.fill(&PathBuilder::from_rect(cell), color, 1.0);
            }
        }
        let scale = if is_log { ", log" } else { "" };
        write(
            canvas,
            &if unit.is_empty() {
                name.to_owned()
            } else {
                format!("{name} [{unit}]{scale}")
            },
            left,
            top - 0.7 * letter,
            0.95 * letter,
        );
        let below = top + 2.4 * letter;
        write(canvas, &number(low), left, below, 0.9 * letter);
        let mark = if self.survey.is_open { "\u{2265}" } else { "" };
        let high = format!("{mark}{}", number(high));
        let start = left + length - text_width(&high, 0.9 * letter);
        write(canvas, &high, start, below, 0.9 * letter);
    }
}

/// Text with paper behind it, from its lower left corner.
pub(super) fn write(canvas: &mut Canvas, text: &str, x: f32, y: f32, letter: f32) {
    let Some(path) = text_path(text, x, y, letter) else {
        return;
    };
    canvas.stroke(&path, rgb(PAPER.light), 0.34 * letter);
    canvas.stroke(&path, rgb(INK.light), 0.13 * letter);
}

fn draw_clock(canvas: &mut Canvas, time: f64, date: Option<&str>, sizes: Sizes) {
    let Sizes { margin, letter } = sizes;
    let large = 1.3 * letter;
    write(canvas, &clock(time), margin, margin + large, large);
    if let Some(date) = date.and_then(|date| date.get(..16)) {
        let date = date.replace('T', " ");
        write(canvas, &date, margin, margin + large + 1.8 * letter, letter);
    }
}

/// Time since the start, as days, hours, minutes and seconds; short times in seconds.
fn clock(time: f64) -> String {
    if time < 60.0 {
        return format!("{time:.1} s");
    }
    // Rounding must not show 60 seconds.
    let seconds = time.round() as u64;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!(
        "{:02}:{:02}:{:02}",
        rest / 3600,
        rest % 3600 / 60,
        rest % 60
    );
    match days {
        0 => clock,
        days => format!("{days} d {clock}"),
    }
}

fn draw_scale_bar(canvas: &mut Canvas, sizes: Sizes) {
    let Sizes { margin: x, letter } = sizes;
    let y = canvas.pixmap.height() as f32 - x;
    let most = 0.22 * f64::from(canvas.pixmap.width()) / canvas.scale;
    let length = round_down(most);
    let pixels = (length * canvas.scale) as f32;
    let tick = 0.5 * letter;
    let mut builder = PathBuilder::new();
    builder.move_to(x, y - tick);
    builder.line_to(x, y);
    builder.line_to(x + pixels, y);
    builder.line_to(x + pixels, y - tick);
    if let Some(path) = builder.finish() {
        canvas.stroke(&path, rgb(PAPER.light), 0.4 * letter);
        canvas.stroke(&path, rgb(INK.light), 0.16 * letter);
    }
    let text = if length >= 1000.0 {
        format!("{} km", length / 1000.0)
    } else {
        format!("{length} m")
    };
    let left = x + 0.5 * (pixels - text_width(&text, letter));
    write(canvas, &text, left, y - 0.8 * letter, letter);
}

/// 1, 2 or 5 times a power of ten, at most `value`.
pub(super) fn round_down(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [5.0, 2.0, 1.0].into_iter().map(|step| step * power);
    let mut fitting = steps.filter(|step| *step <= value * (1.0 + 1e-9));
    fitting.next().unwrap_or(value)
}

fn draw_wind(canvas: &mut Canvas, frame: &Frame, sizes: Sizes) {
    let Sizes { margin, letter } = sizes;
    let speed = frame.wind.length();
    if !(speed > 0.0 && speed.is_finite()) {
        return;
    }
    let half = letter * (0.8 + 1.4 * (speed / 20.0).min(1.0) as f32);
    let direction = frame.wind / speed;
    let (u, v) = (direction.x as f32, -direction.y as f32);
    let (x, y) = (
        canvas.pixmap.width() as f32 - margin - 3.0 * letter,
        margin + 2.5 * letter,
    );
    let tip = (x + half * u, y + half * v);
    let head = 0.8 * letter;
    let mut builder = PathBuilder::new();
    builder.move_to(x - half * u, y - half * v);
    builder.line_to(tip.0, tip.1);
    builder.move_to(tip.0 - head * (u - 0.6 * v), tip.1 - head * (v + 0.6 * u));
    builder.line_to(tip.0, tip.1);
    builder.line_to(tip.0 - head * (u + 0.6 * v), tip.1 - head * (v - 0.6 * u));
    if let Some(path) = builder.finish() {
        canvas.stroke(&path, rgb(PAPER.light), 0.5 * letter);
        canvas.stroke(&path, rgb(SERIES[0].light), 0.24 * letter);
    }
    let text = format!("wind {speed:.1} m/s");
    let left = canvas.pixmap.width() as f32 - margin - text_width(&text, letter);
    write(canvas, &text, left, y + 4.2 * letter, letter);
}

/// Three digits that count.
fn number(value: f64) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-2..1e4).contains(&size) {
        return format!("{value:.1e}");
    }
    let decimals = if size >= 100.0 || value == 0.0 {
        0
    } else if size >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_read_well() {
        assert_eq!(clock(0.5), "0.5 s");
        assert_eq!(clock(3599.9), "01:00:00");
        assert_eq!(clock(2.0 * 86_400.0 + 61.0), "2 d 00:01:01");
        assert_eq!(
            (number(0.0), number(0.234), number(1.5e5)),
            ("0".into(), "0.23".into(), "1.5e5".into())
        );
        assert_eq!(
            (round_down(9.9), round_down(2000.0), round_down(0.3)),
            (5.0, 2000.0, 0.2)
        );
    }
}
