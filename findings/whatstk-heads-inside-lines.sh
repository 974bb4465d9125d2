#!/usr/bin/env bash
# whatstk 0.9.1 (PyPI): a message that quotes a line of another chat, in the middle of its own line, is cut in two, and the
# second half becomes a message of the person and the day that were quoted.
#
# Most would guess that date and author are looked for at the beginning of a line only, because each message of an export
# begins a line.
#
# Output:
#   2023-06-13 10:05:00 | Mara | the gate sticks
#   2023-06-13 10:06:00 | Ilse | they wrote
#   2023-06-14 11:00:00 | Joost | closed all week
#   2023-06-13 10:07:00 | Mara | ok
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check whatstk==0.9.1 2>&1 | grep -v "^WARNING" || true

cat > "$folder/chat.txt" <<'END'
13/06/2023, 10:05 - Mara: the gate sticks
13/06/2023, 10:06 - Ilse: they wrote 14/06/2023, 11:00 - Joost: closed all week
13/06/2023, 10:07 - Mara: ok
END

"$folder/venv/bin/python" - "$folder/chat.txt" <<'END'
import sys
from whatstk import df_from_whatsapp

rows = [(str(row.date), row.username, row.message) for row in df_from_whatsapp(sys.argv[1]).itertuples()]
for row in rows:
    print(" | ".join(row))
expected = [("2023-06-13 10:06:00", "Ilse", "they wrote"), ("2023-06-14 11:00:00", "Joost", "closed all week")]
sys.exit(0 if len(rows) == 4 and all(row in rows for row in expected) else 1)
END
