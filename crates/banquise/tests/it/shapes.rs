//! The built-in shapes beside real floes.

use banquise::pack::{BUILTIN_SHAPES, builtin_shapes};
use banquise_geometry::{DVec2, Outline};
use serde_json::Value;

use crate::shared_data;

/// Roundness and convexity of each, sorted.
fn measures(outlines: &[Outline]) -> [Vec<f64>; 2] {
    let sorted = |measure: fn(&Outline) -> f64| {
        let mut values: Vec<f64> = outlines.iter().map(measure).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    [sorted(Outline::roundness), sorted(Outline::convexity)]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let center = mean(values);
    let squares: Vec<f64> = values.iter().map(|v| (v - center).powi(2)).collect();
    mean(&squares).sqrt()
}

/// The distance of Kolmogorov and Smirnov between two sorted samples.
fn distance(first: &[f64], second: &[f64]) -> f64 {
    let share = |sample: &[f64], value: f64| {
        sample.partition_point(|&v| v <= value) as f64 / sample.len() as f64
    };
    let gap = |&value: &f64| (share(first, value) - share(second, value)).abs();
    first.iter().chain(second).map(gap).fold(0.0, f64::max)
}

#[test]
fn builtin_shapes_are_round_enough_and_of_unit_area() {
    let shapes = builtin_shapes();
    assert_eq!(shapes.len(), BUILTIN_SHAPES);
    assert!(shapes.len() >= 100);
    for shape in &shapes {
        assert!((22..=28).contains(&shape.vertices().len()));
        assert!((1.0..=1.5).contains(&shape.roundness()));
        assert!(shape.convexity() > 0.85);
        assert!((shape.area() - 1.0).abs() < 1e-12);
        assert!(shape.centroid().length() < 1e-12);
    }
    assert_eq!(shapes, builtin_shapes());
}

/// The ring with `count` vertices at equal distances, as the built-in shapes have them: the measures
/// of finer outlines count every pixel's step.
fn resampled(ring: &[DVec2], count: usize) -> Outline {
    let edges: Vec<(DVec2, DVec2)> = (0..ring.len())
        .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
        .collect();
    let total: f64 = edges.iter().map(|(a, b)| a.distance(*b)).sum();
    let mut points = Vec::new();
    let mut travelled = 0.0;
    for (a, b) in edges {
        let length = a.distance(b);
        while points.len() < count
            && points.len() as f64 * total / (count as f64) < travelled + length
        {
            let rest = points.len() as f64 * total / count as f64 - travelled;
            points.push(a.lerp(b, rest / length));
        }
        travelled += length;
    }
    Outline::from_ring(&points).unwrap()
}

fn json(path: &std::path::Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn ring(points: &Value) -> Vec<DVec2> {
    let number = |value: &Value| value.as_f64().unwrap();
    let points = points.as_array().unwrap().iter();
    points
        .map(|point| DVec2::new(number(&point[0]), number(&point[1])))
        .collect()
}

#[test]
fn builtin_shapes_have_the_roundness_and_convexity_of_real_floes() {
    let Some(path) = shared_data("topaz_point/floe_library_100_outlines.json") else {
        println!("skipped: real data not found");
        return;
    };
    let file = json(&path);
    let floes = file["floes"].as_array().unwrap().iter();
    let real: Vec<Outline> = floes
        .map(|floe| resampled(&ring(&floe["vertices"]), 25))
        .collect();
    for (name, ours, real) in ["roundness", "convexity"]
        .into_iter()
        .zip(measures(&builtin_shapes()))
        .zip(measures(&real))
        .map(|((name, ours), real)| (name, ours, real))
    {
        println!(
            "{name}: built-in {:.3} ± {:.3}, real {:.3} ± {:.3}, distance {:.3}",
            mean(&ours),
            deviation(&ours),
            mean(&real),
            deviation(&real),
            distance(&ours, &real)
        );
        // Three standard errors of the difference of two means.
        let error = deviation(&ours).hypot(deviation(&real)) / 10.0;
        assert!((mean(&ours) - mean(&real)).abs() < 3.0 * error);
        // At the level of 5 %, samples of 128 and 100 from one law differ by less than this.
        let critical = 1.36 * (1.0 / ours.len() as f64 + 1.0 / real.len() as f64).sqrt();
        assert!(distance(&ours, &real) < critical);
    }
}

#[test]
fn builtin_shapes_lie_among_the_floes_of_three_seas() {
    // Smaller floes have few pixels, and the measures of pixels.
    let smallest = 200.0 * 250.0 * 250.0;
    let mut means = Vec::new();
    for scene in [
        "006-baffin_bay-20220530",
        "063-beaufort_sea-20070711",
        "166-laptev_sea-20160904",
    ] {
        let Some(path) = shared_data(&format!("floe_scenes/{scene}-terra.geojson")) else {
            println!("skipped: real data not found");
            return;
        };
        let file = json(&path);
        let features = file["features"].as_array().unwrap().iter();
        let outlines: Vec<Outline> = features
            .map(|feature| ring(&feature["geometry"]["coordinates"][0]))
            .map(|ring| resampled(&ring[..ring.len() - 1], 25))
            .filter(|outline| outline.area() > smallest && outline.roundness() <= 1.5)
            .collect();
        let [roundness, convexity] = measures(&outlines).map(|values| mean(&values));
        println!(
            "{scene}: {} floes, roundness {roundness:.3}, convexity {convexity:.3}",
            outlines.len()
        );
        means.push([roundness, convexity]);
    }
    for (k, ours) in measures(&builtin_shapes()).iter().enumerate() {
        let least = means.iter().map(|m| m[k]).fold(f64::INFINITY, f64::min);
        let most = means.iter().map(|m| m[k]).fold(0.0, f64::max);
        assert!(
            (least..most).contains(&mean(ours)),
            "{least} {} {most}",
            mean(ours)
        );
    }
}
