//! Tables of comma-separated values, as pandas and spreadsheets open them.
//!
//! A column has its unit in brackets after its name, as `x [m]`. Numbers read back exactly. What is missing is empty.

use std::fmt::Write as _;
use std::path::Path;

use banquise_geometry::DVec2;

use super::source::{Output, create_folder};
use super::{ExportError, Source, Watch, watched};
use crate::recording::{collision_variables, line_variables, motion_variables, other_number};

/// Writes the tables into a new folder.
pub(super) fn write(
    source: &Source,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    create_folder(folder)?;
    write_bodies(source, &folder.join("bodies.csv"))?;
    write_outlines(source, &folder.join("outlines.csv"))?;
    if source.recording.has_versions() {
        write_versions(source, &folder.join("outline_versions.csv"))?;
        write_version_outlines(source, &folder.join("outline_version_outlines.csv"))?;
    }
    write_records(source, &folder.join("records.csv"))?;
    write_loads(source, &folder.join("loads.csv"))?;
    write_lines(source, &folder.join("lines.csv"))?;
    write_collisions(source, &folder.join("collisions.csv"))?;
    write_motions(source, &folder.join("motions.csv"), watch)
}

/// One row a body.
fn write_bodies(source: &Source, path: &Path) -> Result<(), ExportError> {
    let mut table = Output::create(path)?;
    let names: Vec<&str> = source.recording.body_variables().collect();
    let lives = "born [s],gone [s],parent,generation";
    table.write(format!(
        "body,name,is_obstacle,{},{lives}\n",
        titles(source, &names)
    ))?;
    let columns = names.iter().map(|name| source.recording.series(name));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    for (row, id) in source.bodies.ids.iter().enumerate() {
        let is_obstacle = u8::from(source.bodies.is_obstacle[row]);
        let mut line = format!("{id},{},{is_obstacle}", quoted(source.name(row)));
        let bodies = &source.bodies;
        let lives = [
            bodies.born[row],
            bodies.gone[row],
            bodies.parents[row] as f64,
            bodies.generations[row] as f64,
        ];
        let numbers = columns.iter().map(|column| column[row]);
        add_numbers(&mut line, numbers.chain(lives));
        table.write(line)?;
    }
    table.finish()
}

/// One row a vertex, in the frame of its body; a true disc has none.
fn write_outlines(source: &Source, path: &Path) -> Result<(), ExportError> {
    let mut table = Output::create(path)?;
    table.write("body,vertex,x [m],y [m]\n")?;
    for (id, outline) in source.bodies.ids.iter().zip(&source.bodies.outlines) {
        for (index, vertex) in outline.iter().enumerate() {
            let mut line = format!("{id},{index}");
            add_numbers(&mut line, vertex.to_array());
            table.write(line)?;
        }
    }
    table.finish()
}

/// One row a cut: the body as it is from a time on.
fn write_versions(source: &Source, path: &Path) -> Result<(), ExportError> {
    let mut table = Output::create(path)?;
    table.write(
        "body,time [s],mass [kg],area [m2],disc_radius [m],disc_center_x [m],disc_center_y [m]\n",
    )?;
    for version in &source.bodies.versions {
        let id = source.bodies.ids[version.row];
        let mut line = format!("{id},{}", version.time);
        let (center, radius) = version.disc.unwrap_or((DVec2::NAN, f64::NAN));
        let numbers = [version.mass, version.area, radius, center.x, center.y];
        add_numbers(&mut line, numbers);
        table.write(line)?;
    }
    table.finish()
}

/// One row a vertex of an outline after a cut, in the frame of its body.
fn write_version_outlines(source: &Source, path: &Path) -> Result<(), ExportError> {
    let mut table = Output::create(path)?;
    table.write("body,time [s],vertex,x [m],y [m]\n")?;
    for version in &source.bodies.versions {
        let id = source.bodies.ids[version.row];
        for (index, vertex) in version.outline.iter().enumerate() {
            let mut line = format!("{id},{},{index}", version.time);
            add_numbers(&mut line, vertex.to_array());
            table.write(line)?;
        }
    }
    table.finish()
}

/// One row a record.
fn write_records(source: &Source, path: &Path) -> Result<(), ExportError> {
    let mut table = Output::create(path)?;
    let names: Vec<&str> = source.recording.record_variables().collect();
    let date = source.start.map_or("", |_| "date,");
    table.write(format!(
        "record,time [s],{date}{}\n",
        titles(source, &names)
    ))?;
    let columns = names.iter().map(|name| source.recording.series(name));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    for &record in &source.records {
        let time = source.times[record];
        let mut line = format!("{record},{time}");
        if source.start.is_some() {
            line.push(',');
            line.push_str(&source.date(time).unwrap_or_default());
        }
        add_numbers(&mut line, columns.iter().map(|column| column[record]));
        table.write(line)?;
    }
    table.finish()
}

/// One row an obstacle or wall and record; no table where there is none.
fn write_loads(source: &Source, path: &Path) -> Result<(), ExportError> {
    let loads = source.recording.loads()?;
    if loads.names.is_empty() {
        return Ok(());
    }
    let mut table = Output::create(path)?;
    let names = [
        "load_normal",
        "load_tangent",
        "load_crushing",
        "load_crushing_area",
    ];
    table.write(format!(
        "record,time [s],obstacle,{}\n",
        titles(source, &names)
    ))?;
    for &record in &source.records {
        for (index, name) in loads.names.iter().enumerate() {
            let mut line = format!("{record},{},{}", source.times[record], quoted(name));
            let lists = [
                &loads.normal,
                &loads.tangent,
                &loads.crushing,
                &loads.crushing_area,
            ];
            add_numbers(&mut line, lists.map(|list| list[index][record]));
            table.write(line)?;
        }
    }
    table.finish()
}

/// One row a line and record; no table where there is none.
fn write_lines(source: &Source, path: &Path) -> Result<(), ExportError> {
    let Some(lines) = source.recording.lines()? else {
        return Ok(());
    };
    let mut table = Output::create(path)?;
    let columns = [&lines.tensions, &lines.lengths, &lines.broken_at];
    let names: Vec<&str> = line_variables().collect();
    let titles = titles(source, &names).replace("line_", "");
    table.write(format!("record,time [s],line,{titles}\n"))?;
    for &record in &source.records {
        for (index, name) in lines.names.iter().enumerate() {
            let mut line = format!("{record},{},{}", source.times[record], quoted(name));
            let value =
                |column: &Vec<Vec<f64>>| column.get(index).map_or(f64::NAN, |own| own[record]);
            add_numbers(&mut line, columns.map(value));
            table.write(line)?;
        }
    }
    table.finish()
}

/// One row a contact of the log of collisions; no table where there is none.
fn write_collisions(source: &Source, path: &Path) -> Result<(), ExportError> {
    let log = source.recording.collisions()?;
    if log.is_empty() {
        return Ok(());
    }
    let mut table = Output::create(path)?;
    let names: Vec<&str> = collision_variables().collect();
    let titles = titles(source, &names);
    table.write(format!("{}\n", titles.replace("collision_", "")))?;
    for row in &log {
        let (other, is_new) = (other_number(row.other), u8::from(row.is_collision));
        let mut line = format!("{},{other},{is_new}", row.body.0);
        let [point, normal] = [row.point, row.normal];
        add_numbers(
            &mut line,
            [
                row.time,
                point.x,
                point.y,
                normal.x,
                normal.y,
                row.approach_speed,
                row.normal_impulse,
                row.tangent_impulse,
            ],
        );
        table.write(line)?;
    }
    table.finish()
}

/// One row a body that is in the world and record, in the order of the records.
fn write_motions(source: &Source, path: &Path, watch: &mut Watch<'_>) -> Result<(), ExportError> {
    let mut table = Output::create(path)?;
    let names: Vec<&str> = motion_variables(source.recording.weather_differs()).collect();
    table.write(format!("record,time [s],body,{}\n", titles(source, &names)))?;
    for (done, &record) in source.records.iter().enumerate() {
        let columns = names
            .iter()
            .map(|name| source.recording.bodies_at(name, record));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let is_there = |row: &usize| {
            let must_live = source.bodies.must_live(*row, source.times[record]);
            must_live || !columns[0][*row].is_nan()
        };
        for row in (0..source.bodies.len()).filter(is_there) {
            let id = source.bodies.ids[row];
            let mut line = format!("{record},{},{id}", source.times[record]);
            add_numbers(&mut line, columns.iter().map(|column| column[row]));
            table.write(line)?;
        }
        watched(watch(done + 1, source.records.len()))?;
    }
    table.finish()
}

/// Names of variables with their units, commas between.
fn titles(source: &Source, names: &[&str]) -> String {
    let titles = names.iter().map(|name| {
        match slashed(source.recording.description(name, "units")).as_str() {
            "" | "1" => (*name).to_owned(),
            unit => format!("{name} [{unit}]"),
        }
    });
    titles.collect::<Vec<_>>().join(",")
}

/// A unit as people and our own reader of series write it: `m/s` for the `m s-1` of the dataset.
fn slashed(unit: &str) -> String {
    let factors = unit.split_whitespace().map(|factor| {
        let (name, power) = factor.split_once('-').unwrap_or((factor, ""));
        let sign = if factor.contains('-') { '/' } else { ' ' };
        format!("{sign}{name}{}", power.trim_start_matches('1'))
    });
    factors.collect::<String>().trim_start().to_owned()
}

/// Adds numbers, each after a comma, and ends the line.
fn add_numbers(line: &mut String, values: impl IntoIterator<Item = f64>) {
    for value in values {
        line.push(',');
        if !value.is_nan() {
            write!(line, "{value}").expect("a string takes any text");
        }
    }
    line.push('\n');
}

/// A text as RFC 4180 wants it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_a_slash() {
        assert_eq!(slashed("m s-1"), "m/s");
        assert_eq!(slashed("kg m2"), "kg m2");
        assert_eq!(slashed("W m-2"), "W/m2");
        assert_eq!(slashed("1"), "1");
    }

    #[test]
    fn texts_and_numbers_read_back() {
        assert_eq!(quoted("Alba"), "Alba");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        let mut line = String::from("1");
        add_numbers(&mut line, [0.1, f64::NAN, f64::INFINITY, -1e-300]);
        let mut words = line.trim_end().split(',');
        assert_eq!(words.nth(1).unwrap().parse(), Ok(0.1));
        assert_eq!(words.next(), Some(""));
        assert_eq!(words.next().unwrap().parse(), Ok(f64::INFINITY));
        assert_eq!(words.next().unwrap().parse(), Ok(-1e-300));
    }
}
