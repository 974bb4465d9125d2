#!/usr/bin/env bash
# mcp 2.3.0 (the SDK's MCPServer) beside fastmcp 4.2.3, Python 3.11.
#
# A tool has a text and an optional room: `post(text: str, room: str = "everybody")`. A model writes "channel" for the room, or misspells it.
# The server of the SDK drops an argument that the tool does not have, and posts to everybody; the reply is a success. The schema that
# it lists does not forbid further arguments either, so a client that checks calls against it lets the call pass. fastmcp refuses the
# call, and its schema says `additionalProperties: false`. A wrong type in a known argument is an error for both.
#
# Output:
#   mcp: additionalProperties null
#     {"text": "paid", "room": "pier"}: fits the schema, posted to pier
#     {"text": "paid", "channel": "pier"}: fits the schema, posted to everybody
#     {"text": "paid", "room": 4}: does not fit the schema, error
#   fastmcp: additionalProperties false
#     {"text": "paid", "room": "pier"}: fits the schema, posted to pier
#     {"text": "paid", "channel": "pier"}: does not fit the schema, error
#     {"text": "paid", "room": 4}: does not fit the schema, error
#
# Most would guess that a call with an argument that the tool does not have is an error, as it is in Python.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mcp==2.3.0 fastmcp==4.2.3 jsonschema==4.26.0
cat > "$work/calls.py" <<'PYTHON'
import asyncio
import json

import fastmcp
import jsonschema
import mcp
from mcp.server import MCPServer


def post(text: str, room: str = "everybody") -> str:
    return f"posted to {room}"


async def show(name, server, client):
    server.tool()(post)
    async with client(server) as session:
        tools = await session.list_tools()
        schema = getattr(tools, "tools", tools)[0].input_schema
        print(f"{name}: additionalProperties", json.dumps(schema.get("additionalProperties")))
        for arguments in ({"text": "paid", "room": "pier"}, {"text": "paid", "channel": "pier"}, {"text": "paid", "room": 4}):
            try:
                jsonschema.validate(arguments, schema)
                checked = "fits the schema"
            except jsonschema.ValidationError:
                checked = "does not fit the schema"
            try:
                result = await session.call_tool("post", arguments)
                reply = "error" if result.is_error else result.content[0].text
            except fastmcp.exceptions.ToolError:
                reply = "error"
            print(f"  {json.dumps(arguments)}: {checked}, {reply}")


asyncio.run(show("mcp", MCPServer("harbour"), mcp.Client))
asyncio.run(show("fastmcp", fastmcp.FastMCP("harbour"), fastmcp.Client))
PYTHON
"$work/env/bin/python" -W ignore "$work/calls.py" 2> "$work/log" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
mcp: additionalProperties null
  {"text": "paid", "room": "pier"}: fits the schema, posted to pier
  {"text": "paid", "channel": "pier"}: fits the schema, posted to everybody
  {"text": "paid", "room": 4}: does not fit the schema, error
fastmcp: additionalProperties false
  {"text": "paid", "room": "pier"}: fits the schema, posted to pier
  {"text": "paid", "channel": "pier"}: does not fit the schema, error
  {"text": "paid", "room": 4}: does not fit the schema, error
SEEN
