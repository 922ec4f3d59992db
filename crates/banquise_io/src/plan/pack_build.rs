//! The pack of a scenario in its world: made round the bodies that are there, laid side by side, added.

use banquise::pack::{GivenBody, Pack, PackFloe, PackRequest, Watch, make_pack};
use banquise::{BodyKind, BodySpec, Domain, Material, Thickness, Velocity, World};
use banquise_geometry::{DVec2, GeometryError, Pose, Rotation, Shape};

use super::body_list::{PlannedBody, check_count};
use super::pack::{PackSource, PackTable, rejected, tile_of};
use super::placed::PlacedBodies;
use crate::scenario::{Problem, ProblemKind, Problems, Span};

/// A pack that was made, and what was asked for.
#[derive(Clone, Debug)]
pub struct MadePack {
    /// The request.
    pub request: PackRequest,
    /// The pack.
    pub pack: Pack,
}

/// Adds the floes of the pack to the bodies that are there already, and gives what was made for it. What is wrong is
/// reported.
pub(super) fn build(
    table: PackTable,
    placed: &mut PlacedBodies,
    problems: &Problems,
    watch: &mut Watch<'_>,
) -> Result<Option<MadePack>, ()> {
    let PackTable {
        floes,
        velocity,
        material,
        span,
    } = table;
    let (floes, made) = match floes {
        PackSource::File(floes) => (floes, None),
        PackSource::Request { mut request, tiles } => {
            request.given = given_bodies(&placed.world);
            let pack = make_pack(&request, watch);
            let mut pack = pack.map_err(|error| problems.push(rejected(error, span)))?;
            pack.floes = tiled(&pack.floes, tiles, placed.world.domain)
                .map_err(|error| problems.push(spoilt(error, span)))?;
            let floes = pack.floes.clone();
            let request = *request;
            (floes, Some(MadePack { request, pack }))
        }
    };
    check_count(placed.spans.len() + floes.len(), span, problems).ok_or(())?;
    for floe in floes {
        let spec = spec(floe, velocity, material);
        let body = PlannedBody::at_rest(spec, span);
        placed.add(body, problems).ok_or(())?;
    }
    Ok(made)
}

fn spoilt(error: GeometryError, span: Span) -> Problem {
    let kind = ProblemKind::Rejected {
        what: "a floe in another tile",
        hint: Some("make fewer tiles".to_owned()),
        source: error.into(),
    };
    Problem::new(kind, span)
}

/// The floes of the first tile in all of them, tile by tile.
fn tiled(
    floes: &[PackFloe],
    [columns, rows]: [usize; 2],
    domain: Domain,
) -> Result<Vec<PackFloe>, GeometryError> {
    if [columns, rows] == [1, 1] {
        return Ok(floes.to_vec());
    }
    let Domain::Periodic(tile) = tile_of(domain, [columns, rows]) else {
        return Ok(floes.to_vec());
    };
    let mut all = Vec::with_capacity(columns * rows * floes.len());
    for index in 0..columns * rows {
        let place = DVec2::new((index % columns) as f64, (index / columns) as f64);
        for floe in floes {
            all.push(PackFloe {
                outline: floe.outline.translated(place * tile.size())?,
                thickness: floe.thickness,
            });
        }
    }
    Ok(all)
}

/// The bodies of the world, as they are.
fn given_bodies(world: &World) -> Vec<GivenBody> {
    let bodies = &world.bodies;
    let body = |row: usize| GivenBody {
        shape: bodies.shapes()[row].clone(),
        pose: bodies.motions()[row].pose,
        is_floe: bodies.is_floe(row),
    };
    (0..bodies.len()).map(body).collect()
}

fn spec(floe: PackFloe, velocity: [f64; 2], material: Material) -> BodySpec {
    BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
        shape: Shape::Outline(floe.outline),
        pose: Pose {
            position: DVec2::ZERO,
            rotation: Rotation::IDENTITY,
        },
        velocity: Velocity {
            linear: velocity.into(),
            angular: 0.0,
        },
        thickness: Thickness::Uniform(floe.thickness),
        material,
        mass: None,
        inertia: None,
    }
}
