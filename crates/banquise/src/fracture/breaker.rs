//! The decision whether a floe breaks, and the pieces it breaks into.

use banquise_fem::Load;
use banquise_geometry::{DVec2, SplitPiece};

use super::cascade::Cascade;
use super::models::{Models, key_of};
use super::peers::{CHORD_TIME, PeerFloe, Pieces};
use super::report::FractureReport;
use super::settings::{Criterion, FractureSettings};
use super::stress::breaking_forces;
use super::times::FractureTimes;
use super::touch::{Touch, impulses_in, load_of_blow, load_of_pressing, struck_floe};
use crate::body::Bodies;
use crate::id::BodyId;
use crate::world::{BreakingForce, World};

/// Width of the slit between pieces, as a share of the collision distance of the floe [–]: bodies closer than a quarter of theirs are pushed apart, and
/// that of a piece is smaller.
const SLIT: f64 = 0.5;

/// A floe that breaks at the end of the step.
#[derive(Debug, Clone)]
struct Broken {
    id: BodyId,
    shape_version: u32,
    pieces: Vec<SplitPiece>,
    forces: Vec<BreakingForce>,
    /// `G_c` h L \[J\].
    energy: f64,
    length: f64,
}

/// A contact that presses a floe, in one solution of its island. Where the floe is cut before the step ends, its frame moves a little, and the point with it.
#[derive(Debug, Clone, Copy)]
struct Pressed {
    id: BodyId,
    moment: u32,
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
    /// Number of the last solution of an island, and the last one in which each row was struck.
    moment: u32,
    struck_at: Vec<u32>,
    report: FractureReport,
    times: FractureTimes,
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
        self.moment = 0;
        self.struck_at.clear();
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

    /// What fracture took, where a clock was lent.
    pub(crate) fn times(&mut self) -> &mut FractureTimes {
        &mut self.times
    }

    /// Notes the time for which forces acted on a floe \[s\], where floes can break: impulses of sustained contacts are gathered in it.
    pub(crate) fn note_force_time(&self, bodies: &mut Bodies, row: usize, time: f64) {
        if self.is_on() {
            bodies.force_times[row] = time;
        }
    }

    /// The time at which a part of fracture starts \[s\], where a clock was lent.
    pub(crate) fn start(&self) -> f64 {
        self.times.now()
    }

    /// Ends the first bound of an island, which started then \[s\].
    pub(crate) fn end_bound(&mut self, start: f64) {
        self.times.first_bound += self.times.since(start);
    }

    /// Ends all of the fracture of an island, which started then \[s\].
    pub(crate) fn end_island(&mut self, start: f64) {
        self.times.total += self.times.since(start);
    }

    /// Begins to look at the contacts of an island.
    pub(crate) fn next_island(&mut self, bodies: &Bodies, contacts: usize) {
        self.moment += 1;
        self.struck_at.resize(bodies.len(), 0);
        self.times.contacts += contacts as u64;
    }

    /// Notes a floe that is struck in an impact with this energy of compression \[J\]. Returns whether that suffices for the shortest crack of the floe.
    pub(crate) fn has_energy(&mut self, bodies: &Bodies, row: usize, energy: f64) -> bool {
        let Some(settings) = &self.settings else {
            return false;
        };
        if self.struck_at[row] != self.moment {
            self.struck_at[row] = self.moment;
            self.report.struck += 1;
        }
        self.models
            .least_energy(bodies, row, settings, &mut self.times)
            <= energy
    }

    /// Decides which floes break that are struck in one impact, given all contacts on them, ordered by row, and the energy of its compression phase \[J\].
    /// Returns the energy that their cracks take of it.
    pub(crate) fn strike(&mut self, bodies: &Bodies, touches: &[Touch], energy: f64) -> f64 {
        let Some(settings) = self.settings else {
            return 0.0;
        };
        let mut spent = 0.0;
        for touches in touches.chunk_by(|x, y| x.row == y.row) {
            let row = touches[0].row;
            let id = bodies.ids()[row];
            let left = energy - spent;
            let times = &mut self.times;
            let least = self.models.least_energy(bodies, row, &settings, times);
            if touches.iter().all(|touch| touch.blow == DVec2::ZERO)
                || least > left
                || self.broken.iter().any(|broken| broken.id == id)
            {
                continue;
            }
            self.report.struck_with_energy += 1;
            let floe = struck_floe(bodies, row, &settings);
            let load = load_of_blow(touches, &floe, &settings);
            let struck = (touches, &load);
            let (has_strain, broken) = self.decide(bodies, row, struck, left, &settings);
            self.report.struck_with_strain += u64::from(has_strain);
            if let Some(broken) = broken {
                self.report.struck_broken += 1;
                spent += broken.energy;
                self.broken.push(broken);
            }
        }
        spent
    }

    /// Notes a contact that presses a floe, unless the floe is too small to break.
    pub(crate) fn press(&mut self, bodies: &Bodies, touch: Touch) {
        let Some(settings) = &self.settings else {
            return;
        };
        let row = touch.row;
        if touch.pressing == DVec2::ZERO || touch.time <= 0.0 {
            return;
        }
        let times = &mut self.times;
        let least = self.models.least_energy(bodies, row, settings, times);
        if least == f64::INFINITY {
            return;
        }
        self.pressed.push(Pressed {
            id: bodies.ids()[row],
            moment: self.moment,
            touch,
        });
    }

    /// Whether the elastic energy suffices for the shortest crack, and the pieces into which the floe breaks, if it does, with at most this energy \[J\].
    fn decide(
        &mut self,
        bodies: &Bodies,
        row: usize,
        (touches, load): (&[Touch], &Load),
        energy: f64,
        settings: &FractureSettings,
    ) -> (bool, Option<Broken>) {
        if settings.criterion != Criterion::Variational {
            return self.decide_by_peer(bodies, row, (touches, load), settings);
        }
        let start = self.times.now();
        let is_known = self.models.knows(key_of(bodies, row));
        let (models, times) = (&mut self.models, &mut self.times);
        if !models.has_strain(bodies, row, load, settings, times) {
            self.times.add(start, |times| {
                if is_known {
                    &mut times.repeated_rejections
                } else {
                    &mut times.first_rejections
                }
            });
            return (false, None);
        }
        let model = self.models.of(bodies, row, settings);
        let crack = model.and_then(|model| model.crack(load, &settings.crack()));
        self.times.add(start, |times| &mut times.decisions);
        let thickness = bodies.mean_thicknesses()[row];
        let cost = |length: f64| settings.toughness * thickness * length;
        let Some(crack) = crack.filter(|crack| cost(crack.length) <= energy) else {
            return (true, None);
        };
        let cascade = Cascade {
            settings,
            thickness,
            slit: self.slit(bodies, row),
            left: energy,
        };
        let whole = bodies.ice_of(row);
        let times = &mut self.times;
        let pieces = whole.and_then(|whole| cascade.run(&whole, load, &crack, times));
        let broken = self.broken_into(bodies, row, (pieces, load), settings.toughness);
        (true, broken)
    }

    /// Whether a criterion of another program, which knows no energy of cracks, is reached, and the pieces then.
    fn decide_by_peer(
        &mut self,
        bodies: &Bodies,
        row: usize,
        (touches, load): (&[Touch], &Load),
        settings: &FractureSettings,
    ) -> (bool, Option<Broken>) {
        let Some(whole) = bodies.ice_of(row) else {
            return (false, None);
        };
        let floe = PeerFloe {
            id: bodies.ids()[row].0.into(),
            whole: &whole,
            thickness: bodies.mean_thicknesses()[row],
            mass: bodies.masses()[row],
            load,
            impulses: &impulses_in(touches, CHORD_TIME),
            slit: self.slit(bodies, row),
            smallest_area: settings.smallest_area(),
        };
        if !floe.is_reached(settings.criterion) {
            return (false, None);
        }
        let pieces = floe.pieces(settings.criterion);
        (true, self.broken_into(bodies, row, (pieces, load), 0.0))
    }

    /// Width of the slit between pieces \[m\].
    fn slit(&self, bodies: &Bodies, row: usize) -> f64 {
        let own = bodies.collision_distances[row];
        SLIT * self.fixed_distance.unwrap_or(own)
    }

    /// A floe that broke into pieces, whose cracks cost this for a unit of surface [J/m²]. Where there are no pieces, that is counted.
    fn broken_into(
        &mut self,
        bodies: &Bodies,
        row: usize,
        (pieces, load): (Option<Pieces>, &Load),
        toughness: f64,
    ) -> Option<Broken> {
        self.report.refused += u64::from(pieces.is_none());
        let (pieces, length) = pieces?;
        Some(Broken {
            id: bodies.ids()[row],
            shape_version: bodies.shape_versions()[row],
            pieces,
            forces: breaking_forces(load),
            energy: toughness * bodies.mean_thicknesses()[row] * length,
            length,
        })
    }

    /// Ends a step, after floes were cut where they were crushed: decides which pressed floes break, and splits those that broke.
    /// Returns the energy of cracks of struck floes that could not be made, and the elastic energy that went into cracks of pressed floes \[J\].
    pub(crate) fn finish(&mut self, world: &mut World) -> [f64; 2] {
        let Some(settings) = self.settings else {
            return [0.0; 2];
        };
        let start = self.times.now();
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
        let strain = self.break_pressed(&world.bodies, &settings, &mut broken);
        let split_start = self.times.now();
        for own in &mut broken {
            match world.split(own.id, &own.pieces) {
                Ok(ids) => {
                    world.note_breaking_forces(std::mem::take(&mut own.forces));
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
        self.broken = broken;
        self.times.splits += self.times.since(split_start);
        self.times.total += self.times.since(start);
        [returned, strain]
    }

    /// Decides which pressed floes break; returns the energy of their cracks \[J\].
    fn break_pressed(
        &mut self,
        bodies: &Bodies,
        settings: &FractureSettings,
        broken: &mut Vec<Broken>,
    ) -> f64 {
        let mut strain = 0.0;
        let mut pressed = std::mem::take(&mut self.pressed);
        // The sums of one floe keep the order of the contacts.
        pressed.sort_by_key(|own| own.id);
        for own in pressed.chunk_by(|x, y| x.id == y.id) {
            let id = own[0].id;
            self.report.pressed += 1;
            let Some(row) = bodies.row_of(id) else {
                continue;
            };
            if broken.iter().any(|other| other.id == id) {
                continue;
            }
            let touches: Vec<Touch> = own.iter().map(|own| own.touch).collect();
            let floe = struck_floe(bodies, row, settings);
            let load = load_of_pressing(&touches, gathering_time(own), &floe, settings);
            let struck = (&touches[..], &load);
            let (has_strain, found) = self.decide(bodies, row, struck, f64::INFINITY, settings);
            self.report.pressed_with_strain += u64::from(has_strain);
            if let Some(found) = found {
                self.report.pressed_broken += 1;
                strain += found.energy;
                broken.push(found);
            }
        }
        pressed.clear();
        self.pressed = pressed;
        strain
    }
}

/// Time in which the sustained impulses on one floe were gathered in a step \[s\]: with local time stepping its islands may be solved several times.
fn gathering_time(pressed: &[Pressed]) -> f64 {
    let moments = pressed.chunk_by(|x, y| x.moment == y.moment);
    let longest = |own: &[Pressed]| own.iter().map(|own| own.touch.time).fold(0.0, f64::max);
    moments.map(longest).sum()
}
