#!/usr/bin/env bash
# smolagents 1.26.0 (mcpadapt 0.1.19) and mcp 1.30.0 beside langchain-mcp-adapters 0.3.2, Python 3.11, with a server of fastmcp
# 4.2.3.
#
# An MCP server may list its tools in pages, with a cursor to the next one; fastmcp does so with `list_page_size`. smolagents
# reads the first page and takes it for all: its agent does not know the other tools, and nothing says that there are more.
# `ClientSession.list_tools()` of the SDK, which it calls, gives one page and the cursor. The adapters of LangChain, and
# fastmcp's own client, read to the end.
#
# Output (a server with five tools, in pages of two):
#   mcp: tool1 tool2, and a cursor
#   smolagents: tool1 tool2
#   langchain-mcp-adapters: tool1 tool2 tool3 tool4 tool5
#   fastmcp: tool1 tool2 tool3 tool4 tool5
#
# Most would guess that a method called `list_tools` lists the tools, or at least that a framework that offers a server's tools
# offers all of them.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/server"
"$work/server/bin/pip" install --quiet --disable-pip-version-check --no-compile fastmcp==4.2.3
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    smolagents==1.26.0 mcpadapt==0.1.19 mcp==1.30.0 langchain-mcp-adapters==0.3.2
cat > "$work/tools.py" <<'PYTHON'
import fastmcp

server = fastmcp.FastMCP("gates", list_page_size=2)
for number in range(1, 6):
    def tool(room: str) -> str:
        """Looks which gate of a room is free."""
        return room

    server.tool(tool, name=f"tool{number}")
if __name__ == "__main__":
    server.run(show_banner=False)
PYTHON
cat > "$work/own.py" <<'PYTHON'
import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main():
    async with Client(StdioTransport(sys.executable, [sys.argv[1]])) as client:
        print(*[tool.name for tool in await client.list_tools()])


asyncio.run(main())
PYTHON
cat > "$work/clients.py" <<'PYTHON'
import asyncio
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from smolagents import MCPClient

command, arguments = sys.argv[1], [sys.argv[2]]
parameters = StdioServerParameters(command=command, args=arguments)


async def by_sdk():
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        page = await session.list_tools()
        return [tool.name for tool in page.tools], page.nextCursor


async def by_langchain():
    client = MultiServerMCPClient({"gates": {"command": command, "args": arguments, "transport": "stdio"}})
    return [tool.name for tool in await client.get_tools()]


page, cursor = asyncio.run(by_sdk())
print(f"mcp: {' '.join(page)}{', and a cursor' if cursor else ''}")
with MCPClient(parameters, structured_output=False) as tools:
    first = [tool.name for tool in tools]
print(f"smolagents: {' '.join(first)}")
every = asyncio.run(by_langchain())
print(f"langchain-mcp-adapters: {' '.join(every)}")
two, five = ["tool1", "tool2"], [f"tool{number}" for number in range(1, 6)]
raise SystemExit(0 if page == first == two and cursor and every == five else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/clients.py" "$work/server/bin/python" "$work/tools.py" 2>/dev/null
own="$("$work/server/bin/python" -W ignore "$work/own.py" "$work/tools.py" 2>/dev/null)"
echo "fastmcp: $own"
[ "$own" = "tool1 tool2 tool3 tool4 tool5" ]
