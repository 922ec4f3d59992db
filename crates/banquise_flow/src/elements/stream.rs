//! Stream function of velocities at the corners of squares, for pictures.
//!
//! Velocities of elements have no divergence on average over elements, not along every line. A stream function added up from a wall would carry what is missing behind a steep shear layer all the way
//! across the flow. Here its differences along all sides of squares are met in least squares, which leaves the error where it is made:
//!
//! ```text
//! Σ (ψ_{i,j+1} − ψ_{i,j} − h u)² + Σ (ψ_{i+1,j} − ψ_{i,j} + h v)²  →  min
//! ```

use banquise_geometry::DVec2;

/// Residual at which the conjugate gradients end, relative: far below the width of a line.
const TOLERANCE: f64 = 1e-8;
/// Iterations at most: some times the number of squares along a side are usual.
const MAX_ITERATIONS: usize = 5000;

/// Stream function at the corners of squares, row by row, from the velocities there: zero in the lower left corner, u = ∂ψ/∂y.
pub(super) fn stream_function(cells: [usize; 2], spacing: f64, velocity: &[DVec2]) -> Vec<f64> {
    let wide = cells[0] + 1;
    let half = 0.5 * spacing;
    let mut source = vec![0.0; velocity.len()];
    for_each_side(cells, |from, to| {
        let sum = velocity[from] + velocity[to];
        let difference = half * if to == from + wide { sum.x } else { -sum.y };
        source[to] += difference;
        source[from] -= difference;
    });
    let mut stream = solve(cells, source);
    let corner = stream[0];
    for value in &mut stream {
        *value -= corner;
    }
    stream
}

/// Calls `visit(from, to)` for all sides of squares.
fn for_each_side([nx, ny]: [usize; 2], mut visit: impl FnMut(usize, usize)) {
    let wide = nx + 1;
    for j in 0..=ny {
        for i in 0..=nx {
            let here = j * wide + i;
            if i < nx {
                visit(here, here + 1);
            }
            if j < ny {
                visit(here, here + wide);
            }
        }
    }
}

/// Conjugate gradients for the normal equations, the Laplacian of the graph of all sides. A constant is left open.
fn solve(cells: [usize; 2], mut residual: Vec<f64>) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut stream = vec![0.0; residual.len()];
    let mut step = residual.clone();
    let mut image = vec![0.0; residual.len()];
    let mut square = dot(&residual, &residual);
    let end = TOLERANCE * TOLERANCE * square;
    for _ in 0..MAX_ITERATIONS {
        if square <= end {
            break;
        }
        image.fill(0.0);
        for_each_side(cells, |from, to| {
            let difference = step[to] - step[from];
            image[to] += difference;
            image[from] -= difference;
        });
        let length = square / dot(&step, &image);
        for k in 0..stream.len() {
            stream[k] += length * step[k];
            residual[k] -= length * image[k];
        }
        let next = dot(&residual, &residual);
        for (step, residual) in step.iter_mut().zip(&residual) {
            *step = residual + next / square * *step;
        }
        square = next;
    }
    stream
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_flow_has_its_quadratic_stream_function() {
        let (cells, h) = ([12, 7], 0.5);
        let at = |k: usize| DVec2::new((k % 13) as f64, (k / 13) as f64) * h;
        // ψ = xy + y²/2 − x².
        let velocity: Vec<DVec2> = (0..13 * 8)
            .map(|k| DVec2::new(at(k).x + at(k).y, 2.0 * at(k).x - at(k).y))
            .collect();
        let stream = stream_function(cells, h, &velocity);
        for (k, found) in stream.iter().enumerate() {
            let DVec2 { x, y } = at(k);
            let known = x * y + 0.5 * y * y - x * x;
            // The mean of both ends is exact for linear velocities; what is left is the tolerance.
            assert!((found - known).abs() < 1e-6, "{k}: {found}, {known}");
        }
    }
}
