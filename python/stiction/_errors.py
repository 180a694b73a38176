"""What can go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._outcome import Outcome


class Error(Exception):
    """Any error of this package."""


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong with a scenario.

    Attributes
    ----------
    key : str
        Path of the key, with dots; empty for the scenario as a whole.
    message : str
        What is, and what must be.
    place : str or None
        File and line, or the override.
    hint : str or None
        The way out.
    """

    key: str
    message: str
    place: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        text = f"{self.key}: {self.message}" if self.key else self.message
        if self.place:
            text += f"\n  --> {self.place}"
        if self.hint:
            text += f"\nhint: {self.hint}"
        return text


class ScenarioError(Error, ValueError):
    """A law, a patch or a scenario that cannot be computed.

    Attributes
    ----------
    diagnostics : list of Diagnostic
        Everything that is wrong, each at its key.
    """

    def __init__(self, diagnostics: list[tuple[str, str, str | None, str | None]]) -> None:
        self.diagnostics = [Diagnostic(*row) for row in diagnostics]
        super().__init__("\n\n".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[list[tuple[str, str, str | None, str | None]]]]:
        return ScenarioError, ([(d.key, d.message, d.place, d.hint) for d in self.diagnostics],)


class RunError(Error, RuntimeError):
    """A run that came to no result.

    Attributes
    ----------
    message : str
        What happened, and when.
    hint : str or None
        The way out.
    outcome : Outcome or None
        What was finished before the run was stopped, marked as incomplete. A `KeyboardInterrupt` carries it, too.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        self.outcome: Outcome | None = None
        super().__init__(f"{message}\nhint: {hint}" if hint else message)

    def __reduce__(self) -> tuple[type[RunError], tuple[str, str | None], dict[str, Outcome | None]]:
        return RunError, (self.message, self.hint), {"outcome": self.outcome}


class InternalError(Error):
    """A mistake of this package: please report it with the scenario that shows it.

    Attributes
    ----------
    message : str
        What happened, and where in the source.
    hint : str
        How to report it.
    """

    def __init__(self, message: str, hint: str) -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"internal error: {message}\nhint: {hint}")

    def __reduce__(self) -> tuple[type[InternalError], tuple[str, str]]:
        return InternalError, (self.message, self.hint)
