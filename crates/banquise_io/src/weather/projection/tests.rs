use super::*;

const WGS_84: f64 = 1.0 / 298.257_223_563;

fn ellipsoid(axis: f64, flattening: f64) -> Ellipsoid {
    Ellipsoid {
        axis,
        eccentricity: (flattening * (2.0 - flattening)).sqrt(),
    }
}

/// The projection gives the place \[degrees\] back, to a tenth of a millimetre.
fn check(projection: Projection, longitude: f64, latitude: f64, x: f64, y: f64) {
    let [found, found_latitude] = projection.to_earth(DVec2::new(x, y)).to_degrees();
    // The points are printed to a micrometre.
    assert!((found - longitude).abs() < 1e-10, "{found} {longitude}");
    assert!(
        (found_latitude - latitude).abs() < 1e-10,
        "{found_latitude} {latitude}"
    );
}

// Points by PROJ 9.

#[test]
fn stereographic_about_the_poles() {
    let parallel = |degrees: f64| Scale::Parallel(degrees.to_radians());
    let sphere = polar(
        ellipsoid(6.371e6, 0.0),
        1.0,
        58_f64.to_radians(),
        parallel(60.0),
        DVec2::ZERO,
    );
    check(sphere, 30.0, 80.0, -488_299.444_502, -918_357.688_289);
    check(sphere, -100.0, 70.0, -785_270.612_678, 1_943_612.969_813);
    let earth = ellipsoid(6_378_137.0, WGS_84);
    let north = polar(
        earth,
        1.0,
        (-45_f64).to_radians(),
        parallel(70.0),
        DVec2::ZERO,
    );
    check(north, 30.0, 80.0, 1_048_918.460_543, -281_056.854_429);
    check(north, -100.0, 70.0, -1_792_245.406_663, -1_254_943.744_067);
    let south = polar(earth, -1.0, 0.0, parallel(-71.0), DVec2::ZERO);
    check(south, 30.0, -80.0, 544_589.727_813, 943_257.077_852);
    check(south, -100.0, -70.0, -2_161_154.948_986, -381_069.926_998);
    let scaled = polar(
        earth,
        1.0,
        10_f64.to_radians(),
        Scale::AtPole(0.994),
        DVec2::splat(2e6),
    );
    check(scaled, 30.0, 80.0, 2_380_651.707_376, 954_168.029_308);
}

#[test]
fn conic_with_one_and_two_parallels_north_and_south() {
    let radians = |parallels: [f64; 2]| parallels.map(f64::to_radians);
    let cone = |earth, parallels, origin: f64, meridian: f64, shift| {
        lambert(
            earth,
            radians(parallels),
            origin.to_radians(),
            meridian.to_radians(),
            shift,
        )
    };
    let arome = cone(
        ellipsoid(6.371e6, 0.0),
        [63.0, 63.0],
        63.0,
        15.0,
        DVec2::ZERO,
    );
    check(arome, 10.0, 60.0, -278_076.255_932, -322_917.253_427);
    check(arome, 40.0, 75.0, 720_427.414_487, 1_487_431.889_534);
    let grs = ellipsoid(6_378_137.0, 1.0 / 298.257_222_101);
    let canada = cone(grs, [49.0, 77.0], 49.0, -107.0, DVec2::new(100.0, -200.0));
    check(canada, -100.0, 60.0, 379_001.679_141, 1_224_961.463_8);
    check(canada, -60.0, 75.0, 1_225_830.698_864, 3_308_667.441_623);
    let earth = ellipsoid(6_378_137.0, WGS_84);
    let south = cone(earth, [-20.0, -40.0], -30.0, 25.0, DVec2::ZERO);
    check(south, 20.0, -35.0, -451_007.307_68, -556_609.970_667);
    check(south, 40.0, -50.0, 1_128_128.690_932, -2_308_636.103_526);
}

#[test]
fn a_rotated_pole() {
    let rotated = Projection::RotatedPole {
        pole: LonLat::from_degrees(-162.0, 39.25),
        north_pole_longitude: 0.0,
    };
    for [longitude, latitude, x, y] in [
        [10.0, 60.0, -0.070_606, 0.165_262],
        [40.0, 75.0, 0.107_333, 0.439_308],
        [-30.0, 55.0, -0.452_332, 0.222_913],
    ] {
        let [found, found_latitude] = rotated.to_earth(DVec2::new(x, y)).to_degrees();
        // Six decimals of a radian are 6e-5 degrees; near the pole longitudes are wider.
        assert!((found - longitude).abs() < 2e-4, "{found}");
        assert!((found_latitude - latitude).abs() < 1e-4, "{found_latitude}");
    }
}
