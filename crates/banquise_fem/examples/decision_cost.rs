//! Prints what it costs to decide whether a floe cracks: medians of 21 decisions, of a load that needs the full test and of one that the bound rejects.

#![expect(clippy::print_stdout, reason = "an example prints what it measures")]

use std::time::Instant;

use banquise_fem::{ContactForce, CrackSettings, Elasticity, FloeModel, Load, MeshSettings};
use banquise_geometry::DVec2;

/// Opposite contacts on two sides of a square of 100 m \[N\].
fn pressed(force: f64) -> Load {
    let push = |x: f64, force: f64| ContactForce {
        point: DVec2::new(x, 50.0),
        force: DVec2::new(force, 0.0),
        radius: 6.0,
    };
    Load {
        contacts: vec![push(0.0, force), push(100.0, -force)],
        ..Load::default()
    }
}

fn main() {
    let square = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]].map(DVec2::from);
    let floe = FloeModel::new(
        &square,
        1.0,
        &Elasticity::default(),
        &MeshSettings::default(),
    )
    .expect("a square has a mesh");
    let median = |load: &Load| {
        let mut times = [0.0; 21];
        for time in &mut times {
            let start = Instant::now();
            std::hint::black_box(floe.crack(load, &CrackSettings::default()));
            *time = start.elapsed().as_secs_f64() * 1e3;
        }
        times.sort_by(f64::total_cmp);
        times[10]
    };
    println!(
        "{} nodes: decision {:.2} ms, rejected {:.3} ms",
        floe.mesh().points().len(),
        median(&pressed(5e7)),
        median(&pressed(1e5))
    );
}
