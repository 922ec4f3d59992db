//! Writes a page with every kind of figure, made from invented but plausible numbers, and each
//! figure as a file of its own. Look at it after any change to the figure module:
//!
//! ```text
//! cargo run -p banquise_io --example figure_gallery -- runs/gallery
//! ```

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use banquise_io::figure::{
    Arrow, Axis, ColorScale, Details, Extent, Figure, Layer, LineChart, LineStyle, Map, MapRow,
    Page, Patch, Reference, Section, Series, Shape, Table, Tile, Unit,
};

const DAY: f64 = 86_400.0;
const DURATION: f64 = 6.0 * DAY;
/// Inertial period at 75° N \[s\].
const INERTIAL_PERIOD: f64 = 44_600.0;
/// Drift of the pack \[m s⁻¹\].
const DRIFT: [f64; 2] = [0.05, 0.018];
const DOMAIN: Extent = Extent {
    min: [-12_000.0, -12_000.0],
    max: [36_000.0, 18_000.0],
};

/// A number in [0, 1) that depends on `seed` only.
fn noise(seed: u32) -> f64 {
    let mixed = seed.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    f64::from((mixed ^ (mixed >> 13)) >> 8) / f64::from(1 << 24)
}

/// Radius of the inertial loops of a floe \[m\].
fn loop_radius(floe: u32) -> f64 {
    500.0 + 900.0 * noise(floe + 50)
}

fn position(floe: u32, time: f64) -> [f64; 2] {
    let column = f64::from(floe % 4);
    let row = f64::from(floe / 4);
    let start = [
        -8000.0 + 4800.0 * column + 1500.0 * noise(floe),
        -6500.0 + 5200.0 * row,
    ];
    let angle = -TAU * time / INERTIAL_PERIOD + TAU * noise(floe + 90);
    let radius = loop_radius(floe) * (-time / (5.0 * DAY)).exp();
    let pace = 0.8 + 0.35 * noise(floe + 7);
    [
        start[0] + pace * DRIFT[0] * time + radius * angle.cos(),
        start[1] + pace * DRIFT[1] * time + radius * angle.sin(),
    ]
}

fn outline(floe: u32, center: [f64; 2], size: f64, turn: f64) -> Vec<[f64; 2]> {
    let corners = 7 + floe % 5;
    let corner = |k: u32| {
        let angle = TAU * (f64::from(k) + 0.5 * noise(floe * 31 + k)) / f64::from(corners) + turn;
        let radius = size * (0.78 + 0.3 * noise(floe * 17 + k));
        [
            center[0] + radius * angle.cos(),
            center[1] + radius * angle.sin(),
        ]
    };
    (0..corners).map(corner).collect()
}

fn speed(floe: u32, time: f64) -> f64 {
    let ahead = position(floe, time + 30.0);
    let behind = position(floe, time - 30.0);
    let [dx, dy] = [ahead[0] - behind[0], ahead[1] - behind[1]];
    (dx * dx + dy * dy).sqrt() / 60.0
}

fn floes_at(time: f64) -> Vec<Patch> {
    let floe = |index: u32| {
        let turn = time / DURATION * (noise(index) - 0.5) * 2.0;
        let size = 1100.0 + 1300.0 * noise(index + 11);
        Patch::polygon(outline(index, position(index, time), size, turn))
            .with_value(speed(index, time))
    };
    (0..10).map(floe).collect()
}

fn times(count: u32) -> impl Iterator<Item = f64> {
    (0..=count).map(move |k| DURATION * f64::from(k) / f64::from(count))
}

fn track(floe: u32) -> Vec<[f64; 2]> {
    times(3000).map(|time| position(floe, time)).collect()
}

fn coast() -> Layer {
    let coast = vec![
        [10_000.0, -12_000.0],
        [13_000.0, -9800.0],
        [17_500.0, -10_400.0],
        [21_000.0, -8600.0],
        [27_000.0, -9900.0],
        [36_000.0, -7800.0],
        [36_000.0, -12_000.0],
    ];
    let island = Shape::Disc {
        center: [30_000.0, 3500.0],
        radius: 1600.0,
    };
    Layer::Obstacles(vec![Shape::Polygon(vec![coast]), island])
}

fn speed_scale() -> ColorScale {
    ColorScale {
        label: "Speed".into(),
        unit: Unit::Fixed("m s⁻¹".into()),
        range: None,
    }
}

fn drift_map() -> Map {
    Map {
        title: "Trajectories over six days".into(),
        extent: Some(DOMAIN),
        layers: vec![
            coast(),
            Layer::Floes(
                floes_at(DURATION)
                    .into_iter()
                    .map(|p| Patch { value: None, ..p })
                    .collect(),
            ),
            Layer::Trajectories((0..10).map(track).collect()),
        ],
        arrows: vec![
            Arrow {
                label: "wind 8 m s⁻¹".into(),
                direction: [1.0, 0.35],
            },
            Arrow {
                label: "current".into(),
                direction: [0.2, 1.0],
            },
        ],
        time: Some(DURATION),
        ..Map::default()
    }
}

fn colored_map() -> Map {
    Map {
        title: "Speed of each floe".into(),
        extent: Some(DOMAIN),
        layers: vec![coast(), Layer::Floes(floes_at(1.5 * DAY))],
        color_scale: Some(speed_scale()),
        time: Some(1.5 * DAY),
        ..Map::default()
    }
}

fn pack_map() -> Map {
    let floe = |k: u32| {
        let column = f64::from(k % 60);
        let row = f64::from(k / 60);
        let center = [
            1000.0 * (column + 0.3 * noise(k)),
            1000.0 * (row + 0.3 * noise(k + 9999)),
        ];
        let thickness = 0.6 + 1.8 * noise(k + 5) * (0.3 + 0.7 * column / 60.0);
        Patch::polygon(outline(k, center, 430.0, 0.0)).with_value(thickness)
    };
    Map {
        title: "Three thousand floes".into(),
        layers: vec![Layer::Floes((0..3000).map(floe).collect())],
        color_scale: Some(ColorScale {
            label: "Thickness".into(),
            unit: Unit::Prefixed("m".into()),
            range: None,
        }),
        ..Map::default()
    }
}

fn disc_map() -> Map {
    let disc = |k: u32| {
        let [x, y] = [f64::from(k % 7), f64::from(k / 7)];
        Patch::disc(
            [105.0 * x + 40.0 * noise(k), 100.0 * y],
            30.0 + 18.0 * noise(k + 3),
        )
    };
    let domain = Extent {
        min: [-80.0, -80.0],
        max: [760.0, 380.0],
    };
    Map {
        title: "Discs in a closed basin".into(),
        layers: vec![
            Layer::Domain(domain),
            Layer::Floes((0..28).map(disc).collect()),
        ],
        time: Some(240.0),
        ..Map::default()
    }
}

fn row_of_maps() -> MapRow {
    let map = |day: f64| Map {
        extent: Some(DOMAIN),
        layers: vec![coast(), Layer::Floes(floes_at(day * DAY))],
        color_scale: Some(speed_scale()),
        time: Some(day * DAY),
        ..Map::default()
    };
    MapRow {
        title: "Configuration at chosen times".into(),
        maps: [0.0, 2.0, 4.0, 6.0].map(map).into(),
        ..MapRow::default()
    }
}

fn time_axis() -> Axis {
    Axis::new("Time", Unit::Time)
}

fn speed_axis() -> Axis {
    Axis::new("Speed", Unit::Fixed("m s⁻¹".into()))
}

fn speed_chart() -> LineChart {
    let series = |floe: u32| {
        let points = times(20_000)
            .map(|time| [time, speed(floe, time)])
            .collect();
        Series::new(&format!("floe {}", floe + 1), points)
    };
    LineChart {
        title: "Speed of four floes".into(),
        x_axis: time_axis(),
        y_axis: speed_axis(),
        series: (0..4).map(series).collect(),
        references: vec![
            Reference::Horizontal {
                value: 0.053,
                label: "mean drift 0.053 m s⁻¹".into(),
            },
            Reference::Vertical {
                value: 2.5 * DAY,
                label: "wind drops".into(),
            },
        ],
        ..LineChart::default()
    }
}

fn energy_chart() -> LineChart {
    let energy = |time: f64| 4.1e10 * (0.25 + (-time / (2.0 * DAY)).exp());
    let ripple =
        |time: f64| 1.0 + 0.06 * (TAU * time / INERTIAL_PERIOD).sin() * (-time / (4.0 * DAY)).exp();
    let kinetic = times(4000).map(|t| [t, energy(t) * ripple(t)]).collect();
    let model = times(200).map(|t| [t, energy(t)]).collect();
    let lost = times(4000)
        .map(|t| {
            [
                t,
                if t > 3.0 * DAY && t < 3.5 * DAY {
                    f64::NAN
                } else {
                    5.2e10 - energy(t)
                },
            ]
        })
        .collect();
    LineChart {
        title: "Energy budget".into(),
        x_axis: time_axis(),
        y_axis: Axis::new("Energy", Unit::Prefixed("J".into())),
        series: vec![
            Series::new("kinetic energy", kinetic),
            Series {
                color: Some(0),
                ..Series::new("exponential decay", model).with_style(LineStyle::Dashed)
            },
            Series::new("lost to drag (record has a gap)", lost),
        ],
        ..LineChart::default()
    }
}

fn crowd_chart() -> LineChart {
    let curve = |k: u32| -> Vec<[f64; 2]> {
        let at = |t: f64| {
            let wave = (TAU * (t / INERTIAL_PERIOD + noise(k))).sin();
            0.05 + 0.02 * noise(k + 400)
                + (0.01 + 0.03 * noise(k + 800)) * wave * (-t / (4.0 * DAY)).exp()
        };
        times(1500).map(|t| [t, at(t)]).collect()
    };
    let curves: Vec<Vec<[f64; 2]>> = (0..350).map(curve).collect();
    let mean = |index: usize| {
        let sum: f64 = curves.iter().map(|curve| curve[index][1]).sum();
        [curves[0][index][0], sum / curves.len() as f64]
    };
    let mean: Vec<[f64; 2]> = (0..curves[0].len()).map(mean).collect();
    let faint = curves
        .iter()
        .map(|c| Series::new("", c.clone()).with_style(LineStyle::Faint));
    LineChart {
        title: "Speed of 350 floes and their mean".into(),
        x_axis: time_axis(),
        y_axis: speed_axis(),
        series: faint
            .chain([Series {
                color: Some(1),
                ..Series::new("mean", mean)
            }])
            .collect(),
        ..LineChart::default()
    }
}

fn size_chart() -> LineChart {
    let sizes = (0..26).map(|k| 30.0 * 1.25_f64.powi(k));
    let count = |size: f64, k: u32| 4e7 * size.powf(-1.9) * (0.8 + 0.5 * noise(k));
    let points = sizes
        .clone()
        .zip(0..)
        .map(|(size, k)| [size, count(size, k)])
        .collect();
    let law = sizes.map(|size| [size, 4e7 * size.powf(-1.9)]).collect();
    LineChart {
        title: "Floe size distribution".into(),
        x_axis: Axis::log("Mean diameter", Unit::Prefixed("m".into())),
        y_axis: Axis::log("Floes larger", Unit::None),
        series: vec![
            Series::new("pack at day 6", points).with_style(LineStyle::Markers),
            Series::new("slope −1.9", law).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}

fn constant_chart() -> LineChart {
    let points = times(50).map(|time| [time, 9.0e6]).collect();
    LineChart {
        title: "Mass of the pack <constant> & \"quoted\"".into(),
        x_axis: time_axis(),
        y_axis: Axis::new("Mass", Unit::Fixed("kg".into())),
        series: vec![Series::new("", points)],
        ..LineChart::default()
    }
}

fn empty_chart() -> LineChart {
    LineChart {
        title: "Contact force of a run without contacts".into(),
        x_axis: time_axis(),
        y_axis: Axis::new("Force", Unit::Prefixed("N".into())),
        series: vec![Series::new("", vec![[0.0, f64::NAN], [1.0, f64::INFINITY]])],
        ..LineChart::default()
    }
}

fn single_map() -> Map {
    Map {
        title: "One floe in an inertial circle".into(),
        layers: vec![
            Layer::Trajectories(vec![
                times(2000)
                    .take(400)
                    .map(|t| {
                        let angle = -TAU * t / INERTIAL_PERIOD;
                        [900.0 * angle.cos(), 900.0 * angle.sin()]
                    })
                    .collect(),
            ]),
            Layer::Floes(vec![Patch::polygon(outline(3, [900.0, 0.0], 260.0, 0.0))]),
        ],
        ..Map::default()
    }
}

fn table() -> Table {
    let row = |floe: u32| {
        vec![
            format!("floe {}", floe + 1),
            format!("{:.2}", 1.0 + 2.0 * noise(floe)),
            format!("{:.1}", loop_radius(floe) / 100.0),
            format!("{:.3}", speed(floe, DAY)),
        ]
    };
    Table {
        caption: "The first five floes.".into(),
        header: [
            "Floe",
            "Thickness (m)",
            "Loop radius (100 m)",
            "Speed at day 1 (m s⁻¹)",
        ]
        .map(str::to_owned)
        .into(),
        rows: (0..5).map(row).collect(),
    }
}

fn page() -> Page {
    let figure = |svg: String, caption: &str| Figure::new(svg, caption);
    Page {
        title: "Ten floes adrift".into(),
        subtitle: "A gallery of invented numbers: six days of drift off a coast, with inertial loops.".into(),
        tiles: [("floes", "10"), ("duration", "6 d"), ("steps", "51 840"), ("contacts", "1 204"), ("run time", "38 s")]
            .map(|(label, value)| Tile::new(label, value))
            .into(),
        sections: vec![
            Section {
                heading: "Where the ice went".into(),
                text: "Rings mark where each floe starts, arrows where it ends.\n\nThe loops turn clockwise, once in twelve hours, and fade as the ocean drags on the ice.".into(),
                figures: vec![
                    figure(drift_map().to_svg(), "Every loop is one inertial period of 12.4 h."),
                    figure(colored_map().to_svg(), "Floes coloured by speed; land in sand."),
                    Figure::wide(row_of_maps().to_svg(), "One extent and one colour scale for all four maps."),
                ],
                ..Section::default()
            },
            Section {
                heading: "Speed and energy".into(),
                figures: vec![
                    figure(speed_chart().to_svg(), "Twenty thousand samples per curve, drawn by their extrema."),
                    figure(energy_chart().to_svg(), "A missing record breaks the line."),
                    figure(crowd_chart().to_svg(), "A crowd is thin and translucent, without a legend of its own."),
                    figure(size_chart().to_svg(), "Logarithmic axes."),
                ],
                tables: vec![table()],
                ..Section::default()
            },
            Section {
                heading: "Corner cases".into(),
                figures: vec![
                    figure(pack_map().to_svg(), "Three thousand outlines."),
                    figure(disc_map().to_svg(), "Discs are true circles; the dashed line is the domain."),
                    figure(single_map().to_svg(), ""),
                    figure(Map { title: "Empty map".into(), ..Map::default() }.to_svg(), "Nothing to show."),
                    figure(constant_chart().to_svg(), "A constant gets some air."),
                    figure(empty_chart().to_svg(), "No finite value."),
                ],
                details: vec![Details {
                    summary: "Scenario".into(),
                    text: "title = \"Ten floes adrift\"\nduration = \"6 d\"\n\n[wind]\nspeed = \"8 m/s\" # <constant>\n".into(),
                }],
                ..Section::default()
            },
        ],
        footer: "Made by Banquise from invented numbers.".into(),
    }
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args()
        .nth(1)
        .map_or_else(|| PathBuf::from("gallery"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let write = |name: &str, text: String| std::fs::write(Path::new(&folder).join(name), text);
    write("index.html", page().to_html())?;
    write("drift_map.svg", drift_map().to_svg())?;
    write("colored_map.svg", colored_map().to_svg())?;
    write("pack_map.svg", pack_map().to_svg())?;
    write("map_row.svg", row_of_maps().to_svg())?;
    write("speed_chart.svg", speed_chart().to_svg())?;
    write("crowd_chart.svg", crowd_chart().to_svg())?;
    write("size_chart.svg", size_chart().to_svg())
}
