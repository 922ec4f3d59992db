//! What a CSV series may look like, and what is said when it does not.

use super::*;

fn read(text: &str) -> Result<Vec<SeriesSample>, CsvError> {
    read_series(text, &SeriesColumns::default())
}

fn message(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

const SI: [SeriesSample; 2] = [
    SeriesSample {
        time: 0.0,
        x: 1.0,
        y: -2.0,
    },
    SeriesSample {
        time: 3600.0,
        x: 1.5,
        y: 2.0,
    },
];

#[test]
fn units_come_from_brackets() {
    assert_eq!(
        read("time [h],u [m/s],v [km/h]\n0,1,-7.2\n1,1.5,7.2\n").unwrap(),
        SI
    );
}

#[test]
fn units_come_from_suffixes() {
    let text = "station,time_s,u_wind_mps,v_wind_mps\n7,0,1,-2\n7,3600,1.5,2";
    assert_eq!(read(text).unwrap(), SI);
}

#[test]
fn comments_blank_lines_crlf_and_a_mark_are_accepted() {
    let text =
        "\u{feff}# wind\r\n\r\n t [min] , u [m/s], v [m/s]\r\n 0, 1, -2 \r\n#\r\n60,1.5,2\r\n";
    assert_eq!(read(text).unwrap(), SI);
}

#[test]
fn the_caller_names_columns_and_units() {
    let columns = SeriesColumns {
        time: Some("hour_index"),
        x: Some("east"),
        y: Some("north"),
        time_unit: Some(3600.0),
        speed_unit: Some(1.0),
        start: None,
        preferred: None,
    };
    let text = "hour_index,north,east\n0,-2,1\n1,2,1.5\n";
    assert_eq!(read_series(text, &columns).unwrap(), SI);
    let no_unit = SeriesColumns {
        time_unit: None,
        ..columns
    };
    assert_eq!(
        read_series(text, &no_unit).unwrap_err().to_string(),
        "line 1, column 1: `hour_index` has no unit; name it `hour_index [h]`"
    );
}

#[test]
fn a_bad_header_is_named() {
    assert_eq!(
        message("# nothing\n\n"),
        "the file is empty: its first line must name the columns"
    );
    assert_eq!(
        message("date,u [m/s],v [m/s]\n0,1,2\n"),
        "line 1: there is no column `time` or `t`; the columns are `date`, `u [m/s]`, `v [m/s]`"
    );
    assert_eq!(
        message("time [s],u_wind_mps,u_current_mps,v_mps\n0,1,2,3\n"),
        "line 1: the columns `u_wind_mps`, `u_current_mps` could all be \
         `u` or `vx` or `u_wind` or `u_current`; say which"
    );
    assert_eq!(
        message("time [m],u_mps,v_mps\n0,1,2\n"),
        "line 1, column 1: `m` is not a unit of a duration"
    );
    assert_eq!(
        message("time_s,u_mps,v_mps\n"),
        "there is no row under the header on line 1"
    );
    assert_eq!(
        message("\"time\",u,v\n"),
        "line 1, column 1: quotes are not understood; write plain numbers"
    );
}

#[test]
fn a_bad_row_is_named() {
    let with = |rows: &str| message(&format!("time_s,u_mps,v_mps\n{rows}\n"));
    assert_eq!(with("0,1"), "line 2: 2 fields, but the header has 3");
    assert_eq!(with("0, x,2"), "line 2, column 4: `x` is not a number");
    assert_eq!(with("0,,2"), "there is no row under the header on line 1");
    assert_eq!(
        with("0,nan,2"),
        "line 2, column 3: `nan` is not a finite number"
    );
    assert_eq!(
        with("0,1,1e999"),
        "line 2, column 5: `1e999` is not a finite number"
    );
    assert_eq!(
        with("0,1,2\n# again\n0,1,2"),
        "line 4, column 1: the time `0` is not after the one before"
    );
}

#[test]
fn a_hole_in_time_is_refused_unless_it_is_accepted() {
    let at = |hour: f64| SeriesSample {
        time: 3600.0 * hour,
        x: 1.0,
        y: 0.0,
    };
    let whole = [0.0, 1.0, 2.0, 4.0].map(at);
    assert_eq!(check_gaps(&whole, None), Ok(()));
    let holed = [0.0, 1.0, 2.0, 3.0, 60.0].map(at);
    let error = check_gaps(&holed, None).unwrap_err();
    assert!(
        error.to_string().contains("between 3 h and 60 h"),
        "{error}"
    );
    assert!(error.hint().contains("max_gap"));
    assert_eq!(check_gaps(&holed, Some(3600.0 * 57.0)), Ok(()));
    assert_eq!(check_gaps(&holed[..1], None), Ok(()));
}

#[test]
fn semicolons_and_decimal_commas_are_read() {
    let text = "time [h];u [m/s];v [m/s]\n0;1;-2,0\n1,0;1,5;2.0\n";
    assert_eq!(read(text).unwrap(), SI);
    assert_eq!(
        message("time [h];u [m/s];v [m/s]\n0;1\n"),
        "line 2: 2 fields, but the header has 3"
    );
}

#[test]
fn dates_count_from_the_start_of_the_run() {
    let columns = SeriesColumns {
        start: DateTime::parse("2008-02-29T23:30:00Z"),
        ..SeriesColumns::default()
    };
    for (name, [first, second]) in [
        ("time", ["2008-02-29T23:30:00Z", "2008-03-01T00:30:00Z"]),
        ("date", ["2008-02-29 23:30", "2008-03-01 00:30:00"]),
        ("valid_time", ["2008-02-29T23:30", "2008-03-01T01:30+01:00"]),
    ] {
        let text = format!("{name},u [m/s],v [m/s]\n{first},1,-2\n{second},1.5,2\n");
        assert_eq!(read_series(&text, &columns).unwrap(), SI, "{text}");
        assert_eq!(
            message(&text),
            format!(
                "line 2, column 1: `{first}` is a date, and the scenario does not say when its run starts"
            )
        );
    }
    let both = "date,time [h],u [m/s],v [m/s]\n2008-02-29,0,1,-2\n2008-02-29,1,1.5,2\n";
    assert_eq!(read(both).unwrap(), SI);
    let text = "date,u [m/s],v [m/s]\n2008-02-29,1,-2\n3600,1.5,2\n";
    assert_eq!(
        read_series(text, &columns).unwrap_err().to_string(),
        "line 3, column 1: `3600` is not a date"
    );
}

#[test]
fn a_row_with_an_empty_value_is_a_gap() {
    let text = "time [h],u [m/s],v [m/s]\n0,1,2\n1,,2\n2,3,\n3,5,6\n";
    let samples = read_series(text, &SeriesColumns::default()).unwrap();
    assert_eq!(samples.len(), 2);
    assert_eq!((samples[1].time, samples[1].x), (3.0 * 3600.0, 5.0));
}

#[test]
fn a_table_of_a_buoy_has_its_own_velocity_and_that_of_the_wind() {
    let text = "t_s,u_mps,v_mps,u_wind [m/s],v_wind [m/s]\n0,1,2,3,4\n";
    let error = read_series(text, &SeriesColumns::default()).unwrap_err();
    assert!(matches!(error, CsvError::AmbiguousColumn { .. }), "{error}");
    let preferred = |names| SeriesColumns {
        preferred: Some(names),
        ..SeriesColumns::default()
    };
    let wind = read_series(text, &preferred(["u_wind", "v_wind"])).unwrap();
    assert_eq!([wind[0].x, wind[0].y], [3.0, 4.0]);
    let plain = "t_s,u_mps,v_mps\n0,1,2\n";
    let series = read_series(plain, &preferred(["u_wind", "v_wind"])).unwrap();
    assert_eq!([series[0].x, series[0].y], [1.0, 2.0]);
}
