#!/usr/bin/env bash
# sacrebleu 2.6.0, Python 3.11.
#
# Answers are compared with references. For a set of short answers that are all equal to their references, `corpus_bleu` is 0: it
# counts runs of four words, and no answer has four. `sentence_bleu` gives 100 for each of them, because it uses shorter runs then.
# One longer answer in the set, and the corpus has 100. The error rate `corpus_ter` gets better by a second reference that nothing was
# compared with: the edits are those to the nearest one, but they are divided by the average length of all. So a long
# alternative that no answer resembles makes a system look almost twice as good.
#
# Output:
#   equal answers: each alone [100, 100, 100], short ones together 0, with a long one 100
#   one wrong word: with one reference 16.7, with a second one that has other words 9.1
#
# Most would guess that equal texts have the best score of each measure, and that a reference that is never the nearest changes
# nothing.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile sacrebleu==2.6.0
cat > "$work/scores.py" <<'PYTHON'
import sys

from sacrebleu import corpus_bleu, corpus_ter, sentence_bleu

SHORT, LONG = ["ok", "Gate 4.", "at noon"], "the crane is broken at pier four"
corpus = [round(corpus_bleu(texts, [texts]).score) for texts in (SHORT, SHORT + [LONG])]
sentences = [round(sentence_bleu(text, [text]).score) for text in SHORT]
print(f"equal answers: each alone {sentences}, short ones together {corpus[0]}, with a long one {corpus[1]}")
near, far = "the ship leaves from gate four", "nobody knows yet because those who plan departures went home early this morning with all keys"
answer = "the ship leaves from gate five"
rates = [round(corpus_ter([answer], references).score, 1) for references in ([[near]], [[near], [far]])]
print(f"one wrong word: with one reference {rates[0]}, with a second one that has other words {rates[1]}")
sys.exit(0 if corpus == [0, 100] and sentences == [100] * 3 and rates[0] == 16.7 and rates[1] < 10 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/scores.py"
