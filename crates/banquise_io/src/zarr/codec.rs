//! What stands between the numbers of a chunk and its file: a checksum (codec `crc32c` of Zarr), or compression (`gzip`, which has a checksum of its own). Both show
//! damage that plain numbers do not.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

/// Level of compression: a chunk is written again at each flush, and higher levels gain little on trajectories.
const LEVEL: u32 = 4;

/// Length of the checksum after a chunk \[bytes\].
const CHECKSUM: usize = 4;

/// What is done to the numbers of a chunk before they are a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkCodec {
    /// Nothing: damage does not show.
    Plain,
    /// A checksum follows them.
    Crc32c,
    /// They are compressed.
    Gzip,
}

impl ChunkCodec {
    /// The codec as metadata say it.
    pub(super) fn to_json(self) -> Option<Value> {
        match self {
            Self::Plain => None,
            Self::Crc32c => Some(json!({ "name": "crc32c" })),
            Self::Gzip => Some(json!({ "name": "gzip", "configuration": { "level": LEVEL } })),
        }
    }

    /// The codec of that name.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        match value.get("name")?.as_str()? {
            "crc32c" => Some(Self::Crc32c),
            "gzip" => Some(Self::Gzip),
            _ => None,
        }
    }

    /// Length of the file of a chunk of `length` bytes, where it is known.
    pub(super) fn file_length(self, length: u64) -> Option<u64> {
        match self {
            Self::Plain => Some(length),
            Self::Crc32c => Some(length + CHECKSUM as u64),
            Self::Gzip => None,
        }
    }

    /// Bytes of a chunk file. They have no time in them: the same chunk is the same file.
    pub(super) fn encoded(self, bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Plain => Ok(Cow::Borrowed(bytes)),
            Self::Crc32c => Ok(Cow::Owned([bytes, &crc32c(bytes).to_le_bytes()].concat())),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
                encoder.write_all(bytes)?;
                encoder.finish().map(Cow::Owned)
            }
        }
    }

    /// The content of a file, which must have this length. No more memory than that is taken, whatever the file promises.
    pub(super) fn decoded(self, mut file: Vec<u8>, length: u64) -> io::Result<Vec<u8>> {
        let bytes = match self {
            Self::Plain => file,
            Self::Crc32c => {
                let found = file.split_off(file.len().saturating_sub(CHECKSUM));
                if found != crc32c(&file).to_le_bytes() {
                    return Err(invalid(
                        "it is damaged: its checksum is not that of its content".into(),
                    ));
                }
                file
            }
            Self::Gzip => {
                let mut bytes = Vec::new();
                let mut decoder = GzDecoder::new(&*file).take(length + 1);
                decoder.read_to_end(&mut bytes)?;
                bytes
            }
        };
        if bytes.len() as u64 != length {
            let found = bytes.len();
            return Err(invalid(format!(
                "it holds {found} bytes where {length} are expected"
            )));
        }
        Ok(bytes)
    }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Remainders of CRC-32C (Castagnoli, RFC 3720) for each byte, followed by 0 to 7 bytes of zeros.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            // The polynomial with its bits reversed.
            rest = (rest >> 1) ^ (0x82F6_3B78 * (rest & 1));
            bit += 1;
        }
        tables[0][byte] = rest;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let rest = tables[zeros - 1][byte];
            tables[zeros][byte] = (rest >> 8) ^ tables[0][(rest & 0xFF) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
}

/// The checksum that follows the numbers of a chunk (CRC-32C), eight bytes at a time.
pub fn crc32c(bytes: &[u8]) -> u32 {
    let mut rest = !0_u32;
    let (words, tail) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word) ^ u64::from(rest);
        let place = |at: usize| TABLES[7 - at][(word >> (8 * at)) as usize & 0xFF];
        rest = (1..8).fold(place(0), |sum, at| sum ^ place(at));
    }
    for &byte in tail {
        rest = (rest >> 8) ^ TABLES[0][(rest as usize ^ usize::from(byte)) & 0xFF];
    }
    !rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_and_any_flipped_bit_shows() {
        let bytes: Vec<u8> = (0..4001_u32)
            .flat_map(|n| f64::from(n / 7).to_le_bytes())
            .collect();
        let length = bytes.len() as u64;
        for codec in [ChunkCodec::Crc32c, ChunkCodec::Gzip] {
            let file = codec.encoded(&bytes).unwrap().into_owned();
            assert!(codec == ChunkCodec::Crc32c || file.len() * 5 < bytes.len());
            assert_eq!(file, *codec.encoded(&bytes).unwrap());
            assert_eq!(codec.decoded(file.clone(), length).unwrap(), bytes);
            assert!(codec.decoded(file.clone(), length - 1).is_err());
            assert!(
                codec
                    .decoded(file[..file.len() / 2].to_vec(), length)
                    .is_err()
            );
            // After the ten bytes of the header of gzip, whose flags and system mean nothing here.
            for place in (10..file.len()).step_by(7) {
                let mut flipped = file.clone();
                flipped[place] ^= 4;
                assert!(codec.decoded(flipped, length).is_err(), "byte {place}");
            }
        }
    }

    #[test]
    fn checksums_are_those_of_the_standard() {
        // RFC 3720, appendix B.4; the last is the check value of the catalogue of polynomials.
        let rising: Vec<u8> = (0..32).collect();
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(&[0xFF; 32]), 0x62A8_AB43);
        assert_eq!(crc32c(&rising), 0x46DD_794E);
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
    }
}
