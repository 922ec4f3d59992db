//! `banquise verify`: the published cases, run and compared.

mod discs;
mod drift;
mod drum;
mod fluid;
mod fluid_elements;
mod fluid_long;
mod fracture;
mod frozen;
mod glacier;
mod glacier_limits;
mod gluey;
mod impacts;
mod lines_and_waves;
mod plates;
mod reference;
mod runs;
mod studies;

use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};

use crate::arguments::VerifyArguments;
use crate::failure::Failure;
use reference::{Check, Reference};

/// Each check by name, with what came out.
type Measured = Result<Vec<(String, f64)>, Failure>;

/// A case: its name after the specification, its reference, and the function that measures.
struct Case {
    name: &'static str,
    reference: &'static str,
    measure: fn(&Reference) -> Measured,
}

const CASES: &[Case] = &[
    Case {
        name: "floes/V-01",
        reference: include_str!("../../../../validation/floes/V-01/reference.toml"),
        measure: impacts::three_discs,
    },
    Case {
        name: "floes/V-02",
        reference: include_str!("../../../../validation/floes/V-02/reference.toml"),
        measure: impacts::sliding_box,
    },
    Case {
        name: "floes/V-03",
        reference: include_str!("../../../../validation/floes/V-03/reference.toml"),
        measure: impacts::cradle,
    },
    Case {
        name: "floes/V-04",
        reference: include_str!("../../../../validation/floes/V-04/reference.toml"),
        measure: impacts::cannon,
    },
    Case {
        name: "floes/V-05",
        reference: include_str!("../../../../validation/floes/V-05/reference.toml"),
        measure: impacts::bouncing_ball,
    },
    Case {
        name: "floes/V-06",
        reference: include_str!("../../../../validation/floes/V-06/reference.toml"),
        measure: impacts::elastic_ball,
    },
    Case {
        name: "floes/V-07",
        reference: include_str!("../../../../validation/floes/V-07/reference.toml"),
        measure: impacts::long_cradle,
    },
    Case {
        name: "floes/V-08",
        reference: include_str!("../../../../validation/floes/V-08/reference.toml"),
        measure: drift::characteristic_speed,
    },
    Case {
        name: "floes/V-09",
        reference: include_str!("../../../../validation/floes/V-09/reference.toml"),
        measure: drift::deviation,
    },
    Case {
        name: "floes/V-10",
        reference: include_str!("../../../../validation/floes/V-10/reference.toml"),
        measure: drift::inertial_oscillations,
    },
    Case {
        name: "floes/V-11",
        reference: include_str!("../../../../validation/floes/V-11/reference.toml"),
        measure: impacts::basin,
    },
    Case {
        name: "floes/I-16",
        reference: include_str!("../../../../validation/floes/I-16/reference.toml"),
        measure: impacts::shaken_box,
    },
    Case {
        name: "floes/E-43",
        reference: include_str!("../../../../validation/floes/E-43/reference.toml"),
        measure: drift::coriolis_work,
    },
    Case {
        name: "floes/S-01",
        reference: include_str!("../../../../validation/floes/S-01/reference.toml"),
        measure: studies::channel,
    },
    Case {
        name: "floes/S-02",
        reference: include_str!("../../../../validation/floes/S-02/reference.toml"),
        measure: studies::drift_week,
    },
    Case {
        name: "forcing/L1",
        reference: include_str!("../../../../validation/forcing/L1/reference.toml"),
        measure: lines_and_waves::oscillators,
    },
    Case {
        name: "forcing/W1",
        reference: include_str!("../../../../validation/forcing/W1/reference.toml"),
        measure: lines_and_waves::surge,
    },
    Case {
        name: "forcing/W2",
        reference: include_str!("../../../../validation/forcing/W2/reference.toml"),
        measure: lines_and_waves::drift,
    },
    Case {
        name: "glacier/G1",
        reference: include_str!("../../../../validation/glacier/G1/reference.toml"),
        measure: glacier::rest,
    },
    Case {
        name: "glacier/G2",
        reference: include_str!("../../../../validation/glacier/G2/reference.toml"),
        measure: glacier::cycle,
    },
    Case {
        name: "glacier/G3",
        reference: include_str!("../../../../validation/glacier/G3/reference.toml"),
        measure: glacier_limits::limits,
    },
    Case {
        name: "glacier/G4",
        reference: include_str!("../../../../validation/glacier/G4/reference.toml"),
        measure: glacier::springs,
    },
    Case {
        name: "glacier/G5",
        reference: include_str!("../../../../validation/glacier/G5/reference.toml"),
        measure: glacier::step_force,
    },
    Case {
        name: "glacier/G6",
        reference: include_str!("../../../../validation/glacier/G6/reference.toml"),
        measure: glacier::pulse,
    },
    Case {
        name: "glacier/G7",
        reference: include_str!("../../../../validation/glacier/G7/reference.toml"),
        measure: glacier::power_law,
    },
    Case {
        name: "glacier/G8",
        reference: include_str!("../../../../validation/glacier/G8/reference.toml"),
        measure: glacier::identity,
    },
    Case {
        name: "glacier/G9",
        reference: include_str!("../../../../validation/glacier/G9/reference.toml"),
        measure: glacier::hht,
    },
    Case {
        name: "glacier/B4",
        reference: include_str!("../../../../validation/glacier/B4/reference.toml"),
        measure: glacier::iceberg,
    },
    Case {
        name: "fracture/T1",
        reference: include_str!("../../../../validation/fracture/T1/reference.toml"),
        measure: fracture::two_nodes,
    },
    Case {
        name: "fracture/T2",
        reference: include_str!("../../../../validation/fracture/T2/reference.toml"),
        measure: fracture::wall,
    },
    Case {
        name: "fracture/T3",
        reference: include_str!("../../../../validation/fracture/T3/reference.toml"),
        measure: fracture::no_wall,
    },
    Case {
        name: "fracture/T4",
        reference: include_str!("../../../../validation/fracture/T4/reference.toml"),
        measure: fracture::triangle,
    },
    Case {
        name: "fracture/T5",
        reference: include_str!("../../../../validation/fracture/T5/reference.toml"),
        measure: fracture::impulse,
    },
    Case {
        name: "fracture/T6",
        reference: include_str!("../../../../validation/fracture/T6/reference.toml"),
        measure: fracture::three_floes,
    },
    Case {
        name: "fracture/T7",
        reference: include_str!("../../../../validation/fracture/T7/reference.toml"),
        measure: fracture::equal_bars,
    },
    Case {
        name: "fracture/T8",
        reference: include_str!("../../../../validation/fracture/T8/reference.toml"),
        measure: fracture::spall,
    },
    Case {
        name: "fracture/T9",
        reference: include_str!("../../../../validation/fracture/T9/reference.toml"),
        measure: plates::griffith,
    },
    Case {
        name: "fracture/T10",
        reference: include_str!("../../../../validation/fracture/T10/reference.toml"),
        measure: plates::edge_crack,
    },
    Case {
        name: "fracture/T11",
        reference: include_str!("../../../../validation/fracture/T11/reference.toml"),
        measure: fracture::moduli,
    },
    Case {
        name: "fracture/T12",
        reference: include_str!("../../../../validation/fracture/T12/reference.toml"),
        measure: fracture::spectral_gap,
    },
    Case {
        name: "fracture/T13",
        reference: include_str!("../../../../validation/fracture/T13/reference.toml"),
        measure: fracture::budgets,
    },
    Case {
        name: "fluid/V1",
        reference: include_str!("../../../../validation/fluid/V1/reference.toml"),
        measure: fluid::sheared_disc,
    },
    Case {
        name: "fluid/V2",
        reference: include_str!("../../../../validation/fluid/V2/reference.toml"),
        measure: fluid::settling_disc,
    },
    Case {
        name: "fluid/V1-elements",
        reference: include_str!("../../../../validation/fluid/V1-elements/reference.toml"),
        measure: fluid_elements::sheared_disc,
    },
    Case {
        name: "fluid/V2-elements",
        reference: include_str!("../../../../validation/fluid/V2-elements/reference.toml"),
        measure: fluid_elements::settling_disc,
    },
    Case {
        name: "fluid/V5",
        reference: include_str!("../../../../validation/fluid/V5/reference.toml"),
        measure: fluid_elements::sphere,
    },
    Case {
        name: "fluid/V6",
        reference: include_str!("../../../../validation/fluid/V6/reference.toml"),
        measure: fluid_elements::displacement,
    },
    Case {
        name: "fluid/V7",
        reference: include_str!("../../../../validation/fluid/V7/reference.toml"),
        measure: fluid_elements::strokes,
    },
    Case {
        name: "fluid/V20",
        reference: include_str!("../../../../validation/fluid/V20/reference.toml"),
        measure: fluid::square_arrays,
    },
    Case {
        name: "fluid/viscosity",
        reference: include_str!("../../../../validation/fluid/viscosity/reference.toml"),
        measure: fluid::viscosity,
    },
    Case {
        name: "fluid/jeffery",
        reference: include_str!("../../../../validation/fluid/jeffery/reference.toml"),
        measure: fluid::jeffery,
    },
    Case {
        name: "fluid/squeeze",
        reference: include_str!("../../../../validation/fluid/squeeze/reference.toml"),
        measure: fluid::squeeze,
    },
    Case {
        name: "bonds/beam",
        reference: include_str!("../../../../validation/bonds/beam/reference.toml"),
        measure: frozen::beam,
    },
    Case {
        name: "suspensions/V11",
        reference: include_str!("../../../../validation/suspensions/V11/reference.toml"),
        measure: gluey::push_and_pull,
    },
    Case {
        name: "suspensions/V12",
        reference: include_str!("../../../../validation/suspensions/V12/reference.toml"),
        measure: gluey::layer,
    },
    Case {
        name: "suspensions/V13",
        reference: include_str!("../../../../validation/suspensions/V13/reference.toml"),
        measure: gluey::rough,
    },
    Case {
        name: "suspensions/V14",
        reference: include_str!("../../../../validation/suspensions/V14/reference.toml"),
        measure: gluey::billiard,
    },
    Case {
        name: "suspensions/laws",
        reference: include_str!("../../../../validation/suspensions/laws/reference.toml"),
        measure: gluey::laws,
    },
    Case {
        name: "suspensions/settling",
        reference: include_str!("../../../../validation/suspensions/settling/reference.toml"),
        measure: discs::settling,
    },
    Case {
        name: "suspensions/V17",
        reference: include_str!("../../../../validation/suspensions/V17/reference.toml"),
        measure: gluey::limits,
    },
    Case {
        name: "suspensions/V18",
        reference: include_str!("../../../../validation/suspensions/V18/reference.toml"),
        measure: gluey::chain,
    },
];

/// Cases of many minutes, run only when they are named.
const LONG_CASES: &[Case] = &[
    Case {
        name: "floes/S-01-packs",
        reference: include_str!("../../../../validation/floes/S-01-packs/reference.toml"),
        measure: studies::channel_packs,
    },
    Case {
        name: "floes/S-02-week",
        reference: include_str!("../../../../validation/floes/S-02-week/reference.toml"),
        measure: studies::whole_week,
    },
    Case {
        name: "fluid/V3",
        reference: include_str!("../../../../validation/fluid/V3/reference.toml"),
        measure: fluid_long::drafting,
    },
    Case {
        name: "fluid/V4",
        reference: include_str!("../../../../validation/fluid/V4/reference.toml"),
        measure: fluid_long::valve,
    },
    Case {
        name: "fluid/V8",
        reference: include_str!("../../../../validation/fluid/V8/reference.toml"),
        measure: fluid_long::vesicles,
    },
    Case {
        name: "fluid/V9",
        reference: include_str!("../../../../validation/fluid/V9/reference.toml"),
        measure: fluid_long::fluidised_bed,
    },
    Case {
        name: "fluid/V10",
        reference: include_str!("../../../../validation/fluid/V10/reference.toml"),
        measure: fluid_long::sedimentation,
    },
    Case {
        name: "bonds/pack",
        reference: include_str!("../../../../validation/bonds/pack/reference.toml"),
        measure: frozen::pack,
    },
    Case {
        name: "suspensions/V15",
        reference: include_str!("../../../../validation/suspensions/V15/reference.toml"),
        measure: drum::detachment,
    },
    Case {
        name: "suspensions/V16",
        reference: include_str!("../../../../validation/suspensions/V16/reference.toml"),
        measure: discs::sedimentation,
    },
];

/// A check with what came out.
struct Outcome {
    case: &'static str,
    check: Check,
    measured: f64,
    seconds: f64,
}

impl Outcome {
    /// NaN never passes.
    fn passes(&self) -> bool {
        (self.measured - self.check.expected).abs() <= self.check.tolerance
    }
}

pub(crate) fn verify(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let mut outcomes = Vec::new();
    for case in chosen(&arguments.cases)? {
        let ran = run_case(case)?;
        if !arguments.json {
            ran.iter().for_each(print_line);
        }
        outcomes.extend(ran);
    }
    if arguments.json {
        let list: Vec<Value> = outcomes.iter().map(to_json).collect();
        println!("{}", Value::Array(list));
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.passes()).count();
    let passed = outcomes.len() - failed;
    eprintln!("{passed} passed, {failed} failed");
    if failed > 0 {
        Err(Failure::Verification { failed })
    } else {
        Ok(ExitCode::SUCCESS)
    }
}

/// The cases whose name, or the folder it is in, was given; all but the long ones if none was.
fn chosen(names: &[String]) -> Result<Vec<&'static Case>, Failure> {
    let matches = |case: &Case, name: &str| {
        case.name == name
            || case
                .name
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('/'))
    };
    let is_known = |name: &String| {
        CASES.iter().any(|case| matches(case, name))
            || LONG_CASES.iter().any(|case| case.name == name)
    };
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let all = CASES.iter().chain(LONG_CASES);
        let known: Vec<&str> = all.map(|case| case.name).collect();
        return Err(Failure::usage(
            format!("there is no case `{name}`"),
            format!("the cases are {}", known.join(", ")),
        ));
    }
    let is_chosen = |case: &&Case| names.is_empty() || names.iter().any(|name| matches(case, name));
    let long = LONG_CASES
        .iter()
        .filter(|case| names.iter().any(|name| name == case.name));
    Ok(CASES.iter().filter(is_chosen).chain(long).collect())
}

/// Runs a case. Every check of the reference must have been measured, and nothing else.
fn run_case(case: &Case) -> Result<Vec<Outcome>, Failure> {
    let reference = Reference::parse(case.name, case.reference)?;
    let start = Instant::now();
    let measured = (case.measure)(&reference)?;
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(
        reference
            .checks
            .iter()
            .map(|check| check.name.as_str())
            .collect::<Vec<_>>(),
        measured
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>(),
        "the measurements of {} are not those of its reference",
        case.name
    );
    let pairs = reference.checks.into_iter().zip(measured);
    Ok(pairs
        .map(|(check, (_, measured))| Outcome {
            case: case.name,
            check,
            measured,
            seconds,
        })
        .collect())
}

fn print_line(outcome: &Outcome) {
    let Outcome {
        case,
        check,
        measured,
        ..
    } = outcome;
    let verdict = if outcome.passes() { "pass" } else { "FAIL" };
    println!(
        "{verdict}  {case}  {}: expected {} ± {}, measured {}",
        check.name,
        number(check.expected),
        number(check.tolerance),
        number(*measured),
    );
}

/// Five digits, without an exponent where none is needed.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&magnitude) {
        let text = format!("{value:.5}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.4e}")
    }
}

fn to_json(outcome: &Outcome) -> Value {
    json!({
        "case": outcome.case,
        "check": outcome.check.name,
        "expected": outcome.check.expected,
        "measured": outcome.measured,
        "tolerance": outcome.check.tolerance,
        "pass": outcome.passes(),
        "seconds": outcome.seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_chooses_all_its_cases() {
        let glaciers = chosen(&["glacier".into()]).unwrap();
        assert_eq!(glaciers.len(), 10);
        assert!(
            glaciers
                .iter()
                .all(|case| case.name.starts_with("glacier/"))
        );
        assert_eq!(chosen(&["floes/V-09".into()]).unwrap().len(), 1);
        assert!(chosen(&["floes/V-0".into()]).is_err());
        let is_long = |case: &&Case| LONG_CASES.iter().any(|long| long.name == case.name);
        assert!(!chosen(&["floes".into()]).unwrap().iter().any(is_long));
        assert_eq!(chosen(&["floes/S-01-packs".into()]).unwrap().len(), 1);
    }

    #[test]
    fn nan_never_passes() {
        let check = Check {
            name: String::new(),
            expected: 0.0,
            tolerance: f64::INFINITY,
        };
        let outcome = Outcome {
            case: "",
            check,
            measured: f64::NAN,
            seconds: 0.0,
        };
        assert!(!outcome.passes());
    }

    #[test]
    fn references_can_be_read() {
        for case in CASES.iter().chain(LONG_CASES) {
            assert!(
                !Reference::parse(case.name, case.reference)
                    .unwrap()
                    .checks
                    .is_empty()
            );
        }
    }
}
