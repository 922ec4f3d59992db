"""Runs of Python that are killed, interrupted and go on: the end is that of an undisturbed run, bit for bit."""

import copy
import os
import pickle
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import banquise

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))

# Floes that a function draws together, for some seconds of wall time.
SCRIPT = """
import sys
import banquise

def draw_together(now):
    return -1e-3 * now.masses[:, None] * now.positions

def watch(now):
    assert now.time > 0.0

if sys.argv[2] == "resume":
    simulation = banquise.Simulation.resume(sys.argv[1], force=draw_together, callback=watch, checkpoint_every=0.02)
else:
    square = [[-5, -5], [5, -5], [5, 5], [-5, 5]]
    places = [[-40, 3], [40, 0], [0, 45], [5, -50]]
    simulation = banquise.Simulation.from_arrays([square, 6.0, square, 4.0], places, max_step=0.5, restitution=0.9)
    simulation.force = draw_together
    simulation.run(20000.0, record_every=100.0, out=sys.argv[1], callback=watch, checkpoint_every=0.02, report=False)
print(simulation.state_hash, simulation.steps)
"""


def child(folder, verb):
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder), verb], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def changed(file):
    return file.stat().st_mtime_ns if file.exists() else None


def test_a_run_with_functions_is_killed_again_and_again(tmp_path):
    whole, _ = child(tmp_path / "whole", "run").communicate()
    killed = tmp_path / "killed"
    moments = random.Random(5)
    died = 0
    for kill in range(5):
        process = child(killed, "resume" if kill else "run")
        # Moments by progress, not by the clock: how long the run takes depends on the machine.
        for _ in range(moments.randint(1, 3)):
            before = changed(killed / "checkpoint.bin")
            while changed(killed / "checkpoint.bin") == before and process.poll() is None:
                time.sleep(0.001)
        process.kill()
        process.communicate()
        died += process.returncode < 0
    end = child(killed, "resume")
    out, errors = end.communicate()
    assert end.returncode == 0, errors
    assert out == whole
    assert died > 0
    ours, theirs = banquise.open(killed), banquise.open(tmp_path / "whole")
    assert ours.identical(theirs)
    assert ours.attrs["status"] == "complete"
    assert ours.attrs["python_callbacks"] == ["the force `draw_together`", "the callback `watch`"]
    # The command has no functions of Python, and says which are missing.
    for verb, names in [("resume", ["draw_together", "watch", "banquise.Simulation.resume"]), ("rerun", ["draw_together", "watch"])]:
        refused = subprocess.run([BANQUISE, verb, str(killed)], capture_output=True, text=True)
        assert refused.returncode == 2
        for name in names:
            assert name in refused.stderr
    with pytest.raises(banquise.InputError, match="the force `draw_together`"):
        banquise.Simulation.resume(killed)
    with pytest.raises(banquise.InputError, match="the callback `watch`"):
        banquise.Simulation.resume(killed, force=lambda now: np.zeros((4, 2)))


def test_an_interrupted_run_drops_its_last_record_and_goes_on(tmp_path):
    whole = banquise.Simulation.from_scenario("ship")
    whole.run(out=tmp_path / "whole")
    seen = []

    def interrupt(now):
        seen.append(now.time)
        if len(seen) == 4:
            raise KeyboardInterrupt

    simulation = banquise.Simulation.from_scenario("ship")
    with pytest.raises(KeyboardInterrupt):
        simulation.run(out=tmp_path / "cut", callback=interrupt, checkpoint_every=0.05)
    assert banquise.open(tmp_path / "cut").attrs["status"] == "interrupted"
    again = banquise.Simulation.resume(tmp_path / "cut", callback=interrupt)
    # What the callback was interrupted in is made again, from the checkpoint before it.
    assert seen[4] <= seen[3]
    assert seen[3] in seen[4:]
    assert again.state_hash == whole.state_hash
    ours, theirs = banquise.open(tmp_path / "cut"), banquise.open(tmp_path / "whole")
    assert ours.identical(theirs.assign_attrs(ours.attrs))
    assert ours.attrs["state_hash"] == theirs.attrs["state_hash"]
    assert (tmp_path / "cut/report.html").is_file()
    # A complete run has nothing to go on with, and its state is there.
    assert banquise.Simulation.resume(tmp_path / "cut", callback=interrupt).state_hash == whole.state_hash


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(banquise.InputError, match="no such folder"):
        banquise.Simulation.resume(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(banquise.InputError, match="no run to go on with"):
        banquise.Simulation.resume(tmp_path / "empty")
    command = [BANQUISE, "run", "three-discs", "--out", str(tmp_path / "command")]
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(banquise.InputError, match="banquise resume"):
        banquise.Simulation.resume(tmp_path / "command")
    with pytest.raises(banquise.InputError, match="had no callback"):
        folder = banquise.Simulation.from_scenario("three-discs").run(out=tmp_path / "plain")
        banquise.Simulation.resume(folder, callback=print)


def spring(now):
    return -0.04 * now.masses[:, None] * now.positions


def test_a_saved_simulation_needs_its_force_again(tmp_path):
    simulation = banquise.Simulation.from_arrays([10.0], [[3.0, 0.0]], max_step=0.01)
    simulation.force = spring
    simulation.advance_to(1.0)
    path = simulation.save(tmp_path / "state.bin")
    with pytest.raises(banquise.InputError, match="the force `spring`"):
        banquise.Simulation.load(path)
    loaded = banquise.Simulation.load(path, force=spring)
    copies = [loaded, pickle.loads(pickle.dumps(simulation)), copy.copy(simulation), copy.deepcopy(simulation)]
    simulation.advance_to(9.0)
    for other in copies:
        other.advance_to(9.0)
        assert other.state_hash == simulation.state_hash
    simulation.force = None
    plain = simulation.save(tmp_path / "plain.bin")
    with pytest.raises(banquise.InputError, match="had no force"):
        banquise.Simulation.load(plain, force=spring)


def test_a_full_disk_says_what_is_safe(tmp_path):
    script = tmp_path / "full.py"
    script.write_text(
        "import banquise, sys\n"
        "simulation = banquise.Simulation.from_scenario('drift-week', {'time.duration': '2 d', 'time.record_every': '1 min'})\n"
        "try:\n"
        "    simulation.run(out='disk/run', checkpoint_every=0.1, report=False)\n"
        "except banquise.RecordingError as error:\n"
        "    print(error)\n"
    )
    shell = f"mkdir disk && mount -t tmpfs -o size=24m none disk || exit 9; {sys.executable} full.py"
    for unshare in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        done = subprocess.run([*unshare, "sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True)
        if done.returncode == 0:
            break
    else:
        # No disk can be mounted here: the command's tests have a limit of file sizes instead.
        assert done.returncode != 1, done.stderr
        return
    for part in ("No space left", "safe up to", "banquise.Simulation.resume"):
        assert part in done.stdout
