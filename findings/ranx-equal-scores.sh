#!/usr/bin/env bash
# ranx 0.3.21 beside ir-measures 0.4.3 (pytrec-eval-terrier 0.5.11), Python 3.11.
#
# Two tools read the same valid TREC run and qrels, and print different figures, because the run holds equal scores.
# trec_eval (and so ir-measures) orders equal scores by the name of the document, the last name first, whatever the rank
# column and the order of the lines say. ranx gives another figure, also where the lines are in the order of the rank
# column. Without equal scores all figures agree.
#
# Output:
#   with equal scores:    ranx mrr 0.3441  ir-measures RR 0.3868
#   without equal scores: ranx mrr 0.5750  ir-measures RR 0.5750
#
# Most would guess that two established tools give the same reciprocal rank for the same files, at least when the lines
# are in the order of the rank column.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check ranx==0.3.21 ir-measures==0.4.3 pytrec-eval-terrier==0.5.11
cat > "$work/compare.py" <<'PYTHON'
import random
import sys

import ir_measures
from ir_measures import RR
from ranx import Qrels, Run, evaluate

folder = sys.argv[1]


def figures(step):
    """Returns both tools' mean reciprocal rank for 40 queries whose scores are multiples of `step`."""
    generator = random.Random(36)
    with open(folder + "/qrels", "w") as qrels, open(folder + "/run", "w") as run:
        for query in range(40):
            documents = generator.sample(range(900), 30)
            print(f"q{query} 0 note{documents[generator.randrange(3)]} 1", file=qrels)
            # Best first, as the rank column says; only a step of 1 leaves no scores equal.
            for rank, document in enumerate(documents):
                score = (30 - rank) // step
                print(f"q{query} Q0 note{document} {rank + 1} {score} trial", file=run)
    by_ranx = evaluate(
        Qrels.from_file(folder + "/qrels", kind="trec"), Run.from_file(folder + "/run", kind="trec"), "mrr")
    by_measures = ir_measures.calc_aggregate(
        [RR], ir_measures.read_trec_qrels(folder + "/qrels"), ir_measures.read_trec_run(folder + "/run"))[RR]
    return float(by_ranx), by_measures


equal, distinct = figures(15), figures(1)
print("with equal scores:    ranx mrr %.4f  ir-measures RR %.4f" % equal)
print("without equal scores: ranx mrr %.4f  ir-measures RR %.4f" % distinct)
sys.exit(0 if abs(equal[0] - equal[1]) > 0.01 and abs(distinct[0] - distinct[1]) < 1e-9 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/compare.py" "$work"
