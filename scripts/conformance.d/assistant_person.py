"""A person and their browser, for the programs of assistants_client.py: signs in, decides, ends assistants.

`assistant_person.py ADDRESS` is a browser for programs that start one: it allows what the address asks for, and follows
the redirect to the program.
"""
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

PERSON, PASSWORD = "mara", "correct horse battery"
URL = os.environ.get("ASSISTANTS_URL", "")


def check(name, condition, found=""):
    """Ends the run with what was found unless the condition holds."""
    if not condition:
        raise SystemExit(f"FAILED {name}: {found}")
    print(f"ok {name}", flush=True)


class Stay(urllib.request.HTTPRedirectHandler):
    """Shows redirects instead of following them."""

    def redirect_request(self, *args):
        return None


def send(method, path, body=None, token=None, redirects=True):
    """Sends a request to the server, and returns status, headers and JSON."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = "Bearer " + token
    url = path if "://" in path else URL + path
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), *([] if redirects else [Stay]))
    try:
        reply = opener.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        reply = error
    text = reply.read()
    try:
        return reply.status, reply.headers, json.loads(text or b"null")
    except ValueError:
        return reply.status, reply.headers, None


def sign_in():
    """Signs the person in, and returns a token of the session."""
    status, _, reply = send("POST", "/v1/session", {"userId": PERSON, "password": PASSWORD})
    if status != 200:
        raise SystemExit(f"FAILED the person signs in: {reply}")
    return reply["accessToken"]


def decide(url, consent="allow"):
    """Does what the page does for a person; returns what the program wants, and the address to go back to."""
    status, headers, _ = send("GET", url, redirects=False)
    place = headers.get("Location", "")
    if status != 302 or not place.startswith("/#/connect?"):
        raise SystemExit(f"FAILED the browser is sent to the page: {status} {place}")
    request = {"request": place.split("?", 1)[1]}
    token = sign_in()
    status, _, wish = send("POST", "/authorize", request, token)
    if status != 200 or not wish["scopes"] or not wish["isLocal"]:
        raise SystemExit(f"FAILED the page shows the wish: {status} {wish}")
    status, _, reply = send("POST", "/authorize", {**request, "consent": consent}, token)
    if status != 200:
        raise SystemExit(f"FAILED the person decides: {status} {reply}")
    return wish, reply["redirectTo"]


class Browser:
    """The person's browser: goes back to the program, and counts the sign-ins."""

    def __init__(self, folder=None):
        self.wishes, self.consent = [], "allow"

    @property
    def count(self):
        return len(self.wishes)

    def open(self, url):
        wish, place = decide(url, self.consent)
        self.wishes.append(wish)
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(place, timeout=60).read()


def assistants():
    """Returns the sessions of assistants that the person sees."""
    return [item for item in send("GET", "/v1/sessions", token=sign_in())[2]["sessions"] if item.get("assistant")]


def end_assistants():
    """Ends every assistant of the person, as the settings do; returns their names."""
    found = assistants()
    for item in found:
        status = send("DELETE", "/v1/sessions/" + item["id"], token=sign_in())[0]
        if status != 204:
            raise SystemExit(f"FAILED an assistant is ended: {status}")
    return sorted({item["assistant"]["name"] for item in found})


if __name__ == "__main__":
    browser = Browser()
    browser.open(sys.argv[1])
    # The program that started this browser is asked how often it did.
    with open(os.environ["ASSISTANTS_BROWSER_LOG"], "a") as log:
        log.write(json.dumps(browser.wishes[0]) + "\n")
