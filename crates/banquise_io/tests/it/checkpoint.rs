//! Every built-in scenario goes on from stored bytes as if nothing had happened.

use std::ops::ControlFlow;
use std::path::Path;

use banquise::{NoTimer, RunState, Simulation};
use banquise_io::builtin::SCENARIOS;
use banquise_io::checkpoint::fingerprint;
use banquise_io::plan::Plan;

/// Makes so many steps, at most.
fn make_steps(simulation: &mut Simulation, steps: u64) {
    let last = simulation.world.clock.step + steps;
    let flow = simulation.advance_to(1e9, &mut NoTimer, &mut |world, _| {
        if world.clock.step == last {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(flow.unwrap().is_break());
}

#[test]
fn every_built_in_scenario_goes_on_bit_for_bit() {
    for builtin in SCENARIOS {
        let plan = || Plan::parse(builtin.name, builtin.text, &[], Path::new("")).unwrap();
        let mut whole = plan().build().unwrap().simulation;
        make_steps(&mut whole, 12);
        let bytes = whole.state_bytes();
        let state = RunState::from_bytes(&bytes).unwrap();
        let mut resumed = plan().resume(state).simulation;
        assert_eq!(
            fingerprint(&resumed),
            fingerprint(&whole),
            "{}",
            builtin.name
        );
        assert_eq!(resumed.state_bytes(), bytes, "{}", builtin.name);
        for simulation in [&mut whole, &mut resumed] {
            make_steps(simulation, 12);
        }
        assert_eq!(
            resumed.state_bytes(),
            whole.state_bytes(),
            "{}",
            builtin.name
        );
    }
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let builtin = &SCENARIOS[0];
    let plan = Plan::parse(builtin.name, builtin.text, &[], Path::new("")).unwrap();
    let bytes = plan.build().unwrap().simulation.state_bytes();
    for end in 0..bytes.len() {
        assert!(RunState::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    // Any byte changed: read or refused, never a panic.
    for place in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            drop(RunState::from_bytes(&changed));
        }
    }
}
