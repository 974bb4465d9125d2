"""Sends a file and reads it back: python files.py CONVERSATION FILE"""

import os
import sys

from nexus_chat import FileSessionStore, Nexus

store = FileSessionStore("session.json")
with Nexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
    file = nexus.upload(sys.argv[2], on_progress=lambda sent, total: print(f"{sent} of {total} bytes"))
    posted = nexus.post(sys.argv[1], "Here it is.", attachments=[file.id])
    (attachment,) = nexus.message(sys.argv[1], posted.message_id).attachments
    nexus.download_to(file.id, f"copy-of-{attachment.name}")
