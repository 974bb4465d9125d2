#!/usr/bin/env bash
# slack_bolt 1.30.0 (Python), Python 3.11.
#
# `@app.message("ok?")` is called for "no", and for each message with an o: a keyword that is given as text is taken for a
# regular expression and looked for anywhere, also inside of words. "1.5" is found in 105, "[gate]" in tea, "c++" in cargo
# (which is an expression since Python 3.11), and "pay $5" is not found in "pay $5". `@app.action("ok?")` of the same class
# compares its text exactly, and the Bolt for JavaScript looks for a text as it is.
#
# Output (keyword, message, is the function called):
#   ok? | no: yes
#   1.5 | 105 t: yes
#   [gate] | tea: yes
#   c++ | cargo: yes
#   pay $5 | pay $5: no
#   action ok? | action o: no
#
# Most would guess that a text is looked for as it is, since a pattern can be given as one.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile slack_bolt==1.30.0
cat > "$work/keywords.py" <<'PYTHON'
import logging
import sys

from slack_bolt import App, BoltRequest
from slack_bolt.authorization import AuthorizeResult

logging.disable(logging.CRITICAL)


def application():
    who = AuthorizeResult(enterprise_id=None, team_id="T1", bot_token="none", bot_user_id="U2", bot_id="B2")
    return App(signing_secret="none", authorize=lambda: who, request_verification_enabled=False, process_before_response=True)


def hears(keyword, text):
    app, heard = application(), []

    @app.message(keyword)
    def on_message(message):
        heard.append(message["text"])

    event = {"type": "message", "channel": "C1", "user": "U1", "text": text, "ts": "1.0"}
    app.dispatch(BoltRequest(mode="socket_mode", body={
        "type": "event_callback", "team_id": "T1", "event_id": "E1", "event": event}))
    return "yes" if heard else "no"


def acts(name, pressed):
    app, heard = application(), []

    @app.action(name)
    def on_action(ack):
        ack()
        heard.append(pressed)

    app.dispatch(BoltRequest(mode="socket_mode", body={
        "type": "block_actions", "team": {"id": "T1"}, "user": {"id": "U1", "team_id": "T1"},
        "actions": [{"type": "button", "action_id": pressed, "block_id": "b", "value": "x"}]}))
    return "yes" if heard else "no"


assert hears("gate", "the gate") == "yes" and hears("gate", "the door") == "no" and acts("ok?", "ok?") == "yes"
found = {f"{keyword} | {text}": hears(keyword, text) for keyword, text in (
    ("ok?", "no"), ("1.5", "105 t"), ("[gate]", "tea"), ("c++", "cargo"), ("pay $5", "pay $5"))}
found["action ok? | action o"] = acts("ok?", "o")
for name, answer in found.items():
    print(f"{name}: {answer}")
sys.exit(0 if list(found.values()) == ["yes", "yes", "yes", "yes", "no", "no"] else 1)
PYTHON
"$work/env/bin/python" "$work/keywords.py"
