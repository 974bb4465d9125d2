#!/usr/bin/env bash
# mcp 2.3.0 (the SDK's MCPServer) beside fastmcp 4.2.3, Python 3.11.
#
# A tool has an optional text, `label: str | None = None`, which its schema gives as "string or null". The SDK parses such an
# argument as JSON before it validates it, to help clients that send lists as text. If the text happens to be a list or an
# object in JSON, the call is refused ("should be a valid string"). If it is the word null, the tool gets None. Numbers, true,
# and a required `str` arrive as they were sent. So a tool that posts or searches text fails for the people who write about
# JSON, and only with optional texts.
#
# Output (mcp, fastmcp):
#   quay: 'quay', 'quay'
#   null: None, 'null'
#   true: 'true', 'true'
#   ["a"]: refused, '["a"]'
#   {"a": 1}: refused, '{"a": 1}'
#   null for a required text: 'null', 'null'
#
# Most would guess that a value which fits the schema reaches the function unchanged.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mcp==2.3.0 fastmcp==4.2.3
cat > "$work/texts.py" <<'PYTHON'
import asyncio
import logging
import sys

import fastmcp
import mcp
from mcp.server.mcpserver import MCPServer

logging.disable(logging.CRITICAL)


def optional(label: str | None = None) -> str:
    return repr(label)


def required(label: str) -> str:
    return repr(label)


async def reply(client, tool, text):
    try:
        result = await client.call_tool(tool, {"label": text})
    except fastmcp.exceptions.ToolError:
        return "refused"
    return "refused" if result.is_error else result.content[0].text


async def replies():
    official, other = MCPServer("official"), fastmcp.FastMCP("other")
    for server in (official, other):
        server.tool()(optional)
        server.tool()(required)
    found = []
    async with mcp.Client(official) as first, fastmcp.Client(other) as second:
        for tool, text in [*(("optional", text) for text in ("quay", "null", "true", '["a"]', '{"a": 1}')),
                           ("required", "null")]:
            row = [await reply(client, tool, text) for client in (first, second)]
            name = text if tool == "optional" else f"{text} for a required text"
            print(f"{name}: {', '.join(row)}")
            found.append([text if value == repr(text) else value for value in row])
    return found


expected = [["quay", "quay"], ["None", "null"], ["true", "true"], ["refused", '["a"]'], ["refused", '{"a": 1}'],
            ["null", "null"]]
sys.exit(0 if asyncio.run(replies()) == expected else 1)
PYTHON
"$work/env/bin/python" "$work/texts.py"
