//! Discs that fall in a box of fluid: two that draft, kiss and tumble, and a suspension that settles (Lefebvre 2007, sections 1.3.4 and 3.3). Units are those of the
//! source: cm, g, s.

use banquise_geometry::DVec2;

use crate::body::{Body, RigidMotion, Wrench};
use crate::{
    ContactLaw, Edges, FlowError, Fluid, Grid, MovingBody, SolverSettings, Unsteady,
    UnsteadySettings,
};

/// Viscosity of the source's fluid [g/(cm s)].
const VISCOSITY: f64 = 0.01;
/// Densities of fluid and discs [g/cm³].
const DENSITIES: [f64; 2] = [1.0, 2.0];
/// Strain rate left in the discs: the error of a step in time is larger.
const TOLERANCE: f64 = 1e-5;

/// What both studies have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettlingSettings {
    /// Cells per cm.
    pub resolution: usize,
    /// Step \[s\].
    pub dt: f64,
    /// Gravity \[cm/s²\]; the source gives none.
    pub gravity: f64,
    /// Threads do not change a bit, this does: strain rate left in the discs, relative.
    pub tolerance: f64,
    /// Whether contacts remember how they were pushed; the source's are dry.
    pub law: ContactLaw,
    /// Coefficient of friction between discs and with walls \[1\]; the source has none.
    pub friction: f64,
}

impl SettlingSettings {
    /// Two discs: 50 cells per cm, steps of 0.5 ms, gravity of the Earth.
    pub const TWO_DISCS: Self = Self {
        resolution: 50,
        dt: 5e-4,
        gravity: 981.0,
        tolerance: TOLERANCE,
        law: ContactLaw::Dry,
        friction: 0.0,
    };
    /// Suspension: 100 cells per cm, steps of 10 ms, gravity 200 cm/s²: the discs are down after 2 s.
    pub const SUSPENSION: Self = Self {
        resolution: 100,
        dt: 0.01,
        gravity: 200.0,
        tolerance: TOLERANCE,
        law: ContactLaw::Dry,
        friction: 0.0,
    };

    fn flow(&self, size: [usize; 2], discs: Vec<MovingBody>) -> Result<Unsteady, FlowError> {
        crate::error::positive("gravity (cm/s²)", self.gravity)?;
        let spacing = 1.0 / self.resolution as f64;
        let grid = Grid::try_new(size.map(|side| side * self.resolution), spacing, Edges::Box)?;
        let settings = UnsteadySettings {
            dt: self.dt,
            density: DENSITIES[0],
            gravity: DVec2::new(0.0, -self.gravity),
            shear: 0.0,
            gap: spacing,
            law: self.law,
            friction: self.friction,
            solver: SolverSettings {
                tolerance: self.tolerance,
                ..SolverSettings::default()
            },
        };
        let fluid = Fluid {
            viscosity: VISCOSITY,
        };
        Unsteady::new(grid, fluid, discs, settings)
    }

    /// Two discs of diameter 0.25 in a box of 2 by 5, one above the other and a tenth of a diameter beside it.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn two_discs(&self) -> Result<Unsteady, FlowError> {
        const RADIUS: f64 = 0.125;
        let places = [[1.0, 4.5], [1.0 + 0.2 * RADIUS, 4.0]];
        let discs = places.map(|at| heavy_disc(at, RADIUS));
        self.flow([2, 5], discs.into_iter().collect::<Result<_, _>>()?)
    }

    /// 228 discs of radius 0.04 in a box of side 2: 12 rows of 19 at the top, each row shifted a little.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn suspension(&self) -> Result<Unsteady, FlowError> {
        const RADIUS: f64 = 0.04;
        const SPACING: f64 = 0.104;
        let discs = (0..228).map(|k| {
            let (column, row) = (f64::from(k % 19), f64::from(k / 19));
            // A regular lattice would fall as one: shifts by a fixed rule break its symmetry.
            let shift = 0.002 * f64::from((7 * k) % 5 - 2);
            let at = [
                1.0 + SPACING * (column - 9.0) + shift,
                1.94 - SPACING * row - 0.5 * shift,
            ];
            heavy_disc(at, RADIUS)
        });
        self.flow([2, 2], discs.collect::<Result<_, _>>()?)
    }
}

fn heavy_disc(at: [f64; 2], radius: f64) -> Result<MovingBody, FlowError> {
    Ok(MovingBody {
        body: Body::disc(at.into(), radius)?,
        density: DENSITIES[1],
        motion: RigidMotion::default(),
        load: Wrench::default(),
    })
}

/// One instant of two discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairState {
    /// Time \[s\].
    pub time: f64,
    /// Centres \[cm\].
    pub places: [DVec2; 2],
    /// Gap \[cm\].
    pub gap: f64,
    /// Angle of the line of centres from the vertical \[rad\], from 0 to π/2.
    pub tilt: f64,
}

impl PairState {
    /// The first two discs of a flow.
    pub fn of(flow: &Unsteady) -> Self {
        let [a, b] = [0, 1].map(|k| &flow.bodies[k].body);
        let places = [a.pose.position, b.pose.position];
        let apart = places[1] - places[0];
        let radii = a.shape.bounding_radius() + b.shape.bounding_radius();
        Self {
            time: flow.time,
            places,
            gap: apart.length() - radii,
            tilt: banquise_geometry::math::atan2(apart.x.abs(), apart.y.abs()),
        }
    }
}

/// When two discs drafted, kissed and tumbled \[s\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Phases {
    /// The gap has closed by a tenth of a diameter, one disc behind the other (tilt below 30°).
    pub drafting: Option<f64>,
    /// The gap is within half a cell of the least one that contacts keep.
    pub kissing: Option<f64>,
    /// The line of centres has turned by more than 45° from the vertical after that.
    pub tumbling: Option<f64>,
}

/// Finds the phases in a history; `cell` is the side of a cell and the least gap.
pub fn phases(history: &[PairState], cell: f64, diameter: f64) -> Phases {
    let first = |from: f64, is: &dyn Fn(&PairState) -> bool| {
        let later = history.iter().filter(|state| state.time >= from);
        later
            .into_iter()
            .find(|state| is(state))
            .map(|state| state.time)
    };
    let start = history.first().map_or(0.0, |state| state.gap);
    let drafting = first(0.0, &|state| {
        state.gap < start - 0.1 * diameter && state.tilt < 30f64.to_radians()
    });
    let kissing = drafting.and_then(|from| first(from, &|state| state.gap < 1.5 * cell));
    let tumbling = kissing.and_then(|from| first(from, &|state| state.tilt > 45f64.to_radians()));
    Phases {
        drafting,
        kissing,
        tumbling,
    }
}
