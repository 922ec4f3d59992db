"""Sweeps opened by xarray and run by Dask; simulations that are saved, pickled and copied."""

import copy
import csv
import os
import pickle
import subprocess
from pathlib import Path

import distributed
import numpy as np
import pytest
import xarray

import banquise

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))

PACK = """
[time]
duration = "10 min"
step = "5 s"
record_every = "1 min"
[domain]
edges = "periodic"
size = ["240 m", "240 m"]
[wind]
speed = "12 m/s"
toward = "90 deg"
[contact]
friction = 0.5
[pack]
concentration = 0.5
count = 20
min_size = "20 m"
max_size = "120 m"
thickness = { from = "25 cm", to = "38 cm" }
"""

STUDY = """
title = "Friction and wind"
scenario = "pack.toml"
seeds = 2
[grid]
contact.mode = ["active", "simultaneous"]
wind.speed = ["5 m/s", "12 m/s"]
[[outcome]]
name = "late energy"
measure = "kinetic_energy"
take = "mean"
from = "5 min"
"""


@pytest.fixture
def study(tmp_path):
    (tmp_path / "pack.toml").write_text(PACK)
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return path


def table(folder):
    with open(folder / "table.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_members_are_a_dimension_for_xarray(study, tmp_path):
    out = tmp_path / "out"
    subprocess.run([BANQUISE, "sweep", str(study), "--out", str(out)], check=True, capture_output=True)
    subprocess.run([BANQUISE, "sweep", "gather", str(out)], check=True, capture_output=True)
    data = xarray.open_zarr(out / "ensemble.zarr").load()
    assert data.sizes == {"member": 8, "time": 11}
    assert data.wind_speed.attrs["units"] == "m s-1"
    assert data.wind_speed.values.tolist() == [5, 5, 12, 12] * 2
    assert data.contact_mode.attrs["labels"] == ["active", "simultaneous"]
    assert data.status.values.tolist() == [0] * 8
    energy = data.kinetic_energy
    np.testing.assert_array_equal(data.time.values, np.arange(11) * 60.0)
    assert (energy.isel(time=0) == 0).all() and np.isfinite(energy).all()
    rows = table(out)
    late = energy.sel(time=slice(300, None)).mean("time")
    np.testing.assert_allclose(late, [float(row["late energy"]) for row in rows], rtol=1e-14)
    np.testing.assert_array_equal(data.outcome_late_energy, [float(row["late energy"]) for row in rows])
    by_wind = late.groupby(data.wind_speed).mean()
    assert by_wind.sel(wind_speed=5) < by_wind.sel(wind_speed=12)
    assert data.member.attrs["ids"] == [row["member"] for row in rows]


def test_python_runs_the_members_of_the_command(study, tmp_path):
    path = banquise.sweep(study, tmp_path / "module", threads=2)
    subprocess.run([BANQUISE, "sweep", str(study), "--out", str(tmp_path / "command")], check=True, capture_output=True)
    assert table(tmp_path / "module") == table(tmp_path / "command")
    assert xarray.open_zarr(path).sizes["member"] == 8
    assert (tmp_path / "module/sweep.html").is_file()


def test_dask_workers_share_the_members(study, tmp_path):
    banquise.sweep(study, tmp_path / "threads")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        banquise.sweep(study, tmp_path / "dask", client=client)
    assert table(tmp_path / "dask") == table(tmp_path / "threads")


def test_a_text_is_a_study_and_bad_ones_are_refused(tmp_path):
    text = 'scenario = "drift"\nset = ["time.duration=1 h", "report={}"]\nseeds = [3]\n'
    path = banquise.sweep(text=text, out=tmp_path / "out")
    assert xarray.open_zarr(path).seed.values.tolist() == [3]
    with pytest.raises(banquise.ScenarioError, match="unknown key"):
        banquise.sweep(text=text + "sede = 3\n", out=tmp_path / "bad")
    with pytest.raises(TypeError):
        banquise.sweep(out=tmp_path / "bad")


def from_arrays():
    square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
    return banquise.Simulation.from_arrays(
        [square, square, 2.0],
        [[0, 0], [4, 0.3], [9, -0.5]],
        velocities=[[0.5, 0.0], [0, 0], [0, 0]],
        drag=True,
        wind=(3.0, 1.0),
        max_step=0.5,
    )


@pytest.mark.parametrize("make", [from_arrays, lambda: banquise.Simulation.from_text(PACK)])
def test_a_simulation_goes_on_from_file_pickle_and_copy_bit_for_bit(tmp_path, make):
    whole = make()
    whole.advance_to(300.0)
    half = make()
    half.advance_to(150.0)
    saved = half.save(tmp_path / "half.bin")
    others = [
        banquise.Simulation.load(saved),
        pickle.loads(pickle.dumps(half)),
        copy.copy(half),
        copy.deepcopy(half),
    ]
    assert all(type(other) is banquise.Simulation and other.time == 150.0 for other in others)
    for other in [half, *others]:
        other.advance_to(300.0)
        assert other.state_hash == whole.state_hash
        assert other.steps == whole.steps
        assert other.contact == whole.contact
    assert sorted(path.name for path in tmp_path.iterdir()) == ["half.bin"]


def test_a_wind_that_was_set_is_saved(tmp_path):
    simulation = from_arrays()
    simulation.advance_to(20.0)
    simulation.set_wind(0.0, 5.0)
    again = banquise.Simulation.load(simulation.save(tmp_path / "state.bin"))
    assert again.wind == simulation.wind == (0.0, 5.0)
    for one in (simulation, again):
        one.advance_to(60.0)
    assert again.state_hash == simulation.state_hash


def test_a_damaged_file_is_refused(tmp_path):
    saved = from_arrays().save(tmp_path / "state.bin")
    content = bytearray(saved.read_bytes())
    content[len(content) // 2] ^= 1
    saved.write_bytes(content)
    with pytest.raises(banquise.InputError, match="checksum"):
        banquise.Simulation.load(saved)
    saved.write_bytes(b"something else")
    with pytest.raises(banquise.InputError, match="not a checkpoint"):
        banquise.Simulation.load(saved)
