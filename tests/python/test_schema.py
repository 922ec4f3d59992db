"""The JSON Schema of scenarios, as editors use it: it takes every scenario that the program takes, and refuses slips.

Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import datetime
import json
import os
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
FILES = [
    path
    for folder in ["scenarios", "crates/banquise_cli/src/bench", "crates/banquise_cli/tests/cases"]
    for path in sorted((ROOT / folder).glob("*.toml"))
]


def validator(*words):
    schema = json.loads(subprocess.run([BANQUISE, "scenarios", "schema", *words], check=True, capture_output=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


@pytest.fixture(scope="module")
def floes():
    return validator()


@pytest.fixture(scope="module")
def glacier():
    return validator("--glacier")


@pytest.fixture(scope="module")
def specimen():
    return validator("--specimen")


def plain(value):
    """Values as an editor sees them: dates are texts."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value


def read(path):
    return plain(tomllib.loads(path.read_text()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_scenarios_fit(path, floes, glacier, specimen):
    scenario = read(path)
    schema = glacier if "glacier" in scenario else specimen if {"bar", "plate"} & set(scenario) else floes
    problems = list(schema.iter_errors(scenario))
    assert not problems, problems[0]


SLIPS = [
    {"time": {"duration": "1 h"}},
    {"time": {"duration": "1 h", "step": "1 s", "stpe": "1 s"}},
    {"time": {"duration": "1 h", "step": "1 m"}},
    {"time": {"duration": "1,5 h", "step": "1 s"}},
    {"time": {"duration": 3600, "step": "1 s"}},
    {"time": {"duration": "1 h", "step": "1 s"}, "contact": {"mode": "passive"}},
    {"time": {"duration": "1 h", "step": "1 s"}, "wind": {"velocity": ["1 m/s"]}},
    {"time": {"duration": "1 h", "step": "1 s"}, "floe": {"thickness": "1 m"}},
    {"time": {"duration": "1 h", "step": "1 s"}, "winds": {}},
]


@pytest.mark.parametrize("scenario", SLIPS, ids=str)
def test_slips_do_not(scenario, floes):
    assert not floes.is_valid(scenario)


@pytest.mark.parametrize("text", ["1 m", "1km", " -1.5e3 m ", "1_000 cm", "+2 nmi"])
def test_lengths_fit_in_every_notation(text, floes):
    scenario = {"time": {"duration": "1 h", "step": "1 s"}, "ice": {"thickness": text}}
    assert floes.is_valid(scenario)
