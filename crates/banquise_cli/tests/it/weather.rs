//! What the program says to files of wind that it cannot use, and to bad patterns, word for word.

use insta::assert_snapshot;

use crate::bad_input::{refusal, refused};
use crate::workbench::{GOOD, Workbench};

/// A file in NetCDF's classic format: dimensions, and variables of 64-bit numbers.
pub(crate) struct Classic {
    pub(crate) dimensions: Vec<(&'static str, usize)>,
    pub(crate) variables: Vec<Variable>,
}

pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) texts: Vec<(&'static str, &'static str)>,
    pub(crate) values: Vec<f64>,
}

impl Classic {
    /// Two days of wind every six hours, on a grid of half a degree around 60° N 5° E.
    fn good() -> Self {
        let axis = |name, dimension, unit, values| Variable {
            name,
            dimensions: vec![dimension],
            texts: vec![("units", unit)],
            values,
        };
        let steps = |start: f64, step: f64, count: usize| {
            (0..count)
                .map(|k| start + step * k as f64)
                .collect::<Vec<_>>()
        };
        let component = |name, standard| Variable {
            name,
            dimensions: vec![0, 1, 2],
            texts: vec![("standard_name", standard), ("units", "m s-1")],
            values: vec![5.0; 9 * 5 * 5],
        };
        Self {
            dimensions: vec![("time", 9), ("lat", 5), ("lon", 5)],
            variables: vec![
                axis(
                    "time",
                    0,
                    "hours since 2016-02-01 00:00:00",
                    steps(0.0, 6.0, 9),
                ),
                axis("lat", 1, "degrees_north", steps(59.0, 0.5, 5)),
                axis("lon", 2, "degrees_east", steps(4.0, 0.5, 5)),
                component("u", "eastward_wind"),
                component("v", "northward_wind"),
            ],
        }
    }

    pub(crate) fn variable(&mut self, name: &str) -> &mut Variable {
        self.variables.iter_mut().find(|v| v.name == name).unwrap()
    }

    /// With another text for an attribute of a variable.
    pub(crate) fn with(
        mut self,
        variable: &str,
        attribute: &'static str,
        text: &'static str,
    ) -> Self {
        let texts = &mut self.variable(variable).texts;
        texts.retain(|(name, _)| *name != attribute);
        texts.push((attribute, text));
        self
    }

    /// With other values of a variable.
    fn with_values(mut self, variable: &str, change: impl Fn(&mut Vec<f64>)) -> Self {
        change(&mut self.variable(variable).values);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        // The place of the data is known once the header is: write it twice.
        let length = self.header(0).len();
        let mut bytes = self.header(length);
        for variable in &self.variables {
            bytes.extend(variable.values.iter().flat_map(|value| value.to_be_bytes()));
        }
        bytes
    }

    fn header(&self, mut begin: usize) -> Vec<u8> {
        let mut bytes = b"CDF\x01\0\0\0\0".to_vec();
        numbers(&mut bytes, &[10, self.dimensions.len()]);
        for (name, size) in &self.dimensions {
            text(&mut bytes, name);
            numbers(&mut bytes, &[*size]);
        }
        numbers(&mut bytes, &[0, 0, 11, self.variables.len()]);
        for variable in &self.variables {
            text(&mut bytes, variable.name);
            numbers(&mut bytes, &[variable.dimensions.len()]);
            numbers(&mut bytes, &variable.dimensions);
            numbers(&mut bytes, &[12, variable.texts.len()]);
            for (name, value) in &variable.texts {
                text(&mut bytes, name);
                numbers(&mut bytes, &[2]);
                text(&mut bytes, value);
            }
            let size = 8 * variable.values.len();
            numbers(&mut bytes, &[6, size, begin]);
            begin += size;
        }
        bytes
    }
}

fn numbers(bytes: &mut Vec<u8>, values: &[usize]) {
    bytes.extend(
        values
            .iter()
            .flat_map(|&value| u32::try_from(value).unwrap().to_be_bytes()),
    );
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    numbers(bytes, &[text.len()]);
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

const PLACE: &str = "[origin]\nlongitude = \"5 degE\"\nlatitude = \"60 degN\"\n";
const WIND: &str = "[wind]\nvelocity = [\"5 m/s\", \"0 m/s\"]\n";
const START: &str = "start = 2016-02-01T00:00:00Z\n";

/// The good scenario with its wind from a file, and more keys in that table.
fn scenario(more: &str) -> String {
    assert!(GOOD.contains(WIND));
    let scenario = GOOD.replacen(
        WIND,
        &format!("[wind]\nfile = \"wind.nc\"\n{more}\n{PLACE}"),
        1,
    );
    scenario.replacen("[time]\n", &format!("[time]\n{START}"), 1)
}

fn bench(scenario: &str, file: &[u8]) -> Workbench {
    let bench = Workbench::with_scenario(scenario);
    bench.write("wind.nc", file);
    bench
}

/// The good scenario with another file.
fn file(file: &Classic) -> Workbench {
    bench(&scenario(""), &file.bytes())
}

/// The good scenario with that in its table of wind, beside a good file.
fn table(more: &str) -> Workbench {
    bench(&scenario(more), &Classic::good().bytes())
}

/// The good scenario with a pattern in place of its wind.
fn pattern(pattern: &str) -> Workbench {
    Workbench::with_scenario(&GOOD.replacen(WIND, &format!("[wind]\n{pattern}\n"), 1))
}

// Files.
refused! {
    file_missing: Workbench::with_scenario(&scenario(""));
    file_of_text: bench(&scenario(""), b"time,u,v\n0,1,2\n");
    file_empty: bench(&scenario(""), b"");
    file_cut: bench(&scenario(""), &Classic::good().bytes()[..700]);
    file_and_velocity: table("velocity = [\"5 m/s\", \"0 m/s\"]");
    file_without_start: bench(&scenario("").replacen(START, "", 1), &Classic::good().bytes());
    file_without_origin: bench(&scenario("").replacen(PLACE, "", 1), &Classic::good().bytes());
    file_that_leaves_out_an_ocean_cell: table(
        "[ocean_layer]\ncells = [2, 1]\nregion = { size = [\"9000 km\", \"1 km\"] }\neddy_viscosity = \"10 m2/s\"");
}

// Variables.
refused! {
    no_standard_names: file(&Classic::good().with("u", "standard_name", "air_temperature"));
    two_of_the_same_name: file(&{
        let mut file = Classic::good();
        let mut higher = Classic::good();
        let u = higher.variables.swap_remove(3);
        file.variables.push(Variable { name: "u100", ..u });
        file
    });
    unknown_variable: table("variables = { x = \"u10\", y = \"v10\" }");
    one_variable: table("variables = { x = \"u\" }");
    unknown_directions: bench(&scenario("variables = { x = \"u\", y = \"v\" }"),
        &Classic::good().with("u", "standard_name", "wind_speed").bytes());
    unit_of_another_kind: file(&Classic::good().with("v", "units", "Pa"));
    no_unit: file(&Classic::good().with("u", "units", ""));
    all_missing: file(&Classic::good().with_values("u", |values| values[25..50].fill(f64::NAN)));
    no_such_level: bench(&scenario("level = 3"), &{
        let mut file = Classic::good();
        file.dimensions.push(("height", 1));
        for name in ["u", "v"] {
            file.variable(name).dimensions = vec![0, 3, 1, 2];
        }
        file.bytes()
    });
}

// Places.
refused! {
    no_places: file(&Classic::good().with("lat", "units", "1"));
    no_nodes: file(&{
        let mut file = Classic::good();
        file.dimensions[1].1 = 0;
        for name in ["lat", "u", "v"] {
            file.variable(name).values.clear();
        }
        // A dimension of the length 0 is the one that grows, which comes first.
        for name in ["u", "v"] {
            file.variable(name).dimensions = vec![1, 2];
        }
        file
    });
    latitude_beyond_a_pole: file(&Classic::good().with_values("lat", |values| values[4] = 95.0));
    folded_grid: file(&Classic::good().with_values("lon", |values| values[2] = 3.0));
    grid_elsewhere: file(&Classic::good().with_values("lat", |values| values.iter_mut().for_each(|v| *v -= 120.0)));
    floe_outside: bench(&scenario("").replacen("[\"1 km\", \"0 m\"]", "[\"80 km\", \"0 m\"]", 1), &Classic::good().bytes());
}

// Times.
refused! {
    units_of_time: file(&Classic::good().with("time", "units", "hours"));
    unknown_calendar: file(&Classic::good().with("time", "calendar", "mayan"));
    day_of_another_calendar: bench(&scenario("").replacen("2016-02-01", "2016-02-29", 1),
        &Classic::good().with("time", "calendar", "noleap").bytes());
    after_the_file: bench(&scenario("").replacen("2016-02-01", "2016-02-09", 1), &Classic::good().bytes());
    before_the_file: bench(&scenario("").replacen("2016-02-01", "2016-01-31", 1), &Classic::good().bytes());
    gap_in_time: file(&Classic::good().with_values("time", |values| values[1..].iter_mut().for_each(|v| *v += 12.0)));
    times_that_fall: file(&Classic::good().with_values("time", |values| values[3] = 1.0));
    missing_time: file(&Classic::good().with_values("time", |values| values[3] = f64::NAN));
}

// Patterns.
refused! {
    shear_without_rate: pattern("shear = { toward = \"90 deg\" }");
    shear_with_a_speed: pattern("shear = { toward = \"90 deg\", rate = \"1 m/s\" }");
    vortex_without_radius: pattern("vortex = { speed = \"1 m/s\" }");
    vortex_with_a_bad_turn: pattern("vortex = { speed = \"1 m/s\", radius = \"1 km\", turn = \"around\" }");
    inertial_without_period: pattern("inertial = { velocity = [\"1 m/s\", \"0 m/s\"] }");
    inertial_with_both: pattern("inertial = { velocity = [\"1 m/s\", \"0 m/s\"], period = \"12 h\", latitude = \"80 degN\" }");
    pattern_as_a_word: pattern("convergence = \"strong\"");
}

#[test]
fn a_good_file_runs_and_gaps_may_be_accepted() {
    let gap = Classic::good().with_values("time", |values| {
        values[1..].iter_mut().for_each(|v| *v += 12.0);
    });
    for bench in [
        table(""),
        bench(&scenario("max_gap = \"1 d\""), &gap.bytes()),
        pattern(
            "vortex = [{ speed = \"9 m/s\", radius = \"5 km\" }, { speed = \"2 m/s\", radius = \"1 km\" }]",
        ),
    ] {
        bench.run_json(&["s.toml"]);
    }
}
