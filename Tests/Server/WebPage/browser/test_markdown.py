"""Text as people write it: Markdown in messages, previews and answers."""

from playwright.sync_api import expect

from model import Model

TEXT = """# Plan
The **pilot** goes *live* ~~today~~ with `make demo`, see [the page](https://a.example/x).

- one
  - inner
- two

1. first
2. second

> said before

| who | what |
|---|---|
| Mara | crane |

```sh
for name in "a" 1; do make **demo**; done # twice
```"""

CODE = 'for name in "a" 1; do make **demo**; done # twice'


def test_messages_show_what_their_signs_mean(harbor, visit):
    room = harbor.group("markdown", "Markdown", "mara", "jonas-b")
    plain = "2*3*4 <b>not bold</b>\n\n  spaces   stay"
    harbor.say(room, "jonas-b", plain)
    harbor.say(room, "jonas-b", TEXT)
    mara = visit(harbor, "mara", permissions=["clipboard-read", "clipboard-write"])
    page = mara.open()
    expect(mara.row("Markdown")).to_contain_text("Plan The pilot goes live today with make demo")
    mara.enter("Markdown")
    assert page.locator("main .text").first.evaluate("element => element.textContent") == plain
    text = page.locator("main .text").last
    for tag, words in [("strong", "pilot"), ("em", "live"), ("s", "today"), ("code", "make demo"), ("blockquote", "said before"),
                       ("td", "Mara"), ("ul ul li", "inner"), ("pre", CODE)]:
        expect(text.locator(tag).first).to_have_text(words)
    expect(text.locator("ol li")).to_have_count(2)
    expect(text.get_by_role("link", name="the page")).to_have_attribute("href", "https://a.example/x")
    for sign in ["# Plan", "**pilot", "~~", "](", "|--", "```"]:
        assert sign not in text.inner_text()
    for kind, words in [("comment", "# twice"), ("text", '"a"'), ("number", "1"), ("word", "for")]:
        expect(text.locator(f".code-{kind}").first).to_have_text(words)
    mara.axe("a message with Markdown")
    mara.shot("markdown")
    text.get_by_role("button", name="Copy the code").click()
    expect(page.get_by_text("The code was copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == CODE
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_answers_have_tables_and_keep_their_sources(serve, visit):
    model = Model("The crane comes on **Friday** [1].\n\n| what | when |\n|---|---|\n| crane | Friday [1] |\n\n- *one*\n  - two")
    server = serve(*model.settings())
    server.say(server.group("works", "Works", "mara", "jonas-b"), "jonas-b", "The crane comes on Friday.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox")
    question.fill("When does the crane come?")
    question.press("Enter")
    answer = page.locator(".answer").last
    expect(answer.locator("strong")).to_have_text("Friday")
    expect(answer.locator("td")).to_have_count(2)
    expect(answer.locator("p .citation")).to_have_text("[1]")
    expect(answer.locator("li li")).to_have_text("two")
    expect(answer.locator(".tools")).to_be_visible()
    mara.axe("an answer with a table")
    mara.shot("answer-table")
    model.close()
