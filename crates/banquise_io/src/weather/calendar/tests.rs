use super::*;

fn date(year: i64, month: u8, day: u8) -> DateTime {
    DateTime {
        year,
        month,
        day,
        seconds: 0.0,
    }
}

fn days(calendar: Calendar, from: DateTime, to: DateTime) -> i64 {
    calendar.day_number(to).unwrap() - calendar.day_number(from).unwrap()
}

#[test]
fn calendars_count_their_own_days() {
    use Calendar as C;
    // By cftime 1.6.
    let cases = [
        (C::Standard, date(1970, 1, 1), date(2016, 2, 1), 16_832),
        (
            C::ProlepticGregorian,
            date(1, 1, 1),
            date(2000, 1, 1),
            730_119,
        ),
        (C::Standard, date(1, 1, 1), date(2000, 1, 1), 730_121),
        (C::Standard, date(1582, 10, 4), date(1582, 10, 15), 1),
        (C::Julian, date(1, 1, 1), date(2000, 1, 1), 730_134),
        (C::NoLeap, date(2000, 2, 28), date(2000, 3, 1), 1),
        (C::AllLeap, date(2001, 2, 28), date(2001, 3, 1), 2),
        (C::Days360, date(2000, 1, 30), date(2001, 1, 30), 360),
        (C::Standard, date(1999, 12, 31), date(2000, 3, 1), 61),
        (C::ProlepticGregorian, date(-4, 1, 1), date(4, 1, 1), 2922),
    ];
    for (calendar, from, to, expected) in cases {
        assert_eq!(
            days(calendar, from, to),
            expected,
            "{calendar:?} {from:?} {to:?}"
        );
    }
}

#[test]
fn days_that_a_calendar_does_not_have_are_refused() {
    assert_eq!(Calendar::NoLeap.day_number(date(2000, 2, 29)), None);
    assert_eq!(Calendar::Days360.day_number(date(2000, 1, 31)), None);
    assert_eq!(Calendar::Standard.day_number(date(1582, 10, 10)), None);
    assert_eq!(Calendar::Standard.day_number(date(2000, 13, 1)), None);
    assert_eq!(Calendar::Standard.day_number(date(2000, 1, 0)), None);
}

#[test]
fn units_of_time_are_read_as_people_write_them() {
    let cases = [
        (
            "seconds since 1970-01-01 00:00:00 +00:00",
            1.0,
            date(1970, 1, 1),
        ),
        ("hours since 1900-1-1", 3600.0, date(1900, 1, 1)),
        ("Days since 0001-01-01T00:00:00Z", 86_400.0, date(1, 1, 1)),
        (
            "minutes since 2000-02-29 00:00 UTC",
            60.0,
            date(2000, 2, 29),
        ),
    ];
    for (text, unit, origin) in cases {
        assert_eq!(
            TimeUnits::parse(text),
            Some(TimeUnits { unit, origin }),
            "{text}"
        );
    }
    let seconds = |text: &str| TimeUnits::parse(text).unwrap().origin.seconds;
    assert_eq!(seconds("h since 2000-01-01 06:30:15.5"), 23_415.5);
    assert_eq!(seconds("h since 2000-01-01 06:00:00 +01:00"), 18_000.0);
    assert_eq!(seconds("h since 2000-01-01 06:00 -0330"), 34_200.0);
    for bad in [
        "",
        "hours",
        "hours since",
        "hours since yesterday",
        "fortnights since 2000-01-01",
        "hours since 2000-01",
        "hours since 2000-01-01 25:00",
        "hours since 2000-01-01 6:0:0 CET",
        "hours since 2000-01-01-01",
        "hours since 2000-01-01 1:2:3:4",
        "hours since 2000-01-01 nan",
    ] {
        assert_eq!(TimeUnits::parse(bad), None, "{bad}");
    }
}

#[test]
fn dates_move_over_the_ends_of_months_and_years() {
    let date = DateTime::parse("2008-02-28 23:00:00").unwrap();
    for (seconds, expected) in [
        (0.0, "2008-02-28T23:00:00Z"),
        (3600.0, "2008-02-29T00:00:00Z"),
        (25.5 * 3600.0, "2008-03-01T00:30:00Z"),
        (0.25, "2008-02-28T23:00:00.250Z"),
        (366.0 * 86_400.0, "2009-02-28T23:00:00Z"),
        (-59.0 * 86_400.0, "2007-12-31T23:00:00Z"),
    ] {
        assert_eq!(date.after(seconds).unwrap().to_string(), expected);
    }
    let with_zone = DateTime::parse("2008-03-01 01:00:00+02:00").unwrap();
    let utc = with_zone.after(0.0).unwrap().to_string();
    assert_eq!(utc, "2008-02-29T23:00:00Z");
    assert_eq!(date.after(f64::NAN), None);
    assert_eq!(date.after(1e15), None);
}
