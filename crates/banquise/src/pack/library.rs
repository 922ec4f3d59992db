//! Packs of shapes from a library: places, then shapes, then floes are pushed apart until none overlap.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Outline, Pose, Rotation};
use rayon::prelude::*;

use super::cell::Cell;
use super::diagram::Diagram;
use super::error::PackError;
use super::place::{Site, strew};
use super::region::Region;
use super::settle::{Piece, Settling, Trouble};
use super::sizes::{Demand, SizeLaw, areas};
use super::{PlacementEffort, Watch, gap_of};
use crate::random::{Purpose, Stream};

/// Headings tried for each shape.
const HEADINGS: u32 = 24;
/// Rounds of settling before other shapes are tried.
const MAX_ROUNDS: usize = 1500;
/// Times the sites are moved to the middles of their cells.
const CENTRINGS: usize = 6;
/// Share of its target that a cell may miss.
const CELL_TOLERANCE: f64 = 0.02;
/// Up to this concentration random places will do.
const SPARSE: f64 = 0.6;
/// Beyond this concentration floes choose their shapes.
const DENSE: f64 = 0.82;
/// How many shapes each floe may choose from, attempt by attempt.
const CHOICES: [usize; 4] = [1, 4, 16, usize::MAX];

/// Region, shapes and law of sizes of a pack to be filled.
pub(super) struct Filling<'a> {
    pub(super) region: &'a Region,
    pub(super) concentration: f64,
    pub(super) demand: &'a Demand,
    /// Shapes of size 1 m about their centroids.
    pub(super) shapes: &'a [Outline],
    pub(super) gap: Option<f64>,
    pub(super) seed: u64,
    /// Bodies that stay where they are.
    pub(super) fixed: &'a [Piece],
}

/// Floes in their places, with the law of their sizes.
pub(super) struct Filled {
    pub(super) pieces: Vec<Piece>,
    pub(super) law: SizeLaw,
    pub(super) effort: PlacementEffort,
}

/// Failure of an attempt: final, or floes are stuck and another attempt may succeed.
enum Failed {
    Refused(PackError),
    Stuck(Trouble),
}

/// Shape and heading chosen for a place.
#[derive(Clone, Copy)]
struct Choice {
    shape: usize,
    pose: Pose,
}

impl Filling<'_> {
    /// Places all floes; where they get stuck, they may choose from more shapes in the next attempt.
    pub(super) fn fill(&self, watch: &mut Watch<'_>) -> Result<Filled, PackError> {
        let drawn: Vec<usize> = (0..self.demand.count())
            .map(|index| self.shape(index, 0))
            .collect();
        let law = self.demand.complete(&self.fills(&drawn))?;
        let sites = self.sites(&areas(&law, &self.fills(&drawn)));
        let fixed = sites.len() - drawn.len();
        watch("strewing floes", 0.0);
        let strewn = strew(self.region, &sites, self.seed);
        if self.concentration <= SPARSE {
            let choice = |(index, &position)| Choice {
                shape: drawn[index],
                pose: Pose {
                    position,
                    rotation: Rotation::from_angle(self.heading(index, 0)),
                },
            };
            let choices = strewn[fixed..].iter().enumerate().map(choice).collect();
            match self.settle(choices, 1, watch) {
                Err(Failed::Stuck(_)) => {}
                Err(Failed::Refused(error)) => return Err(error),
                Ok(filled) => return Ok(filled),
            }
        }
        let diagram = self.share_out(&sites, strewn, watch);
        self.attempt(&diagram, &law.sizes(), watch)
    }

    fn attempt(
        &self,
        diagram: &Diagram,
        sizes: &[f64],
        watch: &mut Watch<'_>,
    ) -> Result<Filled, PackError> {
        let fixed = diagram.cells.len() - sizes.len();
        let mut stuck = Trouble::default();
        for allowed in CHOICES {
            let allowed = allowed.min(self.shapes.len());
            if allowed == 1 && self.concentration > DENSE && self.shapes.len() > 1 {
                continue;
            }
            watch("choosing shapes", 0.0);
            let choose = |index: usize| {
                let choice =
                    self.choose(&diagram.cells[fixed + index], index, sizes[index], allowed);
                let pose = Pose {
                    position: diagram.positions[fixed + index] + choice.pose.position,
                    ..choice.pose
                };
                Choice { pose, ..choice }
            };
            let choices = (0..sizes.len()).into_par_iter().map(choose).collect();
            match self.settle(choices, allowed, watch) {
                Err(Failed::Stuck(trouble)) => stuck = trouble,
                Err(Failed::Refused(error)) => return Err(error),
                Ok(filled) => return Ok(filled),
            }
            if allowed == self.shapes.len() {
                break;
            }
        }
        Err(PackError::Jammed {
            floes: sizes.len(),
            concentration: self.concentration,
            stuck: stuck.count,
            overlap: stuck.worst,
        })
    }

    /// Fixed bodies inside the region first, then the floes to be placed.
    fn sites(&self, areas: &[f64]) -> Vec<Site> {
        let fixed = self.fixed.iter().map(|piece| Site {
            area: piece.outline.area(),
            position: self.region.wrapped(piece.pose.position),
            is_fixed: true,
        });
        let floes = areas.iter().map(|&area| Site {
            area,
            position: DVec2::ZERO,
            is_fixed: false,
        });
        fixed
            .filter(|site| self.region.outline().contains(site.position))
            .chain(floes)
            .collect()
    }

    /// Cells in proportion to the floes.
    fn share_out(&self, sites: &[Site], strewn: Vec<DVec2>, watch: &mut Watch<'_>) -> Diagram {
        let fixed = sites.iter().filter(|site| site.is_fixed).count();
        let targets: Vec<f64> = sites.iter().map(|site| site.area).collect();
        let mut diagram = Diagram::new(self.region, strewn, &targets);
        for turn in 0..CENTRINGS {
            watch("sharing out the room", turn as f64 / CENTRINGS as f64);
            diagram.fit_areas(self.region, &targets, CELL_TOLERANCE);
            diagram.centre_sites(self.region, |index| index >= fixed);
        }
        diagram.fit_areas(self.region, &targets, CELL_TOLERANCE);
        diagram
    }

    /// The shape a floe draws.
    fn shape(&self, index: usize, draw: usize) -> usize {
        let stream = Stream::new(self.seed, Purpose::Shape);
        stream.index(self.shapes.len(), index as u64, draw as u64)
    }

    fn heading(&self, index: usize, draw: usize) -> f64 {
        Stream::new(self.seed, Purpose::Heading).between(0.0, TAU, index as u64, draw as u64)
    }

    /// Area of each floe over its squared size.
    fn fills(&self, shapes: &[usize]) -> Vec<f64> {
        shapes
            .iter()
            .map(|&shape| self.shapes[shape].area())
            .collect()
    }

    /// The shape and heading, among some, that stick out of the cell least.
    fn choose(&self, cell: &Cell, index: usize, size: f64, allowed: usize) -> Choice {
        let position = cell.centroid();
        let mut best = (f64::INFINITY, 0, Rotation::IDENTITY);
        for draw in 0..allowed {
            // All of them, or a few at random.
            let shape = if allowed == self.shapes.len() {
                draw
            } else {
                self.shape(index, draw)
            };
            let start = self.heading(index, draw);
            for k in 0..HEADINGS {
                let rotation =
                    Rotation::from_angle(start + TAU * f64::from(k) / f64::from(HEADINGS));
                let excess = |&vertex: &DVec2| {
                    let out = cell.excess(position + size * rotation.rotate(vertex));
                    out * out
                };
                let score = self.shapes[shape].vertices().iter().map(excess).sum();
                if score < best.0 {
                    best = (score, shape, rotation);
                }
            }
        }
        let (_, shape, rotation) = best;
        Choice {
            shape,
            pose: Pose { position, rotation },
        }
    }

    fn settle(
        &self,
        choices: Vec<Choice>,
        allowed: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Filled, Failed> {
        let shapes: Vec<usize> = choices.iter().map(|choice| choice.shape).collect();
        let law = self
            .demand
            .complete(&self.fills(&shapes))
            .map_err(Failed::Refused)?;
        let mut pieces = self.fixed.to_vec();
        for (choice, size) in choices.into_iter().zip(law.sizes()) {
            let outline = self.shapes[choice.shape].scaled(size);
            let outline = outline.map_err(|error| Failed::Refused(PackError::Floe(error)))?;
            pieces.push(Piece {
                outline,
                pose: choice.pose,
                is_free: true,
            });
        }
        let mut settling = Settling::new(self.region, gap_of(self.gap, &law), pieces);
        let mut first = 0;
        for rounds in 1..=MAX_ROUNDS {
            let trouble = settling.round();
            if trouble.count == 0 && settling.trouble().count == 0 && settling.uncross() == 0 {
                let pieces = settling.pieces.split_off(self.fixed.len());
                let effort = PlacementEffort {
                    choices: allowed,
                    rounds,
                };
                return Ok(Filled {
                    pieces,
                    law,
                    effort,
                });
            }
            first = first.max(trouble.count).max(1);
            watch(
                "moving floes apart",
                1.0 - trouble.count as f64 / first as f64,
            );
        }
        let mut trouble = settling.trouble();
        if trouble.count == 0 {
            trouble.count = settling.uncross();
        }
        Err(Failed::Stuck(trouble))
    }
}
