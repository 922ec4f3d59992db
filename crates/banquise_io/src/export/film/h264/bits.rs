//! Bits, Exp-Golomb codes, and units of the stream (clauses 7.3.1 and 9.1).

/// Bits in a row.
#[derive(Debug, Clone, Default)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    /// Bits of the last byte that are in use.
    used: u32,
}

impl Bits {
    /// Appends the lowest `count` bits, highest first.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        for index in (0..count).rev() {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
                self.used = 0;
            }
            let bit = (value >> index & 1) as u8;
            if let Some(last) = self.bytes.last_mut() {
                *last |= bit << (7 - self.used);
            }
            self.used += 1;
        }
    }

    pub(super) fn flag(&mut self, is_set: bool) {
        self.put(u32::from(is_set), 1);
    }

    /// An unsigned Exp-Golomb code.
    pub(super) fn unsigned(&mut self, value: u32) {
        let length = 32 - (value + 1).leading_zeros();
        self.put(0, length - 1);
        self.put(value + 1, length);
    }

    /// A signed Exp-Golomb code.
    pub(super) fn signed(&mut self, value: i32) {
        let mapped = if value > 0 { 2 * value - 1 } else { -2 * value };
        self.unsigned(mapped as u32);
    }

    /// The bytes of a unit: its head, the bits with their stop bit, and no three bytes that look like the start of another.
    pub(super) fn into_unit(mut self, head: u8) -> Vec<u8> {
        self.put(1, 1);
        let mut unit = vec![head];
        let mut zeros = 0;
        for byte in self.bytes {
            if zeros == 2 && byte <= 3 {
                unit.push(3);
                zeros = 0;
            }
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            unit.push(byte);
        }
        unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // Table 9-2: 0 is 1, 1 is 010, 2 is 011, 3 is 00100; signed 1 is 010, −1 is 011.
        let mut bits = Bits::default();
        for value in 0..4 {
            bits.unsigned(value);
        }
        bits.signed(1);
        bits.signed(-1);
        // 1 010 011 0|0100 010 0|11 and the stop bit.
        assert_eq!(
            bits.into_unit(0x67),
            [0x67, 0b1010_0110, 0b0100_0100, 0b1110_0000]
        );
    }

    #[test]
    fn no_start_code_is_in_a_unit() {
        let mut bits = Bits::default();
        bits.put(0, 24);
        bits.put(1, 8);
        assert_eq!(bits.into_unit(1), [1, 0, 0, 3, 0, 1, 0x80]);
    }
}
