//! How pictures and films look, and what a user asks of them, checked against the format.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::coloring::Coloring;
use super::{FORMATS, Format, Kind};

/// Pixels of a side: H.264 and memory have limits.
const SIDES: RangeInclusive<u32> = 64..=4096;
/// Frames a second.
const RATES: RangeInclusive<u32> = 1..=60;

/// How pictures look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmSettings {
    /// What floes are coloured by.
    pub coloring: Coloring,
    /// Width of the picture \[pixels\].
    pub width: u32,
    /// Height of the picture \[pixels\].
    pub height: u32,
    /// Frames a second, one record each.
    pub frames_per_second: u32,
    /// Whether there are trails behind the floes and a graticule under them.
    pub has_marks: bool,
}

impl Default for FilmSettings {
    /// 1080p, by speed, with trails and a graticule.
    fn default() -> Self {
        Self {
            coloring: Coloring::Speed,
            width: 1920,
            height: 1080,
            frames_per_second: 25,
            has_marks: true,
        }
    }
}

/// What a user asks for; the rest is as in [`FilmSettings::default`].
#[derive(Debug, Clone, Copy, Default)]
pub struct FilmWishes<'a> {
    /// What floes are coloured by.
    pub color: Option<&'a str>,
    /// Width and height in pixels, like `1280x720`.
    pub size: Option<&'a str>,
    /// Frames a second.
    pub fps: Option<u32>,
    /// Neither trails nor a graticule.
    pub is_plain: bool,
}

/// Why a film cannot be as one wishes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FilmError {
    /// The format has nothing of the kind.
    #[error("`{option}` means nothing to the format `{format}`")]
    NotOfFormat {
        /// What was asked for.
        option: &'static str,
        /// Of which format.
        format: &'static str,
    },
    /// No such colouring.
    #[error("floes cannot be coloured by `{name}`")]
    Coloring {
        /// Its name.
        name: String,
    },
    /// Not a size, or too small or large.
    #[error("`{size}` is not a size of pictures")]
    Size {
        /// As given.
        size: String,
    },
    /// Films in H.264 have colours at half the resolution.
    #[error("a film of {width}x{height} pixels cannot be: its sides must be even")]
    OddSide {
        /// Width \[pixels\].
        width: u32,
        /// Height \[pixels\].
        height: u32,
    },
    /// Too few or too many frames a second.
    #[error("a film cannot have {fps} frames a second")]
    Rate {
        /// As given.
        fps: u32,
    },
}

impl FilmError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> String {
        match self {
            Self::NotOfFormat { option, .. } => {
                let formats = FORMATS.iter().filter(|format| has(format.kind, option));
                let names: Vec<&str> = formats.map(|format| format.name).collect();
                format!("leave it out; it is for {}", names.join(", "))
            }
            Self::Coloring { .. } => {
                let names: Vec<&str> = Coloring::ALL.iter().map(|(name, _)| *name).collect();
                format!("they can by {}", names.join(", "))
            }
            Self::Size { .. } => format!(
                "say width and height in pixels, like 1280x720, from {} to {}",
                SIDES.start(),
                SIDES.end()
            ),
            Self::OddSide { width, height } => {
                format!("try {}x{}", width & !1, height & !1)
            }
            Self::Rate { .. } => format!("give {} to {}", RATES.start(), RATES.end()),
        }
    }
}

/// Whether formats of a kind have something to choose of that name.
fn has(kind: Kind, option: &str) -> bool {
    match kind {
        Kind::Numbers => false,
        Kind::Pictures => option != "fps",
        Kind::Film => true,
    }
}

impl FilmWishes<'_> {
    /// The settings for a format.
    ///
    /// # Errors
    /// When a wish means nothing to the format, or cannot be.
    pub fn settings(&self, format: &Format) -> Result<FilmSettings, FilmError> {
        let given = [
            ("color", self.color.is_some()),
            ("size", self.size.is_some()),
            ("fps", self.fps.is_some()),
            ("plain", self.is_plain),
        ];
        for (option, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            if !has(format.kind, option) {
                let format = format.name;
                return Err(FilmError::NotOfFormat { option, format });
            }
        }
        let mut film = FilmSettings {
            has_marks: !self.is_plain,
            ..FilmSettings::default()
        };
        if let Some(name) = self.color {
            let refused = || FilmError::Coloring { name: name.into() };
            film.coloring = Coloring::named(name).ok_or_else(refused)?;
        }
        if let Some(size) = self.size {
            let refused = || FilmError::Size { size: size.into() };
            (film.width, film.height) = sides(size).ok_or_else(refused)?;
        }
        if let Some(fps) = self.fps {
            film.frames_per_second = fps;
            if !RATES.contains(&fps) {
                return Err(FilmError::Rate { fps });
            }
        }
        Ok(film)
    }
}

/// Width and height, from text like `1280x720`.
fn sides(size: &str) -> Option<(u32, u32)> {
    let (width, height) = size.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
    Some((side(width)?, side(height)?))
}
