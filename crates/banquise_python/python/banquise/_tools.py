"""Packs, contact problems, diagnostics, other formats."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _html, _native

Overrides = Mapping[str, object] | Sequence[str] | None


def overrides_of(values: Overrides) -> list[str]:
    """Keys of a scenario and their values, as `key=value`."""
    if values is None:
        return []
    if isinstance(values, Mapping):
        return [f"{key}={_toml(value)}" for key, value in values.items()]
    return [str(item) for item in values]


def renamed(value: Overrides, old: dict[str, Any], function: str) -> Overrides:
    """The overrides, also where they are given as `set`, as they were called before."""
    if value is None and "set" in old:
        value = old.pop("set")
    if old:
        raise TypeError(f"{function}() got an unexpected keyword argument {next(iter(old))!r}")
    return value


def _toml(value: object) -> str:
    """A value as TOML; texts are given as they are, as on the command line."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(json.dumps(item) if isinstance(item, str) else _toml(item) for item in value) + "]"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise TypeError(f"a scenario cannot take {value!r}")


def scenarios() -> dict[str, str]:
    """Names of the built-in scenarios, with a line each."""
    return dict(_native.scenarios())


def scenario_text(name: str) -> str:
    """The text of a built-in scenario, with its comments."""
    return _native.scenario_text(name)


@dataclass(frozen=True, repr=False)
class Pack:
    """A pack: floes that fill a region of the sea."""

    outlines: list[NDArray[np.float64]]
    """Outlines in their places [m], one array of x and y for each floe."""
    thicknesses: NDArray[np.float64]
    """Thicknesses [m]."""
    concentration: float
    """Share of the region that is ice, given floes included."""
    smallest_gap: float
    """Between any two floes [m]."""
    region_area: float
    """Area of the region [m²]."""

    def __repr__(self) -> str:
        return f"<banquise.Pack: {len(self.outlines)} floes, concentration {self.concentration:.3g}>"

    def _repr_html_(self) -> str:
        """A map of the floes and their numbers, for notebooks."""
        thin, thick = self.thicknesses.min(initial=np.inf), self.thicknesses.max(initial=0.0)
        rows = {
            "floes": len(self.outlines),
            "concentration": f"{self.concentration:.3g}",
            "region": f"{self.region_area / 1e6:.4g} km²",
            "thickness": f"{thin:.3g} to {thick:.3g} m",
            "smallest gap": f"{self.smallest_gap:.3g} m",
        }
        return _html.summary("Pack", rows, _html.drawing(self.outlines, [False] * len(self.outlines)))


def pack(
    scenario: str | PathLike[str] = "pack",
    overrides: Overrides = None,
    *,
    text: str | None = None,
    **old: Any,
) -> Pack:
    """Makes the pack of a scenario: a built-in one, a file, or a text with `[domain]` and `[pack]`.

    `overrides` sets keys, like `{"pack.concentration": 0.85, "pack.count": 350}`; its name before, `set`, still works.
    """
    overrides = renamed(overrides, old, "pack")
    given = str(scenario) if text is None else text
    return Pack(*_native.make_pack(given, text is not None, overrides_of(overrides)))


def solve(problem: Mapping[str, Any]) -> dict[str, Any]:
    """Solves a linear complementarity problem, a friction problem, or an impact of bodies and contacts.

    The forms and the answers are those of `banquise solve`. Arrays of NumPy are welcome. For an impact, `verdict` is `"solved"`,
    `"infeasible"`, with the proof in `certificate`, or `"unsolved"`, with a `reason`.
    """
    answer: dict[str, Any] = json.loads(_native.solve(json.dumps(problem, default=_plain)))
    return answer


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a problem cannot have {value!r}")


def diagnostics(folder: str | PathLike[str]) -> dict[str, Any]:
    """Diagnostics of the run in a folder: energy, contacts, loads, pack and drift.

    It is what `banquise report --json` prints.
    """
    measured: dict[str, Any] = json.loads(_native.diagnostics(Path(folder)))
    return measured


def export_formats() -> dict[str, str]:
    """Names of the formats of `export`, with a line each."""
    return dict(_native.export_formats())


def export(
    folder: str | PathLike[str],
    to: str,
    out: str | PathLike[str] | None = None,
    *,
    every: int = 1,
    color: str | None = None,
    size: tuple[int, int] | None = None,
    fps: int | None = None,
) -> Path:
    """Writes the recording in a folder in another format, and returns the path.

    Of its records every `every`-th is taken, and the last. Pictures and films can be chosen: `color` is `speed`,
    `thickness`, `stress`, `impulse`, `rotation`, `age` or `id`; `size` is width and height in pixels; `fps` are
    the frames a second of films, one record each.
    """
    film = (color, None if size is None else "x".join(str(side) for side in size), fps)
    return Path(_native.export_recording(Path(folder), to, None if out is None else Path(out), every, film))
