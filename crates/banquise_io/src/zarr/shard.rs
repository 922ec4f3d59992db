//! Shards: files that hold several chunks, so that a long run has fewer files (codec `sharding_indexed` of Zarr).
//!
//! ```text
//! chunks      one after another, in the order of their slots
//! index       for each slot where its chunk begins and how long it is, u64 each; both 2⁶⁴ − 1 where there is none
//! checksum    u32: CRC-32C of the index
//! ```
//!
//! Chunks have their own checksums, or are compressed. A shard is written anew with each chunk that is added: no file is changed in place.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::codec::crc32c;
use super::files::{StagedFile, make_folder, write_chunk};
use super::{ArrayInfo, ZarrError};

/// Begin and length of a chunk that is not there.
const NONE: u64 = u64::MAX;

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The index of a shard, checked, and how many bytes of chunks are before it.
fn read_index(file: &mut File, slots: usize) -> io::Result<(Vec<[u64; 2]>, u64)> {
    let length = 16 * slots as u64 + 4;
    let content = file.metadata()?.len().checked_sub(length);
    let content = content.ok_or_else(|| invalid("it is too short for its index"))?;
    file.seek(SeekFrom::Start(content))?;
    let mut index = Vec::new();
    file.take(length).read_to_end(&mut index)?;
    let (entries, checksum) = index
        .split_last_chunk()
        .ok_or_else(|| invalid("it has no index"))?;
    if crc32c(entries).to_le_bytes() != *checksum {
        return Err(invalid(
            "it is damaged: the checksum of its index is not that of its content",
        ));
    }
    let (numbers, _) = entries.as_chunks();
    let numbers: Vec<u64> = numbers.iter().map(|x| u64::from_le_bytes(*x)).collect();
    Ok((numbers.as_chunks().0.to_vec(), content))
}

/// The bytes of a chunk, at most `limit` of them; `None` where the slot is empty.
fn read_entry(
    file: &mut File,
    [begin, length]: [u64; 2],
    content: u64,
    limit: u64,
) -> io::Result<Option<Vec<u8>>> {
    if [begin, length] == [NONE; 2] {
        return Ok(None);
    }
    let is_inside = begin.checked_add(length).is_some_and(|end| end <= content);
    if !is_inside || length > limit {
        return Err(invalid("its index points beyond its chunks"));
    }
    file.seek(SeekFrom::Start(begin))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(Some(bytes))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Reads one chunk of a shard with so many slots.
///
/// # Errors
/// Of the kind `NotFound` where there is no such chunk.
pub(super) fn read_slot(path: &Path, slots: usize, slot: usize, limit: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let (index, content) = read_index(&mut file, slots)?;
    let entry = index.get(slot).copied().unwrap_or([NONE; 2]);
    read_entry(&mut file, entry, content, limit)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// All chunks of a shard; none where there is no file.
fn read_all(path: &Path, slots: usize) -> io::Result<Vec<Option<Vec<u8>>>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![None; slots]),
        file => file?,
    };
    let (index, content) = read_index(&mut file, slots)?;
    let read = |entry| read_entry(&mut file, entry, content, content);
    index.into_iter().map(read).collect()
}

fn to_bytes(chunks: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut index = Vec::new();
    for chunk in chunks {
        let entry = match chunk {
            Some(chunk) => {
                let begin = bytes.len() as u64;
                bytes.extend_from_slice(chunk);
                [begin, chunk.len() as u64]
            }
            None => [NONE; 2],
        };
        index.extend(entry.into_iter().flat_map(u64::to_le_bytes));
    }
    let checksum = crc32c(&index);
    bytes.extend_from_slice(&index);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

fn error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> ZarrError {
    let path = path.to_owned();
    move |source| ZarrError::Io {
        action,
        path: path.clone(),
        source,
    }
}

/// Writes one chunk of a growing array into its file, or leaves it out.
pub(super) fn write_growing(
    array_folder: &Path,
    info: &ArrayInfo,
    [row_chunk, column_chunk]: [usize; 2],
    bytes: Option<&[u8]>,
) -> Result<(), ZarrError> {
    let key = info.chunk_key(row_chunk, column_chunk);
    if info.shard_chunks == 1 {
        return bytes.map_or(Ok(()), |bytes| {
            write_chunk(array_folder, info.codec, &key, bytes)
        });
    }
    let target = array_folder.join(key);
    let encoded = bytes.map(|bytes| info.codec.encoded(bytes)).transpose();
    let encoded = encoded.map_err(|source| ZarrError::Io {
        action: "encode",
        path: target.clone(),
        source,
    })?;
    let slot = row_chunk % info.shard_chunks;
    write_slot(&target, info.shard_chunks, slot, encoded.as_deref())
}

/// Puts a chunk into its slot, or leaves the slot empty. Those after it are dropped: they are left from a run that was cut back.
fn write_slot(
    path: &Path,
    slots: usize,
    slot: usize,
    chunk: Option<&[u8]>,
) -> Result<(), ZarrError> {
    if chunk.is_none() && !path.exists() {
        return Ok(());
    }
    let mut chunks = read_all(path, slots).map_err(error("read", path))?;
    chunks[slot..].fill(None);
    chunks[slot] = chunk.map(<[u8]>::to_vec);
    publish(path, &chunks)
}

/// Drops the chunks that do not stay.
pub(super) fn retain(
    path: &Path,
    slots: usize,
    stays: impl Fn(usize) -> bool,
) -> Result<(), ZarrError> {
    let mut chunks = read_all(path, slots).map_err(error("read", path))?;
    let mut is_changed = false;
    for (slot, chunk) in chunks.iter_mut().enumerate() {
        if chunk.is_some() && !stays(slot) {
            *chunk = None;
            is_changed = true;
        }
    }
    if is_changed {
        publish(path, &chunks)?;
    }
    Ok(())
}

/// Writes a shard; one without chunks goes.
fn publish(path: &Path, chunks: &[Option<Vec<u8>>]) -> Result<(), ZarrError> {
    if chunks.iter().all(Option::is_none) {
        return match fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(error("remove", path)(source))
            }
            _ => Ok(()),
        };
    }
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    StagedFile::beside(path.to_owned(), &to_bytes(chunks))?.publish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_and_damage_shows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c/0");
        write_slot(&path, 3, 1, None).unwrap();
        assert!(!path.exists());
        for (slot, chunk) in [&b"first"[..], b"second", b"third"].into_iter().enumerate() {
            write_slot(&path, 3, slot, Some(chunk)).unwrap();
        }
        let read = |slot: usize| read_slot(&path, 3, slot, 100);
        assert_eq!(read(1).unwrap(), b"second");
        assert!(read_slot(&path, 3, 1, 5).is_err());
        let whole = fs::read(&path).unwrap();
        // Chunks have checksums of their own: every byte after them is the index's.
        for place in b"firstsecondthird".len()..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            fs::write(&path, &damaged).unwrap();
            assert_eq!(read(0).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
        fs::write(&path, &whole[..20]).unwrap();
        assert!(read(0).is_err());
        fs::write(&path, &whole).unwrap();
        // What comes after a chunk that is written again is left from another run.
        write_slot(&path, 3, 1, Some(b"other")).unwrap();
        assert_eq!(read(1).unwrap(), b"other");
        assert_eq!(read(2).unwrap_err().kind(), io::ErrorKind::NotFound);
        retain(&path, 3, |slot| slot == 0).unwrap();
        assert_eq!(read(0).unwrap(), b"first");
        assert!(read(1).is_err());
        write_slot(&path, 3, 0, None).unwrap();
        assert!(!path.exists());
    }
}
