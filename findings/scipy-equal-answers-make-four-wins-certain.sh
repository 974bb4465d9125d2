#!/usr/bin/env bash
# scipy 1.17.1 with numpy 2.4.6, Python 3.11.
#
# Two bots answer the same questions, right or wrong, and `wilcoxon` of the differences says whether one is better. Questions on which they
# are equal are dropped by the test, but they count when it chooses how to compute: up to 13 questions in all it looks at each change
# of signs, above that it takes a normal curve, as the differences are tied. So four wins and no loss have p = 0.125 with nine equal
# questions and 0.0455 with ten, below the usual limit of 0.05. Counted exactly, five wins have 0.0625, however many are equal.
#
# Output (p, with 0, 9, 10 and 30 equal questions, and by a test of signs):
#   4 wins: 0.1250 0.1250 0.0455 0.0455, 0.1250
#   5 wins: 0.0625 0.0253 0.0253 0.0253, 0.0625
#   6 wins, 1 loss: 0.1250 0.0588 0.0588 0.0588, 0.1250
#
# Most would guess that questions which the test drops, on which both are equal, cannot make one of them significantly better.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile scipy==1.17.1 numpy==2.4.6
cat > "$work/wins.py" <<'PYTHON'
import sys

from scipy import stats

cases = [
    (4, 0, "0.1250 0.1250 0.0455 0.0455, 0.1250"), (5, 0, "0.0625 0.0253 0.0253 0.0253, 0.0625"),
    (6, 1, "0.1250 0.0588 0.0588 0.0588, 0.1250"),
]
right = True
for wins, losses, expected in cases:
    values = [stats.wilcoxon([1] * wins + [-1] * losses + [0] * equal).pvalue for equal in (0, 9, 10, 30)]
    signs = stats.binomtest(wins, wins + losses).pvalue
    line = " ".join(f"{value:.4f}" for value in values) + f", {signs:.4f}"
    print(f"{wins} wins{', 1 loss' if losses else ''}: {line}")
    right = right and line == expected
sys.exit(0 if right else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/wins.py"
