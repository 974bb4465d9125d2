#!/usr/bin/env bash
# text2num 3.1.0, number-parser 0.3.2, numerizer 0.2.4 and word2number 1.1, Python 3.11.
#
# Four libraries write the numbers of a spoken text in digits. Numbers that stand side by side are added to one by word2number:
# "berth four five ships" has a 9, "ten to four" a 14. text2num and number-parser give 102 and 100 for "one hundred two hundred".
# number-parser reads the second of "wait a second" as 2 and "no one" as 1. numerizer takes each "a" for 1, half for a digit behind
# the million, and makes 120 of "pier one twenty". No error is raised.
#
# Output (text2num, number-parser, numerizer, word2number):
#   gate two: gate two | gate 2 | gate 2 | 2
#   berth four five ships: berth 4 5 ships | berth 4 5 ships | berth 4 5 ships | 9
#   ten to four: 10 to 4 | 10 to 4 | 10 to 4 | 14
#   one hundred two hundred: 102 100 | 102 100 | 100 200 | 202
#   a million and a half: a 1000000 and a half | a 1000000 and a half | 1000000 and half2 | 1000000
#   two three hundred: 2 300 | 2 300 | 2 300 | 106
#   pier one twenty: pier 1 20 | pier 1 20 | pier 120 | 21
#   no one at gate two: no one at gate two | no 1 at gate 2 | no 1 at gate 2 | 3
#   wait a second at four: wait a second at 4 | wait a 2 at 4 | wait 1 2nd at 4 | 4
#   four a m: 4 a m | 4 a m | 4 1 m | 4
#
# Most would guess that such a library leaves words alone that are no numbers, and that two numbers stay two.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    text2num==3.1.0 number-parser==0.3.2 numerizer==0.2.4 word2number==1.1
cat > "$work/numbers.py" <<'PYTHON'
import sys

from number_parser import parse
from numerizer import numerize
from text_to_num import alpha2digit
from word2number.w2n import word_to_num

EXPECTED = {
    "gate two": ("gate two", "gate 2", "gate 2", "2"),
    "berth four five ships": ("berth 4 5 ships", "berth 4 5 ships", "berth 4 5 ships", "9"),
    "ten to four": ("10 to 4", "10 to 4", "10 to 4", "14"),
    "one hundred two hundred": ("102 100", "102 100", "100 200", "202"),
    "a million and a half": ("a 1000000 and a half", "a 1000000 and a half", "1000000 and half2", "1000000"),
    "two three hundred": ("2 300", "2 300", "2 300", "106"),
    "pier one twenty": ("pier 1 20", "pier 1 20", "pier 120", "21"),
    "no one at gate two": ("no one at gate two", "no 1 at gate 2", "no 1 at gate 2", "3"),
    "wait a second at four": ("wait a second at 4", "wait a 2 at 4", "wait 1 2nd at 4", "4"),
    "four a m": ("4 a m", "4 a m", "4 1 m", "4"),
}
seen = {}
for text in EXPECTED:
    seen[text] = (alpha2digit(text, "en"), parse(text, "en"), numerize(text), str(word_to_num(text)))
    print(f"{text}: {' | '.join(seen[text])}")
sys.exit(0 if seen == EXPECTED else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/numbers.py"
