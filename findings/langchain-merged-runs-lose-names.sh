#!/usr/bin/env bash
# langchain-core 1.8.3, Python 3.11.
#
# `merge_message_runs` joins messages that follow each other in the same role, for models that want user and assistant in turn.
# In a team's chat these are messages of several people, each with its `name`. They are joined whoever wrote them, and the names
# are gone: one message of nobody holds the question of one and the answer of the other. `filter_messages` by name finds nothing
# afterwards. Two messages of one person lose the name, too.
#
# Output:
#   ada, bob -> None: 'Is the crane free?\nNo, ask tomorrow.'
#   ada, ada -> None: 'Is the crane free?\nNo, ask tomorrow.'
#   of bob, before: 1, after: 0
#
# Most would guess that messages with different names are not one run, and that a name that all have is kept.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check langchain-core==1.8.3
cat > "$work/names.py" <<'PYTHON'
from langchain_core.messages import HumanMessage, filter_messages, merge_message_runs


def talk(first, second):
    return [HumanMessage("Is the crane free?", name=first), HumanMessage("No, ask tomorrow.", name=second)]


seen = []
for first, second in [("ada", "bob"), ("ada", "ada")]:
    merged = merge_message_runs(talk(first, second))
    seen.append([(message.name, message.content) for message in merged])
    print(f"{first}, {second} -> {merged[0].name}: {merged[0].content!r}")
before = filter_messages(talk("ada", "bob"), include_names=["bob"])
after = filter_messages(merge_message_runs(talk("ada", "bob")), include_names=["bob"])
print(f"of bob, before: {len(before)}, after: {len(after)}")
one = [(None, "Is the crane free?\nNo, ask tomorrow.")]
raise SystemExit(0 if seen == [one, one] and (len(before), len(after)) == (1, 0) else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/names.py"
