"""Signs in, and keeps the session for the other examples: python sign_in.py USER, or the link of an invitation."""

import getpass
import os
import sys

from nexus_chat import FileSessionStore, Nexus

password = os.environ.get("NEXUS_PASSWORD") or getpass.getpass("Password: ")
store = FileSessionStore("session.json")
with Nexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
    if "/" in sys.argv[1]:
        account = nexus.accept_invitation(sys.argv[1], password)
    else:
        account = nexus.sign_in(sys.argv[1], password)
    print(f"signed in as {account.name}")
