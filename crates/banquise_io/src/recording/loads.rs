//! Loads on obstacles and walls: one column for each, where there are any.

use banquise::{BodyId, Bounds, ContactLoad, Domain, World};
use serde_json::{Value, json};

use super::variables::Variable;

/// Reads one number of a load.
pub(super) type ReadLoad = fn(&ContactLoad) -> f64;

/// Dimension of the obstacles and walls.
pub(super) const DIMENSION: &str = "obstacle";

const fn load(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: ReadLoad,
) -> Variable<ReadLoad> {
    Variable {
        name,
        unit,
        meaning,
        read,
    }
}

/// One value an obstacle and record.
#[rustfmt::skip] // a table reads better in lines
pub(super) const LOADS: &[Variable<ReadLoad>] = &[
    load("load_normal", "N s", "sum of the normal impulses on the obstacle since the start", |load| load.normal),
    load("load_tangent", "N s", "sum of the tangential impulses on the obstacle since the start, each without its sign", |load| load.tangent),
    load("load_x", "N s", "impulse of the floes on the obstacle since the start, eastward", |load| load.impulse.x),
    load("load_y", "N s", "impulse of the floes on the obstacle since the start, northward", |load| load.impulse.y),
    load("load_moment", "N m s", "angular impulse on the obstacle about its centre since the start; zero for a wall", |load| load.moment),
    load("load_largest", "N s", "largest normal impulse on the obstacle in one step so far", |load| load.largest),
    load(CRUSHING, "N s", "sum of the normal impulses of contacts that crush ice on the obstacle since the start", |load| load.crushing),
    load(CRUSHING_AREA, "m2 s", "area over which ice is crushed on the obstacle, chord times thickness, over the time since the start; the mean pressure is the gain of load_crushing over that of this", |load| load.crushing_area),
];

/// Variables of ice that is crushed; older recordings lack them.
pub(super) const CRUSHING: &str = "load_crushing";
pub(super) const CRUSHING_AREA: &str = "load_crushing_area";

const WALLS: [&str; 4] = ["west wall", "east wall", "south wall", "north wall"];

/// The edges that are walls, of those in the west, east, south and north.
fn walls(world: &World) -> impl Iterator<Item = usize> {
    let is_wall = match world.domain {
        Domain::Bounded(Bounds { open, .. }) => open.map(|is_open| !is_open),
        Domain::Free | Domain::Periodic(_) => [false; 4],
    };
    (0..4).filter(move |&wall| is_wall[wall])
}

/// Obstacles in the order of the bodies, then walls.
pub(super) fn bearers(world: &World) -> impl Iterator<Item = (Option<usize>, &ContactLoad)> {
    let obstacles = (0..world.bodies.len()).filter(|&row| !world.bodies.is_floe(row));
    obstacles
        .map(|row| (Some(row), &world.bodies.contact_loads()[row]))
        .chain(walls(world).map(|wall| (None, &world.wall_loads[wall])))
}

/// Their names; obstacles without one are called by their id.
pub(super) fn names(world: &World) -> Vec<String> {
    let bodies = &world.bodies;
    let obstacles = bearers(world).filter_map(|(row, _)| row);
    let name = |row: usize| match bodies.names()[row].as_str() {
        "" => format!("obstacle {}", bodies.ids()[row].0),
        name => name.to_owned(),
    };
    let walls = walls(world).map(|wall| WALLS[wall].to_owned());
    obstacles.map(name).chain(walls).collect()
}

/// Obstacles and walls of a recording: those that are there when it begins. Their axis does not grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bearer {
    Obstacle(BodyId),
    Wall(usize),
}

impl Bearer {
    /// All of them, in the order of [`bearers`].
    pub(super) fn all(world: &World) -> Vec<Self> {
        let obstacles = bearers(world).filter_map(|(row, _)| row);
        let obstacles = obstacles.map(|row| Self::Obstacle(world.bodies.ids()[row]));
        obstacles.chain(walls(world).map(Self::Wall)).collect()
    }

    /// A number of its load; missing where the obstacle is gone.
    pub(super) fn read(self, world: &World, read: ReadLoad) -> f64 {
        let load = match self {
            Self::Wall(wall) => world.wall_loads.get(wall),
            Self::Obstacle(id) => {
                let row = world.bodies.row_of(id);
                row.map(|row| &world.bodies.contact_loads()[row])
            }
        };
        load.map_or(f64::NAN, read)
    }
}

/// Names of obstacles and walls, and the sums of the normal impulses on them since the start [N s].
pub fn normal_loads(world: &World) -> Vec<(String, f64)> {
    let impulses = bearers(world).map(|(_, load)| load.normal);
    names(world).into_iter().zip(impulses).collect()
}

/// The loads of all obstacles since the start, as in `run --json`.
pub fn load_statistics(world: &World) -> Value {
    let loads = bearers(world).zip(names(world)).map(|((_, load), name)| {
        json!({
            "obstacle": name,
            "normal_impulse_n_s": load.normal,
            "tangential_impulse_n_s": load.tangent,
            "impulse_n_s": [load.impulse.x, load.impulse.y],
            "angular_impulse_n_m_s": load.moment,
            "largest_normal_impulse_n_s": load.largest,
            "crushing_impulse_n_s": load.crushing,
            "crushing_area_m2_s": load.crushing_area,
        })
    });
    loads.collect()
}
