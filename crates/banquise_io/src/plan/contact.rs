//! The `[contact]` table.

use banquise::{
    CollisionDistance, Cone, ContactSettings, Integrator, Material, Mode, OnUnsolved, StepRule,
};

use crate::scenario::{Dimension, TableReader, Value};

/// What `[contact]` says: the settings, and the friction and restitution of all bodies.
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
        return plan;
    };
    plan.material = decode_material(&table, plan.material);
    let integrators = [
        ("event", Integrator::Event),
        ("stepping", Integrator::Stepping),
    ];
    plan.settings.integrator = table
        .optional("integrator")
        .choice(&integrators)
        .or(Integrator::default());
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
    plan.settings.local_time = table.optional("local_time").boolean().or(true);
    plan.settings.distance = decode_distance(&table);
    table.finish();
    plan
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

/// `"smaller"`, `"larger"`, or a length.
fn decode_distance(table: &TableReader<'_>) -> CollisionDistance {
    let field = table.optional("distance");
    let starts_with_number = match field.node().map(|node| &node.value) {
        Some(Value::Text { text, .. }) => {
            text.trim_start().starts_with(|c: char| !c.is_alphabetic())
        }
        Some(_) => true,
        None => false,
    };
    if starts_with_number {
        let length = field.quantity(Dimension::Length).positive().get();
        return length.map_or(CollisionDistance::default(), CollisionDistance::Fixed);
    }
    let rules = [
        ("smaller", CollisionDistance::Smaller),
        ("larger", CollisionDistance::Larger),
    ];
    field.choice(&rules).or(CollisionDistance::default())
}
