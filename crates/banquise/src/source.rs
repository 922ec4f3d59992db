//! Sources: places where floes enter the world, one at a time.
//!
//! Floe number n of a source depends on the seed of the world, the source and n alone, whatever happened before: a
//! source has a random stream of its own.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};
use thiserror::Error;

use crate::body::{BodyKind, BodySpec, Thickness};
use crate::domain::Rectangle;
use crate::material::Material;
use crate::motion::Velocity;
use crate::pack::{PackError, SizeLaw, ThicknessLaw, normalised};
use crate::random::{Purpose, Stream};

/// Settings of a source of floes.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceSettings {
    /// Where the centroids of the floes are when they enter.
    pub region: Rectangle,
    /// When the first floe enters \[s\].
    pub start: f64,
    /// Time from one floe to the next \[s\].
    pub interval: f64,
    /// Outlines to choose from; each is scaled to the size drawn.
    pub shapes: Vec<Outline>,
    /// Sizes, which are mean caliper diameters; its `count` is not used.
    pub sizes: SizeLaw,
    /// Thicknesses.
    pub thickness: ThicknessLaw,
    /// Material of the floes.
    pub material: Material,
    /// Their velocity when they enter.
    pub velocity: Velocity,
}

/// Error of a source.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SourceError {
    /// A quantity that must be positive and finite is not.
    #[error("{quantity} must be positive and finite, not {value}")]
    NotPositive {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// A quantity that must be finite is not.
    #[error("{quantity} must be finite, not {value}")]
    NotFinite {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// The smallest size is larger than the largest.
    #[error("the smallest size, {min} m, is larger than the largest, {max} m")]
    SizesReversed {
        /// Smallest size \[m\].
        min: f64,
        /// Largest size \[m\].
        max: f64,
    },
    /// There is no outline to choose from.
    #[error("there is no outline to choose from")]
    NoShape,
    /// An outline cannot be scaled.
    #[error(transparent)]
    Shape(#[from] PackError),
}

/// A source of floes, with the counts of those tried and skipped.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    settings: SourceSettings,
    /// Outlines of size 1 m about their centroids.
    shapes: Vec<Outline>,
    /// Floes tried so far: the number of the next one.
    tried: u64,
    /// Floes that did not enter for want of room.
    skipped: u64,
}

/// Places tried for a floe before it is skipped: where the region is nearly full, more seldom help.
pub(crate) const PLACES: u64 = 20;

impl Source {
    /// A source before its first floe.
    ///
    /// # Errors
    /// When a setting is not a usable value.
    pub fn try_new(settings: SourceSettings) -> Result<Self, SourceError> {
        let Rectangle { min, max } = settings.region;
        let SizeLaw {
            min_size,
            max_size,
            exponent,
            ..
        } = settings.sizes;
        let finite = [
            ("the west edge of the region [m]", min.x),
            ("the south edge of the region [m]", min.y),
            ("the time of the first floe [s]", settings.start),
            ("the exponent of the sizes", exponent),
        ];
        let positive = [
            ("the width of the region [m]", max.x - min.x),
            ("the height of the region [m]", max.y - min.y),
            ("the time between two floes [s]", settings.interval),
            ("the smallest size [m]", min_size),
            ("the largest size [m]", max_size),
        ];
        if let Some((quantity, value)) = finite.into_iter().find(|(_, v)| !v.is_finite()) {
            return Err(SourceError::NotFinite { quantity, value });
        }
        let is_bad = |value: f64| !(value.is_finite() && value > 0.0);
        if let Some((quantity, value)) = positive.into_iter().find(|&(_, v)| is_bad(v)) {
            return Err(SourceError::NotPositive { quantity, value });
        }
        if min_size > max_size {
            return Err(SourceError::SizesReversed {
                min: min_size,
                max: max_size,
            });
        }
        if settings.shapes.is_empty() {
            return Err(SourceError::NoShape);
        }
        Ok(Self {
            shapes: normalised(&settings.shapes)?,
            settings,
            tried: 0,
            skipped: 0,
        })
    }

    /// Its settings.
    pub fn settings(&self) -> &SourceSettings {
        &self.settings
    }

    /// Floes tried so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Floes for which there was no room.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// When the next floe is due \[s\].
    pub fn due(&self) -> f64 {
        // A product, not a sum of intervals: no rounding piles up.
        self.settings.start + self.settings.interval * self.tried as f64
    }

    /// The floe that is due, in each of the places to be tried. `number` is that of the source in its world.
    pub(crate) fn candidates(
        &self,
        seed: u64,
        number: usize,
    ) -> impl Iterator<Item = BodySpec> + '_ {
        let own_seed = Stream::new(seed, Purpose::Entry).bits(number as u64, 0);
        let stream = move |purpose| Stream::new(own_seed, purpose);
        let id = self.tried;
        let shape = &self.shapes[stream(Purpose::Shape).index(self.shapes.len(), id, 0)];
        // The share of larger floes is never zero, whose quantile would be the largest size without end.
        let size = self
            .settings
            .sizes
            .quantile(1.0 - stream(Purpose::Outline).unit(id, 0));
        let thickness = self.settings.thickness.draw(own_seed, id as usize, size);
        let outline = shape
            .scaled(size)
            .expect("an outline of size 1 m can be scaled to a positive size");
        let Rectangle { min, max } = self.settings.region;
        (0..PLACES).map(move |place| {
            let position: DVec2 = min + (max - min) * stream(Purpose::Place).point(id, place);
            let heading = stream(Purpose::Heading).between(0.0, TAU, id, place);
            BodySpec {
                name: String::new(),
                kind: BodyKind::Floe,
                shape: Shape::Outline(outline.clone()),
                pose: Pose {
                    position,
                    rotation: Rotation::from_angle(heading),
                },
                velocity: self.settings.velocity,
                thickness: Thickness::Uniform(thickness),
                material: self.settings.material,
                mass: None,
                inertia: None,
            }
        })
    }

    /// The source with the counts of floes tried and skipped that it had before.
    pub(crate) fn with_counts(self, tried: u64, skipped: u64) -> Self {
        Self {
            tried,
            skipped,
            ..self
        }
    }

    /// Counts the floe that was due as entered or skipped.
    pub(crate) fn advance(&mut self, has_entered: bool) {
        self.tried += 1;
        self.skipped += u64::from(!has_entered);
    }
}
