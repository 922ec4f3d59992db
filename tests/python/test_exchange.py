"""Bodies that come and go: xarray, meshio, a film, the page in a real browser and the module read them.

One run has floes that enter a channel and leave it, another a thousand floes that pieces replace. Run with
`cargo xtask test`, or with BANQUISE naming the command. BANQUISE_PICTURES names a folder to keep pictures in.
"""

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import banquise
import meshio
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from PIL import Image, ImageSequence

from test_page import BANQUISE, CHROMIUM, PICTURES, Page, browser, served  # noqa: F401
from test_zarr_store import program, start  # noqa: F401

DURATION = "time.duration=4 h"


@pytest.fixture(scope="module")
def channel(tmp_path_factory):
    """Four hours of a channel with open ends."""
    folder = tmp_path_factory.mktemp("channel") / "run"
    command = [BANQUISE, "run", "open-channel", "--set", DURATION, "--out", str(folder)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="module")
def pieces(program, tmp_path_factory):  # noqa: F811
    """A hundred records with ten replacements each."""
    folder = tmp_path_factory.mktemp("pieces") / "run"
    test = "exchange::a_thousand_replacements_are_recorded"
    assert start(program, test, BANQUISE_PIECES=folder).wait() == 0
    return folder


def open_warned(folder):
    """The dataset; any warning is a failure."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return xr.open_zarr(folder / "recording.zarr").load()


def check_lives(data):
    """Values are there in a body's life, and missing outside of it."""
    time = data["time"]
    was_born, is_gone = data["born_s"] <= time, data["gone_s"] <= time
    is_there = (was_born & ~is_gone).transpose("time", "body")
    for name in ["x", "y", "heading", "velocity_x", "angular_velocity", "contact_impulse"]:
        np.testing.assert_array_equal(data[name].notnull(), is_there)
    np.testing.assert_array_equal(data["body"], np.arange(data.sizes["body"]))
    assert data["parent"].dtype == data["generation"].dtype == np.int64
    return is_there


def test_xarray_opens_a_channel_through_which_floes_pass(channel):
    data = open_warned(channel)
    is_floe = ~data["is_obstacle"]
    floes = check_lives(data).where(is_floe, False).sum("body")
    # Those that are there at the start did not enter.
    np.testing.assert_array_equal(floes - floes[0], data["floes_entered"] - data["floes_left"])
    assert data["floes_left"][-1] > 10 and floes.max() > 20
    # What is in the world is what entered and did not leave.
    mass = data["mass"].where(data["x"].notnull() & is_floe).sum("body")
    np.testing.assert_allclose(mass - mass[0], data["mass_entered"] - data["mass_left"], rtol=1e-9, atol=1.0)
    domain = data.attrs["domain"]
    assert domain["edges"] == "bounded" and domain["open"] == [True, True, False, False]
    # Floes leave over the edge in the east.
    farthest = data["x"].max("time").values[data["gone_s"].notnull()]
    assert (farthest > 3000.0).mean() > 0.9


def test_xarray_opens_a_thousand_replacements(pieces):
    data = open_warned(pieces)
    assert data.sizes["body"] == 2020
    assert data["floes_replaced"][-1] == 1000 and data["floes_pieces"][-1] == 2000
    # A floe is replaced between two records, at the time of the first of them: it was there then.
    time, x = data["time"], data["x"]
    is_there = ((data["born_s"] < time) | (data["parent"] < 0)) & ~(data["gone_s"] < time)
    np.testing.assert_array_equal(x.notnull(), is_there.transpose("time", "body"))
    assert (x.notnull().sum("body") == 20 + 10 * np.arange(101)).all()
    is_piece = data["parent"] >= 0
    parents = data["parent"][is_piece].values
    np.testing.assert_array_equal(data["gone_s"].values[parents], data["born_s"][is_piece])
    np.testing.assert_array_equal(data["generation"].values[parents] + 1, data["generation"][is_piece])
    # Each pair of halves has nearly the area of the floe.
    halves = data["area"][is_piece].groupby(data["parent"][is_piece]).sum()
    share = halves.values / data["area"].values[halves["parent"].values]
    assert (np.abs(share - 0.97**2) < 1e-9).all()


@pytest.mark.parametrize("run", ["channel", "pieces"])
def test_meshio_reads_the_floes_of_each_record(run, request, tmp_path):
    folder = request.getfixturevalue(run)
    out = tmp_path / "paraview"
    subprocess.run([BANQUISE, "export", str(folder), "--to", "paraview", "--every", "20", "--out", str(out)], check=True)
    data = open_warned(folder)
    sets = ElementTree.parse(out / "floes.pvd").getroot().findall("Collection/DataSet")
    times = data["time"].values
    counts = []
    for entry in sets:
        record = int(np.abs(times - float(entry.get("timestep"))).argmin())
        frame = data.isel(time=record)
        living = frame["body"].values[frame["x"].notnull()]
        mesh = meshio.read(out / entry.get("file"))
        values = {name: np.concatenate(blocks) for name, blocks in mesh.cell_data.items()}
        order = np.argsort(values["body"])
        np.testing.assert_array_equal(values["body"][order], living)
        np.testing.assert_array_equal(values["velocity"][order, 0], frame["velocity_x"].values[living])
        np.testing.assert_array_equal(values["generation"][order], frame["generation"].values[living])
        assert np.isfinite(mesh.points).all()
        counts.append(len(living))
    assert len(set(counts)) > 3


@pytest.mark.parametrize("run", ["channel", "pieces"])
def test_a_film_shows_floes_come_and_go(run, request, tmp_path):
    folder = request.getfixturevalue(run)
    out = tmp_path / "film.gif"
    command = [BANQUISE, "export", str(folder), "--to", "gif", "--every", "10", "--color", "id", "--size", "640x360"]
    subprocess.run([*command, "--out", str(out)], check=True)
    frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(out))]
    assert len(frames) > 10
    if PICTURES:
        frames[len(frames) // 2].save(Path(PICTURES) / f"film-{run}.png")
    different = [np.abs(np.asarray(a, int) - np.asarray(b, int)).max() for a, b in zip(frames, frames[1:])]
    assert min(different) > 20


def test_tables_and_netcdf_have_the_lives(channel, tmp_path):
    data = open_warned(channel)
    for name in ["csv", "netcdf"]:
        subprocess.run([BANQUISE, "export", str(channel), "--to", name, "--out", str(tmp_path / name)], check=True)
    motions = pd.read_csv(tmp_path / "csv/motions.csv")
    assert len(motions) == int(data["x"].notnull().sum())
    assert motions.notnull().all().all()
    bodies = pd.read_csv(tmp_path / "csv/bodies.csv")
    np.testing.assert_array_equal(bodies["gone [s]"], data["gone_s"])
    with xr.open_dataset(tmp_path / "netcdf", engine="netcdf4", decode_times=False) as file:
        np.testing.assert_array_equal(file["x"].transpose("time", "trajectory"), data["x"])
        np.testing.assert_array_equal(file["born_s"], data["born_s"])
        np.testing.assert_array_equal(file["parent"], data["parent"])


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize("run", ["channel", "pieces"])
def test_the_page_shows_floes_come_and_go(run, request, browser):  # noqa: F811
    folder = request.getfixturevalue(run)
    data = open_warned(folder)
    floes = (data["x"].notnull() & ~data["is_obstacle"]).sum("body").values
    with served(folder) as url, Page(browser, url) as page:
        for record in [1, len(floes) // 2, len(floes) - 1]:
            page.ask(f"banquise.goToRecord({record})")
            page.until(f"banquise.shown.from.record === {record}")
            page.settle()
            page.until(f"document.getElementById('status').textContent.startsWith('{floes[record]} floes')")
            page.picture(f"{run}-{record}")
        # A floe that is gone tells when, and has no place.
        gone = int(np.nonzero(data["gone_s"].notnull().values)[0][0])
        page.ask(f"banquise.choose({gone})")
        page.until("document.getElementById('floe').textContent.includes('not in the world')")


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_floes_enter_while_one_looks(browser):  # noqa: F811
    with served("open-channel") as url, Page(browser, url) as page:
        before = page.ask("banquise.run.bodies.count")
        page.until(f"banquise.run.bodies.count > {before} + 12 && banquise.renderer.bodies.count > {before} + 12", 60)
        assert page.ask("banquise.run.floesIn(banquise.shown.from)") > 10
        page.picture("open-channel-live")


def test_the_module_adds_removes_and_replaces(tmp_path):
    square = np.array([[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]])
    simulation = banquise.Simulation.from_arrays([square, 30.0], [[0.0, 0.0], [500.0, 0.0]], angular_velocities=[1e-3, 0.0])
    mass = simulation.masses[0]

    def change(now):
        if now.time == 10.0:
            halves = [square * [0.49, 1.0] + [x, 0.0] for x in (-25.5, 25.5)]
            turn = float(now.headings[0])
            ids = now.replace(0, halves, now.positions[0] * np.ones((2, 2)), headings=turn)
            assert ids.tolist() == [2, 3]
            assert now.masses[now.ids > 1].sum() == pytest.approx(0.98 * mass)
        if now.time == 20.0:
            assert now.add(20.0, [0.0, 500.0], velocity=[0.1, 0.0]) == 4
        if now.time == 30.0:
            now.remove(1)

    simulation.run(40.0, record_every=10.0, out=tmp_path / "run", callback=change)
    assert simulation.ids.tolist() == [2, 3, 4]
    assert simulation.parent.tolist() == [0, 0, -1]
    assert simulation.generation.tolist() == [1, 1, 0]
    assert simulation.born.tolist() == [10.0, 10.0, 20.0]
    # The halves go on as the floe went: they turn about its centre.
    np.testing.assert_allclose(simulation.angular_velocities[:2], 1e-3, rtol=1e-9)
    data = banquise.open(tmp_path / "run").load()
    np.testing.assert_array_equal(data["gone_s"], [10.0, 30.0, np.nan, np.nan, np.nan])
    assert data["x"].notnull().sum("body").values.tolist() == [2, 2, 3, 4, 3]
    data.banquise.plot(-1, color="area")
    assert np.isnan(data.banquise.outlines(-1)[0]).all()
    with pytest.raises(banquise.InputError):
        simulation.remove(1)
    with pytest.raises(banquise.InputError):
        simulation.add(40.0, simulation.positions[0])
    assert simulation.ids.tolist() == [2, 3, 4]
