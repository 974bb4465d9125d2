"""Walks every function of the assistant, by commands and over HTTP; scripts/real-model starts what it needs.

What a model of this size says is seldom right. What is checked is that each function answers in its form, stands on real
messages, and says so when a reply was of no use."""
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request

NEXUS, URL = sys.argv[1:]
CONVERSATION, USER = "stall", "ada"
# Short, since a model on two cores reads about a hundred tokens a second.
MESSAGES = [
    ("ben", "Morning! The market is on Saturday 5 December, our stall is number 12."),
    ("ada", "Great. What do we sell this year?"),
    ("cleo", "We decided yesterday: only bread and jam, no soup."),
    ("ben", "Cleo, can you order the flour by Friday?"),
    ("cleo", "Yes, I will order 20 kg of flour by Friday."),
    ("ada", "I will print the price list until Thursday evening."),
    ("ben", "The fee of 40 euros must be paid by 30 November, or we lose the stall."),
    ("ada", "Who has the key of the stall?"),
    ("cleo", "I have it. Ben, please bring the lamps."),
]
failed = []


def check(name, is_right, shown):
    """Notes what is not as it should be."""
    print(f"{'ok' if is_right else 'FAILED'}: {name}", flush=True)
    print("\n".join("    " + line[:160] for line in str(shown).strip().splitlines()[:14]), flush=True)
    if not is_right:
        failed.append(name)


def command(*arguments):
    """Runs nexus and returns what it printed; nothing found is no failure."""
    done = subprocess.run([NEXUS, *arguments], capture_output=True, text=True)
    check("nexus " + " ".join(arguments), done.returncode in (0, 1), done.stdout or done.stderr)
    return done.stdout


def send(method, path, body=None, accept="application/json", status=200, is_right=lambda _: True, user=USER):
    """Sends a request; returns what came back, JSON decoded."""
    request = urllib.request.Request(
        URL + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Accept": accept, "X-Nexus-User": user})
    try:
        with urllib.request.urlopen(request) as response:
            code, text = response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        code, text = error.code, error.read().decode()
    value = json.loads(text) if text and accept == "application/json" else text
    check(f"{method} {path} -> {code}", code == status and is_right(value), text)
    return value


def furnish():
    """Makes a conversation of three people."""
    names = [{"userId": name, "name": name.capitalize()} for name in ("ada", "ben", "cleo")]
    send("POST", "/v1/conversations", {"id": CONVERSATION, "name": "Stall", "members": names}, status=201)
    for place, (sender, text) in enumerate(MESSAGES):
        send("POST", f"/v1/conversations/{CONVERSATION}/messages", {
            "id": f"m{place}", "senderId": sender, "text": text, "timestamp": f"2026-11-22T09:{place:02}:00Z"},
             status=201, user=sender)


def stands_on_messages(items):
    """Whether every item names a message that is there, and quotes it."""
    base = f"{URL}/v1/conversations/{CONVERSATION}/messages/"
    for item in items:
        request = urllib.request.Request(base + item["messageId"], headers={"X-Nexus-User": USER})
        with urllib.request.urlopen(request) as response:
            if item["quote"] not in json.load(response)["text"]:
                return False
    return True


def mention():
    """Puts a question into the conversation, and waits for the answer."""
    here = f"/v1/conversations/{CONVERSATION}/messages"
    send("POST", here, {"id": "mention", "text": "@ai who brings the lamps?"}, status=201)
    for _ in range(600):
        request = urllib.request.Request(
            f"{URL}{here}?limit=1", headers={"X-Nexus-User": USER})
        with urllib.request.urlopen(request) as response:
            newest = json.load(response)["messages"][0]
        if newest["senderId"] == "nexus":
            return check("@ai is answered", newest["replyTo"] == "mention", newest["text"])
        time.sleep(0.5)
    check("@ai is answered", False, "no answer in five minutes")


def main():
    here = f"/v1/conversations/{CONVERSATION}"
    furnish()
    thread = command("threads", "create", "--user", USER).strip()
    command("ask", "--user", USER, "--thread", thread, "When is the market?")
    command("ask", "--user", USER, "--thread", thread, "And what do we sell there?")
    command("threads", "export", thread, "--user", USER)
    command("assistant", CONVERSATION, "Who orders the flour?", "--as", USER)
    command("summarize", CONVERSATION, "--as", USER)
    command("replies", CONVERSATION, "--as", USER)
    for kind in ["action-items", "decisions", "deadlines"]:
        command(kind, "--user", USER, "--conversation", CONVERSATION, "--extract")
        items = send("GET", f"{here}/{kind}", is_right=lambda page: isinstance(page["items"], list))
        check(f"{kind} stand on messages", stands_on_messages(items["items"]), f"{len(items['items'])} items")
    command("priorities", "--user", USER, "--conversation", CONVERSATION, "--since", "2026-11-22T09:03:00Z")

    answer = send("POST", "/v1/ask", {"question": "Who has the key of the stall?"}, is_right=lambda it: it["answer"])
    turn = answer.get("turnId", "none")
    send("POST", f"/v1/turns/{turn}/feedback", {"rating": "down", "reason": "wrong"}, is_right=lambda it: it["feedback"])
    send("GET", f"/v1/turns/{turn}/trace", is_right=lambda it: "prompt" in json.dumps(it))
    send("POST", "/v1/ask", {"question": "What does the stall cost?"}, accept="text/event-stream",
         is_right=lambda text: "event: delta" in text and "event: done" in text)
    send("POST", f"{here}/assistant", {"text": "Any deadlines?"}, is_right=lambda it: it["answer"])
    send("GET", f"{here}/assistant", is_right=lambda page: len(page["turns"]) == 2)
    send("POST", f"{here}/summary", {"since": "2026-11-22T09:03:00Z"}, is_right=lambda it: it["coverage"])
    send("POST", f"{here}/smart-replies", {}, is_right=lambda it: it["replies"] or it["reason"])
    send("POST", "/v1/chat/completions", {"model": "nexus", "messages": [{"role": "user", "content": "What does the stall cost?"}]},
         is_right=lambda it: it["choices"][0]["message"]["content"])
    mention()
    print(f"{len(failed)} failed", *failed, sep="\n")
    sys.exit(1 if failed else 0)


main()
