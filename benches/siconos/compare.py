#!/usr/bin/python3
"""Siconos and Banquise on the same contact problems: success rate against processor time, judged by one residual.

Installs Debian's packages `python3-siconos` and `python3-h5py` if they are missing, which needs root. Run from the root of the
project; --limit sets the processor time of a solve, --only takes the problems whose names contain a word. Problems and results are kept under `target/siconos`: a second call
goes on where the first ended, and --fresh begins again. The page of the book has the table and the figures that it writes.
"""

import argparse
import gzip
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target/siconos"
IMAGES = ROOT / "docs/src/images"
TOLERANCES = [1e-4, 1e-6, 1e-8, 1e-9]
# Tolerances asked of Siconos, a digit more than judged: its own measures of the error differ from solver to solver. Each is a run of its own.
ASKED = [1e-5, 1e-7, 1e-9, 1e-10]
# Contacts beyond which a problem is large.
LARGE = 1000
# Problems of fewer contacts than this are left out: all solvers solve them at once.
LEAST_CONTACTS = 20
# Enumeration tries all combinations of states.
MOST_ENUMERATED = 8
# Dense matrices of more contacts than this have 300 MB, and a product takes a tenth of a second.
MOST_DENSE = 3000
# Lemke's method takes four seconds for 667 contacts, and grows with their cube.
MOST_PIVOTED = 1000
SOLVERS = ["NSGS", "CPG", "LEMKE", "ENUM", "NSN_AC", "ADMM"]
ITERATIONS = 1_000_000
# A solution is repeated until it has taken so many seconds together, or so often.
ENOUGH = 0.02
MOST_REPEATS = 200
COLORS = {
    "Banquise": "#0b6fa4",
    "NSGS": "#c8500a",
    "CPG": "#7a9a01",
    "LEMKE": "#8a4fb0",
    "ENUM": "#777777",
    "NSN_AC": "#c2185b",
    "ADMM": "#a98600",
}


class Problem:
    """A friction problem in units of its own: u = W r + q, with W in compressed columns."""

    def __init__(self, path):
        import h5py
        import numpy as np

        with h5py.File(path) as file:
            group = file["fclib_local"]
            assert group["spacedim"][0] == 2 and group["W/nz"][0] == -1
            self.starts, self.rows = group["W/p"][:], group["W/i"][:]
            self.values = group["W/x"][:]
            self.q, self.mu = group["vectors/q"][:], group["vectors/mu"][:]
        self.count = len(self.mu)
        self.columns = np.repeat(np.arange(2 * self.count), np.diff(self.starts))
        w = {"row": self.rows.tolist(), "col": self.columns.tolist(), "val": self.values.tolist()}
        self.as_given = {"W": w, "q": self.q.tolist(), "mu": self.mu.tolist()}
        # Each contact's largest inverse mass and the largest free velocity become one: the units of the residual.
        diagonal = np.zeros(2 * self.count)
        own = self.rows == self.columns
        np.add.at(diagonal, self.rows[own], np.abs(self.values[own]))
        largest = np.maximum(diagonal[::2], diagonal[1::2])
        largest[largest == 0.0] = 1.0
        self.scale = np.repeat(1.0 / np.sqrt(largest), 2)
        self.values = self.values * self.scale[self.rows] * self.scale[self.columns]
        self.q = self.q * self.scale
        self.speed = np.max(np.abs(self.q)) or 1.0
        self.q = self.q / self.speed

    def velocity(self, r):
        import numpy as np

        products = self.values * r[self.columns]
        return np.bincount(self.rows, products, minlength=2 * self.count) + self.q

    def residual(self, r):
        """The largest entry of the natural map, as `banquise solve` prints it."""
        import numpy as np

        u = self.velocity(r)
        if not np.all(np.isfinite(u)):
            return float("inf")
        normal = np.abs(np.minimum(u[::2], r[::2]))
        bound = self.mu * np.maximum(r[::2], 0.0)
        tangent = np.abs(r[1::2] - np.clip(r[1::2] - u[1::2], -bound, bound))
        return float(max(normal.max(), tangent.max()))

    def in_own_units(self, impulses):
        import numpy as np

        return np.asarray(impulses).ravel() / (self.scale * self.speed)

    def dense(self):
        import numpy as np

        matrix = np.zeros((2 * self.count, 2 * self.count))
        np.add.at(matrix, (self.rows, self.columns), self.values)
        return matrix

    def blocks(self):
        """The blocks of two contacts, row after row."""
        found = {}
        for row, column, value in zip(self.rows, self.columns, self.values):
            block = found.setdefault((row // 2, column // 2), [0.0] * 4)
            block[row % 2 + 2 * (column % 2)] += value
        return sorted(found.items())

    def write(self, path, dimension):
        """A file that Siconos reads, in sparse blocks; in three dimensions nothing pushes along the second tangent."""
        blocks = self.blocks()
        size = dimension * self.count
        with open(path, "w", encoding="ascii") as file:
            print(dimension, self.count, sep="\n", file=file)
            print(1, size, size, sep="\n", file=file)
            print(len(blocks), self.count, self.count, sep="\n", file=file)
            sizes = " ".join(str(dimension * (k + 1)) for k in range(self.count))
            print(sizes, sizes, sep="\n", file=file)
            starts, last = [], -1
            for place, ((row, _), _) in enumerate(blocks):
                while last < row:
                    starts.append(place)
                    last += 1
            starts.append(len(blocks))
            columns = [column for (_, column), _ in blocks]
            print(len(starts), len(columns), sep="\n", file=file)
            print(" ".join(map(str, starts)), file=file)
            print(" ".join(map(str, columns)), file=file)
            for number, ((row, column), block) in enumerate(blocks):
                if dimension == 3:
                    third = max(block[0], block[3]) if row == column else 0.0
                    block = [block[0], block[1], 0.0, block[2], block[3], 0.0, 0.0, 0.0, third]
                print(number, *(repr(float(value)) for value in block), sep="\n", file=file)
            for pair in self.q.reshape(-1, 2):
                print(" ".join(repr(float(v)) for v in [*pair, 0.0][:dimension]), file=file)
            print(" ".join(repr(float(v)) for v in self.mu), file=file)


def work(name, paths, limit):
    """Solves problems with one solver of Siconos, each to one tolerance after the other, and prints a line for each file begun and each run."""
    import siconos.numerics as sn

    dimension = 3 if name in ("NSN_AC", "ADMM") else 2
    for path in paths:
        print(json.dumps({"begun": path}), flush=True)
        problem = Problem(path)
        if name in ("CPG", "LEMKE", "ENUM"):
            # These have dense matrices alone.
            matrix = problem.dense()
            given = sn.FrictionContactProblem(2, problem.count, matrix, problem.q, problem.mu)
        else:
            data = Path(path).with_suffix(f".{dimension}d.dat")
            if not data.exists():
                problem.write(data, dimension)
            given = sn.frictionContact_new_from_filename(str(data))
        for tolerance in ASKED:
            line = run(sn, name, dimension, problem, given, tolerance, limit)
            print(json.dumps(line), flush=True)


def run(sn, name, dimension, problem, given, tolerance, limit):
    """One solution, repeated where it takes little; the system ends the process where it takes too long."""
    import numpy as np

    options = sn.SolverOptions(getattr(sn, f"SICONOS_FRICTION_{dimension}D_{name}"))
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    if name != "NSN_AC":
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = ITERATIONS
    drive = sn.fc3d_driver if dimension == 3 else sn.fc2d_driver
    start, used, repeats = time.process_time(), 0.0, 0
    end = int(start + limit) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
    # The clock of a process may be coarse.
    while used < ENOUGH and repeats < MOST_REPEATS:
        r, u = np.zeros(dimension * problem.count), np.zeros(dimension * problem.count)
        drive(given, r, u, options)
        repeats += 1
        used = time.process_time() - start
    r = r.reshape(-1, dimension)[:, :2].ravel()
    return {"seconds": used / repeats, "residual": problem.residual(r), "asked": tolerance}


def install():
    missing = [name for name in ("siconos", "h5py") if importlib.util.find_spec(name) is None]
    if missing:
        # Another installation may be under way.
        command = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends"]
        subprocess.run([*command, "python3-siconos", "python3-h5py"], check=True)


def built():
    """The command and the example that times its solver."""
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "banquise_cli"], check=True)
    example = ["-p", "banquise_solver", "--example", "local_times"]
    subprocess.run(["cargo", "build", "--release", "-q", *example], check=True)
    told = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    out = subprocess.run(told, check=True, capture_output=True, text=True).stdout
    release = Path(json.loads(out)["target_directory"]) / "release"
    made = WORK / "made"
    if not made.exists():
        made.mkdir(parents=True)
        command = ["cargo", "run", "--release", "-q", "-p", "banquise_solver", "--example", "islands"]
        subprocess.run([*command, "--", "--write", made, "made"], check=True)
    return release / "banquise", release / "examples/local_times"


def sources(only):
    """Files of problems by name, and the set each belongs to."""
    solver = ROOT / "crates/banquise_solver/tests"
    found = {path.name.split(".")[0]: (path, "islands") for path in solver.glob("islands/*.gz")}
    found |= {path.stem: (path, "corpus") for path in solver.glob("corpus/*.json")}
    found |= {path.stem: (path, "made") for path in WORK.glob("made/*.json")}
    shared = sorted((ROOT / "../shared/data/friction2d").glob("*.json"))
    if not shared:
        print("the six files of Siconos are not beside the project: left out", file=sys.stderr)
    found |= {path.stem: (path, "siconos") for path in shared}
    return {name: entry for name, entry in sorted(found.items()) if only in name}


def contacts_of(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        problem = json.load(file)
    return len(problem["contacts"] if "contacts" in problem else problem["mu"])


def written(banquise, name, path):
    """The problem in the format of FCLIB, written by the command."""
    out = WORK / f"{name}.hdf5"
    if not out.exists():
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        command = [banquise, "solve", "-", "--fclib", out]
        subprocess.run(command, input=text, check=True, stdout=subprocess.DEVNULL)
    return out


def of_banquise(example, path, limit):
    """One run for all tolerances, judged here too: both must say the same."""

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 2, resource.RLIM_INFINITY))

    problem = Problem(path)
    given = Path(path).with_suffix(".local.json")
    given.write_text(json.dumps(problem.as_given))
    done = subprocess.run([example, given], capture_output=True, text=True, preexec_fn=bound)
    if done.returncode < 0:
        return []
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    answer = json.loads(done.stdout)
    judged = problem.residual(problem.in_own_units(answer["impulses"]))
    # Rounding of sums in another order.
    if abs(judged - answer["residual"]) > 1e-6 * judged + 1e-12:
        raise SystemExit(f"{path}: residual {judged} here and {answer['residual']} there")
    return [{"seconds": answer["seconds"], "residual": judged, "method": answer["method"]}]


def of_siconos(name, files, limit):
    """Results of one solver for each file. A process that is ended for its time is followed by another, for the files after."""
    found = {path: [] for path in files}
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    left = list(files)
    while left:
        command = [sys.executable, __file__, "--limit", str(limit), "--work", name, *left]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=alone)
        current = None
        for line in child.stdout:
            told = json.loads(line) if line.startswith("{") else {}
            if "begun" in told:
                if current is not None:
                    keep(name, current, found[current])
                current = told["begun"]
            elif told:
                found[current].append(told)
        child.wait()
        if current is None:
            raise SystemExit(f"{name}: Siconos does not start")
        keep(name, current, found[current])
        left = left[left.index(current) + 1 :]


def kept_path(solver, path):
    return Path(path).with_suffix(f".{solver}.json")


def keep(solver, path, runs):
    """Keeps results for the next call."""
    kept_path(solver, path).write_text(json.dumps(runs))


def is_tried(solver, count):
    """Whether a solver is tried on a problem of so many contacts."""
    most = {"ENUM": MOST_ENUMERATED, "CPG": MOST_DENSE, "LEMKE": MOST_PIVOTED}
    return count <= most.get(solver, count)


def successes(results, solver, tolerance, limit):
    """The least time of a run that reaches the tolerance, for each problem that has one."""
    times = []
    for runs in results:
        reached = [
            run["seconds"]
            for run in runs[solver]
            if run["residual"] <= tolerance and run["seconds"] <= limit
        ]
        if reached:
            times.append(min(reached))
    return sorted(times)


def figure(path, results, limit, title):
    """Success rate against processor time: one panel for each tolerance."""
    from math import log10

    wide, high, left, top, gap = 210, 170, 52, 46, 26
    first, last = -5.0, log10(limit)
    width = left + len(TOLERANCES) * (wide + gap)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + high + 84}" font-family="sans-serif" font-size="12">',
        f'<rect width="100%" height="100%" fill="white"/><text x="{left}" y="18" font-size="14">{title}</text>',
    ]
    for number, tolerance in enumerate(TOLERANCES):
        x0 = left + number * (wide + gap)

        def place(seconds, share, x0=x0):
            across = (log10(max(seconds, 10**first)) - first) / (last - first)
            return f"{x0 + wide * across:.1f},{top + high * (1.0 - share):.1f}"

        parts.append(f'<rect x="{x0}" y="{top}" width="{wide}" height="{high}" fill="none" stroke="#999"/>')
        parts.append(f'<text x="{x0 + wide / 2}" y="{top - 8}" text-anchor="middle">residual ≤ {tolerance:.0e}</text>'.replace("e-0", "e-"))
        for power in range(int(first), int(last) + 1):
            x = x0 + wide * (power - first) / (last - first)
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + high}" stroke="#ddd"/>')
            if power % 2 == 0:
                label = f"1e{power}" if power else "1"
                parts.append(f'<text x="{x:.1f}" y="{top + high + 15}" text-anchor="middle">{label}</text>')
        if number == 0:
            for share in (0.0, 0.5, 1.0):
                y = top + high * (1.0 - share)
                parts.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
        for solver in ["Banquise", *SOLVERS][::-1]:
            times = successes(results, solver, tolerance, limit)
            share, points = 0.0, [place(10**first, 0.0)]
            for reached, seconds in enumerate(times, 1):
                points.append(place(seconds, share))
                share = reached / len(results)
                points.append(place(seconds, share))
            points.append(place(limit, share))
            thick = 2.5 if solver == "Banquise" else 1.5
            parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{COLORS[solver]}" stroke-width="{thick}"/>')
    y = top + high + 34
    middle = left + (len(TOLERANCES) * (wide + gap) - gap) / 2
    parts.append(f'<text x="{middle}" y="{y}" text-anchor="middle">processor time of a problem [s]</text>')
    for number, solver in enumerate(["Banquise", *SOLVERS]):
        x = left + 125 * number
        parts.append(f'<line x1="{x}" x2="{x + 22}" y1="{y + 26}" y2="{y + 26}" stroke="{COLORS[solver]}" stroke-width="2.5"/>')
        parts.append(f'<text x="{x + 28}" y="{y + 30}">{solver}</text>')
    parts.append("</svg>\n")
    path.write_text("\n".join(parts), encoding="utf-8")


def table(name, results, limit):
    heads = " | ".join(f"{tolerance:.0e}".replace("e-0", "e-") for tolerance in TOLERANCES)
    print(f"\n{name}: {len(results)} problems\n")
    print(f"| solver | {heads} | median s at 1e-9 |")
    print("|---" * (len(TOLERANCES) + 2) + "|")
    for solver in ["Banquise", *SOLVERS]:
        shares = []
        for tolerance in TOLERANCES:
            times = successes(results, solver, tolerance, limit)
            shares.append(f"{len(times)} ({len(times) / len(results):.0%})")
        median = f"{times[len(times) // 2]:.2g}" if times else "–"
        print(f"| {solver} | {' | '.join(shares)} | {median} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=10.0, help="processor seconds of a solve")
    parser.add_argument("--only", default="", help="problems whose names contain this")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    limit = arguments.limit
    if arguments.work:
        work(arguments.work[0], arguments.work[1:], limit)
        return
    install()
    if arguments.fresh:
        shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True, exist_ok=True)
    banquise, example = built()
    files = {}
    for name, (path, kind) in sources(arguments.only).items():
        count = contacts_of(path)
        if count >= LEAST_CONTACTS or kind == "siconos":
            files[str(written(banquise, name, path))] = count
    files = dict(sorted(files.items(), key=lambda entry: entry[1]))
    for solver in ["Banquise", *SOLVERS]:
        todo = [path for path in files if not kept_path(solver, path).exists()]
        tried = [path for path in todo if is_tried(solver, files[path])]
        for path in set(todo) - set(tried):
            keep(solver, path, [])
        if solver == "Banquise":
            for path in tried:
                keep(solver, path, of_banquise(example, path, limit))
        elif tried:
            of_siconos(solver, tried, limit)
        print(f"{solver}: {len(tried)} problems", file=sys.stderr, flush=True)
    small, large = [], []
    for path, count in files.items():
        runs = {s: json.loads(kept_path(s, path).read_text()) for s in ["Banquise", *SOLVERS]}
        (large if count > LARGE else small).append(runs)
    for results, title, name in [
        (small, f"At most {LARGE:,} contacts", "siconos-small.svg"),
        (large, f"More than {LARGE:,} contacts", "siconos-large.svg"),
    ]:
        if results:
            table(title, results, limit)
            if not arguments.only:
                figure(IMAGES / name, results, limit, f"{title}: {len(results)} problems")


if __name__ == "__main__":
    main()
