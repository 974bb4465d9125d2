#!/usr/bin/env bash
# inspect-ai 0.3.285, Python 3.11.
#
# The scorers `exact()` and `f1()` remove articles and signs from answer and target before they compare them. So a target that
# is the letter A can never be met, because it is an article and nothing is left: "A" for "A" is incorrect, while B, C and D are
# fine, and a quarter of a set with letters is lost. The minus of -5, the colon of 10:30 and the slash of 1/2 are signs, so 5,
# 1030 and 12 are correct answers for them. `match()` knows the letter but not the minus; with `numeric=True` it knows both.
#
# Output (answer for target: exact, f1, match, match with numeric):
#   A for A: I 0.0 C C
#   B for B: C 1.0 C C
#   -5 for 5: C 1.0 C I
#   1030 for 10:30: C 1.0 I I
#   12 for 1/2: C 1.0 I I
#   nothing for nothing: I 0.0 C C
#
# Most would guess that equal texts are exactly equal, and that another number is not.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile inspect-ai==0.3.285
cat > "$work/scores.py" <<'PYTHON'
import asyncio
import sys

from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.scorer import Target, exact, f1, match
from inspect_ai.solver import TaskState

scorers = [exact(), f1(), match(), match(numeric=True)]


def score(scorer, answer, target):
    state = TaskState(model="none/none", sample_id=1, epoch=1, input="question",
                      messages=[ChatMessageUser(content="question")], output=ModelOutput.from_content("none/none", answer))
    return str(asyncio.run(scorer(state, Target(target))).value)


found = {}
for answer, target in [("A", "A"), ("B", "B"), ("-5", "5"), ("1030", "10:30"), ("12", "1/2"), ("", "")]:
    name = f"{answer or 'nothing'} for {target or 'nothing'}"
    found[name] = " ".join(score(scorer, answer, target) for scorer in scorers)
    print(f"{name}: {found[name]}")
sys.exit(0 if list(found.values()) == [
    "I 0.0 C C", "C 1.0 C C", "C 1.0 C I", "C 1.0 I I", "C 1.0 I I", "I 0.0 C C",
] else 1)
PYTHON
"$work/env/bin/python" "$work/scores.py"
