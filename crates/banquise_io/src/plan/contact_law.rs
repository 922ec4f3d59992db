//! The contact law in the `[contact]` table, and the solver of the laws without friction.

use banquise::{ContactLaw, ContactSettings, LubricationForce, ProjectionMethod, Roughness};

use crate::scenario::{Dimension, ProblemKind, TableReader};

/// The names of the laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Coulomb,
    Inelastic,
    Gluey,
    Rough,
}

/// `law`, with `memory` or `lubrication` where it is rough.
pub(super) fn decode(table: &TableReader<'_>) -> ContactLaw {
    let names = [
        ("coulomb", Name::Coulomb),
        ("inelastic", Name::Inelastic),
        ("gluey", Name::Gluey),
        ("rough", Name::Rough),
    ];
    let name = table.optional("law").choice(&names).or(Name::Coulomb);
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
        Name::Inelastic => ContactLaw::Inelastic,
        Name::Gluey | Name::Rough => ContactLaw::Gluey,
    }
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
    let step = table.optional("step").number().positive().or(UZAWA_STEP);
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
