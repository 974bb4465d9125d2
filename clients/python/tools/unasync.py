"""Writes the client for threads, `src/nexus_chat/_sync`, from the one for asyncio: `python tools/unasync.py`.

With `--check` it changes nothing and fails if a file is not what it would write.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "nexus_chat" / "_async"
TARGET = SOURCE.parent / "_sync"
#: Written by hand in both.
OWN = {"_io.py"}
NOTE = "# Made from ../_async by tools/unasync.py: change it there.\n"

RULES = [
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsyncGenerator\[(.*), None\]", r"Generator[\1, None, None]"),
    (r"\bAsyncGenerator\b", "Generator"),
    (r"\baclosing\b", "closing"),
    (r"\bAsync(Iterator|Iterable)\b", r"\1"),
    (r"\bAwaitable\[(dict\[str, Any\])\]", r"\1"),
    (r"\bAwaitable, ", ""),
    (r"\bAsync([A-Z]\w+)\b", r"\1"),
    (r"__a(enter|exit|iter)__", r"__\1__"),
    (r"\ba(close|read)\(", r"\1("),
    (r"`aclose`", "`close`"),
    (r"\baiter_(bytes|raw|lines)\b", r"iter_\1"),
    (r"The client for asyncio and trio", "The client for threads"),
]


def converted(text: str) -> str:
    """The text of a file of the other client."""
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    return NOTE + re.sub(r"from collections\.abc import (.*)", _sorted_names, text)


def _sorted_names(match: re.Match[str]) -> str:
    return "from collections.abc import " + ", ".join(sorted(set(match[1].split(", "))))


def main() -> int:
    """Writes or checks all files."""
    files = {path.name: converted(path.read_text("utf-8")) for path in SOURCE.glob("*.py") if path.name not in OWN}
    if "--check" not in sys.argv[1:]:
        for name, text in files.items():
            (TARGET / name).write_text(text, "utf-8")
        return 0
    present = {path.name: path.read_text("utf-8") for path in TARGET.glob("*.py") if path.name not in OWN}
    wrong = sorted(name for name in files.keys() | present.keys() if files.get(name) != present.get(name))
    for name in wrong:
        print(f"_sync/{name} is old: run python tools/unasync.py", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
