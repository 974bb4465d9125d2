#!/usr/bin/env bash
# langchain-community 0.4.2, Python 3.11.
#
# Two exports of a chat are loaded for an index. TelegramChatFileLoader takes only messages whose text is one piece: Telegram writes a
# text with an address, a mention, a hash tag or a bold word as a list of pieces, and all these messages are left out, while one without
# text stays. WhatsAppChatLoader looks at each line alone: of a message of several lines it keeps the first, and a person whose name
# has a hyphen, a point or parentheses says nothing at all, nor does anybody who is shown by a number, because
# the phone did not know the name. No error and no warning: what is left reads like a chat.
#
# Output:
#   Telegram, 5 messages:
#     Mara on 2026-05-12T10:05:00: gate 4 is shut
#     Ilse on 2026-05-12T10:09:00:
#   WhatsApp, 6 messages:
#     Mara on 12/05/2026, 10:05: gate 4 is shut
#     Mara on 12/05/2026, 10:06: the keys are:
#
# Most would guess that a loader of an export gives all messages of it, or says what it cannot read.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile langchain-community==0.4.2
cat > "$work/WhatsApp.txt" <<'CHAT'
12/05/2026, 10:05 - Mara: gate 4 is shut
12/05/2026, 10:06 - Mara: the keys are:
- A-4 at the desk
- B-1 with Joost
12/05/2026, 10:07 - +49 151 23456789: who is on duty?
12/05/2026, 10:08 - Anne-Lise: Ilse
12/05/2026, 10:09 - Joost (Crane): ok
12/05/2026, 10:10 - Dr. Ruiz: thanks
CHAT
cat > "$work/result.json" <<'CHAT'
{"name": "Harbour", "type": "private_group", "id": 1, "messages": [
  {"id": 1, "type": "message", "date": "2026-05-12T10:05:00", "from": "Mara", "text": "gate 4 is shut"},
  {"id": 2, "type": "message", "date": "2026-05-12T10:06:00", "from": "Mara",
   "text": ["the plan is at ", {"type": "link", "text": "https://harbour.test/plan"}, ""]},
  {"id": 3, "type": "message", "date": "2026-05-12T10:07:00", "from": "Joost",
   "text": ["", {"type": "mention", "text": "@ilse"}, " are you on duty?"]},
  {"id": 4, "type": "message", "date": "2026-05-12T10:08:00", "from": "Mara",
   "text": ["the code is ", {"type": "bold", "text": "4711"}, ""]},
  {"id": 5, "type": "message", "date": "2026-05-12T10:09:00", "from": "Ilse", "photo": "photos/1.jpg", "text": ""}]}
CHAT
cat > "$work/load.py" <<'PYTHON'
import sys

from langchain_community.document_loaders import TelegramChatFileLoader, WhatsAppChatLoader

for name, loader in [("Telegram, 5 messages", TelegramChatFileLoader(f"{sys.argv[1]}/result.json")),
                     ("WhatsApp, 6 messages", WhatsAppChatLoader(f"{sys.argv[1]}/WhatsApp.txt"))]:
    print(f"{name}:")
    for line in loader.load()[0].page_content.split("\n\n"):
        if line:
            print(f"  {line.strip()}")
PYTHON
"$work/env/bin/python" -W ignore "$work/load.py" "$work" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
Telegram, 5 messages:
  Mara on 2026-05-12T10:05:00: gate 4 is shut
  Ilse on 2026-05-12T10:09:00:
WhatsApp, 6 messages:
  Mara on 12/05/2026, 10:05: gate 4 is shut
  Mara on 12/05/2026, 10:06: the keys are:
SEEN
