//! What the program says to bad input, word for word. Read each message as its user: what, where,
//! which value, what to do.

use insta::assert_snapshot;

use crate::workbench::{GOOD, Workbench};

const SQUARE: &str = "[[0, 0], [100, 0], [100, 100], [0, 100]]";
const WIND: &str = "velocity = [\"5 m/s\", \"0 m/s\"]";
const TWO_TIMES: &str = "[{ time = \"0 h\", velocity = [\"1 m/s\", \"0 m/s\"] }, \
                         { time = \"2 h\", velocity = [\"1 m/s\", \"0 m/s\"] }]";

/// The good scenario with one text in place of another, which it must have.
fn with(from: &str, to: &str) -> Workbench {
    assert!(GOOD.contains(from), "{from}");
    Workbench::with_scenario(&GOOD.replacen(from, to, 1))
}

/// The good scenario with more at its end.
fn and(more: &str) -> Workbench {
    Workbench::with_scenario(&format!("{GOOD}\n{more}"))
}

/// The good scenario with that outline for its first floe.
fn outline(points: &str) -> Workbench {
    with(SQUARE, points)
}

/// The good scenario with its wind from a file of that content.
fn csv(content: &str) -> Workbench {
    let bench = with(WIND, "series = \"wind.csv\"");
    bench.write("wind.csv", content);
    bench
}

/// The program refuses politely: status 2, nothing on stdout, no panic, no file. Gives its words.
pub(crate) fn refusal(bench: &Workbench, arguments: &[&str]) -> String {
    let before = bench.listing();
    let outcome = bench.run(arguments);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    assert_eq!(bench.listing(), before);
    outcome.stderr
}

/// One test for each bad scenario; `run` must refuse it, and `check` with the same words.
macro_rules! refused {
    ($($name:ident: $bench:expr;)*) => {$(
        #[test]
        fn $name() {
            let bench = $bench;
            let words = refusal(&bench, &["run", "s.toml"]);
            assert_eq!(words, refusal(&bench, &["check", "s.toml"]));
            assert_snapshot!(stringify!($name), words);
        }
    )*};
}
pub(crate) use refused;

/// One test for each bad command line, given beside the good scenario `s.toml`.
macro_rules! refused_arguments {
    ($($name:ident: $arguments:expr;)*) => {$(
        #[test]
        fn $name() {
            let bench = Workbench::with_scenario(GOOD);
            assert_snapshot!(stringify!($name), refusal(&bench, &$arguments));
        }
    )*};
}

// Keys and tables.
refused! {
    unknown_key: with("step = ", "colour = \"red\"\nstep = ");
    unknown_key_like_a_known_one: with("step = ", "scheem = \"euler\"\nstep = ");
    unknown_table: and("[volcano]\nheight = \"1 km\"");
    unknown_table_like_a_known_one: and("[corolis]\nlatitude = \"81 degN\"");
    single_brackets_for_a_floe: Workbench::with_scenario(
        "[time]\nduration = \"1 h\"\nstep = \"1 s\"\n[floe]\nthickness = \"1 m\"\n");
    missing_time: with("[time]\nduration = \"1 h\"\nstep = \"10 s\"\n", "");
    missing_duration: with("duration = \"1 h\"\n", "");
    missing_step: with("step = \"10 s\"\n", "");
    missing_thickness: with("thickness = \"1 m\"\n", "");
    missing_radius: with("radius = \"50 m\"", "sides = 12");
    missing_outline_unit: with("unit = \"m\", ", "");
    missing_velocity: with(WIND, "");
    missing_bearing: with(WIND, "speed = \"5 m/s\"");
    missing_edges: and("[domain]\nsize = [\"1 km\", \"1 km\"]");
    missing_domain_size: and("[domain]\nedges = \"walls\"");
    missing_push: and("[[force]]\nfrom = \"1 h\"");
    missing_floedyn_file: and("[floedyn]\n");
    missing_origin_latitude: and("[origin]\nlongitude = \"36.84 degE\"");
    missing_latitude: and("[coriolis]\nper_floe = true");
    disc_and_outline: with("disc = {", &format!("outline = {{ unit = \"m\", points = {SQUARE} }}\ndisc = {{"));
    neither_disc_nor_outline: with("disc = { radius = \"50 m\" }\n", "");
    duplicate_names: with("name = \"disc\"", "name = \"square\"");
    several_problems_at_once: Workbench::with_scenario(
        "[time]\nduration = 12\nstep = \"0 s\"\n[wind]\nvelocty = 1\n[[floe]]\nthickness = \"thick\"\n");
}

// Values and units.
refused! {
    unknown_unit: with("\"1 h\"", "\"1 parsec\"");
    missing_unit: with("\"1 h\"", "\"1\"");
    bare_number: with("\"1 h\"", "3600");
    wrong_dimension: with("\"1 h\"", "\"1 km\"");
    zero_step: with("\"10 s\"", "\"0 s\"");
    negative_thickness: with("thickness = \"1 m\"", "thickness = \"-1 m\"");
    nan_radius: with("\"50 m\"", "\"nan m\"");
    infinite_radius: with("\"50 m\"", "\"1e999 m\"");
    radius_beyond_the_range: with("\"50 m\"", "\"1e30 m\"");
    too_few_sides: with("radius = \"50 m\"", "radius = \"50 m\", sides = 2");
    too_many_sides: with("radius = \"50 m\"", "radius = \"50 m\", sides = 9000000000");
    fraction_above_one: and("[ocean_layer]\nice_fraction = 1.5");
    one_number_for_a_vector: with("[\"1 km\", \"0 m\"]", "[\"1 km\"]");
    text_for_a_vector: with("[\"1 km\", \"0 m\"]", "\"1 km\"");
    thickness_list_of_wrong_length: with("thickness = \"1 m\"", "thickness = [\"1 m\", \"2 m\"]");
    latitude_beyond_the_pole: and("[coriolis]\nlatitude = \"91 degN\"");
    longitude_beyond_a_turn: and("[origin]\nlatitude = \"81 degN\"\nlongitude = \"400 degE\"");
    longitude_for_a_latitude: and("[origin]\nlatitude = \"81 degE\"\nlongitude = \"0 degE\"");
    date_in_quotes: with("step = ", "start = \"2008-02-01\"\nstep = ");
    date_without_time: with("step = ", "start = 2008-02-01\nstep = ");
    impossible_date: with("step = ", "start = 2008-02-31T00:00:00Z\nstep = ");
    unknown_scheme: with("step = ", "scheme = \"eulr\"\nstep = ");
    unstable_step: with("\"10 s\"", "\"30 min\"");
    too_many_records: with("step = ", "record_every = \"1e-4 s\"\nstep = ");
    snapshot_after_the_end: and("[report]\nsnapshots = [\"2 h\"]");
    time_window_of_nothing: and("[report]\ntime_window = \"0 s\"");
    area_without_size: and("[report]\narea = { corner = [\"0 m\", \"0 m\"] }");
    area_inside_out: and("[report]\narea = { size = [\"1 km\", \"-1 km\"] }");
    negative_seed: with("title", "seed = -1\ntitle");
    too_many_copies: with("thickness", "grid = { columns = 2000, rows = 2000, spacing = \"1 km\" }\nthickness");
}

// Outlines.
refused! {
    self_crossing_outline: outline("[[0, 0], [100, 100], [100, 0], [0, 120]]");
    repeated_vertex: outline("[[0, 0], [100, 0], [100, 0], [100, 100]]");
    repeated_closing_vertex: outline("[[0, 0], [100, 0], [100, 100], [0, 0]]");
    collinear_vertex: outline("[[0, 0], [50, 0], [100, 0], [100, 100]]");
    spike: outline("[[0, 0], [100, 0], [50, 0], [50, 100]]");
    two_points_only: outline("[[0, 0], [100, 0]]");
    no_points: outline("[]");
    zero_area: outline("[[0, 0], [100, 0], [200, 1e-12]]");
    nan_coordinate: outline("[[0, 0], [nan, 0], [100, 100]]");
    infinite_coordinate: outline("[[0, 0], [inf, 0], [100, 100]]");
    point_of_three_numbers: outline("[[0, 0], [100, 0, 1], [100, 100]]");
    text_for_points: outline("\"square.csv\"");
    unknown_outline_unit: with("unit = \"m\"", "unit = \"mile\"");
}

// Places.
refused! {
    overlapping_floes: with("\"1 km\"", "\"20 m\"");
    overlapping_floe_and_obstacle: and("[[obstacle]]\nposition = [\"1 km\", \"0 m\"]\ndisc = { radius = \"5 m\" }");
    overlapping_copies: with("thickness", "grid = { columns = 2, rows = 1, spacing = \"10 m\" }\nthickness");
    floe_over_a_wall: and("[domain]\nedges = \"walls\"\nsize = [\"2 km\", \"1 km\"]");
    floe_wider_than_the_periodic_cell: and("[domain]\nedges = \"periodic\"\nsize = [\"2 km\", \"80 m\"]");
    empty_domain: and("[domain]\nedges = \"walls\"\nsize = [\"0 km\", \"1 km\"]");
}

// Water and forces.
refused! {
    ocean_layer_without_drag: and("[drag]\nenabled = false\n[ocean_layer]\nice_fraction = 0.5");
    drag_linear_and_quadratic: and("[drag]\nlinear_drag_velocity = \"5e-4 m/s\"\nocean_drag_coefficient = 1e-3");
    drag_linear_and_of_a_floe: and("ocean_drag_coefficient = 1e-3\n[drag]\nlinear_drag_velocity = \"5e-4 m/s\"");
    ocean_layer_without_area: and("[ocean_layer]\ndepth = \"15 m\"");
    ocean_layer_smaller_than_the_ice: and("[ocean_layer]\ncell_area = \"100 m2\"");
    ocean_layer_without_ice: Workbench::with_scenario(
        "[time]\nduration = \"1 h\"\nstep = \"1 s\"\n[ocean_layer]\nice_fraction = 0.5\n");
    ocean_cells_of_none: and("[ocean_layer]\ncells = [0, 2]\neddy_viscosity = \"10 m2/s\"");
    ocean_cells_of_one_number: and("[ocean_layer]\ncells = 4\neddy_viscosity = \"10 m2/s\"");
    ocean_cells_of_three_numbers: and("[ocean_layer]\ncells = [4, 2, 1]\neddy_viscosity = \"10 m2/s\"");
    ocean_cells_too_many: and("[ocean_layer]\ncells = [9223372036854775807, 3]\neddy_viscosity = \"10 m2/s\"");
    ocean_cells_without_viscosity: and("[ocean_layer]\ncells = [4, 2]");
    ocean_cells_without_region: and("[ocean_layer]\ncells = [4, 2]\neddy_viscosity = \"10 m2/s\"");
    ocean_cells_and_an_area: and("[ocean_layer]\ncells = [4, 2]\ncell_area = \"1 km2\"\neddy_viscosity = \"10 m2/s\"");
    ocean_region_within_walls: and(
        "[domain]\nedges = \"walls\"\ncorner = [\"-5 km\", \"-5 km\"]\nsize = [\"10 km\", \"10 km\"]\n\
         [ocean_layer]\nregion = { size = [\"10 km\", \"10 km\"] }");
    ocean_cells_smaller_than_a_floe: and(
        "[ocean_layer]\ncells = [100, 100]\nregion = { size = [\"1 km\", \"1 km\"] }\neddy_viscosity = \"10 m2/s\"");
    ocean_cells_with_too_long_a_step: and(
        "[ocean_layer]\ncells = [8, 8]\nregion = { size = [\"1 km\", \"1 km\"] }\neddy_viscosity = \"1000 m2/s\"");
    ocean_viscosity_that_is_negative: and(
        "[ocean_layer]\ncells = [2, 2]\nregion = { size = [\"1 km\", \"1 km\"] }\neddy_viscosity = \"-1 m2/s\"");
    current_pattern_over_an_ocean_layer: and(
        "[current]\nvortex = { speed = \"30 cm/s\", radius = \"4 km\", turn = \"left\" }\n[ocean_layer]\nice_fraction = 0.5\n[ocean]\nmodel = \"rabatel-2015\"");
    unknown_floe_in_a_force: and("[[force]]\nacceleration = [\"1 m/s2\", \"0 m/s2\"]\nfloes = [\"circle\"]");
    force_that_ends_before_it_starts: and(
        "[[force]]\nacceleration = [\"1 m/s2\", \"0 m/s2\"]\nfrom = \"2 h\"\nuntil = \"1 h\"");
    force_on_an_obstacle: and(
        "[[force]]\nacceleration = [\"1 m/s2\", \"0 m/s2\"]\nfloes = [\"rock\"]\n\
         [[obstacle]]\nname = \"rock\"\nposition = [\"9 km\", \"0 m\"]\ndisc = { radius = \"5 m\" }");
}

// Series.
refused! {
    series_too_short: with(WIND, &format!("series = {}", TWO_TIMES.replace("2 h", "30 min")));
    series_too_late: with(WIND, &format!("series = {}", TWO_TIMES.replace("0 h", "1 h")));
    series_not_increasing: with(WIND, &format!("series = {}", TWO_TIMES.replace("2 h", "0 h")));
    series_empty: with(WIND, "series = []");
    series_and_velocity: with(WIND, &format!("{WIND}\nseries = {TWO_TIMES}"));
    csv_missing: with(WIND, "series = \"breeze.csv\"");
    csv_is_a_folder: with(WIND, "series = \".\"");
    csv_empty: csv("");
    csv_without_rows: csv("time [h],u [m/s],v [m/s]\n");
    csv_without_the_column: csv("time [h],u [m/s],w [m/s]\n0,1,2\n");
    csv_without_units: csv("time,u,v\n0,1,2\n");
    csv_of_wrong_unit: csv("time [h],u [kg],v [m/s]\n0,1,2\n");
    csv_with_a_word: csv("time [h],u [m/s],v [m/s]\n0,1,2\n1,calm,2\n2,1,2\n");
    csv_with_nan: csv("time [h],u [m/s],v [m/s]\n0,1,2\n1,nan,2\n");
    csv_with_a_field_too_few: csv("time [h],u [m/s],v [m/s]\n0,1,2\n1,2\n");
    csv_not_increasing: csv("time [h],u [m/s],v [m/s]\n0,1,2\n2,1,2\n1,1,2\n");
    csv_too_short: csv("time [h],u [m/s],v [m/s]\n0,1,2\n0.5,1,2\n");
    csv_with_semicolons_and_a_field_too_few: csv("time [h];u [m/s];v [m/s]\n0;1,5;2\n1;2\n");
    csv_of_dates_without_start: csv("date,u [m/s],v [m/s]\n2008-02-01T00:00:00Z,1,2\n");
    csv_with_quotes: csv("\"time [h]\",u [m/s],v [m/s]\n0,1,2\n");
}

#[test]
fn csv_not_text() {
    let bench = with(WIND, "series = \"wind.csv\"");
    bench.write("wind.csv", b"time [h],u [m/s],v [m/s]\n0,1,\xff\xfe\n");
    assert_snapshot!(refusal(&bench, &["run", "s.toml"]));
}

/// The good scenario with a ship on that path.
fn ship(path: &str) -> Workbench {
    and(&format!(
        "[[obstacle]]\nname = \"ship\"\ndisc = {{ radius = \"5 m\" }}\npath = {path}"
    ))
}

/// A ship whose path comes from a file of that content.
fn ship_csv(content: &str) -> Workbench {
    let bench = ship("\"ship.csv\"");
    bench.write("ship.csv", content);
    bench
}

const START: &str = "{ time = \"0 h\", position = [\"-1 km\", \"0 m\"] }";

// Paths.
refused! {
    path_of_one_waypoint: ship(&format!("[{START}]"));
    path_not_increasing: ship(&format!("[{START}, {START}]"));
    path_without_a_position: ship(&format!("[{START}, {{ time = \"1 h\" }}]"));
    path_and_position: ship(&format!(
        "[{START}, {}]\nposition = [\"0 m\", \"0 m\"]", START.replace("0 h", "1 h")));
    path_of_a_floe: with("name = \"disc\"", &format!("path = [{START}]\nname = \"disc\""));
    path_that_starts_on_a_floe: ship(&format!(
        "[{}, {}]", START.replace("-1 km", "1 km"), START.replace("0 h", "1 h")));
    path_file_missing: ship("\"boat.csv\"");
    path_file_without_units: ship_csv("time,x,y\n0,1,2\n");
    path_file_of_speeds: ship_csv("time [h],u [m/s],v [m/s]\n0,1,2\n");
    path_file_with_a_word: ship_csv("time [h],x [m],y [m]\n0,1,2\n1,port,2\n");
    path_too_fast_for_the_step: ship(&format!(
        "[{START}, {{ time = \"1 h\", position = [\"-900 km\", \"0 m\"] }}]"));
}

/// The good scenario with floes from a file of that content.
fn floedyn(content: &[u8]) -> Workbench {
    let bench = and("[floedyn]\nfile = \"pack.h5\"");
    bench.write("pack.h5", content);
    bench
}

// Packs of FloeDyn.
refused! {
    floedyn_file_not_found: and("[floedyn]\nfile = \"pack.h5\"");
    floedyn_file_empty: floedyn(b"");
    floedyn_file_not_hdf5: floedyn(b"x,y\n1,2\n");
    floedyn_file_cut: floedyn(b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0");
}

/// The good scenario with a file of outlines and a table that names it.
fn outlines(content: impl AsRef<[u8]>, table: &str) -> Workbench {
    let bench = and(table);
    bench.write("land.json", content);
    bench
}

/// A polygon in GeoJSON.
fn polygon(ring: &str) -> String {
    format!(r#"{{"type": "Polygon", "coordinates": [{ring}]}}"#)
}

const NEAR: &str = "[[0, 0], [9, 0], [0, 9], [0, 0]]";
const FAR: &str = "[[9000, 0], [9900, 0], [9000, 900], [9000, 0]]";
const LAND: &str = "[coast]\nfile = \"land.json\"\n";
const SCENE: &str = "[scene]\nthickness = \"1 m\"\nfile = \"land.json\"\n";

// Scenes, coasts and channels.
refused! {
    coast_missing: and("[coast]\nfile = \"land.json\"\n");
    coast_without_file: and("[coast]\nname = \"land\"\n");
    coast_of_unknown_kind: outlines("RIFF", LAND);
    coast_of_lines: outlines(r#"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#, LAND);
    coast_of_unclear_coordinates: outlines(polygon(NEAR), LAND);
    coast_in_degrees_without_origin: outlines(polygon(NEAR), &format!("{LAND}coordinates = \"degrees\""));
    coast_in_metres_as_degrees: outlines(polygon(FAR), &format!(
        "{LAND}coordinates = \"degrees\"\n[origin]\nlongitude = \"0 degE\"\nlatitude = \"80 degN\""));
    coast_outside_its_clip: outlines(polygon(FAR), &format!(
        "{LAND}clip = {{ corner = [\"0 m\", \"0 m\"], size = [\"1 km\", \"1 km\"] }}"));
    coast_with_half_a_clip: outlines(polygon(FAR), &format!("{LAND}clip = {{ corner = [\"0 m\", \"0 m\"] }}"));
    coast_that_crosses_itself: outlines(polygon("[[0, 0], [900, 900], [900, 0], [0, 910]]"), LAND);
    scene_without_thickness: outlines(polygon(FAR), "[scene]\nfile = \"land.json\"");
    scene_with_a_list_of_thicknesses: outlines(polygon(FAR), "[scene]\nfile = \"land.json\"\nthickness = [\"1 m\"]");
    scene_with_two_vertices: outlines(polygon(FAR), &format!("{SCENE}vertices = 2"));
    scene_with_a_floe_on_another: outlines(
        "[[[9000, 0], [9900, 0], [9000, 900]], [[9000, 10], [9900, 10], [9000, 910]]]", SCENE);
    scene_of_half_a_picture: outlines(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", SCENE);
    channel_without_width: and("[channel]\nlength = \"2 km\"");
    channel_with_a_narrow_mouth: and("[channel]\nlength = \"2 km\"\nwidth = \"1 km\"\nmouth = \"800 m\"");
    channel_with_a_flat_funnel: and("[channel]\nlength = \"2 km\"\nwidth = \"1 km\"\ninlet_angle = \"0 deg\"");
    channel_on_a_floe: and("[channel]\nlength = \"2 km\"\nwidth = \"80 m\"");
}

/// The good scenario with a pack of those keys, besides a region away from its floes.
fn pack(keys: &str) -> Workbench {
    and(&format!(
        "[pack]\nregion = {{ corner = [\"2 km\", \"0 m\"], size = [\"1 km\", \"1 km\"] }}\n{keys}"
    ))
}

/// A complete table of a pack, with one text in place of another.
fn pack_with(from: &str, to: &str) -> Workbench {
    let keys = "concentration = 0.5\ncount = 12\nmax_size = \"300 m\"\nexponent = 1.5\nthickness = \"1 m\"\n";
    assert!(keys.contains(from), "{from}");
    pack(&keys.replacen(from, to, 1))
}

/// A pack from a file of that content.
fn pack_file(content: &str) -> Workbench {
    let bench = and("[pack]\nfile = \"floes.json\"");
    bench.write("floes.json", content);
    bench
}

// Words where other words, or other values, are meant.
refused! {
    edges_open_on_all_sides: and("[domain]\nedges = \"opne\"\nsize = [\"9 km\", \"9 km\"]");
    boolean_for_a_word: and("[contact]\non_unsolved = true");
    fraction_for_a_count: and("[ocean_layer]\ncells = [2.5, 2]");
    truth_for_a_number: and("[contact]\nfriction = true");
}

// Packs.
refused! {
    pack_of_nothing: and("[pack]\n");
    pack_without_a_thickness: pack_with("thickness = \"1 m\"\n", "");
    pack_of_unknown_key: pack_with("exponent", "exponnent");
    pack_of_two_sizes: pack_with("max_size = \"300 m\"\n", "");
    pack_of_four_sizes: pack_with("count", "min_size = \"10 m\"\ncount");
    pack_more_than_full: pack_with("0.5", "1.2");
    pack_of_no_floe: pack_with("count = 12", "count = 0");
    pack_of_too_many_floes: pack_with("count = 12", "min_size = \"5 cm\"");
    pack_smallest_above_largest: pack_with("exponent = 1.5", "min_size = \"400 m\"");
    pack_of_negative_exponent: pack_with("1.5", "-1.5");
    pack_whose_sizes_cover_too_much: pack_with("exponent = 1.5", "min_size = \"290 m\"");
    pack_whose_sizes_cover_too_little: pack_with("0.5", "0.9");
    pack_of_a_floe_too_large: pack_with("max_size = \"300 m\"", "max_size = \"1100 m\"");
    pack_jammed: pack_with("concentration = 0.5\ncount = 12", "concentration = 0.94\ncount = 40\nshapes = \"discs\"");
    pack_of_unknown_method: pack_with("count", "method = \"magic\"\ncount");
    pack_sheet_with_shapes: pack_with("count", "method = \"tessellation\"\nshapes = \"discs\"\ncount");
    pack_sheet_round_floes: and("[pack]\nregion = { size = [\"2 km\", \"1 km\"] }\nmethod = \"tessellation\"\n\
        concentration = 0.9\ncount = 12\nmax_size = \"800 m\"\nexponent = 1.5\nthickness = \"1 m\"\n");
    pack_already_full: and("[pack]\nregion = { size = [\"1.1 km\", \"100 m\"] }\n\
        concentration = 0.1\ncount = 12\nmax_size = \"30 m\"\nexponent = 1.5\nthickness = \"1 m\"\n");
    pack_shapes_not_found: pack_with("count", "shapes = \"mine.json\"\ncount");
    pack_shapes_of_a_number: pack_with("count", "shapes = 3\ncount");
    pack_region_of_two_points: and("[pack]\nregion = { unit = \"m\", points = [[0, 0], [1, 0]] }");
    pack_region_of_a_word: and("[pack]\nregion = \"here\"");
    pack_over_a_wall: with("[[floe]]", "[domain]\nedges = \"walls\"\ncorner = [\"-100 m\", \"-100 m\"]\n\
        size = [\"2 km\", \"1 km\"]\n[pack]\nregion = { corner = [\"1.5 km\", \"200 m\"], size = [\"900 m\", \"300 m\"] }\n\
        concentration = 0.5\ncount = 5\nmax_size = \"200 m\"\nexponent = 1.5\nthickness = \"1 m\"\n[[floe]]");
    pack_thickness_of_half_a_range: pack_with("\"1 m\"", "{ from = \"1 m\" }");
    pack_thickness_of_no_rows: pack_with("\"1 m\"", "{ shares = [] }");
    pack_thickness_of_sizes_in_disorder: pack_with("\"1 m\"", "{ by_size = [{ size = \"9 m\", thickness = \"1 m\" }, \
        { size = \"5 m\", thickness = \"2 m\" }] }");
    pack_thickness_of_another_kind: pack_with("\"1 m\"", "{ median = \"1 m\" }");
    pack_thickness_of_a_mean: pack_with("\"1 m\"", "{ mean = \"1 m\" }");
    pack_thickness_of_a_wide_law: pack_with("\"1 m\"", "{ mean = \"1 m\", deviation = \"40 cm\" }");
    pack_file_not_found: and("[pack]\nfile = \"floes.json\"");
    pack_file_not_json: pack_file("x,y\n1,2\n");
    pack_file_of_shapes: pack_file("{\"name\": \"x\", \"outlines\": []}");
    pack_file_of_no_floe: pack_file("{\"name\": \"x\", \"floes\": []}");
    pack_file_of_no_thickness: pack_file(
        "{\"name\": \"x\", \"floes\": [{\"thickness\": 0, \"outline\": [[0, 0], [1, 0], [0, 1]]}]}");
    pack_file_that_crosses_itself: pack_file(
        "{\"name\": \"x\", \"floes\": [{\"thickness\": 1, \"outline\": [[0, 0], [1, 1], [1, 0], [0, 1]]}]}");
    pack_file_on_a_floe: pack_file(
        "{\"name\": \"x\", \"floes\": [{\"thickness\": 1, \"outline\": [[50, 50], [150, 50], [50, 150]]}]}");
    pack_file_and_concentration: and("[pack]\nfile = \"floes.json\"\nconcentration = 0.5");
}

// Files that are not scenarios.
refused! {
    empty_file: Workbench::with_scenario("");
    not_toml: Workbench::with_scenario("It was a dark and stormy night.\n");
    open_string: with("\"1 h\"", "\"1 h");
    unquoted_quantity: with("\"1 h\"", "1 h");
    key_given_twice: with("step = ", "duration = \"2 h\"\nstep = ");
}

#[test]
fn binary_garbage() {
    let bench = Workbench::new();
    bench.write("s.toml", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xfe");
    assert_snapshot!(refusal(&bench, &["run", "s.toml"]));
}

#[test]
fn folder_in_place_of_a_file() {
    let bench = Workbench::new();
    bench.write("s.toml/inside", "");
    assert_snapshot!(refusal(&bench, &["run", "s.toml"]));
}

// Command lines.
refused_arguments! {
    unknown_scenario_name: ["run", "drfit"];
    robeson_with_a_missing_coast: ["run", "robeson", "--set", "coast.file=land.geojson"];
    unknown_scenario_to_show: ["scenarios", "show", "drfit"];
    file_not_found: ["run", "nowhere.toml"];
    override_of_an_unknown_key: ["run", "s.toml", "--set", "time.duraton=2 h"];
    override_of_a_bad_value: ["run", "s.toml", "--set", "time.duration=2 km"];
    override_without_a_value: ["run", "s.toml", "--set", "time.duration="];
    override_without_an_equal_sign: ["run", "s.toml", "--set", "time.duration"];
    override_beyond_the_array: ["run", "s.toml", "--set", "floe[7].thickness=2 m"];
    override_through_a_string: ["run", "s.toml", "--set", "title.length=3"];
    no_threads: ["run", "s.toml", "--threads", "0"];
    unknown_verb: ["rum", "drift"];
    unknown_case: ["verify", "floes/V-99"];
    unknown_study: ["study", "chanel"];
    unknown_test_of_a_study: ["study", "channel", "--test", "9"];
    basin_with_packs: ["study", "basin", "--seeds", "2"];
    study_with_a_bad_value: ["study", "channel", "--set", "pack.count=0"];
    unknown_scene: ["bench", "moon"];
    unknown_scene_like_a_known_one: ["bench", "jamm"];
    unknown_format_like_a_known_one: ["export", ".", "--to", "netcfd"];
    unknown_glacier_like_a_known_one: ["glacier", "run", "glacier-puls"];
    report_of_nothing: ["report", "."];
    report_of_a_file: ["report", "s.toml"];
}

#[test]
fn output_folder_not_empty() {
    let bench = Workbench::with_scenario(GOOD);
    bench.write("results/keep.txt", "mine");
    assert_snapshot!(refusal(&bench, &["run", "s.toml", "--out", "results"]));
}

#[test]
fn output_folder_is_a_file() {
    let bench = Workbench::with_scenario(GOOD);
    bench.write("results", "mine");
    assert_snapshot!(refusal(&bench, &["run", "s.toml", "--out", "results"]));
}

#[test]
fn output_folder_inside_a_file() {
    let bench = Workbench::with_scenario(GOOD);
    bench.write("results", "mine");
    assert_snapshot!(refusal(&bench, &["run", "s.toml", "--out", "results/a/b"]));
}
