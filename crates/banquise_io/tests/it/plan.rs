//! What the keys of a scenario mean.

use std::path::Path;

use banquise::{
    Bounds, Coriolis, Domain, ForceProfile, OceanModel, OnUnsolved, Push, Scheme, SlabOcean, Tilt,
};
use banquise_geometry::{DVec2, Mesh, Outline, Shape};
use banquise_io::builtin::SCENARIOS;
use banquise_io::geography::LonLat;
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::scenario::ScenarioInput;

const TIME: &str = "[time]\nduration = \"1 h\"\nstep = \"10 s\"\n";
const DISC: &str = "[[floe]]\nthickness = \"1 m\"\ndisc = { radius = \"50 m\" }\n";

/// The plan of a scenario that has `[time]` and `more`.
fn plan(more: &str) -> PreparedRun {
    let text = format!("{TIME}{more}");
    Plan::parse("s", &text, &[], Path::new(""))
        .and_then(Plan::build)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + b.abs())
}

fn wind_at(table: &str, time: f64) -> DVec2 {
    plan(&format!("[wind]\n{table}\n"))
        .simulation
        .forcing
        .wind
        .at(time)
}

#[test]
fn an_unsolved_problem_stops_the_run_only_if_asked_for() {
    let reaction = |contact: &str| {
        let plan = plan(&format!("{DISC}{contact}"));
        plan.simulation.settings.contact.on_unsolved
    };
    assert_eq!(reaction(""), OnUnsolved::Continue);
    let table = |value: &str| format!("[contact]\non_unsolved = \"{value}\"\n");
    assert_eq!(reaction(&table("continue")), OnUnsolved::Continue);
    assert_eq!(reaction(&table("stop")), OnUnsolved::Stop);
}

#[test]
fn every_builtin_scenario_decodes() {
    for builtin in SCENARIOS {
        let plan = Plan::parse(builtin.name, builtin.text, &[], Path::new(""))
            .unwrap()
            .build()
            .unwrap();
        assert!(
            !plan.title.is_empty() && !plan.summary.is_empty(),
            "{}",
            builtin.name
        );
        assert_eq!(plan.summary, builtin.summary());
        assert!(plan.simulation.world.floe_rows().count() > 0);
        assert_eq!(plan.report.snapshots.first(), Some(&0.0));
    }
}

#[test]
fn forces_of_contacts_are_those_of_fixed_steps() {
    let wish = "[report]\ncontact_forces = true\n";
    let event = plan(&format!("{DISC}{wish}"));
    assert!(!event.report.contact_forces);
    assert!(
        event.notices[0].contains("contact_forces"),
        "{:?}",
        event.notices
    );
    let fixed = plan(&format!(
        "{DISC}[contact]\nintegrator = \"stepping\"\n{wish}"
    ));
    assert!(fixed.report.contact_forces && fixed.notices.is_empty());
}

#[test]
fn an_almost_empty_scenario_gets_the_defaults() {
    let plan = plan("");
    assert_eq!(plan.title, "s");
    assert_eq!((plan.duration, plan.record_every), (3600.0, 20.0));
    assert_eq!(
        (plan.start, plan.report.snapshots),
        (None, vec![0.0, 1200.0, 2400.0, 3600.0])
    );
    let simulation = &plan.simulation;
    assert_eq!(simulation.max_dt, 10.0);
    assert_eq!(simulation.settings.scheme, Scheme::default());
    assert_eq!(simulation.world.seed, 1);
    assert_eq!(simulation.world.domain, Domain::Free);
    let forcing = &simulation.forcing;
    assert!(forcing.drag.is_some() && forcing.slab_ocean.is_none());
    assert_eq!(forcing.coriolis, Coriolis::Off);
    assert!(forcing.body_forces.is_empty());
    assert_eq!(forcing.wind.at(0.0), DVec2::ZERO);
}

#[test]
fn units_become_si() {
    let plan = plan(
        "[ice]\ndensity = \"900 kg/m3\"\n[coriolis]\nlatitude = \"30 degS\"\n\
         [[floe]]\nposition = [\"1 km\", \"-50 cm\"]\nheading = \"180 deg\"\nthickness = \"25 cm\"\n\
         velocity = [\"3.6 km/h\", \"0 m/s\"]\nangular_velocity = \"15 deg/h\"\ndisc = { radius = \"0.05 km\" }\n",
    );
    let bodies = &plan.simulation.world.bodies;
    let motion = &bodies.motions()[0];
    assert_eq!(motion.pose.position, DVec2::new(1000.0, -0.5));
    assert!(close(motion.velocity.linear.x, 1.0));
    assert!(close(
        motion.velocity.angular,
        std::f64::consts::TAU / 86400.0
    ));
    assert!(close(
        motion.pose.rotation.angle().abs(),
        std::f64::consts::PI
    ));
    assert!(close(
        bodies.masses()[0],
        900.0 * 0.25 * std::f64::consts::PI * 2500.0
    ));
    let latitude = -30.0_f64.to_radians();
    assert!(
        matches!(plan.simulation.forcing.coriolis, Coriolis::Latitude(l) if close(l, latitude))
    );
}

#[test]
fn a_bearing_is_where_the_wind_comes_from_or_goes() {
    let west = wind_at("speed = \"7 m/s\"\nfrom = \"270 deg\"", 0.0);
    assert!(close(west.x, 7.0) && close(west.y, 0.0), "{west}");
    let north = wind_at("speed = \"7 m/s\"\nfrom = \"0 deg\"", 0.0);
    assert!(close(north.x, 0.0) && close(north.y, -7.0), "{north}");
    let north_east = wind_at("speed = \"2 m/s\"\ntoward = \"45 deg\"", 0.0);
    assert!(close(north_east.x, 2.0_f64.sqrt()) && close(north_east.y, 2.0_f64.sqrt()));
}

#[test]
fn a_ramp_rises_from_rest() {
    let table = "velocity = [\"6 m/s\", \"0 m/s\"]\nramp = \"10 min\"";
    assert_eq!(wind_at(table, 0.0), DVec2::ZERO);
    let half = wind_at(table, 300.0).x;
    assert!(half > 0.0 && half < 6.0, "{half}");
    assert!(close(wind_at(table, 600.0).x, 6.0));
    assert!(close(wind_at(table, 3600.0).x, 6.0));
}

#[test]
fn a_mass_stands_in_for_the_thickness() {
    let plan = plan("[[floe]]\nmass = \"1000 t\"\ndisc = { radius = \"50 m\" }\n");
    let bodies = &plan.simulation.world.bodies;
    assert!(close(bodies.masses()[0], 1e6));
    let thickness = 1e6 / (bodies.materials()[0].ice_density * bodies.areas()[0]);
    assert!(close(bodies.mean_thicknesses()[0], thickness));
}

#[test]
fn each_element_may_have_its_thickness() {
    let points = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]];
    let square = Outline::try_new(points.map(DVec2::from).to_vec()).unwrap();
    let count = Mesh::of(&Shape::Outline(square)).elements().len();
    let list = vec!["\"2 m\""; count].join(", ");
    let floe = |thickness: &str| {
        plan(&format!(
            "[[floe]]\nthickness = {thickness}\n\
             outline = {{ unit = \"km\", points = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]] }}\n"
        ))
    };
    let (listed, uniform) = (floe(&format!("[{list}]")), floe("\"2 m\""));
    let mass = |plan: &PreparedRun| plan.simulation.world.bodies.masses()[0];
    // Both sum the same areas, in another order.
    assert!(close(mass(&listed), mass(&uniform)));
    let uneven = floe(&format!("[{}]", list.replacen("2 m", "3 m", 1)));
    assert!(mass(&uneven) > mass(&uniform));
}

#[test]
fn a_grid_copies_a_floe_row_by_row() {
    let plan = plan(
        "[[floe]]\nname = \"f\"\nthickness = \"1 m\"\nposition = [\"10 m\", \"0 m\"]\n\
         disc = { radius = \"50 m\" }\ngrid = { columns = 3, rows = 2, spacing = \"1 km\" }\n",
    );
    let bodies = &plan.simulation.world.bodies;
    assert_eq!(bodies.names(), ["f-1", "f-2", "f-3", "f-4", "f-5", "f-6"]);
    let places: Vec<DVec2> = bodies.motions().iter().map(|m| m.pose.position).collect();
    assert_eq!(places[2], DVec2::new(2010.0, 0.0));
    assert_eq!(places[3], DVec2::new(10.0, 1000.0));
}

#[test]
fn a_domain_has_a_corner_and_a_size() {
    let domain = |edges: &str| {
        let table = format!(
            "[domain]\nedges = \"{edges}\"\ncorner = [\"-1 km\", \"0 m\"]\nsize = [\"3 km\", \"2 km\"]\n"
        );
        plan(&table).simulation.world.domain
    };
    let (
        Domain::Bounded(Bounds {
            rectangle: walls, ..
        }),
        Domain::Periodic(cell),
    ) = (domain("walls"), domain("periodic"))
    else {
        panic!("other edges");
    };
    assert_eq!(walls, cell);
    assert_eq!(walls.min, DVec2::new(-1000.0, 0.0));
    assert_eq!(walls.max, DVec2::new(2000.0, 2000.0));
    assert_eq!(domain("free"), Domain::Free);
}

#[test]
fn forces_have_windows_and_names() {
    let other = DISC.replace(
        "[[floe]]",
        "[[floe]]\nname = \"b\"\nposition = [\"1 km\", \"0 m\"]",
    );
    let plan = plan(&format!(
        "{DISC}{other}[[force]]\nacceleration = [\"0 m/s2\", \"-9.81 m/s2\"]\n\
         [[force]]\nforce = [\"2 kN\", \"0 N\"]\nfrom = \"10 min\"\nuntil = \"20 min\"\nfloes = [\"b\"]\n"
    ));
    let [gravity, push] = &plan.simulation.forcing.body_forces[..] else {
        panic!("two forces");
    };
    assert_eq!(gravity.push, Push::Acceleration(DVec2::new(0.0, -9.81)));
    assert_eq!((gravity.from, gravity.until), (0.0, f64::INFINITY));
    assert!(gravity.bodies.is_empty());
    assert_eq!(push.push, Push::Force(DVec2::new(2000.0, 0.0)));
    assert_eq!((push.from, push.until), (600.0, 1200.0));
    assert_eq!(push.bodies, [plan.simulation.world.bodies.ids()[1]]);
}

#[test]
fn the_ocean_cell_comes_from_a_fraction_an_area_or_the_domain() {
    let cell = |more: &str| {
        let plan = plan(&format!("{DISC}{more}"));
        plan.simulation.forcing.slab_ocean.unwrap()
    };
    let ice = std::f64::consts::PI * 2500.0;
    let by_fraction = cell("[ocean_layer]\nice_fraction = 0.25\n");
    assert!(close(by_fraction.cell_area, 4.0 * ice));
    let (depth, _) = SlabOcean::defaults(OceanModel::Anomaly);
    assert_eq!(by_fraction.layer_depth, depth);
    assert_eq!(
        cell("[ocean_layer]\ncell_area = \"4 km2\"\n").cell_area,
        4e6
    );
    let domain = "[domain]\nedges = \"periodic\"\nsize = [\"2 km\", \"1 km\"]\n";
    assert_eq!(cell(&format!("[ocean_layer]\n{domain}")).cell_area, 2e6);
}

#[test]
fn drag_of_the_water_is_linear_where_its_velocity_is_given() {
    let drag = |more: &str| {
        plan(&format!("{DISC}{more}"))
            .simulation
            .forcing
            .drag
            .unwrap()
    };
    assert_eq!(drag("").linear_drag_velocity, None);
    let linear = drag("[drag]\nlinear_drag_velocity = \"0.5 cm/s\"\n");
    assert_eq!(linear.linear_drag_velocity, Some(5e-3));
}

#[test]
fn dates_and_schemes_are_kept() {
    let text = TIME.replace(
        "step",
        "start = 2008-02-01T06:00:00Z\nscheme = \"euler\"\nrecord_every = \"5 min\"\nstep",
    );
    let plan = Plan::parse("s", &text, &["seed=7".into()], Path::new(""))
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(plan.start.as_deref(), Some("2008-02-01 06:00:00Z"));
    assert_eq!(plan.simulation.settings.scheme, Scheme::Euler);
    assert_eq!((plan.record_every, plan.simulation.world.seed), (300.0, 7));
}

#[test]
fn a_plan_is_values_and_only_building_makes_the_pack() {
    // This pack is impossible, which shows only when it is made.
    let text = format!(
        "{TIME}[domain]\nedges = \"walls\"\nsize = [\"1 km\", \"1 km\"]\n[ice]\nthickness = \"1 m\"\n\
         [pack]\nconcentration = 0.9\ncount = 2\nmax_size = \"10 m\"\nexponent = 1.4\n\
         [[floe]]\nname = \"given\"\nposition = [\"500 m\", \"500 m\"]\ndisc = {{ radius = \"50 m\" }}\n"
    );
    let plan = Plan::parse("s", &text, &[], Path::new("")).unwrap();
    assert_eq!((plan.duration(), plan.step()), (3600.0, 10.0));
    assert!(matches!(plan.domain, Domain::Bounded(_)));
    let names: Vec<&str> = plan
        .bodies
        .iter()
        .map(|body| body.spec.name.as_str())
        .collect();
    assert_eq!(names, ["given"]);
    let error = plan.build().unwrap_err();
    assert!(
        error.render(false).contains("the pack"),
        "{}",
        error.render(false)
    );
}

#[test]
fn what_is_recorded_is_the_text_that_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.toml");
    let text = format!("{TIME}{DISC}# a comment\n");
    std::fs::write(&path, &text).unwrap();
    let input = ScenarioInput::read(&path).unwrap();
    // An edit of the file while the run is prepared does not change what is recorded.
    std::fs::write(&path, "nothing of the kind").unwrap();
    let overrides = vec!["seed=3".to_owned()];
    let plan = Plan::of(&input, &overrides).unwrap();
    assert_eq!(plan.text(), text);
    let run = plan.build().unwrap();
    assert_eq!(
        (run.title.as_str(), run.scenario, run.overrides),
        ("one", text, overrides)
    );
}

#[test]
fn the_ocean_of_the_source_is_named_and_brings_its_defaults() {
    let read = |more: &str| {
        let text = format!(
            "[time]\nduration = \"1 d\"\nstep = \"10 s\"\n[coriolis]\nlatitude = \"81 degN\"\n{more}\n\
             [[floe]]\nthickness = \"1 m\"\ndisc = {{ radius = \"10 m\" }}\nair_drag_coefficient = 2e-3\n"
        );
        let plan = Plan::parse("test", &text, &[], Path::new(".")).unwrap();
        plan.build().unwrap().simulation
    };
    let layer = "[ocean_layer]\nice_fraction = 0.5\n";
    let source = read(&format!("[ocean]\nmodel = \"rabatel-2015\"\n{layer}"));
    assert_eq!(source.forcing.tilt, Tilt::None);
    assert_eq!(source.forcing.drag, Some(banquise::DragSettings::default()));
    let slab = source.forcing.slab_ocean.unwrap();
    assert_eq!(
        (slab.layer_depth, slab.base_friction_velocity),
        (15.0, 1e-5)
    );
    assert_eq!(slab.model, OceanModel::Rabatel2015);
    let plain = read("");
    assert_eq!(plain.forcing.tilt, Tilt::Geostrophic);
    assert_eq!(plain.forcing.drag, Some(banquise::DragSettings::observed()));
    let material = plain.world.bodies.materials()[0];
    assert_eq!(material.air_drag_coefficient, Some(2e-3));
    // The layer turns by itself, unless an angle is given.
    let turning = |text: &str| read(text).forcing.drag.unwrap().turning_angle;
    assert_eq!(turning(layer), 0.0);
    let given = turning(&format!("{layer}[drag]\nturning_angle = \"20 deg\"\n"));
    assert!((given - 20.0_f64.to_radians()).abs() < 1e-15);
    let sloped = read("[ocean]\ntilt = [1e-6, 0.0]\n").forcing.tilt;
    assert_eq!(sloped, Tilt::Slope(DVec2::new(1e-6, 0.0)));
}

#[test]
fn lines_are_taut_as_they_are_placed_unless_a_length_is_given() {
    let floe = DISC.replace("[[floe]]", "[[floe]]\nname = \"a\"");
    let plan = plan(&format!(
        "{floe}[[line]]\nfrom = {{ body = \"a\", at = [\"3 m\", \"4 m\"] }}\nto = {{ point = [\"3 m\", \"104 m\"] }}\nstiffness = \"2 kN/m\"\n\
         [[line]]\nkind = \"spring\"\nfrom = {{ body = \"a\" }}\nto = {{ point = [\"0 m\", \"50 m\"] }}\ndamping = \"1 kN s/m\"\nlength = \"40 m\"\nbreaking_load = \"3 kN\"\n"
    ));
    let [line, spring] = &plan.simulation.world.lines[..] else {
        panic!("two lines");
    };
    assert!(close(line.rest_length, 100.0) && !line.pushes && line.breaking_load.is_infinite());
    assert!(close(line.stiffness, 2000.0));
    assert!(spring.pushes && close(spring.rest_length, 40.0));
    assert!(close(spring.damping, 1000.0) && close(spring.breaking_load, 3000.0));
}

#[test]
fn forces_follow_a_sinusoid_a_series_a_gradient_and_an_area() {
    let plan = plan(&format!(
        "{DISC}[[force]]\nforce = [\"1 kN\", \"0 N\"]\nperiod = \"10 s\"\nphase = \"90 deg\"\n\
         [[force]]\nseries = [{{ time = \"0 s\", force = [\"1 kN\", \"0 N\"] }}, {{ time = \"1 min\", force = [\"-1 kN\", \"0 N\"] }}]\n\
         within = {{ corner = [\"0 m\", \"0 m\"], size = [\"1 m\", \"2 m\"] }}\n\
         [[force]]\ngradient = {{ x = [\"-1 N/m\", \"0 N/m\"], center = [\"5 m\", \"0 m\"] }}\n"
    ));
    let [wave, series, spring] = &plan.simulation.forcing.body_forces[..] else {
        panic!("three forces");
    };
    let ForceProfile::Sinusoid { period, phase } = wave.profile else {
        panic!("{wave:?}");
    };
    assert!(close(period, 10.0) && close(phase, std::f64::consts::FRAC_PI_2));
    let samples = vec![
        (0.0, DVec2::new(1000.0, 0.0)),
        (60.0, DVec2::new(-1000.0, 0.0)),
    ];
    assert_eq!(series.profile, ForceProfile::Series(samples));
    assert_eq!(series.within.unwrap().max, DVec2::new(1.0, 2.0));
    let gradient = spring.gradient.unwrap();
    assert_eq!(gradient.rows, [DVec2::new(-1.0, 0.0), DVec2::ZERO]);
    assert_eq!(gradient.center, DVec2::new(5.0, 0.0));
}

#[test]
fn waves_are_regular_or_a_random_sea_of_the_seed() {
    let waves = |more: &str| {
        let text = format!("{DISC}[waves]\ntoward = \"90 deg\"\n{more}");
        plan(&text).simulation.forcing.waves.unwrap()
    };
    let regular = waves("amplitude = \"20 cm\"\nperiod = \"4000 s\"\n");
    assert_eq!(regular.components.len(), 1);
    assert!(close(regular.components[0].direction.x, 1.0) && close(regular.added_mass, 0.1));
    let sea = "significant_height = \"1 m\"\npeak_period = \"4000 s\"\nattenuation = { rate = \"0.1 /km\" }\n";
    let sea = waves(sea);
    assert_eq!(sea.components.len(), 100);
    assert!(close(sea.attenuation.unwrap().rate, 1e-4));
}

#[test]
fn floes_that_are_not_small_against_the_waves_are_told() {
    // In deep water waves of 201 s are 63.1 km long.
    let waves = "[waves]\ntoward = \"0 deg\"\namplitude = \"1 cm\"\nperiod = \"201 s\"\n";
    let notices = |radius: &str| {
        let floe = DISC.replace("50 m", radius);
        plan(&format!("{floe}{waves}")).notices
    };
    assert_eq!(notices("6.2 km"), Vec::<String>::new());
    let told = notices("6.4 km").join("");
    assert!(told.contains("12800 m across"), "{told}");
}

#[test]
fn a_line_the_long_way_round_a_periodic_domain_is_refused() {
    let text = |position: &str| {
        format!(
            "{TIME}[domain]\nedges = \"periodic\"\nsize = [\"2 km\", \"2 km\"]\n\
             [[floe]]\nname = \"a\"\nthickness = \"1 m\"\nposition = [\"1.9 km\", \"1 km\"]\ndisc = {{ radius = \"50 m\" }}\n\
             [[floe]]\nname = \"b\"\nthickness = \"1 m\"\nposition = [\"{position}\", \"1 km\"]\ndisc = {{ radius = \"50 m\" }}\n\
             [[line]]\nfrom = {{ body = \"a\" }}\nto = {{ body = \"b\" }}\nstiffness = \"1 N/m\"\n"
        )
    };
    let read = |position: &str| {
        Plan::parse("s", &text(position), &[], Path::new("")).and_then(Plan::build)
    };
    let error = read("0.1 km").unwrap_err().to_string();
    assert!(error.contains("200.0000 m across the edge"), "{error}");
    let line = &read("2.1 km").unwrap().simulation.world.lines[0];
    assert!(close(line.rest_length, 200.0), "{}", line.rest_length);
}

#[test]
fn components_of_a_file_with_places_are_turned_into_the_plane() {
    let folder = tempfile::tempdir().unwrap();
    let place = LonLat::from_degrees(-60.0, 88.0);
    for (header, cells) in [
        ("time [h],u [m/s],v [m/s]", ""),
        ("time [h],u [m/s],v [m/s],lat,lon", ",88,-60"),
    ] {
        let rows = format!("{header}\n0,3,4{cells}\n2,3,4{cells}\n");
        std::fs::write(folder.path().join("wind.csv"), rows).unwrap();
        let origin = "[origin]\nlongitude = \"10 degE\"\nlatitude = \"89 degN\"\n";
        for origin in ["", origin] {
            let text = format!("{TIME}{origin}{DISC}[wind]\nseries = \"wind.csv\"\n");
            let plan = Plan::parse("s", &text, &[], folder.path());
            let plan = plan.and_then(Plan::build).unwrap();
            let vector = DVec2::new(3.0, 4.0);
            let expected = match plan.origin {
                Some(frame) if !cells.is_empty() => frame.in_plane_at(place, vector),
                _ => vector,
            };
            let found = plan.simulation.forcing.wind.at(0.0);
            // Series are interpolated as speed and direction.
            assert!((found - expected).length() < 1e-12, "{found} {expected}");
        }
    }
}

#[test]
fn springs_that_are_too_stiff_waves_too_short_or_too_steep_and_unknown_names_are_refused() {
    let floe = DISC.replace("[[floe]]", "[[floe]]\nname = \"a\"");
    let line = |end: &str, more: &str| {
        format!(
            "{floe}[[line]]\nfrom = {{ {end} }}\nto = {{ point = [\"0 m\", \"1 km\"] }}\n{more}"
        )
    };
    for (text, said) in [
        (
            line("body = \"a\"", "stiffness = \"1e9 MN/m\"\n"),
            "is not stable",
        ),
        (
            line("body = \"b\"", "stiffness = \"1 N/m\"\n"),
            "is called `b`",
        ),
        (line("body = \"a\"", ""), "stiffness"),
        (
            line(
                "body = \"a\", at = [\"0 m\", \"900 m\"]",
                "stiffness = \"1 N/m\"\n",
            ),
            "outside of `a`",
        ),
        (
            format!(
                "{floe}[[line]]\nfrom = {{ body = \"a\" }}\nto = {{ body = \"a\" }}\nstiffness = \"1 N/m\"\n"
            ),
            "both ends are on `a`",
        ),
        (line("", "stiffness = \"1 N/m\"\n"), "body"),
        (
            format!("{floe}[waves]\ntoward = \"0 deg\"\namplitude = \"1 m\"\nperiod = \"5 s\"\n"),
            "does not resolve",
        ),
        (
            format!(
                "{floe}[waves]\ntoward = \"0 deg\"\namplitude = \"2000 km\"\nperiod = \"4000 s\"\n"
            ),
            "waves break",
        ),
        (
            format!(
                "{floe}[[force]]\nseries = [{{ time = \"1 s\", force = [\"1 N\", \"0 N\"] }}, {{ time = \"1 s\", force = [\"1 N\", \"0 N\"] }}]\n"
            ),
            "must grow",
        ),
    ] {
        let text = format!("{TIME}{text}");
        let refused = Plan::parse("t", &text, &[], Path::new("")).and_then(Plan::build);
        let refused = refused.map(drop).unwrap_err().to_string();
        assert!(refused.contains(said), "{said}: {refused}");
    }
}

#[test]
fn floes_of_a_geojson_file_may_have_values_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let feature = |x: u32, properties: &str| {
        let (a, b) = (1000 * x, 1000 * x + 500);
        format!(
            "{{\"type\":\"Feature\",\"properties\":{properties},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[[[{a},0],[{b},0],[{b},500],[{a},500],[{a},0]]]}}}}"
        )
    };
    let own = "{\"name\":\"thick\",\"thickness_m\":2.5,\"velocity_x_m_s\":0.1,\"velocity_y_m_s\":-0.2,\"air_drag_coefficient\":0.002,\"ocean_drag_coefficient\":0.01}";
    let file = format!(
        "{{\"type\":\"FeatureCollection\",\"features\":[{},{}]}}",
        feature(1, own),
        feature(2, "null")
    );
    std::fs::write(folder.path().join("floes.geojson"), file).unwrap();
    let build = |more: &str| {
        let text = format!(
            "{TIME}[scene]\nfile = \"floes.geojson\"\ncoordinates = \"metres\"\nname = \"floe\"\n{more}"
        );
        Plan::parse("t", &text, &[], folder.path()).and_then(Plan::build)
    };
    let world = build("properties = true\nthickness = \"1 m\"\n")
        .unwrap()
        .simulation
        .world;
    let bodies = &world.bodies;
    assert_eq!(bodies.names(), ["thick", "floe-2"]);
    assert!(close(bodies.masses()[0] / bodies.masses()[1], 2.5));
    assert_eq!(bodies.motions()[0].velocity.linear, DVec2::new(0.1, -0.2));
    let material = bodies.materials()[0];
    assert_eq!(material.air_drag_coefficient, Some(0.002));
    assert_eq!(material.ocean_drag_coefficient, Some(0.01));
    assert_eq!(bodies.materials()[1].air_drag_coefficient, None);
    let plain = build("thickness = \"1 m\"\n").unwrap().simulation.world;
    assert_eq!(plain.bodies.names(), ["floe-1", "floe-2"]);
    let refused = build("properties = true\n")
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("floe 1 has no thickness"), "{refused}");
}
