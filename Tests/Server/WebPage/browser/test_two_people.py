"""Two people chat, each in a separate browser."""

import pytest
from nexus import wait_until
from playwright.sync_api import expect


@pytest.fixture
def pair(harbor, visit, request):
    """Mara and Jonas in a new conversation that both have open."""
    name = request.node.name
    harbor.group(name, name, "mara", "jonas-b")
    people = visit(harbor, "mara"), visit(harbor, "jonas-b")
    for person in people:
        person.open()
        person.enter(name)
        person.live()
    return people


def tool(person, text, name):
    article = person.message(text)
    article.hover()
    article.get_by_role("button", name=name, exact=True).click()


def menu(person, text, entry):
    tool(person, text, "More actions")
    person.page.get_by_role("menuitem", name=entry, exact=True).click()


def test_send_type_and_read(pair):
    mara, jonas = pair
    mara.writer().press_sequentially("Shall we order")
    expect(jonas.page.locator("main .typing-line")).to_contain_text("is typing")
    mara.say("Shall we order the crane?")
    expect(jonas.message("Shall we order the crane?")).to_be_visible()
    expect(jonas.page.locator("main .typing-line")).not_to_contain_text("is typing")
    expect(mara.message("Shall we order the crane?").locator(".status")).to_have_class("status read")

    jonas.say("Yes, for Friday.")
    expect(mara.message("Yes, for Friday.")).to_be_visible()
    assert mara.texts() == jonas.texts() == ["Shall we order the crane?", "Yes, for Friday."]


def test_the_history_of_new_members(pair, harbor, request):
    mara, jonas = pair
    mara.say("before")
    expect(jonas.message("before")).to_be_visible()
    for person in pair:
        person.page.goto(f"/#/conversation/{request.node.name}/details")
    switch = mara.page.locator(".side").get_by_label("New members see earlier messages")
    expect(switch).to_be_checked()
    # Only administrators decide.
    expect(jonas.page.locator(".side")).to_contain_text("can read the whole conversation")
    expect(jonas.page.locator(".side").get_by_label("New members see earlier messages")).to_have_count(0)
    switch.click()
    expect(jonas.page.locator(".side")).to_contain_text("only what is written after they joined")
    mara.axe("the history of new members")
    harbor.call("PUT", f"/v1/conversations/{request.node.name}/members/hanna", {"name": "Hanna"}, "mara")
    mara.say("after")
    mara.sent("after")
    assert harbor.texts(request.node.name, "hanna") == ["after"]

    switch.click()
    dialog = mara.page.get_by_role("dialog")
    expect(dialog).to_contain_text("also those who joined later")
    dialog.get_by_role("button", name="Cancel").click()
    expect(switch).not_to_be_checked()
    switch.click()
    dialog.get_by_role("button", name="Show earlier messages").click()
    expect(jonas.page.locator(".side")).to_contain_text("can read the whole conversation")
    assert harbor.texts(request.node.name, "hanna") == ["before", "after"]
    # His page loads the conversation again, and is empty meanwhile.
    wait_until(lambda: jonas.texts() == ["before", "after"], "Jonas sees both messages")


def test_who_reads_an_open_conversation_loses_what_is_limited(harbor, visit, request):
    conversation = request.node.name
    members = [{"userId": "mara", "name": "Mara Lindqvist"}]
    harbor.call("POST", "/v1/conversations",
                {"id": conversation, "name": conversation, "members": members, "visibility": "everyone"}, "mara")
    harbor.say(conversation, "mara", "the safe is open")
    jonas = visit(harbor, "jonas-b")
    jonas.open(f"#/conversation/{conversation}")
    jonas.live()
    expect(jonas.message("the safe is open")).to_be_visible()
    harbor.call("PUT", f"/v1/conversations/{conversation}/history", {"history": "joined"}, "mara")
    expect(jonas.page.locator("main article.message")).to_have_count(0)
    expect(jonas.row(conversation)).not_to_contain_text("the safe is open")
    assert jonas.ask("store.searchLocal('safe')") == []


def test_unread_is_counted_until_it_is_seen(pair, request):
    mara, jonas = pair
    jonas.page.get_by_role("link", name="Tasks").click()
    expect(jonas.page.locator("main .timeline")).to_have_count(0)
    mara.say("one")
    mara.say("two")
    row = jonas.row(request.node.name)
    expect(row.locator(".badge")).to_contain_text("2 unread messages")
    expect(mara.message("two").locator(".status")).to_have_class("status delivered")
    row.click()
    expect(jonas.message("two")).to_be_visible()
    expect(row.locator(".badge")).to_have_count(0)
    expect(mara.message("two").locator(".status")).to_have_class("status read")


def test_reactions(pair):
    mara, jonas = pair
    mara.say("The crane is here.")
    expect(jonas.message("The crane is here.")).to_be_visible()
    tool(jonas, "The crane is here.", "React")
    jonas.page.get_by_role("dialog").get_by_role("button").nth(2).click()
    chip = mara.message("The crane is here.").locator(".reaction[aria-pressed]")
    expect(chip).to_contain_text("1")
    chip.click()
    expect(jonas.message("The crane is here.").locator(".reaction[aria-pressed]")).to_contain_text("2")
    jonas.message("The crane is here.").locator(".reaction[aria-pressed]").click()
    expect(chip).to_contain_text("1")


def test_replies(pair):
    mara, jonas = pair
    mara.say("Where do we meet?")
    tool(jonas, "Where do we meet?", "Reply")
    jonas.say("At berth 4.")
    reply = mara.message("At berth 4.")
    quote = reply.get_by_role("button", name="Reply to")
    expect(quote).to_contain_text("Where do we meet?")
    quote.click()
    expect(mara.message("Where do we meet?")).to_be_focused()


def test_edits_and_deletions(pair):
    mara, jonas = pair
    mara.say("At nine.")
    mara.say("Never mind.")
    expect(jonas.message("Never mind.")).to_be_visible()
    menu(mara, "At nine.", "Edit")
    editor = mara.page.get_by_role("textbox", name="Edit the message")
    editor.fill("At ten.")
    editor.press("Enter")
    expect(jonas.message("At ten.")).to_contain_text("edited")
    menu(mara, "Never mind.", "Delete")
    mara.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(jonas.message("Never mind.")).to_have_count(0)
    assert mara.texts() == jonas.texts() == ["At ten."]


def test_threads(pair):
    mara, jonas = pair
    mara.say("Who takes the tow?")
    tool(jonas, "Who takes the tow?", "Thread")
    thread = jonas.page.get_by_role("textbox", name="Reply in the thread")
    thread.fill("I do.")
    thread.press("Enter")
    chip = mara.message("Who takes the tow?").locator(".thread-chip")
    expect(chip).to_contain_text("1 reply")
    chip.click()
    expect(mara.page.locator(".side article.message", has_text="I do.")).to_be_visible()


def test_mentions_are_completed_and_notified(pair):
    mara, jonas = pair
    jonas.page.get_by_role("link", name="Tasks").click()
    mara.writer().press_sequentially("Hello @jon")
    expect(mara.page.get_by_role("listbox", name="People")).to_be_visible()
    mara.writer().press("Enter")
    mara.writer().press_sequentially("look")
    mara.writer().press("Enter")
    expect(mara.page.locator("main .mention")).to_have_text("@Jonas Brehmer")
    expect(jonas.page.locator(".banners")).to_contain_text("look")


def test_new_conversation(harbor, visit):
    mara = visit(harbor, "mara")
    page = mara.open()
    page.get_by_role("button", name="New conversation").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox", name="People").fill("hanna")
    dialog.get_by_role("checkbox", name="Hanna").check()
    dialog.get_by_role("button", name="Start chat").click()
    expect(page.get_by_role("textbox", name="Message to Hanna")).to_be_visible()
    mara.say("Hello Hanna")
    expect(mara.message("Hello Hanna").locator(".status")).to_have_class("status sent")
