//! Prints how much of the best ratio of released to surface energy the ten candidates of a decision find, over random floes: the best is that of 400
//! candidates that are all solved again. Say how many floes; 60 take a minute.

#![expect(clippy::print_stdout, reason = "an example prints what it measures")]

use banquise_fem::{Crack, CrackSettings, Elasticity, FloeModel, MeshSettings};

#[path = "../tests/random/mod.rs"]
mod random;

use random::example;

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
        gives_up: false,
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
