//! Random numbers by counter: a draw depends on its key alone, never on the draws before it.

use banquise_geometry::DVec2;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Purpose of a draw; draws for different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Place,
    Shape,
    Heading,
    Thickness,
    Outline,
    Entry,
    Crack,
    Wave,
}

/// Draws for one purpose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    seed: u64,
    purpose: Purpose,
}

impl Stream {
    pub(crate) fn new(seed: u64, purpose: Purpose) -> Self {
        Self { seed, purpose }
    }

    /// 64 random bits for a thing of this number and its draw of this number.
    pub(crate) fn bits(self, id: u64, draw: u64) -> u64 {
        let mut key = [0; 24];
        for (bytes, number) in key.chunks_mut(8).zip([self.purpose as u64, id, draw]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        xxh3_64_with_seed(&key, self.seed)
    }

    /// A number in [0, 1).
    pub(crate) fn unit(self, id: u64, draw: u64) -> f64 {
        (self.bits(id, draw) >> 11) as f64 * (0.5 / (1_u64 << 52) as f64)
    }

    /// A number in [from, to).
    pub(crate) fn between(self, from: f64, to: f64, id: u64, draw: u64) -> f64 {
        from + (to - from) * self.unit(id, draw)
    }

    /// A whole number below `count`.
    pub(crate) fn index(self, count: usize, id: u64, draw: u64) -> usize {
        ((u128::from(self.bits(id, draw)) * count as u128) >> 64) as usize
    }

    /// A point of the unit square.
    pub(crate) fn point(self, id: u64, draw: u64) -> DVec2 {
        DVec2::new(self.unit(id, 2 * draw), self.unit(id, 2 * draw + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_depend_on_every_part_of_their_key() {
        let stream = Stream::new(7, Purpose::Place);
        let count = 20_000;
        let mean: f64 = (0..count).map(|id| stream.unit(id, 0)).sum::<f64>() / count as f64;
        // The standard error is 0.002.
        assert!((mean - 0.5).abs() < 0.008, "{mean}");
        let first = stream.bits(1, 2);
        assert_ne!(first, stream.bits(2, 1));
        assert_ne!(first, Stream::new(8, Purpose::Place).bits(1, 2));
        assert_ne!(first, Stream::new(7, Purpose::Shape).bits(1, 2));
        let mut hits = [0; 5];
        for id in 0..5000 {
            hits[stream.index(5, id, 3)] += 1;
        }
        assert!(
            hits.iter().all(|&hit| (850..1150).contains(&hit)),
            "{hits:?}"
        );
    }
}
