//! One dataset of all members, with a dimension `member`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::ENSEMBLE;
use super::gather::Gathered;
use super::members::{MemberStatus, SweepError};
use super::parameter::{Values as ParameterValues, read_values};
use crate::whole_file::remove_leftovers;
use crate::zarr::{ArraySpec, FillValue, Values, ZarrError, ZarrWriter};

/// Writes `ensemble.zarr` into the folder of a sweep, in place of the one that is there, and says where it is.
///
/// Parameters, outcomes and steps have the dimension `member`; curves `member` and `time`, or `member` and `record` where the times of
/// members differ.
///
/// # Errors
/// When the system refuses; the one that is there is then as it was. One process at a time may do it.
pub fn write_dataset(sweep: &Path, gathered: &Gathered) -> Result<PathBuf, SweepError> {
    let path = sweep.join(ENSEMBLE);
    remove_leftovers(&path);
    let partial = sweep.join(format!("{ENSEMBLE}.{}.partial", std::process::id()));
    let written = write(&partial, gathered)
        .map_err(SweepError::Dataset)
        .and_then(|()| {
            if path.exists() {
                fs::remove_dir_all(&path).map_err(SweepError::io("replace", &path))?;
            }
            fs::rename(&partial, &path).map_err(SweepError::io("write", &path))
        });
    if written.is_err() {
        drop(fs::remove_dir_all(&partial));
    }
    written.map(|()| path)
}

/// What is written, one array after the other.
struct Arrays {
    writer: ZarrWriter,
    /// Names that are taken.
    names: Vec<String>,
}

fn write(path: &Path, gathered: &Gathered) -> Result<(), ZarrError> {
    let plan = &gathered.plan;
    let root = json!({
        "Conventions": "CF-1.11",
        "title": plan.title,
        "source": format!("Banquise {}", plan.version),
        "banquise_version": plan.version,
        "scenario_name": plan.scenario,
        "scenario": plan.scenario_text,
        "parameters": plan.parameters,
        "members_complete_failed_missing": gathered.counts(),
    });
    let mut writer = ZarrWriter::create(path, object(root))?;
    writer.defer_root();
    let mut arrays = Arrays {
        writer,
        names: Vec::new(),
    };
    arrays.members(gathered)?;
    arrays.parameters(gathered)?;
    arrays.curves(gathered)?;
    arrays.outcomes(gathered)?;
    arrays.writer.finish()
}

impl Arrays {
    fn members(&mut self, gathered: &Gathered) -> Result<(), ZarrError> {
        let members = &gathered.plan.members;
        let numbers: Vec<i64> = (0..members.len() as i64).collect();
        let ids: Vec<&str> = members.iter().map(|member| member.id.as_str()).collect();
        let attributes = json!({ "long_name": "number of the member", "ids": ids });
        self.put(
            "member",
            &["member"],
            &[members.len()],
            Values::I64(&numbers),
            attributes,
        )?;
        let code = |place: usize| match gathered.results[place].as_ref().map(|r| r.status) {
            Some(MemberStatus::Complete) => 0,
            Some(MemberStatus::Failed) => 1,
            None => 2,
        };
        let codes: Vec<i64> = (0..members.len()).map(code).collect();
        let attributes = json!({
            "long_name": "how the member ended",
            "flag_values": [0, 1, 2],
            "flag_meanings": "complete failed missing",
        });
        self.put(
            "status",
            &["member"],
            &[members.len()],
            Values::I64(&codes),
            attributes,
        )
    }

    fn parameters(&mut self, gathered: &Gathered) -> Result<(), ZarrError> {
        let plan = &gathered.plan;
        for (column, key) in plan.parameters.iter().enumerate() {
            let members = plan.members.iter();
            let texts: Vec<&str> = members
                .map(|member| member.values[column].as_str())
                .collect();
            let name = plain_name(key);
            let length = [texts.len()];
            match read_values(&texts) {
                ParameterValues::Numbers(values, unit) => {
                    let unit = if unit.is_empty() { "1" } else { unit };
                    let attributes = json!({ "long_name": key, "units": unit });
                    self.put(
                        &name,
                        &["member"],
                        &length,
                        Values::F64(&values),
                        attributes,
                    )?;
                }
                ParameterValues::Labels(codes, labels) => {
                    let numbers: Vec<usize> = (0..labels.len()).collect();
                    let meanings: Vec<String> =
                        labels.iter().map(|label| label.replace(' ', "_")).collect();
                    let attributes = json!({
                        "long_name": key,
                        "labels": labels,
                        "flag_values": numbers,
                        "flag_meanings": meanings.join(" "),
                    });
                    self.put(&name, &["member"], &length, Values::I64(&codes), attributes)?;
                }
            }
        }
        Ok(())
    }

    fn curves(&mut self, gathered: &Gathered) -> Result<(), ZarrError> {
        let results = gathered.results.iter();
        let all: Vec<&[f64]> = results
            .map(|result| result.as_ref().map_or(&[][..], |result| &result.times))
            .collect();
        let longest = all.iter().max_by_key(|times| times.len()).copied();
        let longest = longest.unwrap_or_default();
        let is_common = all.iter().all(|times| longest.starts_with(times));
        let units = "s";
        let padded = |values: &[f64]| {
            let missing = std::iter::repeat_n(f64::NAN, longest.len() - values.len());
            values.iter().copied().chain(missing).collect::<Vec<f64>>()
        };
        let dimensions = if is_common {
            let attributes = json!({ "long_name": "time since the start", "units": units });
            self.put(
                "time",
                &["time"],
                &[longest.len()],
                Values::F64(longest),
                attributes,
            )?;
            ["member", "time"]
        } else {
            let times: Vec<f64> = all.iter().flat_map(|times| padded(times)).collect();
            let attributes = json!({ "long_name": "time since the start", "units": units });
            let (dimensions, shape) = (["member", "record"], [all.len(), longest.len()]);
            self.put("time", &dimensions, &shape, Values::F64(&times), attributes)?;
            dimensions
        };
        let shape = [all.len(), longest.len()];
        for [name, unit, meaning] in &gathered.plan.measures {
            let results = gathered.results.iter();
            let values: Vec<f64> = results
                .flat_map(|result| {
                    let curve = result.as_ref().and_then(|result| result.curve(name));
                    padded(&curve.unwrap_or_default())
                })
                .collect();
            let attributes = json!({ "long_name": meaning, "units": unit });
            self.put(name, &dimensions, &shape, Values::F64(&values), attributes)?;
        }
        Ok(())
    }

    fn outcomes(&mut self, gathered: &Gathered) -> Result<(), ZarrError> {
        let plan = &gathered.plan;
        for outcome in &plan.outcomes {
            let members = 0..plan.members.len();
            let values: Vec<f64> = members
                .map(|place| gathered.outcome(place, outcome))
                .collect();
            let unit = plan
                .measures
                .iter()
                .find(|[name, ..]| *name == outcome.measure);
            let attributes = json!({
                "long_name": format!("{:?} of {}", outcome.take, outcome.measure).to_lowercase(),
                "units": unit.map_or("1", |[_, unit, _]| unit.as_str()),
            });
            let name = format!("outcome_{}", plain_name(&outcome.name));
            self.put(
                &name,
                &["member"],
                &[values.len()],
                Values::F64(&values),
                attributes,
            )?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        name: &str,
        dimensions: &[&str],
        shape: &[usize],
        values: Values<'_>,
        attributes: Value,
    ) -> Result<(), ZarrError> {
        let mut name = name.to_owned();
        while self.names.contains(&name) {
            name.push('_');
        }
        self.names.push(name.clone());
        let fill_value = match values {
            Values::I64(_) => FillValue::I64(-1),
            _ => FillValue::F64(f64::NAN),
        };
        let spec = ArraySpec {
            name,
            dimensions: dimensions.iter().map(|&name| name.into()).collect(),
            shape: shape.to_vec(),
            fill_value,
            attributes: object(attributes),
        };
        self.writer.write_static(&spec, values)
    }
}

/// A key as the name of a variable: `floe[0].radius` is `floe_0_radius`.
fn plain_name(key: &str) -> String {
    let plain = key
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let plain: String = plain.collect();
    let parts: Vec<&str> = plain.split('_').filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [] => "value".into(),
        _ => parts.join("_"),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
