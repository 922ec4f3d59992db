"""Errors of this module."""


class BanquiseError(Exception):
    """Base of all errors of this module. `hint` says how to avoid the error; it is part of the message too."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\nhint: {hint}" if hint else message)
        self.hint = hint


class InputError(BanquiseError, ValueError):
    """Values that cannot be used."""


class ScenarioError(InputError):
    """A scenario with problems; the message shows each with its place."""


class StepError(BanquiseError, RuntimeError):
    """A step that failed for a physical or numerical reason."""


class RecordingError(BanquiseError, OSError):
    """A recording that cannot be read or written."""

    def __init__(self, message: str, hint: str = "") -> None:
        BanquiseError.__init__(self, message, hint)

    def __str__(self) -> str:
        return str(self.args[0])
