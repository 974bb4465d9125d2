#!/usr/bin/env bash
# feedparser 6.0.14 and atoma 0.0.17 beside fastfeedparser 0.6.5, Python 3.11.
#
# A feed tells when each article appeared, and many servers write the name of their zone: 10:00 CET, CEST, BST, JST. feedparser gives
# `published_parsed` in UTC. It knows EST, but takes CET, CEST and JST for UTC: an article of 10:00 in Berlin seems to be of 10:00 UTC,
# so it lies in the future when it is read, and one from Tokyo is nine hours late beside one from New York, which is right. atoma gives
# a time that says UTC, and is wrong in the same way. fastfeedparser is right for all. A time without any zone has no `published_parsed`.
#
# Output (feedparser, atoma, fastfeedparser, all in UTC):
#   +0100: 09:00 09:00 09:00
#   EST:   15:00 15:00 15:00
#   CET:   10:00 10:00 09:00
#   CEST:  10:00 10:00 08:00
#   JST:   10:00 10:00 01:00
#   none:  - 10:00 10:00
#
# Most would guess that an unknown zone leaves no time, or one that does not say that it is UTC.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile feedparser==6.0.14 atoma==0.0.17 fastfeedparser==0.6.5
cat > "$work/feeds.py" <<'PYTHON'
from datetime import UTC, datetime

import atoma
import fastfeedparser
import feedparser


def hour(moment):
    return moment.astimezone(UTC).strftime("%H:%M")


for zone in ["+0100", "EST", "CET", "CEST", "JST", ""]:
    day = "Wed, 15 Jul 2026" if zone == "CEST" else "Wed, 18 Nov 2026"
    feed = ('<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title><link>http://h/</link><description>News</description>'
            "<item><title>Gate</title><link>http://h/1</link><description>shut</description>"
            f"<pubDate>{f'{day} 10:00:00 {zone}'.strip()}</pubDate></item></channel></rss>")
    parsed = feedparser.parse(feed).entries[0].get("published_parsed")
    print(f"{zone or 'none'}:".ljust(6), f"{parsed.tm_hour:02}:{parsed.tm_min:02}" if parsed else "-",
          hour(atoma.parse_rss_bytes(feed.encode()).items[0].pub_date),
          hour(datetime.fromisoformat(fastfeedparser.parse(feed).entries[0].published)))
PYTHON
"$work/env/bin/python" -W ignore "$work/feeds.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
+0100: 09:00 09:00 09:00
EST:   15:00 15:00 15:00
CET:   10:00 10:00 09:00
CEST:  10:00 10:00 08:00
JST:   10:00 10:00 01:00
none:  - 10:00 10:00
SEEN
