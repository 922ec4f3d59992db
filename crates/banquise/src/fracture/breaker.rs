//! The decision whether a floe breaks, and the pieces it breaks into.

use banquise_fem::{ContactForce, Crack, FloeModel, Load};
use banquise_geometry::{DVec2, SplitPiece, split};

use super::models::Models;
use super::report::FractureReport;
use super::settings::FractureSettings;
use crate::body::Bodies;
use crate::id::BodyId;
use crate::world::World;

/// Pieces into which one floe may break in one step.
const MAX_PIECES: usize = 32;
/// Width of the slit between pieces, as a share of the collision distance of the floe [–]: bodies closer than a quarter of theirs are pushed apart, and
/// that of a piece is smaller.
const SLIT: f64 = 0.5;

/// An impulse on a floe at a point, both in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    /// Row of the floe.
    pub(crate) row: usize,
    /// Where \[m\].
    pub(crate) point: DVec2,
    /// Impulse on the floe [N s].
    pub(crate) impulse: DVec2,
}

/// A floe that breaks at the end of the step.
#[derive(Debug, Clone)]
struct Broken {
    id: BodyId,
    shape_version: u32,
    pieces: Vec<SplitPiece>,
    /// `G_c` h L \[J\].
    energy: f64,
    length: f64,
}

/// An impulse on a pressed floe. Where the floe is cut before the step ends, its frame moves a little, and the point with it.
#[derive(Debug, Clone, Copy)]
struct Pressed {
    id: BodyId,
    touch: Touch,
}

/// Scratch buffers and results of the fracture of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breaker {
    settings: Option<FractureSettings>,
    /// Collision distance of all pairs, where there is one \[m\].
    fixed_distance: Option<f64>,
    models: Models,
    broken: Vec<Broken>,
    pressed: Vec<Pressed>,
    report: FractureReport,
}

/// The forces on a floe: impulses over a time \[s\].
fn load_of(touches: &[Touch], time: f64, radius: f64) -> Load {
    let contacts = touches.iter().map(|touch| ContactForce {
        point: touch.point,
        force: touch.impulse / time,
        radius,
    });
    Load {
        contacts: contacts.collect(),
        ..Load::default()
    }
}

impl Breaker {
    /// Begins a step. Where all pairs have one collision distance \[m\], the slit is a share of that.
    pub(crate) fn begin(
        &mut self,
        settings: Option<FractureSettings>,
        fixed_distance: Option<f64>,
    ) {
        if self.settings != settings {
            self.models = Models::default();
        }
        self.settings = settings;
        self.fixed_distance = fixed_distance;
        self.broken.clear();
        self.pressed.clear();
        self.report = FractureReport::default();
    }

    /// Whether floes can break.
    pub(crate) fn is_on(&self) -> bool {
        self.settings.is_some()
    }

    /// The statistics of the step.
    pub(crate) fn report(&mut self) -> &mut FractureReport {
        &mut self.report
    }

    /// Decides which floes break that are struck in one impact, given the impulses of its compression phase, ordered by row, and its energy \[J\]. Returns the
    /// energy that their cracks take of it.
    pub(crate) fn strike(&mut self, bodies: &Bodies, touches: &[Touch], energy: f64) -> f64 {
        let Some(settings) = self.settings else {
            return 0.0;
        };
        let mut spent = 0.0;
        for touches in touches.chunk_by(|x, y| x.row == y.row) {
            let row = touches[0].row;
            self.report.struck += 1;
            let id = bodies.ids()[row];
            let left = energy - spent;
            if self.models.least_energy(bodies, row, &settings) > left
                || self.broken.iter().any(|broken| broken.id == id)
            {
                continue;
            }
            self.report.struck_with_energy += 1;
            let load = load_of(touches, settings.contact_time, settings.indentation);
            let (has_strain, broken) = self.decide(bodies, row, &load, left, &settings);
            self.report.struck_with_strain += u64::from(has_strain);
            if let Some(broken) = broken {
                self.report.struck_broken += 1;
                spent += broken.energy;
                self.broken.push(broken);
            }
        }
        spent
    }

    /// Notes the impulse of a contact that presses a floe.
    pub(crate) fn press(&mut self, bodies: &Bodies, touch: Touch) {
        let id = bodies.ids()[touch.row];
        self.pressed.push(Pressed { id, touch });
    }

    /// Whether the elastic energy suffices for the shortest crack, and the pieces into which the floe breaks, if it does, with at most this energy \[J\].
    fn decide(
        &mut self,
        bodies: &Bodies,
        row: usize,
        load: &Load,
        energy: f64,
        settings: &FractureSettings,
    ) -> (bool, Option<Broken>) {
        let least = self.models.least_energy(bodies, row, settings);
        let Some(model) = self.models.of(bodies, row, settings) else {
            return (false, None);
        };
        if model.strain_energy(load) < least {
            return (false, None);
        }
        let thickness = bodies.mean_thicknesses()[row];
        let cost = |length: f64| settings.toughness * thickness * length;
        let Some(crack) = model.crack(load, &settings.crack()) else {
            return (true, None);
        };
        if cost(crack.length) > energy {
            return (true, None);
        }
        let distance = self
            .fixed_distance
            .unwrap_or(bodies.collision_distances[row]);
        let cascade = Cascade {
            settings,
            thickness,
            slit: SLIT * distance,
            left: energy,
        };
        let whole = bodies.ice_of(row);
        let Some((pieces, length)) = whole.and_then(|whole| cascade.run(&whole, load, &crack))
        else {
            self.report.refused += 1;
            return (true, None);
        };
        let broken = Broken {
            id: bodies.ids()[row],
            shape_version: bodies.shape_versions()[row],
            pieces,
            energy: cost(length),
            length,
        };
        (true, Some(broken))
    }

    /// Ends a step of this length \[s\], after floes were cut where they were crushed: decides which pressed floes break, and splits those that broke.
    /// Returns the energy of cracks of struck floes that could not be made, and the elastic energy that went into cracks of pressed floes \[J\].
    pub(crate) fn finish(&mut self, world: &mut World, time: f64) -> [f64; 2] {
        let Some(settings) = self.settings else {
            return [0.0; 2];
        };
        let mut returned = 0.0;
        let mut broken = std::mem::take(&mut self.broken);
        broken.retain(|own| {
            let row = world.bodies.row_of(own.id);
            let is_same =
                row.is_some_and(|row| world.bodies.shape_versions()[row] == own.shape_version);
            if !is_same {
                returned += own.energy;
                self.report.refused += 1;
            }
            is_same
        });
        let mut strain = 0.0;
        let mut pressed = std::mem::take(&mut self.pressed);
        // The sums of one floe keep the order of the contacts.
        pressed.sort_by_key(|own| own.id);
        for own in pressed.chunk_by(|x, y| x.id == y.id) {
            let id = own[0].id;
            self.report.pressed += 1;
            let Some(row) = world.bodies.row_of(id) else {
                continue;
            };
            if broken.iter().any(|other| other.id == id) {
                continue;
            }
            let touches: Vec<Touch> = own.iter().map(|own| own.touch).collect();
            let load = load_of(&touches, time, settings.indentation);
            let energy = f64::INFINITY;
            let (has_strain, found) = self.decide(&world.bodies, row, &load, energy, &settings);
            self.report.pressed_with_strain += u64::from(has_strain);
            if let Some(found) = found {
                self.report.pressed_broken += 1;
                strain += found.energy;
                broken.push(found);
            }
        }
        for own in &broken {
            match world.split(own.id, &own.pieces) {
                Ok(ids) => {
                    self.report.pieces += ids.len() as u64;
                    self.report.crack_length += own.length;
                }
                Err(_) => self.report.refused += 1,
            }
        }
        if !broken.is_empty() {
            self.models.drop_stale(&world.bodies);
        }
        broken.clear();
        pressed.clear();
        (self.broken, self.pressed) = (broken, pressed);
        [returned, strain]
    }
}

/// Pieces that break again under the forces that broke the floe.
struct Cascade<'a> {
    settings: &'a FractureSettings,
    thickness: f64,
    slit: f64,
    /// Energy that may be spent \[J\].
    left: f64,
}

impl Cascade<'_> {
    /// The pieces of a floe, all in its own frame, and the length of all cracks \[m\]. Forces act on the piece whose boundary is closest to them.
    fn run(
        &self,
        whole: &SplitPiece,
        load: &Load,
        first: &Crack,
    ) -> Option<(Vec<SplitPiece>, f64)> {
        let mut length = first.length;
        let mut pieces: Vec<SplitPiece> = split(whole, &first.path, self.slit)?.into();
        if !pieces.iter().all(|piece| self.is_allowed(piece)) {
            return None;
        }
        let mut index = 0;
        while index < pieces.len() && pieces.len() < MAX_PIECES {
            match self.again(&pieces, index, load, length) {
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
        let own = Load {
            contacts,
            body_force: load.body_force,
        };
        let (elasticity, mesh) = (self.settings.elasticity(), self.settings.mesh());
        let outline = piece.outline.vertices();
        let model = FloeModel::new(outline, self.thickness, &elasticity, &mesh).ok()?;
        let crack = model.crack(&own, &self.settings.crack())?;
        let cost = self.settings.toughness * self.thickness * (spent + crack.length);
        if cost > self.left {
            return None;
        }
        let halves = split(piece, &crack.path, self.slit)?;
        let are_allowed = halves.iter().all(|half| self.is_allowed(half));
        are_allowed.then_some((halves, crack.length))
    }
}

/// A piece may be smaller than the smallest by this share, since its slit is taken off [–].
const SMALLEST_TOLERANCE: f64 = 0.1;
