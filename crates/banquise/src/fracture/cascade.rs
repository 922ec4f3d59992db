//! Pieces that break again under the forces that broke the floe.

use banquise_fem::{ContactForce, Crack, FloeModel, Load};
use banquise_geometry::{DVec2, SplitPiece, split};

use super::settings::FractureSettings;
use super::times::FractureTimes;

/// Pieces into which one floe may break in one step.
const MAX_PIECES: usize = 32;
/// A piece may be smaller than the smallest by this share, since its slit is taken off [–].
const SMALLEST_TOLERANCE: f64 = 0.1;

/// How a floe that cracks comes to pieces.
pub(super) struct Cascade<'a> {
    pub(super) settings: &'a FractureSettings,
    pub(super) thickness: f64,
    /// Width of the slit between pieces \[m\].
    pub(super) slit: f64,
    /// Energy that may be spent \[J\].
    pub(super) left: f64,
}

impl Cascade<'_> {
    /// The pieces of a floe, all in its own frame, and the length of all cracks \[m\]. Forces act on the piece whose boundary is closest to them.
    pub(super) fn run(
        &self,
        whole: &SplitPiece,
        load: &Load,
        first: &Crack,
        times: &mut FractureTimes,
    ) -> Option<(Vec<SplitPiece>, f64)> {
        let mut length = first.length;
        let mut pieces: Vec<SplitPiece> = split(whole, &first.path, self.slit)?.into();
        if !pieces.iter().all(|piece| self.is_allowed(piece)) {
            return None;
        }
        let mut index = 0;
        while index < pieces.len() && pieces.len() < MAX_PIECES {
            match self.again(&pieces, index, load, length, times) {
                Some((halves, added)) => {
                    length += added;
                    let [left, right] = halves;
                    pieces[index] = left;
                    pieces.push(right);
                }
                None => index += 1,
            }
        }
        Some((pieces, length))
    }

    fn is_allowed(&self, piece: &SplitPiece) -> bool {
        piece.outline.area() >= self.settings.smallest_area() * (1.0 - SMALLEST_TOLERANCE)
    }

    /// The halves of a piece that breaks, and the length of the crack, where those before have the length `spent` \[m\].
    fn again(
        &self,
        pieces: &[SplitPiece],
        index: usize,
        load: &Load,
        spent: f64,
        times: &mut FractureTimes,
    ) -> Option<([SplitPiece; 2], f64)> {
        let piece = &pieces[index];
        if piece.area < 2.0 * self.settings.smallest_area() {
            return None;
        }
        let distance = |piece: &SplitPiece, point: DVec2| piece.outline.distance_to_point(point);
        let is_own = |contact: &&ContactForce| {
            let own = distance(piece, contact.point);
            pieces
                .iter()
                .all(|other| distance(other, contact.point) >= own)
        };
        let contacts: Vec<ContactForce> = load.contacts.iter().filter(is_own).cloned().collect();
        if contacts.is_empty() {
            return None;
        }
        let own = Load { contacts, ..*load };
        let start = times.now();
        let (elasticity, mesh) = (self.settings.elasticity(), self.settings.mesh());
        let outline = piece.outline.vertices();
        let model = FloeModel::new(outline, self.thickness, &elasticity, &mesh).ok()?;
        let crack = model.crack(&own, &self.settings.crack());
        times.add(start, |times| &mut times.decisions);
        let crack = crack?;
        let cost = self.settings.toughness * self.thickness * (spent + crack.length);
        if cost > self.left {
            return None;
        }
        let halves = split(piece, &crack.path, self.slit)?;
        let are_allowed = halves.iter().all(|half| self.is_allowed(half));
        are_allowed.then_some((halves, crack.length))
    }
}
