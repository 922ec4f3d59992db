//! The page of `banquise glacier stability`: what the source saw, and why.

use banquise_io::figure::{
    Axis, ColorScale, HeatMap, Page, Reference, Scale, Section, Series, Table, Tile, Unit,
};

use super::Found;
use super::output::{Drawn, chart, digits, footer, how_it_was_made, shown};
use super::stability_results::{RadiusMap, Stability, limit_text};
use crate::arguments::glacier::StudyArguments;

pub(super) fn page(
    found: &Found,
    arguments: &StudyArguments,
    study: &Stability,
) -> (Page, Vec<Drawn>) {
    let figures = figures(study);
    let tile = |label: &str, name: &str| Tile::new(label, &limit_text(study.limit(name)));
    let page = Page {
        title: "Which steps are stable, and what the source saw".into(),
        subtitle: format!(
            "{} blocks of {} m sliding at {} m/s",
            found.plan.chain.settings().blocks,
            digits(found.plan.chain.spacing()),
            digits(study.speed)
        ),
        tiles: vec![
            tile("lagged Verlet", "Verlet, chain"),
            tile("semi-implicit", "semi-implicit, at any speed"),
            tile("HHT", "HHT, any α in [−1/3, 0]"),
            tile("HHT as printed", "HHT as printed, without the 1/3"),
        ],
        sections: vec![
            Section {
                heading: "A glacier that slid by itself".into(),
                text: sliding_text(study),
                figures: shown(&figures, &["cycle", "verlet"]),
                ..Section::default()
            },
            Section {
                heading: "An implicit scheme that seemed worse".into(),
                text: HHT_TEXT.into(),
                figures: shown(
                    &figures,
                    &["map_printed", "map_correct", "hht_printed", "hht_correct"],
                ),
                ..Section::default()
            },
            Section {
                heading: "Claims and verdicts".into(),
                text: claims(study),
                tables: vec![limits_table(study)],
                ..Section::default()
            },
            how_it_was_made(found, arguments),
        ],
        footer: footer(),
    };
    (page, figures)
}

fn sliding_text(study: &Stability) -> String {
    format!(
        "The source's glacier slid too fast without any force on the front, and even where its own criterion, eq. 10, promised stability. Its Verlet \
         scheme takes the friction of the velocity before. A small disturbance of the speed then obeys \
         v⁺ = v − (a/2)(v + v⁻) with a = c Δt/m, which is stable for a < 2: up to 6 ρ H/C U^(2/3) = {}. Eq. 10 left out the lag of the first \
         force and found twice as much, {}.\n\nBeyond the limit the speed jumps at once into a cycle of four steps, the roots ±i of the limit. \
         Friction grows with the cube root of the speed, which is concave: to balance the weight on average, the mean speed of a cycle must be \
         larger than that of steady sliding. This is the sliding of the source's first section: 3.5 times too fast just above the limit, 5.4 times at \
         1 ms, 266 times at 12 ms. (Near 1.2 ms the mean jumps once more: a cycle of two fast \
         steps and two slow ones takes over from one of four speeds around the mean.) The criterion was not too careful, as the source supposed from a spectral radius of 1.71; it was not careful \
         enough.\n\nThe limit shrinks with the speed. Where an iceberg slows the front down it goes to nothing, and no explicit scheme with this \
         bed passes the moment when the flow turns.",
        limit_text(study.limit("Verlet, one block")),
        limit_text(study.limit("Verlet, one block, by the source's eq. 10")),
    )
}

const HHT_TEXT: &str = "The source then turned to the implicit scheme of Hilber, Hughes and Taylor, and found it stable only up to 4e-5 s whatever α, ten times \
     less than the explicit scheme. This is three errors together. The damping matrix C was given the sign of the velocity, which is negative, so \
     that friction drives (eq. 30). The 1/3 of the derivative was left out of the code, as it was in the Verlet matrix. And the amplification matrix \
     adds the increment to the old state in place of the predictor (eq. 32). With these, one eigenvalue is 1 − N/D with N = 1 + 3s/2, s = c Δt/m: \
     for negative c it leaves the unit circle at s = −2/3, and α does not appear in it.\n\nThe correct scheme is stable for every step from 1e-6 s to \
     1e4 s and every α from −1/3 to 0; the radius of one is the translation of the whole glacier. α = −1/4 damps stiff friction best; α = 0 lets it \
     ring for ever.";

/// Claims of the source, with our results and the reasons of differences.
fn claims(study: &Stability) -> String {
    let limit = |name: &str| limit_text(study.limit(name));
    let claims = [
        format!(
            "Eq. 10 has Verlet stable to 12 ρH/C U^(2/3), 8e-4 s. Here: {}. The factor is 6: the force before the disturbance was \
             set to zero, and so its lag was lost.",
            limit("Verlet, one block")
        ),
        "Section 3.2 has it unstable below 4.06e-6 m/s at 2e-4 s. Here: the same. It follows from the factor 6: the code knew \
         better than eq. 10."
            .to_owned(),
        "Eqs. 18 and 20 have a bed that is linear below ν stable to 4 ρH/C_l, a sixth of eq. 10. Here: 2 ρH/C_l, a third of the \
         right limit. With the doubled eq. 10 the printed sixth lands on the right value: two errors cancel."
            .to_owned(),
        "Section 4 has an elastic limit of 0.025 s for blocks of 25 m. Here: 0.00799 s. The source took the shortest period, \
         π δl/c; the limit is 2/ω = δl/c."
            .to_owned(),
        format!(
            "Section 5 has HHT stable to 4e-5 s whatever α. Here: {}. With its three errors: {}; with the 1/3 in place: {}.",
            limit("HHT, any α in [−1/3, 0]"),
            limit("HHT as printed, without the 1/3"),
            limit("HHT as printed")
        ),
        "Section 5 has a radius of 1.71 for Verlet at its limit and takes the criterion for too conservative. Here: 1.000. The 1/3 \
         was left out of the matrix, and a radius above one would mean not conservative enough."
            .to_owned(),
        "Section 4 has the seismic force converged to 99.99 % at 25 m, at 310.75 GN/m. Here: F_s = F_c for any block size, since the \
         springs add up to nothing; and that force is ten thousand times that of a large iceberg."
            .to_owned(),
    ];
    claims.join("\n\n")
}

fn limits_table(study: &Stability) -> Table {
    Table {
        caption: "Longest stable steps for this chain.".into(),
        header: ["Scheme", "Limit"].map(str::to_owned).into(),
        rows: study
            .limits
            .iter()
            .map(|(name, limit)| vec![(*name).to_owned(), limit_text(*limit)])
            .collect(),
    }
}

fn step_axis() -> Axis {
    Axis::log("Step", Unit::Fixed("s".into()))
}

fn radius_axis() -> Axis {
    Axis {
        range: Some([0.0, 2.5]),
        ..Axis::new("Spectral radius", Unit::None)
    }
}

fn figures(study: &Stability) -> Vec<Drawn> {
    vec![
        cycle(study),
        verlet(study),
        map(
            "map_printed",
            "HHT as printed, without the 1/3",
            &study.printed_map,
            "The source's figure 20 again: one limit for all α.",
        ),
        map(
            "map_correct",
            "HHT, correct",
            &study.correct_map,
            "The same map of the correct scheme: one everywhere, nowhere above.",
        ),
        hht(
            study,
            "hht_printed",
            "HHT as printed",
            "HHT as printed, ",
            "The source's figure 21 again. The curves part only where all are unstable.",
        ),
        hht(
            study,
            "hht_correct",
            "HHT, correct",
            "HHT, ",
            "Ten decades of steps.",
        ),
    ]
}

fn cycle(study: &Stability) -> Drawn {
    let series = |label: &str, index: usize| {
        let points = study.cycles.iter().map(|row| [row[0], row[index]]);
        Series::new(label, points.collect())
    };
    let mut chart = chart(
        "Mean speed of one block without a force on the front",
        step_axis(),
        Axis::log("Mean speed / steady speed", Unit::None),
        vec![series("mean over 400 steps", 1)],
    );
    let vertical = |name: &str, label: &str| Reference::Vertical {
        value: study.limit(name),
        label: label.into(),
    };
    chart.references = vec![
        vertical("Verlet, one block", "true limit"),
        vertical("Verlet, one block, by the source's eq. 10", "eq. 10"),
    ];
    Drawn::new(
        "cycle",
        chart.to_svg(),
        "The lagged Verlet scheme, once settled. The source saw the right-hand part, and asked why.",
    )
}

fn verlet(study: &Stability) -> Drawn {
    let names = [
        "Verlet",
        "Verlet as coded, without the 1/3",
        "Verlet without friction",
    ];
    let mut chart = chart(
        "Spectral radius of the Verlet scheme",
        Axis {
            range: Some([1e-6, 1.0]),
            ..step_axis()
        },
        radius_axis(),
        curves(study, &names.map(str::to_owned), str::to_owned),
    );
    chart.references = vec![Reference::Vertical {
        value: study.limit("Verlet, chain"),
        label: "limit".into(),
    }];
    Drawn::new(
        "verlet",
        chart.to_svg(),
        "The source's figure 22 again. At the limit its curve is at 1.73: the matrix had three times the damping.",
    )
}

fn curves(study: &Stability, names: &[String], label: impl Fn(&str) -> String) -> Vec<Series> {
    let wanted = study.radii.iter().filter(|(name, _)| names.contains(name));
    wanted
        .map(|(name, radii)| {
            let points = study
                .steps
                .iter()
                .zip(radii)
                .map(|(&dt, &radius)| [dt, radius]);
            Series::new(&label(name), points.collect())
        })
        .collect()
}

fn hht(study: &Stability, name: &'static str, title: &str, prefix: &str, caption: &str) -> Drawn {
    let names: Vec<String> = study
        .radii
        .iter()
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, _)| name.clone())
        .collect();
    let is_printed = name == "hht_printed";
    let mut chart = chart(
        &format!("Spectral radius, {title}"),
        if is_printed {
            Axis {
                range: Some([1e-6, 1.0]),
                ..step_axis()
            }
        } else {
            step_axis()
        },
        radius_axis(),
        curves(study, &names, |name| {
            name.trim_start_matches(prefix).to_owned()
        }),
    );
    if is_printed {
        chart.references = vec![Reference::Vertical {
            value: study.limit("HHT as printed, without the 1/3"),
            label: "limit of all α".into(),
        }];
    }
    Drawn::new(name, chart.to_svg(), caption)
}

/// Edges half-way between places.
fn edges(places: &[f64], scale: Scale) -> Vec<f64> {
    let middle = |a: f64, b: f64| match scale {
        Scale::Linear => 0.5 * (a + b),
        Scale::Log => (a * b).sqrt(),
    };
    let (first, last) = (places[0], places[places.len() - 1]);
    let inner = places.windows(2).map(|pair| middle(pair[0], pair[1]));
    std::iter::once(first).chain(inner).chain([last]).collect()
}

fn map(name: &'static str, title: &str, map: &RadiusMap, caption: &str) -> Drawn {
    let heat_map = HeatMap {
        title: format!("Spectral radius, {title}"),
        x_axis: step_axis(),
        y_axis: Axis::new("α", Unit::None),
        x_edges: edges(&map.steps, Scale::Log),
        y_edges: edges(&map.alphas, Scale::Linear),
        values: map.values.clone(),
        color_scale: ColorScale {
            label: "Spectral radius".into(),
            unit: Unit::None,
            range: Some([0.0, 2.0]),
        },
        ..HeatMap::default()
    };
    Drawn::new(name, heat_map.to_svg(), caption)
}
