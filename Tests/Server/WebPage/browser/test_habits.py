"""What people do in other chats every day: forward, find people, look through mentions, threads and drafts."""

import datetime
import re
import urllib.parse

from playwright.sync_api import expect

from model import Model

from nexus import wait_until


def test_a_message_is_forwarded_as_a_quote_with_a_link_to_its_origin(serve, visit):
    server = serve()
    pier = server.group("pier", "Pier [works]", "mara", "jonas-b")
    server.group("quay", "Quay walls", "mara", "nnamdi")
    server.say(pier, "jonas-b", "The **crane** comes.\nOn Friday, @Mara Lindqvist", id="crane")
    mara, nnamdi = visit(server, "mara"), visit(server, "nnamdi")
    page = mara.open("#/conversation/pier/message/crane")
    mara.live()
    page.locator("[data-key=crane] article").focus()
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog", name="Forward")
    expect(dialog.get_by_role("searchbox", name="Conversation")).to_be_focused()
    # The conversation itself is not offered.
    expect(dialog.get_by_role("radio")).to_have_count(1)
    page.keyboard.type("quay")
    dialog.get_by_role("radio", name="Quay walls").check()
    mara.axe("forward")
    mara.shot("forward")
    dialog.get_by_role("button", name="Forward").click()
    expect(page.get_by_text("Forwarded to Quay walls.")).to_be_visible()

    wait_until(lambda: server.texts("quay", "nnamdi"), "the copy is sent")
    text, = server.texts("quay", "nnamdi")
    assert text.startswith("> The **crane** comes.\n> On Friday, @Mara Lindqvist\n\n[Jonas Brehmer, Pier \\[works\\], "), text
    assert text.endswith(f"({server.url}/#/conversation/pier/message/crane)"), text

    # The reader of the copy reads the words, and the link says that the original is not theirs.
    page = nnamdi.open("#/conversation/quay")
    copy = page.locator("main article.message").last
    expect(copy.locator("blockquote strong")).to_have_text("crane")
    expect(copy.locator(".name")).to_have_text("Mara Lindqvist")
    link = copy.get_by_role("link", name="Jonas Brehmer, Pier [works]")
    link.click()
    expect(page.get_by_text("This conversation does not exist, or you cannot see it.")).to_be_visible()
    assert not server.call("GET", "/v1/notifications", user="mara")["notifications"][1:], "a quoted name mentions nobody"


def test_files_are_forwarded_as_copies(serve, visit):
    server = serve()
    server.group("pier", "Pier works", "mara", "jonas-b")
    server.group("quay", "Quay walls", "mara", "nnamdi")
    mara = visit(server, "mara")
    page = mara.open("#/conversation/pier")
    mara.live()
    page.locator("main input[type=file]").set_input_files([{"name": "plan.txt", "mimeType": "text/plain", "buffer": b"the plan"}])
    mara.say("see the plan")
    mara.sent("see the plan")
    mara.message("see the plan").hover()
    mara.message("see the plan").get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Forward").click()
    dialog = page.get_by_role("dialog", name="Forward")
    dialog.get_by_role("radio", name="Quay walls").check()
    dialog.get_by_role("button", name="Forward").click()
    wait_until(lambda: server.texts("quay", "nnamdi"), "the copy is sent")
    copy, = server.call("GET", "/v1/conversations/quay/messages", user="nnamdi")["messages"]
    file, = copy["attachments"]
    assert server.call("GET", f"/v1/files/{file['id']}", user="nnamdi", parse=False) == b"the plan"


def test_the_directory_shows_everybody_and_a_card_of_each(serve, visit):
    server = serve()
    server.group("pier", "Pier works", "mara", "jonas-b")
    server.group("shed", "Shed", "jonas-b", "hanna")
    mara, jonas = visit(server, "mara"), visit(server, "jonas-b")
    jonas.open()
    jonas.live()
    page = mara.open()
    mara.live()
    page.get_by_role("button", name="What the list shows").click()
    page.get_by_role("menuitem", name="People").click()
    people = page.get_by_role("list", name="People").get_by_role("listitem")
    # Hanna is in no conversation with Mara.
    expect(people.filter(has_text="Hanna")).to_be_visible()
    expect(people.filter(has_text="Jonas Brehmer")).to_contain_text("Online")
    find = page.get_by_role("searchbox", name="Name or user name")
    expect(find).to_be_focused()
    find.fill("breh")
    expect(people).to_have_count(1)
    mara.axe("people")
    mara.shot("people")
    people.get_by_role("button", name="Jonas Brehmer").first.click()
    card = page.get_by_role("dialog", name="Jonas Brehmer")
    expect(card).to_contain_text("Online")
    expect(card.get_by_role("link", name="Pier works")).to_be_visible()
    mara.axe("profile")
    mara.shot("profile")
    page.keyboard.press("Escape")
    find.fill("hanna")
    people.get_by_role("button", name="Write to Hanna").click()
    expect(page.get_by_role("heading", name="Hanna")).to_be_visible()
    expect(mara.writer()).to_be_visible()


def test_the_name_of_a_message_leads_to_the_card_of_its_author(serve, visit):
    server = serve()
    pier = server.group("pier", "Pier works", "mara", "jonas-b")
    server.say(pier, "jonas-b", "The crane comes.")
    mara = visit(server, "mara")
    page = mara.open("#/conversation/pier")
    page.locator("main article").get_by_role("button", name="Jonas Brehmer").click()
    card = page.get_by_role("dialog", name="Jonas Brehmer")
    card.get_by_role("button", name="Search messages").click()
    page.wait_for_url("**/#/search?by=jonas-b")
    expect(page.get_by_role("list", name="Person")).to_have_text("Jonas Brehmer")
    page.go_back()
    page.locator("main article").get_by_role("button", name="Jonas Brehmer").click()
    card.get_by_role("button", name="Write directly").click()
    expect(page.get_by_role("heading", name="Jonas Brehmer")).to_be_visible()
    wait_until(lambda: any(entry["kind"] == "direct" for entry in server.call("GET", "/v1/conversations", user="mara")["conversations"]), "they have a chat")


def test_mentions_threads_and_drafts_of_all_conversations_are_listed(serve, visit):
    server = serve()
    pier = server.group("pier", "Pier works", "mara", "jonas-b")
    quay = server.group("quay", "Quay walls", "mara", "jonas-b")
    server.say(pier, "jonas-b", "Look at this, @Mara Lindqvist", id="look")
    server.say(pier, "jonas-b", "and at `@Mara Lindqvist` not", id="code")
    server.say(quay, "mara", "Who paints the wall?", id="wall")
    server.say(quay, "jonas-b", "I do.", replyTo="wall", threadRoot="wall")
    server.say(quay, "jonas-b", "Another thread?", id="other")
    server.say(quay, "jonas-b", "Nobody else wrote.", replyTo="other", threadRoot="other")
    mara = visit(server, "mara")
    page = mara.open("#/conversation/quay")
    mara.live()
    mara.writer().fill("I wanted to say")
    page.goto("/#/activity")
    cards = page.get_by_role("tabpanel").locator("li")
    expect(cards.filter(has_text="Look at this")).to_contain_text("new")
    expect(cards.filter(has_text="at @Mara")).to_have_count(0)
    expect(cards.filter(has_text="I do.")).to_contain_text("replied to you")
    mara.axe("mentions")
    mara.shot("mentions")
    cards.filter(has_text="Look at this").get_by_role("link").click()
    page.wait_for_url("**/#/conversation/pier/message/look")
    wait_until(lambda: not [one for one in mara.ask("store.notifications") if one["messageId"] == "look"], "it is read")
    page.go_back()
    # What was read stays, as far as this browser keeps it.
    expect(cards.filter(has_text="Look at this")).not_to_contain_text("new")

    page.get_by_role("tab", name="Threads").click()
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Who paints the wall?")
    expect(cards).to_contain_text("I do.")
    mara.axe("threads")
    cards.get_by_role("link").click()
    expect(page.locator(".side article")).to_have_count(2)

    page.goto("/#/activity/drafts")
    expect(cards).to_contain_text("I wanted to say")
    mara.axe("drafts")
    cards.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_text("No drafts.")).to_be_visible()
    page.goto("/#/conversation/quay")
    expect(mara.writer()).to_have_value("")


def test_messages_are_saved_for_oneself_and_found_again(serve, visit):
    server = serve()
    pier = server.group("pier", "Pier works", "mara", "jonas-b")
    quay = server.group("quay", "Quay walls", "mara", "jonas-b")
    server.say(pier, "jonas-b", "The **crane** comes on Friday.", id="crane")
    server.say(quay, "jonas-b", "The key is in the shed.", id="key")
    mara, jonas = visit(server, "mara"), visit(server, "jonas-b")
    page = mara.open("#/conversation/pier/message/crane")
    mara.live()
    expect(page.locator("[data-key=crane] article")).to_be_focused()
    page.keyboard.press("s")
    expect(page.get_by_text("Saved. The menu above the chats leads to it.")).to_be_visible()
    page.goto("/#/conversation/quay")
    mara.message("The key is in the shed.").hover()
    mara.message("The key is in the shed.").get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Save for me").click()
    wait_until(lambda: len(server.call("GET", "/v1/saved", user="mara")["messages"]) == 2, "both are saved")

    page.goto("/#/activity")
    page.get_by_role("tab", name="Saved").click()
    cards = page.get_by_role("tabpanel").locator("li")
    expect(cards).to_have_count(2)
    # The last saved first, without the signs of Markdown.
    expect(cards.first).to_contain_text("The key is in the shed.")
    expect(cards.last).to_contain_text("The crane comes on Friday.")
    expect(cards.last).to_contain_text("Pier works")
    mara.axe("saved")
    mara.shot("saved")
    cards.last.get_by_role("link").click()
    page.wait_for_url("**/#/conversation/pier/message/crane")
    expect(page.locator("[data-key=crane] article")).to_be_focused()
    # The menu and the key know that it is saved.
    page.locator("[data-key=crane] article").hover()
    page.locator("[data-key=crane]").get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Remove from saved").click()
    expect(page.get_by_text("Removed from saved messages.")).to_be_visible()
    page.goto("/#/activity/saved")
    expect(cards).to_have_count(1)
    cards.get_by_role("button", name="Remove from saved").click()
    expect(page.get_by_text("You have not saved a message.")).to_be_visible()
    assert server.call("GET", "/v1/saved", user="mara")["messages"] == []

    # Nobody else sees what a person saved, and a deleted message is gone from the list.
    server.call("PUT", "/v1/conversations/quay/messages/key/saved", {}, "mara")
    page = jonas.open("#/activity/saved")
    jonas.live()
    expect(page.get_by_text("You have not saved a message.")).to_be_visible()
    server.call("DELETE", "/v1/conversations/quay/messages/key", user="jonas-b")
    mara.page.reload()
    expect(mara.page.get_by_text("You have not saved a message.")).to_be_visible()


START = datetime.datetime(2026, 9, 1, 12, tzinfo=datetime.timezone.utc)


def hourly(server, room, count):
    """Messages with the numbers of the hours since START; none on 10 September."""
    moments = [START + datetime.timedelta(hours=n) for n in range(count)]
    server.call("POST", f"/v1/conversations/{room}/messages", {"messages": [
        {"id": f"{room}-{n}", "text": f"hour {n}", "senderId": "jonas-b", "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ")}
        for n, moment in enumerate(moments) if not (moment.month == 9 and moment.day == 10)]}, "jonas-b")


def test_a_date_leads_to_the_first_message_of_its_day(serve, visit):
    server = serve()
    room = server.group("log", "Log", "mara", "jonas-b")
    hourly(server, room, 700)
    mara = visit(server, "mara")
    page = mara.open("#/conversation/log")
    mara.live()
    expect(page.locator("main article").first).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Go to a date").click()
    day = page.get_by_role("dialog", name="Go to a date").get_by_label("Day")
    expect(day).to_be_focused()
    day.fill("2026-09-05")
    mara.axe("go to a date")
    mara.shot("date")
    page.keyboard.press("Enter")
    # The day begins at 22:00 UTC for who is in Berlin: 3 days and 10 hours after the start.
    first = page.locator("[data-key='log-82']")
    expect(first.locator("article")).to_be_focused()
    expect(first.locator(".day")).to_contain_text("5 September")

    # From the divider of a day, and to a day without messages: what comes next.
    first.locator(".day span").click()
    expect(day).to_have_value("2026-09-05")
    day.fill("2026-09-10")
    page.get_by_role("button", name="Go", exact=True).click()
    # The first two hours of the day in Berlin are still the 9th in UTC.
    expect(page.locator("[data-key='log-202'] article")).to_be_focused()
    page.keyboard.press("g")
    expect(day).to_have_value("2026-09-10")
    day.fill("2026-09-12")
    page.keyboard.press("Enter")
    expect(page.locator("[data-key='log-250'] article")).to_be_focused()


def test_a_search_has_several_conversations_and_people_and_a_period(serve, visit):
    server = serve()
    for room, name in [("pier", "Pier works"), ("quay", "Quay walls"), ("shed", "Shed")]:
        server.group(room, name, "mara", "jonas-b", "hanna")
        server.say(room, "jonas-b", f"The crane is at the {room}.")
        server.say(room, "hanna", f"No crane at the {room}.")
    mara = visit(server, "mara")
    page = mara.open("#/search?q=crane")
    mara.live()
    results = page.locator("main .cards > li")
    expect(results).to_have_count(6)
    for place in ["Pier works", "Shed"]:
        page.get_by_role("combobox", name="Conversation", exact=True).select_option(label=place)
    expect(results).to_have_count(4)
    page.get_by_role("combobox", name="Person", exact=True).select_option(label="Hanna")
    expect(results).to_have_count(2)
    page.get_by_role("combobox", name="Period").select_option("week")
    expect(results).to_have_count(2)
    query = urllib.parse.parse_qs(page.url.split("?")[1])
    assert query["in"] == ["pier", "shed"] and query["by"] == ["hanna"] and "from" in query, query
    mara.axe("search with filters")
    mara.shot("search-filters")
    page.reload()
    expect(results).to_have_count(2)
    page.get_by_role("list", name="Conversation").get_by_role("button", name="Remove Shed").click()
    expect(results).to_have_count(1)


def test_a_search_asks_for_kinds_and_loads_more(serve, visit):
    server = serve()
    for room, name in [("pier", "Pier works"), ("quay", "Quay walls")]:
        server.group(room, name, "mara", "jonas-b", "hanna")
        server.call("POST", f"/v1/conversations/{room}/messages", {"messages": [
            {"id": f"{room}-{n}", "text": f"The crane moves load {n}." + (f" https://example.com/{n}" if n % 8 == 0 else ""),
             "senderId": ["jonas-b", "hanna"][n % 2],
             **({"attachments": [{"name": f"crane{n}.png", "mediaType": "image/png"}]} if n % 16 == 0 else {})}
            for n in range(64)]}, "jonas-b")
    mara = visit(server, "mara")
    page = mara.open("#/search?q=crane+load")
    mara.live()
    results = page.locator("main .cards > li")
    more = page.get_by_role("button", name="Show more")
    expect(results).to_have_count(20)
    more.click()
    expect(results).to_have_count(70)
    # Who loads more continues to read where the new ones begin.
    expect(results.nth(20).get_by_role("link").first).to_be_focused()
    more.click()
    expect(results).to_have_count(120)
    more.click()
    expect(results).to_have_count(128)
    expect(more).to_have_count(0)
    places = results.locator("> a").evaluate_all("links => links.map(link => link.hash)")
    assert len(set(places)) == 128, "each message once"
    mara.axe("search of many")

    kind = page.get_by_role("combobox", name="With")
    kind.select_option("link")
    expect(results).to_have_count(16)
    expect(more).to_have_count(0)
    kind.select_option("image")
    expect(results).to_have_count(8)
    assert urllib.parse.parse_qs(page.url.split("?")[1])["has"] == ["image"], page.url
    mara.shot("search-kinds")
    page.reload()
    expect(results).to_have_count(8)
    kind.select_option("video")
    expect(results).to_have_count(0)


def test_a_question_asks_several_conversations_people_and_a_period(serve, visit):
    model = Model("The crane comes on Friday. [1]")
    server = serve(*model.settings())
    for room, name in [("pier", "Pier works"), ("quay", "Quay walls"), ("shed", "Shed")]:
        server.group(room, name, "mara", "jonas-b", "hanna")
        server.say(room, "jonas-b", f"The crane is at the {room}.")
    mara = visit(server, "mara")
    page = mara.open("#/assistant")
    mara.live()
    page.get_by_role("button", name="Limit the search").click()
    for place in ["Pier works", "Shed"]:
        page.get_by_role("combobox", name="Conversation", exact=True).select_option(label=place)
    for person in ["Jonas Brehmer", "Hanna"]:
        page.get_by_role("combobox", name="Person", exact=True).select_option(label=person)
    page.get_by_role("combobox", name="Period").select_option("month")
    mara.axe("assistant with filters")
    mara.shot("assistant-filters")
    expect(page.get_by_role("button", name="Pier works · Shed · Jonas Brehmer · Hanna · since")).to_be_visible()
    question = page.locator("form.ask textarea")
    question.fill("Where is the crane?")
    with page.expect_request("**/v1/ask") as asked:
        question.press("Enter")
    body = asked.value.post_data_json
    assert body["conversationIds"] == ["pier", "shed"] and body["senderIds"] == ["jonas-b", "hanna"] and "from" in body and "to" not in body, body
    expect(page.locator(".turn .tools")).to_be_visible()
    places = {source["conversationId"] for turn in server.call("GET", "/v1/turns", user="mara")["turns"] for source in turn["sources"]}
    assert places and places <= {"pier", "shed"}, places
    model.close()


DROP = """([selector, name]) => {
  const data = new DataTransfer()
  data.items.add(new File(["the plan"], name, {type: "text/plain"}))
  const target = document.querySelector(selector)
  for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}))
}"""


def test_files_are_dropped_anywhere(serve, visit):
    server = serve()
    for room, name in [("pier", "Pier works"), ("quay", "Quay walls")]:
        server.group(room, name, "mara", "jonas-b")
    mara = visit(server, "mara")
    page = mara.open("#/settings")
    mara.live()
    chosen = page.locator("main .chosen-files li")
    page.evaluate(DROP, [".rail", "nowhere.txt"])
    expect(page.get_by_text("Open a conversation first, or drop the files on one in the list.")).to_be_visible()
    page.goto("/#/conversation/quay")
    expect(mara.writer()).to_be_visible()
    for number, place in enumerate([".rail", ".list .head", "main .head-slot", "main .list-scroll", "main .composer"]):
        page.evaluate(DROP, [place, f"plan{number}.txt"])
        expect(chosen).to_have_count(number + 1)
    # A conversation of the list is opened with its files.
    page.evaluate(DROP, ["a[href='#/conversation/pier']", "for-pier.txt"])
    page.wait_for_url("**/#/conversation/pier")
    expect(chosen).to_have_text([re.compile("for-pier.txt")])
    expect(page.locator(".dropping")).to_have_count(0)


def test_keys_wait_for_the_part_that_they_are_meant_for(serve, visit):
    server = serve()
    server.say(server.group("pier", "Pier works", "mara", "jonas-b"), "jonas-b", "The crane comes.", id="crane")
    server.group("quay", "Quay walls", "mara", "jonas-b")
    mara = visit(server, "mara")
    page = mara.open("#/conversation/pier/message/crane")
    article = page.locator("[data-key=crane] article")
    expect(article).to_be_focused()
    held = []
    page.route(re.compile("/(emoji|switcher)[^/]*[.]js"), lambda route: held.append(route))

    def let_come():
        while not held: page.wait_for_timeout(20)
        held.pop().continue_()

    page.keyboard.press("+")
    page.keyboard.type("rockx")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.locator("main .quote")).to_have_count(0)
    expect(mara.writer()).to_have_value("")
    let_come()
    expect(page.locator("main .reaction[aria-pressed=true]")).to_contain_text("🚀")
    # Escape gives up what has not come.
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    let_come()
    expect(article).to_be_focused()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("quay")
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/conversation/quay")


def test_the_help_names_every_key_of_a_message(serve, visit):
    server = serve()
    server.say(server.group("pier", "Pier works", "mara", "jonas-b"), "jonas-b", "The crane comes.", id="crane")
    mara = visit(server, "mara")
    page = mara.open("#/conversation/pier/message/crane")
    article = page.locator("[data-key=crane] article")
    expect(article).to_be_focused()
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keyboard")
    expect(help.get_by_role("rowheader").first).to_be_visible()
    named = {" ".join(row.locator("kbd").all_inner_texts()) for row in help.get_by_role("rowheader").all()}
    mara.axe("help")
    page.keyboard.press("Escape")
    # Each key of a message does something, and the help has it; no other letter does anything.
    for key in "abcdefghijklmnopqrstuvwxyz+":
        article.focus()
        prevented = article.evaluate("(article, key) => !article.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))", key)
        page.wait_for_timeout(100)
        page.keyboard.press("Escape")
        page.goto("/#/conversation/pier")
        if key != "e":
            assert prevented == (key.upper() in named), key
    assert {"F6", "Ctrl K", "Alt ↑ ↓", "Enter", "Esc", "E", "Del", "⇧ F10"} <= named, named
