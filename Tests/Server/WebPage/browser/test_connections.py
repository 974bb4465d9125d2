"""An administrator looks after the connection to another chat."""

import pytest
from playwright.sync_api import expect

from nexus import wait_until
from slack import Slack


@pytest.fixture
def slack():
    slack = Slack("U0ADA", "U0BOB")
    slack.channel("C0PLANS", "plans", "U0ADA", "U0BOB")
    slack.channel("C0HARBOR", "harbor", "U0ADA")
    for number in range(3):
        slack.say("C0PLANS", "U0ADA", f"The release has {number} open questions.")
    slack.say("C0HARBOR", "U0ADA", "The pump hums.")
    slack.say("C0HARBOR", "U0ADA", "")
    yield slack
    slack.stop()


def texts(server, channel, user):
    page = server.call("GET", f"/v1/conversations/slack-{channel}/messages?limit=100", user=f"slack-{user}")
    return [message["text"] for message in page["messages"]]


def places(server, user):
    return [one["id"] for one in server.call("GET", "/v1/conversations", user=f"slack-{user}")["conversations"]]


def test_a_connection_is_watched_paused_and_disconnected(serve, visit, slack):
    server = serve(*slack.settings)
    mara = visit(server, "mara")
    # The server is restarted in between.
    mara.allow("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE")
    page = mara.open("#/administration/connections")
    section = page.get_by_role("region", name="Slack", exact=True)
    table = page.get_by_role("region", name="Rooms: Slack")
    row = table.get_by_role("row", name="plans")
    expect(section.get_by_role("heading")).to_contain_text("connected")
    expect(row).to_contain_text("read to the beginning")
    expect(row.get_by_role("cell").nth(1)).to_have_text("3")
    expect(table.get_by_role("row", name="harbor")).to_contain_text("without text 1")
    expect(section).to_contain_text("No event came over HTTP yet")
    assert slack.send(server, slack.say("C0PLANS", "U0BOB", "Friday it is.")) == 200
    expect(row.get_by_role("cell").nth(1)).to_have_text("4")
    expect(section).not_to_contain_text("No event came over HTTP yet")
    section.get_by_role("button", name="Test: Slack").click()
    expect(section).to_contain_text("it is the user nexus of Crew")
    mara.axe("connections")
    mara.shot("connections")

    section.get_by_role("button", name="Pause: Slack").click()
    page.get_by_role("dialog").get_by_role("button", name="Pause", exact=True).click()
    expect(section.get_by_role("heading")).to_contain_text("paused")
    assert slack.send(server, slack.say("C0PLANS", "U0BOB", "Said while paused.")) == 200
    server.stop()
    server.start()
    page = mara.open("#/administration/connections")
    expect(section).to_contain_text("Paused since")
    assert "Said while paused." not in texts(server, "C0PLANS", "U0ADA")
    mara.axe("a paused connection")
    mara.shot("connections-paused")
    section.get_by_role("button", name="Resume: Slack").click()
    wait_until(lambda: "Said while paused." in texts(server, "C0PLANS", "U0ADA"), "what was missed arrives")

    table.get_by_role("button", name="Leave out: harbor").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave out", exact=True).click()
    expect(table.get_by_role("row", name="harbor")).to_contain_text("left out, nobody reads it")
    assert places(server, "U0ADA") == ["slack-C0PLANS"]
    table.get_by_role("button", name="Take in again: harbor").click()
    wait_until(lambda: len(places(server, "U0ADA")) == 2, "the room is read again")
    expect(table.get_by_role("row", name="harbor")).to_contain_text("read to the beginning")

    section.get_by_role("button", name="Disconnect and erase: Slack").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("2 conversations with 6 messages")
    mara.axe("the question before a connection is erased")
    mara.shot("connections-question")
    question.get_by_role("button", name="Cancel").click()
    assert len(places(server, "U0ADA")) == 2
    section.get_by_role("button", name="Disconnect and erase: Slack").click()
    question.get_by_role("button", name="Disconnect and erase", exact=True).click()
    expect(section.get_by_role("heading")).to_contain_text("disconnected")
    expect(section).to_contain_text("Nothing of it was found.")
    mara.shot("connections-disconnected")
    assert places(server, "U0ADA") == []
    assert slack.send(server, slack.say("C0PLANS", "U0BOB", "Too late.")) == 200
    assert places(server, "U0ADA") == []

    section.get_by_role("button", name="Connect again: Slack").click()
    wait_until(lambda: len(places(server, "U0ADA")) == 2, "it is connected again")
    wait_until(lambda: "Too late." in texts(server, "C0PLANS", "U0ADA"), "everything is read again")


def test_the_page_says_how_to_connect(serve, visit):
    server = serve()
    mara = visit(server, "mara", width=390, height=800, language="de-DE")
    page = mara.open("#/administration/connections")
    for name in ["Matrix", "Mattermost", "Slack"]:
        section = page.get_by_role("region", name=name, exact=True)
        expect(section.get_by_role("heading")).to_contain_text("nicht verbunden")
        section.get_by_text(f"{name} verbinden").click()
    expect(page.locator("main")).to_contain_text("socket_mode_enabled: true")
    expect(page.locator("main")).to_contain_text("matrix.hs-token-file=hs_token")
    mara.axe("how to connect")
    mara.shot("connections-how")


@pytest.mark.parametrize("theme,width", [("light", 1440), ("dark", 390)])
def test_a_person_joins_another_chat_with_a_code_and_ends_that(serve, visit, slack, theme, width):
    server = serve(*slack.settings)
    mara = visit(server, "mara", theme=theme, width=width, height=900)
    wait_until(lambda: len(places(server, "U0ADA")) == 2, "the rooms are read")
    page = mara.open("#/settings")
    section = page.get_by_role("region", name="Other chats")
    section.get_by_role("button", name="Get a code").click()
    command = section.get_by_role("textbox").input_value()
    name, word, code = command.split()
    assert (name, word, len(code)) == ("@nexus", "link", 9)
    expect(section).to_contain_text("Never write a code that somebody else gave you")
    mara.axe("a code for another chat")
    mara.shot(f"links-code-{width}")

    # A wrong code joins nobody, and a code that was asked for before neither.
    section.get_by_role("button", name="Get a new code").click()
    expect(section.get_by_role("textbox")).not_to_have_value(command)
    assert slack.send(server, slack.say("C0PLANS", "U0ADA", f"<@U0NEXUS> link {code}")) == 200
    wait_until(lambda: any("link" in text for text in texts(server, "C0PLANS", "U0BOB")), "the message arrives")
    assert not any(code in text for text in texts(server, "C0PLANS", "U0BOB"))
    assert server.call("GET", "/v1/links", user="mara")["links"] == []
    command = section.get_by_role("textbox").input_value()
    assert slack.send(server, slack.say("C0PLANS", "U0ADA", command.replace("@nexus", "<@U0NEXUS>"))) == 200
    expect(section).to_contain_text("Slack · Ada")
    expect(section.get_by_role("button", name="Get a code")).to_have_count(0)
    ids = [one["id"] for one in server.call("GET", "/v1/conversations", user="mara")["conversations"]]
    assert {"slack-C0PLANS", "slack-C0HARBOR"} <= set(ids)
    mara.axe("a link with another chat")
    mara.shot(f"links-{width}")

    # An administrator sees and ends it too.
    page = mara.open("#/administration/connections")
    links = page.get_by_role("region", name="People joined with accounts")
    expect(links).to_contain_text("Slack · Ada · mara")
    mara.axe("people joined with accounts")
    links.get_by_role("button", name="End the link of Ada").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page = mara.open("#/settings")
    section.get_by_role("button", name="End the link with Slack").click()
    page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    expect(section.get_by_role("button", name="Get a code")).to_be_visible()
    assert server.call("GET", "/v1/conversations", user="mara")["conversations"] == []
