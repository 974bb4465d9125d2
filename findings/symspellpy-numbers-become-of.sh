#!/usr/bin/env bash
# symspellpy 6.10.1 with its English dictionary, Python 3.11.
#
# A question is corrected before it is searched. `lookup_compound` takes each number for a misspelt word, and the nearest frequent
# words are "of" and "a": "berth 44" becomes "berth of", "pay 1500 euros" "pay of of euros" and "meet at 10:30" "meet at of of", even if
# all words are right. So a search for a ticket's number looks for "of". `word_segmentation` does the same. The option
# `ignore_non_words` keeps numbers, but drops the hyphen of A-4 and the colon of a time, and v2 is still "of".
#
# Output (lookup_compound, with ignore_non_words, word_segmentation):
#   crane at berth 44: crane at berth of | crane at berth 44 | crane at berth of
#   pay 1500 euros: pay of of euros | pay 1500 euros | pay of of euros
#   ticket 4711 is open: ticket of of is open | ticket 4711 is open | ticket of of is open
#   meet at 10:30: meet at of of | meet at 10 30 | meet at a of of
#   A-4 closed: a a closed | a 4 closed | A closed
#   v2 api: of apr | of apr | of apr
#
# Most would guess that a spelling corrector leaves a number alone, which is in no dictionary and has no spelling.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile symspellpy==6.10.1
cat > "$work/correct.py" <<'PYTHON'
import importlib.resources
import sys

from symspellpy import SymSpell

folder = importlib.resources.files("symspellpy")
corrector = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
corrector.load_dictionary(str(folder / "frequency_dictionary_en_82_765.txt"), 0, 1)
corrector.load_bigram_dictionary(str(folder / "frequency_bigramdictionary_en_243_342.txt"), 0, 2)
seen = []
for question in [
        "crane at berth 44", "pay 1500 euros", "ticket 4711 is open", "meet at 10:30", "A-4 closed", "v2 api"]:
    seen.append([
        corrector.lookup_compound(question, 2)[0].term,
        corrector.lookup_compound(question, 2, ignore_non_words=True)[0].term,
        corrector.word_segmentation(question).corrected_string])
    print(f"{question}: {' | '.join(seen[-1])}")
sys.exit(0 if seen == [
    ["crane at berth of", "crane at berth 44", "crane at berth of"],
    ["pay of of euros", "pay 1500 euros", "pay of of euros"],
    ["ticket of of is open", "ticket 4711 is open", "ticket of of is open"],
    ["meet at of of", "meet at 10 30", "meet at a of of"], ["a a closed", "a 4 closed", "A closed"],
    ["of apr", "of apr", "of apr"]] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/correct.py"
