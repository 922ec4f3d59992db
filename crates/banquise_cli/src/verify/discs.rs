//! Many discs: settling by contact law, and a long sedimentation with the parameters of the source.

use banquise::World;
use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation, watch};
use crate::failure::Failure;

fn mean_height(world: &World) -> f64 {
    let motions = world.bodies.motions();
    let heights = world.floe_rows().map(|row| motions[row].pose.position.y);
    heights.sum::<f64>() / world.floe_rows().count() as f64
}

/// Time over which settling is measured \[s\].
const SETTLING: f64 = 1.5;

/// Mean settling speed of one suspension: dry, rough, gluey, and with the explicit force of lubrication.
pub(super) fn settling(reference: &Reference) -> Measured {
    let rough = "contact.lubrication={viscosity=\"30 Pa s\", roughness=\"0.15 mm\", reference_gap=\"5 mm\"}";
    let explicit = "contact.lubrication_force={viscosity=\"30 Pa s\", cutoff=\"0.3 mm\", reference_gap=\"5 mm\"}";
    let laws: [(&str, &str, Option<&str>); 4] = [
        ("dry", "inelastic", None),
        ("explicit lubrication", "inelastic", Some(explicit)),
        ("rough", "rough", Some(rough)),
        ("gluey", "gluey", None),
    ];
    let fall = |(name, law, extra): &(&str, &str, Option<&str>)| {
        let law = format!("contact.law=\"{law}\"");
        let few = "discs[0].count=300".to_owned();
        let extra = extra.map(str::to_owned);
        let overrides: Vec<String> = [law, few].into_iter().chain(extra).collect();
        let mut run = simulation(reference, &overrides)?;
        let start = mean_height(&run.world);
        advance(&mut run, SETTLING)?;
        let speed = (start - mean_height(&run.world)) / SETTLING;
        Ok((format!("mean settling speed, {name} (m/s)"), speed))
    };
    laws.par_iter().map(fall).collect()
}

/// Records of the long sedimentation, which ends at 5 s as in the source, and the time between two \[s\]: in a run of the scenario steps end at records. A single remainder at the end would be a
/// step of a twelfth, in which overlaps within the tolerance are velocities of metres a second to Uzawa's method.
const RECORDS: u32 = 100;
const RECORD: f64 = 0.05;
/// Smallest and largest radius of the discs, and the box \[m\].
const RADII: [f64; 2] = [0.015, 0.025];
const HALF_WIDTH: f64 = 1.0;
const HEIGHT: f64 = 6.0;
/// Uzawa's method with the parameters of the source: ρ h² = 0.15, an overlap of 0.02 smallest radii, 10,000 iterations.
const UZAWA: &str = "contact.uzawa={step=0.15, tolerance=\"0.3 mm\", iterations=10000}";

/// Gaps of discs to each other, to obstacles and to walls: the smallest, and how many are within a distance. Discs are taken from west to east, each with those whose
/// centres are not farther east than contact allows.
#[derive(Default)]
struct Gaps {
    /// Distance from the west, height, radius, and whether it moves.
    discs: Vec<(f64, f64, f64, bool)>,
}

impl Gaps {
    fn visit(&mut self, world: &World, within: f64, mut gap: impl FnMut(f64)) {
        let (motions, radii) = (world.bodies.motions(), world.bodies.radii());
        self.discs.clear();
        self.discs.extend((0..world.bodies.len()).map(|row| {
            let place = motions[row].pose.position;
            (place.x, place.y, radii[row], world.bodies.is_floe(row))
        }));
        self.discs
            .sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
        let largest = self.discs.iter().fold(0.0_f64, |most, own| most.max(own.2));
        for (index, &(x, y, radius, moves)) in self.discs.iter().enumerate() {
            if moves {
                [x + HALF_WIDTH, HALF_WIDTH - x, y, HEIGHT - y]
                    .into_iter()
                    .map(|distance| distance - radius)
                    .filter(|&own| own <= within)
                    .for_each(&mut gap);
            }
            let east = x + radius + largest + within;
            for other in self.discs[index + 1..]
                .iter()
                .take_while(|own| own.0 <= east)
            {
                let apart = (other.0 - x).hypot(other.1 - y) - radius - other.2;
                if apart <= within && (moves || other.3) {
                    gap(apart);
                }
            }
        }
    }
}

/// What a sedimentation of one law with one solver comes to.
struct Sediment {
    /// Contact problems that were not solved: with Uzawa's method, those that hit the iteration limit.
    unsolved: u64,
    /// Largest overlap after any step, in smallest radii.
    overlap: f64,
    /// Pairs closer than the largest diameter at the end, and contacts that stick then.
    close: usize,
    stuck: usize,
    height: f64,
}

fn sediment(reference: &Reference, law: &str, solver: Option<&str>) -> Result<Sediment, Failure> {
    let law = format!("contact.law=\"{law}\"");
    let solver = solver.map(str::to_owned);
    let overrides: Vec<String> = [law].into_iter().chain(solver).collect();
    let mut run = simulation(reference, &overrides)?;
    let (mut gaps, mut least) = (Gaps::default(), 0.0_f64);
    for record in 1..=RECORDS {
        watch(&mut run, f64::from(record) * RECORD, &mut |world, _| {
            gaps.visit(world, 0.0, |gap| least = least.min(gap));
        })?;
    }
    let mut close = 0;
    gaps.visit(&run.world, 2.0 * RADII[1], |_| close += 1);
    Ok(Sediment {
        unsolved: run.contact.unsolved,
        overlap: -least / RADII[0],
        close,
        stuck: run.world.adhesions().count(),
        height: mean_height(&run.world),
    })
}

/// V16: a thousand discs settle for 5 s, dry and gluey, with Uzawa's method and with Newton's.
pub(super) fn sedimentation(reference: &Reference) -> Measured {
    let runs = [
        ("dry, Uzawa", "inelastic", Some(UZAWA)),
        ("dry, Newton", "inelastic", None),
        ("gluey, Uzawa", "gluey", Some(UZAWA)),
        ("gluey, Newton", "gluey", None),
    ];
    let all: Vec<Sediment> = runs
        .par_iter()
        .map(|&(_, law, solver)| sediment(reference, law, solver))
        .collect::<Result<_, Failure>>()?;
    let mut measured = Vec::new();
    for ((name, ..), own) in runs.iter().zip(&all) {
        measured.extend([
            (format!("unsolved problems, {name}"), own.unsolved as f64),
            (
                format!("largest overlap, {name} (smallest radii)"),
                own.overlap,
            ),
            (format!("close pairs at the end, {name}"), own.close as f64),
            (
                format!("contacts that stick at the end, {name}"),
                own.stuck as f64,
            ),
            (format!("mean height at the end, {name} (m)"), own.height),
        ]);
    }
    Ok(measured)
}
