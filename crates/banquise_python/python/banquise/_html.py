"""What notebooks show of a world: a small map and a table."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

# Pixels of the longer side of a map.
SIDE = 320.0
# Of more bodies a map is a grey patch, and as large as the notebook.
MAX_DRAWN = 5000


def summary(title: str, rows: Mapping[str, object], drawing: str = "") -> str:
    """A table with a drawing beside it, as HTML."""
    cells = "".join(f"<tr><th style='text-align:left'>{escape(key)}</th><td>{escape(str(value))}</td></tr>" for key, value in rows.items())
    return (
        f"<div style='display:flex;gap:1em;align-items:center'>{drawing}"
        f"<div><b>{escape(title)}</b><table>{cells}</table></div></div>"
    )


def drawing(outlines: Sequence[NDArray[np.float64]], is_obstacle: Sequence[bool] | NDArray[np.bool_]) -> str:
    """A map of outlines [m] as SVG; nothing where there are none, or too many."""
    there = [row for row, outline in enumerate(outlines) if np.isfinite(outline).all()]
    if not there or len(there) > MAX_DRAWN:
        return ""
    points = np.concatenate([outlines[row] for row in there])
    low, high = points.min(axis=0), points.max(axis=0)
    extent = np.maximum(high - low, 1e-9)
    scale = SIDE / extent.max()
    width, height = scale * extent + 2.0
    paths = []
    for row in there:
        x, y = scale * (outlines[row] - low).T + 1.0
        corners = " ".join(f"{px:.1f},{height - py:.1f}" for px, py in zip(x, y))
        color = "#8c8c8c" if is_obstacle[row] else "#dbeaf5"
        paths.append(f"<polygon points='{corners}' fill='{color}'/>")
    return (
        f"<svg width='{width:.0f}' height='{height:.0f}' style='background:#1d4e79' stroke='#33475b' "
        f"stroke-width='0.5'>{''.join(paths)}</svg>"
    )


def duration(seconds: float) -> str:
    """A duration for people."""
    for unit, name in [(86400.0, "d"), (3600.0, "h"), (60.0, "min")]:
        if seconds >= unit:
            return f"{seconds / unit:.4g} {name}"
    return f"{seconds:.4g} s"
