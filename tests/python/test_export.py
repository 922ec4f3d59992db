"""Programs that are not ours open what `banquise export` writes.

Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import geopandas
import h5py
import meshio
import numpy as np
import pandas as pd
import pyproj
import pytest
import xarray as xr

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))

# A concave floe that turns, a disc, a thin triangle, and an obstacle that one of them strikes.
SCENARIO = """
title = "Three floes, \\"quoted\\""
[time]
duration = "10 min"
step = "5 s"
record_every = "1 min"
start = 2008-02-28T23:55:00Z
[origin]
longitude = "61.9 degW"
latitude = "81.925 degN"
[wind]
velocity = ["5 m/s", "2 m/s"]
[[floe]]
name = "L, concave"
position = ["-2 km", "1 km"]
heading = "30 deg"
velocity = ["0.2 m/s", "0 m/s"]
angular_velocity = "1e-3 rad/s"
thickness = "1.5 m"
outline = { unit = "m", points = [[0, 0], [200, 0], [200, 50], [50, 50], [50, 200], [0, 200]] }
[[floe]]
name = "disc"
position = ["0 m", "0 m"]
velocity = ["1 m/s", "0 m/s"]
thickness = "1 m"
disc = { radius = "50 m" }
[[floe]]
position = ["500 m", "900 m"]
thickness = "0.5 m"
outline = { unit = "m", points = [[0, 0], [100, 0], [0, 10]] }
[[obstacle]]
name = "rock"
position = ["200 m", "0 m"]
disc = { radius = "40 m" }
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    (folder / "s.toml").write_text(SCENARIO)
    banquise("run", folder / "s.toml", "--out", folder / "run")
    return folder / "run"


def banquise(*arguments):
    command = [BANQUISE, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def export(run, name):
    output = banquise("export", run, "--to", name).stderr.strip().splitlines()[-1]
    return Path(output.removeprefix(f"{name}: "))


def area(ring):
    x, y = np.asarray(ring)[:, :2].T
    return 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))


def outline_in_plane(data, record, body):
    """Where the outline of a polygon is, computed here."""
    start, count = int(data["outline_start"][body]), int(data["outline_count"][body])
    vertices = np.stack([data["outline_x"], data["outline_y"]], axis=1)[start : start + count]
    angle = float(data["heading"][record, body])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    place = [float(data["x"][record, body]), float(data["y"][record, body])]
    return vertices @ turn.T + place


@pytest.fixture(scope="module")
def data(run):
    return xr.open_zarr(run / "recording.zarr", decode_times=False).load()


def test_contacts_load_both_sides(data):
    impulse = data["contact_impulse"]
    assert (impulse[0] == 0.0).all() and (impulse.diff("time") >= 0.0).all()
    assert impulse[-1, 1] > 0.0 and impulse[-1, 1] == impulse[-1, 3]
    assert impulse[-1, 3] == data["load_normal"][-1, 0]


def test_pandas_reads_the_tables(run, data):
    folder = export(run, "csv")
    motions = pd.read_csv(folder / "motions.csv")
    units = {
        "x": "m", "y": "m", "heading": "rad", "velocity_x": "m/s", "velocity_y": "m/s", "angular_velocity": "rad/s", "contact_impulse": "N s",
    }  # fmt: skip
    for name, unit in units.items():
        table = motions.pivot(index="time [s]", columns="body", values=f"{name} [{unit}]")
        np.testing.assert_array_equal(table.to_numpy(), data[name].values)
    bodies = pd.read_csv(folder / "bodies.csv", keep_default_na=True)
    assert list(bodies["name"].fillna("")) == ["L, concave", "disc", "", "rock"]
    for name, unit in [("mass", "kg"), ("inertia", "kg m2"), ("area", "m2"), ("thickness", "m"), ("disc_radius", "m")]:
        np.testing.assert_array_equal(bodies[f"{name} [{unit}]"], data[name])
    outlines = pd.read_csv(folder / "outlines.csv")
    np.testing.assert_array_equal(outlines["x [m]"], data["outline_x"])
    records = pd.read_csv(folder / "records.csv", parse_dates=["date"])
    np.testing.assert_array_equal(records["kinetic_energy [J]"], data["kinetic_energy"])
    assert records["date"][10] == pd.Timestamp("2008-02-29T00:05:00Z")
    # Every column that is not a number of something, a name or a mark has its unit.
    plain = {"record", "body", "vertex", "name", "is_obstacle", "parent", "generation", "date", "obstacle"}
    for table in sorted(folder.glob("*.csv")):
        bare = {name for name in pd.read_csv(table, nrows=0).columns if "[" not in name} - plain
        assert all(data[name].attrs["units"] == "1" for name in bare), (table.name, bare)
    loads = pd.read_csv(folder / "loads.csv")
    np.testing.assert_array_equal(loads["load_normal [N s]"], data["load_normal"][:, 0])


def test_an_exported_table_of_records_is_a_series_of_the_wind(run, tmp_path):
    """What we write, with units in brackets, is what we read."""
    folder = tmp_path / "tables"
    banquise("export", run, "--to", "csv", "--out", folder)
    records = pd.read_csv(folder / "records.csv")
    assert {"time [s]", "wind_x [m/s]", "wind_y [m/s]"} <= set(records.columns)
    (tmp_path / "wind.csv").write_text((folder / "records.csv").read_text())
    (tmp_path / "s.toml").write_text(
        f"""[time]
duration = "{records["time [s]"].iloc[-1]} s"
step = "10 s"
[wind]
series = "wind.csv"
columns = {{ time = "time", x = "wind_x", y = "wind_y" }}
[[floe]]
thickness = "1 m"
disc = {{ radius = "10 m" }}
"""
    )
    subprocess.run([BANQUISE, "check", str(tmp_path / "s.toml")], check=True)


def test_meshio_reads_the_time_series_of_paraview(run, data):
    folder = export(run, "paraview")
    sets = ElementTree.parse(folder / "floes.pvd").getroot().findall("Collection/DataSet")
    assert [float(entry.get("timestep")) for entry in sets] == list(data["time"].values)
    for record in [0, 4, 10]:
        mesh = meshio.read(folder / sets[record].get("file"))
        assert [block.type for block in mesh.cells] == ["polygon"] * len(mesh.cells)
        polygons = [mesh.points[cell] for block in mesh.cells for cell in block.data]
        values = {name: np.concatenate(blocks) for name, blocks in mesh.cell_data.items()}
        # meshio may put cells of the same size together.
        order = np.argsort(values["body"])
        np.testing.assert_array_equal(values["velocity"][order, 0], data["velocity_x"][record])
        np.testing.assert_array_equal(values["velocity"][order, 1], data["velocity_y"][record])
        for name in ["thickness", "contact_impulse", "mass", "angular_velocity"]:
            expected = data[name][record] if "time" in data[name].dims else data[name]
            np.testing.assert_array_equal(values[name][order], expected)
        for body in [0, 2]:
            polygon = polygons[order[body]]
            # The recorded angle is that of a rotation: sine and cosine of it are rounded.
            np.testing.assert_allclose(polygon[:, :2], outline_in_plane(data, record, body), atol=1e-9)
            assert area(polygon) == pytest.approx(float(data["area"][body]), rel=1e-9)


def test_geopandas_finds_the_floes_on_the_earth(run, data):
    frame = geopandas.read_file(export(run, "geojson"))
    assert len(frame) == data.sizes["time"] * data.sizes["body"]
    assert frame.crs.to_epsg() == 4326 and frame.is_valid.all()
    check_places(frame, data)
    last = frame[(frame.record == 10) & (frame.body == 0)].iloc[0]
    assert pd.Timestamp(last.date) == pd.Timestamp("2008-02-29T00:05:00Z")
    assert last["name"] == "L, concave"
    assert last.velocity_x_m_s == float(data["velocity_x"][10, 0])


def test_the_sequence_becomes_a_geopackage(run, data, tmp_path):
    sequence = geopandas.read_file(export(run, "geojsonseq"))
    sequence.to_file(tmp_path / "floes.gpkg", driver="GPKG")
    check_places(geopandas.read_file(tmp_path / "floes.gpkg"), data)


def check_places(frame, data):
    plane = pyproj.CRS.from_proj4("+proj=stere +lon_0=-61.9 +lat_0=81.925 +ellps=WGS84")
    to_plane = pyproj.Transformer.from_crs("EPSG:4326", plane, always_xy=True)
    for record in [0, 10]:
        for body in [0, 2]:
            row = frame[(frame.record == record) & (frame.body == body)].iloc[0]
            places = np.array(row.geometry.exterior.coords)[:-1]
            found = np.stack(to_plane.transform(*places.T), axis=1)
            expected = outline_in_plane(data, record, body)
            # Nine decimals of a degree are 0.1 mm.
            np.testing.assert_allclose(found, expected, atol=2e-4)


def test_without_an_origin_coordinates_are_metres(tmp_path):
    banquise("run", "deviation", "--out", tmp_path / "run", "--set", "time.duration=1 h", "--set", "report={}")
    done = banquise("export", tmp_path / "run", "--to", "geojson")
    assert "coordinates are metres" in done.stderr
    frame = geopandas.read_file(tmp_path / "run/floes.geojson")
    # They must not be taken for degrees.
    assert frame.crs.to_epsg() is None and frame.crs.is_engineering
    assert [axis.unit_name for axis in frame.crs.axis_info] == ["metre", "metre"]
    done = banquise("export", tmp_path / "run", "--to", "geojsonseq")
    assert "a sequence cannot say so" in done.stderr
    data = xr.open_zarr(tmp_path / "run/recording.zarr")
    last = frame.iloc[-1].geometry.centroid
    assert abs(last.x - float(data["x"][-1, 0])) < 1e-5


def test_xarray_opens_netcdf_as_cf_trajectories(run, data):
    path = export(run, "netcdf")
    found = xr.open_dataset(path, engine="netcdf4", decode_times=False).load()
    assert found.attrs["featureType"] == "trajectory" and found.attrs["Conventions"] == "CF-1.11"
    assert found["trajectory"].attrs["cf_role"] == "trajectory_id"
    assert dict(found.sizes) == {"time": 11, "trajectory": 4, "vertex": data.sizes["vertex"]}
    assert [name.decode() for name in found["name"].values] == ["L, concave", "disc", "", "rock"]
    assert found.attrs["title"] == 'Three floes, "quoted"'
    for name, variable in data.data_vars.items():
        if "obstacle" in variable.dims or name == "obstacle_body":
            continue
        values = variable.transpose("body", "time") if variable.dims == ("time", "body") else variable
        np.testing.assert_array_equal(found[name], values, err_msg=name)
        assert found[name].attrs["long_name"] == variable.attrs["long_name"]
        if variable.dtype == float:
            assert found[name].attrs["units"] == variable.attrs["units"]
    # Where the projection says the floes are is where longitude and latitude say they are.
    assert found["velocity_x"].encoding["coordinates"] == "time lat lon"
    plane = pyproj.CRS.from_cf(found["crs"].attrs)
    to_plane = pyproj.Transformer.from_crs("EPSG:4326", plane, always_xy=True)
    x, y = to_plane.transform(found["lon"].values, found["lat"].values)
    np.testing.assert_allclose(x, found["x"], atol=1e-6)
    np.testing.assert_allclose(y, found["y"], atol=1e-6)
    dates = xr.open_dataset(path, engine="netcdf4")["time"].values
    assert dates[-1] == np.datetime64("2008-02-29T00:05:00")


def test_netcdf_without_names_origin_or_date(tmp_path):
    banquise("run", "deviation", "--out", tmp_path / "run", "--set", "time.duration=1 h", "--set", "report={}")
    banquise("export", tmp_path / "run", "--to", "netcdf", "--every", 4, "--out", tmp_path / "d.nc")
    found = xr.open_dataset(tmp_path / "d.nc")
    assert "lon" not in found and found["x"].attrs["axis"] == "X"
    whole = xr.open_zarr(tmp_path / "run/recording.zarr")
    np.testing.assert_array_equal(found["time"][:-1], whole["time"][::4][: found.sizes["time"] - 1])
    assert found["time"][-1] == whole["time"][-1]


# FloeDyn.

FLOEDYN = '[time]\nduration = "60 s"\nstep = "10 s"\n[floedyn]\nfile = "in.h5"\n'


def read_floedyn(path):
    with h5py.File(path) as file:
        states = file["floe_states"][:]
        shapes = [file[f"floe_shapes/{index}"] for index in range(states.shape[1])]
        return states, [shape[:] for shape in shapes], [dict(shape.attrs) for shape in shapes]


def run_floedyn(folder):
    folder.mkdir(exist_ok=True)
    (folder / "s.toml").write_text(FLOEDYN)
    banquise("run", folder / "s.toml", "--out", folder / "run")
    return export(folder / "run", "floedyn")


def without_straight_vertices(ring):
    """A vertex on a straight edge is left out when a file is read."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    (first_x, first_y), (second_x, second_y) = (ring - before).T, (after - ring).T
    cross = first_x * second_y - first_y * second_x
    return ring[cross != 0.0]


def check_states(found, expected):
    """Positions and velocities agree, and angles but for whole turns."""
    difference = (found - expected)[:, :6]
    difference[:, 2] -= 2.0 * np.pi * np.round(difference[:, 2] / (2.0 * np.pi))
    assert np.abs(difference).max() < 1e-9


def check_round_trip(given, folder):
    """What is read and written again has the same outlines and poses, and so has that once more."""
    folder.mkdir()
    (folder / "in.h5").write_bytes(given.read_bytes())
    first = run_floedyn(folder)
    states, shapes, attributes = read_floedyn(given)
    out_states, out_shapes, out_attributes = read_floedyn(first)
    check_states(out_states[0], states[0])
    for ours, theirs in zip(out_shapes, shapes):
        theirs = without_straight_vertices(theirs[:-1] if (theirs[0] == theirs[-1]).all() else theirs)
        assert len(ours) == len(theirs)
        # The ring may begin elsewhere.
        start = np.abs(ours - theirs[0]).sum(axis=1).argmin()
        np.testing.assert_allclose(np.roll(ours, -start, axis=0), theirs, rtol=0.0, atol=1e-9)
    for ours, theirs in zip(out_attributes, attributes):
        assert ours.get("C_w") == theirs.get("C_w") and ours["obstacle"] == theirs.get("obstacle", 0)
    # The last record of this run is the first of the next.
    again = folder.with_name("again")
    again.mkdir()
    with h5py.File(first) as source, h5py.File(again / "in.h5", "w") as target:
        target["floe_states"] = source["floe_states"][-1:]
        source.copy("floe_shapes", target)
    second_states, second_shapes, _ = read_floedyn(run_floedyn(again))
    check_states(second_states[0], out_states[-1])
    for ours, theirs in zip(second_shapes, out_shapes):
        np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=1e-9)
    return out_states


def test_a_floedyn_file_goes_in_and_out(tmp_path):
    rng = np.random.default_rng(1)
    with h5py.File(tmp_path / "in.h5", "w") as file:
        count = 300  # more than one node of a group holds
        states = np.zeros((1, count, 11))
        states[0, :, 0] = 300.0 * (np.arange(count) % 20)
        states[0, :, 1] = 300.0 * (np.arange(count) // 20)
        states[0, :, 2:6] = rng.uniform(-0.1, 0.1, (count, 4))
        states[0, :, 9:] = [1.0, 0.75]
        file["floe_states"] = states
        for index in range(count):
            angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, 12))
            angles[::4] = [0.0, 2.0, 4.0]
            ring = rng.uniform(30.0, 100.0) * np.stack([np.cos(np.sort(angles)), np.sin(np.sort(angles))], axis=1)
            ring -= centroid(ring)
            file.create_dataset(f"floe_shapes/{index}", data=ring).attrs["C_w"] = 0.004 + 1e-6 * index
    states = check_round_trip(tmp_path / "in.h5", tmp_path / "first")
    assert states.shape == (7, 300, 11)


def centroid(ring):
    x, y = ring.T
    cross = x * np.roll(y, -1) - y * np.roll(x, -1)
    sums = [np.sum((values + np.roll(values, -1)) * cross) for values in (x, y)]
    return np.array(sums) / (3.0 * cross.sum())


def test_the_example_of_floedyn_goes_in_and_out(tmp_path):
    shared = Path(os.environ.get("BANQUISE_DATA", ROOT / "../shared/data"))
    given = shared / "topaz_point/in_example_100_floes.h5"
    if not given.is_file():
        pytest.skip("real data not found: topaz_point/in_example_100_floes.h5")
    assert check_round_trip(given, tmp_path / "first").shape[1] == 100


def test_a_periodic_run_is_written_for_floedyn_inside_its_window(tmp_path):
    banquise("run", "eddy", "--out", tmp_path / "run", "--set", "time.duration=1 h", "--set", "report={}")
    with h5py.File(export(tmp_path / "run", "floedyn")) as file:
        data = xr.open_zarr(tmp_path / "run/recording.zarr")
        np.testing.assert_array_equal(file["time"], data["time"])
        np.testing.assert_array_equal(file["floe_states"][:, :, 7], data["x"])
        np.testing.assert_array_equal(file["floe_states"][:, :, 10], np.broadcast_to(data["thickness"], data["x"].shape))
        assert file["window"].shape == (4,)
