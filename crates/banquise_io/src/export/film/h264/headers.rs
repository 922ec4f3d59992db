//! Parameter sets and slice headers (clause 7.3.2 and 7.3.3), and the level a film needs (annex A).

use super::bits::Bits;
use super::{QP, SIDE};

/// Size and speed of a film. Width and height are even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::export::film) struct Format {
    pub(in crate::export::film) width: usize,
    pub(in crate::export::film) height: usize,
    pub(in crate::export::film) frames_per_second: u32,
}

impl Format {
    pub(super) fn columns(self) -> usize {
        self.width.div_ceil(SIDE)
    }

    pub(super) fn rows(self) -> usize {
        self.height.div_ceil(SIDE)
    }

    /// The lowest level whose limits, macroblocks of a frame and a second, hold it.
    pub(in crate::export::film) fn level(self) -> u8 {
        const LEVELS: [(u8, u32, u32); 7] = [
            (31, 3_600, 108_000),
            (40, 8_192, 245_760),
            (42, 8_704, 522_240),
            (51, 36_864, 983_040),
            (52, 36_864, 2_073_600),
            (60, 139_264, 4_177_920),
            (62, 139_264, 16_711_680),
        ];
        let size = (self.columns() * self.rows()) as u32;
        let speed = size * self.frames_per_second;
        let mut fitting = LEVELS
            .iter()
            .filter(|(_, most, per_second)| size <= *most && speed <= *per_second);
        fitting.next().map_or(62, |(level, _, _)| *level)
    }
}

/// Bits of the number of a frame.
const FRAME_NUMBER_BITS: u32 = 8;
/// Baseline; and what is coded keeps the limits of constrained baseline and main as well.
pub(in crate::export::film) const PROFILE: [u8; 2] = [66, 0xc0];

/// The sequence parameter set.
pub(in crate::export::film) fn sequence_parameters(format: Format) -> Vec<u8> {
    let mut bits = Bits::default();
    for byte in [PROFILE[0], PROFILE[1], format.level()] {
        bits.put(u32::from(byte), 8);
    }
    bits.unsigned(0);
    bits.unsigned(FRAME_NUMBER_BITS - 4);
    // Frames are shown in the order in which they are coded.
    bits.unsigned(2);
    bits.unsigned(1);
    bits.flag(false);
    bits.unsigned(format.columns() as u32 - 1);
    bits.unsigned(format.rows() as u32 - 1);
    bits.flag(true);
    bits.flag(true);
    // The last macroblocks may reach over the edge of the picture; chroma has half its lines.
    let beyond = |side: usize, blocks: usize| ((blocks * SIDE - side) / 2) as u32;
    let (right, bottom) = (
        beyond(format.width, format.columns()),
        beyond(format.height, format.rows()),
    );
    bits.flag(right + bottom > 0);
    if right + bottom > 0 {
        for edge in [0, right, 0, bottom] {
            bits.unsigned(edge);
        }
    }
    bits.flag(true);
    put_usability(&mut bits, format.frames_per_second);
    bits.into_unit(0x67)
}

/// What a player should know of colours and speed (annex E).
fn put_usability(bits: &mut Bits, frames_per_second: u32) {
    bits.flag(false);
    bits.flag(false);
    bits.flag(true);
    bits.put(5, 3);
    bits.flag(false);
    bits.flag(true);
    // Primaries, transfer and matrix of ITU-R BT.709.
    for _ in 0..3 {
        bits.put(1, 8);
    }
    bits.flag(false);
    bits.flag(true);
    bits.put(1, 32);
    // Ticks are those of fields, two a frame.
    bits.put(2 * frames_per_second, 32);
    bits.flag(true);
    for _ in 0..4 {
        bits.flag(false);
    }
}

/// The picture parameter set.
pub(in crate::export::film) fn picture_parameters() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.unsigned(0);
    bits.unsigned(0);
    bits.flag(false);
    bits.flag(false);
    for _ in 0..3 {
        bits.unsigned(0);
    }
    bits.flag(false);
    bits.put(0, 2);
    bits.signed(QP as i32 - 26);
    bits.signed(0);
    bits.signed(0);
    // Slices say themselves that they are not filtered.
    bits.flag(true);
    bits.flag(false);
    bits.flag(false);
    bits.into_unit(0x68)
}

/// The header of the one slice of a frame; `number` counts frames since the last one that stands alone.
pub(super) fn slice_header(stands_alone: bool, number: u32, sequence: u32) -> Bits {
    let mut bits = Bits::default();
    bits.unsigned(0);
    bits.unsigned(if stands_alone { 7 } else { 5 });
    bits.unsigned(0);
    bits.put(number, FRAME_NUMBER_BITS);
    if stands_alone {
        // Two frames that stand alone, one after the other, must differ in it.
        bits.unsigned(sequence % 2);
        bits.flag(false);
        bits.flag(false);
    } else {
        bits.flag(false);
        bits.flag(false);
        bits.flag(false);
    }
    bits.signed(0);
    bits.unsigned(1);
    bits
}
