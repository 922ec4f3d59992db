//! The contact law in the `[contact]` table, and the solver of the laws without friction.

use banquise::{
    BondSettings, ContactLaw, ContactSettings, Healing, LubricationForce, ProjectionMethod,
    Roughness, SolidContact,
};

use crate::scenario::{Dimension, ProblemKind, TableReader};

/// The names of the laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Coulomb,
    Inelastic,
    Gluey,
    Rough,
    Bonded,
}

/// `law`, with `memory` or `lubrication` where it is rough, and `[bonds]` where floes freeze together.
pub(super) fn decode(root: &TableReader<'_>, table: &TableReader<'_>) -> ContactLaw {
    let names = [
        ("coulomb", Name::Coulomb),
        ("inelastic", Name::Inelastic),
        ("gluey", Name::Gluey),
        ("rough", Name::Rough),
        ("bonded", Name::Bonded),
    ];
    let name = table.optional("law").choice(&names).or(Name::Coulomb);
    let bonds = if name == Name::Bonded {
        decode_bonds(root)
    } else {
        refuse_bonds(root);
        BondSettings::default()
    };
    let memory = table.optional("memory").quantity(Dimension::Impulse);
    let memory = memory.non_negative().get();
    let lubrication = decode_lubrication(table);
    if name == Name::Rough {
        table.exclusive("memory", "lubrication");
        if let Some(roughness) = memory.map(Roughness::Impulse).or(lubrication) {
            return ContactLaw::Rough(roughness);
        }
        let is_given = ["memory", "lubrication"].map(|key| table.optional(key).is_present());
        if is_given == [false; 2] {
            // Says that it is missing.
            let missing = table.required_like("memory", "`memory = \"1.5 N s\"`");
            let _ = missing.quantity(Dimension::Impulse).get();
        }
        return ContactLaw::Gluey;
    }
    refuse(
        table,
        &["memory", "lubrication"],
        "contact.law",
        "they limit what rough contacts remember: `law = \"rough\"`",
    );
    match name {
        Name::Coulomb => {
            refuse(
                table,
                &["uzawa"],
                "contact.law",
                "Uzawa's method is for the laws \"inelastic\", \"gluey\" and \"rough\"",
            );
            ContactLaw::Coulomb
        }
        Name::Bonded => {
            let hint = "Uzawa's method is for the laws \"inelastic\", \"gluey\" and \"rough\"";
            refuse(table, &["uzawa"], "contact.law", hint);
            ContactLaw::Bonded(bonds)
        }
        Name::Inelastic => ContactLaw::Inelastic,
        Name::Gluey | Name::Rough => ContactLaw::Gluey,
    }
}

/// `solid`, with `friction`: solid contact of the laws `inelastic` and `rough`.
pub(super) fn decode_solid(table: &TableReader<'_>, law: ContactLaw) -> SolidContact {
    let choices = [
        ("smooth", SolidContact::Smooth),
        ("roll", SolidContact::Roll),
        ("rotate", SolidContact::Rotate),
    ];
    let chosen = table.optional("solid").choice(&choices).get();
    let has_friction = table.optional("friction").is_present();
    match law {
        ContactLaw::Inelastic | ContactLaw::Rough(_) => {
            let solid = chosen.unwrap_or(if has_friction {
                SolidContact::Roll
            } else {
                SolidContact::Smooth
            });
            if has_friction && solid != SolidContact::Roll {
                let hint = "bodies that roll and slip have friction: `solid = \"roll\"`";
                refuse(table, &["friction"], "contact.solid", hint);
            }
            if solid != SolidContact::Smooth {
                let hint = "Uzawa's method has no friction";
                refuse(table, &["uzawa"], "contact.solid", hint);
            }
            solid
        }
        _ => {
            let hint = "solid contact is a choice of the laws \"inelastic\" and \"rough\"";
            refuse(table, &["solid"], "contact.law", hint);
            SolidContact::Smooth
        }
    }
}

/// The `[bonds]` table.
fn decode_bonds(root: &TableReader<'_>) -> BondSettings {
    let default = BondSettings::default();
    let Some(table) = root.optional("bonds").table() else {
        return default;
    };
    let stress = |key: &'static str, default: f64| {
        let stress = table.optional(key).quantity(Dimension::Stress);
        stress.positive().or(default)
    };
    let healing = Healing::default();
    let time = table.optional("healing_time").quantity(Dimension::Time);
    let speed = table.optional("healing_speed").quantity(Dimension::Speed);
    let heals = table.optional("heals").boolean().or(true);
    let healing = Healing {
        time: time.positive().or(healing.time),
        speed: speed.positive().or(healing.speed),
    };
    let settings = BondSettings {
        initial: table.optional("initial").boolean().or(default.initial),
        young: stress("young", default.young),
        poisson: table
            .optional("poisson")
            .number()
            .check("at least 0 and below 0.5", |ratio| {
                (0.0..0.5).contains(ratio)
            })
            .or(default.poisson),
        tensile_strength: stress("tensile_strength", default.tensile_strength),
        cohesion: stress("cohesion", default.cohesion),
        internal_friction: table
            .optional("internal_friction")
            .number()
            .non_negative()
            .or(default.internal_friction),
        healing: heals.then_some(healing),
    };
    if !heals {
        for key in ["healing_time", "healing_speed"] {
            let kind = ProblemKind::Conflict {
                first: format!("bonds.{key}"),
                second: "bonds.heals = false".to_owned(),
            };
            let hint = "joints that do not heal have no healing time";
            table.optional(key).report_with_hint(kind, hint);
        }
    }
    table.finish();
    settings
}

/// Reports joints of a law that has none, and what is wrong with their values.
pub(super) fn refuse_bonds(root: &TableReader<'_>) {
    decode_bonds(root);
    let kind = ProblemKind::Conflict {
        first: "bonds".to_owned(),
        second: "contact.law".to_owned(),
    };
    let hint = "floes freeze together with `law = \"bonded\"` alone";
    root.optional("bonds").report_with_hint(kind, hint);
}

/// Reports keys that the law has no use for.
pub(super) fn refuse(table: &TableReader<'_>, keys: &[&'static str], with: &str, hint: &str) {
    for key in keys {
        let kind = ProblemKind::Conflict {
            first: format!("contact.{key}"),
            second: with.to_owned(),
        };
        table.optional(key).report_with_hint(kind, hint);
    }
}

/// `lubrication = { viscosity = "1 Pa s", roughness = "0.1 mm", reference_gap = "1 cm" }`.
fn decode_lubrication(table: &TableReader<'_>) -> Option<Roughness> {
    let table = table.optional("lubrication").table()?;
    let viscosity = table.required_like("viscosity", "`viscosity = \"1 Pa s\"`");
    let viscosity = viscosity.quantity(Dimension::DynamicViscosity).positive();
    let height = table.required_like("roughness", "`roughness = \"0.1 mm\"`");
    let height = height.quantity(Dimension::Length).positive().get();
    let gap = table.required_like("reference_gap", "`reference_gap = \"1 cm\"`");
    let reference_gap = gap.quantity(Dimension::Length).positive().get();
    let viscosity = viscosity.get();
    let (viscosity, height, reference_gap) = (viscosity?, height?, reference_gap?);
    if reference_gap <= 2.0 * height {
        let kind = ProblemKind::Conflict {
            first: "contact.lubrication.reference_gap".to_owned(),
            second: "contact.lubrication.roughness".to_owned(),
        };
        let hint = "lubrication begins at a gap of more than the roughness of both bodies";
        table.optional("reference_gap").report_with_hint(kind, hint);
    }
    table.finish();
    Some(Roughness::Lubrication {
        viscosity,
        height,
        reference_gap,
    })
}

/// `uzawa = { step = 0.15, tolerance = "0.3 mm", iterations = 10000 }`. The tolerance is still a length, to be divided by the time step.
pub(super) fn decode_uzawa(table: &TableReader<'_>) -> Option<ProjectionMethod> {
    let table = table.optional("uzawa").table()?;
    let step = table.optional("step").number().positive();
    let step = step.check("at most 1", |&step| step <= MOST_UZAWA_STEP);
    let step = step.or(UZAWA_STEP);
    let tolerance = table.required_like("tolerance", "`tolerance = \"0.3 mm\"`");
    let tolerance = tolerance.quantity(Dimension::Length).positive().get();
    let iterations = table.optional("iterations").integer().positive();
    let iterations = iterations.or(UZAWA_ITERATIONS) as usize;
    table.finish();
    Some(ProjectionMethod::Uzawa {
        step,
        tolerance: tolerance?,
        iterations,
    })
}

/// Step and iterations of the source (Lefebvre 2007, section 5.3.4).
const UZAWA_STEP: f64 = 0.15;
/// A step for which the method converges for one pair of bodies of the least mass; clusters need less, a triangular lattice a third.
const MOST_UZAWA_STEP: f64 = 1.0;
const UZAWA_ITERATIONS: i64 = 10_000;

/// `tangential_lubrication` and `lubrication_force`, of the laws that have them.
pub(super) fn decode_films(table: &TableReader<'_>, settings: &mut ContactSettings) {
    let sliding = table.optional("tangential_lubrication").boolean();
    settings.tangential_lubrication = sliding.or(false);
    settings.lubrication_force = decode_force(table);
    if matches!(settings.law, ContactLaw::Coulomb | ContactLaw::Inelastic) {
        let hint = "films resist sliding where contacts stick: `law = \"gluey\"` or \"rough\"";
        refuse(table, &["tangential_lubrication"], "contact.law", hint);
    }
    if settings.law == ContactLaw::Coulomb {
        let hint = "with `law = \"inelastic\"` it stands beside the gluey laws";
        refuse(table, &["lubrication_force"], "contact.law", hint);
    }
}

/// `lubrication_force = { viscosity = "1 Pa s", cutoff = "0.1 mm", reference_gap = "1 cm" }`.
fn decode_force(table: &TableReader<'_>) -> Option<LubricationForce> {
    let table = table.optional("lubrication_force").table()?;
    let viscosity = table.required_like("viscosity", "`viscosity = \"1 Pa s\"`");
    let viscosity = viscosity.quantity(Dimension::DynamicViscosity).positive();
    let viscosity = viscosity.get();
    let cutoff = table.required_like("cutoff", "`cutoff = \"0.1 mm\"`");
    let cutoff = cutoff.quantity(Dimension::Length).positive().get();
    let gap = table.required_like("reference_gap", "`reference_gap = \"1 cm\"`");
    let gap = gap.quantity(Dimension::Length);
    let gap = gap.check("more than `cutoff`", |&gap| {
        cutoff.is_none_or(|cutoff| gap > cutoff)
    });
    let reference_gap = gap.get();
    table.finish();
    Some(LubricationForce {
        viscosity: viscosity?,
        cutoff: cutoff?,
        reference_gap: reference_gap?,
    })
}
