//! Prints how much of the best ratio of released to surface energy the ten candidates of a decision find, over random floes: the best is that of 400
//! candidates that are all solved again. Say how many floes; 60 take a minute.

#![expect(clippy::print_stdout, reason = "an example prints what it measures")]

use std::f64::consts::TAU;

use banquise_fem::{ContactForce, Crack, CrackSettings, Elasticity, FloeModel, Load, MeshSettings};
use banquise_geometry::DVec2;

/// Numbers from 0 to 1 (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A star-shaped floe of 40 to 60 m, and contacts on its vertices that push inwards.
fn example(seed: u64) -> (Vec<DVec2>, Load) {
    let mut random = Random(seed);
    let vertices = 5 + (random.next() * 20.0) as usize;
    let depth = 0.5 * random.next();
    let outline: Vec<DVec2> = (0..vertices)
        .map(|k| {
            let angle = TAU * (k as f64 + 0.6 * random.next()) / vertices as f64;
            (1.0 - depth * random.next()) * 60.0 * DVec2::from_angle(angle)
        })
        .collect();
    let mut contacts = Vec::new();
    for _ in 0..=(random.next() * 4.0) as usize {
        let vertex = (random.next() * vertices as f64) as usize % vertices;
        let share = random.next();
        let point = outline[vertex].lerp(outline[(vertex + 1) % vertices], share);
        let force = 5e7
            * random.next()
            * -point
                .normalize()
                .rotate(DVec2::from_angle(random.next() - 0.5));
        contacts.push(ContactForce {
            point,
            force,
            radius: 6.0 * random.next(),
        });
    }
    (
        outline,
        Load {
            contacts,
            ..Load::default()
        },
    )
}

fn main() {
    let floes = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let settings = CrackSettings {
        smallest_area: 100.0,
        ..CrackSettings::default()
    };
    let every = CrackSettings {
        candidates: 400,
        resolved: 400,
        refined: 0,
        ..settings.clone()
    };
    let ratio = |crack: &Crack| crack.released / (10.0 * crack.length);
    let mut shares = Vec::new();
    for seed in 0..floes.unwrap_or(60) {
        let (outline, load) = example(seed);
        let (elasticity, mesh) = (Elasticity::default(), MeshSettings::default());
        let floe = FloeModel::new(&outline, 1.0, &elasticity, &mesh).expect("a star has a mesh");
        if let Some(best) = floe.crack(&load, &every) {
            let found = floe.crack(&load, &settings);
            shares.push(found.as_ref().map_or(0.0, ratio) / ratio(&best));
        }
    }
    shares.sort_by(f64::total_cmp);
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    println!(
        "{} floes crack; ten candidates find {mean:.3} of the best ratio on average, {:.3} at the tenth percentile",
        shares.len(),
        shares[shares.len() / 10],
    );
}
