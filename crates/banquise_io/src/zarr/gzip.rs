//! Chunks compressed by the codec `gzip` of Zarr. Its checksum shows damage that plain numbers do not.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

/// Level of compression: a chunk is written again at each flush, and higher levels gain little on trajectories.
const LEVEL: u32 = 4;

/// The codec as metadata say it.
pub(super) fn codec() -> Value {
    json!({ "name": "gzip", "configuration": { "level": LEVEL } })
}

/// Bytes of a chunk file. They have no time in them: the same chunk is the same file.
pub(super) fn encoded(bytes: &[u8], is_compressed: bool) -> io::Result<Cow<'_, [u8]>> {
    if !is_compressed {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(bytes)?;
    encoder.finish().map(Cow::Owned)
}

/// The content of a compressed file, which must have this length. No more memory than that is taken, whatever the file promises.
pub(super) fn decoded(file: &[u8], length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut decoder = GzDecoder::new(file).take(length + 1);
    decoder.read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        let what = format!("it holds {} bytes where {length} are expected", bytes.len());
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_and_any_flipped_bit_shows() {
        let bytes: Vec<u8> = (0..4000_u32)
            .flat_map(|n| f64::from(n / 7).to_le_bytes())
            .collect();
        let file = encoded(&bytes, true).unwrap().into_owned();
        assert!(file.len() * 5 < bytes.len(), "{}", file.len());
        assert_eq!(file, *encoded(&bytes, true).unwrap());
        assert_eq!(decoded(&file, bytes.len() as u64).unwrap(), bytes);
        assert!(decoded(&file, bytes.len() as u64 - 1).is_err());
        assert!(decoded(&file[..file.len() / 2], bytes.len() as u64).is_err());
        // After the ten bytes of the header, whose flags and system mean nothing here.
        for place in (10..file.len()).step_by(7) {
            let mut flipped = file.clone();
            flipped[place] ^= 4;
            assert!(
                decoded(&flipped, bytes.len() as u64).is_err(),
                "byte {place}"
            );
        }
    }
}
