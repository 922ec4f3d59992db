//! The `[ocean_layer]` table.

use std::f64::consts::PI;

use banquise::{Domain, OceanGrid, OceanModel, Rectangle, SlabOcean, World};

use super::PlanError;
use super::body_list::BodyList;
use super::checks::label;
use super::tables::decode_area;
use crate::scenario::{Dimension, Field, Problem, ProblemKind, Problems, Span, TableReader, Value};

/// The layer, as far as it can be told without the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayerPlan {
    model: OceanModel,
    /// \[m\].
    layer_depth: f64,
    /// \[m/s\].
    base_friction_velocity: f64,
    extent: Extent,
    cells: Cells,
    /// Where the table is.
    pub(super) span: Span,
}

/// Reads the table. The outer `Option` is failure, the inner one absence.
#[expect(
    clippy::option_option,
    reason = "absent and refused are different things here"
)]
pub(super) fn decode(
    root: &TableReader<'_>,
    bodies: Option<&BodyList>,
    has_drag: bool,
    model: OceanModel,
) -> Option<Option<LayerPlan>> {
    let field = root.optional("ocean_layer");
    if !field.is_present() {
        return Some(None);
    }
    let table = field.table()?;
    let (span, problems) = (table.span(), table.problems());
    let is_enabled = table.optional("enabled").boolean().or(true);
    let depth = table
        .optional("depth")
        .quantity(Dimension::Length)
        .positive();
    let friction = table
        .optional("base_friction_velocity")
        .quantity(Dimension::Speed);
    let (default_depth, default_friction) = SlabOcean::defaults(model);
    let layer_depth = depth.or(default_depth);
    let base_friction_velocity = friction.non_negative().or(default_friction);
    let extent = decode_extent(&table);
    let cells = decode_cells(&table);
    table.finish();
    if !is_enabled {
        return Some(None);
    }
    if !has_drag {
        problems.push(PlanError::LayerWithoutDrag.at("the ocean layer", span));
        return None;
    }
    let (extent, cells, bodies) = (extent?, cells?, bodies?);
    if let Some(error) = misplaced(extent, cells, bodies.domain) {
        problems.push(error.at("the ocean layer", span));
        return None;
    }
    Some(Some(LayerPlan {
        model,
        layer_depth,
        base_friction_velocity,
        extent,
        cells,
        span,
    }))
}

/// Errors of the place of the layer that do not depend on the bodies.
fn misplaced(extent: Extent, cells: Cells, domain: Domain) -> Option<PlanError> {
    match (extent, domain.rectangle()) {
        (Extent::Region(_), Some(_)) => Some(PlanError::RegionInDomain),
        (Extent::Domain, None) if cells.count() > 1 => Some(PlanError::RegionUnknown),
        (Extent::Domain, None) => Some(PlanError::CellUnknown),
        _ => None,
    }
}

impl LayerPlan {
    /// The layer under the ice of a world.
    pub(super) fn build(&self, world: &World) -> Result<SlabOcean, PlanError> {
        let (cell_area, grid) = self.place_cells(world)?;
        Ok(SlabOcean {
            model: self.model,
            layer_depth: self.layer_depth,
            base_friction_velocity: self.base_friction_velocity,
            cell_area,
            grid,
        })
    }

    /// The area of a cell \[m²\], and the grid; none for one cell without a place.
    fn place_cells(&self, world: &World) -> Result<(f64, Option<OceanGrid>), PlanError> {
        let ice = world.bodies.ice_area();
        let cells = self.cells;
        let cell_area = match (self.extent, world.domain.rectangle()) {
            (Extent::IceFraction(_), _) if ice == 0.0 => return Err(PlanError::NoIce),
            (Extent::IceFraction(fraction), _) => ice / fraction,
            (Extent::CellArea(area), _) => area,
            (Extent::Region(region), _) => return grid(region, cells, world),
            (Extent::Domain, Some(rectangle)) if cells.count() > 1 => {
                return grid(rectangle, cells, world);
            }
            (Extent::Domain, Some(rectangle)) => rectangle.area(),
            (Extent::Domain, None) => return Err(PlanError::CellUnknown),
        };
        if cell_area < ice {
            let cell = cell_area;
            return Err(PlanError::CellTooSmall { cell, ice });
        }
        Ok((cell_area, None))
    }
}

/// How large the layer is.
#[derive(Debug, Clone, Copy)]
enum Extent {
    IceFraction(f64),
    CellArea(f64),
    Region(Rectangle),
    /// As large as the domain.
    Domain,
}

/// `ice_fraction`, `cell_area` or `region`; nothing if what is given is refused.
fn decode_extent(table: &TableReader<'_>) -> Option<Extent> {
    table.exclusive("ice_fraction", "cell_area");
    for key in ["ice_fraction", "cell_area"] {
        table.exclusive("region", key);
        table.exclusive("cells", key);
    }
    let fraction = table.optional("ice_fraction").number();
    let fraction = fraction.fraction().positive().get();
    let area = table.optional("cell_area").quantity(Dimension::Area);
    let area = area.positive().get();
    let region = table.optional("region").table().and_then(decode_area);
    if table.has("ice_fraction") {
        return fraction.map(Extent::IceFraction);
    }
    if table.has("cell_area") {
        return area.map(Extent::CellArea);
    }
    if table.has("region") {
        return region.map(Extent::Region);
    }
    Some(Extent::Domain)
}

/// How many cells the layer has, and what they exchange.
#[derive(Debug, Clone, Copy)]
struct Cells {
    columns: usize,
    rows: usize,
    /// [m²/s]
    eddy_viscosity: f64,
}

impl Cells {
    fn count(self) -> usize {
        self.columns * self.rows
    }
}

/// `cells = [4, 2]` with `eddy_viscosity`, which several cells need; one cell where they are left out.
fn decode_cells(table: &TableReader<'_>) -> Option<Cells> {
    let counts = decode_counts(&table.optional("cells"), table.problems());
    let needs_viscosity = matches!(counts, Some([columns, rows]) if columns * rows > 1);
    let viscosity = if needs_viscosity {
        table.required_like("eddy_viscosity", "`eddy_viscosity = \"10 m2/s\"`")
    } else {
        table.optional("eddy_viscosity")
    };
    let is_given = viscosity.is_present();
    let viscosity = viscosity
        .quantity(Dimension::Viscosity)
        .non_negative()
        .get();
    let [columns, rows] = counts?;
    if viscosity.is_none() && (is_given || needs_viscosity) {
        return None;
    }
    Some(Cells {
        columns,
        rows,
        eddy_viscosity: viscosity.unwrap_or(0.0),
    })
}

/// Two whole numbers, columns and rows.
fn decode_counts(field: &Field<'_>, problems: &Problems) -> Option<[usize; 2]> {
    let Some(node) = field.node() else {
        return Some([1, 1]);
    };
    let elements = field.clone().array();
    let [columns, rows] = &elements[..] else {
        if matches!(node.value, Value::Array(_)) {
            field.report(ProblemKind::WrongLength {
                key: field.key_path(),
                expected: 2,
                found: elements.len(),
            });
        }
        return None;
    };
    let count = |field: &Field<'_>| {
        let number = field.clone().integer().positive().get()?;
        usize::try_from(number).ok()
    };
    let (columns, rows) = (count(columns), count(rows));
    let (columns, rows) = (columns?, rows?);
    let total = columns.saturating_mul(rows);
    if total > OceanGrid::MAX_CELLS {
        let kind = ProblemKind::TooMany {
            what: "ocean cells",
            count: total,
            limit: OceanGrid::MAX_CELLS,
        };
        let hint = "use fewer `cells`: floes must fit into them, and each record holds all of them";
        problems.push(Problem::new(kind, node.span).with_hint(hint.to_owned()));
        return None;
    }
    Some([columns, rows])
}

/// A grid over a region. No floe may be larger than a cell: the layer under it would be lighter than its drag is strong.
fn grid(
    region: Rectangle,
    cells: Cells,
    world: &World,
) -> Result<(f64, Option<OceanGrid>), PlanError> {
    let grid = OceanGrid {
        region,
        columns: cells.columns,
        rows: cells.rows,
        is_periodic: matches!(world.domain, Domain::Periodic(_)),
        eddy_viscosity: cells.eddy_viscosity,
    };
    let cell = grid.cell_area();
    let areas = world.bodies.areas();
    if let Some(row) = world.floe_rows().find(|&row| areas[row] > cell) {
        return Err(PlanError::FloeLargerThanCell {
            floe: label(world, row),
            area: areas[row],
            cell,
        });
    }
    let entering = world.sources.iter().map(|source| {
        let size = source.settings().sizes.max_size;
        0.25 * PI * size * size
    });
    let largest = entering.fold(0.0, f64::max);
    if largest > cell {
        return Err(PlanError::FloeLargerThanCell {
            floe: "the largest floe of a source".to_owned(),
            area: largest,
            cell,
        });
    }
    Ok((cell, Some(grid)))
}
