//! The `[ocean]` table: which model of the water, and the slope of the sea surface.

use banquise::{DragSettings, OceanModel, Tilt};
use banquise_geometry::DVec2;

use crate::scenario::{Problem, ProblemKind, TableReader, Value};

/// Values of the table; the defaults of other tables depend on its model.
#[derive(Debug, Clone, Copy)]
pub(super) struct OceanPlan {
    pub(super) model: OceanModel,
    pub(super) tilt: Tilt,
}

/// Reads the table; the defaults where it is absent.
pub(super) fn decode(root: &TableReader<'_>) -> OceanPlan {
    let mut plan = OceanPlan {
        model: OceanModel::default(),
        tilt: Tilt::default(),
    };
    let Some(table) = root.optional("ocean").table() else {
        return plan;
    };
    let models = [
        ("anomaly", OceanModel::Anomaly),
        ("rabatel-2015", OceanModel::Rabatel2015),
    ];
    plan.model = table.optional("model").choice(&models).or(plan.model);
    if plan.model == OceanModel::Rabatel2015 {
        plan.tilt = Tilt::None;
    }
    plan.tilt = decode_tilt(&table).unwrap_or(plan.tilt);
    table.finish();
    plan
}

/// `tilt`: a word, or a slope `[1e-6, 0]`.
fn decode_tilt(table: &TableReader<'_>) -> Option<Tilt> {
    let field = table.optional("tilt");
    let Some(Value::Array(_)) = field.node().map(|node| &node.value) else {
        let words = [
            ("none", Tilt::None),
            ("geostrophic", Tilt::Geostrophic),
            ("full", Tilt::Full),
        ];
        return field.choice(&words).get();
    };
    let span = field.node()?.span;
    let key = field.key_path();
    let elements = field.array();
    let found = elements.len();
    let numbers: Vec<f64> = elements
        .into_iter()
        .filter_map(|element| element.number().get())
        .collect();
    if found != 2 {
        let kind = ProblemKind::WrongLength {
            key,
            expected: 2,
            found,
        };
        table.problems().push(Problem::new(kind, span));
        return None;
    }
    match numbers[..] {
        [x, y] => Some(Tilt::Slope(DVec2::new(x, y))),
        _ => None,
    }
}

impl OceanPlan {
    /// The drag of the model, where nothing else is given.
    pub(super) fn drag(&self) -> DragSettings {
        match self.model {
            OceanModel::Rabatel2015 => DragSettings::default(),
            OceanModel::Anomaly => DragSettings::observed(),
        }
    }
}
