#!/usr/bin/env bash
# model2vec 0.10.0 with tokenizers 0.23.3 and numpy 2.4.6, Python 3.11.
#
# `encode` of a static model reads 512 tokens of a text, its `max_length`. Before it counts tokens it cuts the text at 512 times the
# median length of a token of the vocabulary, in letters, and spaces count. So a table with wide columns, a log or a list with
# indented lines is cut although it has a fraction of the tokens: of 120 words in columns of 40 signs the last one does not count,
# and another word there gives the same vector. With one space between the words, or with `max_length=None`, it counts. No warning.
#
# Output (whether another last word changes the vector):
#   120 words, one space: yes
#   120 words in columns of 40: no
#   the same with max_length=None: yes
#
# Most would guess that a limit in tokens counts tokens, and that spaces between words are none.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile model2vec==0.10.0 tokenizers==0.23.3 numpy==2.4.6
cat > "$work/columns.py" <<'PYTHON'
import sys

import numpy
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

words = ["[UNK]", "[PAD]", "crane", "gate", "berth", "harbour", "closed", "broken", "free", "monday", "friday", "crew"]
tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.Lowercase()
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
model = StaticModel(numpy.random.default_rng(1).normal(size=(len(words), 16)).astype(numpy.float32), tokenizer)
row = ["gate", "closed", "monday", "crew", "free"] * 24


def counts(join, **options):
    """Whether another last word changes the vector."""
    texts = [join(row[:-1] + [last]) for last in ("free", "broken")]
    assert all(len(tokenizer.encode(text).tokens) == 120 for text in texts)
    one, two = model.encode(texts, **options)
    return not numpy.allclose(one, two)


seen = {
    "120 words, one space": counts(" ".join),
    "120 words in columns of 40": counts(lambda cells: "".join(cell.rjust(40) for cell in cells)),
    "the same with max_length=None": counts(
        lambda cells: "".join(cell.rjust(40) for cell in cells), max_length=None)}
for name, matters in seen.items():
    print(f"{name}: {'yes' if matters else 'no'}")
sys.exit(0 if list(seen.values()) == [True, False, True] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/columns.py"
