"""Lists what is to be done, and waits for changes: python items.py CONVERSATION"""

import os
import sys

from nexus_chat import FileSessionStore, Nexus

store = FileSessionStore("session.json")
with Nexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
    cursor = None
    while True:
        changes = nexus.item_changes("action-items", sys.argv[1], cursor)
        for item in changes.items:
            print(f"{item.text} ({item.person or 'nobody'}, {item.due or 'no date'}): {item.status}")
        print(f"{len(changes.items)} items changed", flush=True)
        cursor = changes.next
