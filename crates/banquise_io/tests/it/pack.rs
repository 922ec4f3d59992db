//! Packs in scenarios.

use std::path::Path;

use banquise::pack::ThicknessLaw;
use banquise_io::plan::{PackPlan, Plan, PreparedRun};
use banquise_io::shapes::ShapeLibrary;

const TIME: &str = "seed = 5\n[time]\nduration = \"1 h\"\nstep = \"1 s\"\n";
const SIZES: &str = "count = 20\nmax_size = \"200 m\"\nexponent = 1.4\n";

fn plan(text: &str, folder: &Path) -> PreparedRun {
    let text = format!("{TIME}{text}");
    Plan::parse("s", &text, &[], folder)
        .and_then(Plan::build)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_region_in_an_open_sea_is_filled_round_given_floes() {
    let plan = plan(
        &format!(
            "[ice]\nthickness = \"2 m\"\n[pack]\nconcentration = 0.5\n{SIZES}gap = \"50 cm\"\n\
             velocity = [\"1 m/s\", \"0 m/s\"]\n\
             region = {{ unit = \"km\", points = [[0, 0], [1, 0], [1, 1], [0.4, 0.6], [0, 1]] }}\n\
             [[floe]]\nname = \"given\"\nposition = [\"500 m\", \"300 m\"]\ndisc = {{ radius = \"100 m\" }}\n"
        ),
        Path::new(""),
    );
    let made = plan.pack.unwrap();
    assert_eq!(made.request.seed, 5);
    assert_eq!(made.pack.gap, 0.5);
    let bodies = &plan.simulation.world.bodies;
    assert_eq!(bodies.len(), 21);
    assert_eq!(bodies.names()[0], "given");
    let share = bodies.ice_area() / made.request.region.area();
    assert!((share - 0.5).abs() < 1e-9, "{share}");
    assert_eq!(bodies.motions()[3].velocity.linear.x, 1.0);
    assert_eq!(bodies.mean_thicknesses()[3], 2.0);
}

#[test]
fn discs_and_files_are_libraries_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = ShapeLibrary::builtin();
    library.outlines.truncate(3);
    library.write(&folder.path().join("three.json")).unwrap();
    for (shapes, vertices) in [("discs", 32..=32), ("three.json", 22..=28)] {
        let plan = plan(
            &format!(
                "[domain]\nedges = \"walls\"\nsize = [\"1 km\", \"1 km\"]\n[pack]\nconcentration = 0.4\n\
                 {SIZES}shapes = \"{shapes}\"\nthickness = \"1 m\"\nseed = 9\n"
            ),
            folder.path(),
        );
        let made = plan.pack.unwrap();
        assert_eq!(made.request.seed, 9);
        for floe in &made.pack.floes {
            assert!(vertices.contains(&floe.outline.vertices().len()));
        }
    }
}

#[test]
fn thickness_has_five_forms() {
    let law = |thickness: &str| {
        let text = format!(
            "[domain]\nedges = \"periodic\"\nsize = [\"1 km\", \"1 km\"]\n[pack]\nconcentration = 0.3\n\
             {SIZES}thickness = {thickness}\n"
        );
        let plan = PackPlan::parse("s", &text, &[], &mut |_, _| {});
        plan.unwrap_or_else(|error| panic!("{error}"))
            .made
            .request
            .thickness
    };
    assert_eq!(law("\"50 cm\""), ThicknessLaw::Constant(0.5));
    assert_eq!(
        law("{ from = \"25 cm\", to = \"38 cm\" }"),
        ThicknessLaw::Uniform {
            from: 0.25,
            to: 0.38
        }
    );
    assert_eq!(
        law("{ mean = \"1 m\", deviation = \"5 cm\" }"),
        ThicknessLaw::Normal {
            mean: 1.0,
            deviation: 0.05
        }
    );
    assert_eq!(
        law(
            "{ by_size = [{ size = \"10 m\", thickness = \"1 m\" }, { size = \"1 km\", thickness = \"2 m\" }] }"
        ),
        ThicknessLaw::BySize(vec![[10.0, 1.0], [1000.0, 2.0]])
    );
    assert_eq!(
        law(
            "{ shares = [{ share = 0.3, thickness = \"1 m\" }, { share = 1, thickness = \"2 m\" }] }"
        ),
        ThicknessLaw::Shares(vec![[1.0, 0.3], [2.0, 1.0]])
    );
}
