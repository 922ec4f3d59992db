//! The study of a week of drift: what moves floes apart? (Rabatel 2015, section 3.2.2.)

use banquise::diagnostics::concentration::{concentration_within, pack_concentration};
use banquise::diagnostics::dispersion::dispersion;
use banquise::diagnostics::energy::free_drift;
use banquise::diagnostics::pairs::PairDistances;
use banquise::units::{DAY, HOUR};
use banquise::{
    BodyKind, BodySpec, Domain, Simulation, SlabOcean, Thickness, Velocity, World, first_meeting,
};
use banquise_geometry::{DVec2, Outline, Pose, Shape};
use banquise_io::plan::PreparedRun;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{advance, run_of};
use crate::failure::Failure;

/// Edges of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edges {
    Periodic,
    Free,
}

/// Where the floes get their shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floes {
    Library,
    Round,
}

/// Whether the ice moves the water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Water {
    Coupled,
    Given,
}

/// A test of the source, with its concentration in percent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) number: u8,
    edges: Edges,
    percent: u8,
    floes: Floes,
    water: Water,
}

const fn test(number: u8, edges: Edges, percent: u8, floes: Floes, water: Water) -> Test {
    Test {
        number,
        edges,
        percent,
        floes,
        water,
    }
}

/// Rabatel 2015, table 3.4.
pub(crate) const TESTS: [Test; 13] = [
    test(1, Edges::Periodic, 30, Floes::Library, Water::Coupled),
    test(2, Edges::Periodic, 50, Floes::Library, Water::Coupled),
    test(3, Edges::Periodic, 60, Floes::Library, Water::Coupled),
    test(4, Edges::Periodic, 70, Floes::Library, Water::Coupled),
    test(5, Edges::Periodic, 30, Floes::Round, Water::Coupled),
    test(6, Edges::Periodic, 70, Floes::Round, Water::Coupled),
    test(7, Edges::Periodic, 30, Floes::Library, Water::Given),
    test(8, Edges::Periodic, 60, Floes::Library, Water::Given),
    test(9, Edges::Periodic, 70, Floes::Library, Water::Given),
    test(10, Edges::Free, 30, Floes::Library, Water::Given),
    test(11, Edges::Free, 70, Floes::Library, Water::Given),
    test(12, Edges::Free, 30, Floes::Library, Water::Coupled),
    test(13, Edges::Free, 70, Floes::Library, Water::Coupled),
];

/// Ice of all tests \[m²\]: 60 % of 1.2 km × 1.2 km.
const ICE: f64 = 0.6 * 1200.0 * 1200.0;
/// When trajectories and pairs are compared \[s\].
pub(crate) const DAY_3: f64 = 3.0 * DAY;
/// Corners of round floes, those of the reference floe of the source.
const ROUND_SIDES: usize = 32;
/// Interval at which speeds are sampled \[s\].
const WATCH_EVERY: f64 = 60.0;
/// Slopes of the pair correlation are taken from here on \[m\] (Rabatel 2015, section 3.2.2).
const SLOPE_FROM: f64 = 100.0;

impl Test {
    fn overrides(self) -> Vec<String> {
        let concentration = f64::from(self.percent) / 100.0;
        let side = (ICE / concentration).sqrt();
        let size = format!("[\"{side:.3} m\", \"{side:.3} m\"]");
        let mut overrides = vec![
            format!("pack.concentration={concentration}"),
            format!("domain.size={size}"),
            format!("ocean_layer.enabled={}", self.water == Water::Coupled),
        ];
        if self.edges == Edges::Free {
            overrides.push("domain.edges=\"free\"".into());
            overrides.push(format!("pack.region={{size={size}}}"));
            overrides.push(format!("ocean_layer.cell_area=\"{:.3} m^2\"", side * side));
        }
        if self.floes == Floes::Round {
            overrides.push("pack.shapes=\"discs\"".into());
        }
        overrides
    }

    pub(super) fn label(self) -> String {
        let edges = match self.edges {
            Edges::Periodic => "periodic",
            Edges::Free => "free",
        };
        let shape = match self.floes {
            Floes::Library => "",
            Floes::Round => ", round",
        };
        let water = match self.water {
            Water::Coupled => "coupled",
            Water::Given => "given water",
        };
        format!(
            "{}: {edges}, {} %{shape}, {water}",
            self.number, self.percent
        )
    }
}

/// The pack at one time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) time: f64,
    /// Of the ice in the periodic cell, clipped by it, or in the hull of the pack [–].
    pub(crate) concentration: f64,
    /// σ \[m\].
    pub(crate) dispersion: f64,
    /// `r_moy` \[m\]; one floe has none.
    pub(crate) median_distance: Option<f64>,
    /// Collisions since the start.
    pub(crate) collisions: u64,
    /// Where the centre of the pack is \[m\].
    pub(crate) center: [f64; 2],
    /// Where the largest and the smallest floe have gone since the start \[m\].
    ways: Extremes,
}

/// A way \[m\] of the largest floe, and of the smallest.
type Extremes = [[f64; 2]; 2];

/// Ways of single floes until day 3, each alone on the sea \[m\].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Alone {
    /// On the ocean cell of the pack, as thick as they are.
    extremes: Extremes,
    /// On the ocean cell of the pack, both as thick as the floes are on average.
    alike: Extremes,
    /// The largest made round, as thick as the floes are on average.
    round: [f64; 2],
    /// As thick as they are, on water covered by ice to the same share as in the pack.
    covered: Extremes,
}

/// Distances on day 3 \[m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distances {
    /// Of the largest and the smallest floe in the pack to where they would be alone.
    pub(crate) pack: [f64; 2],
    /// Of these two floes to where they would be alone on water with as much ice: the effect of contacts.
    pub(crate) contacts: [f64; 2],
    /// Of the largest to the smallest alone, equally thick.
    pub(crate) size: f64,
    /// Of the largest to a round one alone, equally thick.
    pub(crate) shape: f64,
}

/// Results of a run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Run {
    test: u8,
    pub(crate) seed: u64,
    pub(crate) records: Vec<Record>,
    /// Largest speed of a floe [m/s].
    pub(crate) max_speed: f64,
    /// Largest speed of free drift |Na Uₐ + Uₒ| [m/s].
    pub(crate) max_free: f64,
    /// Largest Na |Uₐ| + |Uₒ| [m/s]: Coriolis may turn what wind adds towards the water's own motion, but not
    /// beyond.
    pub(crate) max_bound: f64,
    pub(crate) unsolved: u64,
    pub(crate) overlaps: u32,
    pub(crate) steps: u64,
    /// Points (r, `C_r`) on day 3, and their slope.
    pub(crate) pairs: Vec<(f64, f64)>,
    pub(crate) slope: Option<f64>,
    alone: Alone,
}

impl Run {
    pub(crate) fn test(&self) -> Test {
        TESTS[usize::from(self.test) - 1]
    }

    /// The last record at or before a time.
    pub(crate) fn at(&self, time: f64) -> &Record {
        let until = self
            .records
            .iter()
            .take_while(|r| r.time <= time * (1.0 + 1e-9));
        until.last().expect("a run has a record of its start")
    }

    pub(crate) fn distances(&self) -> Distances {
        let distance = |a: [f64; 2], b: [f64; 2]| DVec2::from(a).distance(DVec2::from(b));
        let both = |a: Extremes, b: Extremes| [0, 1].map(|k| distance(a[k], b[k]));
        let ways = self.at(DAY_3).ways;
        let alone = &self.alone;
        Distances {
            pack: both(ways, alone.extremes),
            contacts: both(ways, alone.covered),
            size: distance(alone.alike[0], alone.alike[1]),
            shape: distance(alone.alike[0], alone.round),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let column =
            |read: &dyn Fn(&Record) -> f64| self.records.iter().map(read).collect::<Value>();
        let median = |record: &Record| record.median_distance.into();
        let distances = self.distances();
        json!({
            "test": self.test,
            "label": self.test().label(),
            "seed": self.seed,
            "steps": self.steps,
            "unsolved": self.unsolved,
            "overlaps": self.overlaps,
            "max_speed_m_s-1": self.max_speed,
            "max_free_drift_m_s-1": self.max_free,
            "max_bound_m_s-1": self.max_bound,
            "day_3": {
                "largest_in_pack_to_alone_m": distances.pack[0],
                "smallest_in_pack_to_alone_m": distances.pack[1],
                "largest_in_pack_to_alone_on_covered_water_m": distances.contacts[0],
                "smallest_in_pack_to_alone_on_covered_water_m": distances.contacts[1],
                "largest_to_smallest_alone_m": distances.size,
                "largest_to_round_alone_m": distances.shape,
                "pairs_radius_m": self.pairs.iter().map(|pair| pair.0).collect::<Value>(),
                "pairs_share": self.pairs.iter().map(|pair| pair.1).collect::<Value>(),
                "pairs_slope": self.slope,
            },
            "time_s": column(&|record| record.time),
            "concentration": column(&|record| record.concentration),
            "dispersion_m": column(&|record| record.dispersion),
            "median_distance_m": self.records.iter().map(median).collect::<Vec<Value>>(),
            "collisions": column(&|record| record.collisions as f64),
            "center_x_m": column(&|record| record.center[0]),
            "center_y_m": column(&|record| record.center[1]),
        })
    }
}

/// A run that is ready to start.
pub(super) fn prepare(test: Test, seed: u64, overrides: &[String]) -> Result<PreparedRun, Failure> {
    run_of("drift-week", &self::overrides(test, seed, overrides))
}

/// What a run sets in the scenario.
pub(super) fn overrides(test: Test, seed: u64, set: &[String]) -> Vec<String> {
    let mut all = test.overrides();
    all.push(format!("seed={seed}"));
    all.extend_from_slice(set);
    all
}

/// One run of a test.
pub(crate) fn run(test: Test, seed: u64, overrides: &[String]) -> Result<Run, Failure> {
    let mut prepared = prepare(test, seed, overrides)?;
    let simulation = &mut prepared.simulation;
    let end = DAY_3.min(prepared.duration);
    let alone = alone(simulation, end)?;
    let rows = extremes(&simulation.world);
    let starts = rows.map(|row| simulation.world.unwrapped_position(row));
    let mut run = Run {
        test: test.number,
        seed,
        records: Vec::new(),
        max_speed: 0.0,
        max_free: 0.0,
        max_bound: 0.0,
        unsolved: 0,
        overlaps: 0,
        steps: 0,
        pairs: Vec::new(),
        slope: None,
        alone,
    };
    look(&mut run, simulation, rows, starts);
    let every = prepared.record_every;
    for record in 1..=(prepared.duration / every).round() as u32 {
        let from = every * f64::from(record - 1);
        let looks = (every / WATCH_EVERY).ceil();
        for look in 1..=looks as u32 {
            advance(simulation, from + every * (f64::from(look) / looks))?;
            watch(&mut run, simulation);
        }
        look(&mut run, simulation, rows, starts);
        if run.pairs.is_empty() && simulation.world.clock.time >= end {
            correlate(&mut run, &simulation.world);
        }
    }
    run.unsolved = simulation.contact.unsolved;
    run.steps = simulation.world.clock.step;
    eprintln!("test {}, pack {seed}: {} steps", test.number, run.steps);
    Ok(run)
}

/// Rows of the largest and the smallest floe.
fn extremes(world: &World) -> [usize; 2] {
    let areas = world.bodies.areas();
    let by_area = |a: &usize, b: &usize| areas[*a].total_cmp(&areas[*b]);
    [
        world.floe_rows().max_by(by_area).expect("a pack has floes"),
        world.floe_rows().min_by(by_area).expect("a pack has floes"),
    ]
}

fn positions(world: &World) -> Vec<DVec2> {
    world
        .floe_rows()
        .map(|row| world.unwrapped_position(row))
        .collect()
}

/// How fast floes are, and could be.
fn watch(run: &mut Run, simulation: &Simulation) {
    let nansen = simulation.forcing.drag.unwrap_or_default().nansen_number();
    let (wind, water) = (simulation.wind(), simulation.water());
    let speeds = simulation.world.bodies.motions().iter();
    let speeds = speeds.map(|motion| motion.velocity.linear.length());
    run.max_speed = run.max_speed.max(speeds.fold(0.0, f64::max));
    run.max_free = run.max_free.max(free_drift(nansen, wind, water).length());
    run.max_bound = run.max_bound.max(nansen * wind.length() + water.length());
}

fn look(run: &mut Run, simulation: &Simulation, rows: [usize; 2], starts: [DVec2; 2]) {
    let world = &simulation.world;
    let bodies = &world.bodies;
    run.overlaps += u32::from(first_meeting(world).is_some());
    let poses: Vec<Pose> = bodies.motions().iter().map(|motion| motion.pose).collect();
    let (shapes, domain) = (bodies.shapes(), &world.domain);
    let concentration = match domain {
        Domain::Periodic(cell) => concentration_within(shapes, &poses, domain, cell),
        Domain::Free | Domain::Bounded(_) => pack_concentration(shapes, &poses, domain),
    };
    let positions = positions(world);
    run.records.push(Record {
        time: world.clock.time,
        concentration,
        dispersion: dispersion(bodies.masses(), &positions),
        median_distance: PairDistances::of(&positions, domain).median(),
        collisions: simulation.contact.collisions,
        center: world.floe_center().to_array(),
        ways: [0, 1].map(|k| (world.unwrapped_position(rows[k]) - starts[k]).to_array()),
    });
}

fn correlate(run: &mut Run, world: &World) {
    let pairs = PairDistances::of(&positions(world), &world.domain);
    run.pairs = pairs.curve(60);
    run.slope = pairs.slope(SLOPE_FROM, pairs.median().unwrap_or_default());
}

/// Ways until `end` \[s\] of single floes.
fn alone(pack: &Simulation, end: f64) -> Result<Alone, Failure> {
    let rows = extremes(&pack.world);
    let bodies = &pack.world.bodies;
    let shape = |k: usize| bodies.shapes()[rows[k]].clone();
    let own = |k: usize| bodies.mean_thicknesses()[rows[k]];
    let thicknesses = pack
        .world
        .floe_rows()
        .map(|row| bodies.mean_thicknesses()[row]);
    let mean = thicknesses.sum::<f64>() / pack.world.floe_rows().count() as f64;
    let way = |k: usize, shape: Shape, thickness: f64, share: f64| {
        way(pack, rows[k], shape, thickness, share, end)
    };
    let covered = |k: usize| bodies.areas()[rows[k]] / bodies.ice_area();
    let round = round(bodies.areas()[rows[0]]);
    Ok(Alone {
        extremes: [
            way(0, shape(0), own(0), 1.0)?,
            way(1, shape(1), own(1), 1.0)?,
        ],
        alike: [way(0, shape(0), mean, 1.0)?, way(1, shape(1), mean, 1.0)?],
        round: way(0, round, mean, 1.0)?,
        covered: [
            way(0, shape(0), own(0), covered(0))?,
            way(1, shape(1), own(1), covered(1))?,
        ],
    })
}

/// A regular polygon of this area \[m²\].
fn round(area: f64) -> Shape {
    let angle = std::f64::consts::TAU / ROUND_SIDES as f64;
    let (sin, _) = banquise_geometry::math::sin_cos(angle);
    let radius = (2.0 * area / (ROUND_SIDES as f64 * sin)).sqrt();
    let outline = Outline::regular_polygon(radius, ROUND_SIDES).expect("a regular polygon");
    Shape::Outline(outline)
}

/// Way of one floe by itself from the place of `row`, on this share of the ocean cell.
fn way(
    pack: &Simulation,
    row: usize,
    shape: Shape,
    thickness: f64,
    share: f64,
    end: f64,
) -> Result<[f64; 2], Failure> {
    let bodies = &pack.world.bodies;
    let mut world = World::new(Domain::Free, pack.world.seed);
    let mut forcing = pack.forcing.clone();
    forcing.slab_ocean = forcing.slab_ocean.map(|slab| SlabOcean {
        cell_area: slab.cell_area * share,
        ..slab
    });
    let added = world.add(BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
        shape,
        pose: bodies.motions()[row].pose,
        velocity: Velocity::REST,
        thickness: Thickness::Uniform(thickness),
        material: bodies.materials()[row],
        mass: None,
        inertia: None,
    });
    added.expect("a floe of a pack is a floe");
    let start = world.unwrapped_position(0);
    let mut simulation = Simulation::new(world, forcing, pack.settings, pack.max_dt);
    advance(&mut simulation, end)?;
    Ok((simulation.world.unwrapped_position(0) - start).to_array())
}

/// Collisions in an hour, hour by hour: points (s, 1/h).
pub(super) fn collision_rate(run: &Run) -> Vec<[f64; 2]> {
    let pairs = run.records.windows(2);
    pairs
        .map(|pair| {
            let hours = (pair[1].time - pair[0].time) / HOUR;
            let met = pair[1].collisions - pair[0].collisions;
            [0.5 * (pair[0].time + pair[1].time), met as f64 / hours]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use banquise_io::checkpoint::fingerprint;
    use banquise_io::plan::Plan;
    use banquise_io::sweep::Study;

    use super::*;

    /// `banquise sweep drift-week` makes the runs of this study.
    #[test]
    fn members_of_the_sweep_are_the_tests() {
        let few = [
            "pack.count=24",
            "pack.min_size=\"100 m\"",
            "pack.max_size=\"400 m\"",
        ];
        let few = few.map(str::to_owned);
        let study = Study::read(Path::new("drift-week"), &few).unwrap();
        assert_eq!(study.members.len(), TESTS.len());
        for (test, member) in TESTS.iter().zip(&study.members) {
            let start = |overrides: &[String]| {
                let plan = Plan::of(&study.scenario, overrides).unwrap();
                let simulation = plan.build().unwrap().simulation;
                (fingerprint(&simulation), simulation.world.state_hash())
            };
            let own = [&few[..], &test.overrides()].concat();
            assert_eq!(
                start(&member.overrides),
                start(&own),
                "test {}",
                test.number
            );
        }
    }
}
