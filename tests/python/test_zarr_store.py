"""xarray and zarr-python judge the stores that `banquise_io::zarr` writes.

Run with `python -W error -m pytest tests/python/test_zarr_store.py`; needs xarray, zarr, pytest
and cargo. Any warning is a failure.
"""

import json
import os
import random
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
import zarr

pytestmark = pytest.mark.filterwarnings("error")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def program():
    """The integration tests of `banquise_io`, which hold the programs that write."""
    command = ["cargo", "test", "-p", "banquise_io", "--test", "it", "--no-run"]
    build = subprocess.run(
        [*command, "--message-format=json"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    messages = [json.loads(line) for line in build.stdout.splitlines()]
    return [message["executable"] for message in messages if message.get("executable")][-1]


def start(program, test, **variables):
    command = [program, "--exact", test]
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def sample(program, tmp_path_factory):
    path = tmp_path_factory.mktemp("sample") / "run.zarr"
    process = start(program, "zarr::sample::sample_for_python", BANQUISE_ZARR_SAMPLE=path)
    assert process.wait() == 0
    return path


def open_each_way(path):
    """One store by both functions of xarray, and without the consolidated metadata."""
    yield xr.open_zarr(path)
    yield xr.open_zarr(path, chunks=None, consolidated=True)
    yield xr.open_dataset(path, engine="zarr")
    yield xr.open_dataset(path, engine="zarr", consolidated=False)


def expected_x(count):
    index = np.arange(count, dtype=float)
    return np.stack([index, index + 0.25, -index], axis=1)


def test_xarray_finds_values_dimensions_and_attributes(sample):
    for dataset in open_each_way(sample):
        assert dict(dataset.sizes) == {"time": 10, "floe": 3}
        assert set(dataset.coords) == {"time", "floe"}
        assert dataset.attrs == {"title": "sample", "seed": 7, "status": "complete"}
        x = expected_x(10)
        x[9, 2] = np.nan
        np.testing.assert_array_equal(dataset["x"], x)
        assert dataset["x"].dims == ("time", "floe")
        assert dataset["x"].attrs == {"units": "m"}
        np.testing.assert_array_equal(dataset["floe"], [10, 20, 30])
        assert float(dataset["dt"]) == 3600.0


def test_types_are_kept(sample):
    for dataset in open_each_way(sample):
        types = {name: str(dataset[name].dtype) for name in dataset.variables if name != "time"}
        assert types == {
            "x": "float64", "elapsed": "float64", "dt": "float64", "contacts": "int64",
            "floe": "int64", "level": "int32", "kind": "uint8", "stuck": "bool",
        }  # fmt: skip
        np.testing.assert_array_equal(dataset["contacts"], np.arange(10))
        np.testing.assert_array_equal(dataset["level"], [-1, 0, 1])
        np.testing.assert_array_equal(dataset["kind"], [0, 128, 255])
        np.testing.assert_array_equal(dataset["stuck"], [True, False, True])


def test_dates_are_decoded_and_seconds_are_left_alone(sample):
    for dataset in open_each_way(sample):
        hours = np.datetime64("2008-02-01", "h") + np.arange(10)
        assert np.issubdtype(dataset["time"].dtype, np.datetime64)
        np.testing.assert_array_equal(dataset["time"], hours)
        np.testing.assert_array_equal(dataset["elapsed"], np.arange(10) * 3600.0)
        assert dataset["elapsed"].attrs == {"units": "s"}


def test_zarr_opens_the_group(sample):
    for group in [zarr.open_group(sample, mode="r", use_consolidated=use) for use in (True, False)]:
        assert group.metadata.zarr_format == 3
        assert len(dict(group.members())) == 9
        assert np.isnan(group["x"].fill_value)
        assert group["x"].metadata.dimension_names == ("time", "floe")
        np.testing.assert_array_equal(group["contacts"][:], np.arange(10))


def test_a_store_is_the_same_once_loaded_and_written_again_by_xarray(sample, tmp_path):
    dataset = xr.open_zarr(sample).load()
    dataset.to_zarr(tmp_path / "copy.zarr", consolidated=False)
    xr.testing.assert_identical(dataset, xr.open_zarr(tmp_path / "copy.zarr", consolidated=False))


@pytest.mark.parametrize("seed", range(10))
def test_a_killed_run_opens(program, tmp_path, seed):
    path = tmp_path / "run.zarr"
    process = start(program, "zarr::killed::appends_until_killed", BANQUISE_ZARR_KILLED=path)
    while not (path / "x/c/0/0").exists():
        assert process.poll() is None
        time.sleep(0.001)
    time.sleep(random.Random(seed).uniform(0.0, 0.1))
    while_running = xr.open_zarr(path).sizes["time"]
    process.kill()
    process.wait()
    for dataset in [xr.open_zarr(path), xr.open_dataset(path, engine="zarr")]:
        count = dataset.sizes["time"]
        assert count >= while_running
        np.testing.assert_array_equal(dataset["x"], expected_x(count))
        np.testing.assert_array_equal(dataset["time"], np.arange(count) * 0.5)
    assert set(dict(zarr.open_group(path, mode="r").members())) == {"time", "x"}
