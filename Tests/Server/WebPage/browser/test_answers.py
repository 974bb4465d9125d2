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


def test_an_answer_says_that_it_is_no_longer_true(serve, visit):
    server = serve("--set", "embedding.provider=builtin", "--set", "chat.provider=extractive")
    room = server.group("works", "Works", "mara", "jonas-b")
    first = server.say(room, "jonas-b", "The launch of the pilot is on 27 October.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox", name="Your question")
    question.fill("When is the launch of the pilot?")
    question.press("Enter")
    answer = page.locator(".answer").last
    expect(answer.locator(".sources")).to_be_visible()
    expect(answer.locator(".outdated")).to_have_count(0)

    later = server.say(room, "jonas-b", "The launch of the pilot has been moved to 3 November.")

    # Without a reload, and after one.
    note = page.locator(".answer .outdated")
    expect(note).to_contain_text("No longer true:")
    expect(note).to_contain_text("moved to 3 November")
    page.reload()
    expect(note).to_contain_text("No longer true:")
    mara.axe("an answer that is no longer true", page)
    mara.shot("outdated", page)
    server.call("PATCH", f"/v1/conversations/{room}/messages/{first}", {"text": "The pilot starts in winter."}, "jonas-b")
    expect(note).to_contain_text("The message now says:")
    expect(note).to_contain_text("The pilot starts in winter.")
    page.reload()
    note.get_by_role("link").click()
    article = page.locator("article.message.highlighted")
    expect(article).to_be_visible()
    assert article.locator("xpath=..").get_attribute("data-key") == first and later != first


def test_a_source_is_shown_where_its_number_is_pointed_at(serve, visit):
    model = Model("The pilot goes live on 27 October [1].")
    server = serve(*model.settings())
    room = server.group("works", "Works", "mara", "jonas-b")
    server.say(room, "jonas-b", "The **pilot** goes live on 27 October.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox", name="Your question")
    question.fill("When does the pilot go live?")
    question.press("Enter")
    number, card = page.locator(".answer .citation").first, page.get_by_role("complementary", name="Source 1")
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()

    number.hover()
    expect(card).to_contain_text("Jonas Brehmer Works")
    expect(card).to_contain_text("The pilot goes live on 27 October.")
    mara.axe("the card of a source", page)
    # The card may be pointed at, to be read.
    card.hover()
    page.wait_for_timeout(400)
    expect(card).to_be_visible()
    page.locator(".ask textarea").hover()
    expect(card).to_have_count(0)

    number.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(number).to_be_focused()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(number).to_be_focused()
    model.close()


def test_a_stopped_answer_stays_and_its_question_is_asked_again_or_changed(serve, visit):
    model = Model("One two three four five.")
    model.may_go_on.clear()
    server = serve(*model.settings(), "--set", "answers.verify=off")
    server.say(server.group("works", "Works", "mara", "jonas-b"), "jonas-b", "We count to five.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox", name="question")
    question.fill("How far do we count?")
    question.press("Enter")
    answers = page.locator(".answer")
    expect(answers).to_contain_text("One two")
    page.get_by_role("button", name="Stop").click()
    expect(answers).to_contain_text("Stopped.")

    model.may_go_on.set()
    page.get_by_role("button", name="Ask again").click()
    expect(answers).to_have_count(2)
    expect(answers.first).to_contain_text("One two")
    expect(answers.last).to_contain_text("One two three four five.")
    page.get_by_role("button", name="Edit the question").last.click()
    field = page.get_by_role("textbox", name="Ask a follow-up question")
    expect(field).to_be_focused()
    expect(field).to_have_value("How far do we count?")
    model.close()


def test_an_answer_is_shared_with_links_to_its_sources(serve, visit):
    model = Model("The pilot goes live on 27 October [1].")
    server = serve(*model.settings())
    room = server.group("works", "Works", "mara", "jonas-b")
    server.group("team", "Team", "mara", "jonas-b", "nnamdi")
    server.say(room, "jonas-b", "The pilot goes live on 27 October.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox", name="Your question")
    question.fill("When does the pilot go live?")
    question.press("Enter")
    page.get_by_role("button", name="Share the answer").click()
    dialog = page.get_by_role("dialog", name="Share the answer")
    expect(dialog.get_by_role("button", name="Share", exact=True)).to_be_disabled()
    dialog.get_by_label("In which conversation").first.fill("tea")
    expect(dialog.get_by_role("radio")).to_have_count(1)
    dialog.get_by_role("radio", name="Team").check()
    mara.axe("sharing an answer", page)
    dialog.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_text("Shared in Team.")).to_be_visible()

    # The list of chats gives way to the questions.
    page.get_by_role("link", name="Chats").click()
    mara.enter("Team")
    shared = page.locator("main article.message").last
    expect(shared.locator("blockquote")).to_have_text("When does the pilot go live?")
    expect(shared).to_contain_text("The pilot goes live on 27 October 1.")
    assert shared.get_by_role("link", name="1", exact=True).get_attribute("href").startswith(f"{server.url}/#/conversation/works/message/")
    model.close()
