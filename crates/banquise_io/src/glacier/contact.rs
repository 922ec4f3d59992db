//! The `[contact]` table: nothing, a pulse, a table, or an iceberg.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use banquise_glacier::{Capsize, ChainSettings, ContactForce, ForceTable, Iceberg};

use super::rejected;
use crate::scenario::{Dimension, Field, ProblemKind, TableReader, Value, read_scalar_series};

/// A force, and the iceberg and its capsize it comes from.
type Load = (ContactForce, Option<(Iceberg, Capsize)>);

#[derive(Clone, Copy, PartialEq)]
enum LoadKind {
    None,
    Pulse,
    Table,
    Iceberg,
}

/// Reads the table; without it no force acts on the front. Density and gravity of an iceberg are those of the glacier
/// unless it says otherwise.
pub(super) fn decode(
    root: &TableReader<'_>,
    glacier: Option<&ChainSettings>,
    folder: &Path,
) -> Option<Load> {
    let field = root.optional("contact");
    if !field.is_present() {
        return Some((ContactForce::None, None));
    }
    let table = field.table()?;
    let kind = table
        .required_like(
            "kind",
            "`kind = \"pulse\"`, `\"iceberg\"`, `\"table\"` or `\"none\"`",
        )
        .choice(&[
            ("none", LoadKind::None),
            ("pulse", LoadKind::Pulse),
            ("table", LoadKind::Table),
            ("iceberg", LoadKind::Iceberg),
        ])
        .get();
    let load = match kind? {
        LoadKind::None => Some((ContactForce::None, None)),
        LoadKind::Pulse => decode_pulse(&table),
        LoadKind::Table => decode_table(&table, folder),
        LoadKind::Iceberg => decode_iceberg(&table, glacier),
    };
    table.finish();
    load
}

fn start(table: &TableReader<'_>) -> f64 {
    table
        .optional("start")
        .quantity(Dimension::Time)
        .non_negative()
        .or(0.0)
}

fn decode_pulse(table: &TableReader<'_>) -> Option<Load> {
    let peak = table
        .required_like("peak", "`peak = \"30 MN/m\"`")
        .quantity(Dimension::LineForce)
        .get();
    let duration = table
        .required_like("duration", "`duration = \"100 s\"`")
        .quantity(Dimension::Time)
        .positive()
        .get();
    let pulse = ContactForce::Pulse {
        start: start(table),
        peak: peak?,
        duration: duration?,
    };
    Some((pulse, None))
}

/// `samples = [{ time = "0 s", force = "1 MN/m" }, …]`, or `file = "force.csv"`.
fn decode_table(table: &TableReader<'_>, folder: &Path) -> Option<Load> {
    table.exclusive("samples", "file");
    let field = if table.has("file") {
        table.optional("file")
    } else {
        table.required_like(
            "samples",
            "`samples = [{ time = \"0 s\", force = \"1 MN/m\" }, …]`, or `file = \"force.csv\"`",
        )
    };
    let span = field.node()?.span;
    let samples = match field.node().map(|node| &node.value) {
        Some(Value::Array(_)) => decode_samples(field),
        _ => read_file(field, folder),
    };
    match ForceTable::try_new(samples?) {
        Ok(forces) => Some((ContactForce::Table(forces), None)),
        Err(error) => {
            table
                .problems()
                .push(rejected("the table of forces", &error, span));
            None
        }
    }
}

fn decode_samples(field: Field<'_>) -> Option<Vec<[f64; 2]>> {
    let samples: Vec<Option<[f64; 2]>> = field
        .tables()
        .into_iter()
        .map(|sample| {
            let time = sample
                .required_like("time", "`time = \"10 s\"`")
                .quantity(Dimension::Time)
                .get();
            let force = sample
                .required_like("force", "`force = \"1 MN/m\"`")
                .quantity(Dimension::LineForce)
                .get();
            sample.finish();
            Some([time?, force?])
        })
        .collect();
    samples.into_iter().collect()
}

/// A CSV file beside the scenario, with columns `time [s]` and `force [MN/m]`.
fn read_file(field: Field<'_>, folder: &Path) -> Option<Vec<[f64; 2]>> {
    let asked = field.clone();
    let path = folder.join(field.path().get()?);
    let name = path.display().to_string();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) if source.kind() == ErrorKind::NotFound => {
            let kind = ProblemKind::FileNotFound { path: name };
            let hint = "paths count from the folder of the scenario";
            asked.report_with_hint(kind, hint);
            return None;
        }
        Err(source) => {
            asked.report(ProblemKind::FileUnreadable { path: name, source });
            return None;
        }
    };
    match read_scalar_series(&text, &["force", "F"], Dimension::LineForce) {
        Ok(samples) => Some(samples),
        Err(error) => {
            asked.report(ProblemKind::FileRejected {
                path: name,
                hint: error.hint(),
                source: error.into(),
            });
            None
        }
    }
}

fn decode_iceberg(table: &TableReader<'_>, glacier: Option<&ChainSettings>) -> Option<Load> {
    let usual = Iceberg::default();
    table.exclusive("width", "width_to_height");
    let iceberg_height = table
        .required_like("height", "`height = \"800 m\"`")
        .quantity(Dimension::Length)
        .positive()
        .get();
    let width = table
        .optional("width")
        .quantity(Dimension::Length)
        .positive()
        .get();
    let ratio = table
        .optional("width_to_height")
        .number()
        .positive()
        .or(usual.iceberg_width / usual.iceberg_height);
    let density = |key, default| {
        table
            .optional(key)
            .quantity(Dimension::Density)
            .positive()
            .or(default)
    };
    let factor = |key, default| table.optional(key).number().non_negative().or(default);
    let iceberg = Iceberg {
        iceberg_density: density(
            "density",
            glacier.map_or(usual.iceberg_density, |glacier| glacier.glacier_density),
        ),
        water_density: density("water_density", usual.water_density),
        gravity: glacier.map_or(usual.gravity, |glacier| glacier.gravity),
        iceberg_drag: factor("drag", usual.iceberg_drag),
        added_mass: factor("added_mass", usual.added_mass),
        initial_tilt: table
            .optional("initial_tilt")
            .quantity(Dimension::Angle)
            .positive()
            .or(usual.initial_tilt),
        iceberg_height: iceberg_height?,
        iceberg_width: width.unwrap_or(ratio * iceberg_height?),
    };
    let start = start(table);

    let outcome = iceberg.capsize().and_then(|capsize| {
        let table = capsize.table(start)?;
        Ok((ContactForce::Table(table), Some((iceberg, capsize))))
    });
    match outcome {
        Ok(load) => Some(load),
        Err(error) => {
            table
                .problems()
                .push(rejected("the iceberg", &error, table.span()));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glacier::GlacierPlan;

    fn load(contact: &str, folder: &Path) -> Result<ContactForce, String> {
        let text = format!(
            "[glacier]\nlength = \"2 km\"\nblocks = 80\n[time]\nduration = \"300 s\"\n[contact]\n{contact}"
        );
        let plan = GlacierPlan::parse("test", &text, &[], folder);
        plan.map(|plan| plan.load)
            .map_err(|error| error.render(false))
    }

    #[test]
    fn a_table_may_be_in_the_scenario_or_beside_it() {
        let inside = "kind = \"table\"\nsamples = [{ time = \"0 s\", force = \"1 MN/m\" }, \
                      { time = \"20 s\", force = \"3000 kN/m\" }]";
        let folder = tempfile::tempdir().unwrap();
        let csv = "time [min], force [MN/m]\n# start\n0, 1\n0.3333333333333333, 3\n";
        fs::write(folder.path().join("force.csv"), csv).unwrap();
        for contact in [inside, "kind = \"table\"\nfile = \"force.csv\""] {
            let load = load(contact, folder.path()).unwrap();
            assert_eq!((load.at(0.0), load.at(10.0)), (1e6, 2e6), "{contact}");
        }
        let error = load("kind = \"table\"\nfile = \"none.csv\"", folder.path()).unwrap_err();
        assert!(error.contains("none.csv"), "{error}");
    }

    #[test]
    fn an_iceberg_pushes_from_its_start_on() {
        let load = load(
            "kind = \"iceberg\"\nheight = \"800 m\"\nstart = \"10 s\"",
            Path::new(""),
        );
        let load = load.unwrap();
        assert_eq!(load.at(9.9), 0.0);
        assert!(load.at(10.1) > 0.9e6);
        assert!((load.scale().0 / 35.9e6 - 1.0).abs() < 2e-3);
    }
}
