//! Scenarios of a piece of ice that is resolved in space and has no pack about it: `[bar]`, a bar struck by another, or `[plate]`, a plate between grips.

use crate::scenario::{Dimension, Document, Problems, ScenarioError, ScenarioInput, TableReader};

/// What a scenario of a specimen describes.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecimenPlan {
    /// Title, from the scenario or its file name.
    pub title: String,
    /// One line for lists of scenarios.
    pub summary: String,
    /// The specimen.
    pub specimen: Specimen,
}

/// A bar or a plate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Specimen {
    /// A bar struck by another of the same ice.
    Bar(BarPlan),
    /// An elastic plate of 100 m between grips.
    Plate(PlatePlan),
}

/// Values of `[bar]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarPlan {
    /// Length of the striker \[m\].
    pub striker_length: f64,
    /// Length of the bar \[m\].
    pub length: f64,
    /// Speed of the striker [m/s].
    pub speed: f64,
    /// Nodes of the bar.
    pub nodes: usize,
    /// Viscosity of the dashpots over √(k m) [–].
    pub damping: f64,
    /// Whether bonds break.
    pub breaking: bool,
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Density [kg/m³].
    pub density: f64,
    /// Fracture energy \[J/m²\].
    pub toughness: f64,
}

/// Values of `[plate]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlatePlan {
    /// Shape of the plate.
    pub shape: PlateOutline,
    /// What the grips do.
    pub load: GripMotion,
    /// Spacing of the nodes \[m\].
    pub spacing: f64,
    /// Length of a segment of the crack \[m\].
    pub segment: f64,
    /// Whether cracks may start inside too.
    pub starts_inside: bool,
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio [–].
    pub poisson: f64,
    /// Fracture energy \[J/m²\].
    pub toughness: f64,
}

/// Shape of a plate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlateOutline {
    /// A square.
    Square,
    /// A square with a tough disc.
    Inclusion,
    /// A square with a hole.
    Hole,
    /// A square with a waist.
    Butterfly,
}

/// What the grips on both sides of a plate do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GripMotion {
    /// The right side moves to the right.
    Pull,
    /// Both sides turn outwards about their lower ends.
    Rotation,
}

impl SpecimenPlan {
    /// The plan of a scenario that was read.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn of(input: &ScenarioInput, overrides: &[String]) -> Result<Self, ScenarioError> {
        let document = Document::of(input, overrides)?;
        let problems = Problems::default();
        let plan = decode_root(&document, &problems, &input.name);
        let plan = document.conclude(plan, problems)?;
        Ok(plan.expect("a scenario without a problem gives a plan"))
    }
}

/// Whether a scenario is one of a specimen: it has a `[bar]` or a `[plate]` table.
pub fn is_specimen(text: &str) -> bool {
    let Ok(document) = Document::parse("scenario", text, &[]) else {
        return false;
    };
    let problems = Problems::default();
    let root = TableReader::root(&document, &problems);
    root.has("bar") || root.has("plate")
}

pub(crate) fn decode_root(
    document: &Document,
    problems: &Problems,
    name: &str,
) -> Option<SpecimenPlan> {
    let root = TableReader::root(document, problems);
    let title = root.optional("title").text().or(name).to_owned();
    let summary = root.optional("summary").text().or("").to_owned();
    let bar = root.optional("bar").table().map(decode_bar);
    // Beside a bar, a plate is a table that nothing reads, and is reported as one.
    let plate = if bar.is_none() {
        root.optional("plate").table().map(decode_plate)
    } else {
        None
    };
    root.finish();
    let specimen = bar.map(Specimen::Bar).or(plate.map(Specimen::Plate))?;
    problems.is_empty().then_some(SpecimenPlan {
        title,
        summary,
        specimen,
    })
}

fn positive(table: &TableReader<'_>, key: &'static str, dimension: Dimension, default: f64) -> f64 {
    table
        .optional(key)
        .quantity(dimension)
        .positive()
        .or(default)
}

/// `[bar]`.
fn decode_bar(table: TableReader<'_>) -> BarPlan {
    let length = |key, default| positive(&table, key, Dimension::Length, default);
    let plan = BarPlan {
        striker_length: length("striker_length", 50.0),
        length: length("length", 100.0),
        speed: positive(&table, "speed", Dimension::Speed, 0.2),
        nodes: table
            .optional("nodes")
            .integer()
            .check("from 5 to 20000", |nodes| (5..=20_000).contains(nodes))
            .or(401) as usize,
        damping: table
            .optional("damping")
            .number()
            .check("from 0 to 2", |damping| (0.0..=2.0).contains(damping))
            .or(0.1),
        breaking: table.optional("breaking").boolean().or(false),
        young: positive(&table, "young", Dimension::Stress, 9e9),
        density: positive(&table, "density", Dimension::Density, 920.0),
        toughness: positive(&table, "toughness", Dimension::SurfaceEnergy, 10.0),
    };
    table.finish();
    plan
}

/// `[plate]`.
fn decode_plate(table: TableReader<'_>) -> PlatePlan {
    let plan = PlatePlan {
        shape: table
            .optional("shape")
            .choice(&[
                ("square", PlateOutline::Square),
                ("inclusion", PlateOutline::Inclusion),
                ("hole", PlateOutline::Hole),
                ("butterfly", PlateOutline::Butterfly),
            ])
            .or(PlateOutline::Square),
        load: table
            .optional("load")
            .choice(&[
                ("pull", GripMotion::Pull),
                ("rotation", GripMotion::Rotation),
            ])
            .or(GripMotion::Pull),
        spacing: positive(&table, "spacing", Dimension::Length, 3.0),
        segment: positive(&table, "segment", Dimension::Length, 12.0),
        starts_inside: table.optional("starts_inside").boolean().or(false),
        young: positive(&table, "young", Dimension::Stress, 9e9),
        poisson: table
            .optional("poisson")
            .number()
            .check("at least 0 and below 0.5", |ratio| {
                (0.0..0.5).contains(ratio)
            })
            .or(0.3),
        toughness: positive(&table, "toughness", Dimension::SurfaceEnergy, 10.0),
    };
    table.finish();
    plan
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn plan(text: &str) -> Result<SpecimenPlan, ScenarioError> {
        SpecimenPlan::of(&ScenarioInput::of_text("test", text, Path::new("")), &[])
    }

    #[test]
    fn a_specimen_is_told_by_its_table() {
        assert!(is_specimen("[bar]\n") && is_specimen("[plate]\n"));
        assert!(!is_specimen("[time]\nduration = \"1 h\"\n") && !is_specimen("no toml"));
    }

    #[test]
    fn bad_values_and_unknown_keys_are_named() {
        for (text, word) in [
            ("[bar]\nspeed = \"-1 m/s\"\n", "speed"),
            ("[bar]\nnodes = 1\n", "nodes"),
            ("[bar]\nstriker = \"5 m\"\n", "striker"),
            ("[plate]\nshape = \"round\"\n", "shape"),
            ("[plate]\npoisson = 0.5\n", "poisson"),
            ("[bar]\n[plate]\n", "plate"),
        ] {
            let error = plan(text).expect_err(text);
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
        let Specimen::Bar(bar) = plan("[bar]\n").unwrap().specimen else {
            panic!("a bar");
        };
        assert_eq!((bar.length, bar.speed, bar.breaking), (100.0, 0.2, false));
    }
}
