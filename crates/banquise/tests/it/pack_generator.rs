//! Packs: what is asked for is what comes out.

use banquise::Rectangle;
use banquise::pack::{
    GivenBody, GivenSizes, Pack, PackError, PackMethod, PackRequest, Region, ThicknessLaw,
    builtin_shapes, make_pack,
};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape, distance_outline_outline};
use proptest::prelude::*;

const SIDE: f64 = 1000.0;

fn square() -> Rectangle {
    Rectangle {
        min: DVec2::new(-200.0, 50.0),
        max: DVec2::new(-200.0 + SIDE, 50.0 + SIDE),
    }
}

/// A basin with a channel: two corners jut in.
fn basin() -> Region {
    let corners = [
        (0.0, 0.0),
        (1000.0, 0.0),
        (1000.0, 600.0),
        (650.0, 700.0),
        (650.0, 1000.0),
        (350.0, 1000.0),
        (350.0, 700.0),
        (0.0, 600.0),
    ];
    let vertices = corners.map(|(x, y)| DVec2::new(x, y)).to_vec();
    Region::polygon(Outline::try_new(vertices).unwrap())
}

fn request(region: Region, concentration: f64, count: usize) -> PackRequest {
    PackRequest {
        region,
        concentration: Some(concentration),
        sizes: GivenSizes {
            count: Some(count),
            max_size: Some(220.0),
            exponent: Some(1.5),
            ..GivenSizes::default()
        },
        method: PackMethod::Library(builtin_shapes()),
        gap: None,
        thickness: ThicknessLaw::Uniform {
            from: 0.25,
            to: 0.38,
        },
        seed: 1,
        given: vec![],
    }
}

fn make(request: &PackRequest) -> Pack {
    make_pack(request, &mut |_, _| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Looks at every pair, with all images, and at the border.
fn check(request: &PackRequest, pack: &Pack) {
    let outlines: Vec<&Outline> = pack.floes.iter().map(|floe| &floe.outline).collect();
    let ice: f64 = outlines.iter().map(|outline| outline.area()).sum();
    let given: f64 = request.given.iter().map(|body| body.shape.area()).sum();
    let concentration = (ice + given) / request.region.area();
    assert!((concentration - pack.concentration).abs() < 1e-9);
    if let Some(wanted) = request.concentration {
        assert!((concentration - wanted).abs() < 1e-9, "{concentration}");
    }
    let shifts = if request.region.period().is_some() {
        vec![-SIDE, 0.0, SIDE]
    } else {
        vec![0.0]
    };
    for (i, first) in outlines.iter().enumerate() {
        assert!(request.region.outline().contains(first.centroid()));
        if request.region.period().is_none() {
            let border = request.region.outline();
            assert!(first.vertices().iter().all(|&v| border.contains(v)));
            let is_apart = |&corner: &DVec2| !first.contains(corner);
            assert!(border.vertices().iter().all(is_apart));
        }
        let radius = first.enclosing_circle().radius;
        for second in &outlines[i + 1..] {
            let apart = second.centroid() - first.centroid();
            for &x in &shifts {
                for &y in &shifts {
                    let offset = DVec2::new(x, y);
                    let reach = 2.5 * (radius + second.enclosing_circle().radius);
                    if (apart + offset).length() < reach {
                        let moved = second.translated(offset).unwrap();
                        let gap = distance_outline_outline(first, &moved);
                        assert!(gap >= 0.999_999 * pack.gap, "{gap}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_dense_periodic_pack_of_library_shapes() {
    let request = request(Region::periodic(square()).unwrap(), 0.85, 150);
    let pack = make(&request);
    check(&request, &pack);
    assert_eq!(pack.floes.len(), 150);
    assert!((pack.law.max_size - 220.0).abs() < 1e-9);
    let fit = pack.fit.unwrap();
    println!("{fit:?}, {:?}, gap {}", pack.effort, pack.smallest_gap);
    assert!((fit.exponent - 1.5).abs() < fit.error);
    assert!(fit.misfit < 0.02);
    let thicknesses = pack.floes.iter().map(|floe| floe.thickness);
    assert!(thicknesses.clone().all(|h| (0.25..0.38).contains(&h)));
    assert!(thicknesses.fold(0.0, f64::max) > 0.36);
}

#[test]
fn a_sheet_cut_to_95_percent_in_a_basin_and_in_a_periodic_cell() {
    for region in [basin(), Region::periodic(square()).unwrap()] {
        let request = PackRequest {
            method: PackMethod::Tessellation,
            ..request(region, 0.95, 120)
        };
        let pack = make(&request);
        check(&request, &pack);
        let fit = pack.fit.unwrap();
        assert!((fit.exponent - 1.5).abs() < fit.error, "{fit:?}");
        assert!(pack.floes.iter().all(|floe| floe.outline.is_convex()));
    }
}

#[test]
fn floes_with_thin_spikes_do_not_cross() {
    // A star: no vertex need be in another one where two of them cross.
    let spike = |k: usize| {
        let radius = if k.is_multiple_of(2) { 1.0 } else { 0.12 };
        radius * DVec2::from_angle(0.2 * k as f64 * std::f64::consts::PI)
    };
    let star = Outline::try_new((0..10).map(spike).collect()).unwrap();
    for seed in 1..4 {
        let mut request = request(Region::periodic(square()).unwrap(), 0.1, 40);
        request.method = PackMethod::Library(vec![star.clone()]);
        request.seed = seed;
        check(&request, &make(&request));
    }
}

#[test]
fn packs_depend_on_the_seed_alone() {
    let request = request(basin(), 0.75, 60);
    let pack = make(&request);
    check(&request, &pack);
    let single = rayon_pool(1).install(|| make(&request));
    assert_eq!(pack, single);
    let other = make(&PackRequest { seed: 2, ..request });
    assert_ne!(pack.floes[0], other.floes[0]);
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

#[test]
fn floes_are_filled_in_round_given_bodies() {
    let at = |x: f64, y: f64| Pose {
        position: DVec2::new(x, y),
        rotation: Rotation::from_angle(0.4),
    };
    let long = [
        (-200.0, -40.0),
        (200.0, -40.0),
        (200.0, 40.0),
        (-200.0, 40.0),
    ];
    let long = Outline::try_new(long.map(|(x, y)| DVec2::new(x, y)).to_vec()).unwrap();
    let request = PackRequest {
        given: vec![
            GivenBody {
                shape: Shape::Outline(long),
                pose: at(300.0, 500.0),
                is_floe: true,
            },
            GivenBody {
                shape: Shape::Disc(Disc::try_new(90.0).unwrap()),
                pose: at(-190.0, 900.0),
                is_floe: true,
            },
        ],
        ..request(Region::periodic(square()).unwrap(), 0.7, 80)
    };
    let pack = make(&request);
    check(&request, &pack);
    for given in &request.given {
        let gap = |floe: &Outline| match &given.shape {
            Shape::Outline(outline) => {
                let turned = outline.rotated(given.pose.rotation).unwrap();
                let placed = turned.translated(given.pose.position).unwrap();
                distance_outline_outline(&placed, floe)
            }
            // Its images too: it lies across the edge.
            Shape::Disc(disc) => {
                [-SIDE, 0.0, SIDE]
                    .map(|x| floe.distance_to_point(given.pose.position + x * DVec2::X))
                    .into_iter()
                    .fold(f64::INFINITY, f64::min)
                    - disc.radius()
            }
        };
        let gaps = pack.floes.iter().map(|floe| gap(&floe.outline));
        let smallest = gaps.fold(f64::INFINITY, f64::min);
        assert!(smallest >= 0.999_999 * pack.gap, "{smallest}");
    }
    let sheet = PackRequest {
        method: PackMethod::Tessellation,
        ..request
    };
    let refusal = make_pack(&sheet, &mut |_, _| {});
    assert_eq!(refusal, Err(PackError::SheetWithBodies));
}

#[test]
fn the_impossible_is_refused() {
    let refusal = |request: PackRequest| make_pack(&request, &mut |_, _| {}).unwrap_err();
    let region = || Region::periodic(square()).unwrap();
    let jammed = refusal(request(region(), 0.97, 30));
    assert!(matches!(jammed, PackError::Jammed { .. }), "{jammed}");
    let mut large = request(basin(), 0.6, 20);
    large.sizes.max_size = Some(900.0);
    let error = refusal(large);
    assert!(matches!(error, PackError::TooLarge { .. }), "{error}");
    let narrow = PackRequest {
        method: PackMethod::Tessellation,
        gap: Some(20.0),
        ..request(region(), 0.9, 60)
    };
    let error = refusal(narrow);
    assert!(matches!(error, PackError::NarrowLeads { .. }), "{error}");
    let mut vague = request(region(), 0.5, 20);
    vague.sizes.exponent = None;
    assert_eq!(refusal(vague), PackError::GivenSizes);
}

#[test]
fn all_sizes_without_a_concentration_give_one() {
    let mut request = request(Region::periodic(square()).unwrap(), 0.5, 40);
    request.concentration = None;
    request.sizes.min_size = Some(50.0);
    let pack = make(&request);
    check(&request, &pack);
    assert!(
        (0.2..0.5).contains(&pack.concentration),
        "{}",
        pack.concentration
    );
}

proptest! {
    #![proptest_config(crate::config(24))]

    #[test]
    fn any_sensible_request_is_met(
        concentration in 0.1..0.8_f64,
        count in 3..50_usize,
        exponent in 1.1..1.9_f64,
        largest in 150.0..300.0_f64,
        is_periodic: bool,
        is_sheet: bool,
        seed: u64,
    ) {
        let region = if is_periodic { Region::periodic(square()).unwrap() } else { basin() };
        let mut request = request(region, concentration, count);
        request.seed = seed;
        request.sizes.exponent = Some(exponent);
        request.sizes.max_size = Some(largest);
        if is_sheet {
            request.method = PackMethod::Tessellation;
            request.concentration = Some(0.75 + 0.2 * concentration);
        }
        match make_pack(&request, &mut |_, _| {}) {
            Ok(pack) => check(&request, &pack),
            // Few floes cannot cover so much, or so little.
            Err(PackError::NoLaw { .. }) => {}
            Err(error) => prop_assert!(is_sheet || count < 15, "{error}"),
        }
    }
}
