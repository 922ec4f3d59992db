"""Input files of FloeDyn, written here with h5py (the C library) in all the forms it has had.

Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import os
import subprocess
from pathlib import Path

import h5py
import numpy as np
import xarray as xr

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
SQUARE = np.array([[-50.0, -50.0], [0.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]])
SCENARIO = '[time]\nduration = "60 s"\nstep = "10 s"\n[ice]\ndensity = "900 kg/m3"\n[floedyn]\nfile = "in.h5"\n'


def write(path, states, attributes):
    with h5py.File(path, "w") as file:
        file["floe_states"] = np.asarray(states, dtype=float)[None]
        file["window"] = np.array([-1e3, 1e3, -1e3, 1e3])
        for index, values in enumerate(attributes):
            shape = file.create_dataset(f"floe_shapes/{index}", data=SQUARE)
            shape.attrs.update(values)


def run(folder, scenario=SCENARIO):
    (folder / "s.toml").write_text(scenario)
    command = [BANQUISE, "run", str(folder / "s.toml"), "--out", str(folder / "run")]
    return subprocess.run(command, capture_output=True, text=True)


def test_states_and_attributes_are_those_of_the_file(tmp_path):
    turned = [500.0, -20.0, 0.3, 0.1, -0.2, 1e-4, 0.0, 500.0, -20.0, 1.0, 0.75]
    gone = [-500.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -500.0, 0.0, 0.0, 1.0]
    coast = [0.0, 900.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 900.0, 1.0, 0.0]
    write(tmp_path / "in.h5", [turned, gone, coast], [{"C_w": 0.004}, {}, {"obstacle": 1}])
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    data = xr.open_zarr(tmp_path / "run/recording.zarr")
    assert list(data["is_obstacle"].values) == [False, True]
    first = data.isel(time=0, body=0)
    expected = {"x": 500.0, "y": -20.0, "heading": 0.3, "velocity_x": 0.1, "velocity_y": -0.2, "angular_velocity": 1e-4}
    for name, value in expected.items():
        assert abs(float(first[name]) - value) < 1e-12, name
    assert float(first["thickness"]) == 0.75
    assert abs(float(first["mass"]) / (900 * 0.75 * 1e4) - 1) < 1e-12
    # The vertex on the straight edge is left out.
    assert int(first["outline_count"]) == 4


def test_old_files_have_nine_numbers_and_thickness_as_an_attribute(tmp_path):
    write(tmp_path / "in.h5", [[0.0] * 9], [{"thickness": 1.25}])
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert float(xr.open_zarr(tmp_path / "run/recording.zarr")["thickness"][0]) == 1.25


def test_a_thickness_that_is_nowhere_is_asked_for(tmp_path):
    write(tmp_path / "in.h5", [[0.0] * 9], [{}])
    done = run(tmp_path)
    assert done.returncode == 2 and "floe 0 has no thickness in it" in done.stderr, done.stderr
    done = run(tmp_path, SCENARIO.replace("[ice]\n", '[ice]\nthickness = "2 m"\n'))
    assert done.returncode == 0, done.stderr


def test_any_record_can_be_the_start(tmp_path):
    write(tmp_path / "in.h5", [[0.0] * 9], [{"thickness": 1.0}])
    with h5py.File(tmp_path / "in.h5", "a") as file:
        del file["floe_states"]
        file["floe_states"] = np.array([[[100.0 * record] + [0.0] * 8] for record in range(4)])
    for record, x in [(0, 0.0), (2, 200.0), (-1, 300.0), (-4, 0.0)]:
        folder = tmp_path / str(record)
        folder.mkdir()
        done = run(folder, SCENARIO.replace("in.h5", "../in.h5") + f"record = {record}\n")
        assert done.returncode == 0, done.stderr
        assert float(xr.open_zarr(folder / "run/recording.zarr")["x"][0, 0]) == x
    for record in [4, -5]:
        done = run(tmp_path, SCENARIO + f"record = {record}\n")
        assert done.returncode == 2 and f"there is no record {record}: `floe_states` has 4" in done.stderr, done.stderr


def test_bad_files_are_refused_with_the_floe_to_blame(tmp_path):
    bad = {"`floe_states` has the shape [1, 1, 4]": [[0.0] * 4], "the ocean drag coefficient": [[0.0] * 9]}
    for words, states in bad.items():
        write(tmp_path / "in.h5", states, [{"thickness": 1.0, "C_w": -1.0}])
        done = run(tmp_path)
        assert done.returncode == 2 and words in done.stderr, done.stderr
    write(tmp_path / "in.h5", [[0.0] * 9] * 2, [{"thickness": 1.0}])
    done = run(tmp_path)
    assert done.returncode == 2 and "floe_shapes/1" in done.stderr, done.stderr
