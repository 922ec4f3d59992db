//! Equilibrium tide at Greenwich: the argument that phases of tidal constituents lag behind, and their nodal modulation.
//!
//! A constituent is f a cos(V(t) + u − g). V = n₁τ + n₂s + n₃h + n₄p + a quarter of a turn or more, with the mean lunar time τ and the mean longitudes of Moon,
//! Sun and lunar perigee (Doodson numbers; phases as in Schureman 1940, Manual of harmonic analysis and prediction of tides, table 2); longitudes by Meeus 1998,
//! Astronomical algorithms, chapters 25 and 47. f and u follow the longitude N of the Moon's node (Doodson & Warburg 1941, Admiralty manual of tides).

use banquise_geometry::math;

use super::calendar::{Calendar, DateTime, SECONDS_A_DAY};

/// Of a constituent at a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equilibrium {
    /// V + u, from 0 to 2π \[rad\].
    pub argument: f64,
    /// Nodal factor f of the amplitude.
    pub factor: f64,
}

/// Doodson numbers of τ, s, h and p, quarters of a turn that are added, and what the node does.
type Numbers = ([i32; 4], i32, Node);

/// Coefficients of 1, cos N, cos 2N, cos 3N in f, and of sin N, sin 2N, sin 3N \[degrees\] in u; how often they are applied.
type Node = ([f64; 4], [f64; 3], i32);

const STEADY: Node = ([1.0, 0.0, 0.0, 0.0], [0.0; 3], 0);
const M2_NODE: Node = ([1.0004, -0.0373, 0.0002, 0.0], [-2.14, 0.0, 0.0], 1);
const M4_NODE: Node = (M2_NODE.0, M2_NODE.1, 2);
const K1_NODE: Node = ([1.0060, 0.1150, -0.0088, 0.0006], [-8.86, 0.68, -0.07], 1);
const O1_NODE: Node = ([1.0089, 0.1871, -0.0147, 0.0014], [10.80, -1.34, 0.19], 1);
const K2_NODE: Node = ([1.0241, 0.2863, 0.0083, -0.0015], [-17.74, 0.68, -0.04], 1);
const MF_NODE: Node = ([1.0429, 0.4135, -0.0040, 0.0], [-23.74, 2.68, -0.38], 1);

fn numbers(constituent: &str) -> Option<Numbers> {
    Some(match constituent {
        "M2" => ([2, 0, 0, 0], 0, M2_NODE),
        "S2" => ([2, 2, -2, 0], 0, STEADY),
        "N2" => ([2, -1, 0, 1], 0, M2_NODE),
        "K2" => ([2, 2, 0, 0], 0, K2_NODE),
        "K1" => ([1, 1, 0, 0], 1, K1_NODE),
        "O1" => ([1, -1, 0, 0], -1, O1_NODE),
        "P1" => ([1, 1, -2, 0], -1, STEADY),
        "Q1" => ([1, -2, 0, 1], -1, O1_NODE),
        "M4" => ([4, 0, 0, 0], 0, M4_NODE),
        "Mf" => ([0, 2, 0, 0], 0, MF_NODE),
        _ => return None,
    })
}

/// Of a constituent of this name; `None` if it is unknown, or the date is no date.
pub fn equilibrium(constituent: &str, date: DateTime) -> Option<Equilibrium> {
    let (multiples, quarters, (cosines, sines, power)) = numbers(constituent)?;
    let calendar = Calendar::ProlepticGregorian;
    let epoch = DateTime {
        year: 2000,
        month: 1,
        day: 1,
        seconds: 0.5 * SECONDS_A_DAY,
    };
    let days = (calendar.day_number(date)? - calendar.day_number(epoch)?) as f64;
    let days = days + (date.seconds - epoch.seconds) / SECONDS_A_DAY;
    // Julian centuries; the minute between terrestrial and universal time moves the Moon by 0.01°.
    let t = days / 36_525.0;
    let moon = 218.316_447_7 + t * (481_267.881_234_21 + t * (-0.001_578_6 + t / 538_841.0));
    let sun = 280.466_46 + t * (36_000.769_83 + t * 0.000_303_2);
    let perigee = 83.353_246_5 + t * (4_069.013_728_7 + t * (-0.010_320_0 - t / 80_053.0));
    let node = 125.044_547_9 + t * (-1_934.136_289_1 + t * (0.002_075_4 + t / 467_441.0));
    let lunar_time = 360.0 * (date.seconds / SECONDS_A_DAY) + sun - moon;
    let longitudes = [lunar_time, moon, sun, perigee].map(|degrees| degrees.rem_euclid(360.0));
    let pairs = multiples.iter().zip(longitudes);
    let argument: f64 = pairs.map(|(&n, degrees)| f64::from(n) * degrees).sum();
    let node = node.rem_euclid(360.0).to_radians();
    let (mut factor, mut shift) = (cosines[0], 0.0);
    for (order, (cosine, sine)) in (1..).zip(cosines[1..].iter().zip(sines)) {
        let (sin, cos) = math::sin_cos(f64::from(order) * node);
        factor += cosine * cos;
        shift += sine * sin;
    }
    let degrees = argument + 90.0 * f64::from(quarters) + f64::from(power) * shift;
    Some(Equilibrium {
        argument: degrees.rem_euclid(360.0).to_radians(),
        factor: (0..power).map(|_| factor).product(),
    })
}

#[cfg(test)]
mod tests {
    use banquise::TidalConstituent;
    use banquise::units::HOUR;

    use super::*;

    /// V, u \[degrees\] and f of `UTide` 0.4.0 (`FUV`, exact times, 80° N), which takes f and u from all satellite constituents of Foreman 1978.
    const UTIDE: [(&str, &str, f64, f64, f64); 16] = [
        ("2000-01-01", "M2", 136.490, -1.788, 1.0225),
        ("2000-01-01", "S2", 0.0, 0.103, 0.9989),
        ("2000-01-01", "N2", 8.060, -1.973, 1.0207),
        ("2000-01-01", "K2", 199.946, -15.269, 0.8495),
        ("2000-01-01", "K1", 9.973, -7.952, 0.9427),
        ("2000-01-01", "O1", 126.517, 10.029, 0.9079),
        ("2000-01-01", "P1", 350.027, -0.582, 1.0072),
        ("2000-01-01", "M4", 272.980, -3.577, 1.0456),
        ("2020-05-01T06:00", "M2", 333.389, -1.935, 1.0022),
        ("2020-05-01T06:00", "K1", 219.637, -8.762, 1.0113),
        ("2020-05-01T06:00", "O1", 113.752, 10.469, 1.0112),
        ("1976-07-04T12:00", "M2", 181.936, 1.500, 1.0285),
        ("1976-07-04T12:00", "K2", 205.252, 12.225, 0.8062),
        ("1976-07-04T12:00", "K1", 12.626, 6.450, 0.9160),
        ("2008-02-01", "O1", 97.336, -4.839, 1.1620),
        ("2008-02-01", "N2", 308.571, 1.131, 0.9718),
    ];

    #[test]
    fn arguments_and_factors_are_those_of_another_program() {
        for (date, name, argument, shift, factor) in UTIDE {
            let found = equilibrium(name, DateTime::parse(date).unwrap()).unwrap();
            let off = found.argument.to_degrees() - argument - shift;
            let off = (off + 180.0).rem_euclid(360.0) - 180.0;
            // Satellites that do not follow the node, which P1 and S2 have alone.
            assert!(off.abs() < 0.8, "{name} {date}: {off}°");
            assert!(
                (found.factor - factor).abs() < 0.012,
                "{name} {date}: {}",
                found.factor
            );
        }
    }

    #[test]
    fn arguments_run_at_the_rates_of_the_constituents() {
        let start = DateTime::parse("2019-03-02T05:00").unwrap();
        for (name, period) in TidalConstituent::KNOWN {
            let later = start.after(period * HOUR * 4.0).unwrap();
            let [a, b] = [start, later].map(|date| equilibrium(name, date).unwrap().argument);
            let off = (b - a + 3.0).rem_euclid(std::f64::consts::TAU) - 3.0;
            // The node moves u by 0.4° within the two months of Mf.
            assert!(off.abs() < 0.01, "{name}: {off}");
        }
    }

    #[test]
    fn names_and_dates_that_are_none_have_no_argument() {
        assert_eq!(
            equilibrium("M3", DateTime::parse("2020-01-01").unwrap()),
            None
        );
        assert_eq!(
            equilibrium("M2", DateTime::parse("2020-02-30").unwrap()),
            None
        );
    }
}
