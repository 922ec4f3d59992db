//! Outlines from files of other programs: JSON, GeoJSON, pictures.

use std::io;
use std::path::Path;

use banquise_geometry::{Aabb, DVec2, GeometryError, Outline, simplify};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::library::{LibraryError, ShapeLibrary};
use crate::floe_properties::FloeProperties;
use crate::floedyn::{FloeDynError, read_floedyn};
use crate::geography::{LocalFrame, LonLat};
use crate::geojson::{GeoJsonError, GeoPolygon, is_geojson, polygons_of};
use crate::image::{Image, ImageError, SegmentSettings, segment, trace};
use crate::scenario::{MAX_FILE_BYTES, read_bounded};

/// Pixels of rim to each vertex: fewer show the steps of the pixels.
const PIXELS_PER_VERTEX: f64 = 4.0;
/// Vertices of the smallest floe, if it has them.
const MIN_VERTICES: usize = 8;

/// Longest edge that is put on the plane as a straight line \[degrees\]: at 80° N it leaves its parallel by
/// half a metre.
const MAX_DEGREES: f64 = 0.1;

/// Kind of the coordinates of a GeoJSON file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinates {
    /// Metres, or that many of them given as the unit.
    Metres,
    /// Degrees of longitude and latitude, put on the plane of this frame; without one, on a plane that
    /// touches the Earth in the middle of the file.
    Degrees(Option<LocalFrame>),
}

/// Settings of an import.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ImportSettings {
    /// Metres in a pixel, or in a unit of the coordinates; a picture needs it.
    pub unit: Option<f64>,
    /// Kind of the coordinates of GeoJSON; `None` where the numbers can tell.
    pub coordinates: Option<Coordinates>,
    /// Whether a picture is a mask: its values are the numbers of floes. A grey picture of 16 bits
    /// always is.
    pub is_labels: bool,
    /// How floes are found in a picture.
    pub segment: SegmentSettings,
    /// Whether floes cut by the edge of a picture are left out.
    pub only_whole: bool,
}

/// The outlines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// In place \[m\].
    pub outlines: Vec<Outline>,
    /// Length below which the outlines mean nothing \[m\]: that of a pixel; zero where there is none.
    pub resolution: f64,
    /// What a GeoJSON file says of each outline; empty for other files.
    pub properties: Vec<FloeProperties>,
    /// Notes for the user on what was left out and what was found.
    pub notes: Vec<String>,
}

impl Imported {
    /// The outlines with at most that many vertices each, nor more than their pixels can tell; areas are
    /// kept. See [`banquise_geometry::simplify`].
    pub fn simplified(&self, max_vertices: usize) -> Vec<Outline> {
        simplify(&self.outlines, |outline| {
            let told = outline.perimeter() / (PIXELS_PER_VERTEX * self.resolution);
            max_vertices.min((told as usize).max(MIN_VERTICES))
        })
    }
}

/// Error of a file without usable outlines.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] io::Error),
    /// More bytes than any use needs.
    #[error("it is larger than {} MiB", MAX_FILE_BYTES >> 20)]
    TooLarge,
    /// Neither a picture nor text.
    #[error("it is neither a PNG picture nor JSON text")]
    Unknown,
    /// An HDF5 file that FloeDyn would not read.
    #[error("{0}")]
    FloeDyn(#[from] FloeDynError),
    /// A picture that cannot be used.
    #[error("{0}")]
    Image(#[from] ImageError),
    /// A GeoJSON file that cannot be used.
    #[error("{0}")]
    GeoJson(#[from] GeoJsonError),
    /// Another JSON file that cannot be used.
    #[error("{0}")]
    Library(#[from] LibraryError),
    /// A ring that is no outline.
    #[error("feature {feature}: {source}")]
    Ring {
        /// The feature, counted from 0.
        feature: usize,
        /// The cause.
        source: GeometryError,
    },
    /// A picture whose pixels have no size.
    #[error("nothing tells how large a pixel is")]
    PixelSize,
    /// Numbers that may be degrees or metres.
    #[error("its coordinates could be degrees or metres")]
    Ambiguous,
    /// A latitude beyond a pole, or a longitude beyond a turn.
    #[error("feature {feature}: {point} is no longitude and latitude")]
    NotOnEarth {
        /// The feature, counted from 0.
        feature: usize,
        /// The point.
        point: DVec2,
    },
}

impl ImportError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(_) => "check the path and its permissions",
            Self::TooLarge => "simplify it, or split it",
            Self::Unknown => {
                "give a shape library, GeoJSON, or a PNG picture; others convert with \
                 `gdal_translate -of PNG`"
            }
            Self::FloeDyn(error) => error.hint(),
            Self::Image(error) => error.hint(),
            Self::GeoJson(error) => error.hint(),
            Self::Library(error) => error.hint(),
            Self::Ring { source, .. } => source.hint(),
            Self::PixelSize => "give the length of a pixel as `unit`, like \"250 m\"",
            Self::Ambiguous => "say `coordinates`: \"degrees\" or \"metres\"",
            Self::NotOnEarth { .. } => {
                "GeoJSON puts longitude first; for metres say so in `coordinates`"
            }
        }
    }
}

/// Reads the outlines of a file, of whatever kind.
///
/// # Errors
/// When the file cannot be read, is of an unknown kind, or has no usable outline.
pub fn import(path: &Path, settings: &ImportSettings) -> Result<Imported, ImportError> {
    let bytes = read_bounded(path)?.ok_or(ImportError::TooLarge)?;
    import_bytes(&bytes, settings)
}

/// Reads the outlines in the bytes of a file.
///
/// # Errors
/// When they are of an unknown kind, or have no usable outline.
pub fn import_bytes(bytes: &[u8], settings: &ImportSettings) -> Result<Imported, ImportError> {
    if bytes.starts_with(b"\x89PNG") {
        return import_picture(bytes, settings);
    }
    if bytes.starts_with(b"\x89HDF") {
        let floes = read_floedyn(bytes.to_vec(), 0)?;
        return Ok(Imported {
            outlines: floes.into_iter().map(|floe| floe.outline).collect(),
            resolution: 0.0,
            properties: Vec::new(),
            notes: Vec::new(),
        });
    }
    let is_text =
        bytes.trim_ascii_start().starts_with(b"{") || bytes.trim_ascii_start().starts_with(b"[");
    if !is_text {
        return Err(ImportError::Unknown);
    }
    let root: Value = serde_json::from_slice(bytes).map_err(LibraryError::Json)?;
    if is_geojson(&root) {
        return import_polygons(&polygons_of(&root)?, settings);
    }
    let outlines = library_outlines(root)?;
    let unit = settings.unit.unwrap_or(1.0);
    let scaled = |(index, outline): (usize, Outline)| {
        let scaled = outline.scaled(unit);
        scaled.map_err(|source| LibraryError::Outline { index, source })
    };
    let outlines = outlines.into_iter().enumerate().map(scaled);
    Ok(Imported {
        outlines: outlines.collect::<Result<_, _>>()?,
        resolution: 0.0,
        properties: Vec::new(),
        notes: Vec::new(),
    })
}

/// `{"floes": [{"vertices": …}]}`, as other floe programs write.
#[derive(Deserialize)]
struct FloesFile {
    floes: Vec<FloeEntry>,
}

#[derive(Deserialize)]
struct FloeEntry {
    vertices: Vec<[f64; 2]>,
}

/// A library, its bare list of outlines, or a list of floes with vertices.
fn library_outlines(root: Value) -> Result<Vec<Outline>, LibraryError> {
    let rings = if root.get("floes").is_some() {
        let file: FloesFile = serde_json::from_value(root)?;
        file.floes.into_iter().map(|floe| floe.vertices).collect()
    } else if root.is_array() {
        serde_json::from_value(root)?
    } else {
        return Ok(ShapeLibrary::from_json(&root.to_string())?.outlines);
    };
    let rings: Vec<Vec<[f64; 2]>> = rings;
    if rings.is_empty() {
        return Err(LibraryError::Empty);
    }
    let outline = |(index, ring): (usize, Vec<[f64; 2]>)| {
        let ring: Vec<DVec2> = ring.into_iter().map(DVec2::from).collect();
        Outline::from_ring(&ring).map_err(|source| LibraryError::Outline { index, source })
    };
    rings.into_iter().enumerate().map(outline).collect()
}

fn import_polygons(
    polygons: &[GeoPolygon],
    settings: &ImportSettings,
) -> Result<Imported, ImportError> {
    let points = || {
        polygons
            .iter()
            .flat_map(|polygon| polygon.ring.iter().copied())
    };
    let may_be_degrees = points().all(is_on_earth);
    let coordinates = match settings.coordinates {
        Some(coordinates) => coordinates,
        None if may_be_degrees => return Err(ImportError::Ambiguous),
        None => Coordinates::Metres,
    };
    let mut notes = Vec::new();
    let to_metres: Box<dyn Fn(DVec2) -> DVec2> = match coordinates {
        Coordinates::Metres => {
            let unit = settings.unit.unwrap_or(1.0);
            Box::new(move |point| unit * point)
        }
        Coordinates::Degrees(frame) => {
            let frame = frame.unwrap_or_else(|| {
                let middle = Aabb::of_points(points()).center();
                notes.push(format!(
                    "x = y = 0 is at {:.4} E, {:.4} N",
                    middle.x, middle.y
                ));
                LocalFrame::new(LonLat::from_degrees(middle.x, middle.y))
            });
            Box::new(move |point| frame.to_plane(LonLat::from_degrees(point.x, point.y)))
        }
    };
    let mut outlines = Vec::new();
    for GeoPolygon { feature, ring, .. } in polygons {
        let feature = *feature;
        let stray = ring.iter().find(|&&point| !is_on_earth(point));
        if let (Coordinates::Degrees(_), Some(&point)) = (coordinates, stray) {
            return Err(ImportError::NotOnEarth { feature, point });
        }
        let fine = match coordinates {
            Coordinates::Metres => ring.clone(),
            Coordinates::Degrees(_) => with_short_edges(ring),
        };
        let ring: Vec<DVec2> = fine.into_iter().map(&to_metres).collect();
        let outline = Outline::from_ring(&ring);
        outlines.push(outline.map_err(|source| ImportError::Ring { feature, source })?);
    }
    let properties = polygons.iter().map(|polygon| polygon.properties.clone());
    Ok(Imported {
        outlines,
        resolution: 0.0,
        properties: properties.collect(),
        notes,
    })
}

/// The ring with points added on edges longer than [`MAX_DEGREES`]: an edge along a parallel, where land
/// was cut, is not straight in the plane.
fn with_short_edges(ring: &[DVec2]) -> Vec<DVec2> {
    let mut fine = Vec::with_capacity(ring.len());
    for (index, &from) in ring.iter().enumerate() {
        let way = ring[(index + 1) % ring.len()] - from;
        let pieces = (way.abs().max_element() / MAX_DEGREES).ceil().max(1.0);
        // A longitude is at most a turn either way.
        let count = pieces.min(720.0 / MAX_DEGREES) as u32;
        fine.extend((0..count).map(|k| from + f64::from(k) / f64::from(count) * way));
    }
    fine
}

fn is_on_earth(point: DVec2) -> bool {
    point.x.abs() <= 360.0 && point.y.abs() <= 90.0
}

fn import_picture(bytes: &[u8], settings: &ImportSettings) -> Result<Imported, ImportError> {
    let image = Image::from_png(bytes)?;
    let pixel_size = settings.unit.ok_or(ImportError::PixelSize)?;
    let mut notes = Vec::new();
    let (labels, min_pixels) = if settings.is_labels || image.is_surely_labels() {
        (image.labels()?, 1)
    } else {
        let found = segment(&image.brightness(), &settings.segment)?;
        notes.push(format!("ice is brighter than {} of 255", found.threshold));
        (found.labels, settings.segment.min_pixels)
    };
    let tracing = trace(&labels, pixel_size, min_pixels)?;
    for (count, what) in [
        (
            tracing.stray_pixels,
            "pixels left out: away from the rest of their label",
        ),
        (tracing.too_small, "floes left out: too small"),
        (tracing.enclosed, "floes left out: inside another one"),
    ] {
        if count > 0 {
            notes.push(format!("{count} {what}"));
        }
    }
    let (whole, cut): (Vec<_>, Vec<_>) = tracing.floes.into_iter().partition(|floe| !floe.is_cut);
    let floes = if settings.only_whole {
        notes.push(format!(
            "{} floes left out: cut by the edge of the picture",
            cut.len()
        ));
        if whole.is_empty() {
            return Err(ImageError::NoFloe.into());
        }
        whole
    } else {
        let mut floes = [whole, cut].concat();
        floes.sort_by_key(|floe| floe.label);
        floes
    };
    Ok(Imported {
        outlines: floes.into_iter().map(|floe| floe.outline).collect(),
        resolution: pixel_size,
        properties: Vec::new(),
        notes,
    })
}
