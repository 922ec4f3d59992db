"""Kinetic energy of a gas of floes, here and in FloeDyn, under one rule of contact after another.

    python3 benches/floedyn_difference.py CASE [BANQUISE]

CASE is a folder with `initial.json` and `energy.csv` as exported from FloeDyn; BANQUISE the program
[default: target/release/banquise]. Prints the ratio of our energy to FloeDyn's at some times.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TIMES = (20, 40, 60, 100, 200, 400, 700)
RULES = {
    "as by default": "",
    "all contacts at once": 'mode = "simultaneous"',
    "approaches below 2 mm/s left alone": 'slack_velocity = "0.2 cm/s"',
    "cone of the extra impulse alone": 'cone = "literal"',
    "larger collision distance": 'distance = "larger"',
}


def corners(outline):
    """The vertices that are not on the line between their neighbours, which we refuse."""
    for before, own, after in zip(outline[-1:] + outline[:-1], outline, outline[1:] + outline[:1]):
        side = (after[0] - before[0], after[1] - before[1])
        arm = (own[0] - before[0], own[1] - before[1])
        if abs(arm[0] * side[1] - arm[1] * side[0]) > 1e-9 * (side[0] ** 2 + side[1] ** 2):
            yield own


def scenario(case, rule, restitution, friction):
    """The case as a scenario."""
    lines = [
        '[time]\nduration = "720 s"\nstep = "10 s"\nrecord_every = "20 s"',
        f"[contact]\nfriction = {friction}\nrestitution = {restitution}\n{rule}",
        '[ocean]\nmodel = "rabatel-2015"\n[drag]\nocean_drag_coefficient = 0.005\nocean_density = "1024.071 kg/m3"',
        '[ice]\ndensity = "917 kg/m3"\n[coriolis]\nlatitude = "80.207 degN"\n[report]',
    ]
    for floe in case["floes"]:
        points = ", ".join(f"[{x}, {y}]" for x, y in corners(floe["outline"]))
        lines.append(
            f'[[floe]]\nposition = ["{floe["x"]} m", "{floe["y"]} m"]\nheading = "{floe["theta"]} rad"\n'
            f'velocity = ["{floe["vx"]} m/s", "{floe["vy"]} m/s"]\nangular_velocity = "{floe["omega"]} rad/s"\n'
            f'thickness = "{floe["thickness"]} m"\noutline = {{ unit = "m", points = [{points}] }}'
        )
    return "\n".join(lines)


def interpolated(curve, time):
    """The value of a curve at a time."""
    for (start, first), (end, last) in zip(curve, curve[1:]):
        if end >= time:
            return first + (time - start) / (end - start) * (last - first)
    return curve[-1][1]


def energies(program, text):
    """Kinetic energy in time."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "s.toml").write_text(text)
        run = [program, "run", "s.toml", "--out", "out"]
        subprocess.run(run, cwd=folder, check=True, capture_output=True)
        subprocess.run([program, "export", "out", "--to", "csv", "--out", "csv"], cwd=folder, check=True, capture_output=True)
        for table in sorted((folder / "csv").iterdir()):
            rows = list(csv.DictReader(table.open()))
            names = [name for name in rows[0] if name.startswith("kinetic_energy")] if rows else []
            if names:
                time = next(name for name in rows[0] if name.startswith("time"))
                return [(float(row[time]), float(row[names[0]])) for row in rows]
    raise SystemExit("no table has kinetic energies")


def main():
    """Compares all rules, then restitutions that differ by 1e-4."""
    folder = Path(sys.argv[1])
    program = str(Path(sys.argv[2] if len(sys.argv) > 2 else "target/release/banquise").resolve())
    case = json.loads((folder / "initial.json").read_text())
    with (folder / "energy.csv").open() as file:
        reference = [(float(row["t_s"]), float(row["kinetic_energy_J"])) for row in csv.DictReader(file)]
    print("rule", *(f"{time} s" for time in TIMES), sep=" | ")

    def show(name, rule="", restitution=0.4, friction=0.7):
        curve = energies(program, scenario(case, rule, restitution, friction))
        ratios = (interpolated(curve, time) / interpolated(reference, time) for time in TIMES)
        print(name, *(f"{ratio:.4f}" for ratio in ratios), sep=" | ", flush=True)

    for name, rule in RULES.items():
        show(name, rule)
    show("restitution 0.3", restitution=0.3)
    show("friction 0.3", friction=0.3)
    show("friction 1.0", friction=1.0)
    for step in (-3, -2, -1, 1, 2):
        show(f"restitution 0.4 {step:+}e-4", restitution=0.4 + 1e-4 * step)


if __name__ == "__main__":
    main()
