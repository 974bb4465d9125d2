#!/usr/bin/env bash
# matrix-nio 0.26.0 and mautrix 0.21.1, Python 3.11.
#
# In rooms of Matrix version 12 the creators have all rights, and the power levels must not list them. A bot that reads a person's
# level to decide who may give it orders asks the library. matrix-nio gives the creator the level 0: the owner of the
# room may not kick or redact, where a moderator may. In version 11 the same room gives 100. mautrix
# gives 0 as well unless the event m.room.create is handed in as a second argument, which may be left out; then the level is larger
# than any. No error.
#
# Output (level of the creator, and of a moderator; may the creator kick?):
#   version 11, matrix-nio: 100, 50, True
#   version 11, mautrix: 100, 50
#   version 11, mautrix with m.room.create: 100, 50
#   version 12, matrix-nio: 0, 50, False
#   version 12, mautrix: 0, 50
#   version 12, mautrix with m.room.create: above all, 50
#
# Most would guess that a library that reads such rooms without an error knows who their owner is.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile matrix-nio==0.26.0 mautrix==0.21.1
cat > "$work/levels.py" <<'PYTHON'
import sys

from mautrix.types import PowerLevelStateEventContent, StateEvent
from nio import Event, MatrixRoom

CREATOR, MODERATOR = "@ada:example.org", "@bob:example.org"


def state(kind, content):
    return {"type": kind, "content": content, "state_key": "", "sender": CREATOR, "event_id": "$" + kind, "origin_server_ts": 1,
            "room_id": "!room:example.org"}


def levels(version):
    listed = {MODERATOR: 50} if version == "12" else {CREATOR: 100, MODERATOR: 50}
    power = {"users": listed, "users_default": 0, "events_default": 0, "state_default": 50, "kick": 50, "ban": 50, "redact": 50}
    create = state("m.room.create", {"room_version": version})
    room = MatrixRoom("!room:example.org", "@bot:example.org")
    for event in (create, state("m.room.power_levels", power)):
        room.handle_event(Event.parse_event(event))
    by_nio = room.power_levels
    by_mautrix = PowerLevelStateEventContent.deserialize(power)
    whole = by_mautrix.get_user_level(CREATOR, StateEvent.deserialize(create))
    return {
        "matrix-nio": (by_nio.get_user_level(CREATOR), by_nio.get_user_level(MODERATOR), by_nio.can_user_kick(CREATOR)),
        "mautrix": (by_mautrix.get_user_level(CREATOR), by_mautrix.get_user_level(MODERATOR)),
        "mautrix with m.room.create": ("above all" if whole > 2**53 else whole, by_mautrix.get_user_level(MODERATOR)),
    }


seen = {}
for version in ("11", "12"):
    seen[version] = levels(version)
    for name, found in seen[version].items():
        print(f"version {version}, {name}: {', '.join(map(str, found))}")
sys.exit(0 if seen == {
    "11": {"matrix-nio": (100, 50, True), "mautrix": (100, 50), "mautrix with m.room.create": (100, 50)},
    "12": {"matrix-nio": (0, 50, False), "mautrix": (0, 50), "mautrix with m.room.create": ("above all", 50)},
} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/levels.py"
