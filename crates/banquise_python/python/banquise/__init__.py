"""Sea-ice floes that drift and collide.

    >>> import banquise
    >>> simulation = banquise.Simulation.from_scenario("three-discs")
    >>> simulation.run()
    >>> simulation.velocities        # a read-only array of NumPy, one row for each body

Numbers are SI: metres, seconds, kilograms, radians. The same inputs give the same bits as the command
`banquise`, for any number of threads.
"""

from ._dataset import exceedance, open, outlines_at
from ._errors import BanquiseError, InputError, RecordingError, ScenarioError, StepError
from ._native import version as __version__
from ._simulation import Simulation
from ._sweep import sweep
from ._tools import Pack, diagnostics, export, export_formats, pack, scenario_text, scenarios, solve

__all__ = [
    "BanquiseError",
    "InputError",
    "Pack",
    "RecordingError",
    "ScenarioError",
    "Simulation",
    "StepError",
    "__version__",
    "diagnostics",
    "exceedance",
    "export",
    "export_formats",
    "open",
    "outlines_at",
    "pack",
    "scenario_text",
    "scenarios",
    "solve",
    "sweep",
]
