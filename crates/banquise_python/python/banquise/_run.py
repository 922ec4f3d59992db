"""Runs that are recorded: their records, callbacks and checkpoints."""

import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native
from ._errors import InputError

if TYPE_CHECKING:
    from ._simulation import Force, Simulation

    Kind = TypeVar("Kind", bound=Simulation)


def function_name(function: Callable[..., Any] | None) -> str | None:
    """The name of a function, for people."""
    if function is None:
        return None
    return str(getattr(function, "__qualname__", type(function).__qualname__))


def check_function(what: str, name: str | None, given: Callable[..., Any] | None, source: str) -> None:
    """A function is no part of a file: one that was there must be given again, and none may be new."""
    if name is not None and given is None:
        raise InputError(f"`{source}` had the {what} `{name}`, and functions are not kept in files", f"give it again: {what}=…")
    if name is None and given is not None:
        raise InputError(f"`{source}` had no {what}", f"go on without {what}=…: with it, it would be another run")


class Run:
    """A run from the present state of a simulation to its end."""

    def __init__(
        self,
        until: float,
        every: float,
        callback: "Callable[[Simulation], object] | None",
        recorder: "_native.Recorder | None",
        bar: "_Bar | None",
    ) -> None:
        self.until, self.every, self.callback, self.recorder, self.bar = until, every, callback, recorder, bar
        self.is_new = True
        # Time of the record that is next, or whose callback is under way [s].
        self.moment = -math.inf

    @classmethod
    def begin(
        cls,
        simulation: "Simulation",
        folder: Path | None,
        until: float,
        every: float,
        callback: "Callable[[Simulation], object] | None",
        checkpoint_every: float,
        progress: bool,
    ) -> "Run":
        """A run that begins now."""
        recorder = None
        if folder is not None:
            force, called = function_name(simulation.force), function_name(callback)
            plan = {"until": until, "every": every, "force": force, "callback": called}
            recorder = _native.Recorder(folder, simulation, json.dumps(plan), checkpoint_every)
        bar = _Bar(simulation.time, until) if progress else None
        return cls(until, every, callback, recorder, bar)

    @classmethod
    def reopen(
        cls,
        kind: "type[Kind]",
        folder: Path,
        force: "Force | None",
        callback: "Callable[[Simulation], object] | None",
        checkpoint_every: float,
        progress: bool,
    ) -> "tuple[Kind, Run | None]":
        """A run that was stopped, from its last checkpoint; `None` where it is complete."""
        plan = json.loads(_native.run_plan(folder))
        check_function("force", plan["force"], force, str(folder))
        check_function("callback", plan["callback"], callback, str(folder))
        setup, recorder = _native.reopen(folder, checkpoint_every)
        simulation = kind(setup)
        if force is not None:
            simulation.force = force
        if recorder is None:
            return simulation, None
        bar = _Bar(simulation.time, plan["until"]) if progress else None
        run = cls(plan["until"], plan["every"], callback, recorder, bar)
        run.is_new = False
        return simulation, run

    def carry_out(self, simulation: "Simulation") -> None:
        """Steps and records until the end, an interrupt or a failure."""
        recorder, status = self.recorder, "failed"
        try:
            if recorder is not None and self.is_new:
                recorder.record(simulation)
                recorder.checkpoint(simulation)
            status = self._step(simulation)
            if recorder is not None:
                recorder.checkpoint(simulation)
        except KeyboardInterrupt:
            # The state it was stopped in is the last record, as with the command.
            status = "interrupted"
            if recorder is not None:
                # A record or a callback that is broken off is made again from the checkpoint before it.
                if simulation.time < self.moment:
                    recorder.checkpoint(simulation)
                recorder.record(simulation)
            raise
        finally:
            if self.bar is not None:
                self.bar.clear()
            if recorder is not None:
                recorder.finish(simulation, status)

    def _step(self, simulation: "Simulation") -> str:
        start = simulation.time
        for moment in _native.record_times(self.until, self.every):
            if moment <= start:
                continue
            self.moment = moment
            self._advance(simulation, moment)
            if self.recorder is not None:
                self.recorder.record(simulation)
            if self.bar is not None:
                self.bar.show(moment)
            if self.callback is not None and self.callback(simulation) is False:
                return "interrupted"
            self._checkpoint_if_due(simulation)
        return "complete"

    def _advance(self, simulation: "Simulation", moment: float) -> None:
        if self.recorder is None:
            simulation.advance_to(moment)
            return
        while simulation.time < moment:
            simulation._advance_for(moment, self.recorder.seconds_left())
            # At the moment itself the record comes first.
            if simulation.time < moment:
                self._checkpoint_if_due(simulation)

    def _checkpoint_if_due(self, simulation: "Simulation") -> None:
        if self.recorder is not None and self.recorder.seconds_left() == 0.0:
            self.recorder.checkpoint(simulation)


class _Bar:
    """A progress bar on stderr."""

    WIDTH = 32

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end, self.began, self.shown = start, end, time.monotonic(), 0.0

    def show(self, moment: float) -> None:
        now = time.monotonic()
        if now - self.shown < 0.1 and moment < self.end:
            return
        self.shown = now
        share = (moment - self.start) / (self.end - self.start)
        full = round(share * self.WIDTH)
        left = (now - self.began) * (1.0 - share) / max(share, 1e-9)
        text = f"\r{'█' * full}{'░' * (self.WIDTH - full)} {share:4.0%}  {moment:g} of {self.end:g} s  {left:.0f} s left "
        sys.stderr.write(text)
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write("\r" + " " * 100 + "\r")
        sys.stderr.flush()
