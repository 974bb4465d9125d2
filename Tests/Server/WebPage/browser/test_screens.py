"""Every screen, in light and dark, wide and narrow: axe finds nothing, nothing is wider than the window."""

import pytest
from playwright.sync_api import expect

from person import faults

ADMINISTRATION = ["users", "imports", "embedding", "failed", "models", "keys", "storage", "metrics", "audit", "erase",
                  "doctor"]
# (name, address, what shows that it is there, a button that is pressed then)
SCREENS = [
    ("list", "#/", ".conversation", None),
    ("conversation", "#/conversation/general/message/general-074", "article.message", None),
    ("unread", "#/conversation/screens", "article.message", None),
    ("emoji", "#/conversation/screens", "article.message", "Emoji"),
    ("thread", "#/conversation/screens/thread/screens-1", ".side article.message", None),
    ("details", "#/conversation/general/details", ".side li", None),
    ("conversation-assistant", "#/conversation/general/assistant", ".side textarea", None),
    ("assistant", "#/assistant", "main textarea", None),
    ("answer", "ask", "main .source", None),
    ("why", "ask", "main .source", "Why this answer?"),
    ("search", "#/search?q=hamburg", "main mark", None),
    ("subject", "#/subject?q=go-live%20of%20the%20Hamburg%20pilot", "main .cards li", None),
    ("items", "#/items", "main .page h1", None),
    ("settings", "#/settings", "main .page h1", None),
    ("new-conversation", "#/", ".conversation", "New conversation"),
    *((f"administration-{part}", f"#/administration/{part}", "main [role=tabpanel]", None) for part in ADMINISTRATION),
]


@pytest.fixture(scope="module")
def shown(harbor):
    """A conversation with everything that a message can have, and an answer."""
    harbor.group("screens", "Screens and signs", "mara", "jonas-b")
    say = lambda user, text, **more: harbor.say("screens", user, text, **more)
    say("jonas-b", "Who takes the tow on **Friday**? See https://example.invalid/plan.", id="screens-1")
    say("mara", "I do, @Jonas Brehmer.", replyTo="screens-1")
    say("jonas-b", "Thanks!", threadRoot="screens-1", replyTo="screens-1", id="screens-2")
    harbor.call("PUT", "/v1/conversations/screens/messages/screens-2/reactions/%F0%9F%91%8D", user="mara")
    say("jonas-b", "@Mara Lindqvist " + "a long text without an end " * 60)
    thread = harbor.call("POST", "/v1/threads", {}, user="mara")["id"]
    harbor.call("POST", "/v1/ask", {"question": "When does the Hamburg pilot go live?", "threadId": thread}, user="mara", parse=False)
    return harbor, thread


def problems(page, where):
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [f"{where}: {line}" for line in faults(page)] + [
        f"{where}: {width} px wide in a window of {window} px"] * (width > window)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_screens(shown, visit, theme, width):
    server, thread = shown
    mara = visit(server, "mara", width=width, height=800 if width > 500 else 640, theme=theme)
    page = mara.open()
    mara.live()
    found = []
    for name, address, sign, button in SCREENS:
        page.goto("/" + (f"#/assistant/{thread}" if address == "ask" else address))
        try:
            expect(page.locator(sign).first).to_be_visible()
            if button:
                page.get_by_role("button", name=button).locator("visible=true").first.click()
                expect(page.get_by_role("dialog").or_(page.locator(".why")).first).to_be_in_viewport()
        except AssertionError:
            found.append(f"{name}: there is no {sign}, or {button} opens nothing")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        mara.shot(f"{name}-{width}-{theme}")
        found += problems(page, name)
        if button:
            page.keyboard.press("Escape")
    mara.ask("store.signOut()")
    expect(page.locator(".entry h1")).to_be_visible()
    mara.shot(f"entry-{width}-{theme}")
    found += problems(page, "entry")
    assert not found, "\n".join(found)
