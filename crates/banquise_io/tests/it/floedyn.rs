//! Packs of FloeDyn, the program of the thesis, read from its own files and run beside it.

#[path = "../../examples/floedyn.rs"]
#[expect(dead_code, reason = "an example has a main function")]
mod example;

use std::ops::ControlFlow;

use banquise::NoTimer;
use banquise_geometry::DVec2;
use banquise_io::floedyn::read_floedyn;
use banquise_io::plan::Plan;

use crate::shared_data;

#[test]
fn the_example_of_floedyn_keeps_its_energy_curve() {
    let input = shared_data("topaz_point/in_example_100_floes.h5");
    let weather = shared_data("topaz_point/topaz_36.84E_80.21N_hourly.csv");
    let expected = shared_data("floedyn_cases/ex100_topaz/energy.csv");
    let (Some(input), Some(weather), Some(expected)) = (input, weather, expected) else {
        println!("skipped: real data not found");
        return;
    };
    let comparison = example::compare(&input, &weather, &expected).unwrap();
    assert_eq!(comparison.floes, 100);
    assert_eq!(comparison.unsolved, 0);
    // Found: 1.5 % and 0.12 m of 162 m. Two runs of FloeDyn itself, one with a little
    // noise, differ by 1.9 %.
    assert!(comparison.energy < 0.02, "{comparison:?}");
    assert!(comparison.center < 0.5, "{comparison:?}");
}

#[test]
fn what_a_file_of_floedyn_says_is_in_the_world() {
    let Some(input) = shared_data("topaz_point/in_example_100_floes.h5") else {
        println!("skipped: real data not found");
        return;
    };
    let floes = read_floedyn(std::fs::read(input).unwrap(), 0).unwrap();
    assert_eq!(floes.len(), 100);
    let first = &floes[0];
    // Read with h5py.
    assert_eq!(
        first.position.to_array(),
        [10.601_737_462_069_648, 5.354_175_364_678_602]
    );
    assert_eq!(first.angle, -0.064_220_562_365_759_93);
    assert_eq!(first.thickness, Some(0.987_602_640_963_410_8));
    assert_eq!(
        first.ocean_drag_coefficient,
        Some(0.004_938_013_204_817_054)
    );
    assert!((first.outline.area() - 98_042.725_295_602_9).abs() < 1e-6);
    assert!(floes.iter().all(|floe| !floe.is_obstacle));
    let fastest = floes.iter().map(|floe| floe.velocity.x).fold(0.0, f64::max);
    assert!((fastest - 0.193_462_21).abs() < 1e-8);
}

#[test]
fn the_current_of_topaz_adds_up_to_its_known_displacement() {
    let Some(weather) = shared_data("topaz_point/topaz_36.84E_80.21N_hourly.csv") else {
        println!("skipped: real data not found");
        return;
    };
    let scenario = "[time]\nduration = \"695 h\"\nstep = \"10 s\"\n[current]\nseries = \"topaz_36.84E_80.21N_hourly.csv\"\n\
                    time_unit = \"h\"\ncolumns = { time = \"hour_index\", x = \"u_ocean_mps\", y = \"v_ocean_mps\" }\n";
    let folder = weather.parent().unwrap();
    let plan = Plan::parse("topaz", scenario, &[], folder)
        .unwrap()
        .build()
        .unwrap();
    let current = &plan.simulation.forcing.current;
    let hours = (0..696).map(|hour| 3600.0 * current.at(3600.0 * f64::from(hour)));
    let sum: DVec2 = hours.sum();
    // The sums are published to the metre.
    assert!((sum.x + 95_790.0).abs() < 1.0, "{sum}");
    assert!((sum.y - 37_272.0).abs() < 1.0, "{sum}");
}

#[test]
fn a_floe_without_wind_goes_with_the_current_of_topaz_for_a_month() {
    let Some(weather) = shared_data("topaz_point/topaz_36.84E_80.21N_hourly.csv") else {
        println!("skipped: real data not found");
        return;
    };
    for layer in ["", "[ocean_layer]\nice_fraction = 0.9\n"] {
        for thickness in ["0.3 m", "1 m", "3 m"] {
            let scenario = format!(
                "[time]\nduration = \"695 h\"\nstep = \"60 s\"\n[current]\nseries = \"topaz_36.84E_80.21N_hourly.csv\"\n\
                 time_unit = \"h\"\ncolumns = {{ time = \"hour_index\", x = \"u_ocean_mps\", y = \"v_ocean_mps\" }}\n\
                 [coriolis]\nlatitude = \"80.21 degN\"\n[[floe]]\nthickness = \"{thickness}\"\ndisc = {{ radius = \"100 m\" }}\n{layer}"
            );
            let plan = Plan::parse("topaz", &scenario, &[], weather.parent().unwrap());
            let mut run = plan.unwrap().build().unwrap();
            let flow = run
                .simulation
                .advance_to(run.duration, &mut NoTimer, &mut |_, _| {
                    ControlFlow::Continue(())
                });
            assert!(flow.unwrap().is_continue());
            let found = run.simulation.world.bodies.motions()[0].pose.position;
            let water = DVec2::new(-95_790.0, 37_272.0);
            // Asked for: 5 % of the way of the water.
            let off = (found - water).length() / water.length();
            assert!(off < 0.05, "{layer} {thickness}: {found}, off by {off}");
        }
    }
}

#[test]
fn its_floes_become_a_library_of_shapes() {
    let input = shared_data("topaz_point/in_example_100_floes.h5");
    let Some(input) = input else {
        println!("skipped: real data not found");
        return;
    };
    let settings = banquise_io::shapes::ImportSettings::default();
    let imported = banquise_io::shapes::import(&input, &settings).unwrap();
    assert_eq!(imported.outlines.len(), 100);
    assert!(imported.outlines.iter().all(|outline| outline.area() > 1.0));
}
