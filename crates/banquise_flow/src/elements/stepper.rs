//! One step of a flow on triangles: matrices of the new places of bodies, momentum carried along characteristics.

use banquise_fem::stokes::{
    Diagonals, Edge, Element, FactorisedFlow, FlowField, FlowLoad, FlowMesh, Geometry, Locator,
    Material, Stokes, StokesError,
};
use banquise_geometry::DVec2;

use super::stream::stream_function;
use crate::error::positive;
use crate::{Edges, FlowError, Grid};

/// A rectangle of squares of two triangles each, and the flow in it.
#[derive(Debug)]
pub(crate) struct Stepper {
    pub(crate) problem: Stokes,
    pub(crate) cells: [usize; 2],
    pub(crate) spacing: f64,
    locator: Locator,
    /// The flow at the end of the last step, and the densities that carried it.
    pub(crate) field: Option<FlowField>,
    density: Vec<f64>,
}

/// The triangles of a step.
#[derive(Debug, Clone)]
pub(crate) struct Matter {
    pub(crate) viscosity: Vec<f64>,
    pub(crate) density: Vec<f64>,
}

impl Stepper {
    pub(crate) fn new(
        cells: [usize; 2],
        spacing: f64,
        condition: impl Fn(DVec2, DVec2) -> Edge,
    ) -> Result<Self, FlowError> {
        positive("the side of a cell", spacing)?;
        let size = DVec2::new(cells[0] as f64, cells[1] as f64) * spacing;
        let mesh = FlowMesh::cartesian(DVec2::ZERO, size, cells, Diagonals::Alternating);
        let locator = Locator::new(&mesh);
        Ok(Self {
            problem: Stokes::new(mesh, Element::Mini, Geometry::Plane, condition, &[]),
            cells,
            spacing,
            locator,
            field: None,
            density: Vec::new(),
        })
    }

    pub(crate) fn mesh(&self) -> &FlowMesh {
        self.problem.mesh()
    }

    /// A grid of the same cells, for pictures and for contacts with walls.
    pub(crate) fn grid(&self) -> Result<Grid, FlowError> {
        Grid::try_new(self.cells, self.spacing, Edges::Box)
    }

    pub(crate) fn uniform(&self, viscosity: f64, density: f64) -> Matter {
        let count = self.mesh().triangles().len();
        Matter {
            viscosity: vec![viscosity; count],
            density: vec![density; count],
        }
    }

    /// Factors for the triangles of a step of `dt`; slow flow if that is infinite.
    pub(crate) fn factorise(
        &self,
        matter: &Matter,
        dt: f64,
    ) -> Result<FactorisedFlow<'_>, StokesError> {
        self.problem.factorise(&Material {
            viscosity: matter.viscosity.clone(),
            inertia: matter.density.iter().map(|rho| rho / dt).collect(),
        })
    }

    /// Solves with momentum from the last step and a force for each unit of volume.
    pub(crate) fn solve(
        &self,
        flow: &FactorisedFlow<'_>,
        dt: f64,
        force: &dyn Fn(u32, DVec2) -> DVec2,
        velocity: &dyn Fn(DVec2) -> DVec2,
    ) -> Result<FlowField, StokesError> {
        let carried = |triangle: u32, at: DVec2| match &self.field {
            Some(field) if dt.is_finite() => {
                let here = self.problem.value_in(field, triangle, at).velocity;
                let (from, place) = self.locator.find(self.mesh(), at - dt * here);
                let before = self.problem.value(field, from, place).velocity;
                before * (self.density[from as usize] / dt)
            }
            _ => DVec2::ZERO,
        };
        flow.solve(&FlowLoad {
            force: &|triangle, at| force(triangle, at) + carried(triangle, at),
            velocity,
        })
    }

    /// Keeps a flow for the next step.
    pub(crate) fn keep(&mut self, field: FlowField, matter: Matter) {
        self.field = Some(field);
        self.density = matter.density;
    }

    /// The flow that is kept for the next step, and the densities that carried it.
    pub(crate) fn kept(&self) -> Option<(&FlowField, &[f64])> {
        self.field.as_ref().map(|field| (field, &self.density[..]))
    }

    /// Puts back what [`kept`](Self::kept) gave.
    pub(crate) fn restore(&mut self, kept: Option<(FlowField, Vec<f64>)>) {
        let (field, density) = kept.unzip();
        self.field = field;
        self.density = density.unwrap_or_default();
    }

    /// Pressure in the middle of the squares, of mean zero.
    pub(crate) fn pressure(&self) -> Vec<f64> {
        let [nx, ny] = self.cells;
        let Some(field) = &self.field else {
            return vec![0.0; nx * ny];
        };
        let at = |i: usize, j: usize| field.pressure[j * (nx + 1) + i];
        let middle = |k: usize| {
            let (i, j) = (k % nx, k / nx);
            0.25 * (at(i, j) + at(i + 1, j) + at(i, j + 1) + at(i + 1, j + 1))
        };
        let mut pressure: Vec<f64> = (0..nx * ny).map(middle).collect();
        let mean = pressure.iter().sum::<f64>() / pressure.len() as f64;
        for value in &mut pressure {
            *value -= mean;
        }
        pressure
    }

    /// Stream function at the corners of the squares, row by row: zero in the lower left corner, u = ∂ψ/∂y.
    pub(crate) fn stream(&self) -> Vec<f64> {
        let [nx, ny] = self.cells;
        let corners = (nx + 1) * (ny + 1);
        match &self.field {
            Some(field) => stream_function(self.cells, self.spacing, &field.velocity[..corners]),
            None => vec![0.0; corners],
        }
    }
}
