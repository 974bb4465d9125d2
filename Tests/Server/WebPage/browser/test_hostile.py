"""Hostile texts are shown as text."""

import json
import re

from playwright.sync_api import expect

from nexus import ROOT

MARKUP = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<b>bold</b> &amp; &lt;",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>", "</p></article></div></main><h1>out</h1>",
    "<style>*{display:none}</style>", "<a href='javascript:alert(1)'>click</a>", "{{constructor.constructor('alert(1)')()}}",
    "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "[link](javascript:alert(1))",
    "https://example.invalid/\"onmouseover=alert(1)//", "https://example.invalid/<script>", "http://user:secret@example.invalid/",
]
BIDI = [
    "\u202egnp.exe\u202c", "\u2067right\u2066left", "abc \u05d0\u05d1\u05d2 123 \u0627\u0644\u0639\u0631\u0628\u064a\u0629 def",
    "\u200f\u200f\u200e\u061c", "\u202e" * 200 + "turned", "\u0627\u0644\u0633\u0644\u0627\u0645 \u0639\u0644\u064a\u0643\u0645",
]
LETTERS = [
    "👩‍👩‍👧‍👦🏳️‍🌈👍🏿", "👍", "Z" + "\u0350\u0362\u0327" * 200, "a\u0000b".replace("\u0000", "\ufffd"), "\ud7ff\ue000\ufffe",
    "\n\n\nlines\n\n\n" + "x\n" * 500, "\t\ttabs", "​\u200b\u2060invisible", "🏴󠁧󠁢󠁥󠁮󠁧󠁿" * 50,
]
LONG = ["x" * 250_000, "\u202e" + "wort" * 20_000, "👩‍👩‍👧‍👦" * 5_000]


ELEMENTS = "a, span, p, strong, em, s, code, pre, div, button, svg, svg *, ul, ol, li, blockquote, table, thead, tbody, tr, th, td, hr"


def is_part(shown, text):
    """Whether a text is another one without some of its letters."""
    letters = iter(text)
    return all(letter in letters for letter in re.sub(r"\s", "", shown))


def test_hostile_texts(serve, visit):
    adversarial = [json.loads(line)["text"] for line in (ROOT / "eval/adversarial.jsonl").read_text().splitlines()]
    name = "<img src=x onerror=alert(1)>\u202e"
    server = serve("--set", "embedding.daily-token-cap=1")
    server.call("POST", "/v1/conversations", user="mara", body={"id": "hostile", "name": name, "members": [
        {"userId": "mara", "name": "Mara"}, {"userId": "eve", "name": "<script>alert(1)</script>\u202eevE"}]})
    texts = {server.say("hostile", "eve", text): text for text in [*MARKUP, *BIDI, *LETTERS, *LONG, *adversarial]}

    mara = visit(server, "mara", width=320)
    mara.page.on("dialog", lambda dialog: (mara.note(f"dialog: {dialog.message}"), dialog.dismiss()))
    page = mara.open("#/conversation/hostile")
    expect(page.locator("main article.message").last).to_be_visible()
    for message, text in texts.items():
        page.goto(f"/#/conversation/hostile/message/{message}")
        row = page.locator(f'[data-key="{message}"]')
        expect(row, repr(text[:80])).to_be_visible()
        if (more := row.get_by_role("button", name="Show all")).count():
            more.click()
            expect(row.get_by_role("button", name="Show less")).to_be_visible()
        # Signs of Markdown become elements; nothing else is lost, or comes from anywhere else.
        shown = row.locator(".text").evaluate("element => element.textContent")
        assert shown == text or is_part(shown, text), repr(text[:80])
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, repr(text[:80])
        # One letter with hundreds of marks cannot be broken: it is cut.
        assert row.locator(".text").evaluate(
            "element => element.scrollWidth <= element.clientWidth + 1 || getComputedStyle(element).overflowX === 'clip'"
        ), repr(text[:80])
    inside = page.locator("main .text")
    assert inside.locator(f"css=:not({ELEMENTS})").count() == 0
    for link in inside.locator("a").all():
        assert link.get_attribute("href").startswith(("http://", "https://"))
        assert link.get_attribute("rel") == "noopener noreferrer"
    mara.shot("hostile")

    for hash in ["", "#/conversation/hostile/details", "#/search?q=script", "#/assistant", "#/settings"]:
        page.goto("/" + hash)
        mara.live()
        assert page.locator("img[src=x], h1:text-is('out')").count() == 0
