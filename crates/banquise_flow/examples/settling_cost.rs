//! One disc that settles in a box, by the method and with the cells of the command line, for `benches/freefem`: prints its velocity.

#![expect(clippy::print_stdout, reason = "the velocity is what it is run for")]

use banquise_fem::stokes::box_disc::{BoxDisc as ElementDisc, DiscMesh};
use banquise_fem::stokes::{Diagonals, Element};
use banquise_flow::SolverSettings;
use banquise_flow::box_disc::BoxDisc;

/// As small as the comparison's own script has it.
const PENALTY: f64 = 1e-7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [method, cells, repeats] = arguments.as_slice() else {
        return Err("give elements or grid, cells along a side, and how often".into());
    };
    let (cells, repeats): (usize, usize) = (cells.parse()?, repeats.parse()?);
    let mut velocity = 0.0;
    for _ in 0..repeats {
        velocity = match method.as_str() {
            "elements" => {
                let disc = ElementDisc {
                    element: Element::Mini,
                    mesh: DiscMesh::Whole(Diagonals::Parallel),
                    cells,
                    penalty: Some(PENALTY),
                };
                disc.settle()?.velocity.y
            }
            "grid" => {
                let (_, solution) = BoxDisc { cells }.settle(&SolverSettings::default())?;
                solution.motions[0].velocity.y
            }
            _ => return Err("the methods are elements and grid".into()),
        };
    }
    println!("{velocity}");
    Ok(())
}
