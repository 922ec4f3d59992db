"""The Python module `banquise`: the same bits as the command, arrays, callbacks, errors.

Run with `cargo xtask test`, which builds its wheel and installs it.
"""

import ast
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import banquise
import banquise._native as native

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
EXAMPLES = ROOT / "examples"
SQUARE = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]


@pytest.mark.parametrize(
    "scenario, overrides",
    [
        ("drift", {"time.duration": "1 d", "report": "{}"}),
        ("ship", {}),
        ("shaken-box", {"time.duration": "60 s"}),
    ],
)
def test_the_state_is_that_of_the_command_bit_for_bit(tmp_path, scenario, overrides):
    words = [word for item in overrides.items() for word in ("--set", "=".join(item))]
    command = [BANQUISE, "run", scenario, "--out", str(tmp_path / "run"), "--json", *words]
    done = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    simulation = banquise.Simulation.from_scenario(scenario, overrides=overrides)
    simulation.run()
    assert simulation.state_hash == done["state_hash"]
    assert simulation.steps == done["steps"]
    assert simulation.contact == done["contact"]


def test_a_run_leaves_what_the_command_leaves(tmp_path):
    simulation = banquise.Simulation.from_scenario("ship")
    folder = simulation.run(out=tmp_path / "module")
    command = [BANQUISE, "run", "ship", "--out", str(tmp_path / "command")]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    ours, theirs = banquise.open(folder), banquise.open(tmp_path / "command")
    assert ours.identical(theirs.assign_attrs(ours.attrs))
    assert ours.attrs["state_hash"] == theirs.attrs["state_hash"] == simulation.state_hash
    assert ours.attrs["scenario"] == theirs.attrs["scenario"]
    assert (folder / "report.html").is_file()
    assert json.dumps(banquise.diagnostics(folder)) == json.dumps(banquise.diagnostics(tmp_path / "command"))


def test_a_callback_watches_and_stops(tmp_path, capsys):
    simulation = banquise.Simulation.from_scenario("ship")
    seen = []

    def watch(now):
        assert now is simulation
        seen.append(now.time)
        return now.time < 300.0

    simulation.run(callback=watch, out=tmp_path / "run", progress=True)
    assert seen[-1] == 300.0 and len(seen) > 3
    assert banquise.open(tmp_path / "run").attrs["status"] == "interrupted"
    assert "s left" in capsys.readouterr().err
    # It goes on from there, and ends where an unbroken run ends.
    simulation.run()
    other = banquise.Simulation.from_scenario("ship")
    other.run()
    assert simulation.state_hash == other.state_hash


def test_a_failure_in_the_callback_keeps_the_recording(tmp_path):
    simulation = banquise.Simulation.from_scenario("ship")
    with pytest.raises(ZeroDivisionError):
        simulation.run(callback=lambda now: 1 / 0, out=tmp_path / "run")
    assert banquise.open(tmp_path / "run").attrs["status"] == "failed"


def test_arrays_in_are_arrays_out():
    simulation = banquise.Simulation.from_arrays(
        [SQUARE, 2.0, np.array(SQUARE) * 3.0],
        positions=[[0.0, 0.0], [10.0, 0.0], [0.0, 20.0]],
        headings=[0.5, 0.0, 0.0],
        velocities=[[0.1, 0.2], [0.0, 0.0], [5.0, 5.0]],
        angular_velocities=[0.01, 0.0, 0.0],
        thicknesses=[1.0, 0.5, 1.0],
        obstacles=[False, False, True],
        density=900.0,
    )
    assert len(simulation) == 3
    np.testing.assert_allclose(simulation.positions, [[0.0, 0.0], [10.0, 0.0], [0.0, 20.0]], atol=1e-15)
    np.testing.assert_allclose(simulation.headings, [0.5, 0.0, 0.0], atol=1e-15)
    np.testing.assert_array_equal(simulation.velocities, [[0.1, 0.2], [0.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(simulation.areas, [4.0, 4.0 * np.pi, 36.0])
    np.testing.assert_allclose(simulation.masses, [3600.0, 1800.0 * np.pi, np.inf])
    np.testing.assert_array_equal(simulation.is_obstacle, [False, False, True])
    np.testing.assert_allclose(simulation.inertias[0], 3600.0 * 4.0 / 6.0)
    assert simulation.outlines[1].shape == (64, 2)
    turn = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    placed = np.array(SQUARE) @ turn.T
    np.testing.assert_allclose(sorted(map(tuple, simulation.placed_outlines()[0])), sorted(map(tuple, placed)))
    # Without forces it goes straight on.
    simulation.advance_to(4.0)
    np.testing.assert_allclose(simulation.positions[0], [0.4, 0.8])


def test_what_is_read_stays_and_is_set_as_a_whole():
    simulation = banquise.Simulation.from_arrays([SQUARE, 2.0], [[0.0, 0.0], [10.0, 0.0]], velocities=[0.1, 0.2])
    before = simulation.positions
    simulation.advance_to(4.0)
    np.testing.assert_array_equal(before, [[0.0, 0.0], [10.0, 0.0]])
    # What is written into it would be lost: it is refused.
    whole = [simulation.positions, simulation.headings, simulation.velocities, simulation.angular_velocities]
    whole += [simulation.masses, simulation.inertias, simulation.areas, simulation.thicknesses]
    whole += [simulation.ids, simulation.is_obstacle, simulation.contact_impulses]
    for array in [*whole, *simulation.outlines, *simulation.placed_outlines()]:
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    simulation.velocities = 2.0 * simulation.velocities
    np.testing.assert_array_equal(simulation.velocities, [[0.2, 0.4], [0.2, 0.4]])
    # Anything that is like an array will do.
    simulation.velocities = [[1, 0], (0, 0)]
    simulation.angular_velocities = [0, 0]
    np.testing.assert_array_equal(simulation.velocities, [[1.0, 0.0], [0.0, 0.0]])
    for bad in [np.zeros((3, 2)), np.zeros((2, 3)), [[np.nan, 0.0], [0.0, 0.0]]]:
        with pytest.raises(banquise.InputError, match="hint: "):
            simulation.velocities = bad


def test_the_version_is_that_of_the_command():
    words = subprocess.run([BANQUISE, "--version"], check=True, capture_output=True, text=True).stdout.split()
    assert banquise.__version__ == words[1]


def test_a_run_cut_short_says_what_it_leaves_out():
    with pytest.warns(UserWarning, match="snapshots` after the end of the run are left out: 3") as caught:
        banquise.Simulation.from_scenario("channel", overrides={"time.duration": "2 h"})
    assert caught[0].filename == __file__


def test_wind_drives_and_can_be_changed():
    simulation = banquise.Simulation.from_arrays([100.0], [[0.0, 0.0]], drag=True, wind=(10.0, 0.0), max_step=10.0)
    simulation.advance_to(86400.0)
    # The Nansen number times the wind.
    assert simulation.velocities[0, 0] == pytest.approx(0.1880, abs=1e-4)
    simulation.set_wind(0.0, 5.0)
    assert simulation.wind == (0.0, 5.0)
    simulation.advance_to(2.0 * 86400.0)
    assert simulation.velocities[0, 1] == pytest.approx(0.0940, abs=1e-3)
    with pytest.raises(banquise.InputError, match="unstable"):
        simulation.set_wind(1e7, 0.0)


def test_other_threads_run_while_it_steps():
    simulation = banquise.Simulation.from_scenario("shaken-box")
    ticks = 0
    worker = threading.Thread(target=simulation.step, args=(3_000,))
    worker.start()
    while worker.is_alive():
        ticks += 1
        time.sleep(0.001)
    worker.join()
    assert simulation.steps == 3_000
    # With the lock held for this one call there would be no tick in it.
    assert ticks > 20


def test_an_interrupt_ends_a_run_in_order(tmp_path):
    text = (
        "import banquise, sys\n"
        "simulation = banquise.Simulation.from_scenario('inertial-circle', overrides={'time.duration': '20000 d'})\n"
        "print('begun', flush=True)\n"
        "simulation.run(out=sys.argv[1], record_every=1e9)\n"
    )
    command = [sys.executable, "-c", text, str(tmp_path / "run")]
    # A shell that starts the tests in the background has them ignore interrupts, and what they start too.
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed)
    assert process.stdout.readline() == "begun\n"
    while not (tmp_path / "run/recording.zarr").exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in stderr
    dataset = banquise.open(tmp_path / "run")
    assert dataset.attrs["status"] == "interrupted" and dataset.sizes["time"] == 2


def test_packs_are_made():
    pack = banquise.pack(overrides={"pack.count": 40, "pack.concentration": 0.5})
    assert len(pack.outlines) == len(pack.thicknesses) == 40
    area = sum(0.5 * np.sum(o[:, 0] * np.roll(o[:, 1], -1) - o[:, 1] * np.roll(o[:, 0], -1)) for o in pack.outlines)
    assert area / pack.region_area == pytest.approx(0.5, abs=1e-9)
    assert pack.smallest_gap > 0.0
    # They can be put into a world as they are.
    simulation = banquise.Simulation.from_arrays(pack.outlines, np.zeros((40, 2)), thicknesses=pack.thicknesses)
    assert simulation.areas.sum() == pytest.approx(area)


def test_the_name_before_of_overrides_still_works():
    few = {"pack.count": 10, "pack.concentration": 0.4}
    assert len(banquise.pack(set=few).outlines) == 10
    assert banquise.Simulation.from_scenario("drift", set={"time.step": "5 s"}).max_step == 5.0
    with pytest.raises(TypeError, match="sett"):
        banquise.pack(sett=few)


def test_what_is_shown_is_short_and_in_notebooks_has_a_map(tmp_path):
    pack = banquise.pack(overrides={"pack.count": 10, "pack.concentration": 0.4})
    assert repr(pack) == "<banquise.Pack: 10 floes, concentration 0.4>"
    assert pack._repr_html_().count("<polygon") == 10
    simulation = banquise.Simulation.from_scenario("ship")
    page = simulation._repr_html_()
    assert page.count("<polygon") == len(simulation) and "obstacles" in page
    dataset = banquise.open(simulation.run(120.0, out=tmp_path / "run", report=False))
    assert repr(dataset.banquise).startswith("<banquise recording ")
    page = dataset.banquise._repr_html_()
    assert page.count("<polygon") == len(simulation) and simulation.state_hash in page
    assert "2 min" in page


def test_no_argument_hides_a_builtin():
    import builtins
    import inspect

    for owner in [banquise, banquise.Simulation]:
        for name, function in inspect.getmembers(owner, inspect.isroutine):
            if not name.startswith("_") and hasattr(function, "__code__"):
                assert not set(inspect.signature(function).parameters) & set(dir(builtins)), name


def test_problems_are_solved_as_by_the_command(tmp_path):
    problem = {"M": np.array([[2.0, 1.0], [1.0, 3.0]]), "q": np.array([-1.0, -2.0])}
    answer = banquise.solve(problem)
    assert answer["status"] == "solved"
    z = np.array(answer["z"])
    np.testing.assert_allclose(problem["M"] @ z + problem["q"], answer["w"], atol=1e-15)
    (tmp_path / "p.json").write_text(json.dumps({key: value.tolist() for key, value in problem.items()}))
    command = [BANQUISE, "solve", str(tmp_path / "p.json")]
    assert answer == json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    with pytest.raises(banquise.InputError, match="hint: "):
        banquise.solve({"M": [[1.0]], "q": [1.0, 2.0]})


def test_scenarios_are_listed():
    scenarios = banquise.scenarios()
    assert "drift" in scenarios and "seven floes" in scenarios["drift"]
    assert banquise.scenario_text("drift") == (ROOT / "scenarios/drift.toml").read_text()


BAD = [
    (lambda: banquise.Simulation.from_scenario("nowhere.toml"), banquise.ScenarioError, "nowhere.toml"),
    (lambda: banquise.Simulation.from_text("[time]\nstepp = 1"), banquise.ScenarioError, "stepp"),
    (lambda: banquise.Simulation.from_scenario("drift", overrides={"time.step": "-1 s"}), banquise.ScenarioError, "positive"),
    (lambda: banquise.scenario_text("nowhere"), banquise.InputError, "the built-in scenarios are"),
    (lambda: banquise.Simulation.from_arrays([SQUARE], [[0, 0], [1, 1]]), banquise.InputError, "positions has the shape"),
    (lambda: banquise.Simulation.from_arrays([[[0, 0]]], [[0, 0]]), banquise.InputError, "body 0"),
    (lambda: banquise.Simulation.from_arrays([[1.0, 2.0]], [[0, 0]]), banquise.InputError, "has the shape"),
    (lambda: banquise.Simulation.from_arrays([-1.0], [[0, 0]]), banquise.InputError, "body 0"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[np.nan, 0]]), banquise.InputError, "position"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]], thicknesses=-1.0), banquise.InputError, "thickness"),
    (lambda: banquise.Simulation.from_arrays([1.0, 1.0], [[0, 0], [1, 0]]), banquise.InputError, "overlap"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]], edges="round"), banquise.InputError, "`round`"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]], edges="walls"), banquise.InputError, "size"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]], wind=(5, 0)), banquise.InputError, "drag=True"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]], restitution=2.0), banquise.InputError, "restitution"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]]).run(), banquise.InputError, "until"),
    (lambda: banquise.Simulation.from_arrays([1.0], [[0, 0]]).advance_to(np.inf), banquise.InputError, "inf"),
    (lambda: banquise.open("nowhere"), banquise.RecordingError, "no recording"),
    (lambda: banquise.diagnostics("nowhere"), banquise.RecordingError, "nowhere"),
    (lambda: banquise.export("nowhere", "shapefile"), banquise.InputError, "the formats are"),
]


@pytest.mark.parametrize("make, kind, words", BAD)
def test_bad_input_gets_our_messages(make, kind, words):
    with pytest.raises(kind) as caught:
        make()
    assert words in str(caught.value), str(caught.value)
    assert isinstance(caught.value, banquise.BanquiseError)


def test_a_step_that_fails_says_why():
    text = banquise.scenario_text("cradle")
    assert issubclass(banquise.StepError, RuntimeError) and text
    simulation = banquise.Simulation.from_arrays([1.0], [[0.0, 0.0]], velocities=[[1e308, 1e308]], max_step=1e3)
    with pytest.raises(banquise.StepError, match="hint: "):
        simulation.advance_to(1e6)


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    simulation = banquise.Simulation.from_scenario("three-discs")
    with pytest.raises(banquise.InputError, match="holds something already"):
        simulation.run(out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_a_recording_is_drawn(tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    simulation = banquise.Simulation.from_scenario("ship")
    dataset = banquise.open(simulation.run(out=tmp_path / "run", report=False))
    placed = dataset.banquise.outlines(-1)
    for ours, theirs in zip(simulation.placed_outlines(), placed):
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
    for color in ["speed", "thickness", "contact_impulse"]:
        axes = dataset.banquise.plot(300.0, color=color)
        floes = axes.collections[1]
        assert len(floes.get_paths()) == int((~dataset["is_obstacle"]).sum())
    expected = dataset.banquise.at(300.0)["contact_impulse"].values[~dataset["is_obstacle"].values]
    np.testing.assert_array_equal(floes.get_array(), expected)
    with pytest.raises(banquise.InputError, match="there is no variable"):
        dataset.banquise.plot(0.0, color="nothing")


def test_exports_are_those_of_the_command(tmp_path):
    simulation = banquise.Simulation.from_scenario("three-discs")
    folder = simulation.run(out=tmp_path / "run", report=False)
    path = banquise.export(folder, "csv", tmp_path / "tables")
    command = [BANQUISE, "export", str(folder), "--to", "csv"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    for table in path.iterdir():
        assert table.read_text() == (folder / "csv" / table.name).read_text()
    film = banquise.export(folder, "gif", tmp_path / "film.gif", color="id", size=(320, 180), fps=10, every=5)
    flags = ["--to", "gif", "--every", "5", "--color", "id", "--size", "320x180", "--fps", "10"]
    subprocess.run([BANQUISE, "export", str(folder), *flags], check=True, stderr=subprocess.DEVNULL)
    assert film.read_bytes() == (folder / "film.gif").read_bytes()
    with pytest.raises(banquise.InputError, match="`color` means nothing to the format `csv`"):
        banquise.export(folder, "csv", tmp_path / "more", color="id")
    assert "csv" in banquise.export_formats()


def test_the_stubs_name_what_is_there():
    stub = ast.parse((ROOT / "crates/banquise_python/python/banquise/_native.pyi").read_text())
    named = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    there = {name for name in dir(native) if not name.startswith("_")}
    variables = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert set(named) | variables == there
    for name in ["Core", "Recorder"]:
        members = {node.name for node in named[name].body if isinstance(node, ast.FunctionDef)}
        found = {member for member in dir(getattr(native, name)) if not member.startswith("_")}
        assert {member for member in members if not member.startswith("_")} == found
    for name in banquise.__all__:
        assert getattr(banquise, name).__doc__, name


def test_the_notebook_runs(tmp_path, monkeypatch):
    """Its cells one after another, as a notebook would run them; what they made is not kept in the file."""
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((EXAMPLES / "pack_to_sweep.ipynb").read_text())
    assert notebook["nbformat"] == 4
    names = {}
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    assert (tmp_path / "sweep.png").stat().st_size > 10_000
    # The fuller the sea, the larger the load.
    forces = names["forces"]
    assert len(forces) == 4 and forces == sorted(forces) and forces[0] > 0.0


def test_the_examples_run(tmp_path):
    for script, arguments in [("collision.py", [str(tmp_path / "collision.png")]), ("drift_study.py", [])]:
        command = [sys.executable, str(EXAMPLES / script), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "collision.png").stat().st_size > 10_000
    assert (tmp_path / "drift-study/drift_study.png").stat().st_size > 10_000
    assert "0.5 m: " in done.stdout


def spring(damped: float = 0.0) -> banquise.Simulation:
    simulation = banquise.Simulation.from_arrays([10.0], [[3.0, 0.0]], max_step=0.01)
    mass = simulation.masses[0]
    simulation.force = lambda now: -0.04 * mass * now.positions - damped * mass * now.velocities
    return simulation


def test_a_function_may_be_a_force():
    simulation = spring()
    # A quarter and ten periods of 2 pi / 0.2 s.
    simulation.advance_to(0.5 * np.pi / 0.2)
    # The force is that at the start of each step: energy grows by (omega dt)^2 a step.
    assert simulation.positions[0, 0] == pytest.approx(0.0, abs=0.01)
    assert simulation.velocities[0, 0] == pytest.approx(-0.6, rel=0.01)
    simulation.force = None
    before = simulation.velocities.copy()
    simulation.step(3)
    assert np.array_equal(simulation.velocities, before)


def test_a_force_may_turn_and_is_checked():
    simulation = banquise.Simulation.from_arrays([10.0], [[0.0, 0.0]])
    simulation.force = lambda now: [[0.0, 0.0, 1e4]]
    simulation.step(2)
    assert simulation.angular_velocities[0] == pytest.approx(2e4 / simulation.inertias[0])
    for wrong in ([[1.0]], [[np.nan, 0.0]], [[0.0, 0.0], [1.0, 1.0]], [1.0, 2.0]):
        simulation.force = lambda now, wrong=wrong: wrong
        with pytest.raises(banquise.InputError):
            simulation.step()


def test_the_log_of_collisions_is_there_as_arrays():
    simulation = banquise.Simulation.from_scenario("three-discs", {"report.collisions": True})
    simulation.run()
    log = simulation.collisions
    assert log["normal_impulse"].sum() == pytest.approx(simulation.contact["normal_impulse_n_s"], rel=1e-12)
    assert log["is_new"].sum() == simulation.contact["collisions"]
    assert (log["approach_speed"] > 0.0).any()


def test_floes_may_have_drag_coefficients_of_their_own():
    simulation = banquise.Simulation.from_arrays(
        [10.0, 10.0],
        [[0.0, 0.0], [100.0, 0.0]],
        drag=True,
        wind=[10.0, 0.0],
        air_drag_coefficients=[np.nan, 5.4e-3],
        max_step=5.0,
    )
    simulation.advance_to(20000.0)
    speeds = simulation.velocities[:, 0]
    # The Nansen number goes with the square root: 5.4e-3 is four times the common coefficient.
    assert speeds[1] / speeds[0] == pytest.approx(2.0, rel=1e-6)
