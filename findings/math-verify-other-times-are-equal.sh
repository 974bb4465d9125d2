#!/usr/bin/env bash
# math-verify 0.9.0, Python 3.11.
#
# `verify(parse(right), parse(answer))` compares the answers of models with the right ones, and is used as a reward. It takes one number out
# of a text, and drops what it does not know, without an error. Of a time of the clock the hour counts or the first part, so 10:45 is
# 10:30 and 7 am is 7 pm. Units do not count: 3 kg is 3 t. Of 18.11.2026 the year is gone. A date with hyphens is a difference, so
# it is equal to the year 1997, and the score 9-11 to -2. A percentage is equal to its number and to the hundredth of it. A choice
# of two answers is right if the last number is.
#
# Output (right, answer: equal):
#   10:30, 10:45: True
#   7 pm, 7 am: True
#   3 t, 3 kg: True
#   18.11.2026, 18.11.2027: True
#   2026-11-18, 1997: True
#   9-11, -2: True
#   0.5, 50%: True
#   50, 50%: True
#   4, 2 or 4: True
#   2026-11-18, 2026-11-19: False
#
# Most would guess that a text that is no formula is compared as it is, or not at all.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile math-verify==0.9.0
cat > "$work/answers.py" <<'PYTHON'
from math_verify import parse, verify

for right, answer in [
        ("10:30", "10:45"), ("7 pm", "7 am"), ("3 t", "3 kg"), ("18.11.2026", "18.11.2027"), ("2026-11-18", "1997"),
        ("9-11", "-2"), ("0.5", "50%"), ("50", "50%"), ("4", "2 or 4"), ("2026-11-18", "2026-11-19")]:
    print(f"{right}, {answer}: {verify(parse(right), parse(answer))}")
PYTHON
"$work/env/bin/python" -W ignore "$work/answers.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
10:30, 10:45: True
7 pm, 7 am: True
3 t, 3 kg: True
18.11.2026, 18.11.2027: True
2026-11-18, 1997: True
9-11, -2: True
0.5, 50%: True
50, 50%: True
4, 2 or 4: True
2026-11-18, 2026-11-19: False
SEEN
