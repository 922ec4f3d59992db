//! Packs cut from a sheet: a power diagram whose cells, less the leads between them and their corners,
//! have the areas wanted.

use std::f64::consts::PI;

use banquise_geometry::{DVec2, Outline};

use super::cell::Cell;
use super::diagram::Diagram;
use super::error::PackError;
use super::place::{Site, strew};
use super::region::Region;
use super::sizes::{Demand, SizeLaw, areas, bisect};
use super::{Watch, fill_of, gap_of};

/// Times the sites are moved to the middles of their cells, which makes cells compact.
const CENTRINGS: usize = 5;
/// Times leads are opened and the cells given the area that they cost.
const MAX_TURNS: usize = 40;
/// Turns after which floes that still have the wrong size get rounder cells.
const ROUNDER_CELLS_AFTER: usize = 4;
/// Largest difference from the size wanted, as a share of it.
const TOLERANCE: f64 = 0.02;
/// Share of its target that a cell may miss at first.
const CELL_TOLERANCE: f64 = 0.02;
/// Area of a rounded cell over its squared size, before it has been measured.
pub(super) const CELL_FILL: f64 = 0.72;
/// Radius of the corners over that of the floe.
const CORNER_RADIUS: f64 = 0.3;
/// Angle of one side of a rounded corner \[rad\]: floes have some 25 vertices.
const ARC: f64 = 0.4;

/// A floe cut from its cell.
struct Cut<'a> {
    cell: &'a Cell,
    /// Radius of the largest circle inside the cell \[m\].
    inner_radius: f64,
    rounding: f64,
}

/// A sheet of ice to be cut into floes.
pub(super) struct Sheet<'a> {
    pub(super) region: &'a Region,
    pub(super) demand: &'a Demand,
    pub(super) gap: Option<f64>,
    pub(super) seed: u64,
}

impl Sheet<'_> {
    /// The outlines of the floes, the largest first, and the law of their sizes.
    pub(super) fn cut(&self, watch: &mut Watch<'_>) -> Result<(Vec<Outline>, SizeLaw), PackError> {
        let mut fills = vec![CELL_FILL; self.demand.count()];
        let mut law = self.demand.complete(&fills)?;
        let mut wanted = areas(&law, &fills);
        let mut diagram = self.share_out(&wanted, watch);
        let mut targets = wanted.clone();
        let mut miss = f64::INFINITY;
        for turn in 0..MAX_TURNS {
            watch("opening leads", turn as f64 / MAX_TURNS as f64);
            diagram.fit_areas(self.region, &targets, 0.2 * TOLERANCE);
            let cuts = cuts(&diagram, &wanted);
            let width = half_lead(&cuts, wanted.iter().sum());
            let floes = cuts.iter().map(|cut| Outline::from_ring(&cut.ring(width)));
            let floes: Vec<Option<Outline>> = floes.map(Result::ok).collect();
            let misses: Vec<f64> = floes.iter().zip(law.sizes()).map(size_miss).collect();
            miss = misses.iter().copied().fold(0.0, f64::max);
            if miss < TOLERANCE {
                self.check_leads(width, &law, &wanted)?;
                return Ok((in_place(self.region, floes, &diagram.positions)?, law));
            }
            // The area of a floe of its size is known better now; what it lacks is added to its cell.
            for (fill, floe) in fills.iter_mut().zip(&floes) {
                *fill = floe.as_ref().map_or(*fill, fill_of);
            }
            law = self.demand.complete(&fills)?;
            wanted = areas(&law, &fills);
            for (k, target) in targets.iter_mut().enumerate() {
                let found = floes[k].as_ref().map_or(0.0, Outline::area);
                let cell = diagram.cells[k].area();
                *target = (cell + wanted[k] - found).max(0.5 * cell);
            }
            // Slivers at the border are too long for their area, whatever it is.
            if turn >= ROUNDER_CELLS_AFTER {
                diagram.centre_sites(self.region, |k| misses[k] > TOLERANCE);
            }
        }
        Err(PackError::NoSheet {
            floes: wanted.len(),
            miss,
        })
    }

    fn share_out(&self, areas: &[f64], watch: &mut Watch<'_>) -> Diagram {
        let site = |&area| Site {
            area,
            position: DVec2::ZERO,
            is_fixed: false,
        };
        let sites: Vec<Site> = areas.iter().map(site).collect();
        watch("strewing floes", 0.0);
        let places = strew(self.region, &sites, self.seed);
        let mut diagram = Diagram::new(self.region, places, areas);
        for turn in 0..CENTRINGS {
            watch("sharing out the sheet", turn as f64 / CENTRINGS as f64);
            diagram.fit_areas(self.region, areas, CELL_TOLERANCE);
            diagram.centre_sites(self.region, |_| true);
        }
        diagram
    }

    /// At the border of a polygon there is half a lead.
    fn check_leads(&self, width: f64, law: &SizeLaw, areas: &[f64]) -> Result<(), PackError> {
        let lead = if self.region.period().is_some() {
            2.0 * width
        } else {
            width
        };
        let gap = gap_of(self.gap, law);
        if lead >= gap {
            return Ok(());
        }
        Err(PackError::NarrowLeads {
            concentration: areas.iter().sum::<f64>() / self.region.area(),
            lead,
            gap,
        })
    }
}

/// Share by which a floe is larger or smaller than it shall be; one if it is gone.
fn size_miss((floe, size): (&Option<Outline>, f64)) -> f64 {
    let found = floe.as_ref().map_or(0.0, Outline::mean_caliper_diameter);
    (found / size - 1.0).abs()
}

fn in_place(
    region: &Region,
    floes: Vec<Option<Outline>>,
    sites: &[DVec2],
) -> Result<Vec<Outline>, PackError> {
    let placed = floes.into_iter().flatten().zip(sites);
    let placed = placed.map(|(floe, &site)| {
        // The middle of the floe is what lies in a periodic cell, not its site.
        let middle = floe.centroid();
        floe.translated(region.wrapped(site + middle) - middle)
    });
    placed.map(|floe| floe.map_err(PackError::Floe)).collect()
}

fn cuts<'a>(diagram: &'a Diagram, areas: &[f64]) -> Vec<Cut<'a>> {
    let pairs = diagram.cells.iter().zip(areas);
    pairs
        .map(|(cell, area)| Cut {
            cell,
            inner_radius: inner_radius(cell),
            rounding: CORNER_RADIUS * (area / PI).sqrt(),
        })
        .collect()
}

/// The width of half a lead at which the floes cover `total` \[m\].
fn half_lead(cuts: &[Cut<'_>], total: f64) -> f64 {
    let covers = |width: f64| cuts.iter().map(|cut| cut.area(width)).sum::<f64>();
    let widest = cuts.iter().map(|cut| cut.inner_radius).fold(0.0, f64::max);
    bisect([0.0, widest], |width| covers(width) > total)
}

fn inner_radius(cell: &Cell) -> f64 {
    let widest = (cell.area() / PI).sqrt();
    bisect([0.0, widest], |width| !cell.shrunk(width).is_empty())
}

impl Cut<'_> {
    /// The floe when half a lead is that wide; nothing if the lead takes it all.
    fn ring(&self, width: f64) -> Vec<DVec2> {
        // Small floes between wide leads have smaller corners.
        let rounding = self.rounding.min(0.7 * (self.inner_radius - width));
        if rounding <= 0.0 {
            return Vec::new();
        }
        self.cell.shrunk(width + rounding).grown(rounding, ARC)
    }

    fn area(&self, width: f64) -> f64 {
        let ring = self.ring(width);
        let cross = (0..ring.len()).map(|i| ring[i].perp_dot(ring[(i + 1) % ring.len()]));
        0.5 * cross.sum::<f64>()
    }
}
