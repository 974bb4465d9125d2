#!/usr/bin/env bash
# whatstk 0.9.1 (PyPI): in an export of a phone in Arabic, the letter for the afternoon is passed over: 6:05 in the afternoon
# becomes 6:05 in the morning, without an error. Exports in English of the same minutes are read rightly.
#
# Most would guess that a half of the day that is not known is an error, because AM and PM are understood: a time that is
# 12 hours wrong looks right.
#
# Output:
#   arabic 2023-12-24 06:05:00 | Mara | x
#   english 2023-12-24 18:05:00 | Mara | x
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check whatstk==0.9.1 2>&1 | grep -v "^WARNING" || true

printf '%s\n' '٢٤/١٢/٢٠٢٣، ٦:٠٥ م - Mara: x' '٢٥/١٢/٢٠٢٣، ٩:٠٦ م - Ilse: y' > "$folder/arabic.txt"
printf '%s\n' '24/12/2023, 6:05 PM - Mara: x' '25/12/2023, 9:06 PM - Ilse: y' > "$folder/english.txt"

"$folder/venv/bin/python" - "$folder" <<'END'
import sys
from whatstk import df_from_whatsapp

found = {}
for name in ["arabic", "english"]:
    row = next(df_from_whatsapp(f"{sys.argv[1]}/{name}.txt").itertuples())
    found[name] = str(row.date)
    print(name, " | ".join([str(row.date), row.username, row.message]))
sys.exit(0 if found == {"arabic": "2023-12-24 06:05:00", "english": "2023-12-24 18:05:00"} else 1)
END
