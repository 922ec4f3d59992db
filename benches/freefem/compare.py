#!/usr/bin/env python3
"""The settling disc in FreeFem++ (UMFPACK) and here, on the same MINI mesh: processor seconds and settling velocities.

Installs Debian's package `freefem++` if it is missing, which needs root. Run from the root of the project.
"""

import resource
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
EXACT = -0.927891
CELLS = 150
# Repeats of grids, which take milliseconds.
REPEATS = 20


def seconds(command: list[str]) -> tuple[float, str]:
    """Processor time of a command, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, out


def main() -> None:
    if shutil.which("FreeFem++-nw") is None:
        # Another installation may be under way.
        install = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y"]
        install += ["--no-install-recommends", "freefem++"]
        subprocess.run(install, check=True)
    example = ["--release", "-q", "-p", "banquise_flow", "--example", "settling_cost"]
    subprocess.run(["cargo", "build", *example], check=True)
    binary = Path(
        subprocess.run(
            ["cargo", "metadata", "--format-version", "1", "--no-deps"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split('"target_directory":"')[1].split('"')[0]
    ) / "release/examples/settling_cost"

    used, out = seconds(["FreeFem++-nw", "-v", "0", str(HERE / "settling.edp")])
    if "fac_numeric UMFPACK" not in out:
        raise SystemExit(f"FreeFem++ does not tell that it factorised with UMFPACK:\n{out}")
    words = out.strip().splitlines()[-1].split()
    known = float(words[words.index("velocity") + 1])
    rows = [("FreeFem++, UMFPACK", words[words.index("unknowns") + 1], known, used)]
    used, out = seconds([str(binary), "elements", str(CELLS), "1"])
    rows.append(("Banquise, elements", str(3 * (CELLS + 1) ** 2), float(out), used))
    # Grids that are at least as exact.
    for cells in (40, 60, 100):
        used, out = seconds([str(binary), "grid", str(cells), str(REPEATS)])
        rows.append((f"Banquise, grid of {cells}", str(cells**2), float(out), used / REPEATS))
    print("| method | unknowns | velocity | error | processor s | FreeFem++ takes |")
    print("|---|---|---|---|---|---|")
    for name, unknowns, velocity, used in rows:
        error = abs(velocity - EXACT)
        print(
            f"| {name} | {unknowns} | {velocity:.5f} | {error:.5f} | {used:.4f} | {rows[0][3] / used:.1f} times |"
        )


if __name__ == "__main__":
    main()
