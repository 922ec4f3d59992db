"""Sweeps: many runs of one scenario whose keys differ."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike, cpu_count
from pathlib import Path
from typing import Any

from . import _native
from ._tools import Overrides, overrides_of


@dataclass(frozen=True)
class _Study:
    """A study as the native module takes it."""

    text: str
    is_text: bool
    folder: Path
    overrides: list[str]


def sweep(
    study: str | PathLike[str] | None = None,
    out: str | PathLike[str] = "sweep",
    *,
    text: str | None = None,
    folder: str | PathLike[str] = ".",
    overrides: Overrides = None,
    client: Any = None,
    threads: int | None = None,
) -> Path:
    """Runs the members of a study that are not done yet, and returns the path of one dataset of all, with a dimension `member`.

    `study` is a file or the name of a built-in study, or `text` the study itself, with files looked for in `folder`. With a `client` of
    Dask its workers run the members; they must see the folder `out`. Else `threads` threads do, by default one for each core. A member
    that failed is in `out/table.csv` with its reason, and stops no other. The page `out/sweep.html` compares the members.
    """
    if (study is None) == (text is None):
        raise TypeError("sweep() takes a study or its text")
    given = str(study) if text is None else text
    source = _Study(given, text is not None, Path(folder).absolute(), overrides_of(overrides))
    place = Path(out).absolute()
    count = _native.sweep_plan(source, place)
    if client is not None:
        # Each process that runs a member reads the study itself: only numbers travel.
        futures = client.map(_member, range(count), source=source, out=place, pure=False)
        client.gather(futures)
    else:
        with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
            list(pool.map(lambda number: _member(number, source, place), range(count)))
    path, _ = _native.sweep_gather(place)
    return Path(path)


def _member(number: int, source: _Study, out: Path) -> str:
    return _native.sweep_member(source, out, number)
