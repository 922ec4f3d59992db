//! The study of two wooden discs in a basin: which restitution fits what was filmed? (Rabatel 2015,
//! section 3.1.3.)

use banquise_geometry::DVec2;
use banquise_io::figure::{
    Axis, Figure, Layer, LineChart, LineStyle, Map, MapRow, Patch, Series, Unit,
};
use serde_json::{Value, json};

use super::{Comparison, advance, run_of, table};
use crate::failure::Failure;

/// Velocities [cm/s] of both discs, eastward and northward, before and after a collision, as measured
/// (Rabatel 2015, table 3.2).
struct Filmed {
    before: [[f64; 2]; 2],
    after: [[f64; 2]; 2],
}

const FILMED: [Filmed; 7] = [
    filmed([-0.84, -21.75, -0.62, -0.44], [-0.46, -7.07, 0.0, -14.34]),
    filmed([-1.65, -27.65, -0.19, -0.64], [-0.72, -8.16, -0.14, -19.65]),
    filmed([-0.41, -20.07, -0.91, 1.25], [0.48, -3.86, 0.32, -13.17]),
    filmed([3.33, -25.12, 0.41, 2.78], [-2.23, -6.6, 7.34, -14.01]),
    filmed([-1.46, -22.59, 0.49, -0.43], [-5.67, -6.56, 4.43, -14.61]),
    filmed([0.3, -19.95, 0.35, -0.29], [3.57, -7.53, -4.09, -13.92]),
    filmed([-7.36, -27.21, 2.0, 0.26], [-11.94, -11.01, 6.73, -16.73]),
];

const fn filmed(before: [f64; 4], after: [f64; 4]) -> Filmed {
    let [a, b, c, d] = before;
    let [e, f, g, h] = after;
    Filmed {
        before: [[a, b], [c, d]],
        after: [[e, f], [g, h]],
    }
}

/// Radius of a disc, and the distance of the centres at the start: half a millimetre apart \[m\].
const RADIUS: f64 = 0.495;
const START: f64 = 2.0 * RADIUS + 5e-4;
/// Paths are compared for this long after the collision \[s\], as often as this.
const WHILE: f64 = 1.0;
const LOOKS: u32 = 10;
/// Resolution of the fitted restitution.
const FINE: f64 = 1e-4;

impl Filmed {
    fn velocity(rows: &[[f64; 2]; 2], disc: usize) -> DVec2 {
        0.01 * DVec2::from(rows[disc])
    }

    /// Change of the velocity of the first disc less that of the second [m/s]. Without friction it is along
    /// the normal.
    fn change(&self) -> DVec2 {
        let change = |disc| Self::velocity(&self.after, disc) - Self::velocity(&self.before, disc);
        change(0) - change(1)
    }

    /// From the second disc to the first, a unit.
    fn normal(&self) -> DVec2 {
        self.change().normalize()
    }

    /// The restitution that the velocities just before and just after imply.
    fn restitution(&self) -> f64 {
        let apart = |rows| Self::velocity(rows, 0) - Self::velocity(rows, 1);
        let normal = self.normal();
        -apart(&self.after).dot(normal) / apart(&self.before).dot(normal)
    }

    /// Where the discs were at a time \[s\] after the collision, on straight lines.
    fn place(&self, disc: usize, time: f64) -> DVec2 {
        let start = if disc == 0 {
            DVec2::ZERO
        } else {
            -START * self.normal()
        };
        let rows = if time < 0.0 {
            &self.before
        } else {
            &self.after
        };
        start + time * Self::velocity(rows, disc)
    }

    /// Where they are in the model, at the end of each of [`LOOKS`] equal parts of [`WHILE`].
    fn modelled(&self, restitution: f64) -> Result<Vec<[DVec2; 2]>, Failure> {
        let second = self.place(1, 0.0);
        let velocity = |disc: usize| {
            let [u, v] = self.before[disc];
            format!("floe[{disc}].velocity=[\"{u} cm/s\", \"{v} cm/s\"]")
        };
        let overrides = [
            format!("contact.restitution={restitution}"),
            velocity(0),
            velocity(1),
            format!("floe[1].position=[\"{} m\", \"{} m\"]", second.x, second.y),
        ];
        let mut simulation = run_of("basin", &overrides)?.simulation;
        let mut places = Vec::new();
        for look in 1..=LOOKS {
            advance(&mut simulation, part(look))?;
            places.push([0, 1].map(|disc| simulation.world.unwrapped_position(disc)));
        }
        Ok(places)
    }

    /// Root mean square distance of filmed and modelled paths \[m\].
    fn distance(&self, restitution: f64) -> Result<f64, Failure> {
        let places = self.modelled(restitution)?;
        let squares = places.iter().zip(1..).flat_map(|(both, look)| {
            [0, 1].map(|disc| both[disc].distance_squared(self.place(disc, part(look))))
        });
        Ok((squares.sum::<f64>() / f64::from(2 * LOOKS)).sqrt())
    }
}

fn part(look: u32) -> f64 {
    WHILE * f64::from(look) / f64::from(LOOKS)
}

/// Root mean square over some collisions.
fn distance(collisions: &[Filmed], restitution: f64) -> Result<f64, Failure> {
    let mut sum = 0.0;
    for collision in collisions {
        sum += collision.distance(restitution)?.powi(2);
    }
    Ok((sum / collisions.len() as f64).sqrt())
}

/// The restitution between 0 and 1 with the nearest paths, by golden sections.
fn fit(collisions: &[Filmed]) -> Result<f64, Failure> {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    let mut inner = [high - ratio, low + ratio];
    let mut values = [
        distance(collisions, inner[0])?,
        distance(collisions, inner[1])?,
    ];
    while high - low > FINE {
        if values[0] < values[1] {
            high = inner[1];
            inner = [high - ratio * (high - low), inner[0]];
            values = [distance(collisions, inner[0])?, values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + ratio * (high - low)];
            values = [values[1], distance(collisions, inner[1])?];
        }
    }
    Ok(0.5 * (low + high))
}

/// Fits each collision, and all together.
pub(super) fn compare() -> Result<Comparison, Failure> {
    let common = fit(&FILMED)?;
    let mut rows = Vec::new();
    let mut json = Vec::new();
    let mut maps = Vec::new();
    let mut paths = Vec::new();
    for (number, collision) in (1..).zip(&FILMED) {
        let own = fit(std::slice::from_ref(collision))?;
        let normal = collision.normal();
        let numbers = [
            normal.x.atan2(normal.y).to_degrees(),
            collision.restitution(),
            own,
            1e3 * collision.distance(own)?,
            1e3 * collision.distance(common)?,
            1e3 * collision.distance(PUBLISHED)?,
        ];
        rows.push(row(&number.to_string(), &numbers));
        json.push(to_json(number, &numbers));
        maps.push(map(number, collision));
        paths.push((
            PATHS[number as usize - 1],
            chart(number, collision, common)?,
        ));
    }
    let all = [common, PUBLISHED].map(|restitution| distance(&FILMED, restitution));
    let [all_common, all_published] = all;
    let (all_common, all_published) = (1e3 * all_common?, 1e3 * all_published?);
    rows.push([
        "all".into(),
        "–".into(),
        "–".into(),
        format!("{common:.3}"),
        "–".into(),
        format!("{all_common:.1}"),
        format!("{all_published:.1}"),
    ]);
    json.push(json!({
        "collision": "all",
        "fitted_restitution": common,
        "distance_common_mm": all_common,
        "distance_published_mm": all_published,
    }));
    let [low, high] = within(common)?;
    Ok(Comparison {
        title: "Two wooden discs in a basin".into(),
        text: format!(
            "Seven filmed collisions. The restitution is fitted so that modelled paths, with the drag of the water, are nearest to straight \
             lines at the velocities measured after the collision, for {WHILE} s and both discs. One for all: {common:.3}; between {low:.2} \
             and {high:.2} the paths are at most a tenth farther apart. The source has {PUBLISHED}. The normal is the direction in which the \
             measured velocities change. Implied: by the velocities alone, without drag."
        ),
        tables: vec![table(
            "",
            [
                "collision",
                "normal off y (°)",
                "implied",
                "fitted",
                "distance, fitted (mm)",
                "distance, one for all (mm)",
                "distance, source (mm)",
            ],
            rows,
        )],
        figures: [("collisions", row_of(maps)), ("distance", curve()?)]
            .into_iter()
            .chain(paths)
            .collect(),
        json,
    })
}

/// Restitution that the source found.
const PUBLISHED: f64 = 0.35;

fn row(name: &str, numbers: &[f64; 6]) -> [String; 7] {
    let [normal, implied, own, at_own, at_common, at_published] = numbers;
    [
        name.into(),
        format!("{normal:.1}"),
        format!("{implied:.3}"),
        format!("{own:.3}"),
        format!("{at_own:.1}"),
        format!("{at_common:.1}"),
        format!("{at_published:.1}"),
    ]
}

fn to_json(number: u32, numbers: &[f64; 6]) -> Value {
    let [normal, implied, own, at_own, at_common, at_published] = numbers;
    json!({
        "collision": number,
        "normal_degrees": normal,
        "implied_restitution": implied,
        "fitted_restitution": own,
        "distance_fitted_mm": at_own,
        "distance_common_mm": at_common,
        "distance_published_mm": at_published,
    })
}

/// Where the curve of [`curve`] is at most a tenth above its lowest.
fn within(common: f64) -> Result<[f64; 2], Failure> {
    let limit = 1.1 * distance(&FILMED, common)?;
    let mut range = [common, common];
    for step in 1..=100 {
        let restitution = 0.01 * f64::from(step);
        if distance(&FILMED, restitution)? <= limit {
            range = [range[0].min(restitution), range[1].max(restitution)];
        }
    }
    Ok(range)
}

/// Distance of the paths against restitution, all collisions and each.
fn curve() -> Result<Figure, Failure> {
    let points = |collisions: &[Filmed]| -> Result<Vec<[f64; 2]>, Failure> {
        (0..=20)
            .map(|step| {
                let restitution = 0.05 * f64::from(step);
                Ok([restitution, distance(collisions, restitution)?])
            })
            .collect()
    };
    let mut series = Vec::new();
    for (number, collision) in (1..).zip(&FILMED) {
        let points = points(std::slice::from_ref(collision))?;
        series.push(Series::new(&format!("collision {number}"), points));
    }
    series.push(Series::new("all", points(&FILMED)?).with_style(LineStyle::Dashed));
    let chart = LineChart {
        title: "How far modelled paths are from the filmed ones".into(),
        x_axis: Axis::new("Restitution", Unit::None),
        y_axis: Axis::new("Root mean square distance", Unit::Prefixed("m".into())),
        series,
        ..LineChart::default()
    };
    Ok(Figure::new(chart.to_svg(), ""))
}

/// Both discs where they meet, and their filmed paths.
fn map(number: u32, collision: &Filmed) -> Map {
    let discs = [0, 1].map(|disc| Patch::disc(collision.place(disc, 0.0).to_array(), RADIUS));
    let path = |disc: usize| {
        let places = [-WHILE, 0.0, WHILE].map(|time| collision.place(disc, time).to_array());
        places.to_vec()
    };
    Map {
        title: format!("collision {number}"),
        layers: vec![
            Layer::Floes(discs.to_vec()),
            Layer::Trajectories(vec![path(0), path(1)]),
        ],
        ..Map::default()
    }
}

fn row_of(maps: Vec<Map>) -> Figure {
    let row = MapRow {
        title: "Filmed paths of the centres, from a second before the collision to a second after"
            .into(),
        maps,
        ..MapRow::default()
    };
    Figure::wide(row.to_svg(), "")
}

const PATHS: [&str; 7] = [
    "path-1", "path-2", "path-3", "path-4", "path-5", "path-6", "path-7",
];

/// Ways of both discs from where they meet, filmed and modelled, one colour for each disc.
fn chart(number: u32, collision: &Filmed, restitution: f64) -> Result<Figure, Failure> {
    let modelled = collision.modelled(restitution)?;
    let mut series = Vec::new();
    for (disc, name) in ["pushed", "struck"].into_iter().enumerate() {
        let start = collision.place(disc, 0.0);
        let way = |place: DVec2| (place - start).to_array();
        let filmed = [0.0, WHILE].map(|time| way(collision.place(disc, time)));
        let model = modelled.iter().map(|both| way(both[disc]));
        let model = std::iter::once([0.0, 0.0]).chain(model).collect();
        series.push(Series {
            color: Some(disc),
            ..Series::new(&format!("{name}, filmed"), filmed.to_vec())
        });
        series.push(Series {
            color: Some(disc),
            style: LineStyle::Dashed,
            ..Series::new(&format!("{name}, modelled"), model)
        });
    }
    let axis = |label: &str, range| Axis {
        range: Some(range),
        ..Axis::new(label, Unit::Prefixed("m".into()))
    };
    let chart = LineChart {
        title: format!(
            "Collision {number}: paths in the second after, restitution {restitution:.3}"
        ),
        x_axis: axis("x", [-0.15, 0.15]),
        y_axis: axis("y", [-0.21, 0.0]),
        series,
        ..LineChart::default()
    };
    Ok(Figure::new(chart.to_svg(), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_imply_the_restitutions_of_the_measured_rows() {
        // From the change of relative velocity, by hand.
        let expected = [0.341, 0.424, 0.436, 0.373, 0.498, 0.440, 0.441];
        for (collision, expected) in FILMED.iter().zip(expected) {
            assert!((collision.restitution() - expected).abs() < 1e-3);
        }
    }

    #[test]
    fn a_collision_of_the_model_is_fitted_by_its_own_restitution() {
        let mut made = filmed([0.0, -20.0, 0.0, 0.0], [0.0, -6.0, 0.0, -14.0]);
        let ends = made.modelled(0.62).unwrap()[LOOKS as usize - 1];
        for disc in [0, 1] {
            let way = ends[disc] - made.place(disc, 0.0);
            made.after[disc] = (100.0 / WHILE * way).to_array();
        }
        let fitted = fit(&[made]).unwrap();
        // Drag bends the paths by a millimetre, which straight lines do not.
        assert!((fitted - 0.62).abs() < 0.02, "{fitted}");
    }
}
