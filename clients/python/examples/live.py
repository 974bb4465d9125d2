"""Shows a conversation live, until it is stopped: python live.py CONVERSATION"""

import os
import sys

from nexus_chat import FileSessionStore, Nexus

store = FileSessionStore("session.json")
with Nexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
    with nexus.watch_conversation(sys.argv[1]) as live:
        for messages in live:
            lines = [f"{message.timestamp:%H:%M} {message.sender_name}: {message.text}" for message in messages]
            print("\n".join(["", *lines[-10:]]), flush=True)
