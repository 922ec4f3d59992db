//! The types of numbers an array may hold.

use std::fmt;

use serde_json::Value;

/// Type of the values of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementType {
    /// Double precision.
    F64,
    /// 64-bit signed integer.
    I64,
    /// 32-bit signed integer.
    I32,
    /// Byte.
    U8,
    /// Truth value, one byte each.
    Bool,
}

impl ElementType {
    /// The name the Zarr format gives to this type.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "float64",
            Self::I64 => "int64",
            Self::I32 => "int32",
            Self::U8 => "uint8",
            Self::Bool => "bool",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::F64, Self::I64, Self::I32, Self::U8, Self::Bool]
            .into_iter()
            .find(|element| element.name() == name)
    }

    /// Size of one value, in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::I32 => 4,
            Self::U8 | Self::Bool => 1,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value that stands where nothing was written; it also tells the type of the array.
///
/// xarray takes it for a missing value only when it is NaN: for integers, add a `_FillValue`
/// attribute if that is wanted (xarray then turns the array into floats).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FillValue {
    /// Of an array of [`ElementType::F64`].
    F64(f64),
    /// Of an array of [`ElementType::I64`].
    I64(i64),
    /// Of an array of [`ElementType::I32`].
    I32(i32),
    /// Of an array of [`ElementType::U8`].
    U8(u8),
    /// Of an array of [`ElementType::Bool`].
    Bool(bool),
}

impl FillValue {
    /// Type of the array.
    pub fn element_type(self) -> ElementType {
        match self {
            Self::F64(_) => ElementType::F64,
            Self::I64(_) => ElementType::I64,
            Self::I32(_) => ElementType::I32,
            Self::U8(_) => ElementType::U8,
            Self::Bool(_) => ElementType::Bool,
        }
    }

    /// JSON has no word for the three non-finite values: the Zarr format spells them as strings.
    pub(super) fn to_json(self) -> Value {
        match self {
            Self::F64(value) if value.is_nan() => Value::from("NaN"),
            Self::F64(f64::INFINITY) => Value::from("Infinity"),
            Self::F64(f64::NEG_INFINITY) => Value::from("-Infinity"),
            Self::F64(value) => Value::from(value),
            Self::I64(value) => Value::from(value),
            Self::I32(value) => Value::from(value),
            Self::U8(value) => Value::from(value),
            Self::Bool(value) => Value::from(value),
        }
    }

    pub(super) fn from_json(element: ElementType, value: &Value) -> Option<Self> {
        match element {
            ElementType::F64 => f64_from_json(value).map(Self::F64),
            ElementType::I64 => value.as_i64().map(Self::I64),
            ElementType::I32 => value.as_i64()?.try_into().ok().map(Self::I32),
            ElementType::U8 => value.as_i64()?.try_into().ok().map(Self::U8),
            ElementType::Bool => value.as_bool().map(Self::Bool),
        }
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::F64(value) => value.to_le_bytes().to_vec(),
            Self::I64(value) => value.to_le_bytes().to_vec(),
            Self::I32(value) => value.to_le_bytes().to_vec(),
            Self::U8(value) => vec![value],
            Self::Bool(value) => vec![u8::from(value)],
        }
    }
}

fn f64_from_json(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("NaN") => Some(f64::NAN),
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64(),
    }
}

/// Values to write: a whole array, or one record of a growing array, the last dimension fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Values<'a> {
    /// For an array of [`ElementType::F64`].
    F64(&'a [f64]),
    /// For an array of [`ElementType::I64`].
    I64(&'a [i64]),
    /// For an array of [`ElementType::I32`].
    I32(&'a [i32]),
    /// For an array of [`ElementType::U8`].
    U8(&'a [u8]),
    /// For an array of [`ElementType::Bool`].
    Bool(&'a [bool]),
}

impl Values<'_> {
    /// Type of the values.
    pub fn element_type(self) -> ElementType {
        match self {
            Self::F64(_) => ElementType::F64,
            Self::I64(_) => ElementType::I64,
            Self::I32(_) => ElementType::I32,
            Self::U8(_) => ElementType::U8,
            Self::Bool(_) => ElementType::Bool,
        }
    }

    /// Number of values.
    pub fn len(self) -> usize {
        match self {
            Self::F64(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::I32(values) => values.len(),
            Self::U8(values) => values.len(),
            Self::Bool(values) => values.len(),
        }
    }

    /// Is there no value?
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub(super) fn append_bytes_to(self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.len() * self.element_type().size());
        match self {
            Self::F64(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            Self::I64(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            Self::I32(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            Self::U8(values) => bytes.extend_from_slice(values),
            Self::Bool(values) => bytes.extend(values.iter().map(|&value| u8::from(value))),
        }
    }
}
