#!/usr/bin/env bash
# dogpile.cache 1.5.0 and cashews 7.6.0 beside aiocache 0.12.3 and diskcache 5.6.3, Python 3.11.
#
# A function with two arguments is cached by a decorator. dogpile.cache writes the arguments one behind the other with a space between
# them, so that ("gate 4", "open") and ("gate", "4 open") are one key, and so are the number 4 and the text "4", None and the text
# "None". cashews takes 4 for "4", too, and None for the empty text. With a key such as "search:{room}:{words}" it puts ("a:b", "c") and
# ("a", "b:c") together. The second call gets the answer of the first, without an error. aiocache and diskcache tell all of these
# calls apart.
#
# Output (after the first call the second gets the first one's answer, or its own):
#                  ("gate 4", "open")   (4, "open")    (None, "open")    (None, "open")  ("a:b", "c")
#                  ("gate", "4 open")   ("4", "open")  ("None", "open")  ("", "open")    ("a", "b:c")
#   dogpile.cache  first                first          first             own             own
#   cashews        own                  first          own               first           own
#   cashews, key   own                  first          own               first           first
#   aiocache       own                  own            own               own             own
#   diskcache      own                  own            own               own             own
#
# Most would guess that a cache of calls gives a stored answer only to a call with the same arguments.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile dogpile.cache==1.5.0 cashews==7.6.0 aiocache==0.12.3 \
    diskcache==5.6.3
cat > "$work/calls.py" <<'PYTHON'
import asyncio
import sys

import aiocache
import cashews
import diskcache
from dogpile.cache import make_region

PAIRS = [(("gate 4", "open"), ("gate", "4 open")), ((4, "open"), ("4", "open")), ((None, "open"), ("None", "open")),
         ((None, "open"), ("", "open")), (("a:b", "c"), ("a", "b:c"))]


def search(room, words):
    return f"found {words!r} in {room!r}"


async def search_later(room, words):
    return search(room, words)


cashews.cache.setup("mem://")
caches = {
    "dogpile.cache": make_region().configure("dogpile.cache.memory").cache_on_arguments()(search),
    "cashews": cashews.cache(ttl="1h")(search_later),
    "cashews, key": cashews.cache(ttl="1h", key="search:{room}:{words}")(search_later),
    "aiocache": aiocache.cached()(search_later),
    "diskcache": diskcache.Cache(sys.argv[1]).memoize()(search),
}


async def answer(cached, arguments):
    reply = cached(*arguments)
    return await reply if asyncio.iscoroutine(reply) else reply


async def main():
    widths = [19, 13, 16, 14, 12]
    for side in (0, 1):
        heads = ["(" + ", ".join(f'"{part}"' if isinstance(part, str) else str(part) for part in pair[side]) + ")" for pair in PAIRS]
        print(" " * 15 + "".join(f"{head:{width + 2}}" for head, width in zip(heads, widths)).rstrip())
    for name, cached in caches.items():
        seen = []
        for first, second in PAIRS:
            await answer(cached, first)
            seen.append({search(*first): "first", search(*second): "own"}[await answer(cached, second)])
            if name.startswith("cashews"):
                await cashews.cache.clear()
        print(f"{name:15}" + "".join(f"{word:{width + 2}}" for word, width in zip(seen, widths)).rstrip())


asyncio.run(main())
PYTHON
"$work/env/bin/python" -W ignore "$work/calls.py" "$work/disk" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
               ("gate 4", "open")   (4, "open")    (None, "open")    (None, "open")  ("a:b", "c")
               ("gate", "4 open")   ("4", "open")  ("None", "open")  ("", "open")    ("a", "b:c")
dogpile.cache  first                first          first             own             own
cashews        own                  first          own               first           own
cashews, key   own                  first          own               first           first
aiocache       own                  own            own               own             own
diskcache      own                  own            own               own             own
SEEN
