"""Makes a group and writes into it: python post.py GROUP-NAME OTHER-USER TEXT"""

import os
import sys

from nexus_chat import FileSessionStore, Nexus

store = FileSessionStore("session.json")
with Nexus(os.environ.get("NEXUS_URL", "http://127.0.0.1:8080"), session_store=store) as nexus:
    name, other, text = sys.argv[1:]
    groups = [group for group in nexus.all_conversations() if group.name == name]
    group = groups[0] if groups else nexus.create_conversation(name, [nexus.me().user_id, other])
    posted = nexus.post(group.id, text)
    print(f"{group.id} has message {posted.seq}")
