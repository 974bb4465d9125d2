"""Follows everything that changes, and continues where it stopped: python follow.py"""

import asyncio
import os
from pathlib import Path

from nexus_chat import AsyncNexus, FileSessionStore
from nexus_chat.events import Frame


async def main() -> None:
    position, store = Path("cursor.txt"), FileSessionStore("session.json")
    async with AsyncNexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
        async with nexus.follow(position.read_text() if position.exists() else None) as feed:
            async for event in feed:
                print(type(event).__name__, flush=True)
                if isinstance(event, Frame):
                    print(*event.changes, sep="\n", flush=True)
                    position.write_text(event.cursor)


asyncio.run(main())
