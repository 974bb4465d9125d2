#!/usr/bin/env bash
# aiohttp-client-cache 0.15.0 beside requests-cache 1.3.3 and CacheControl 0.14.4, Python 3.11.
#
# A server gives its page in the language that a request asks for, and says so (`Vary: Accept-Language`), so that a cache keeps one page for
# each language. aiohttp-client-cache, told to follow the server's headers (`cache_control=True`), does follow `no-store`, but not
# `Vary`: who asks in English after somebody has asked in German gets the German page. So do two readers who want JSON and HTML of one
# address. requests-cache, from which its design and the name of the setting come, keeps them apart, and so does CacheControl.
#
# Output:
#   aiohttp-client-cache: German, German
#   aiohttp-client-cache, no-store: German, English
#   requests-cache: German, English
#   CacheControl: German, English
#
# Most would guess that a cache that follows the headers of a server follows the one that names what a page depends on.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile aiohttp-client-cache==0.15.0 requests-cache==1.3.3 \
    cachecontrol==0.14.4
cat > "$work/language.py" <<'PYTHON'
import asyncio
import http.server
import sys
import threading

import requests
from aiohttp_client_cache import CacheBackend, CachedSession
from cachecontrol import CacheControl
from requests_cache import CachedSession as RequestsSession


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = {"de": b"German", "en": b"English"}[self.headers["Accept-Language"]]
        self.send_response(200)
        self.send_header("Vary", "Accept-Language")
        self.send_header("Cache-Control", "no-store" if self.path == "/news" else "max-age=60")
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
languages = [{"Accept-Language": "de"}, {"Accept-Language": "en"}]


async def through_aiohttp(path):
    pages = []
    async with CachedSession(cache=CacheBackend(cache_control=True)) as session:
        for headers in languages:
            async with session.get(address + path, headers=headers) as response:
                pages.append(await response.text())
    return pages


def through(session):
    return [session.get(address + "/page", headers=headers).text for headers in languages]


seen = {
    "aiohttp-client-cache": asyncio.run(through_aiohttp("/page")),
    "aiohttp-client-cache, no-store": asyncio.run(through_aiohttp("/news")),
    "requests-cache": through(RequestsSession(backend="memory", cache_control=True)),
    "CacheControl": through(CacheControl(requests.Session())),
}
for title, pages in seen.items():
    print(f"{title}: {', '.join(pages)}")
both = ["German", "English"]
sys.exit(0 if list(seen.values()) == [["German", "German"], both, both, both] else 1)
PYTHON
"$work/env/bin/python" "$work/language.py"
