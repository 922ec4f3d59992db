"""xarray opens what `banquise run` leaves. Any warning is a failure.

Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import json
import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

pytestmark = pytest.mark.filterwarnings("error")
ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))


def run(folder, *arguments):
    command = [BANQUISE, "run", "drift", "--out", str(folder), *arguments]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return folder / "recording.zarr"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """The whole default run."""
    return xr.open_zarr(run(tmp_path_factory.mktemp("drift") / "run"))


def test_dimensions_are_named(dataset):
    assert dict(dataset.sizes) == {"time": 865, "body": 7, "vertex": 96}
    assert set(dataset.coords) == {"time", "body"}
    for name in ["x", "y", "heading", "velocity_x", "velocity_y", "angular_velocity"]:
        assert dataset[name].dims == ("time", "body")
    for name in ["mass", "inertia", "area", "thickness", "outline_start", "outline_count"]:
        assert dataset[name].dims == ("body",)
    for name in ["outline_x", "outline_y"]:
        assert dataset[name].dims == ("vertex",)
    np.testing.assert_array_equal(dataset["time"], np.arange(865) * 600.0)


def test_every_variable_has_a_unit_and_a_name(dataset):
    for name, variable in dataset.variables.items():
        assert variable.attrs["units"], name
        assert variable.attrs["long_name"], name


def test_the_manifest_is_in_the_attributes(dataset):
    attributes = dataset.attrs
    assert attributes["title"] == "Seven floes under a turning wind"
    assert attributes["status"] == "complete"
    assert attributes["seed"] == 1
    assert attributes["scenario"] == (ROOT / "scenarios/drift.toml").read_text()
    assert attributes["names"][0] == "Alba"
    for name in ["scenario_hash", "state_hash"]:
        assert len(attributes[name]) == 16
        int(attributes[name], 16)
    assert attributes["banquise_version"]
    assert attributes["Conventions"].startswith("CF-")


def test_bodies_that_stay_have_a_whole_life(dataset):
    for name in ["born_s", "gone_s", "parent", "generation"]:
        assert dataset[name].dims == ("body",)
    assert (dataset["born_s"] == 0.0).all()
    assert dataset["gone_s"].isnull().all()
    assert (dataset["parent"] == -1).all() and dataset["parent"].dtype == np.int64
    assert (dataset["generation"] == 0).all()
    for name in ["floes_entered", "mass_left", "momentum_replaced_x", "energy_pieces"]:
        assert dataset[name].dims == ("time",)
        assert (dataset[name] == 0.0).all()


def test_nothing_is_missing(dataset):
    for name in ["x", "y", "heading", "velocity_x", "kinetic_energy", "wind_x", "mass"]:
        assert np.isfinite(dataset[name]).all(), name


def test_outlines_give_the_areas(dataset):
    for body in range(dataset.sizes["body"]):
        count = int(dataset["outline_count"][body])
        if count == 0:
            area = np.pi * float(dataset["disc_radius"][body]) ** 2
        else:
            start = int(dataset["outline_start"][body])
            x = dataset["outline_x"].values[start : start + count]
            y = dataset["outline_y"].values[start : start + count]
            area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
        # The two sums differ by rounding.
        assert area == pytest.approx(float(dataset["area"][body]), rel=1e-12)


FORCES = ["wind", "ocean", "coriolis", "body_force", "linear_drag", "tilt", "line", "waves"]
WORKS = [f"work_{force}" for force in FORCES] + ["work_obstacles", "energy_given_by_push_apart"]
LOSSES = ["energy_lost_restitution", "energy_lost_friction"]

CROWD = """
[time]
duration = "60 s"
step = "1 s"
[domain]
edges = "walls"
size = ["140 m", "140 m"]
[[force]]
acceleration = ["0.02 m/s2", "-0.05 m/s2"]
[[floe]]
position = ["10 m", "10 m"]
velocity = ["0.3 m/s", "-0.5 m/s"]
thickness = "1 m"
outline = { unit = "m", points = [[-8, -7], [7, -8], [9, 2], [1, 8], [-6, 5]] }
grid = { columns = 5, rows = 5, spacing = "20 m" }
"""


def test_the_recorded_works_add_up_to_the_energy(dataset):
    check_energy(dataset)


def test_contacts_are_recorded_and_the_budgets_close(tmp_path):
    (tmp_path / "crowd.toml").write_text(CROWD)
    command = [BANQUISE, "run", "crowd.toml", "--out", "run", "--json"]
    result = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    dataset = xr.open_zarr(tmp_path / "run/recording.zarr")
    check_energy(dataset)
    # Friction or restitution alone may give back in one impact; both together never do.
    lost = sum(dataset[name] for name in LOSSES)
    for series in [lost, dataset["contact_count"], dataset["normal_impulse"]]:
        assert series[0] == 0.0
        assert (series.diff("time") >= 0.0).all()
        assert series[-1] > 0.0
    for axis in "xy":
        kinds = [*FORCES, "obstacles"]
        impulses = [dataset[f"impulse_{kind}_{axis}"].values for kind in kinds]
        momentum = dataset[f"momentum_{axis}"].values
        turnover = sum(np.abs(np.diff(impulse)).sum() for impulse in impulses)
        assert np.abs(momentum - momentum[0] - sum(impulses)).max() <= 1e-9 * turnover
    statistics = dataset.attrs["contact_statistics"]
    assert statistics == json.loads(result.stdout)["contact"]
    assert statistics["unsolved"] == 0
    assert statistics["impact_contacts"] == dataset["contact_count"][-1]


def test_loads_are_what_the_floes_lost(tmp_path):
    command = [BANQUISE, "run", "ship", "--out", str(tmp_path / "run")]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    dataset = xr.open_zarr(tmp_path / "run/recording.zarr")
    check_energy(dataset)
    assert dataset.attrs["obstacle_names"] == ["ship", "pier"]
    assert (dataset["load_normal"].diff("time") >= 0.0).all()
    assert (dataset["work_obstacles"][-1] > 0.0).all()
    for axis in "xy":
        borne = dataset[f"load_{axis}"].sum("obstacle")
        given = dataset[f"impulse_obstacles_{axis}"]
        assert np.abs(borne + given).max() <= 1e-12 * dataset["load_normal"][-1].sum()
    ship = int(np.flatnonzero(dataset["body"] == dataset["obstacle_body"][0])[0])
    assert dataset["velocity_x"][10, ship] == 1.5
    assert float(dataset["x"][30, ship] - dataset["x"][10, ship]) == pytest.approx(150.0, rel=1e-12)


def test_ocean_cells_are_on_dimensions_of_their_own(tmp_path):
    command = [BANQUISE, "run", "ocean-cells", "--out", str(tmp_path / "run")]
    command += ["--set", "time.duration=3 h"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    dataset = xr.open_zarr(tmp_path / "run/recording.zarr")
    check_energy(dataset)
    np.testing.assert_array_equal(dataset["ocean_x"], np.arange(8) * 5e3 - 17.5e3)
    for axis in "xy":
        cells = dataset[f"ocean_velocity_{axis}"]
        assert cells.dims == ("time", "ocean_y", "ocean_x")
        assert np.abs(cells[-1]).max() > 1e-3
        mean = cells.mean(("ocean_y", "ocean_x"))
        np.testing.assert_allclose(dataset[f"water_{axis}"], mean, rtol=0.0, atol=1e-15)
        # A floe feels the cell under its centre of mass.
        under = cells[-1].sel(ocean_x=dataset["x"][-1], ocean_y=dataset["y"][-1], method="nearest")
        np.testing.assert_array_equal(dataset[f"body_water_{axis}"][-1], under)
    # The storm turns to the left, and so do the cells under it: south of its middle they go east.
    turn = dataset["ocean_velocity_y"] * dataset["ocean_x"]
    turn = turn - dataset["ocean_velocity_x"] * dataset["ocean_y"]
    assert float(turn[-1].mean()) > 0.0


def check_energy(dataset):
    energy = dataset["kinetic_energy"].values
    total = sum(dataset[name].values for name in WORKS)
    total = total - sum(dataset[name].values for name in LOSSES)
    turnover = sum(np.abs(np.diff(dataset[name].values)).sum() for name in WORKS + LOSSES)
    # Rounding of some hundred thousand additions; the turnover is what went in and out.
    assert np.abs(energy - energy[0] - total).max() <= 1e-9 * turnover


def test_the_energy_is_that_of_the_motion(dataset):
    speed_squared = dataset["velocity_x"] ** 2 + dataset["velocity_y"] ** 2
    spin_squared = dataset["angular_velocity"] ** 2
    energy = 0.5 * (dataset["mass"] * speed_squared + dataset["inertia"] * spin_squared)
    np.testing.assert_allclose(energy.sum("body"), dataset["kinetic_energy"], rtol=1e-12)


@pytest.mark.parametrize(
    "start, first",
    [
        ("2008-02-01T00:00:00Z", "2008-02-01T00:00:00"),
        ("2008-02-01T00:00:00", "2008-02-01T00:00:00"),
        ("2008-02-01T06:30:00+02:00", "2008-02-01T04:30:00"),
    ],
)
def test_a_start_date_makes_the_times_dates(tmp_path, start, first):
    arguments = [f"time.start={start}", "time.duration=2 h", "report={}"]
    overrides = [word for argument in arguments for word in ("--set", argument)]
    dates = xr.open_zarr(run(tmp_path / "run", *overrides))["time"]
    assert np.issubdtype(dates.dtype, np.datetime64)
    assert dates.values[0] == np.datetime64(first)
    assert dates.values[-1] - dates.values[0] == np.timedelta64(2, "h")


def test_a_killed_run_opens(tmp_path):
    overrides = ["--set", "time.duration=20000 d", "--set", "time.record_every=1 h"]
    command = [BANQUISE, "run", "inertial-circle", "--out", "run", *overrides]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    path = tmp_path / "run/recording.zarr"
    # The second chunk is begun when the first has been made known.
    while not (path / "x/c/1/0").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    dataset = xr.open_zarr(path).load()
    assert dataset.attrs["status"] == "running"
    assert dataset.sizes["time"] >= 4096
    assert np.isfinite(dataset["x"]).all()
    np.testing.assert_array_equal(dataset["time"], np.arange(dataset.sizes["time"]) * 3600.0)


def test_a_sharded_recording_is_the_same_dataset(tmp_path):
    # 541 records of 256 columns are nine chunks of 64: one file of a variable.
    options = ["--set", "time.duration=45 min", "--set", "time.record_every=5 s"]
    for name, shard in (("plain", "false"), ("shards", "true")):
        command = [BANQUISE, "run", "open-channel", *options, "--set", f"report.shard={shard}"]
        subprocess.run([*command, "--out", str(tmp_path / name)], check=True, stderr=subprocess.DEVNULL)
    plain, shards = (xr.open_zarr(tmp_path / name / "recording.zarr").load() for name in ("plain", "shards"))
    xr.testing.assert_equal(plain, shards)
    files = {name: len(list((tmp_path / name / "recording.zarr" / "x" / "c").rglob("*"))) for name in ("plain", "shards")}
    assert files["shards"] <= files["plain"] // 4, files


def test_a_compressed_recording_is_the_same_dataset(tmp_path):
    for name, compress in (("plain", "false"), ("small", "true")):
        command = [BANQUISE, "run", "shaken-box", "--set", "time.duration=60 s", "--set", f"report.compress={compress}"]
        subprocess.run([*command, "--out", str(tmp_path / name)], check=True, stderr=subprocess.DEVNULL)
    plain, small = (xr.open_zarr(tmp_path / name / "recording.zarr").load() for name in ("plain", "small"))
    xr.testing.assert_equal(plain, small)
    size = {name: sum(file.stat().st_size for file in (tmp_path / name).rglob("c/*")) for name in ("plain", "small")}
    assert size["small"] < 0.7 * size["plain"], size
