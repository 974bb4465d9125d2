#!/usr/bin/env bash
# pydantic-evals 2.62.0, Python 3.11.
#
# Two versions of a bot are compared on the same five questions with `EqualsExpected`. The first answers four of them, two rightly,
# and knows no answer to the fifth, which has none. The second fails with an exception at both questions that the first gets wrong,
# and invents an answer to the fifth. Its share of right answers is 100 %, that of the first 50 %: cases that raised are no
# part of the averages, and a case whose expected output is None is not compared at all. The exceptions are in
# `report.failures`, which the average does not show.
#
# Output (the share of right answers, cases in it, failures):
#   answers with two mistakes: 0.5, 4, 0
#   raises instead, and invents: 1.0, 2, 2
#
# Most would guess that a case without an answer counts as wrong, and that None is compared like another value.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pydantic-evals==2.62.0
cat > "$work/bots.py" <<'PYTHON'
import sys

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected

answers = {"gate": "four", "berth": "nine", "crane": "free", "tide": "noon", "harbour": None}
dataset = Dataset(
    name="questions", cases=[Case(name=word, inputs=word, expected_output=answer) for word, answer in answers.items()],
    evaluators=[EqualsExpected()])


def first(word):
    return {"gate": "four", "berth": "nine", "crane": "broken", "tide": "dawn"}.get(word)


def second(word):
    if word in ("crane", "tide"):
        raise TimeoutError("the model did not answer")
    return {"gate": "four", "berth": "nine"}.get(word, "in the north")


seen = []
for name, bot in [("answers with two mistakes", first), ("raises instead, and invents", second)]:
    report = dataset.evaluate_sync(bot, progress=False)
    compared = sum(bool(case.assertions) for case in report.cases)
    seen.append((report.averages().assertions, compared, len(report.failures)))
    print(f"{name}: {seen[-1][0]}, {seen[-1][1]}, {seen[-1][2]}")
sys.exit(0 if seen == [(0.5, 4, 0), (1.0, 2, 2)] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/bots.py"
