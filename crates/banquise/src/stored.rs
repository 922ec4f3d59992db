//! Values as bytes and back, bit for bit: what a checkpoint is made of.
//!
//! Numbers are little-endian, `f64` by its bits. A list begins with its length. There are no names and no gaps: the order of the fields is
//! the format, and a change of it needs another version of the checkpoint.

use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};
use thiserror::Error;

/// Error of a stored state that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoredError {
    /// The bytes end too early.
    #[error("the stored state ends within {what}")]
    Short {
        /// What was being read.
        what: &'static str,
    },
    /// Bytes are left over.
    #[error("the stored state has {count} bytes too many")]
    Long {
        /// How many.
        count: usize,
    },
    /// A value that no state has.
    #[error("the stored state has {what} that no state has")]
    Impossible {
        /// What it is.
        what: &'static str,
    },
}

/// A value that can be stored, and read back bit for bit.
pub(crate) trait Stored: Sized {
    /// Appends the value.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads what [`put`](Self::put) appended.
    fn take(input: &mut Input<'_>) -> Result<Self, StoredError>;
}

/// Bytes that are read from their start.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], StoredError> {
        let (array, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or(StoredError::Short { what })?;
        self.bytes = rest;
        Ok(*array)
    }

    /// A number of entries that follow. Each takes a byte at least, so that a wrong number cannot ask for memory that the file is
    /// too short for.
    pub(crate) fn count(&mut self) -> Result<usize, StoredError> {
        let count = u64::take(self)?;
        match usize::try_from(count) {
            Ok(count) if count <= self.bytes.len() => Ok(count),
            _ => Err(StoredError::Short { what: "a list" }),
        }
    }

    /// Ends the reading.
    pub(crate) fn finish(self) -> Result<(), StoredError> {
        match self.bytes.len() {
            0 => Ok(()),
            count => Err(StoredError::Long { count }),
        }
    }
}

/// An error where a condition does not hold.
pub(crate) fn require(holds: bool, what: &'static str) -> Result<(), StoredError> {
    if holds {
        Ok(())
    } else {
        Err(StoredError::Impossible { what })
    }
}

/// Stores structs field by field. The list must name every field: it is both a pattern and a literal.
macro_rules! stored_structs {
    ($($name:ident { $($field:ident),* $(,)? })*) => { $(
        impl $crate::stored::Stored for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($crate::stored::Stored::put($field, out);)*
            }

            fn take(
                input: &mut $crate::stored::Input<'_>,
            ) -> Result<Self, $crate::stored::StoredError> {
                Ok(Self { $($field: $crate::stored::Stored::take(input)?),* })
            }
        }
    )* };
}
pub(crate) use stored_structs;

macro_rules! stored_numbers {
    ($($name:ident)*) => { $(
        impl Stored for $name {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
                Ok(Self::from_le_bytes(input.array("a number")?))
            }
        }
    )* };
}
stored_numbers! { f64 u64 u32 i32 u8 }

impl Stored for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let number = u64::take(input)?;
        Self::try_from(number).ok().ok_or(StoredError::Impossible {
            what: "a number beyond this machine's",
        })
    }
}

impl Stored for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let byte = u8::take(input)?;
        require(byte < 2, "a truth value")?;
        Ok(byte == 1)
    }
}

impl Stored for String {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let length = input.count()?;
        let (text, rest) = input.bytes.split_at(length);
        input.bytes = rest;
        let text = str::from_utf8(text)
            .ok()
            .ok_or(StoredError::Impossible { what: "a text" })?;
        Ok(text.to_owned())
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for value in self {
            value.put(out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let count = input.count()?;
        (0..count).map(|_| T::take(input)).collect()
    }
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        for value in self {
            value.put(out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let values: Vec<T> = (0..N)
            .map(|_| T::take(input))
            .collect::<Result<_, StoredError>>()?;
        values.try_into().ok().ok_or(StoredError::Impossible {
            what: "a list of another length",
        })
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        Ok((A::take(input)?, B::take(input)?))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        bool::take(input)?.then(|| T::take(input)).transpose()
    }
}

stored_structs! {
    Pose { position, rotation }
    Rotation { cos, sin }
}

impl Stored for DVec2 {
    fn put(&self, out: &mut Vec<u8>) {
        self.x.put(out);
        self.y.put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        Ok(Self::new(f64::take(input)?, f64::take(input)?))
    }
}

impl Stored for Outline {
    fn put(&self, out: &mut Vec<u8>) {
        self.vertices().to_vec().put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let impossible = |_| StoredError::Impossible { what: "an outline" };
        Self::try_new(Stored::take(input)?).map_err(impossible)
    }
}

impl Stored for Shape {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Outline(outline) => {
                0_u8.put(out);
                outline.put(out);
            }
            Self::Disc(disc) => {
                1_u8.put(out);
                disc.center().put(out);
                disc.radius().put(out);
            }
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let impossible = |_| StoredError::Impossible { what: "a disc" };
        match u8::take(input)? {
            0 => Ok(Self::Outline(Outline::take(input)?)),
            1 => {
                let center = DVec2::take(input)?;
                let disc = Disc::try_new(f64::take(input)?).map_err(impossible)?;
                Self::Disc(disc).translated(center).map_err(impossible)
            }
            _ => Err(StoredError::Impossible { what: "a shape" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_bit_for_bit() {
        let value = (
            vec![Some(-0.0), None, Some(f64::NAN)],
            ("é".to_owned(), [1_u64, u64::MAX]),
        );
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        let mut input = Input::new(&bytes);
        let back: (Vec<Option<f64>>, (String, [u64; 2])) = Stored::take(&mut input).unwrap();
        input.finish().unwrap();
        assert_eq!(back.0[0].map(f64::to_bits), Some((-0.0_f64).to_bits()));
        assert_eq!(back.0[2].map(f64::to_bits), Some(f64::NAN.to_bits()));
        assert_eq!(back.1, value.1);
        for end in 0..bytes.len() {
            let short =
                <(Vec<Option<f64>>, (String, [u64; 2]))>::take(&mut Input::new(&bytes[..end]));
            assert!(short.is_err(), "{end} bytes");
        }
    }

    #[test]
    fn a_count_beyond_the_bytes_asks_for_no_memory() {
        let mut bytes = Vec::new();
        u64::MAX.put(&mut bytes);
        let read = <Vec<f64>>::take(&mut Input::new(&bytes));
        assert_eq!(read, Err(StoredError::Short { what: "a list" }));
    }
}
