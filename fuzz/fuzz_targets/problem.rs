//! Any text is a problem or is refused with a reason; small problems are solved without a panic.

#![no_main]

use banquise_solver::lcp::{self, LcpStatus};
use banquise_solver::{Problem, solve_impact, solve_local};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Problem::from_json(text) {
        Ok(Problem::Lcp(problem)) if problem.size() <= 8 => {
            let outcome = lcp::solve(&problem);
            if outcome.status == LcpStatus::Solved {
                assert!(problem.residual(&outcome.z) <= 1e-9);
            }
        }
        Ok(Problem::Local(problem)) if problem.contact_count() <= 8 => {
            solve_local(&problem);
        }
        Ok(Problem::Contacts(mut problem, settings)) if problem.contacts.len() <= 8 => {
            let text = problem.to_json(&settings);
            assert!(matches!(Problem::from_json(&text), Ok(Problem::Contacts(..))), "{text}");
            let report = solve_impact(&mut problem, &settings);
            assert_eq!(report.impulses.len(), problem.contacts.len());
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
});
