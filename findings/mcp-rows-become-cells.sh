#!/usr/bin/env bash
# mcp 2.3.0 (the SDK's MCPServer) beside fastmcp 4.2.3, Python 3.11.
#
# A tool returns rows, `list[list[str]]`. The SDK makes one text of each cell: the borders of the rows are gone from `content`,
# which is what most clients show to the model. fastmcp writes the rows as JSON in one text. Without a row both send no content,
# as for None, so that "nothing found" looks like no reply. The right value is in `structured_content`, for clients that read
# it.
#
# Output (texts of the content):
#   mcp: rows ['gate 4', 'free', 'gate 5', 'closed'], no rows [], None []
#   fastmcp: rows ['[["gate 4","free"],["gate 5","closed"]]'], no rows [], None []
#
# Most would guess that a list in a list is one value and comes as JSON, as a dictionary of the same tool does.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mcp==2.3.0 fastmcp==4.2.3
cat > "$work/rows.py" <<'PYTHON'
import asyncio
import logging
import sys

import fastmcp
import mcp
from mcp.server.mcpserver import MCPServer

logging.disable(logging.CRITICAL)


def rows() -> list[list[str]]:
    return [["gate 4", "free"], ["gate 5", "closed"]]


def none_found() -> list[list[str]]:
    return []


def nothing() -> str | None:
    return None


async def contents():
    official, other = MCPServer("official"), fastmcp.FastMCP("other")
    for server in (official, other):
        for tool in (rows, none_found, nothing):
            server.tool()(tool)
    found = {}
    async with mcp.Client(official) as first, fastmcp.Client(other) as second:
        for name, client in {"mcp": first, "fastmcp": second}.items():
            results = [await client.call_tool(tool, {}) for tool in ("rows", "none_found", "nothing")]
            assert results[0].structured_content == {"result": rows()}, results[0]
            found[name] = [[block.text for block in result.content] for result in results]
            print(f"{name}: rows {found[name][0]}, no rows {found[name][1]}, None {found[name][2]}")
    return found


sys.exit(0 if asyncio.run(contents()) == {
    "mcp": [["gate 4", "free", "gate 5", "closed"], [], []],
    "fastmcp": [['[["gate 4","free"],["gate 5","closed"]]'], [], []],
} else 1)
PYTHON
"$work/env/bin/python" "$work/rows.py"
