//! A picture with the outlines found in it.

use super::canvas::{Canvas, figure_length, path_through};
use super::palette::{SERIES, stroked};
use super::text::px;

/// A picture in PNG format, and outlines over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// Title above the picture.
    pub title: String,
    /// The bytes of the PNG file.
    pub png: Vec<u8>,
    /// Width and height of the picture \[m\]; its centre is at x = y = 0.
    pub size: [f64; 2],
    /// The outlines \[m\].
    pub outlines: Vec<Vec<[f64; 2]>>,
}

impl Overlay {
    /// The figure as a complete SVG document, with the picture inside.
    pub fn to_svg(&self) -> String {
        const MARGIN: f64 = 16.0;
        let [across, up] = self.size;
        let width = 1000.0;
        let height = figure_length(width * up / across, 10.0);
        let mut canvas = Canvas::new();
        let top = canvas.title(&self.title, MARGIN, width) + 8.0;
        let [x, y, w, h] = [MARGIN, top, width, height].map(px);
        canvas.add(&format!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
            base64(&self.png)
        ));
        let place = |point: &[f64; 2]| {
            [
                MARGIN + width * (0.5 + point[0] / across),
                top + height * (0.5 - point[1] / up),
            ]
        };
        let rings = self.outlines.iter().map(|outline| {
            let points: Vec<[f64; 2]> = outline.iter().map(place).collect();
            path_through(&points, true)
        });
        let path: String = rings.collect();
        let paint = stroked(SERIES[1]);
        canvas.add(&format!(
            "<path {paint} stroke-width=\"1.6\" stroke-linejoin=\"round\" d=\"{path}\"/>"
        ));
        let size = [width + 2.0 * MARGIN, top + height + MARGIN];
        let description = format!("Picture with {} outlines.", self.outlines.len());
        canvas.finish(size, &self.title, &description)
    }
}

/// Bytes as text, three in four letters (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_are_written_as_in_the_standard() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in pairs {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
