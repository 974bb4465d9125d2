#!/usr/bin/env bash
# ir-measures 0.4.3 (pytrec-eval-terrier 0.5.11), Python 3.11.
#
# One valid run, one query, three documents whose cosines differ in the eighth digit, as those of close messages do. The
# relevant one is first by its score. Two measures of the same call disagree about that: RR and nDCG@10 come from
# trec_eval, which keeps scores as numbers of 32 bits, takes these for equal, and orders them by name; RR@10 comes from
# another provider, which keeps all digits. So RR is smaller than RR@10, which no ranking allows.
#
# Output:
#   RR 0.3333  RR@10 1.0000  nDCG@10 0.5000
#   the same scores times 1,000, less 900: RR 1.0000  RR@10 1.0000  nDCG@10 1.0000
#
# Most would guess that all measures of one call see the same order, and that RR is never below RR@10.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check ir-measures==0.4.3 pytrec-eval-terrier==0.5.11
cat > "$work/close.py" <<'PYTHON'
import sys

import ir_measures
from ir_measures import RR, nDCG

measures = [RR, RR @ 10, nDCG @ 10]
qrels = [ir_measures.Qrel("1", "note-a", 1)]
cosines = {"note-a": 0.91234567, "note-b": 0.91234566, "note-c": 0.91234565}


def figures(change):
    run = [ir_measures.ScoredDoc("1", name, change(cosine)) for name, cosine in cosines.items()]
    found = ir_measures.calc_aggregate(measures, qrels, run)
    return tuple(float(found[measure]) for measure in measures)


close, spread = figures(lambda cosine: cosine), figures(lambda cosine: cosine * 1_000 - 900)
print("RR %.4f  RR@10 %.4f  nDCG@10 %.4f" % close)
print("the same scores times 1,000, less 900: RR %.4f  RR@10 %.4f  nDCG@10 %.4f" % spread)
sys.exit(0 if close[0] < close[1] == 1 and close[2] < 1 and spread == (1, 1, 1) else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/close.py"
