//! Lines in the dataset, where there are any: tension and length at each record.

use banquise::{Line, Simulation};

use super::arrays::{attributes_of, spec};
use super::reader::Recording;
use crate::zarr::{ArrayHandle, ZarrError, ZarrWriter};

/// Name, unit and meaning of a variable, and its value for a line and its length.
type LineVariable = ([&'static str; 3], fn(&Line, f64) -> f64);

/// One value a line and record.
const LINES: [LineVariable; 3] = [
    (
        [
            "line_tension",
            "N",
            "tension of a line in the last step before the record; negative where a spring pushes, missing once it is broken",
        ],
        |line, _| {
            if line.is_intact() {
                line.tension
            } else {
                f64::NAN
            }
        },
    ),
    (
        ["line_length", "m", "distance between the ends of a line"],
        |_, length| length,
    ),
    (
        [
            BROKEN_AT,
            "s",
            "when a line broke, or lost the body at its end; missing while it holds",
        ],
        |line, _| line.broken_at.unwrap_or(f64::NAN),
    ),
];
/// Older recordings lack it.
const BROKEN_AT: &str = "line_broken_at";
const DIMENSION: &str = "line";

/// Names of lines, for the attributes of the dataset.
pub(super) fn names(lines: &[Line]) -> Vec<String> {
    let name = |(number, line): (usize, &Line)| {
        if line.name.is_empty() {
            format!("line {}", number + 1)
        } else {
            line.name.clone()
        }
    };
    lines.iter().enumerate().map(name).collect()
}

/// Tension and length of lines, as they are recorded.
pub(super) struct LineWriter {
    handles: Vec<ArrayHandle>,
}

impl LineWriter {
    /// Declares the variables; none without lines.
    pub(super) fn declare(
        store: &mut ZarrWriter,
        simulation: &Simulation,
        chunk: usize,
    ) -> Result<Self, ZarrError> {
        let count = simulation.world.lines.len();
        let mut handles = Vec::new();
        for ([name, unit, meaning], _) in LINES.iter().filter(|_| count > 0) {
            let attributes = attributes_of(unit, meaning);
            let spec = spec(name, &["time", DIMENSION], &[count], attributes);
            handles.push(store.declare_growing(&spec, chunk)?);
        }
        Ok(Self { handles })
    }

    /// The variables of a dataset that was begun before.
    pub(super) fn resumed(store: &ZarrWriter) -> Self {
        let handles = LINES.iter().filter_map(|(own, _)| store.growing(own[0]));
        Self {
            handles: handles.collect(),
        }
    }

    /// The values of the present state, variable by variable.
    pub(super) fn values(&self, simulation: &Simulation) -> Vec<(ArrayHandle, Vec<f64>)> {
        let world = &simulation.world;
        let variables = self.handles.iter().zip(LINES);
        let values = variables.map(|(&handle, (_, read))| {
            let value = |line| read(line, world.line_length(line).unwrap_or(f64::NAN));
            (handle, world.lines.iter().map(value).collect())
        });
        values.collect()
    }
}

/// Lines of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct LineTable {
    /// Their names.
    pub names: Vec<String>,
    /// Tension of each in time \[N\]; not a number once it is broken.
    pub tensions: Vec<Vec<f64>>,
    /// Length of each in time \[m\].
    pub lengths: Vec<Vec<f64>>,
    /// When each broke, as each record knows it \[s\]; not a number while it holds. Empty in older recordings.
    pub broken_at: Vec<Vec<f64>>,
}

impl LineTable {
    /// When a line broke \[s\].
    pub fn break_of(&self, line: usize) -> Option<f64> {
        let last = self.broken_at.get(line)?.last().copied();
        last.filter(|time| time.is_finite())
    }

    /// The largest tension that is recorded of a line, and the record.
    pub fn peak_of(&self, line: usize) -> Option<(usize, f64)> {
        let known = self.tensions[line].iter().copied().enumerate();
        let known = known.filter(|(_, tension)| tension.is_finite());
        known.max_by(|x, y| x.1.total_cmp(&y.1))
    }
}

/// Names of the variables of lines.
pub fn line_variables() -> impl Iterator<Item = &'static str> {
    LINES.iter().map(|(own, _)| own[0])
}

impl Recording {
    /// Lines; `None` where there are none.
    ///
    /// # Errors
    /// When a variable is damaged.
    pub fn lines(&self) -> Result<Option<LineTable>, ZarrError> {
        let names = self.texts("line_names");
        if names.is_empty() {
            return Ok(None);
        }
        let by_line = |name: &str| -> Result<Vec<Vec<f64>>, ZarrError> {
            let values = self.series(name)?;
            let column = |index| values.iter().skip(index).step_by(names.len()).copied();
            Ok((0..names.len())
                .map(|index| column(index).collect())
                .collect())
        };
        let [tensions, lengths] = [LINES[0], LINES[1]].map(|(own, _)| by_line(own[0]));
        Ok(Some(LineTable {
            tensions: tensions?,
            lengths: lengths?,
            broken_at: if self.has(BROKEN_AT) {
                by_line(BROKEN_AT)?
            } else {
                Vec::new()
            },
            names,
        }))
    }
}
