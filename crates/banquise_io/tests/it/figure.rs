//! Whole figures and pages: well formed, safe for any numbers, the same bytes every time.

use banquise_io::figure::{
    Arrow, Axis, ColorScale, Details, Extent, Figure, Layer, LineChart, LineStyle, Map, MapRow,
    Page, Patch, Reference, Scale, Section, Series, Shape, Table, Tile, Unit,
};
use proptest::prelude::*;

/// Elements of HTML that have no end tag.
const VOID: [&str; 1] = ["meta"];

/// Panics unless tags are balanced, attributes are quoted and unique, and text is escaped.
fn assert_well_formed(document: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document.trim_start_matches("<!DOCTYPE html>");
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(
            !text.contains('>') || open.last() == Some(&"style"),
            "stray > in {text:?}"
        );
        assert_entities(text);
        let end = start + rest[start..].find('>').expect("every tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "end tag without its start");
            continue;
        }
        let (tag, is_closed) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        assert!(
            name.chars().all(|c| c.is_ascii_alphanumeric()),
            "tag name {name:?}"
        );
        assert_attributes(attributes);
        if !is_closed && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    assert!(!rest.contains('>'), "text after the end: {rest:?}");
}

fn assert_attributes(attributes: &str) {
    let mut names: Vec<&str> = Vec::new();
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, after) = rest
            .split_once("=\"")
            .expect("attributes have quoted values");
        let (value, after) = after.split_once('"').expect("quotes are closed");
        assert!(!names.contains(&name), "{name} twice in {attributes:?}");
        assert_entities(value);
        names.push(name);
        rest = after.trim_start();
    }
}

fn assert_entities(text: &str) {
    for part in text.split('&').skip(1) {
        let entities = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(
            entities.iter().any(|entity| part.starts_with(entity)),
            "bare & in {text:?}"
        );
    }
    let is_forbidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(
        !text.contains(is_forbidden),
        "control character in {text:?}"
    );
}

/// Panics if `svg` is not well formed or shows a number that is none.
fn assert_sound(svg: &str) {
    assert_well_formed(svg);
    assert!(
        !svg.contains("NaN") && !svg.contains("inf"),
        "not a number in {svg}"
    );
}

const HOSTILE: &str = "a<b> & \"c\" 'd' \u{1} \u{FFFE} ]]> <!--";

fn chart(points: Vec<[f64; 2]>, scale: Scale) -> LineChart {
    let axis = |unit: Unit| Axis {
        scale,
        ..Axis::new("q", unit)
    };
    LineChart {
        title: "t".into(),
        x_axis: axis(Unit::Time),
        y_axis: axis(Unit::Prefixed("J".into())),
        series: vec![
            Series::new("a", points.clone()),
            Series::new("b", points.clone()).with_style(LineStyle::Markers),
            Series::new("", points).with_style(LineStyle::Faint),
        ],
        ..LineChart::default()
    }
}

fn map(points: &[[f64; 2]]) -> Map {
    let value = points.first().map(|point| point[0]);
    let disc = |point: &[f64; 2]| Shape::Disc {
        center: *point,
        radius: point[1],
    };
    let [a, b] = [points.first(), points.last()].map(|p| p.copied().unwrap_or([0.0; 2]));
    Map {
        title: "t".into(),
        layers: vec![
            Layer::Floes(vec![Patch {
                value,
                ..Patch::polygon(points.to_vec())
            }]),
            Layer::Floes(
                points
                    .iter()
                    .map(|p| Patch::disc(*p, p[0]).with_value(p[1]))
                    .collect(),
            ),
            Layer::Obstacles(points.iter().map(disc).collect()),
            Layer::Trajectories(vec![points.to_vec(); 3]),
            Layer::Domain(Extent { min: a, max: b }),
        ],
        color_scale: Some(ColorScale {
            range: Some(a),
            ..ColorScale::default()
        }),
        arrows: vec![Arrow {
            label: "w".into(),
            direction: b,
        }],
        time: Some(a[0]),
        ..Map::default()
    }
}

fn any_number() -> impl Strategy<Value = f64> {
    let awkward = prop::sample::select(vec![
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        1e300,
        -1e300,
        1.0 + f64::EPSILON,
    ]);
    prop_oneof![3 => -1e6..1e6, 1 => awkward, 1 => any::<f64>(), 1 => Just(1.0)]
}

fn any_points() -> impl Strategy<Value = Vec<[f64; 2]>> {
    prop::collection::vec([any_number(), any_number()], 0..12)
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn any_numbers_make_a_sound_chart(
        points in any_points(),
        range in prop::option::of([any_number(), any_number()]),
        mark in any_number(),
        is_log in any::<bool>(),
        size in [any_number(), any_number()],
    ) {
        let mut chart = chart(points, if is_log { Scale::Log } else { Scale::Linear });
        chart.y_axis.range = range;
        chart.size = size;
        chart.references = vec![
            Reference::Horizontal { value: mark, label: "h".into() },
            Reference::Vertical { value: mark, label: "v".into() },
        ];
        assert_sound(&chart.to_svg());
    }

    #[test]
    fn any_numbers_make_a_sound_map(
        points in any_points(),
        corners in prop::option::of([[any_number(), any_number()], [any_number(), any_number()]]),
        width in any_number(),
    ) {
        let extent = corners.map(|[min, max]| Extent { min, max });
        let map = Map { extent, width, ..map(&points) };
        assert_sound(&map.to_svg());
        let row = MapRow { maps: vec![map.clone(), Map::default(), map], width, ..MapRow::default() };
        assert_sound(&row.to_svg());
    }

    #[test]
    fn any_text_makes_a_well_formed_page(text in any::<String>()) {
        assert_well_formed(&page(&text).to_html());
    }
}

fn page(text: &str) -> Page {
    let text = || text.to_owned();
    let chart = LineChart {
        title: text(),
        description: text(),
        x_axis: Axis::new(&text(), Unit::Fixed(text())),
        y_axis: Axis::new(&text(), Unit::Prefixed(text())),
        series: vec![Series::new(&text(), vec![[0.0, 1.0], [1.0, 2e9]])],
        references: vec![Reference::Vertical {
            value: 0.5,
            label: text(),
        }],
        ..LineChart::default()
    };
    let map = Map {
        title: text(),
        color_scale: Some(ColorScale {
            label: text(),
            ..ColorScale::default()
        }),
        arrows: vec![Arrow {
            label: text(),
            direction: [1.0, 0.0],
        }],
        ..Map::default()
    };
    let row = MapRow {
        title: text(),
        maps: vec![map.clone(), map.clone()],
        ..MapRow::default()
    };
    let section = Section {
        heading: text(),
        text: text(),
        figures: vec![
            Figure::new(chart.to_svg(), &text()),
            Figure::new(map.to_svg(), &text()),
            Figure::wide(row.to_svg(), &text()),
        ],
        tables: vec![Table {
            caption: text(),
            header: vec![text()],
            rows: vec![vec![text(); 2]],
        }],
        details: vec![Details {
            summary: text(),
            text: text(),
        }],
    };
    Page {
        title: text(),
        subtitle: text(),
        tiles: vec![Tile::new(&text(), &text())],
        sections: vec![section; 3],
        footer: text(),
    }
}

#[test]
fn hostile_text_stays_text_everywhere() {
    let html = page(HOSTILE).to_html();
    assert_well_formed(&html);
    assert!(!html.contains("a<b>") && !html.contains("<!--"));
}

#[test]
fn same_input_gives_the_same_bytes() {
    assert_eq!(page("x").to_html(), page("x").to_html());
}

#[test]
fn figures_have_a_name_a_description_and_no_id() {
    for svg in [
        chart(vec![[1.0, 2.0]], Scale::Linear).to_svg(),
        map(&[[1.0, 2.0]]).to_svg(),
    ] {
        assert!(svg.contains("role=\"img\"") && svg.contains("aria-label=\"t\""));
        assert!(svg.contains("<title>t</title>") && svg.contains("<desc>"));
        assert!(!svg.contains(" id="), "two figures in a page would clash");
    }
}

#[test]
fn empty_figures_say_so() {
    let chart = chart(vec![[0.0, f64::NAN]], Scale::Linear).to_svg();
    assert_sound(&chart);
    assert!(chart.contains("No values to draw"));
    assert!(Map::default().to_svg().contains("Nothing to draw"));
    assert_sound(&MapRow::default().to_svg());
}

#[test]
fn a_missing_value_breaks_the_line() {
    let moves = |points: Vec<[f64; 2]>| {
        let chart = LineChart {
            series: vec![Series::new("", points)],
            ..LineChart::default()
        };
        let svg = chart.to_svg();
        let curve = svg
            .lines()
            .find(|line| line.contains("class=\"s-c0\""))
            .unwrap()
            .to_owned();
        curve.matches('M').count()
    };
    assert_eq!(
        moves(vec![[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]]),
        1
    );
    assert_eq!(
        moves(vec![
            [0.0, 0.0],
            [1.0, 1.0],
            [1.5, f64::NAN],
            [2.0, 0.0],
            [3.0, 1.0]
        ]),
        2
    );
}

/// Noise without a pattern: the worst case for decimation.
fn noise(seed: u32) -> f64 {
    f64::from(
        seed.wrapping_mul(2_654_435_761)
            .rotate_left(13)
            .wrapping_mul(2_246_822_519),
    ) / 4e9
}

#[test]
fn large_recordings_stay_small_files() {
    let long = |shift: u32| {
        (0..100_000)
            .map(|k| [f64::from(k), noise(k + shift)])
            .collect()
    };
    let few = LineChart {
        series: (0..4).map(|k| Series::new("s", long(k * 7919))).collect(),
        ..LineChart::default()
    };
    let size = few.to_svg().len();
    assert!(
        size < 200_000,
        "{size} bytes for four noisy series of 100 000 points"
    );

    let crowd = |k: u32| {
        (0..2000)
            .map(|i| [f64::from(i), noise(i + 2000 * k)])
            .collect()
    };
    let many = LineChart {
        series: (0..350).map(|k| Series::new("s", crowd(k))).collect(),
        ..LineChart::default()
    };
    let svg = many.to_svg();
    assert!(
        svg.len() < 1_200_000,
        "{} bytes for 350 noisy series",
        svg.len()
    );
    assert_eq!(
        svg.matches("class=\"s-faint\"").count(),
        350,
        "a crowd is thin"
    );

    let dots = Series::new("s", long(1)).with_style(LineStyle::Markers);
    let size = LineChart {
        series: vec![dots],
        ..LineChart::default()
    }
    .to_svg()
    .len();
    assert!(size < 1_200_000, "{size} bytes for 100 000 dots");
}

#[test]
fn thousands_of_floes_stay_a_small_file() {
    let floe = |k: u32| {
        let center = [f64::from(k % 70) * 100.0, f64::from(k / 70) * 100.0];
        let corner = |c: u32| {
            let angle = f64::from(c);
            [
                center[0] + 45.0 * angle.cos(),
                center[1] + 45.0 * angle.sin(),
            ]
        };
        Patch::polygon((0..6).map(corner).collect()).with_value(noise(k))
    };
    let map = Map {
        layers: vec![Layer::Floes((0..5000).map(floe).collect())],
        color_scale: Some(ColorScale::default()),
        ..Map::default()
    };
    let size = map.to_svg().len();
    assert!(size < 600_000, "{size} bytes for 5 000 floes");
}

#[test]
fn discs_are_true_circles() {
    let map = Map {
        layers: vec![Layer::Floes(vec![Patch::disc([0.0, 0.0], 100.0)])],
        ..Map::default()
    };
    assert_eq!(map.to_svg().matches("<circle").count(), 1);
}

#[test]
fn maps_of_a_row_share_their_colours() {
    let one = |value: f64| Map {
        layers: vec![Layer::Floes(vec![
            Patch::disc([0.0, 0.0], 100.0).with_value(value),
        ])],
        color_scale: Some(ColorScale::default()),
        ..Map::default()
    };
    let svg = MapRow {
        maps: vec![one(0.0), one(1.0)],
        ..MapRow::default()
    }
    .to_svg();
    let circles: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<circle"))
        .collect();
    assert!(
        circles[0].contains("#440154") && circles[1].contains("#fde725"),
        "{circles:?}"
    );
}
