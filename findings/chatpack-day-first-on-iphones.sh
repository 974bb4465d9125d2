#!/usr/bin/env bash
# chatpack 0.1.0, Python 3.11.
#
# An export of WhatsApp from an iPhone with European dates, which have the day first, is read month first: 12 May becomes 5
# December, without an error, and messages of 13 May and later have no time at all. The export of an Android phone with
# the same dates is read rightly.
#
# Output:
#   iphone: 2024-12-05T10:15:01+00:00 the gate sticks | None ok
#   android: 2024-05-12T10:15:00+00:00 the gate sticks | 2024-05-13T10:16:00+00:00 ok
#
# Most would guess that a file with a 13th month is read day first throughout, as in the other format.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check chatpack==0.1.0
cat > "$work/iphone.txt" <<'END'
[12/05/2024, 10:15:01] Mara: the gate sticks
[13/05/2024, 10:16:22] Ilse: ok
END
cat > "$work/android.txt" <<'END'
12/05/2024, 10:15 - Mara: the gate sticks
13/05/2024, 10:16 - Ilse: ok
END
cat > "$work/phones.py" <<'PYTHON'
import sys

import chatpack

times = {}
for phone in ("iphone", "android"):
    messages = chatpack.parse_whatsapp(f"{sys.argv[1]}/{phone}.txt")
    times[phone] = [message.timestamp for message in messages]
    print(f"{phone}:", " | ".join(f"{message.timestamp} {message.content}" for message in messages))
right = ["2024-05-12T10:15:00+00:00", "2024-05-13T10:16:00+00:00"]
sys.exit(0 if times == {"iphone": ["2024-12-05T10:15:01+00:00", None], "android": right} else 1)
PYTHON
"$work/env/bin/python" "$work/phones.py" "$work"
