"""Messages that are sent later, and reminders."""

import datetime
import re

from playwright.sync_api import expect

from nexus import wait_until


def soon(seconds):
    """A time so many seconds from now."""
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def scheduled(server, user="mara"):
    return server.call("GET", "/v1/scheduled", user=user)["messages"]


def test_a_message_is_scheduled_with_the_keyboard_changed_and_sent(serve, visit):
    server = serve()
    server.group("pier", "Pier works", "mara", "jonas-b")
    mara, jonas = visit(server, "mara"), visit(server, "jonas-b")
    page = mara.open("#/conversation/pier")
    mara.live()
    later = page.get_by_role("button", name="Send later")
    expect(later).to_be_hidden()
    mara.writer().fill("The **crane** comes at ten.")
    expect(later).to_be_visible()
    page.keyboard.press("Control+Shift+Enter")
    dialog = page.get_by_role("dialog", name="Send later")
    expect(dialog.get_by_role("button", name=re.compile("^In 20 minutes"))).to_be_focused()
    mara.axe("send later")
    mara.shot("send-later")
    # Given up, the text stays.
    page.keyboard.press("Escape")
    expect(mara.writer()).to_have_value("The **crane** comes at ten.")
    assert not scheduled(server)
    later.click()
    dialog.get_by_role("button", name=re.compile("^In 1 hour")).click()
    expect(page.get_by_text("Nobody sees the message before.")).to_be_visible()
    expect(mara.writer()).to_have_value("")
    first, = scheduled(server)
    ahead = datetime.datetime.fromisoformat(first["sendAt"].replace("Z", "+00:00")) - datetime.datetime.now(datetime.timezone.utc)
    assert 3_500 < ahead.total_seconds() <= 3_600, ahead
    assert not server.texts("pier", "jonas-b") and not scheduled(server, "jonas-b")

    page.goto("/#/activity/scheduled")
    card = page.get_by_role("tabpanel").locator("li")
    expect(card).to_contain_text("The crane comes at ten.")
    expect(card).to_contain_text("Pier works")
    expect(card).to_contain_text("to be sent")
    mara.axe("scheduled")
    mara.shot("scheduled")
    card.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Change the text").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Text").fill("The crane comes at noon.")
    page.get_by_role("dialog").get_by_role("button", name="Change", exact=True).click()
    expect(card).to_contain_text("The crane comes at noon.")
    card.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Another time").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Tomorrow")).click()
    wait_until(lambda: scheduled(server)[0]["sendAt"] != first["sendAt"], "it has another time")
    card.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Send now").click()
    expect(page.get_by_text("No message waits to be sent.")).to_be_visible()
    assert server.texts("pier", "jonas-b") == ["The crane comes at noon."]

    # At its time it comes by itself, on all screens.
    page = jonas.open("#/conversation/pier")
    jonas.live()
    server.call("POST", "/v1/conversations/pier/scheduled", {"text": "It is there.", "sendAt": soon(2)}, "mara")
    expect(mara.page.get_by_role("tabpanel").locator("li")).to_contain_text("It is there.")
    expect(jonas.message("It is there.")).to_be_visible(timeout=15_000)
    expect(mara.page.get_by_text("No message waits to be sent.")).to_be_visible()


def test_a_message_that_could_not_be_sent_says_why(serve, visit):
    server = serve()
    server.group("pier", "Pier works", "mara", "jonas-b")
    server.group("quay", "Quay walls", "mara", "jonas-b")
    mara = visit(server, "mara")
    page = mara.open("#/conversation/quay")
    mara.live()
    server.call("POST", "/v1/conversations/pier/scheduled", {"text": "The last word.", "sendAt": soon(3)}, "mara")
    server.call("DELETE", "/v1/conversations/pier/members/mara", user="mara")
    expect(page.get_by_text("A message could not be sent at its time.")).to_be_visible(timeout=15_000)
    page.goto("/#/activity/scheduled")
    card = page.get_by_role("tabpanel").locator("li")
    expect(card).to_contain_text("The last word.")
    expect(card).to_contain_text("Not sent: you could not see the conversation any more.")
    mara.axe("refused")
    mara.shot("refused")
    card.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text("No message waits to be sent.")).to_be_visible()
    assert server.texts("pier", "jonas-b") == [] and scheduled(server) == []


def test_a_person_is_reminded_of_a_message(serve, visit):
    server = serve()
    pier = server.group("pier", "Pier works", "mara", "jonas-b")
    server.say(pier, "jonas-b", "Who orders the **crane**?", id="crane")
    mara, jonas = visit(server, "mara"), visit(server, "jonas-b")
    page = mara.open("#/conversation/pier/message/crane")
    mara.live()
    expect(page.locator("[data-key=crane] article")).to_be_focused()
    page.keyboard.press("l")
    dialog = page.get_by_role("dialog", name="Remind me")
    dialog.get_by_role("button", name=re.compile("^Tomorrow")).click()
    expect(page.get_by_text("You will be reminded:")).to_be_visible()
    page.goto("/#/activity/saved")
    card = page.get_by_role("tabpanel").locator("li")
    expect(card).to_contain_text("Reminder")
    mara.shot("reminder")
    card.get_by_role("button", name="Remind me").click()
    dialog.get_by_role("button", name="No reminder").click()
    expect(page.get_by_text("You are not reminded any more.")).to_be_visible()
    expect(card).to_contain_text("saved")

    # At its time a banner comes, on the screen of the conversation too, and only to this person.
    page.goto("/#/conversation/pier")
    expect(mara.message("Who orders the crane?")).to_be_visible()
    jonas.open("#/activity")
    jonas.live()
    server.call("PUT", "/v1/conversations/pier/messages/crane/saved", {"remindAt": soon(2)}, "mara")
    banner = page.locator(".banners .banner")
    expect(banner).to_contain_text("Reminder:", timeout=15_000)
    expect(banner).to_contain_text("Who orders the crane?")
    page.goto("/#/activity")
    reminder = page.get_by_role("tabpanel").locator("li").first
    expect(reminder).to_contain_text("Who orders the crane?")
    expect(reminder).to_contain_text("Reminder")
    mara.axe("reminded")
    reminder.get_by_role("button", name="Mark as done").click()
    expect(page.get_by_text("Nobody has mentioned you.")).to_be_visible()
    expect(jonas.page.get_by_text("Nobody has mentioned you.")).to_be_visible()


def test_the_menus_are_german_too(serve, visit):
    server = serve()
    pier = server.group("pier", "Pier", "mara", "jonas-b")
    server.say(pier, "jonas-b", "Wer bestellt den Kran?", id="crane")
    mara = visit(server, "mara", language="de-DE")
    page = mara.open("#/conversation/pier")
    mara.live()
    mara.message("Wer bestellt den Kran?").hover()
    mara.message("Wer bestellt den Kran?").get_by_role("button", name="Weitere Aktionen").click()
    page.get_by_role("menuitem", name="Erinnern").click()
    dialog = page.get_by_role("dialog", name="Erinnern")
    expect(dialog.get_by_role("button", name=re.compile("^In 20 Minuten"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    mara.writer().fill("Ich.")
    page.get_by_role("button", name="Später senden").click()
    expect(page.get_by_role("dialog", name="Später senden")).to_be_visible()
