//! Random numbers by counter: a draw depends on its seed and its number alone.

/// A number in [0, 1) for a draw, by two rounds of the `SplitMix64` finaliser.
pub(crate) fn unit(seed: u64, draw: u64) -> f64 {
    let bits = mix(mix(seed).wrapping_add(draw.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    (bits >> 11) as f64 * (0.5 / (1_u64 << 52) as f64)
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
