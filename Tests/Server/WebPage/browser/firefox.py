#!/usr/bin/env python3
"""Starts Firefox for Playwright, which speaks WebDriver BiDi with it, and answers the commands that this Firefox does not know.

Playwright emulates colours and motion with emulation.setMediaFeaturesOverride; Firefox ESR has preferences for them.
"""

import asyncio
import json
import os
import re
import signal
import sys

import websockets

UNKNOWN = {"emulation.setMediaFeaturesOverride"}
LISTENING = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")


async def relay(client, address):
    async with websockets.connect(address + client.request.path, max_size=None, ping_interval=None) as firefox:
        async def forth():
            async for text in client:
                command = json.loads(text)
                if command.get("method") in UNKNOWN:
                    await client.send(json.dumps({"type": "success", "id": command["id"], "result": {}}))
                else:
                    await firefox.send(text)

        async def back():
            async for text in firefox:
                await client.send(text)

        tasks = [asyncio.create_task(work()) for work in (forth, back)]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()


async def main():
    process = await asyncio.create_subprocess_exec(
        os.environ.get("FIREFOX", "firefox-esr"), *sys.argv[1:], stderr=asyncio.subprocess.PIPE)
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, process.terminate)
    server = None
    while line := await process.stderr.readline():
        found = LISTENING.search(line)
        if found and not server:
            address = found[1].decode()
            server = await websockets.serve(lambda client: relay(client, address), "127.0.0.1", 0, max_size=None, ping_interval=None)
            port = server.sockets[0].getsockname()[1]
            line = f"WebDriver BiDi listening on ws://127.0.0.1:{port}\n".encode()
        sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()
    sys.exit(await process.wait())


asyncio.run(main())
