"""Contact problems in the format of FCLIB: h5py reads what is written, and problems that h5py writes are solved.

Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import json
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

from test_page import BANQUISE

CORPUS = Path(__file__).parents[2] / "crates/banquise_solver/tests/corpus"
NAMES = ["fixed-61-200-jam-day-7641", "event-3-20-jam-4566", "event-2-square-0687"]


def run(*arguments):
    command = [BANQUISE, "solve", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def matrix(group):
    """A matrix of compressed columns, dense."""
    assert group["nz"][0] == -1 and group["nz"].dtype == np.int32
    starts, rows, values = group["p"][:], group["i"][:], group["x"][:]
    assert group["nzmax"][0] == len(values) == len(rows) == starts[-1]
    found = np.zeros((group["m"][0], group["n"][0]))
    columns = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    found[rows, columns] = values
    return found


def by_hand(problem):
    """W and q of bodies and contacts, from their equations."""
    bodies, contacts = problem["bodies"], problem["contacts"]
    size = 3 * len(bodies)
    inverse, velocity = np.zeros(size), np.zeros(size)
    for row, body in enumerate(bodies):
        if not body.get("fixed", False):
            mass = body.get("inv_mass", 1.0 / body["mass"])
            inertia = body.get("inv_inertia", 1.0 / body["inertia"])
            inverse[3 * row : 3 * row + 3] = mass, mass, inertia
        velocity[3 * row : 3 * row + 3] = body.get("velocity", 0.0)
    directions = np.zeros((2 * len(contacts), size))
    bounds = np.zeros(2 * len(contacts))
    for row, contact in enumerate(contacts):
        a, b = contact["a"], contact["b"]
        point, shift = np.array(contact["point"]), np.array(contact.get("shift", [0.0, 0.0]))
        arms = [point - bodies[a]["position"], point - (bodies[b]["position"] + shift)]
        arms = contact.get("arms", arms)
        normal = np.array(contact["normal"])
        for axis, along in enumerate([normal, np.array([-normal[1], normal[0]])]):
            for body, arm, sign in [(a, arms[0], -1.0), (b, arms[1], 1.0)]:
                torque = arm[0] * along[1] - arm[1] * along[0]
                directions[2 * row + axis, 3 * body : 3 * body + 3] += sign * np.array([*along, torque])
        # Without rebounds and separation.
        bounds[2 * row] = min(contact.get("least", 0.0), 0.0)
    return directions * inverse @ directions.T, directions @ velocity - bounds


@pytest.mark.parametrize("name", NAMES)
def test_h5py_reads_both_forms(name, tmp_path):
    path = CORPUS / f"{name}.json"
    problem = json.loads(path.read_text())
    operator, free = by_hand(problem)
    friction = [contact["friction"] for contact in problem["contacts"]]
    for form in ["local", "global"]:
        out = tmp_path / f"{form}.hdf5"
        run(path, "--fclib", out, "--form", form)
        with h5py.File(out) as file:
            group = file[f"fclib_{form}"]
            assert group["spacedim"][0] == 2
            assert group["info/title"][()].decode() == name
            vectors = group["vectors"]
            np.testing.assert_array_equal(vectors["mu"][:], friction)
            if form == "local":
                found, constant = matrix(group["W"]), vectors["q"][:]
            else:
                mass, directions = matrix(group["M"]), matrix(group["H"])
                found = directions.T @ np.linalg.solve(mass, directions)
                constant = directions.T @ np.linalg.solve(mass, vectors["f"][:]) + vectors["w"][:]
        # Rounding: entries are sums of a few products.
        np.testing.assert_allclose(found, operator, rtol=0, atol=1e-12 * np.abs(operator).max())
        np.testing.assert_allclose(constant, free, rtol=0, atol=1e-12 * np.abs(free).max())
        answer = run(out)
        assert answer["status"] == "solved"
        impulses = np.ravel(answer["impulses"])
        velocities = operator @ impulses + free
        speed = np.abs(free).max()
        assert velocities[::2].min() >= -1e-6 * speed
        assert np.all(np.abs(impulses[1::2]) <= friction * impulses[::2] + 1e-6 * impulses.max())


def test_a_file_that_h5py_writes_is_solved(tmp_path):
    """A disc of 2 kg falls on a floor at 2 m/s and moves along it at 1 m/s, with 64-bit integers and compression."""
    path = tmp_path / "disc.hdf5"
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = np.array([2])
        for name, dense in [("M", np.diag([2.0, 2.0, 4.0])), ("H", np.array([[0, -1.0], [1.0, 0], [0, -1.0]]))]:
            rows, columns = np.nonzero(dense)
            values = dense[rows, columns]
            part = group.create_group(name)
            part["m"], part["n"] = np.array([dense.shape[0]]), np.array([dense.shape[1]])
            part["nz"] = part["nzmax"] = np.array([len(values)])
            part.create_dataset("i", data=rows, compression="gzip")
            part.create_dataset("p", data=columns, compression="gzip")
            part.create_dataset("x", data=values, compression="gzip")
        vectors = group.create_group("vectors")
        vectors["f"], vectors["w"], vectors["mu"] = np.array([2.0, -4.0, 0.0]), np.zeros(2), np.array([0.1])
    answer = run(path)
    # It stops falling, and slides: friction is a tenth of the normal impulse. The tangent is along -x.
    np.testing.assert_allclose(answer["impulses"], [[4.0, 0.4]], atol=1e-12)
