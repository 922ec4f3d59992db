"""Recordings as datasets of xarray, and their pictures."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _html
from ._errors import InputError, RecordingError

if TYPE_CHECKING:
    import matplotlib.axes
    import xarray

DISC_CORNERS = 64


def open(folder: str | PathLike[str], **options: Any) -> "xarray.Dataset":
    """Opens the recording of a run as a dataset of xarray; needs `xarray` and `zarr`.

    `folder` is the directory of the run, or that of its dataset. Options go to `xarray.open_zarr`.
    """
    import xarray

    path = Path(folder)
    if path.name != "recording.zarr":
        path = path / "recording.zarr"
    if not (path / "zarr.json").is_file():
        raise RecordingError(f"there is no recording in {folder}", "name the directory of a run")
    dataset: xarray.Dataset = xarray.open_zarr(path, **options)
    return dataset


def outlines_at(dataset: "xarray.Dataset", t: Any = -1, *, wrap: bool = True) -> list[NDArray[np.float64]]:
    """Outlines of all bodies in their places [m] at a time, one array of x and y for each.

    `t` is a time in seconds or a date, taken from the nearest record, or an `int`, the number of a record. In a
    periodic domain `wrap` brings their centres into the cell. A true disc is a polygon of 64 corners. A floe that was
    cut has the outline of that time. The outline of a body that is not in the world then is nowhere: all its numbers
    are NaN.
    """
    frame = _at(dataset, t)
    position = np.stack([frame["x"].values, frame["y"].values], axis=1)
    domain = dataset.attrs.get("domain", {})
    if wrap and domain.get("edges") == "periodic":
        low, high = np.array(domain["min_m"]), np.array(domain["max_m"])
        position = low + (position - low) % (high - low)
    outlines = []
    first, later = _own_outlines(dataset, "outline_", ""), {}
    if "outline_version_body" in dataset:
        versions = _own_outlines(dataset, "outline_version_", "outline_version_")
        until = _version_count(dataset, frame)
        later = {int(body): versions(row) for row, body in enumerate(dataset["outline_version_body"].values[:until])}
    for row, heading in enumerate(frame["heading"].values):
        own = later[row] if row in later else first(row)
        cosine, sine = np.cos(heading), np.sin(heading)
        outlines.append(own @ np.array([[cosine, sine], [-sine, cosine]]) + position[row])
    return outlines


def _own_outlines(dataset: "xarray.Dataset", ring: str, disc: str) -> Callable[[int], NDArray[np.float64]]:
    """Outlines in their own frames [m], by row."""
    vertices = np.stack([dataset[f"{ring}x"].values, dataset[f"{ring}y"].values], axis=1)
    starts, counts = dataset[f"{ring}start"].values, dataset[f"{ring}count"].values
    turns = 2.0 * np.pi * np.arange(DISC_CORNERS) / DISC_CORNERS
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    center = np.stack([dataset[f"{disc}disc_center_{axis}"].values for axis in "xy"], axis=1)
    radius = dataset[f"{disc}disc_radius"].values

    def own(row: int) -> NDArray[np.float64]:
        if counts[row]:
            outline: NDArray[np.float64] = vertices[starts[row] : starts[row] + counts[row]]
            return outline
        disc: NDArray[np.float64] = center[row] + radius[row] * circle
        return disc

    return own


def _version_count(dataset: "xarray.Dataset", frame: "xarray.Dataset") -> int:
    """How many versions of outlines there are up to the time of a record."""
    seconds = _seconds(dataset, frame["time"].values)
    # Dates are rounded to nanoseconds.
    return int(np.searchsorted(dataset["outline_version_time"].values, seconds + 1e-8, side="right"))


def _seconds(dataset: "xarray.Dataset", times: Any) -> Any:
    """Times since the start of the run [s]."""
    if not np.issubdtype(times.dtype, np.datetime64):
        return times
    start = str(dataset["time"].encoding["units"]).partition("since ")[2]
    return (times - np.datetime64(start)) / np.timedelta64(1, "s")


def exceedance(values: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The exceedance curve of some values: each distinct one above zero, and the share of all values that reach it.

    Missing values count as not reaching anything. The loads of an obstacle: see `load_force` and `load_pressure` of the
    accessor.
    """
    array = np.nan_to_num(np.asarray(values, dtype=float).ravel(), nan=0.0)
    array.sort()
    levels, first = np.unique(array, return_index=True)
    shares = 1.0 - first / max(array.size, 1)
    is_some = levels > 0.0
    return levels[is_some], shares[is_some]


def _at(dataset: "xarray.Dataset", t: Any) -> "xarray.Dataset":
    """One record."""
    if isinstance(t, (int, np.integer)) and not isinstance(t, bool):
        return dataset.isel(time=t)
    times = dataset["time"].values
    if np.issubdtype(times.dtype, np.datetime64):
        if isinstance(t, (float, np.floating)):
            t = times[0] + np.timedelta64(round(t * 1e9), "ns")
        t = np.datetime64(t)
    return dataset.isel(time=int(np.abs(times - t).argmin()))


class BanquiseAccessor:
    """Accessor `dataset.banquise` of a recording: speeds, loads, outlines and plots."""

    def __init__(self, dataset: "xarray.Dataset") -> None:
        self._dataset = dataset

    def __repr__(self) -> str:
        sizes = self._dataset.sizes
        return f"<banquise recording {self._dataset.attrs.get('title', '')!r}: {sizes['body']} bodies, {sizes['time']} records>"

    def _repr_html_(self) -> str:
        """A map of the last record and the numbers of the run, for notebooks; the dataset itself lists its variables."""
        dataset = self._dataset
        is_obstacle = dataset["is_obstacle"].values.astype(bool)
        last = _at(dataset, -1)
        rows = {
            "floes": int((~is_obstacle).sum()),
            "obstacles": int(is_obstacle.sum()),
            "records": dataset.sizes["time"],
            "last": _html.duration(float(_seconds(dataset, last["time"].values))),
            "status": dataset.attrs.get("status", ""),
            "state hash": dataset.attrs.get("state_hash", ""),
        }
        return _html.summary(str(dataset.attrs.get("title", "")), rows, _html.drawing(outlines_at(dataset), is_obstacle))

    @property
    def speed(self) -> "xarray.DataArray":
        """Speeds of all bodies [m/s]."""
        import xarray

        x, y = self._dataset["velocity_x"], self._dataset["velocity_y"]
        speed: xarray.DataArray = xarray.apply_ufunc(np.hypot, x, y, dask="allowed")
        return speed.rename("speed").assign_attrs(units="m s-1", long_name="speed")

    @property
    def load_force(self) -> "xarray.DataArray":
        """Mean normal forces on obstacles and walls between records [N]; the time is that of the later record."""
        dataset = self._dataset
        elapsed = np.diff(_seconds(dataset, dataset["time"].values))
        force = dataset["load_normal"].diff("time") / elapsed[:, None]
        return force.rename("load_force").assign_attrs(
            units="N", long_name="mean normal force on the obstacle since the record before"
        )

    @property
    def load_pressure(self) -> "xarray.DataArray":
        """Mean pressures of ice that is crushed on obstacles and walls between records [Pa]; missing where none is.

        The force of contacts that crush ice over the area of crushing, chord times thickness.
        """
        area = self._dataset["load_crushing_area"].diff("time")
        pressure = (self._dataset["load_crushing"].diff("time") / area).where(area > 0.0)
        return pressure.rename("load_pressure").assign_attrs(
            units="Pa", long_name="mean pressure of crushing on the obstacle since the record before"
        )

    def in_time(self, name: str) -> "xarray.DataArray":
        """`area`, `mass` or `inertia` of all bodies in every record: floes that were cut have less from then on."""
        import xarray

        dataset = self._dataset
        values = dataset[name].expand_dims(time=dataset["time"]).copy(deep=True)
        if f"outline_version_{name}" in dataset:
            times = _seconds(dataset, dataset["time"].values)
            versions = zip(
                dataset["outline_version_body"].values,
                dataset["outline_version_time"].values,
                dataset[f"outline_version_{name}"].values,
            )
            for body, time, value in versions:
                values[{"time": times + 1e-8 >= time, "body": int(body)}] = value
        result: xarray.DataArray = values.where(dataset["x"].notnull())
        return result

    def at(self, t: Any) -> "xarray.Dataset":
        """The record nearest to a time in seconds or a date, or the one of that number."""
        return _at(self._dataset, t)

    def outlines(self, t: Any = -1, *, wrap: bool = True) -> list[NDArray[np.float64]]:
        """Outlines of all bodies in their places: see `banquise.outlines_at`."""
        return outlines_at(self._dataset, t, wrap=wrap)

    def plot(
        self,
        t: Any = -1,
        *,
        color: str = "speed",
        ax: "matplotlib.axes.Axes | None" = None,
        cmap: str = "viridis",
        vmin: float | None = None,
        vmax: float | None = None,
        colorbar: bool = True,
    ) -> "matplotlib.axes.Axes":
        """Draws floes and obstacles at a time, with matplotlib.

        `color` is `speed`, or a variable with one value for each body, like `thickness` or `contact_impulse`.
        """
        import matplotlib.pyplot as plt
        from matplotlib.collections import PolyCollection

        dataset, frame = self._dataset, _at(self._dataset, t)
        values = self._values(frame, color)
        is_there = np.isfinite(frame["x"].values)
        outlines = [outline for outline, is_here in zip(outlines_at(dataset, t), is_there) if is_here]
        extent = np.ptp(np.concatenate([*outlines, np.zeros((0, 2))]), axis=0).max(initial=0.0)
        scale, unit = (1000.0, "km") if extent > 2000.0 else (1.0, "m")
        outlines = [outline / scale for outline in outlines]
        if ax is None:
            _, ax = plt.subplots(figsize=(7.0, 6.0), layout="constrained")
        is_obstacle = dataset["is_obstacle"].values[is_there]
        rocks = [outline for outline, is_rock in zip(outlines, is_obstacle) if is_rock]
        floes = [outline for outline, is_rock in zip(outlines, is_obstacle) if not is_rock]
        ax.add_collection(PolyCollection(rocks, facecolor="0.55", edgecolor="0.3", linewidth=0.5))
        drawn = PolyCollection(floes, cmap=cmap, edgecolor="0.25", linewidth=0.4)
        drawn.set_array(values.values[is_there][~is_obstacle])
        drawn.set_clim(vmin, vmax)
        ax.add_collection(drawn)
        domain = dataset.attrs.get("domain", {})
        if "min_m" in domain:
            (west, south), (east, north) = np.array([domain["min_m"], domain["max_m"]]) / scale
            ax.plot([west, east, east, west, west], [south, south, north, north, south], color="0.2", linewidth=1.0)
        ax.autoscale_view()
        ax.set_aspect("equal")
        ax.set_xlabel(f"x [{unit}]")
        ax.set_ylabel(f"y [{unit}]")
        ax.set_title(_title(dataset, frame))
        if colorbar and ax.figure is not None:
            label = f"{color.replace('_', ' ')} [{values.attrs.get('units', '1')}]"
            ax.figure.colorbar(drawn, ax=ax, label=label, shrink=0.85)
        return ax

    def _values(self, frame: "xarray.Dataset", color: str) -> "xarray.DataArray":
        if color == "speed":
            return BanquiseAccessor(frame).speed
        if f"outline_version_{color}" in frame and color in frame:
            return self._with_versions(frame, color)
        if color in frame and frame[color].dims == ("body",):
            return frame[color]
        choices = [str(name) for name, value in frame.items() if value.dims == ("body",)]
        raise InputError(f"there is no variable `{color}` of bodies", f"there are speed, {', '.join(choices)}")

    def _with_versions(self, frame: "xarray.Dataset", name: str) -> "xarray.DataArray":
        """A variable of bodies that a cut changes, at the time of a record."""
        values = frame[name].copy(deep=True)
        until = _version_count(self._dataset, frame)
        bodies = frame["outline_version_body"].values[:until]
        for body, value in zip(bodies, frame[f"outline_version_{name}"].values[:until]):
            values[int(body)] = value
        return values


def _title(dataset: "xarray.Dataset", frame: "xarray.Dataset") -> str:
    time = frame["time"].values
    if np.issubdtype(time.dtype, np.datetime64):
        when = str(np.datetime_as_string(time, unit="s")).replace("T", " ")
    else:
        hours = float(time) / 3600.0
        when = f"{float(time):g} s" if hours < 1.0 else f"{hours:g} h"
    return f"{dataset.attrs.get('title', '')}: {when}"


def _register() -> None:
    try:
        import xarray
    except ImportError:
        return
    register: Callable[[str], Callable[[type], type]] = xarray.register_dataset_accessor
    register("banquise")(BanquiseAccessor)


_register()
