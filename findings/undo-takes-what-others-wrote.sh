#!/usr/bin/env bash
# pycrdt 0.14.13 (Yjs for Python) and loro 1.17.1, Python 3.11.
#
# Two people edit a document that is merged without a server. One changes a word and sets a field, the other then adds a word and sets
# the field anew, and the first one presses undo. The UndoManager of pycrdt takes back the last change of the document, whoever made it:
# the other's word and field go, and the own word stays. If the changes of the network or the own ones are given an `origin`, only
# the own change is undone, and the field keeps the other's value. The UndoManager of loro knows whose text is whose, but not for fields:
# it puts the value back that was there before the own change, over the one that the other has set since.
#
# Output (text and field after the undo):
#   pycrdt: the crane is shut | shut
#   pycrdt with origins: the gate is shut today | broken
#   loro: the gate is shut today | open
#
# Most would guess that undo in a shared document takes back one's own change, and leaves what others wrote later.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pycrdt==0.14.13 loro==1.17.1
cat > "$work/undo.py" <<'PYTHON'
import loro
import pycrdt


def with_pycrdt(origin):
    ada, joost = pycrdt.Doc(client_id=1), pycrdt.Doc(client_id=2)
    for document in [ada, joost]:
        document["text"], document["fields"] = pycrdt.Text(), pycrdt.Map()

    def meet():
        for to, source in [(ada, joost), (joost, ada)]:
            with to.transaction(origin=origin):
                to.apply_update(source.get_update(to.get_state()))

    ada["text"] += "the gate is shut"
    ada["fields"]["state"] = "open"
    meet()
    undo = pycrdt.UndoManager(scopes=[ada["text"]], capture_timeout_millis=0)
    with ada.transaction():
        del ada["text"][4:8]
        ada["text"].insert(4, "crane")
    meet()
    joost["text"] += " today"
    meet()
    undo.undo()
    undo = pycrdt.UndoManager(scopes=[ada["fields"]], capture_timeout_millis=0)
    ada["fields"]["state"] = "shut"
    meet()
    joost["fields"]["state"] = "broken"
    meet()
    undo.undo()
    return f"{ada['text']} | {ada['fields']['state']}"


def with_loro():
    ada, joost = loro.LoroDoc(), loro.LoroDoc()
    ada.peer_id, joost.peer_id = 1, 2

    def meet():
        for to, source in [(ada, joost), (joost, ada)]:
            source.commit()
            to.import_(source.export(loro.ExportMode.Snapshot()))

    ada.get_text("text").insert(0, "the gate is shut")
    ada.get_map("fields").insert("state", "open")
    meet()
    undo = loro.UndoManager(ada)
    ada.get_text("text").delete(4, 4)
    ada.get_text("text").insert(4, "crane")
    meet()
    joost.get_text("text").insert(17, " today")
    meet()
    undo.undo()
    meet()
    undo = loro.UndoManager(ada)
    ada.get_map("fields").insert("state", "shut")
    meet()
    joost.get_map("fields").insert("state", "broken")
    meet()
    undo.undo()
    meet()
    assert ada.get_deep_value() == joost.get_deep_value()
    return f"{ada.get_deep_value()['text']} | {ada.get_deep_value()['fields']['state']}"


print("pycrdt:", with_pycrdt(None))
print("pycrdt with origins:", with_pycrdt("network"))
print("loro:", with_loro())
PYTHON
"$work/env/bin/python" -W ignore "$work/undo.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
pycrdt: the crane is shut | shut
pycrdt with origins: the gate is shut today | broken
loro: the gate is shut today | open
SEEN
