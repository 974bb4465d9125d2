#!/usr/bin/env bash
# smolagents 1.26.0, Python 3.11.
#
# A CodeAgent lets the model write Python and runs it with an interpreter of its own. Ordinary code gives other values there
# than in Python, and nothing is raised. A function that reaches its end without `return` gives the last value that was
# assigned, so a search that finds nothing gives the key of the last message. A variable with the name of a parameter replaces
# its default. The `else` of a loop never runs. `*rest` holds all arguments, `**rest` all named ones, and `+=` to a name that
# does not exist begins at 0.
#
# Output (Python, smolagents):
#   a search that finds nothing: None, 3
#   the default of a parameter: 5, 100
#   the else of a loop: False, True
#   rest of the arguments: ('b', 'c'), ('a', 'b', 'c')
#   rest of the named arguments: {'room': 'quay'}, {'words': 'gate', 'room': 'quay'}
#   a name that does not exist: NameError, 1
#
# Most would guess that code of a model that runs without an error has given the value that Python gives.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile smolagents==1.26.0
cat > "$work/count.py" <<'PYTHON'
import sys

from smolagents.local_python_executor import LocalPythonExecutor

programs = {
    "a search that finds nothing": """
def find(number, messages):
    for message in messages:
        key = message["id"]
        if key == number:
            return message

find(9, [{"id": 1}, {"id": 3}])""",
    "the default of a parameter": """
limit = 100

def page(words, limit=5):
    return limit

page("gate")""",
    "the else of a loop": """
found = True
for room in ["quay", "board"]:
    if room == "pier":
        break
else:
    found = False
found""",
    "rest of the arguments": """
def post(first, *rest):
    return rest

post("a", "b", "c")""",
    "rest of the named arguments": """
def search(words, **rest):
    return rest

search(words="gate", room="quay")""",
    "a name that does not exist": """
total = 0
for message in ["one"]:
    totals += 1
totals""",
}


def python(program):
    lines = program.rstrip().split("\n")
    names = {}
    try:
        exec("\n".join(lines[:-1]), names)
        return eval(lines[-1], names)
    except NameError as error:
        return type(error).__name__


def agent(program):
    executor = LocalPythonExecutor([])
    executor.send_tools({})
    return executor(program).output


seen = []
for name, program in programs.items():
    seen.append((python(program), agent(program)))
    print(f"{name}: {seen[-1][0]}, {seen[-1][1]}")
sys.exit(0 if seen == [
    (None, 3), (5, 100), (False, True), (("b", "c"), ("a", "b", "c")),
    ({"room": "quay"}, {"words": "gate", "room": "quay"}), ("NameError", 1)] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/count.py"
