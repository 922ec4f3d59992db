//! Measures the search of contacts between two floes that nearly touch:
//!
//! ```text
//! cargo run --release -p banquise_geometry --example approach_speed
//! ```

#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use std::hint::black_box;
use std::time::Instant;

use banquise_geometry::{
    Approach, ContactShape, DVec2, GeometryError, Outline, Pose, Rotation, Shape, approaches, math,
};

const CALLS: u32 = 1_000_000;

/// A rough floe of about 100 m across.
fn floe(sides: usize, roughness: f64) -> Result<ContactShape, GeometryError> {
    let vertex = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / sides as f64;
        let (sin, cos) = math::sin_cos(angle);
        50.0 * (1.0 + roughness * math::sin(7.0 * angle)) * DVec2::new(cos, sin)
    };
    let outline = Outline::try_new((0..sides).map(vertex).collect())?;
    Ok(ContactShape::new(&Shape::Outline(outline)))
}

fn main() -> Result<(), GeometryError> {
    for (sides, roughness) in [(25, 0.0), (25, 0.1), (100, 0.1)] {
        let floe = floe(sides, roughness)?;
        let apart = |distance: f64, angle: f64| Pose {
            position: DVec2::new(1e5 + distance, -1e5),
            rotation: Rotation::from_angle(angle),
        };
        for (name, distance, reach) in [("close", 100.0, 1.0), ("in reach of a box", 104.0, 0.5)] {
            let poses: Vec<Pose> = (0..64)
                .map(|k| apart(distance, 0.1 * f64::from(k)))
                .collect();
            let mut out: Vec<Approach> = Vec::new();
            let (mut found, start) = (0, Instant::now());
            for call in 0..CALLS {
                let pose = poses[call as usize % poses.len()];
                approaches(
                    &floe,
                    apart(0.0, 0.3),
                    &floe,
                    pose,
                    reach,
                    black_box(&mut out),
                );
                found += out.len();
            }
            let each = start.elapsed().as_secs_f64() / f64::from(CALLS) * 1e9;
            let count = found as f64 / f64::from(CALLS);
            println!(
                "{sides}-gons, roughness {roughness}, {name}: {each:.0} ns, {count:.1} approaches"
            );
        }
    }
    Ok(())
}
