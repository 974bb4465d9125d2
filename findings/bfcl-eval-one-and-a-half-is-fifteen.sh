#!/usr/bin/env bash
# bfcl-eval 2026.3.23, the checker of the Berkeley Function Calling Leaderboard, Python 3.11. (Without the clients of the models that
# it can ask: the table of these is replaced by one line.)
#
# `ast_checker` compares the arguments that a model gave to a function with the right ones. Before two texts are compared it takes spaces,
# commas, points, slashes, hyphens, underscores and stars out of both, so that days may be written in several ways. So "1.5 t" is "15 t",
# "-5 C" is "5 C", 1/2 is 12, the address 10.0.0.12 is 100.0.12, and the 1st of November is the 11th of January. A number is
# compared strictly: 3.0 for 3 is wrong. So a model with the wrong amount has the full score, and one with the right number may not.
#
# Output (right, given: valid):
#   1.5 t, 15 t: True
#   -5 C, 5 C: True
#   1/2, 12: True
#   10.0.0.12, 100.0.12: True
#   1/11/2026, 11/1/2026: True
#   gate A-4, gate A-5: False
#   3, 3.0: False
#
# Most would guess that an argument with another number in it is another argument.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile --no-deps bfcl-eval==2026.3.23 tree-sitter==0.21.3 \
    tree-sitter-java==0.21.0 tree-sitter-javascript==0.21.4
cat > "$work/check.py" <<'PYTHON'
import sys
import types

table = sys.modules["bfcl_eval.constants.model_config"] = types.ModuleType("model_config")
table.MODEL_CONFIG_MAPPING = {"model": types.SimpleNamespace(underscore_to_dot=False)}

from bfcl_eval.constants.enums import Language
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker

for right, given in [("1.5 t", "15 t"), ("-5 C", "5 C"), ("1/2", "12"), ("10.0.0.12", "100.0.12"), ("1/11/2026", "11/1/2026"),
                     ("gate A-4", "gate A-5"), (3, 3.0)]:
    kind = "string" if isinstance(right, str) else "integer"
    function = {"name": "book", "description": "Books.", "parameters": {
        "type": "dict", "properties": {"value": {"type": kind, "description": "The value."}}, "required": ["value"]}}
    verdict = ast_checker(
        [function], [{"book": {"value": given}}], [{"book": {"value": [right]}}], Language.PYTHON, "simple_python", "model")
    print(f"{right}, {given}: {verdict['valid']}")
PYTHON
"$work/env/bin/python" -W ignore "$work/check.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
1.5 t, 15 t: True
-5 C, 5 C: True
1/2, 12: True
10.0.0.12, 100.0.12: True
1/11/2026, 11/1/2026: True
gate A-4, gate A-5: False
3, 3.0: False
SEEN
