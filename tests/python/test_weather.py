"""Wind and current on grids: `banquise run` against netCDF4 (the C library) and PROJ.

Small floes are put where a value is wanted, and the first records tell what they feel. Files are written
here, in many forms; the real ones are read where they are.

Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import os
import subprocess
from pathlib import Path

import netCDF4
import numpy as np
import pyproj
import pytest
import xarray as xr

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
DATA = Path(os.environ.get("BANQUISE_DATA", ROOT / "../shared/data"))
# [m/s]. PROJ's convergence is a numerical derivative, ours is not.
TOLERANCE = 1e-6


class Plane:
    """The plane of a run, by PROJ."""

    def __init__(self, lon, lat):
        self.lon, self.lat = lon, lat
        self.proj = pyproj.Proj(f"+proj=stere +lat_0={lat} +lon_0={lon} +ellps=WGS84")

    def points(self, lon, lat):
        x, y = self.proj(np.asarray(lon), np.asarray(lat))
        return np.stack([x, y], axis=-1)

    def from_geographic(self, lon, lat, u, v):
        """Vectors with eastward u and northward v."""
        angle = np.radians(self.proj.get_factors(lon, lat).meridian_convergence)
        return np.stack([u * np.cos(angle) - v * np.sin(angle), u * np.sin(angle) + v * np.cos(angle)], axis=-1)


def scenario(plane, start, hours, points, wind):
    floes = "".join(
        f'[[floe]]\nposition = ["{float(x)!r} m", "{float(y)!r} m"]\ndisc = {{ radius = "10 cm" }}\n' for x, y in points
    )
    return f"""
[time]
duration = "{hours} h"
step = "10 s"
record_every = "{hours / 2} h"
start = {start}
[origin]
longitude = "{plane.lon} degE"
latitude = "{plane.lat} degN"
[ice]
thickness = "1 m"
{wind}
{floes}
"""


def run(folder, text):
    (folder / "s.toml").write_text(text)
    command = [BANQUISE, "run", str(folder / "s.toml"), "--out", str(folder / "run")]
    return subprocess.run(command, capture_output=True, text=True)


def felt(folder, text, what):
    """The wind or water at each floe at the start of the run."""
    done = run(folder, text)
    assert done.returncode == 0, done.stderr
    data = xr.open_zarr(folder / "run/recording.zarr")
    return np.stack([data[f"body_{what}_x"].values, data[f"body_{what}_y"].values], axis=-1)[0]


def angle_of_grid_x(proj, x, y):
    """Angle of the x axis of a projection from east, on its own sphere, by a long thin difference."""
    step = 50.0
    lon, lat = proj(x, y, inverse=True)
    lon_1, lat_1 = proj(x + step, y, inverse=True)
    lon_0, lat_0 = proj(x - step, y, inverse=True)
    east = (lon_1 - lon_0) * np.cos(np.radians(lat))
    return np.arctan2(lat_1 - lat_0, east)


def turned(vectors, angle):
    u, v = vectors[..., 0], vectors[..., 1]
    return np.stack([u * np.cos(angle) - v * np.sin(angle), u * np.sin(angle) + v * np.cos(angle)], axis=-1)


def centre(array, j, i):
    return (array[j, i] + array[j + 1, i] + array[j, i + 1] + array[j + 1, i + 1]) / 4


def write_regular(path, **options):
    """Longitudes and latitudes as axes, latitudes from north to south, with a hole; u = f(lon, lat, t)."""
    lon, lat = np.arange(5.0, 12.1, 0.5), np.arange(83.0, 76.9, -0.25)
    hours = np.arange(0, 49, 6)
    rng = np.random.default_rng(7)
    u = rng.normal(0, 8, (len(hours), len(lat), len(lon)))
    v = rng.normal(0, 8, (len(hours), len(lat), len(lon)))
    u[:, 3, 4] = np.nan
    with netCDF4.Dataset(path, "w", format=options.get("format", "NETCDF4")) as file:
        for name, values in (("time", hours), ("lat", lat), ("lon", lon)):
            file.createDimension(name, None if name == "time" else len(values))
            axis = file.createVariable(name, "f8", (name,))
            axis[:] = values
        file["time"].units = options.get("time_units", "hours since 2016-02-01 00:00:00")
        file["time"].calendar = options.get("calendar", "standard")
        file["lat"].units, file["lon"].units = "degrees_north", "degrees_east"
        for name, values, standard in (("u10", u, "eastward_wind"), ("v10", v, "northward_wind")):
            if options.get("packed"):
                made = file.createVariable(name, "i2", ("time", "lat", "lon"), fill_value=-32767)
                made.scale_factor, made.add_offset = 0.002, 1.5
            else:
                made = file.createVariable(name, "f8", ("time", "lat", "lon"), fill_value=9e35, zlib=options.get("zlib", False))
            made.units, made.standard_name = options.get("units", "m s-1"), standard
            hole = np.isnan(values)
            made[:] = np.ma.masked_array(np.where(hole, 0.0, values), hole)
    with netCDF4.Dataset(path) as file:
        # What the C library says, in m/s.
        return lon, lat, hours, np.ma.filled(file["u10"][:], np.nan), np.ma.filled(file["v10"][:], np.nan)


FORMS = {
    "netcdf4": {},
    "compressed": {"zlib": True},
    "classic": {"format": "NETCDF3_CLASSIC"},
    "offsets of 64 bits": {"format": "NETCDF3_64BIT_OFFSET"},
    "data of 64 bits": {"format": "NETCDF3_64BIT_DATA"},
    "packed": {"packed": True, "format": "NETCDF3_CLASSIC"},
    "packed and compressed": {"packed": True},
    "centimetres": {"units": "cm s-1", "scale": 0.01},
    "days": {"time_units": "days since 2016-01-31 12:00:00", "hours": lambda h: (h + 12) / 24},
    "another zone": {"time_units": "hours since 2016-02-01T01:00:00 +01:00"},
    "years of 365 days": {"calendar": "noleap"},
    "from the year 1": {"time_units": "hours since 0001-01-01 00:00:00", "since": True},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_regular_grid_in_all_forms(tmp_path, form):
    options = dict(FORMS[form])
    lon, lat, hours, u, v = write_regular(tmp_path / "wind.nc", **options)
    if "hours" in options or "since" in options:
        with netCDF4.Dataset(tmp_path / "wind.nc", "a") as file:
            if "since" in options:
                file["time"][:] = hours + netCDF4.date2num(
                    netCDF4.num2date(0, "hours since 2016-02-01 00:00:00"), file["time"].units, "standard"
                )
            else:
                file["time"][:] = options["hours"](hours)
    scale = options.get("scale", 1.0)
    plane = Plane(8.0, 80.0)
    lon_2d, lat_2d = np.meshgrid(lon, lat)
    nodes = plane.points(lon_2d, lat_2d)
    vectors = plane.from_geographic(lon_2d, lat_2d, scale * u[1], scale * v[1])
    places = [(1, 1), (9, 7), (14, 3), (23, 13)]
    points = [nodes[j, i] for j, i in places] + [centre(nodes, j, i) for j, i in places]
    expected = [vectors[j, i] for j, i in places] + [centre(vectors, j, i) for j, i in places]
    wind = '[wind]\nfile = "wind.nc"\n'
    found = felt(tmp_path, scenario(plane, "2016-02-01T06:00:00Z", 1, points, wind), "wind")
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)


def test_between_two_times_components_are_linear(tmp_path):
    lon, lat, _, u, v = write_regular(tmp_path / "wind.nc")
    plane = Plane(8.0, 80.0)
    point = plane.points(lon[6], lat[11])
    wind = '[wind]\nfile = "wind.nc"\n'
    found = felt(tmp_path, scenario(plane, "2016-02-01T07:30:00Z", 3, [point], wind), "wind")
    mean = [0.75 * a[1, 11, 6] + 0.25 * a[2, 11, 6] for a in (u, v)]
    np.testing.assert_allclose(found[0], plane.from_geographic(lon[6], lat[11], *mean), rtol=0, atol=TOLERANCE)


def write_era5(path, is_old):
    """Wind as the Climate Data Store hands it out, today and before 2024: no standard names, axes under other names."""
    lon, lat = np.arange(5.0, 12.1, 0.25), np.arange(83.0, 76.9, -0.25)
    time = "time" if is_old else "valid_time"
    start, unit = ("1900-01-01 00:00:00.0", "hours") if is_old else ("1970-01-01", "seconds")
    since = np.datetime64("2016-02-01") - np.datetime64(start[:10])
    times = since / np.timedelta64(1, unit[0]) + np.arange(0, 25) * (1 if is_old else 3600)
    u, v = np.random.default_rng(11).normal(0, 8, (2, len(times), len(lat), len(lon)))
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET" if is_old else "NETCDF4") as file:
        for name, values, kind in ((time, times, "i4" if is_old else "i8"), ("latitude", lat, "f4"), ("longitude", lon, "f4")):
            file.createDimension(name, len(values))
            file.createVariable(name, kind, (name,))[:] = values
        file[time].units, file[time].calendar = f"{unit} since {start}", "gregorian" if is_old else "proleptic_gregorian"
        file["latitude"].units, file["longitude"].units = "degrees_north", "degrees_east"
        if not is_old:
            file[time].standard_name = "time"
            file.createVariable("number", "i8", ())[...] = 0
            file.createVariable("expver", str, (time,))[:] = np.array(["0001"] * len(times), dtype=object)
        for name, values, direction in (("u10", u, "U"), ("v10", v, "V")):
            made = file.createVariable(name, "i2" if is_old else "f4", (time, "latitude", "longitude"))
            if is_old:
                made.scale_factor, made.add_offset = 0.001, 0.5
            else:
                made.standard_name, made.coordinates = "unknown", "number valid_time latitude longitude expver"
            made.units, made.long_name = "m s**-1", f"10 metre {direction} wind component"
            made[:] = values
    with netCDF4.Dataset(path) as file:
        return lon, lat, file["u10"][:].data, file["v10"][:].data


@pytest.mark.parametrize("is_old", [False, True], ids=["today", "before 2024"])
def test_era5_needs_no_more_than_its_name(tmp_path, is_old):
    lon, lat, u, v = write_era5(tmp_path / "era5.nc", is_old)
    plane = Plane(8.0, 80.0)
    lon_2d, lat_2d = np.meshgrid(lon, lat)
    nodes = plane.points(lon_2d, lat_2d)
    vectors = plane.from_geographic(lon_2d, lat_2d, u[6], v[6])
    places = [(1, 1), (9, 7), (14, 3), (23, 13)]
    wind = '[wind]\nfile = "era5.nc"\n'
    text = scenario(plane, "2016-02-01T06:00:00Z", 2, [nodes[j, i] for j, i in places], wind)
    np.testing.assert_allclose(felt(tmp_path, text, "wind"), [vectors[j, i] for j, i in places], atol=1e-5)


def write_projected(path, proj, x, y, mapping, with_places):
    lon, lat = proj(*np.meshgrid(x, y), inverse=True)
    rng = np.random.default_rng(3)
    u, v = rng.normal(0, 0.3, (2, 2, len(y), len(x)))
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", 2)
        file.createDimension("depth", 3)
        file.createDimension("y", len(y))
        file.createDimension("x", len(x))
        time = file.createVariable("time", "f8", ("time",))
        time.units = "seconds since 2020-01-01"
        time[:] = [0.0, 86400.0]
        for axis, values in (("x", x), ("y", y)):
            variable = file.createVariable(axis, "f8", (axis,))
            variable.units, variable.standard_name = "km", f"projection_{axis}_coordinate"
            variable[:] = values / 1000
        file.createVariable("crs", "i4").setncatts(mapping)
        if with_places:
            for axis, values, unit in (("lon", lon, "degrees_east"), ("lat", lat, "degrees_north")):
                variable = file.createVariable(axis, "f8", ("y", "x"))
                variable.units = unit
                variable[:] = values
        for axis, values in (("x", u), ("y", v)):
            variable = file.createVariable(f"{axis}_vel", "f8", ("time", "depth", "y", "x"))
            variable.standard_name, variable.units = f"sea_water_{axis}_velocity", "m/s"
            variable.grid_mapping = "crs"
            variable[:, 0], variable[:, 1], variable[:, 2] = 0 * values, values, 2 * values
    return lon, lat, u[0], v[0]


MAPPINGS = {
    "polar_stereographic": (
        "+proj=stere +lat_0=90 +lat_ts=60 +lon_0=58 +R=6371000",
        {"latitude_of_projection_origin": 90.0, "straight_vertical_longitude_from_pole": 58.0, "standard_parallel": 60.0, "earth_radius": 6371000.0},
        np.arange(-4e5, 0.5e5, 2e4),
        np.arange(-1.2e6, -6e5, 2e4),
    ),
    "lambert_conformal_conic": (
        "+proj=lcc +lon_0=15 +lat_0=63 +lat_1=63 +lat_2=77 +R=6371000",
        {"latitude_of_projection_origin": 63.0, "longitude_of_central_meridian": 15.0, "standard_parallel": [63.0, 77.0], "earth_radius": 6371000.0},
        np.arange(1e5, 5e5, 1e4)[::-1],
        np.arange(1.2e6, 1.6e6, 1e4),
    ),
}


@pytest.mark.parametrize("with_places", [True, False])
@pytest.mark.parametrize("name", MAPPINGS)
def test_a_projected_grid_turns_its_vectors(tmp_path, name, with_places):
    text, attributes, x, y = MAPPINGS[name]
    proj = pyproj.Proj(text)
    lon, lat, u, v = write_projected(tmp_path / "c.nc", proj, x, y, {"grid_mapping_name": name, **attributes}, with_places)
    j, i = len(y) // 2, len(x) // 2
    plane = Plane(round(float(lon[j, i]), 2), round(float(lat[j, i]), 2))
    angle = angle_of_grid_x(proj, *np.meshgrid(x, y))
    geographic = turned(np.stack([u, v], axis=-1), angle)
    vectors = plane.from_geographic(lon, lat, geographic[..., 0], geographic[..., 1])
    nodes = plane.points(lon, lat)
    places = [(1, 1), (j, i), (j + 3, i - 5), (len(y) - 2, len(x) - 2)]
    points = [nodes[a, b] for a, b in places] + [centre(nodes, a - 1, b - 1) for a, b in places]
    expected = [vectors[a, b] for a, b in places] + [centre(vectors, a - 1, b - 1) for a, b in places]
    current = '[current]\nfile = "c.nc"\nlevel = 1\n'
    found = felt(tmp_path, scenario(plane, "2020-01-01T00:00:00Z", 1, points, current), "water")
    # Directions by differences over 20 km are wrong by a millionth of a radian.
    np.testing.assert_allclose(found, expected, rtol=0, atol=5 * TOLERANCE)


def test_a_global_grid_is_closed_at_the_date_line_and_reaches_the_pole(tmp_path):
    lon, lat = np.arange(0.0, 360.0, 2.0), np.arange(60.0, 90.1, 2.0)
    with netCDF4.Dataset(tmp_path / "wind.nc", "w", format="NETCDF3_CLASSIC") as file:
        for name, values, unit in (("latitude", lat, "degrees_north"), ("longitude", lon, "degrees_east")):
            file.createDimension(name, len(values))
            axis = file.createVariable(name, "f4", (name,))
            axis[:], axis.units = values, unit
        lon_2d, lat_2d = np.meshgrid(lon, lat)
        for name, angle in (("eastward_wind", 0.0), ("northward_wind", 90.0)):
            # A uniform wind over the pole: along the meridian of Greenwich, toward 180 degrees.
            variable = file.createVariable(name, "f8", ("latitude", "longitude"))
            variable.standard_name, variable.units = name, "m/s"
            variable[:] = 10 * (np.sin(np.radians(lon_2d)) if angle == 0 else np.cos(np.radians(lon_2d)))
    plane = Plane(0.0, 90.0)
    points = plane.points([-1.0, 359.0, 90.0, 181.0], [80.0, 75.0, 85.0, 88.0])
    found = felt(tmp_path, scenario(plane, "2020-01-01T00:00:00Z", 1, points, '[wind]\nfile = "wind.nc"\n'), "wind")
    # Longitudes 2 degrees apart: the chord is 1.5e-4 short.
    np.testing.assert_allclose(found, np.tile([0.0, 10.0], (4, 1)), rtol=0, atol=3e-3)


def test_holes_refuse_floes_or_are_filled(tmp_path):
    lon, lat, _, u, v = write_regular(tmp_path / "wind.nc")
    plane = Plane(8.0, 80.0)
    point = plane.points(lon[4], lat[3])
    text = scenario(plane, "2016-02-01T00:00:00Z", 1, [point], '[wind]\nfile = "wind.nc"\n')
    done = run(tmp_path, text)
    assert done.returncode == 2 and "has no data for body 0" in done.stderr, done.stderr
    filled = text.replace('"wind.nc"\n', '"wind.nc"\ngaps = "nearest"\n')
    found = felt(tmp_path, filled, "wind")
    near = [(j, i) for j in (2, 3, 4) for i in (3, 4, 5) if (j, i) != (3, 4)]
    turned_ones = [plane.from_geographic(lon[i], lat[j], u[0, j, i], v[0, j, i]) for j, i in near]
    np.testing.assert_allclose(found[0], np.mean(turned_ones, axis=0), rtol=0, atol=1e-5)


def test_a_floe_that_leaves_the_grid_stops_the_run(tmp_path):
    with netCDF4.Dataset(tmp_path / "wind.nc", "w") as file:
        for name, values, unit in (("lat", [79.9, 80.1], "degrees_north"), ("lon", [7.5, 8.0, 8.5], "degrees_east")):
            file.createDimension(name, len(values))
            file.createVariable(name, "f8", (name,))[:] = values
            file[name].units = unit
        for name, value in (("eastward_wind", 20.0), ("northward_wind", 0.0)):
            file.createVariable(name, "f8", ("lat", "lon"))[:] = value
            file[name].standard_name, file[name].units = name, "m s**-1"
    plane = Plane(8.0, 80.0)
    text = scenario(plane, "2016-02-01T00:00:00Z", 24, plane.points([8.0, 8.48], [80.0, 80.0]), '[wind]\nfile = "wind.nc"\n')
    done = run(tmp_path, text)
    assert done.returncode == 1, done.stderr
    assert "there are no data of the wind for all of body 1, which is at (9" in done.stderr, done.stderr
    assert "hint: shorten the run" in done.stderr


@pytest.mark.skipif(not (DATA / "fields").exists(), reason="real data not found")
def test_real_wind_of_arome(tmp_path):
    path = DATA / "fields/AROME_MetCoOp_00_DEF_20160114_subset.nc"
    with netCDF4.Dataset(path) as file:
        lon, lat = file["longitude"][:].data, file["latitude"][:].data
        x, y = file["x"][:].data.astype(float), file["y"][:].data.astype(float)
        u, v = file["x_wind_10m"][:].filled(np.nan), file["y_wind_10m"][:].filled(np.nan)
        proj = pyproj.Proj(file["projection_lambert"].proj4)
    plane = Plane(5.0, 60.0)
    angle = angle_of_grid_x(proj, *np.meshgrid(x, y))
    vectors = []
    for k in range(3):
        geographic = turned(np.stack([u[k], v[k]], axis=-1).astype(float), angle)
        vectors.append(plane.from_geographic(lon, lat, geographic[..., 0], geographic[..., 1]))
    nodes = plane.points(lon, lat)
    places = [(1, 1), (40, 77), (75, 70), (149, 139), (12, 130)]
    points = [nodes[j, i] for j, i in places] + [centre(nodes, j - 1, i - 1) for j, i in places]
    wind = f'[wind]\nfile = "{path}"\n'
    for start, weight in (("2016-01-14T00:00:00Z", 0.0), ("2016-01-14T00:30:00Z", 0.5)):
        mixed = (1 - weight) * vectors[0] + weight * vectors[1]
        expected = [mixed[j, i] for j, i in places] + [centre(mixed, j - 1, i - 1) for j, i in places]
        folder = tmp_path / start.replace(":", "")
        folder.mkdir()
        found = felt(folder, scenario(plane, start, 0.1, points, wind), "wind")
        np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)


@pytest.mark.skipif(not (DATA / "fields").exists(), reason="real data not found")
def test_real_current_of_the_arctic(tmp_path):
    path = DATA / "fields/arctic20_surface_20160201_05.nc"
    with netCDF4.Dataset(path) as file:
        lon, lat = (file[name][:].data.astype(float) for name in ("longitude", "latitude"))
        u, v = (np.ma.filled(file[name][:].astype(float), np.nan) for name in ("u_surface", "v_surface"))
        start = netCDF4.num2date(file["time"][0], file["time"].units).strftime("%Y-%m-%dT%H:%M:%SZ")
    # Its longitudes have single precision: the direction of the grid comes from the same numbers, by
    # great circles here.
    sphere = pyproj.Geod("+a=6371000 +b=6371000")
    known = np.argwhere(np.isfinite(u[0]) & np.isfinite(v[0]))
    inner = [(j, i) for j, i in known if 1 <= i < 89 and 1 <= j < 49][:: 97]
    assert len(inner) > 10
    j0, i0 = inner[len(inner) // 2]
    plane = Plane(round(lon[j0, i0], 3), round(lat[j0, i0], 3))
    points, expected = [], []
    for j, i in inner:
        one, _, _ = sphere.inv(lon[j, i], lat[j, i], lon[j, i + 1], lat[j, i + 1])
        two, _, _ = sphere.inv(lon[j, i], lat[j, i], lon[j, i - 1], lat[j, i - 1])
        one, two = np.radians(one), np.radians(two)
        along = np.array([np.sin(one) - np.sin(two), np.cos(one) - np.cos(two)])
        geographic = turned(np.array([u[0, j, i], v[0, j, i]]), np.arctan2(along[1], along[0]))
        points.append(plane.points(lon[j, i], lat[j, i]))
        expected.append(plane.from_geographic(lon[j, i], lat[j, i], *geographic))
    current = f'[current]\nfile = "{path}"\nvariables = {{ x = "u_surface", y = "v_surface" }}\n'
    found = felt(tmp_path, scenario(plane, start, 1, points, current + 'gaps = "nearest"\n'), "water")
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)
