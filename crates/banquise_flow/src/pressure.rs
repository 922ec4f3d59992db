//! The pressure of a flow.
//!
//! The equation for the stream function is the curl of the balance of forces on faces, so that what is left of the forces there is the gradient of a pressure: it is found
//! by adding up along the rows and columns of the grid, without another equation. Lengths in cells.

use crate::advection::FaceField;
use crate::grid::{Grid, after, before};

/// Pressure in the middle of cells, of mean zero, from all `forces` on faces but those of viscosity and inertia, and the stream function; `inertia` is ρh²/(μΔt). A mean
/// pressure gradient, in periodic directions, is left out.
pub(crate) fn pressure(
    grid: &Grid,
    mut forces: FaceField,
    stream: &[f64],
    inertia: f64,
) -> Vec<f64> {
    let [nx, ny] = grid.cells;
    let walls = grid.edges.walls();
    let velocities = FaceField::of_stream(grid, stream, 1.0);
    let vorticity = vorticity(grid, stream);
    for j in 0..ny {
        for i in 0..nx {
            let (here, above, right) = (j * nx + i, after(j, ny) * nx + i, j * nx + after(i, nx));
            forces.u[here] -= vorticity[above] - vorticity[here] + inertia * velocities.u[here];
            forces.v[here] += vorticity[right] - vorticity[here] - inertia * velocities.v[here];
        }
    }
    for (force, is_wall) in [(&mut forces.u, walls[0]), (&mut forces.v, walls[1])] {
        if !is_wall {
            let mean = force.iter().sum::<f64>() / force.len() as f64;
            force.iter_mut().for_each(|force| *force -= mean);
        }
    }
    let mut pressure = vec![0.0; nx * ny];
    for i in 1..nx {
        pressure[i] = pressure[i - 1] + forces.u[i];
    }
    for k in nx..nx * ny {
        pressure[k] = pressure[k - nx] + forces.v[k];
    }
    let mean = pressure.iter().sum::<f64>() / pressure.len() as f64;
    pressure.iter_mut().for_each(|value| *value -= mean);
    pressure
}

/// −Δψ at the nodes; zero at walls, along which the fluid slips but for the stresses there.
pub(crate) fn vorticity(grid: &Grid, stream: &[f64]) -> Vec<f64> {
    let [nx, ny] = grid.cells;
    let walls = grid.edges.walls();
    let mut vorticity = vec![0.0; nx * ny];
    for j in 0..ny {
        for i in 0..nx {
            if (walls[0] && i == 0) || (walls[1] && j == 0) {
                continue;
            }
            let psi = |i: usize, j: usize| stream[j * nx + i];
            vorticity[j * nx + i] = 4.0 * psi(i, j)
                - psi(before(i, nx), j)
                - psi(after(i, nx), j)
                - psi(i, before(j, ny))
                - psi(i, after(j, ny));
        }
    }
    vorticity
}
