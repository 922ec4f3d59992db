"""The wheel, installed into an environment that has nothing else: module and command, and the tutorial with them.

Run with `cargo xtask test`, which packs the wheel as `cargo xtask dist` does and names it in BANQUISE_WHEEL.
"""

import os
import re
import subprocess
import sys

import pytest
from test_book import ROOT, commands, provide, run_command

WHEEL = os.environ.get("BANQUISE_WHEEL")
pytestmark = pytest.mark.skipif(WHEEL is None, reason="BANQUISE_WHEEL names no wheel")
TUTORIALS = [ROOT / "README.md", *(ROOT / "docs/src/guide" / page for page in ["first-run.md", "install.md", "strait.md"])]


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of the programs of an environment with the wheel, and what it needs, in it."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", WHEEL]
    subprocess.run(pip, check=True)
    return folder / "bin"


def call(program, *words, **options):
    # Nothing of this environment reaches it.
    done = subprocess.run([program, *words], env={}, check=True, capture_output=True, text=True, **options)
    return done.stdout


def test_module_and_command_are_of_one_version(programs):
    module = call(programs / "python", "-c", "import banquise; print(banquise.__version__)").strip()
    assert call(programs / "banquise", "--version").startswith(f"banquise {module} ")


def test_the_first_run_leaves_a_report(programs, tmp_path):
    call(programs / "banquise", "run", "drift", cwd=tmp_path)
    assert (tmp_path / "runs/drift/recording.zarr").is_dir()
    assert "<svg" in (tmp_path / "runs/drift/report.html").read_text()
    script = "import banquise; s = banquise.Simulation.from_scenario('drift'); s.run(); print(s.state_hash)"
    hash = call(programs / "python", "-c", script).strip()
    again = call(programs / "banquise", "run", "drift", "--json", cwd=tmp_path)
    assert re.search(r'"state_hash":\s*"(\w+)"', again)[1] == hash


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.name)
def test_every_command_of_the_tutorials_runs(programs, page, tmp_path):
    lines = [line for line in commands(page) if provide(line, tmp_path) is None]
    assert lines
    for line in lines:
        run_command(line, tmp_path, programs / "banquise")
