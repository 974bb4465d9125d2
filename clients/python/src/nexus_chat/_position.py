"""Positions of the feed: a cursor names a log, and how far each of its lanes was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Position:
    """What a cursor says."""

    log: str
    lanes: tuple[int, ...]

    @staticmethod
    def read(cursor: str) -> Position | None:
        """Reads a cursor, or returns `None` for one of an unknown form."""
        log, hyphen, numbers = cursor.rpartition("-")
        try:
            return Position(log, tuple(int(number) for number in numbers.split("."))) if hyphen else None
        except ValueError:
            return None

    def place_of(self, frame: dict[str, Any]) -> str:
        """Whether a frame is `next`, `known` already, or comes after a `gap`."""
        lane = frame.get("lane") or 0
        own = self.lanes[lane] if 0 <= lane < len(self.lanes) else None
        if own is None:
            return "gap"
        if frame.get("pos", 0) <= own:
            return "known"
        return "next" if frame.get("prev") == own else "gap"
