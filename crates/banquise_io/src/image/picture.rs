//! PNG files, as they are: no scaling of values, so that labels stay labels.

use std::io::Cursor;

use banquise_geometry::GeometryError;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use thiserror::Error;

use super::raster::Raster;

/// Pixels a picture may have: some 10 000 by 5 000.
pub const MAX_PIXELS: u64 = 50_000_000;

/// A picture: one number or three for each pixel.
#[derive(Clone, Debug, PartialEq)]
pub enum Image {
    /// Shades of grey, up to the largest value that the bits allow.
    Grey {
        /// The values.
        raster: Raster<u16>,
        /// Bits of each: 1, 2, 4, 8 or 16.
        bits: u8,
    },
    /// Numbers of a palette.
    Indexed {
        /// The numbers.
        raster: Raster<u16>,
        /// Red, green and blue of each number; black where it is missing.
        palette: Vec<[u8; 3]>,
    },
    /// Red, green and blue.
    Color(Raster<[u8; 3]>),
}

/// Error of a file that is not a usable picture.
#[derive(Debug, Error)]
pub enum ImageError {
    /// Not a PNG file.
    #[error("it is not a PNG picture")]
    NotPng,
    /// A PNG file with a defect.
    #[error("the PNG picture is damaged: {0}")]
    Damaged(#[source] DecodingError),
    /// More pixels than fit.
    #[error("{width} x {height} pixels are too many: the limit is {MAX_PIXELS}")]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Labels must be single numbers.
    #[error("a picture in colour has no labels")]
    ColorLabels,
    /// A mask without a floe, or a picture in which none was found.
    #[error("there is no floe in the picture")]
    NoFloe,
    /// Pixels of an impossible size.
    #[error("pixels of this size make no outline: {0}")]
    PixelSize(GeometryError),
    /// A picture of one shade.
    #[error("the picture has one shade only")]
    OneShade,
}

impl ImageError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotPng => "other formats convert with `gdal_translate -of PNG`",
            Self::Damaged(_) => "fetch or export it again",
            Self::TooLarge { .. } => "cut it into parts, or reduce its resolution",
            Self::ColorLabels => {
                "labels are grey values or palette numbers, one for each floe; leave `--labels` \
                 out to have the floes found"
            }
            Self::NoFloe => {
                "ice must be brighter than water; `--threshold` and `--min-pixels` help"
            }
            Self::PixelSize(_) => "give the length of a pixel in metres or kilometres",
            Self::OneShade => "ice must be brighter than water",
        }
    }
}

impl Image {
    /// Reads a PNG file.
    ///
    /// # Errors
    /// When the bytes are no PNG picture, a damaged one or one too large.
    pub fn from_png(bytes: &[u8]) -> Result<Self, ImageError> {
        if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Err(ImageError::NotPng);
        }
        // Sixteen bits and four channels at most, and as much again for the decoder.
        let limits = Limits {
            bytes: 16 * MAX_PIXELS as usize,
        };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(Transformations::IDENTITY);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let header = decoder.read_header_info().map_err(ImageError::Damaged)?;
        let (width, height) = (header.width, header.height);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(ImageError::TooLarge { width, height });
        }
        let mut reader = decoder.read_info().map_err(ImageError::Damaged)?;
        let too_large = ImageError::TooLarge { width, height };
        let mut buffer = vec![0; reader.output_buffer_size().ok_or(too_large)?];
        let frame = reader
            .next_frame(&mut buffer)
            .map_err(ImageError::Damaged)?;
        let rows = buffer.chunks(frame.line_size.max(1)).take(height as usize);
        let samples = |per_pixel: usize| -> Vec<u16> {
            let count = width as usize * per_pixel;
            rows.clone()
                .flat_map(|row| unpacked(row, frame.bit_depth).take(count))
                .collect()
        };
        let raster = |values| Raster {
            width: width as usize,
            height: height as usize,
            values,
        };
        let every = |values: Vec<u16>, step| values.into_iter().step_by(step).collect();
        let bits = frame.bit_depth as u8;
        Ok(match frame.color_type {
            ColorType::Grayscale => Self::Grey {
                raster: raster(samples(1)),
                bits,
            },
            ColorType::GrayscaleAlpha => Self::Grey {
                raster: raster(every(samples(2), 2)),
                bits,
            },
            ColorType::Indexed => Self::Indexed {
                raster: raster(samples(1)),
                palette: palette_of(reader.info().palette.as_deref().unwrap_or_default()),
            },
            ColorType::Rgb => Self::Color(colors(&raster(samples(3)), 3, bits)),
            ColorType::Rgba => Self::Color(colors(&raster(samples(4)), 4, bits)),
        })
    }

    /// The number of the floe at each pixel, 0 for none.
    ///
    /// # Errors
    /// On a picture in colour.
    pub fn labels(&self) -> Result<Raster<u32>, ImageError> {
        match self {
            Self::Grey { raster, .. } | Self::Indexed { raster, .. } => Ok(raster.map(u32::from)),
            Self::Color(_) => Err(ImageError::ColorLabels),
        }
    }

    /// How bright each pixel is. Of colours the red counts, in which water is darkest beside ice.
    pub fn brightness(&self) -> Raster<u8> {
        match self {
            Self::Grey { raster, bits } => {
                let largest = u32::from(u16::MAX >> (16 - bits));
                raster.map(|value| (u32::from(value) * 255 / largest) as u8)
            }
            Self::Indexed { raster, palette } => {
                raster.map(|index| palette.get(usize::from(index)).map_or(0, |color| color[0]))
            }
            Self::Color(raster) => raster.map(|color| color[0]),
        }
    }

    /// Pixels in a row, and rows.
    pub fn size(&self) -> [usize; 2] {
        match self {
            Self::Grey { raster, .. } | Self::Indexed { raster, .. } => {
                [raster.width, raster.height]
            }
            Self::Color(raster) => [raster.width, raster.height],
        }
    }

    /// Whether the picture can only be a mask: sixteen bits of grey.
    pub fn is_surely_labels(&self) -> bool {
        matches!(self, Self::Grey { bits: 16, .. })
    }
}

/// The samples of a row, first bit first.
fn unpacked(row: &[u8], depth: BitDepth) -> Box<dyn Iterator<Item = u16> + '_> {
    let bits = depth as u8;
    if bits == 16 {
        let pairs = row.chunks_exact(2);
        return Box::new(pairs.map(|pair| u16::from_be_bytes([pair[0], pair[1]])));
    }
    let of_byte =
        move |byte: u8| (0..8 / bits).map(move |k| u16::from(byte << (k * bits) >> (8 - bits)));
    Box::new(row.iter().flat_map(move |&byte| of_byte(byte)))
}

fn palette_of(bytes: &[u8]) -> Vec<[u8; 3]> {
    let colors = bytes.chunks_exact(3);
    colors.map(|color| [color[0], color[1], color[2]]).collect()
}

fn colors(samples: &Raster<u16>, per_pixel: usize, bits: u8) -> Raster<[u8; 3]> {
    let shift = bits.saturating_sub(8);
    let pixels = samples.values.chunks_exact(per_pixel);
    Raster {
        width: samples.width,
        height: samples.height,
        values: pixels
            .map(|pixel| [0, 1, 2].map(|k| (pixel[k] >> shift) as u8))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette(vec![0, 0, 0, 200, 10, 20]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn labels_keep_their_values_at_any_depth() {
        let labels = |bytes: &[u8]| Image::from_png(bytes).unwrap().labels().unwrap().values;
        let two_bytes = [0, 0, 1, 2, 255, 255, 0, 7];
        let bytes = png(2, 2, ColorType::Grayscale, BitDepth::Sixteen, &two_bytes);
        assert_eq!(labels(&bytes), [0, 258, 65535, 7]);
        let bytes = png(2, 2, ColorType::Grayscale, BitDepth::Eight, &[0, 1, 2, 255]);
        assert_eq!(labels(&bytes), [0, 1, 2, 255]);
        // Three pixels of four bits to a row leave half a byte unused.
        let bytes = png(
            3,
            2,
            ColorType::Grayscale,
            BitDepth::Four,
            &[0x0f, 0x50, 0x12, 0x30],
        );
        assert_eq!(labels(&bytes), [0, 15, 5, 1, 2, 3]);
        let bytes = png(
            9,
            1,
            ColorType::Indexed,
            BitDepth::One,
            &[0b1010_0001, 0b1000_0000],
        );
        assert_eq!(labels(&bytes), [1, 0, 1, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn brightness_is_grey_or_red() {
        let brightness = |bytes: &[u8]| Image::from_png(bytes).unwrap().brightness().values;
        let bytes = png(2, 1, ColorType::Grayscale, BitDepth::One, &[0b0100_0000]);
        assert_eq!(brightness(&bytes), [0, 255]);
        let bytes = png(1, 1, ColorType::Grayscale, BitDepth::Sixteen, &[128, 9]);
        assert_eq!(brightness(&bytes), [127]);
        let bytes = png(
            2,
            1,
            ColorType::Rgb,
            BitDepth::Eight,
            &[9, 200, 1, 70, 2, 3],
        );
        assert_eq!(brightness(&bytes), [9, 70]);
        let bytes = png(
            1,
            1,
            ColorType::Rgba,
            BitDepth::Sixteen,
            &[60, 1, 2, 3, 4, 5, 6, 7],
        );
        assert_eq!(brightness(&bytes), [60]);
        let bytes = png(2, 1, ColorType::Indexed, BitDepth::Eight, &[1, 9]);
        assert_eq!(brightness(&bytes), [200, 0]);
    }

    #[test]
    fn what_is_no_png_or_half_of_one_is_refused() {
        assert!(matches!(
            Image::from_png(b"GIF89a"),
            Err(ImageError::NotPng)
        ));
        let whole = png(40, 40, ColorType::Grayscale, BitDepth::Eight, &[7; 1600]);
        for end in (8..whole.len() - 12).step_by(3) {
            let outcome = Image::from_png(&whole[..end]);
            assert!(matches!(outcome, Err(ImageError::Damaged(_))), "{end}");
        }
        let bytes = png(1, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3]);
        let labels = Image::from_png(&bytes).unwrap().labels();
        assert!(matches!(labels, Err(ImageError::ColorLabels)));
    }
}
