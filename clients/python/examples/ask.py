"""Asks, and prints the answer while it is made: python ask.py QUESTION"""

import os
import sys

from nexus_chat import FileSessionStore, Nexus
from nexus_chat.events import SourcesFound, TextAdded

store = FileSessionStore("session.json")
with Nexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
    with nexus.ask_stream(sys.argv[1]) as answer:
        for event in answer:
            if isinstance(event, SourcesFound):
                print(f"{len(event.sources)} messages found")
            elif isinstance(event, TextAdded):
                print(event.text, end="", flush=True)
        print("", *(f"[{source.number}] {source.sender_name}: {source.excerpt}" for source in answer.sources), sep="\n")
