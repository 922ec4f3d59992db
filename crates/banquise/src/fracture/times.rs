//! What fracture costs, by a clock that the caller lends.

/// Times of the parts of fracture \[s\]. Nothing is timed without a clock: see [`Simulation::time_fracture`].
///
/// [`Simulation::time_fracture`]: crate::Simulation::time_fracture
#[derive(Debug, Clone, Default)]
pub struct FractureTimes {
    clock: Option<fn() -> f64>,
    /// All of fracture but the bounds of outlines.
    pub total: f64,
    /// The bound by the energy of blows, against the least energies of the floes that they reach.
    pub first_bound: f64,
    /// Contacts for which that was done.
    pub contacts: u64,
    /// Each making of a bound of a new outline: its shortest cut, or its compliance.
    pub outline_bounds: Vec<f64>,
    /// Each rejection by the elastic energy of a floe that was looked at before in the same shape.
    pub repeated_rejections: Vec<f64>,
    /// Each rejection of a floe that was not: its mesh and its factor are made.
    pub first_rejections: Vec<f64>,
    /// Each decision by the energy that cracks release, with the mesh and the factor where they had to be made.
    pub decisions: Vec<f64>,
    /// Splitting floes, and making outlines of pieces.
    pub splits: f64,
    /// Sum of the times of `outline_bounds`.
    apart: f64,
}

impl FractureTimes {
    /// Lends a clock that tells seconds.
    pub(crate) fn start(&mut self, clock: fn() -> f64) {
        *self = Self {
            clock: Some(clock),
            ..Self::default()
        };
    }

    /// The time now \[s\], without that in which bounds of outlines were made; zero without a clock.
    pub(super) fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock() - self.apart)
    }

    /// Time since `start` \[s\].
    pub(super) fn since(&self, start: f64) -> f64 {
        self.now() - start
    }

    /// Adds the making of a bound of an outline, which is not counted where it was needed.
    pub(super) fn add_outline_bound(&mut self, start: f64) {
        if self.clock.is_some() {
            let time = self.since(start);
            self.outline_bounds.push(time);
            self.apart += time;
        }
    }

    /// Adds the time since `start` to a list, where there is a clock.
    pub(super) fn add(&mut self, start: f64, list: impl FnOnce(&mut Self) -> &mut Vec<f64>) {
        if self.clock.is_some() {
            let time = self.since(start);
            list(self).push(time);
        }
    }
}
