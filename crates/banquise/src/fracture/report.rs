//! Statistics of fracture.

use std::ops::AddAssign;

use crate::stored::stored_structs;

/// Bins of impact speeds: four to a decade.
const BINS: usize = 20;
/// Lower end of the first bin \[m/s\].
const SLOWEST: f64 = 1e-4;
/// Ratio of the ends of a bin: the fourth root of ten.
const BIN_RATIO: f64 = 1.778_279_410_038_923;

/// Blows whose impact speed is in one bin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RestitutionBin {
    /// Number of blows.
    pub blows: u64,
    /// Sum of their restitution coefficients, lowered where a floe broke.
    pub restitution: f64,
}

/// Statistics of fracture, in a step or since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FractureReport {
    /// Floes struck, once for each impact.
    pub struck: u64,
    /// Of these, those whose impact has the energy for the shortest allowed crack.
    pub struck_with_energy: u64,
    /// Of these, those whose elastic energy suffices too.
    pub struck_with_strain: u64,
    /// Of these, those that broke.
    pub struck_broken: u64,
    /// Floes pressed, once for each step.
    pub pressed: u64,
    /// Of these, those whose elastic energy suffices for the shortest allowed crack.
    pub pressed_with_strain: u64,
    /// Of these, those that broke.
    pub pressed_broken: u64,
    /// Pieces made.
    pub pieces: u64,
    /// Length of all cracks \[m\].
    pub crack_length: f64,
    /// Cracks that were decided and could not be made: no valid outlines, or a floe that was crushed in the same step.
    pub refused: u64,
    /// Impacts whose restitution was lowered.
    pub lowered: u64,
    /// Restitution by impact speed.
    pub restitution: [RestitutionBin; BINS],
}

stored_structs! {
    RestitutionBin { blows, restitution }
    FractureReport {
        struck, struck_with_energy, struck_with_strain, struck_broken, pressed, pressed_with_strain, pressed_broken, pieces,
        crack_length, refused, lowered, restitution,
    }
}

impl FractureReport {
    /// The ends of the bins of impact speeds [m/s], one more than there are bins.
    pub fn bin_ends() -> [f64; BINS + 1] {
        let mut ends = [SLOWEST; BINS + 1];
        for bin in 0..BINS {
            ends[bin + 1] = ends[bin] * BIN_RATIO;
        }
        ends
    }

    /// Adds a blow at a contact, with its impact speed [m/s] and its restitution.
    pub(crate) fn add_blow(&mut self, speed: f64, restitution: f64) {
        let ends = Self::bin_ends();
        let bin = ends[1..BINS].iter().filter(|&&end| speed >= end).count();
        self.restitution[bin].blows += 1;
        self.restitution[bin].restitution += restitution;
    }
}

impl AddAssign for FractureReport {
    fn add_assign(&mut self, other: Self) {
        self.struck += other.struck;
        self.struck_with_energy += other.struck_with_energy;
        self.struck_with_strain += other.struck_with_strain;
        self.struck_broken += other.struck_broken;
        self.pressed += other.pressed;
        self.pressed_with_strain += other.pressed_with_strain;
        self.pressed_broken += other.pressed_broken;
        self.pieces += other.pieces;
        self.crack_length += other.crack_length;
        self.refused += other.refused;
        self.lowered += other.lowered;
        for (sum, bin) in self.restitution.iter_mut().zip(other.restitution) {
            sum.blows += bin.blows;
            sum.restitution += bin.restitution;
        }
    }
}
