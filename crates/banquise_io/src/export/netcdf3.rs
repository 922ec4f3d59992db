//! The classic NetCDF format with 64-bit offsets (*The NetCDF classic format specification*, Unidata), as much of it as
//! is needed: no record dimension, everything big-endian.

use std::path::Path;

use super::ExportError;
use super::source::Output;

const DIMENSIONS: u32 = 10;
const VARIABLES: u32 = 11;
const ATTRIBUTES: u32 = 12;
/// Bytes of a variable, the last one excepted.
const MAX_VARIABLE: u64 = u32::MAX as u64 - 3;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Attribute {
    Text(String),
    Number(f64),
}

/// Names and values of attributes.
pub(super) type Attributes = Vec<(String, Attribute)>;

/// What a variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NcType {
    Char,
    Int,
    Double,
}

impl NcType {
    fn code(self) -> u32 {
        match self {
            Self::Char => 2,
            Self::Int => 4,
            Self::Double => 6,
        }
    }

    fn size(self) -> u64 {
        match self {
            Self::Char => 1,
            Self::Int => 4,
            Self::Double => 8,
        }
    }
}

/// Values of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    Chars(Vec<u8>),
    Ints(Vec<i32>),
    Doubles(Vec<f64>),
}

/// A variable, without its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Numbers of its dimensions, slowest first.
    pub(super) dimensions: Vec<usize>,
    pub(super) attributes: Attributes,
    pub(super) kind: NcType,
}

/// All of a file but the values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Header {
    pub(super) dimensions: Vec<(&'static str, usize)>,
    pub(super) attributes: Attributes,
    pub(super) variables: Vec<Variable>,
}

impl Header {
    /// Bytes of a variable in the file.
    fn bytes_of(&self, variable: &Variable) -> u64 {
        let lengths = variable.dimensions.iter();
        let count: u64 = lengths
            .map(|&index| self.dimensions[index].1 as u64)
            .product();
        (count * variable.kind.size()).next_multiple_of(4)
    }

    /// The header, with the variables at their places behind it.
    fn encode(&self, header_bytes: u64) -> Vec<u8> {
        let mut bytes = b"CDF\x02".to_vec();
        put(&mut bytes, 0);
        list(&mut bytes, DIMENSIONS, self.dimensions.len());
        for (name, length) in &self.dimensions {
            text(&mut bytes, name);
            put(&mut bytes, *length as u32);
        }
        attributes(&mut bytes, &self.attributes);
        list(&mut bytes, VARIABLES, self.variables.len());
        let mut begin = header_bytes;
        for variable in &self.variables {
            text(&mut bytes, &variable.name);
            put(&mut bytes, variable.dimensions.len() as u32);
            for &dimension in &variable.dimensions {
                put(&mut bytes, dimension as u32);
            }
            attributes(&mut bytes, &variable.attributes);
            put(&mut bytes, variable.kind.code());
            let size = self.bytes_of(variable);
            put(&mut bytes, size as u32);
            bytes.extend(begin.to_be_bytes());
            begin += size;
        }
        bytes
    }

    /// Writes the file; `values` gives those of one variable after the other.
    pub(super) fn write(
        &self,
        path: &Path,
        mut values: impl FnMut(&Variable) -> Result<Values, ExportError>,
    ) -> Result<(), ExportError> {
        for variable in &self.variables {
            let bytes = self.bytes_of(variable);
            if bytes > MAX_VARIABLE {
                return Err(ExportError::TooLarge {
                    what: format!("the variable `{}`", variable.name),
                    bytes,
                    format: "classic NetCDF",
                });
            }
        }
        let mut file = Output::create(path)?;
        let header_bytes = self.encode(0).len() as u64;
        file.write(self.encode(header_bytes))?;
        for variable in &self.variables {
            let mut bytes = encoded(values(variable)?);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            assert_eq!(
                bytes.len() as u64,
                self.bytes_of(variable),
                "values of `{}`",
                variable.name
            );
            file.write(bytes)?;
        }
        file.finish()
    }
}

fn encoded(values: Values) -> Vec<u8> {
    match values {
        Values::Chars(bytes) => bytes,
        Values::Ints(values) => values
            .iter()
            .flat_map(|value| value.to_be_bytes())
            .collect(),
        Values::Doubles(values) => values
            .iter()
            .flat_map(|value| value.to_be_bytes())
            .collect(),
    }
}

fn put(bytes: &mut Vec<u8>, value: u32) {
    bytes.extend(value.to_be_bytes());
}

/// The head of a list; an empty one has no tag.
fn list(bytes: &mut Vec<u8>, tag: u32, count: usize) {
    put(bytes, if count == 0 { 0 } else { tag });
    put(bytes, count as u32);
}

/// A text with its length, padded to four bytes.
fn text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u32);
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

fn attributes(bytes: &mut Vec<u8>, all: &Attributes) {
    list(bytes, ATTRIBUTES, all.len());
    for (name, value) in all {
        text(bytes, name);
        match value {
            Attribute::Text(value) => {
                put(bytes, NcType::Char.code());
                text(bytes, value);
            }
            Attribute::Number(value) => {
                put(bytes, NcType::Double.code());
                put(bytes, 1);
                bytes.extend(value.to_be_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use netcdf_reader::NcFile;

    use super::*;

    fn header(rows: usize) -> Header {
        let variable = |name: &str, dimensions: &[usize], kind| Variable {
            name: name.into(),
            dimensions: dimensions.to_vec(),
            attributes: vec![("units".into(), Attribute::Text("m".into()))],
            kind,
        };
        Header {
            dimensions: vec![("row", rows), ("column", 3)],
            attributes: vec![("half".into(), Attribute::Number(0.5))],
            variables: vec![
                variable("letters", &[1], NcType::Char),
                variable("one", &[], NcType::Int),
                variable("table", &[0, 1], NcType::Double),
            ],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.nc");
        let table = [1.0, 2.0, 3.0, 4.0, 5.0, -1e300];
        let written = header(2).write(&path, |variable| {
            Ok(match variable.kind {
                NcType::Char => Values::Chars(b"abc".to_vec()),
                NcType::Int => Values::Ints(vec![-7]),
                NcType::Double => Values::Doubles(table.to_vec()),
            })
        });
        written.unwrap();
        let file = NcFile::open(&path).unwrap();
        let values = file.read_variable_unpacked_masked("table").unwrap();
        assert_eq!(values.shape(), [2, 3]);
        assert_eq!(values.into_iter().collect::<Vec<f64>>(), table);
        let values = file.read_variable_unpacked_masked("one").unwrap();
        assert_eq!(values.into_iter().collect::<Vec<f64>>(), [-7.0]);
    }

    #[test]
    fn a_variable_of_more_than_four_gigabytes_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.nc");
        let written = header(200_000_000).write(&path, |_| unreachable!("nothing is written"));
        let error = written.unwrap_err();
        let words =
            "the variable `table` would take 4800000000 bytes, more than classic NetCDF can hold";
        assert_eq!(error.to_string(), words);
        assert!(!path.exists());
    }
}
