//! The `[contact]` table.

use banquise::{
    CollisionDistance, Cone, ContactLaw, ContactSettings, CrushingPressure, Integrator, Material,
    Mode, OnUnsolved, Squeeze, StepRule,
};

use super::contact_law;
use crate::scenario::{Dimension, Field, ProblemKind, TableReader, Value};

/// Values of `[contact]`: the settings, and the friction and restitution of all bodies.
pub(super) struct ContactPlan {
    pub(super) settings: ContactSettings,
    pub(super) material: Material,
}

pub(super) fn decode(root: &TableReader<'_>) -> ContactPlan {
    let mut plan = ContactPlan {
        settings: ContactSettings::default(),
        material: Material::default(),
    };
    let Some(table) = root.optional("contact").table() else {
        contact_law::refuse_bonds(root);
        return plan;
    };
    plan.material = decode_material(&table, plan.material);
    let integrators = [
        ("event", Integrator::Event),
        ("stepping", Integrator::Stepping),
    ];
    let integrator = table.optional("integrator").choice(&integrators).get();
    plan.settings.law = contact_law::decode(root, &table);
    plan.settings.solid = contact_law::decode_solid(&table, plan.settings.law);
    plan.settings.integrator = integrator.unwrap_or_default();
    if plan.settings.law != ContactLaw::Coulomb {
        check_convex(&table, plan.settings.law, integrator);
        plan.settings.integrator = Integrator::Stepping;
    }
    contact_law::decode_films(&table, &mut plan.settings);
    if let Some(method) = contact_law::decode_uzawa(&table) {
        plan.settings.projection.method = method;
    }
    let modes = [
        ("active", Mode::Active),
        ("simultaneous", Mode::Simultaneous),
    ];
    plan.settings.mode = table.optional("mode").choice(&modes).or(Mode::default());
    let cones = [("full", Cone::Full), ("literal", Cone::Literal)];
    plan.settings.cone = table.optional("cone").choice(&cones).or(Cone::default());
    let slack = table.optional("slack_velocity").quantity(Dimension::Speed);
    plan.settings.slack_velocity = slack.non_negative().or(0.0);
    let rules = [
        ("guaranteed", StepRule::Guaranteed),
        ("optimistic", StepRule::Optimistic),
    ];
    plan.settings.step_rule = table
        .optional("step_rule")
        .choice(&rules)
        .or(StepRule::default());
    let reactions = [
        ("continue", OnUnsolved::Continue),
        ("stop", OnUnsolved::Stop),
    ];
    plan.settings.on_unsolved = table
        .optional("on_unsolved")
        .choice(&reactions)
        .or(OnUnsolved::default());
    plan.settings.squeeze = decode_squeeze(&table);
    plan.settings.local_time = table.optional("local_time").boolean().or(true);
    plan.settings.distance = decode_distance(&table);
    table.finish();
    plan
}

/// Reports what laws other than Coulomb's have no use for.
fn check_convex(table: &TableReader<'_>, law: ContactLaw, integrator: Option<Integrator>) {
    let hint = "laws other than \"coulomb\" need fixed steps: `integrator = \"stepping\"`";
    if integrator == Some(Integrator::Event) {
        contact_law::refuse(table, &["integrator"], "contact.law", hint);
    }
    let hint = "only the law \"coulomb\" has it";
    contact_law::refuse(table, &["restitution", "squeeze"], "contact.law", hint);
    if law == ContactLaw::Gluey {
        let hint = "gluey bodies are never in solid contact, and have no friction";
        contact_law::refuse(table, &["friction"], "contact.law", hint);
    }
}

/// `friction` and `restitution` of a table, or those given.
pub(super) fn decode_material(table: &TableReader<'_>, default: Material) -> Material {
    Material {
        friction: table
            .optional("friction")
            .number()
            .non_negative()
            .or(default.friction),
        restitution: table
            .optional("restitution")
            .number()
            .fraction()
            .or(default.restitution),
        ..default
    }
}

/// `squeeze`, with `crushing_pressure` and `crushing_strength` where ice is crushed.
fn decode_squeeze(table: &TableReader<'_>) -> Squeeze {
    let choices = [("stop", false), ("crush", true)];
    let is_crushed = table.optional("squeeze").choice(&choices).or(false);
    let pressure = decode_pressure(table);
    if is_crushed {
        return Squeeze::Crush(pressure);
    }
    for key in ["crushing_pressure", "crushing_strength"] {
        let kind = ProblemKind::Conflict {
            first: format!("contact.{key}"),
            second: "contact.squeeze = \"stop\"".to_owned(),
        };
        table
            .optional(key)
            .report_with_hint(kind, "ice is crushed with `squeeze = \"crush\"` alone");
    }
    Squeeze::Stop
}

/// A pressure, or `"iso19906"` with a strength.
fn decode_pressure(table: &TableReader<'_>) -> CrushingPressure {
    let field = table.optional("crushing_pressure");
    let strength = table.optional("crushing_strength");
    if starts_with_number(&field) {
        let pressure = field.quantity(Dimension::Stress).positive().get();
        return pressure.map_or(CrushingPressure::default(), CrushingPressure::Constant);
    }
    let strength = strength
        .quantity(Dimension::Stress)
        .positive()
        .or(ARCTIC_STRENGTH);
    let iso = CrushingPressure::Iso19906 { strength };
    field
        .choice(&[("iso19906", iso)])
        .or(CrushingPressure::default())
}

/// C of ISO 19906 for Arctic ice \[Pa\].
const ARCTIC_STRENGTH: f64 = 2.8e6;

/// Whether a value is given and is a quantity, not a word.
fn starts_with_number(field: &Field<'_>) -> bool {
    match field.node().map(|node| &node.value) {
        Some(Value::Text { text, .. }) => {
            text.trim_start().starts_with(|c: char| !c.is_alphabetic())
        }
        Some(_) => true,
        None => false,
    }
}

/// `"smaller"`, `"larger"`, or a length.
fn decode_distance(table: &TableReader<'_>) -> CollisionDistance {
    let field = table.optional("distance");
    if starts_with_number(&field) {
        let length = field.quantity(Dimension::Length).positive().get();
        return length.map_or(CollisionDistance::default(), CollisionDistance::Fixed);
    }
    let rules = [
        ("smaller", CollisionDistance::Smaller),
        ("larger", CollisionDistance::Larger),
    ];
    field.choice(&rules).or(CollisionDistance::default())
}
