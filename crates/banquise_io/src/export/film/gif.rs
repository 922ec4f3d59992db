//! An animated GIF: one palette for all frames, and in each frame only what changed.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use gif::{Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use super::super::{ExportError, Source, Watch};
use super::frames::{each_picture, rgb_of};
use super::trails::{SHADES, shade};

/// Index of the colour that leaves a pixel as it is.
const UNCHANGED: u8 = 255;
/// Bits of each channel that palette entries are looked up by.
const BITS: u32 = 5;

/// Writes the film of all records.
pub(crate) fn write(
    source: &Source,
    path: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let film = source.film;
    let mut writer = GifFilm::new(path, [film.width, film.height], film.frames_per_second)?;
    each_picture(source, film, watch, |_, pixmap| writer.add(pixmap))
}

/// A film that grows frame by frame.
pub(super) struct GifFilm {
    path: PathBuf,
    encoder: Encoder<BufWriter<File>>,
    palette: Palette,
    size: [u16; 2],
    delay: u16,
    before: Option<Vec<u8>>,
}

impl GifFilm {
    pub(super) fn new(
        path: &Path,
        size: [u32; 2],
        frames_per_second: u32,
    ) -> Result<Self, ExportError> {
        let side = |side: u32| {
            u16::try_from(side)
                .ok()
                .ok_or_else(|| ExportError::TooLarge {
                    what: format!("a picture {side} pixels wide or high"),
                    bytes: u64::from(side) * u64::from(side),
                    format: "GIF",
                })
        };
        let size = [side(size[0])?, side(size[1])?];
        let file = File::create_new(path).map_err(|error| ExportError::write(path, error))?;
        let palette = Palette::new();
        let failed =
            |error: gif::EncodingError| ExportError::write(path, std::io::Error::other(error));
        let mut encoder = Encoder::new(BufWriter::new(file), size[0], size[1], &palette.bytes())
            .map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            encoder,
            palette,
            size,
            // GIF counts hundredths of a second.
            delay: (100.0 / f64::from(frames_per_second)).round().max(1.0) as u16,
            before: None,
        })
    }

    pub(super) fn add(&mut self, pixmap: &Pixmap) -> Result<(), ExportError> {
        let indices = self.palette.indices(&rgb_of(pixmap));
        let shown: Vec<u8> = match &self.before {
            None => indices.clone(),
            Some(before) => {
                let pairs = indices.iter().zip(before);
                pairs
                    .map(|(&now, &then)| if now == then { UNCHANGED } else { now })
                    .collect()
            }
        };
        let frame = Frame {
            delay: self.delay,
            width: self.size[0],
            height: self.size[1],
            transparent: self.before.is_some().then_some(UNCHANGED),
            buffer: shown.into(),
            ..Frame::default()
        };
        self.before = Some(indices);
        self.encoder
            .write_frame(&frame)
            .map_err(|error| ExportError::write(&self.path, std::io::Error::other(error)))
    }
}

/// 255 colours: those of the legend and of the floes, and what lies between them along smooth edges.
struct Palette {
    colors: Vec<[u8; 3]>,
    /// The nearest colour, by the high bits of each channel.
    nearest: Vec<u8>,
}

impl Palette {
    fn new() -> Self {
        let colors = colors();
        let count = 1 << BITS;
        let step = 256 / count;
        let mut nearest = Vec::with_capacity(1 << (3 * BITS));
        for red in 0..count {
            for green in 0..count {
                for blue in 0..count {
                    let color = [red, green, blue].map(|c| (c * step + step / 2) as u8);
                    nearest.push(nearest_of(&colors, color));
                }
            }
        }
        Self { colors, nearest }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colors.iter().flatten().copied().collect();
        bytes.resize(3 * 256, 0);
        bytes
    }

    fn indices(&self, rgb: &[u8]) -> Vec<u8> {
        let index = |color: &[u8; 3]| {
            let place = color
                .iter()
                .fold(0, |place, &c| place << BITS | usize::from(c >> (8 - BITS)));
            self.nearest[place]
        };
        rgb.as_chunks::<3>().0.iter().map(index).collect()
    }
}

/// The colours of things, then mixtures of floes with water and with their edges, then a cube for the rest.
fn colors() -> Vec<[u8; 3]> {
    use super::super::coloring::rgb;
    use crate::figure::palette::{
        ICE_EDGE, INK, LAND, LAND_EDGE, PAPER, SERIES, UNKNOWN, WATER, viridis_rgb,
    };
    let tones = [PAPER, WATER, INK, LAND, LAND_EDGE, ICE_EDGE, UNKNOWN];
    let mut colors: Vec<[u8; 3]> = tones
        .into_iter()
        .chain(SERIES)
        .map(|tone| rgb(tone.light))
        .collect();
    colors.extend((0..96).map(|step| viridis_rgb(f64::from(step) / 95.0)));
    let mixed = |a: [u8; 3], b: [u8; 3]| [0, 1, 2].map(|k| u8::midpoint(a[k], b[k]));
    for step in 0..24 {
        let ice = viridis_rgb(f64::from(step) / 23.0);
        colors.push(mixed(ice, rgb(WATER.light)));
        colors.push(mixed(ice, rgb(ICE_EDGE.light)));
    }
    for (a, b) in [
        (PAPER, INK),
        (WATER, INK),
        (LAND, INK),
        (WATER, LAND_EDGE),
        (WATER, ICE_EDGE),
        (PAPER, WATER),
    ] {
        colors.push(mixed(rgb(a.light), rgb(b.light)));
    }
    colors.push(super::graticule::color());
    colors.extend((0..SHADES).map(shade));
    for red in 0..4u8 {
        for green in 0..4u8 {
            for blue in 0..4u8 {
                colors.push([red, green, blue].map(|c| 32 + 64 * c));
            }
        }
    }
    colors.truncate(usize::from(UNCHANGED));
    colors
}

fn nearest_of(colors: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> i32 {
        let weights = [3, 6, 1];
        (0..3)
            .map(|k| weights[k] * (i32::from(color[k]) - i32::from(other[k])).pow(2))
            .sum()
    };
    let numbered = colors.iter().enumerate();
    let nearest = numbered.min_by_key(|(_, other)| distance(other));
    nearest.map_or(0, |(index, _)| index as u8)
}
