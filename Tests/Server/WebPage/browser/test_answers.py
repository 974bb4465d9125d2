"""Answers whose sentences were checked against the messages."""

from playwright.sync_api import expect

from model import Model


def test_sentences_are_backed_or_marked(serve, visit):
    model = Model("The pilot goes live on 27 October. The pump costs 9,000 euros [1]. Hope this helps!")
    server = serve(*model.settings())
    room = server.group("works", "Works", "mara", "jonas-b")
    moved = server.say(room, "jonas-b", "The pilot goes live on 27 October.")
    server.say(room, "jonas-b", "The pump costs 1,840 euros.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox", name="Your question")
    question.fill("When does the pilot go live?")
    question.press("Enter")
    answer = page.locator(".answer").last

    doubt = answer.locator(".doubt")
    expect(doubt).to_have_count(1)
    expect(doubt).to_have_text("the messages say otherwise")
    expect(doubt).to_have_attribute("title", "differs in: number")
    # The model cited nothing for the first sentence: the check found the message.
    expect(answer.locator("p[dir]").first).to_contain_text("The pilot goes live on 27 October [1].")
    page.reload()
    expect(page.locator(".doubt")).to_have_text("the messages say otherwise")
    page.locator(".answer .citation").first.click()
    article = page.locator("article.message.highlighted")
    expect(article).to_be_visible()
    assert article.locator("xpath=..").get_attribute("data-key") == moved
    model.close()
