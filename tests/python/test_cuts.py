"""Floes that are cut and keep their ids: xarray, meshio, netCDF4, h5py, a film and the module read the outlines of a time.

Run with `cargo xtask test`, or with BANQUISE naming the command. BANQUISE_PICTURES names a folder to keep pictures in.
"""

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import banquise
import h5py
import matplotlib
import meshio
import numpy as np
import pandas as pd
import pytest
import xarray as xr

from test_page import BANQUISE, PICTURES
from test_zarr_store import program, start  # noqa: F401

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def cuts(program, tmp_path_factory):  # noqa: F811
    """Twelve records; the first floe loses a strip in every second of them."""
    folder = tmp_path_factory.mktemp("cuts") / "run"
    test = "cuts::every_record_has_the_outlines_of_its_time"
    assert start(program, test, BANQUISE_CUTS=folder).wait() == 0
    return folder


@pytest.fixture(scope="module")
def squeezed(tmp_path_factory):
    """A floe that a moving wall crushes against a pier."""
    folder = tmp_path_factory.mktemp("squeezed")
    (folder / "squeezed.toml").write_text(
        """
[time]
duration = "60 s"
step = "1 s"
record_every = "1 s"
[drag]
enabled = false
[contact]
squeeze = "crush"
crushing_pressure = "2 MPa"
[[floe]]
thickness = "0.5 m"
disc = { radius = "10 m", sides = 4 }
[[obstacle]]
name = "pier"
position = ["16 m", "0 m"]
outline = { unit = "m", points = [[-5, -50], [5, -50], [5, 50], [-5, 50]] }
[[obstacle]]
name = "wall"
outline = { unit = "m", points = [[-5, -50], [5, -50], [5, 50], [-5, 50]] }
path = [{ time = "0 s", position = ["-16 m", "0 m"] }, { time = "60 s", position = ["-4 m", "0 m"] }]
"""
    )
    command = [BANQUISE, "run", str(folder / "squeezed.toml"), "--out", str(folder / "run")]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return folder / "run"


def ring_area(ring):
    x, y = np.asarray(ring).T[:2]
    return 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)


def test_xarray_and_the_module_read_the_outlines_of_a_time(cuts):
    data = banquise.open(cuts).load()
    assert data.sizes["outline_version"] == 7
    areas = data.banquise.in_time("area")
    assert areas.dims == ("time", "body")
    np.testing.assert_allclose(areas[:, 0], 200.0 * (200.0 - 12.0 * np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])))
    mass = data.banquise.in_time("mass").where(~data["is_obstacle"]).sum("body")
    # The fourth was taken away.
    lost = data["mass_crushed"] + data["mass_left"]
    np.testing.assert_allclose(mass[0] - mass, lost, rtol=1e-9, atol=1e-3)
    for record in range(data.sizes["time"]):
        outlines = banquise.outlines_at(data, record)
        frame = data.isel(time=record)
        for body in frame["body"].values[frame["x"].notnull()]:
            # A disc has 64 corners there.
            assert ring_area(outlines[body]) == pytest.approx(float(areas[record, body]), rel=2e-3)
        # The left edge drifts, and does not jump.
        assert outlines[0][:, 0].min() == pytest.approx(-100.0 + 0.01 * float(frame["time"]), abs=1e-6)
    # A part of the run has the outlines of its time too.
    part = data.isel(time=slice(3, 6))
    np.testing.assert_array_equal(banquise.outlines_at(part, 0)[0], banquise.outlines_at(data, 3)[0])
    ax = data.banquise.plot(5, color="area")
    if PICTURES:
        ax.figure.savefig(Path(PICTURES) / "cuts-python.png")


def test_exports_have_the_outlines_of_a_time(cuts, tmp_path):
    data = banquise.open(cuts).load()
    areas = data.banquise.in_time("area").values
    for name in ["paraview", "netcdf", "csv", "floedyn"]:
        subprocess.run([BANQUISE, "export", str(cuts), "--to", name, "--out", str(tmp_path / name)], check=True)
    sets = ElementTree.parse(tmp_path / "paraview/floes.pvd").getroot().findall("Collection/DataSet")
    for record, entry in enumerate(sets):
        mesh = meshio.read(tmp_path / "paraview" / entry.get("file"))
        for block, body, area in zip(mesh.cells, mesh.cell_data["body"], mesh.cell_data["area"]):
            for ring, number, own in zip(block.data, body, area):
                assert own == areas[record, number]
                assert ring_area(mesh.points[ring]) == pytest.approx(own, rel=2e-3)
    netcdf = xr.open_dataset(tmp_path / "netcdf", decode_timedelta=False)
    for name in ["outline_version_body", "outline_version_time", "outline_version_x", "outline_version_area"]:
        np.testing.assert_array_equal(netcdf[name], data[name])
    versions = pd.read_csv(tmp_path / "csv/outline_versions.csv")
    np.testing.assert_array_equal(versions["area [m2]"], data["outline_version_area"])
    with h5py.File(tmp_path / "floedyn") as file:
        # Shapes are for life there: after each cut it is another floe.
        states = np.array(file["floe_states"])
        assert states.shape[1] == len(file["floe_shapes"]) == 5 + 7
        is_there = states[:, :, 9] == 1.0
        np.testing.assert_array_equal(is_there.sum(axis=1), data["x"].notnull().sum("body"))
        for record, column in np.argwhere(is_there):
            ring = np.array(file["floe_shapes"][str(column)])
            assert np.isclose(areas[record], ring_area(ring), rtol=2e-3).any()


def test_loads_have_pressures_and_exceedance(squeezed):
    data = banquise.open(squeezed).load()
    force, pressure = data.banquise.load_force, data.banquise.load_pressure
    assert force.dims == pressure.dims == ("time", "obstacle")
    crushed = pressure.notnull()
    assert int(crushed.sum()) > 10
    np.testing.assert_allclose(pressure.values[crushed.values], 2e6, rtol=0.02)
    # At most pressure times thickness times the width of the floe.
    assert float(force.max()) <= 1.001 * 2e6 * 0.5 * 20.0
    measured = banquise.diagnostics(squeezed)["loads"]
    for obstacle, load in enumerate(measured):
        levels, shares = banquise.exceedance(force[:, obstacle])
        np.testing.assert_allclose(levels, load["exceedance"]["normal_force_n"])
        np.testing.assert_allclose(shares, load["exceedance"]["share_of_windows"])
        levels, shares = banquise.exceedance(pressure[:, obstacle])
        np.testing.assert_allclose(levels, load["pressure_exceedance"]["pressure_pa"])
        np.testing.assert_allclose(shares, load["pressure_exceedance"]["share_of_windows"])
        assert load["peaks"]["count"][-1] == 1.0
