//! Packs: floes that fill a piece of sea to a wanted concentration, with sizes that follow a power law.
//!
//! Two methods. With shapes from a library, the sea is shared out among the floes by a power diagram,
//! each floe takes a shape, and floes that overlap are moved apart. By tessellation, the cells of the
//! diagram themselves become floes: their corners are rounded and leads opened between them. Either way
//! the pack is checked by exact tests before it is given out, and the same request gives the same bits.
//!
//! ```
//! use banquise::pack::{GivenSizes, PackMethod, PackRequest, Region, ThicknessLaw, builtin_shapes, make_pack};
//! use banquise::Rectangle;
//! use banquise_geometry::DVec2;
//!
//! let sea = Rectangle { min: DVec2::ZERO, max: DVec2::new(1000.0, 1000.0) };
//! let pack = make_pack(
//!     &PackRequest {
//!         region: Region::periodic(sea)?,
//!         concentration: Some(0.7),
//!         // The smallest size follows from the other three and the concentration.
//!         sizes: GivenSizes {
//!             count: Some(60),
//!             max_size: Some(250.0),
//!             exponent: Some(1.5),
//!             ..GivenSizes::default()
//!         },
//!         method: PackMethod::Library(builtin_shapes()),
//!         gap: None,
//!         thickness: ThicknessLaw::Constant(1.0),
//!         seed: 1,
//!         given: vec![],
//!     },
//!     &mut |_, _| {},
//! )?;
//! assert_eq!(pack.floes.len(), 60);
//! assert!((pack.concentration - 0.7).abs() < 1e-9);
//! # Ok::<(), banquise::pack::PackError>(())
//! ```

mod cell;
mod check;
mod diagram;
mod discs;
mod error;
mod library;
mod place;

mod region;
mod settle;
mod shapes;
mod sheet;
mod sizes;
mod thickness;

use std::f64::consts::PI;

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, math, shapes_overlap};

use crate::diagnostics::sizes::{PowerLaw, fit_truncated_power_law};

pub use discs::{DiscRequest, ScatteredDisc, scatter_discs};
pub use error::{MAX_COUNT, PackError};
pub use region::Region;
pub use shapes::{BUILTIN_SHAPES, builtin_shapes};
pub use sizes::{GivenSizes, SizeLaw};
pub use thickness::{NORMAL_CUT, ThicknessLaw};

use library::Filling;
use settle::Piece;
use sheet::Sheet;
use sizes::Demand;

/// Gap over the smallest size, where none is given: about the distance at which floes are in contact.
const DEFAULT_GAP: f64 = 0.01;
/// Sides of the polygon that stands for a disc.
const DISC_SIDES: usize = 64;

/// Progress callback: the present task, and the share of it that is done.
pub type Watch<'a> = dyn FnMut(&'static str, f64) + 'a;

/// Source of the shapes of floes.
#[derive(Clone, Debug, PartialEq)]
pub enum PackMethod {
    /// Outlines of a library, scaled and turned; at least one.
    Library(Vec<Outline>),
    /// A sheet is cut into floes.
    Tessellation,
}

/// An existing body, around which the pack is made.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenBody {
    /// Its shape, in its own frame.
    pub shape: Shape,
    /// Where it is.
    pub pose: Pose,
    /// Whether it is ice: then it counts for the concentration, if its middle is in the region.
    pub is_floe: bool,
}

/// Request of a pack: region, concentration, sizes and method.
#[derive(Clone, Debug, PartialEq)]
pub struct PackRequest {
    /// Region that the floes fill.
    pub region: Region,
    /// Area of ice over that of the region [–]; may be left out if all of `sizes` is given.
    pub concentration: Option<f64>,
    /// Three quantities of the law of sizes, from which the fourth follows.
    pub sizes: GivenSizes,
    /// Source of the shapes of floes.
    pub method: PackMethod,
    /// Smallest distance between floes, and from floes to the border of a polygon \[m\]; one percent
    /// of the smallest size where it is not given.
    pub gap: Option<f64>,
    /// Law of thickness.
    pub thickness: ThicknessLaw,
    /// Seed of the random draws.
    pub seed: u64,
    /// Existing bodies, which new floes do not overlap.
    pub given: Vec<GivenBody>,
}

/// One floe of a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct PackFloe {
    /// Its outline, in place \[m\].
    pub outline: Outline,
    /// Its thickness \[m\].
    pub thickness: f64,
}

/// Work of placing the floes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacementEffort {
    /// Shapes that each floe could choose from; none by tessellation.
    pub choices: usize,
    /// Rounds of moving floes apart.
    pub rounds: usize,
}

/// A pack.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// The new floes, the largest first.
    pub floes: Vec<PackFloe>,
    /// The law that the sizes were drawn from.
    pub law: SizeLaw,
    /// Area of the ice over that of the region, given floes included [–].
    pub concentration: f64,
    /// Smallest distance asked for \[m\].
    pub gap: f64,
    /// Smallest distance found; ten times the one asked for if there is none so small \[m\].
    pub smallest_gap: f64,
    /// The law between the smallest and the largest size found that explains them best; none for floes
    /// of one size.
    pub fit: Option<PowerLaw>,
    /// Work of placing the floes.
    pub effort: PlacementEffort,
}

/// Makes a pack.
///
/// # Errors
/// When the request makes no sense or cannot be met.
pub fn make_pack(request: &PackRequest, watch: &mut Watch<'_>) -> Result<Pack, PackError> {
    let fixed = given_pieces(request)?;
    let given_area = given_ice(request);
    let wanted = wanted_area(request, given_area)?;
    let (region, seed, gap) = (&request.region, request.seed, request.gap);
    let (outlines, law, effort) = match &request.method {
        PackMethod::Library(outlines) => {
            let shapes = normalised(outlines)?;
            let fill = shapes.iter().map(Outline::area).sum::<f64>() / shapes.len() as f64;
            let demand = Demand::new(&request.sizes, wanted, fill)?;
            let fills = vec![fill; demand.count()];
            let law = demand.complete(&fills)?;
            check_room(region, &law)?;
            let ice = given_area + sizes::areas(&law, &fills).iter().sum::<f64>();
            let concentration = ice / region.area();
            let (demand, shapes, fixed) = (&demand, &shapes, &fixed);
            let filling = Filling {
                region,
                concentration,
                demand,
                shapes,
                gap,
                seed,
                fixed,
            };
            let filled = filling.fill(watch)?;
            (in_place(&filled.pieces)?, filled.law, filled.effort)
        }
        PackMethod::Tessellation => {
            if !fixed.is_empty() {
                return Err(PackError::SheetWithBodies);
            }
            let demand = &Demand::new(&request.sizes, wanted, sheet::CELL_FILL)?;
            check_room(
                region,
                &demand.complete(&vec![sheet::CELL_FILL; demand.count()])?,
            )?;
            let (outlines, law) = Sheet {
                region,
                demand,
                gap,
                seed,
            }
            .cut(watch)?;
            (outlines, law, PlacementEffort::default())
        }
    };
    watch("checking", 0.0);
    finish(request, law, outlines, effort, &fixed, given_area)
}

fn finish(
    request: &PackRequest,
    law: SizeLaw,
    outlines: Vec<Outline>,
    effort: PlacementEffort,
    fixed: &[Piece],
    given_area: f64,
) -> Result<Pack, PackError> {
    check_span(request, &outlines)?;
    let gap = gap_of(request.gap, &law);
    let fixed = in_place(fixed)?;
    let ice = given_area + outlines.iter().map(Outline::area).sum::<f64>();
    let concentration = ice / request.region.area();
    let smallest_gap = check::shortest_gap(&request.region, &outlines, &fixed, 10.0 * gap);
    // Vertices rounded into place may lose a last digit of their distance.
    let smallest_gap = smallest_gap
        .filter(|&found| found >= (1.0 - 1e-6) * gap)
        .ok_or(PackError::Jammed {
            floes: outlines.len(),
            concentration,
            stuck: 1,
            overlap: gap,
        })?;
    let sizes: Vec<f64> = outlines
        .iter()
        .map(Outline::mean_caliper_diameter)
        .collect();
    let floes = outlines
        .into_iter()
        .zip(&sizes)
        .enumerate()
        .map(|(index, (outline, &size))| PackFloe {
            outline,
            thickness: request.thickness.draw(request.seed, index, size),
        });
    Ok(Pack {
        floes: floes.collect(),
        law,
        concentration,
        gap,
        smallest_gap,
        fit: fit(&sizes),
        effort,
    })
}

/// Power law fitted by maximum likelihood, for which the ends of the law are those of the sample.
fn fit(sizes: &[f64]) -> Option<PowerLaw> {
    let smallest = sizes.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    fit_truncated_power_law(sizes, smallest, largest)
}

/// The area of ice that is missing \[m²\], if there is a concentration to be reached.
fn wanted_area(request: &PackRequest, given_area: f64) -> Result<Option<f64>, PackError> {
    let Some(concentration) = request.concentration else {
        return Ok(None);
    };
    let wanted = concentration * request.region.area() - given_area;
    if wanted <= 0.0 {
        return Err(PackError::AlreadyFull {
            given: given_area / request.region.area(),
            wanted: concentration,
        });
    }
    Ok(Some(wanted))
}

fn gap_of(given: Option<f64>, law: &SizeLaw) -> f64 {
    given.unwrap_or(DEFAULT_GAP * law.min_size)
}

/// Area over squared size.
fn fill_of(outline: &Outline) -> f64 {
    let size = outline.mean_caliper_diameter();
    outline.area() / (size * size)
}

/// Shapes of size 1 m about their centroids.
pub(crate) fn normalised(outlines: &[Outline]) -> Result<Vec<Outline>, PackError> {
    let normal = |outline: &Outline| {
        let centered = outline.translated(-outline.centroid())?;
        centered.scaled(1.0 / centered.mean_caliper_diameter())
    };
    let normal = |outline: &Outline| normal(outline).map_err(PackError::Floe);
    outlines.iter().map(normal).collect()
}

/// Checks that the largest floe fits into the widest part of the region.
fn check_room(region: &Region, law: &SizeLaw) -> Result<(), PackError> {
    let room = match region.period() {
        Some(period) => period.min_element(),
        None => region.widest_room(),
    };
    if law.max_size > room {
        return Err(PackError::TooLarge {
            size: law.max_size,
            room,
        });
    }
    Ok(())
}

/// Checks that no floe can touch its own periodic image.
fn check_span(request: &PackRequest, outlines: &[Outline]) -> Result<(), PackError> {
    let Some(period) = request.region.period() else {
        return Ok(());
    };
    let room = period.min_element();
    let span = |outline: &Outline| {
        let center = outline.centroid();
        let reach = outline
            .vertices()
            .iter()
            .map(|&vertex| vertex.distance(center));
        2.0 * reach.fold(0.0, f64::max)
    };
    let size = outlines.iter().map(span).fold(0.0, f64::max);
    if size < room {
        return Ok(());
    }
    Err(PackError::TooLarge { size, room })
}

/// The given bodies that reach into the region: no floe of it can touch the others.
fn given_pieces(request: &PackRequest) -> Result<Vec<Piece>, PackError> {
    let piece = |given: &GivenBody| {
        let (outline, center) = match &given.shape {
            Shape::Outline(outline) => {
                let center = outline.centroid();
                (outline.translated(-center)?, center)
            }
            // The polygon holds the disc.
            Shape::Disc(disc) => {
                let (_, cos) = math::sin_cos(PI / DISC_SIDES as f64);
                let radius = disc.radius() / cos;
                let polygon = Outline::regular_polygon(radius, DISC_SIDES)?;
                (polygon, disc.center())
            }
        };
        let pose = Pose {
            position: request.region.wrapped(given.pose.world_from_body(center)),
            rotation: given.pose.rotation,
        };
        Ok(Piece {
            outline,
            pose,
            is_free: false,
        })
    };
    let sea = Shape::Outline(request.region.outline().clone());
    let origin = Pose {
        position: DVec2::ZERO,
        rotation: Rotation::IDENTITY,
    };
    let inside = request.given.iter().filter(|given| {
        request.region.period().is_some() || shapes_overlap(&sea, origin, &given.shape, given.pose)
    });
    inside
        .map(|given| piece(given).map_err(PackError::Floe))
        .collect()
}

/// Area of the given floes whose middle is in the region \[m²\].
fn given_ice(request: &PackRequest) -> f64 {
    let inside = request.given.iter().filter(|given| {
        let middle = given.pose.world_from_body(given.shape.centroid());
        let middle = request.region.wrapped(middle);
        given.is_floe && request.region.outline().contains(middle)
    });
    inside.map(|given| given.shape.area()).sum()
}

fn in_place(pieces: &[Piece]) -> Result<Vec<Outline>, PackError> {
    let placed = |piece: &Piece| {
        let vertices: Vec<DVec2> = piece
            .outline
            .vertices()
            .iter()
            .map(|&vertex| piece.pose.world_from_body(vertex))
            .collect();
        Outline::from_ring(&vertices).map_err(PackError::Floe)
    };
    pieces.iter().map(placed).collect()
}
