"""The conversation itself: its scroll position, reading, failures, answers, keyboard, axe."""

import random

import pytest
from playwright.sync_api import expect

from nexus import wait_until

MESSAGES = 600
LIMIT = 200
LIST = "main .list-scroll"
WORDS = "harbor crane tide pilot drill gauge ship the a we later tomorrow please check with Mara about invoices".split()
STORE = "import(document.scripts[0].src.replace('main.js', 'data/store.js'))"

# Counts articles at each change, and how far the messages in view move between two frames without a person scrolling.
COUNT = """() => {
  window.most = 0
  new MutationObserver(() => { most = Math.max(most, document.querySelectorAll("main article").length) })
    .observe(document.body, {childList: true, subtree: true})
}"""
MOVES = """() => {
  const list = document.querySelector("main .list-scroll")
  window.moves = []
  let before = null
  const look = () => {
    const view = list.getBoundingClientRect()
    const now = new Map([...list.querySelectorAll("article .words")].map(e => [e.closest(".msg").dataset.key, e.getBoundingClientRect()])
      .filter(([, box]) => box.bottom > view.top && box.top < view.bottom).map(([key, box]) => [key, box.bottom]))
    if (before) {
      const distances = [...now].filter(([key]) => before.has(key)).map(([key, bottom]) => bottom - before.get(key))
      if (distances.length && Math.max(...distances) - Math.min(...distances) > 2) moves.push(distances)
    }
    before = now
    requestAnimationFrame(look)
  }
  look()
}"""
PLACE = """() => {
  const list = document.querySelector("main .list-scroll")
  return {top: list.scrollTop, below: list.scrollHeight - list.scrollTop - list.clientHeight, count: list.querySelectorAll("article").length}
}"""


def post(server, conversation, texts, sender="jonas-b"):
    chosen = random.Random(4)
    for start in range(0, len(texts), 1000):
        batch = [{"id": f"{conversation}-{start + i}", "text": text, "senderId": sender if chosen.random() < 0.7 else "mara"}
                 for i, text in enumerate(texts[start:start + 1000])]
        server.call("POST", f"/v1/conversations/{conversation}/messages", {"messages": batch}, sender)


def unread(server, conversation, user="mara"):
    found = server.call("GET", "/v1/conversations", user=user)["conversations"]
    return next(c for c in found if c["id"] == conversation)["unreadCount"]


def place(person):
    return person.page.evaluate(PLACE)


@pytest.fixture
def mara(harbor, visit, request):
    """Mara in a new conversation with Jonas."""
    harbor.group(request.node.name, request.node.name, "mara", "jonas-b")
    person = visit(harbor, "mara")
    person.open()
    person.enter(request.node.name)
    person.live()
    return person


def test_nothing_moves_while_older_messages_load(harbor, visit):
    harbor.group("many", "many", "mara", "jonas-b")
    harbor.call("PATCH", "/v1/conversations/many", {"embedding": "excluded"}, "mara")
    chosen = random.Random(1)
    post(harbor, "many", [f"#{n} " + " ".join(chosen.choices(WORDS, k=chosen.choice([2, 5, 20, 60]))) for n in range(MESSAGES)])
    mara = visit(harbor, "mara")
    page = mara.open()
    page.evaluate(COUNT)
    mara.enter("many")
    expect(page.locator("main .new-line")).to_be_visible()
    page.get_by_role("button", name="new below").click()
    expect(page.locator("main article").last).to_contain_text(f"#{MESSAGES - 1} ")
    wait_until(lambda: place(mara)["below"] <= 8, "at the end")

    page.evaluate(MOVES)
    page.locator(LIST).hover()
    for _ in range(60):
        page.mouse.wheel(0, -600)
        page.wait_for_timeout(30)
    wait_until(lambda: place(mara)["count"] > 100, "older messages are loaded")
    for _ in range(30):
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(30)
    assert page.evaluate("moves") == [], "messages moved apart while others were loaded"

    middle = MESSAGES // 2
    page.goto(f"/#/conversation/many/message/many-{middle}")
    article = page.locator(f"[data-key='many-{middle}'] article")
    expect(article).to_be_focused()
    expect(article).to_be_in_viewport()
    expect(article).to_have_attribute("aria-setsize", "-1")
    for key, name in [("ArrowUp", middle - 1), ("ArrowDown", middle)]:
        page.keyboard.press(key)
        expect(page.locator(f"[data-key='many-{name}'] article")).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(f"[data-key='many-{MESSAGES - 1}'] article")).to_be_focused()
    assert 0 < page.evaluate("most") <= LIMIT
    mara.shot("many")


def test_reads_only_what_was_in_view(harbor, mara, request):
    name, page = request.node.name, mara.page
    for number in range(60):
        harbor.say(name, "mara", f"own {number}")
    harbor.say(name, "jonas-b", "seen")
    expect(mara.message("seen")).to_be_in_viewport()
    wait_until(lambda: unread(harbor, name) == 0, "read at the end")

    page.locator(LIST).hover()
    page.mouse.wheel(0, -900)
    wait_until(lambda: place(mara)["below"] > 300, "scrolled up")
    before = place(mara)["top"]
    harbor.say(name, "jonas-b", "below")
    expect(page.get_by_role("button", name="1 new below")).to_be_visible()
    page.wait_for_timeout(1_500)
    assert place(mara)["top"] == before and unread(harbor, name) == 1
    page.get_by_role("button", name="1 new below").click()
    wait_until(lambda: unread(harbor, name) == 0, "read after the jump")
    expect(page.locator("main .new-line")).to_be_visible()

    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", {get: () => window.isAway, configurable: true})
      window.isAway = true
    }""")
    harbor.say(name, "jonas-b", "away")
    page.wait_for_timeout(2_000)
    assert unread(harbor, name) == 1
    page.evaluate("isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(lambda: unread(harbor, name) == 0, "read after coming back")

    mara.message("away").focus()
    page.keyboard.press("u")
    wait_until(lambda: unread(harbor, name) == 1, "unread by hand")


def test_a_message_that_fails_can_be_tried_again(mara):
    page = mara.page
    mara.allow("403")
    page.route("**/messages", lambda route: route.fulfill(status=403, json={"code": "sender_forbidden"})
               if route.request.method == "POST" else route.continue_())
    mara.say("refused")
    status = mara.message("refused").locator(".status.failed")
    expect(status).to_contain_text("Not sent")
    mara.axe("a failed message")
    page.unroute("**/messages")
    status.get_by_role("button", name="Try again").click()
    expect(mara.message("refused").locator(".status.sent, .status.delivered")).to_be_visible()


def test_an_answer_that_is_being_written(harbor, mara, request):
    name, page = request.node.name, mara.page
    question = harbor.say(name, "mara", "Nexus, when is the crane needed?")
    expect(mara.message("Nexus, when is the crane needed?")).to_be_visible()

    def delta(**fields):
        page.evaluate(f"delta => {STORE}.then(m => m.store.ephemeral(delta))", {
            "type": "delta", "answerId": "a1", "conversationId": name, "messageId": question, **fields})

    delta(start=0, text="On ")
    delta(start=3, text="Friday")
    expect(page.locator("main .is-pending .text")).to_have_text("On Friday")
    mara.axe("an answer that is being written")
    sources = [{"number": 1, "conversationId": "general", "conversationName": "general", "messageId": "general-001",
                "senderName": "Mara Lindqvist", "timestamp": "2026-08-31T07:02:06Z", "isElsewhere": True}]
    harbor.say(name, "mara", "On Friday [1].\n\n[1] Mara Lindqvist, 2026-08-31", senderId="nexus", kind="assistant", senderName="Nexus",
               replyTo=question, threadRoot=question, extra={"nexus": {"sources": sources}})
    expect(page.locator("main .is-pending")).to_have_count(0)
    answer = page.locator("main article.kind-assistant")
    expect(answer.locator(".text")).to_have_text("On Friday [1].")
    expect(answer.locator(".sources")).to_contain_text("Mara Lindqvist")
    answer.get_by_role("link", name="Source 1").click()
    expect(page.locator("[data-key='general-001'] article")).to_be_focused()


def test_keyboard_alone(harbor, mara, request):
    page = mara.page
    page.keyboard.press("F6")
    mara.writer().focus()
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    page.keyboard.press("Enter")
    first = page.locator("main article").first
    expect(first.locator(".status.sent, .status.delivered")).to_be_visible()
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    page.keyboard.press("r")
    page.keyboard.type("a reply")
    page.keyboard.press("Enter")
    expect(page.locator("main .quote")).to_contain_text("one two")
    expect(page.locator("main article").nth(1).locator(".status.sent, .status.delivered")).to_be_visible()
    page.keyboard.press("Control+ArrowUp")
    expect(page.locator("main .editor textarea")).to_be_focused()
    page.keyboard.type(" with more")
    page.keyboard.press("Enter")
    expect(mara.message("a reply with more")).to_be_focused()
    page.keyboard.press("+")
    page.keyboard.type("rocket")
    page.keyboard.press("Enter")
    expect(page.locator("main .reaction[aria-pressed=true]")).to_contain_text("🚀")
    expect(mara.message("a reply with more")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu", name="More actions")).to_be_visible()
    page.keyboard.press("Escape")
    expect(mara.message("a reply with more")).to_be_focused()
    page.keyboard.press("Home")
    expect(first).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(page.locator("main article")).to_have_count(1)
    expect(first).to_be_focused()
    page.keyboard.press("t")
    thread = page.get_by_role("textbox", name="Reply in the thread")
    expect(thread).to_be_visible()


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(harbor, visit, width, theme):
    mara = visit(harbor, "mara", width=width, height=700, theme=theme)
    page = mara.open("#/conversation/general")
    expect(page.locator("main article").first).to_be_visible()
    mara.axe("the messages")
    page.locator("main article").last.focus()
    expect(page.locator("main .acts")).to_be_visible()
    mara.axe("the actions of a message")
    mara.shot(f"timeline-{width}-{theme}")
    page.keyboard.press("+")
    expect(page.get_by_role("dialog", name="Emoji")).to_be_visible()
    mara.axe("emojis")
    page.keyboard.press("Escape")
    mara.writer().press_sequentially("@jon")
    expect(page.get_by_role("listbox", name="People")).to_be_visible()
    mara.axe("completion")
    page.keyboard.press("Escape")
    mara.writer().fill("")
    mara.writer().press_sequentially("done :tad")
    expect(page.get_by_role("listbox", name="Emoji")).to_be_visible()
    mara.axe("completion of an emoji")
    mara.writer().press("Enter")
    expect(mara.writer()).to_have_value("done 🎉 ")
    mara.writer().fill("")
    small = page.locator("main .timeline :is(button, a)").evaluate_all(
        "all => all.filter(e => !e.closest('p') && e.offsetWidth && (e.offsetWidth < 24 || e.offsetHeight < 24)).map(e => e.outerHTML.slice(0, 100))")
    assert small == []
