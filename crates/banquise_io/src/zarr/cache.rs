//! Chunks that were read and checked, for those who read record by record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Memory of all chunks that are kept \[bytes\]: those of the records of one time, in all variables.
const LIMIT: usize = 128 << 20;

/// Contents of chunk files. A record is a small part of a chunk, whose checksum is that of the whole.
#[derive(Debug, Default)]
pub(super) struct ChunkCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    chunks: BTreeMap<PathBuf, Arc<Vec<u8>>>,
    bytes: usize,
}

impl ChunkCache {
    /// The content of a file: that which is kept, or that which `read` gives.
    pub(super) fn get<E>(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Arc<Vec<u8>>, E> {
        // What a thread that broke off left is whole: chunks are added at one stroke.
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chunk) = kept().chunks.get(path) {
            return Ok(chunk.clone());
        }
        let chunk = Arc::new(read()?);
        let mut kept = kept();
        if kept.bytes + chunk.len() > LIMIT {
            *kept = Kept::default();
        }
        kept.bytes += chunk.len();
        kept.chunks.insert(path.to_owned(), chunk.clone());
        Ok(chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_read_once_and_the_memory_is_limited() {
        let cache = ChunkCache::default();
        let get = |name: &str, length: usize| {
            let mut is_read = false;
            let found = cache.get(Path::new(name), || {
                is_read = true;
                Ok::<_, ()>(vec![1; length])
            });
            assert_eq!(found.unwrap().len(), length);
            is_read
        };
        assert!(get("a", LIMIT / 2));
        assert!(!get("a", LIMIT / 2));
        assert!(get("b", LIMIT / 2));
        assert!(!get("a", LIMIT / 2) && !get("b", LIMIT / 2));
        assert!(get("c", 1));
        assert!(get("a", LIMIT / 2));
        let failed = cache.get(Path::new("d"), || Err("no"));
        assert_eq!(failed.unwrap_err(), "no");
    }
}
