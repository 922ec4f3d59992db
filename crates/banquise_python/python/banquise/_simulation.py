"""Simulations: a world, its forcing and its steps."""

import copy
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _html, _native
from ._errors import InputError
from ._run import Run, check_function, function_name
from ._tools import Overrides, overrides_of, renamed


Force = Callable[["Simulation"], ArrayLike]


class Simulation(_native.Core):
    """A simulation of floes and obstacles under wind, current and given forces.

    Make one with `from_scenario`, `from_text` or `from_arrays`. What is read of it, such as `positions`, are
    read-only arrays of NumPy, each a snapshot of the present state: they do not change when the simulation goes on, and
    nothing can be written into them. Velocities are changed by setting them as a whole:

        >>> velocities = simulation.velocities.copy()
        >>> velocities[0] = [0.1, 0.0]
        >>> simulation.velocities = velocities
    """

    @classmethod
    def from_scenario(cls, scenario: str | PathLike[str], overrides: Overrides = None, **old: Any) -> "Simulation":
        """Reads a built-in scenario by its name, or a file.

        `overrides` sets keys, like `{"time.duration": "2 d", "floe[0].thickness": "2 m"}`; its name before, `set`,
        still works.
        """
        overrides = renamed(overrides, old, "from_scenario")
        return cls(_native.read_scenario(str(scenario), overrides_of(overrides)))

    @classmethod
    def from_text(
        cls, text: str, overrides: Overrides = None, *, folder: str | PathLike[str] = ".", **old: Any
    ) -> "Simulation":
        """Reads the text of a scenario; files it names are looked for in `folder`."""
        overrides = renamed(overrides, old, "from_text")
        return cls(_native.read_text(text, overrides_of(overrides), Path(folder)))

    @classmethod
    def from_arrays(
        cls,
        outlines: Sequence[ArrayLike | float],
        positions: ArrayLike,
        *,
        headings: ArrayLike = 0.0,
        velocities: ArrayLike = 0.0,
        angular_velocities: ArrayLike = 0.0,
        thicknesses: ArrayLike = 1.0,
        obstacles: ArrayLike = False,
        air_drag_coefficients: ArrayLike = float("nan"),
        ocean_drag_coefficients: ArrayLike = float("nan"),
        names: Sequence[str] | None = None,
        density: float = 917.0,
        friction: float = 0.7,
        restitution: float = 0.4,
        simultaneous: bool = False,
        edges: Literal["free", "walls", "periodic"] = "free",
        corner: ArrayLike = (0.0, 0.0),
        size: ArrayLike = (0.0, 0.0),
        drag: bool = False,
        wind: ArrayLike = (0.0, 0.0),
        current: ArrayLike = (0.0, 0.0),
        latitude: float | None = None,
        max_step: float = 1.0,
        seed: int = 1,
        title: str = "From arrays",
    ) -> "Simulation":
        """Builds a world from arrays.

        An outline is an array of x and y [m] in any frame, or a number, the radius of a disc.
        `positions` [m] are those of the origins of these frames, one row for each body. What has
        one value for all may be a single one. Wind and current [m/s] act where `drag` is on;
        `latitude` [degrees north] switches the Earth's rotation on. Drag coefficients of single floes
        take the place of the common ones where they are not NaN.
        """
        rows = len(outlines)

        def vectors(what: str, values: ArrayLike) -> NDArray[np.float64]:
            return _broadcast(what, values, (rows, 2))

        def numbers(what: str, values: ArrayLike) -> NDArray[np.float64]:
            return _broadcast(what, values, (rows,))

        wind_xy, current_xy = _broadcast("wind", wind, (2,)), _broadcast("current", current, (2,))
        if not drag and (wind_xy.any() or current_xy.any()):
            raise InputError("wind and current have no effect without drag", "give drag=True")
        if names is not None and len(names) != rows:
            raise InputError(f"there are {len(names)} names for {rows} bodies", "give one for each")
        columns = {
            "name": list(names) if names is not None else [""] * rows,
            "shape": [_shape(row, outline) for row, outline in enumerate(outlines)],
            "position": vectors("positions", positions),
            "heading": numbers("headings", headings),
            "velocity": vectors("velocities", velocities),
            "angular_velocity": numbers("angular_velocities", angular_velocities),
            "thickness": numbers("thicknesses", thicknesses),
            "is_obstacle": numbers("obstacles", obstacles) != 0.0,
            "air_drag": numbers("air_drag_coefficients", air_drag_coefficients),
            "ocean_drag": numbers("ocean_drag_coefficients", ocean_drag_coefficients),
        }
        bodies = [_Body(*(column[row] for column in columns.values())) for row in range(rows)]
        scene = _Scene(
            title=title,
            density=float(density),
            friction=float(friction),
            restitution=float(restitution),
            simultaneous=simultaneous,
            edges=edges,
            corner=_pair("corner", corner),
            size=_pair("size", size),
            drag=drag,
            wind=_pair("wind", wind),
            current=_pair("current", current),
            latitude=float("nan") if latitude is None else float(latitude),
            max_step=float(max_step),
            seed=seed,
        )
        return cls(_native.build(bodies, scene))

    def save(self, path: str | PathLike[str]) -> Path:
        """Saves the whole state to a file, from which `load` goes on bit for bit.

        Forcing and settings come again from the scenario, whose text is in the file; files that it names must be there unchanged. Of a
        `force` the name is kept, and the function is to be given again.
        """
        path = Path(path)
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        try:
            partial.write_bytes(_native.state_bytes(self, function_name(self.force)))
            partial.replace(path)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
        return path

    @classmethod
    def load(cls, path: str | PathLike[str], *, force: "Force | None" = None) -> "Simulation":
        """A simulation that `save` wrote. One that had a `force` needs it again: functions are not in the file."""
        setup, name = _native.restore(Path(path).read_bytes())
        check_function("force", name, force, str(path))
        simulation = cls(setup)
        simulation._force = force
        return simulation

    @classmethod
    def resume(
        cls,
        folder: str | PathLike[str],
        *,
        force: "Force | None" = None,
        callback: Callable[["Simulation"], object] | None = None,
        progress: bool = False,
        report: bool = True,
        checkpoint_every: float = 300.0,
    ) -> "Simulation":
        """Goes on with a run that `run(out=folder)` recorded and that was stopped or killed, and returns its simulation at the end.

        It begins at the last checkpoint: recording and final state are those of an undisturbed run, bit for bit. A run with a `force`
        or a `callback` needs them again; the callback is called after the records that come.
        """
        simulation, run = Run.reopen(cls, Path(folder), force, callback, checkpoint_every, progress)
        if run is not None:
            run.carry_out(simulation)
            if report:
                _native.write_report(Path(folder))
        return simulation

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), _native.state_bytes(self, None)), self.__dict__ or None

    def __copy__(self) -> "Simulation":
        copied = type(self)(_native.duplicate(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> "Simulation":
        copied = type(self)(_native.duplicate(self))
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return copied

    def add(
        self,
        outline: ArrayLike | float,
        position: ArrayLike = (0.0, 0.0),
        *,
        heading: float = 0.0,
        velocity: ArrayLike = (0.0, 0.0),
        angular_velocity: float = 0.0,
        thickness: float = 1.0,
        obstacle: bool = False,
        name: str = "",
        density: float = 917.0,
        friction: float = 0.7,
        restitution: float = 0.4,
    ) -> int:
        """Adds a body now, and returns its id: ids are given in order and never used again.

        The outline is as in `from_arrays`. A body that overlaps another, or a wall, is refused. Arrays such as
        `positions` have one row for each body that is in the world: `ids` says which.
        """
        body = _Body(
            name,
            _shape(0, outline),
            _broadcast("position", position, (2,)),
            float(heading),
            _broadcast("velocity", velocity, (2,)),
            float(angular_velocity),
            float(thickness),
            bool(obstacle),
        )
        scene = _Scene(
            title="",
            density=float(density),
            friction=float(friction),
            restitution=float(restitution),
            simultaneous=False,
            edges="free",
            corner=[0.0, 0.0],
            size=[0.0, 0.0],
            drag=False,
            wind=[0.0, 0.0],
            current=[0.0, 0.0],
            latitude=float("nan"),
            max_step=1.0,
            seed=1,
        )
        return _native.add_body(self, body, scene)

    def replace(
        self,
        body: int,
        outlines: Sequence[ArrayLike | float],
        positions: ArrayLike = 0.0,
        *,
        headings: ArrayLike = 0.0,
    ) -> NDArray[np.int64]:
        """Replaces the floe whose id is `body` by pieces, and returns their ids.

        Outlines are as in `from_arrays`; without `positions` they are in their places in the plane, as
        `placed_outlines` gives them. Pieces have the material, thickness and velocity of the floe. Differences of
        mass, momentum and energy are booked in the budgets. Pieces that overlap
        each other, another body or a wall are refused: leave a little water between them.
        """
        rows = len(outlines)
        places = _broadcast("positions", positions, (rows, 2))
        turns = _broadcast("headings", headings, (rows,))
        still = np.zeros(2)
        pieces = [
            _Body("", _shape(row, outline), places[row], float(turns[row]), still, 0.0, 1.0, False)
            for row, outline in enumerate(outlines)
        ]
        return np.asarray(_native.replace_body(self, int(body), pieces), dtype=np.int64)

    @property
    def contact(self) -> dict[str, Any]:
        """Statistics of contacts since the start, as in `banquise run --json`."""
        statistics: dict[str, Any] = json.loads(self.contact_json())
        return statistics

    @property
    def force(self) -> "Force | None":
        """A function of this simulation that gives the forces on its bodies for the next step, or `None`.

        It returns an array with a row for each body: force [N] eastward and northward, and a torque [N m] if there is a third
        column. It is called before every step, with the state at its start; contacts may make steps shorter than
        `max_step`. The work of these forces is in the budget of given forces. Obstacles feel none.
        """
        return getattr(self, "_force", None)

    @force.setter
    def force(self, force: "Force | None") -> None:
        self._force = force
        _native.set_loads(self, np.empty((0, 3)))

    def _apply_force(self) -> None:
        if self.force is None:
            return
        rows = np.asarray(self.force(self), dtype=float)
        if rows.ndim != 2 or rows.shape[1] not in (2, 3):
            raise InputError(f"the forces have the shape {rows.shape}", f"return an array of shape ({len(self)}, 2) or ({len(self)}, 3)")
        loads = np.zeros((len(rows), 3))
        loads[:, : rows.shape[1]] = rows
        _native.set_loads(self, loads)

    def step(self, count: int = 1) -> None:
        """Takes one step, or several. Contacts may make each shorter than `max_step`."""
        if self.force is None:
            super().step(count)
            return
        for _ in range(count):
            self._apply_force()
            super().step(1)

    def advance_to(self, time: float) -> None:
        """Steps until `time` [s] exactly. Other threads of Python run meanwhile."""
        if self.force is None or not np.isfinite(time):
            super().advance_to(time)
            return
        while self.time < time:
            self._apply_force()
            self.step_towards(time)

    def _advance_for(self, time: float, seconds: float) -> None:
        """Steps until `time` [s], or for so many seconds of wall time, and one step at least."""
        if self.force is None:
            self.advance_for(time, seconds)
        else:
            self._apply_force()
            self.step_towards(time)

    @property
    def collisions(self) -> dict[str, NDArray[Any]]:
        """The log of collisions, where the scenario asks for one (`report.collisions`): arrays by name.

        Rows that went into a recording are not among them: open it, and see `collision_time` and its like.
        """
        return _native.collision_columns(self)

    @property
    def line_tensions(self) -> NDArray[np.float64]:
        """Tensions of springs and lines in the last step [N]; NaN for one that is broken."""
        return _native.line_tensions(self)

    def run(
        self,
        until: float | None = None,
        *,
        record_every: float | None = None,
        out: str | PathLike[str] | None = None,
        callback: Callable[["Simulation"], object] | None = None,
        progress: bool = False,
        report: bool = True,
        checkpoint_every: float = 300.0,
    ) -> Path | None:
        """Steps until a time [s], by default the end that the scenario gives.

        With `out` the run is recorded in that folder, which must be new or empty, and its report page is
        made: what the command `banquise run` leaves. A checkpoint is written there every `checkpoint_every` seconds of wall time, and
        when the run is interrupted: `Simulation.resume` goes on from it. `callback` is called with this simulation
        after each record; if it answers `False`, the run ends there. `progress` shows a bar on stderr.
        """
        until = _default(until, self.duration, "until")
        every = _default(record_every, self.record_every, "record_every", otherwise=(until - self.time) / 200.0)
        folder = None if out is None else _new_folder(Path(out))
        Run.begin(self, folder, until, every, callback, checkpoint_every, progress).carry_out(self)
        if folder is not None and report:
            _native.write_report(folder)
        return folder

    def __repr__(self) -> str:
        floes = int((~self.is_obstacle).sum())
        return f"<banquise.Simulation {self.title!r}: {floes} floes, {self.time:g} s>"

    def _repr_html_(self) -> str:
        """A map of the bodies where they are now, and the numbers of the run, for notebooks."""
        floes = int((~self.is_obstacle).sum())
        fastest = np.hypot(*self.velocities.T).max(initial=0.0)
        rows = {
            "floes": floes,
            "obstacles": len(self) - floes,
            "time": _html.duration(self.time),
            "steps": self.steps,
            "fastest": f"{fastest:.3g} m/s",
            "kinetic energy": f"{self.kinetic_energy:.3g} J",
        }
        return _html.summary(self.title, rows, _html.drawing(self.placed_outlines(), self.is_obstacle))


@dataclass
class _Body:
    """A body as the native module reads it."""

    name: str
    shape: tuple[NDArray[np.float64], float]
    position: NDArray[np.float64]
    heading: float
    velocity: NDArray[np.float64]
    angular_velocity: float
    thickness: float
    is_obstacle: bool
    air_drag_coefficient: float = float("nan")
    ocean_drag_coefficient: float = float("nan")

    @property
    def outline(self) -> NDArray[np.float64]:
        return self.shape[0]

    @property
    def radius(self) -> float:
        return self.shape[1]


@dataclass
class _Scene:
    """A scene as the native module reads it."""

    title: str
    density: float
    friction: float
    restitution: float
    simultaneous: bool
    edges: str
    corner: list[float]
    size: list[float]
    drag: bool
    wind: list[float]
    current: list[float]
    latitude: float
    max_step: float
    seed: int


def _broadcast(what: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=float)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise InputError(f"{what} has the shape {array.shape}", f"it must be {shape}") from None


def _pair(what: str, values: ArrayLike) -> list[float]:
    return [float(value) for value in _broadcast(what, values, (2,))]


def _shape(row: int, outline: ArrayLike | float) -> tuple[NDArray[np.float64], float]:
    """Vertices and radius: one of them counts."""
    array = np.asarray(outline, dtype=float)
    if array.ndim == 0:
        return np.empty((0, 2)), float(array)
    if array.ndim != 2 or array.shape[1] != 2 or array.shape[0] == 0:
        raise InputError(
            f"the outline of body {row} has the shape {array.shape}",
            "give an array of x and y, or the radius of a disc",
        )
    return np.ascontiguousarray(array), 0.0


def _default(value: float | None, own: float, what: str, otherwise: float | None = None) -> float:
    if value is not None:
        found = float(value)
    elif np.isfinite(own):
        found = own
    elif otherwise is not None:
        found = otherwise
    else:
        raise InputError(f"`{what}` is missing", f"give {what}=… in seconds")
    if not (np.isfinite(found) and found > 0.0):
        raise InputError(f"`{what}` is {found} s", "give a positive number of seconds")
    return found


def _new_folder(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"`{folder}` holds something already", "name a new folder: nothing is overwritten")
    return folder


def _restored(kind: type[Simulation], state: bytes) -> Simulation:
    """A simulation from a pickle."""
    return kind(_native.restore(state)[0])
