//! The `[pack]` table: floes to be made to fill a piece of sea, or read from a file.

use std::path::Path;

use banquise::pack::{
    GivenSizes, MAX_COUNT, NORMAL_CUT, PackError, PackFloe, PackMethod, PackRequest, Region,
    ThicknessLaw,
};
use banquise::{Bounds, Domain, Material, Rectangle};
use banquise_geometry::{DVec2, Outline, Shape};

use super::body_list::{BodyList, check_count};
use super::files;
use super::shape::decode_outline;
use crate::pack_file::{PackFile, PackFileError};
use crate::scenario::{Dimension, Field, Problem, ProblemKind, Problems, Span, TableReader, Value};
use crate::shapes::{LibraryError, ShapeLibrary};

/// Sides of the polygons that `shapes = "discs"` gives (Rabatel 2015, section 3.2.2).
const DISC_SIDES: usize = 32;
/// Keys that describe a pack to be made.
const REQUEST_KEYS: [&str; 11] = [
    "concentration",
    "count",
    "min_size",
    "max_size",
    "exponent",
    "method",
    "shapes",
    "gap",
    "region",
    "seed",
    "tiles",
];

/// The `[pack]` table: floes to be added to the bodies.
#[derive(Debug)]
pub(super) struct PackTable {
    pub(super) floes: PackSource,
    /// \[m/s\].
    pub(super) velocity: [f64; 2],
    pub(super) material: Material,
    pub(super) span: Span,
}

/// Source of the floes of a pack.
#[derive(Debug)]
pub(super) enum PackSource {
    /// Floes in a file.
    File(Vec<PackFloe>),
    /// Floes to be made, for one tile, round the bodies that will be there.
    Request {
        request: Box<PackRequest>,
        /// Columns and rows of tiles.
        tiles: [usize; 2],
    },
}

/// Reads what the pack shall be, if there is one: nothing is made. What is wrong is reported.
pub(super) fn decode(
    root: &TableReader<'_>,
    bodies: &BodyList,
    seed: u64,
    folder: &Path,
) -> Result<Option<PackTable>, ()> {
    let field = root.optional("pack");
    if !field.is_present() {
        return Ok(None);
    }
    let table = field.table().ok_or(())?;
    let (span, problems) = (table.span(), table.problems());
    let velocity = table
        .optional("velocity")
        .vector(Dimension::Speed)
        .or([0.0, 0.0]);
    let floes = if table.optional("file").is_present() {
        let floes = decode_file(&table, folder);
        table.finish();
        let floes = floes.ok_or(())?;
        check_count(bodies.bodies.len() + floes.len(), span, problems).ok_or(())?;
        PackSource::File(floes)
    } else {
        let tiles = decode_tiles(&table, bodies);
        let request = tiles.and_then(|tiles| decode_request(&table, bodies, seed, tiles, folder));
        table.finish();
        PackSource::Request {
            request: Box::new(request.ok_or(())?),
            tiles: tiles.ok_or(())?,
        }
    };
    Ok(Some(PackTable {
        floes,
        velocity,
        material: bodies.defaults.material,
        span,
    }))
}

pub(super) fn rejected(error: PackError, span: Span) -> Problem {
    let kind = ProblemKind::Rejected {
        what: "the pack",
        hint: Some(error.hint().to_owned()),
        source: error.into(),
    };
    Problem::new(kind, span)
}

/// `tiles = { columns = 10, rows = 10 }`: a periodic pack is made for one tile and laid side by side.
fn decode_tiles(table: &TableReader<'_>, bodies: &BodyList) -> Option<[usize; 2]> {
    let field = table.optional("tiles");
    if !field.is_present() {
        return Some([1, 1]);
    }
    table.exclusive("tiles", "region");
    let is_whole = matches!(bodies.domain, Domain::Periodic(_)) && bodies.bodies.is_empty();
    if !is_whole {
        field.report(ProblemKind::OutOfRange {
            key: field.key_path(),
            value: "tiles".into(),
            requirement: "for a pack that is alone in a periodic domain",
        });
    }
    let tiles = field.table()?;
    let count = |key| {
        let field = tiles.required_like(key, "`columns = 10` and `rows = 10`");
        let count = field.integer();
        count
            .check("from 1 to 1000", |count| (1..=1000).contains(count))
            .get()
    };
    let (columns, rows) = (count("columns"), count("rows"));
    tiles.finish();
    is_whole.then_some([columns? as usize, rows? as usize])
}

/// One tile of a periodic domain.
pub(super) fn tile_of(domain: Domain, [columns, rows]: [usize; 2]) -> Domain {
    let Domain::Periodic(cell) = domain else {
        return domain;
    };
    Domain::Periodic(Rectangle {
        min: cell.min,
        max: cell.min + cell.size() / DVec2::new(columns as f64, rows as f64),
    })
}

fn decode_file(table: &TableReader<'_>, folder: &Path) -> Option<Vec<PackFloe>> {
    for key in REQUEST_KEYS {
        table.exclusive("file", key);
    }
    table.exclusive("file", "thickness");
    let file = table.optional("file").path().spanned()?;
    let path = folder.join(&file.value);
    files::read(
        &file,
        folder,
        table.problems(),
        |path| match PackFile::read(path) {
            Err(PackFileError::File(error)) => Err(error),
            other => Ok(other),
        },
    )?
    .map(|pack| pack.floes)
    .map_err(|error| {
        let kind = ProblemKind::FileRejected {
            path: path.display().to_string(),
            hint: error.hint(),
            source: error.into(),
        };
        table.problems().push(Problem::new(kind, file.span));
    })
    .ok()
}

fn decode_request(
    table: &TableReader<'_>,
    bodies: &BodyList,
    seed: u64,
    tiles: [usize; 2],
    folder: &Path,
) -> Option<PackRequest> {
    let concentration = table
        .optional("concentration")
        .number()
        .check("between 0 and 1", |share| *share > 0.0 && *share < 1.0)
        .get();
    let sizes = decode_sizes(table);
    let own_seed = table.optional("seed").integer().non_negative();
    let seed = own_seed.get().map_or(seed, |seed| seed as u64);
    let gap = table
        .optional("gap")
        .quantity(Dimension::Length)
        .positive()
        .get();
    let method = decode_method(table, folder);
    let region = decode_region(table, tile_of(bodies.domain, tiles));
    let thickness = decode_thickness(table, bodies.defaults.thickness);
    Some(PackRequest {
        region: region?,
        concentration,
        sizes,
        method: method?,
        gap,
        thickness: thickness?,
        seed,
        // The bodies around which it is made are known when these are in their places.
        given: Vec::new(),
    })
}

fn decode_sizes(table: &TableReader<'_>) -> GivenSizes {
    let size = |key| table.optional(key).quantity(Dimension::Length).positive();
    let count = table
        .optional("count")
        .integer()
        .check("from 1 to 20000", |count| {
            (1..=MAX_COUNT as i64).contains(count)
        });
    let min_size = size("min_size").get();
    let max_size = size("max_size").check("larger than `min_size`", |&max| {
        min_size.is_none_or(|min| min < max)
    });
    let exponent = table.optional("exponent").number();
    GivenSizes {
        count: count.get().map(|count| count as usize),
        min_size,
        max_size: max_size.get(),
        exponent: exponent
            .check("between 0 and 10", |e| *e > 0.0 && *e <= 10.0)
            .get(),
    }
}

fn decode_method(table: &TableReader<'_>, folder: &Path) -> Option<PackMethod> {
    let is_sheet = table
        .optional("method")
        .choice(&[("library", false), ("tessellation", true)])
        .or(false);
    if is_sheet {
        table.exclusive("method", "shapes");
        return Some(PackMethod::Tessellation);
    }
    decode_shapes(table, folder).map(PackMethod::Library)
}

/// The outlines to choose from: `"builtin"`, `"discs"`, or a file.
pub(super) fn decode_shapes(table: &TableReader<'_>, folder: &Path) -> Option<Vec<Outline>> {
    let field = table.optional("shapes");
    let word = match field.node().map(|node| &node.value) {
        None => "builtin",
        Some(Value::Text { text, .. }) => text,
        // Wrong types are reported below.
        Some(_) => "",
    };
    match word {
        "builtin" => Some(ShapeLibrary::builtin().outlines),
        "discs" => {
            let disc = Outline::regular_polygon(1.0, DISC_SIDES);
            Some(vec![disc.expect("a regular polygon")])
        }
        _ => decode_library(field, table.problems(), folder),
    }
}

fn decode_library(field: Field<'_>, problems: &Problems, folder: &Path) -> Option<Vec<Outline>> {
    let file = field.path().spanned()?;
    let path = folder.join(&file.value);
    let library = files::read(&file, folder, problems, |path| {
        match ShapeLibrary::read(path) {
            Err(LibraryError::File(error)) => Err(error),
            other => Ok(other),
        }
    })?;
    match library {
        Ok(library) => Some(library.outlines),
        Err(error) => {
            let kind = ProblemKind::FileRejected {
                path: path.display().to_string(),
                hint: error.hint(),
                source: error.into(),
            };
            problems.push(Problem::new(kind, file.span));
            None
        }
    }
}

/// The polygon or rectangle given, or else the domain.
fn decode_region(table: &TableReader<'_>, domain: Domain) -> Option<Region> {
    let field = table.optional("region");
    let (span, problems) = (table.span(), table.problems());
    let region = match field.node().map(|node| &node.value) {
        None => match domain {
            Domain::Bounded(Bounds { rectangle, .. }) => Region::rectangle(rectangle),
            Domain::Periodic(cell) => Region::periodic(cell),
            Domain::Free => {
                let kind = ProblemKind::MissingKey {
                    table: table.path().to_owned(),
                    key: "region",
                };
                let hint = "add `region = { size = [\"1 km\", \"1 km\"] }` or `region = { unit = \"m\", \
                            points = [[0, 0], …] }`, or a `[domain]` with edges";
                problems.push(Problem::new(kind, span).with_hint(hint.to_owned()));
                return None;
            }
        },
        Some(_) => {
            let given = field.clone().table()?;
            if given.has("size") {
                Region::rectangle(decode_rectangle(given)?)
            } else if let Shape::Outline(outline) = decode_outline(field)? {
                Ok(Region::polygon(outline))
            } else {
                return None;
            }
        }
    };
    region
        .map_err(|error| problems.push(rejected(error, span)))
        .ok()
}

pub(super) fn decode_rectangle(table: TableReader<'_>) -> Option<Rectangle> {
    let corner = table
        .optional("corner")
        .vector(Dimension::Length)
        .or([0.0, 0.0]);
    let size = table
        .optional("size")
        .vector(Dimension::Length)
        .check("two positive lengths", |size| {
            size.iter().all(|&side| side > 0.0)
        })
        .get();
    table.finish();
    let min = DVec2::from(corner);
    Some(Rectangle {
        min,
        max: min + DVec2::from(size?),
    })
}

/// One thickness, a range, a normal law, a table by size or one of shares; that of `[ice]` where none is given.
pub(super) fn decode_thickness(
    table: &TableReader<'_>,
    default: Option<f64>,
) -> Option<ThicknessLaw> {
    let field = table.optional("thickness");
    if !field.is_present() {
        if default.is_none() {
            let kind = ProblemKind::MissingKey {
                table: table.path().to_owned(),
                key: "thickness",
            };
            let hint = "give `thickness` here or in `[ice]`";
            let problem = Problem::new(kind, table.span()).with_hint(hint.to_owned());
            table.problems().push(problem);
        }
        return default.map(ThicknessLaw::Constant);
    }
    if !matches!(field.node().map(|node| &node.value), Some(Value::Table(_))) {
        let thickness = field.quantity(Dimension::Length).positive().get();
        return thickness.map(ThicknessLaw::Constant);
    }
    let law = field.table()?;
    let length = |table: &TableReader<'_>, key, example| {
        let field = table.required_like(key, example);
        field.quantity(Dimension::Length).positive().get()
    };
    if law.has("from") || law.has("to") {
        let from = length(&law, "from", "`from = \"0.25 m\"`");
        let to = length(&law, "to", "`to = \"0.38 m\"`");
        law.finish();
        return Some(ThicknessLaw::Uniform {
            from: from?,
            to: to?,
        });
    }
    if law.has("mean") || law.has("deviation") {
        let mean = length(&law, "mean", "`mean = \"0.3 m\"`");
        let deviation = law
            .required_like("deviation", "`deviation = \"2 cm\"`")
            .quantity(Dimension::Length)
            .positive()
            .check("less than a third of the mean", |deviation| {
                mean.is_none_or(|mean| NORMAL_CUT * deviation < mean)
            })
            .get();
        law.finish();
        return Some(ThicknessLaw::Normal {
            mean: mean?,
            deviation: deviation?,
        });
    }
    law.exclusive("by_size", "shares");
    let is_by_size = law.has("by_size");
    let key = if is_by_size { "by_size" } else { "shares" };
    let example = "`from` and `to`, `mean` and `deviation`, `by_size = [{ size = \"10 m\", thickness = \"0.5 m\" }, …]`, or \
                   `shares = [{ share = 0.3, thickness = \"0.5 m\" }, …]`";
    let rows = decode_rows(&law.required_like(key, example), is_by_size);
    law.finish();
    rows.map(if is_by_size {
        ThicknessLaw::BySize
    } else {
        ThicknessLaw::Shares
    })
}

fn decode_rows(field: &Field<'_>, is_by_size: bool) -> Option<Vec<[f64; 2]>> {
    let mut rows: Vec<[f64; 2]> = Vec::new();
    let mut is_good = true;
    for row in field.clone().tables() {
        let thickness = row
            .required_like("thickness", "`thickness = \"1 m\"`")
            .quantity(Dimension::Length)
            .positive()
            .get();
        let first = if is_by_size {
            let last = rows.last().map_or(0.0, |row| row[0]);
            row.required_like("size", "`size = \"10 m\"`")
                .quantity(Dimension::Length)
                .check("larger than the one before", |&size| size > last)
        } else {
            row.required_like("share", "`share = 0.5`")
                .number()
                .positive()
        };
        let first = first.get();
        row.finish();
        match (first, thickness) {
            (Some(size), Some(thickness)) if is_by_size => rows.push([size, thickness]),
            (Some(share), Some(thickness)) => rows.push([thickness, share]),
            _ => is_good = false,
        }
    }
    let is_empty =
        matches!(field.node().map(|node| &node.value), Some(Value::Array(a)) if a.is_empty());
    if is_empty {
        field.report(ProblemKind::OutOfRange {
            key: field.key_path(),
            value: "[]".into(),
            requirement: "a list of one row or more",
        });
    }
    (is_good && !rows.is_empty()).then_some(rows)
}
