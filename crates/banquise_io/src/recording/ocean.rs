//! The cells of the ocean layer in the dataset, where there are several.
//!
//! `ocean_x` and `ocean_y` are the centres of columns and rows, and coordinates of the dimensions of these names.

use banquise::{OceanGrid, Simulation};
use banquise_geometry::DVec2;

use super::arrays::{attributes_of, spec};
use crate::zarr::{ArrayHandle, Values, ZarrError, ZarrWriter};

/// Name, meaning and component of a variable.
type CellVariable = (&'static str, &'static str, fn(&DVec2) -> f64);

/// One value a cell and record, in m/s.
pub(super) const CELLS: [CellVariable; 2] = [
    (
        "ocean_velocity_x",
        "velocity of the ocean layer in each cell, eastward",
        |velocity| velocity.x,
    ),
    (
        "ocean_velocity_y",
        "velocity of the ocean layer in each cell, northward",
        |velocity| velocity.y,
    ),
];
const DIMENSIONS: [&str; 3] = ["time", "ocean_y", "ocean_x"];
/// Values in a chunk: 1 MiB.
const VALUES_PER_CHUNK: usize = 131_072;

/// Velocities of cells, as they are recorded.
pub(super) struct CellWriter {
    handles: Vec<ArrayHandle>,
}

impl CellWriter {
    /// Declares the variables, and writes where the cells are; none where there are not several.
    pub(super) fn declare(
        store: &mut ZarrWriter,
        simulation: &Simulation,
        max_records: usize,
    ) -> Result<Self, ZarrError> {
        let mut handles = Vec::new();
        if let Some(grid) = several_cells(simulation) {
            write_centers(store, &grid)?;
            let chunk = (VALUES_PER_CHUNK / grid.cell_count()).clamp(1, max_records);
            for (name, meaning, _) in CELLS {
                let shape = [grid.rows, grid.columns];
                let spec = spec(name, &DIMENSIONS, &shape, attributes_of("m s-1", meaning));
                handles.push(store.declare_growing(&spec, chunk)?);
            }
        }
        Ok(Self { handles })
    }

    /// The variables of a dataset that was begun before.
    pub(super) fn resumed(store: &ZarrWriter) -> Self {
        let handles = CELLS.iter().filter_map(|(name, ..)| store.growing(name));
        Self {
            handles: handles.collect(),
        }
    }

    /// The values of the present state, variable by variable.
    pub(super) fn values(
        &self,
        simulation: &Simulation,
    ) -> impl Iterator<Item = (ArrayHandle, impl Iterator<Item = f64>)> {
        let velocities = if self.handles.is_empty() {
            Vec::new()
        } else {
            simulation.cell_velocities()
        };
        let variables = self.handles.iter().zip(CELLS);
        variables.map(move |(&handle, (_, _, component))| {
            let values: Vec<f64> = velocities.iter().map(component).collect();
            (handle, values.into_iter())
        })
    }
}

/// The grid of the ocean layer, where it has several cells.
fn several_cells(simulation: &Simulation) -> Option<OceanGrid> {
    let grid = simulation.forcing.slab_ocean?.grid?;
    (grid.cell_count() > 1).then_some(grid)
}

fn write_centers(store: &mut ZarrWriter, grid: &OceanGrid) -> Result<(), ZarrError> {
    let x: Vec<f64> = (0..grid.columns)
        .map(|column| grid.center(column).x)
        .collect();
    let y: Vec<f64> = (0..grid.rows)
        .map(|row| grid.center(row * grid.columns).y)
        .collect();
    let axes = [
        ("ocean_x", "centre of a column of ocean cells, eastward", x),
        ("ocean_y", "centre of a row of ocean cells, northward", y),
    ];
    for (name, meaning, values) in axes {
        let spec = spec(name, &[name], &[values.len()], attributes_of("m", meaning));
        store.write_static(&spec, Values::F64(&values))?;
    }
    Ok(())
}
