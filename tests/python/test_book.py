"""Every command and every piece of Python in the book and the README runs, and every link leads somewhere.

A command that takes long is started, and stopped with Ctrl-C after a while: it must not have found anything wrong until then.
Run with `cargo xtask test`, or with BANQUISE naming the command.
"""

import ast
import contextlib
import io
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
DATA = Path(os.environ.get("BANQUISE_DATA", ROOT / "../shared/data"))
BOOK = ROOT / "docs/src"
PAGES = [*sorted(BOOK.rglob("*.md")), ROOT / "README.md", ROOT / "crates/banquise_python/README.md"]
# Seconds after which a command is stopped.
TIMEOUT = 1.0
# Files of the user that the book speaks of, and where there are such files.
FILES = {
    "scene.png": "floe_scenes/063-beaufort_sea-100km-20070711.terra.truecolor.png",
    "mask.png": "floe_scenes/063-beaufort_sea-20070711-terra.png",
    "coast.geojson": "coast/robeson_channel_land_gshhg_full_lonlat.geojson",
    "land.geojson": "coast/robeson_channel_land_gshhg_full_lonlat.geojson",
    "point.csv": "topaz_point/topaz_36.84E_80.21N_hourly.csv",
}


def name(page):
    return str(page.relative_to(ROOT))


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def commands(page):
    """The lines of all shell blocks, without comments, continued lines put together."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            line = line.replace("cargo run --release -- ", "banquise ")
            if line.startswith("banquise "):
                yield line


def run_command(line, folder, program=BANQUISE):
    """Runs one line of a shell, or a part of it if it takes long; `program` is the command that it means."""
    environment = {**os.environ, "PATH": f"{Path(program).parent}:{os.environ['PATH']}"}
    recordings = count_recordings(folder)
    with open(folder / "output.txt", "w+") as output:
        process = subprocess.Popen(
            ["bash", "-c", f"exec {line}"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        # What follows may read the recording of a run, so it must have begun.
        begun = time.monotonic()
        while "banquise run" in line and time.monotonic() < begun + 60.0:
            if process.poll() is not None or count_recordings(folder) > recordings:
                break
            time.sleep(0.05)
        allowed = [0]
        if not ends_within(process, TIMEOUT):
            process.send_signal(signal.SIGINT)
            allowed += [130, -signal.SIGINT, -signal.SIGKILL]
            if not ends_within(process, 30.0 if "banquise run" in line else TIMEOUT):
                process.kill()
                process.wait()
        output.seek(0)
        assert process.returncode in allowed, (line, output.read())


def count_recordings(folder):
    return len([*folder.glob("*/recording.zarr"), *folder.glob("runs/*/recording.zarr")])


def ends_within(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def provide(line, folder):
    """Puts the files of the user that a command names beside it; says which are nowhere."""
    for word in re.findall(r"[\w-]+\.(?:png|geojson|csv)", line):
        if word in FILES:
            source = DATA / FILES[word]
            if not source.is_file():
                return word
            (folder / word).write_bytes(source.read_bytes())
    return None


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=name)
def test_every_command_runs(page, tmp_path):
    # Scenarios that the page writes with `cat`.
    for file, text in re.findall(r"^cat > (\S+) <<'EOF'\n(.*?)^EOF$", page.read_text(), re.MULTILINE | re.DOTALL):
        (tmp_path / file).write_text(text)
    missing = []
    for line in commands(page):
        nowhere = provide(line, tmp_path)
        if nowhere:
            missing.append(nowhere)
            continue
        # Nothing is overwritten, so what one command leaves is moved out of the way of the same name.
        if "-o floes.json" in line:
            for old in tmp_path.glob("floes.*"):
                old.unlink()
        run_command(line, tmp_path)
    if missing:
        pytest.skip(f"real data not found: {', '.join(FILES[word] for word in missing)}")


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name)
def test_every_piece_of_python_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for scenario in sorted(set(re.findall(r"\"runs/([a-z-]+)", page.read_text()))):
        subprocess.run([BANQUISE, "run", scenario], check=True, stderr=subprocess.DEVNULL)
    names = {}
    for block in blocks(page, "python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, name(page), "exec"), names)
        check_printed(block, printed.getvalue().splitlines())


def check_printed(block, lines):
    """Where the comment after a `print` is a number, a list or a dictionary, it is what is printed."""
    prints = [line for line in block.splitlines() if line.startswith("print(")]
    if len(prints) != len(lines):
        return
    for line, found in zip(prints, lines):
        try:
            expected = ast.literal_eval(line.partition("#")[2].strip())
        except (SyntaxError, ValueError):
            continue
        if isinstance(expected, float) and abs(expected) < 1e-10:
            assert abs(float(found)) < 1e-10, line
        else:
            assert ast.literal_eval(found) == pytest.approx(expected, rel=1e-12), line


def anchor(heading):
    """The name that mdBook gives to a heading."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return "".join(c if c.isalnum() or c in "-_" else "-" if c == " " else "" for c in heading)


def anchors(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, part = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{name(page)} links to {target}"
        if part:
            assert part in anchors(linked), f"{name(page)} links to {target}"


def test_the_summary_has_every_page():
    listed = set(re.findall(r"\]\(([^)]+)\)", (BOOK / "SUMMARY.md").read_text()))
    pages = {str(page.relative_to(BOOK)) for page in BOOK.rglob("*.md")} - {"SUMMARY.md"}
    assert listed == pages
    # mdBook makes it the front page too, where links from a folder would lead nowhere.
    first = re.search(r"\]\(([^)]+)\)", (BOOK / "SUMMARY.md").read_text())[1]
    assert "/" not in first


def test_every_inclusion_is_there():
    found = 0
    for page in BOOK.rglob("*.md"):
        for target in re.findall(r"\{\{#\w+ ([^}:\s]+)", page.read_text()):
            assert (page.parent / target).is_file(), f"{name(page)} includes {target}"
            found += 1
    assert found >= 2, "the pages for developers are included"


def test_every_picture_is_shown():
    text = "".join(page.read_text() for page in PAGES)
    for picture in (BOOK / "images").iterdir():
        assert picture.name in text, f"{picture.name} is in no page"
