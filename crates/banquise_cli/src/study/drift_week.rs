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
use banquise_io::plan::Plan;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{advance, run_of};
use crate::failure::Failure;

/// What happens at the edge of the sea.
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) time: f64,
    /// Of the ice in the periodic cell, clipped by it, or in the hull of the pack [–].
    pub(crate) concentration: f64,
    /// σ \[m\].
    pub(crate) dispersion: f64,
    /// `r_moy` \[m\].
    pub(crate) median_distance: f64,
    /// Collisions since the start.
    pub(crate) collisions: u64,
    /// Where the centre of the pack is \[m\].
    pub(crate) center: DVec2,
    /// Where the largest and the smallest floe have gone since the start \[m\].
    pub(crate) ways: [DVec2; 2],
}

/// What is kept of a run.
pub(crate) struct Run {
    pub(crate) test: Test,
    pub(crate) seed: u64,
    pub(crate) records: Vec<Record>,
    /// Largest speed of a floe [m/s].
    pub(crate) max_speed: f64,
    /// Largest speed of free drift [m/s].
    pub(crate) max_free: f64,
    pub(crate) unsolved: u64,
    pub(crate) overlaps: u32,
    pub(crate) steps: u64,
    /// Points (r, `C_r`) on day 3, and their slope.
    pub(crate) pairs: Vec<(f64, f64)>,
    pub(crate) slope: Option<f64>,
    /// Ways of the largest and the smallest floe until day 3 had they been alone, and of a round floe as
    /// large and thick as the largest \[m\].
    pub(crate) alone: [DVec2; 3],
}

impl Run {
    /// The last record at or before a time.
    pub(crate) fn at(&self, time: f64) -> &Record {
        let until = self
            .records
            .iter()
            .take_while(|r| r.time <= time * (1.0 + 1e-9));
        until.last().expect("a run has a record of its start")
    }

    /// Distances on day 3 \[m\]: of the largest and the smallest floe to where they would be alone, between
    /// those two, and between the largest and the round one.
    pub(crate) fn distances(&self) -> [f64; 4] {
        let [largest, smallest] = self.at(DAY_3).ways;
        let [large_alone, small_alone, round_alone] = self.alone;
        [
            largest.distance(large_alone),
            smallest.distance(small_alone),
            large_alone.distance(small_alone),
            large_alone.distance(round_alone),
        ]
    }

    pub(super) fn to_json(&self) -> Value {
        let column =
            |read: &dyn Fn(&Record) -> f64| self.records.iter().map(read).collect::<Value>();
        let [collisions_largest, collisions_smallest, size, shape] = self.distances();
        json!({
            "test": self.test.number,
            "label": self.test.label(),
            "seed": self.seed,
            "steps": self.steps,
            "unsolved": self.unsolved,
            "overlaps": self.overlaps,
            "max_speed_m_s-1": self.max_speed,
            "max_free_drift_m_s-1": self.max_free,
            "day_3": {
                "largest_in_pack_to_alone_m": collisions_largest,
                "smallest_in_pack_to_alone_m": collisions_smallest,
                "largest_to_smallest_alone_m": size,
                "largest_to_round_alone_m": shape,
                "pairs_radius_m": self.pairs.iter().map(|pair| pair.0).collect::<Value>(),
                "pairs_share": self.pairs.iter().map(|pair| pair.1).collect::<Value>(),
                "pairs_slope": self.slope,
            },
            "time_s": column(&|record| record.time),
            "concentration": column(&|record| record.concentration),
            "dispersion_m": column(&|record| record.dispersion),
            "median_distance_m": column(&|record| record.median_distance),
            "collisions": column(&|record| record.collisions as f64),
            "center_x_m": column(&|record| record.center.x),
            "center_y_m": column(&|record| record.center.y),
        })
    }
}

/// The plan of a run.
pub(super) fn plan(test: Test, seed: u64, overrides: &[String]) -> Result<Plan, Failure> {
    let mut all = test.overrides();
    all.push(format!("seed={seed}"));
    all.extend_from_slice(overrides);
    run_of("drift-week", &all)
}

/// One run of a test.
pub(crate) fn run(test: Test, seed: u64, overrides: &[String]) -> Result<Run, Failure> {
    let mut plan = plan(test, seed, overrides)?;
    let simulation = &mut plan.simulation;
    let end = DAY_3.min(plan.duration);
    let alone = alone(simulation, end)?;
    let rows = extremes(&simulation.world);
    let starts = rows.map(|row| simulation.world.unwrapped_position(row));
    let mut run = Run {
        test,
        seed,
        records: Vec::new(),
        max_speed: 0.0,
        max_free: 0.0,
        unsolved: 0,
        overlaps: 0,
        steps: 0,
        pairs: Vec::new(),
        slope: None,
        alone,
    };
    look(&mut run, simulation, rows, starts);
    let every = plan.record_every;
    for record in 1..=(plan.duration / every).round() as u32 {
        advance(simulation, every * f64::from(record))?;
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

fn look(run: &mut Run, simulation: &Simulation, rows: [usize; 2], starts: [DVec2; 2]) {
    let world = &simulation.world;
    let bodies = &world.bodies;
    let nansen = simulation.forcing.drag.unwrap_or_default().nansen_number();
    let free = free_drift(nansen, simulation.wind(), simulation.water()).length();
    let speeds = bodies
        .motions()
        .iter()
        .map(|motion| motion.velocity.linear.length());
    run.max_speed = run.max_speed.max(speeds.fold(0.0, f64::max));
    run.max_free = run.max_free.max(free);
    run.overlaps += u32::from(first_meeting(world).is_some());
    let poses: Vec<Pose> = bodies.motions().iter().map(|motion| motion.pose).collect();
    let (shapes, domain) = (bodies.shapes(), &world.domain);
    let concentration = match domain {
        Domain::Periodic(cell) => concentration_within(shapes, &poses, domain, cell),
        Domain::Free | Domain::Walls(_) => pack_concentration(shapes, &poses, domain),
    };
    let positions = positions(world);
    run.records.push(Record {
        time: world.clock.time,
        concentration,
        dispersion: dispersion(bodies.masses(), &positions),
        median_distance: PairDistances::of(&positions, domain)
            .median()
            .unwrap_or(f64::NAN),
        collisions: simulation.contact.collisions,
        center: world.floe_center(),
        ways: [0, 1].map(|k| world.unwrapped_position(rows[k]) - starts[k]),
    });
}

fn correlate(run: &mut Run, world: &World) {
    let pairs = PairDistances::of(&positions(world), &world.domain);
    run.pairs = pairs.curve(60);
    run.slope = pairs.slope(SLOPE_FROM, pairs.median().unwrap_or_default());
}

/// Ways until `end` \[s\] of the largest floe, of the smallest, and of a round one like the largest, each by
/// itself on water that is covered by ice to the same share.
fn alone(pack: &Simulation, end: f64) -> Result<[DVec2; 3], Failure> {
    let [largest, smallest] = extremes(&pack.world);
    let shapes = pack.world.bodies.shapes();
    let area = shapes[largest].area();
    let angle = std::f64::consts::TAU / ROUND_SIDES as f64;
    let (sin, _) = banquise_geometry::math::sin_cos(angle);
    let radius = (2.0 * area / (ROUND_SIDES as f64 * sin)).sqrt();
    let round = Outline::regular_polygon(radius, ROUND_SIDES).expect("a regular polygon");
    Ok([
        way(pack, largest, shapes[largest].clone(), end)?,
        way(pack, smallest, shapes[smallest].clone(), end)?,
        way(pack, largest, Shape::Outline(round), end)?,
    ])
}

/// Way of one floe by itself, as thick as the one in `row`.
fn way(pack: &Simulation, row: usize, shape: Shape, end: f64) -> Result<DVec2, Failure> {
    let bodies = &pack.world.bodies;
    let mut world = World::new(Domain::Free, pack.world.seed);
    let mut forcing = pack.forcing.clone();
    forcing.slab_ocean = forcing.slab_ocean.map(|slab| SlabOcean {
        cell_area: slab.cell_area * shape.area() / bodies.ice_area(),
        ..slab
    });
    let added = world.add(BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
        shape,
        pose: bodies.motions()[row].pose,
        velocity: Velocity::REST,
        thickness: Thickness::Uniform(bodies.mean_thicknesses()[row]),
        material: bodies.materials()[row],
        mass: None,
        inertia: None,
    });
    added.expect("a floe of a pack is a floe");
    let start = world.unwrapped_position(0);
    let mut simulation = Simulation::new(world, forcing, pack.settings, pack.max_dt);
    advance(&mut simulation, end)?;
    Ok(simulation.world.unwrapped_position(0) - start)
}

/// Runs the tests with the packs of seeds 1 to `seeds`.
pub(super) fn runs(tests: &[Test], seeds: u64, overrides: &[String]) -> Result<Vec<Run>, Failure> {
    let all: Vec<(Test, u64)> = tests
        .iter()
        .flat_map(|&test| (1..=seeds).map(move |seed| (test, seed)))
        .collect();
    all.into_par_iter()
        .map(|(test, seed)| run(test, seed, overrides))
        .collect()
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
