"""Reading: what is new or asked for is in view, and nothing that comes later moves it."""

from playwright.sync_api import expect

from model import Model
from nexus import wait_until

# The distance of the line before the new messages from the top of the list, as a share of its height.
LINE = """() => {
  const list = document.querySelector("main .list-scroll").getBoundingClientRect()
  const line = document.querySelector("main .new-line")?.getBoundingClientRect()
  return line ? (line.top - list.top) / list.height : null
}"""
SCROLL = "document.querySelector('main .list-scroll').scrollTop"


def fill(server, room, count, sender="jonas-b", text="line"):
    server.call("POST", f"/v1/conversations/{room}/messages", {"messages": [
        {"id": f"{room}-{text}-{n}", "text": f"{text} {n} " + "more words " * (n % 9), "senderId": sender} for n in range(count)]}, sender)


def test_the_answer_to_a_second_question_stays_in_view(serve, visit):
    model = Model("So it was decided.\n\n" + "The crane comes on Friday, and the pilot follows it. " * 60)
    server = serve(*model.settings())
    server.say(server.group("works", "Works", "mara", "jonas-b"), "jonas-b", "The crane comes on Friday.")
    mara = visit(server)
    page = mara.open("#/assistant")
    question = page.get_by_role("textbox")
    expect(question).to_be_focused()
    for number, text in enumerate(["When does the crane come?", "And what follows it?"]):
        question.fill(text)
        question.press("Enter")
        expect(page.locator(".turn .tools")).to_have_count(number + 1)
    pane = page.locator(".turns").bounding_box()
    asked = page.locator(".turn .question").last.bounding_box()
    assert 0 <= asked["y"] - pane["y"] < 120, (asked, pane)
    first = page.locator(".answer .prose p").filter(has_text="So it was decided.").last.bounding_box()
    assert first["y"] + first["height"] < pane["y"] + pane["height"]
    mara.shot("second-question")
    model.close()


def test_unread_messages_are_in_view_and_stay_there(serve, visit):
    harbor = serve()
    room = harbor.group("unread-third", "Unread third", "mara", "jonas-b")
    fill(harbor, room, 80, text="old")
    last = harbor.say(room, "jonas-b", "the last that was read")
    harbor.call("POST", f"/v1/conversations/{room}/read", {"upTo": last}, "mara")
    fill(harbor, room, 30, text="new")
    mara = visit(harbor, "mara")
    page = mara.open()
    for _ in range(2):
        mara.enter("Unread third")
        expect(page.locator("main .new-line")).to_be_in_viewport()
        places = []
        for _ in range(20):
            places.append(page.evaluate(LINE))
            page.wait_for_timeout(100)
        assert all(0.2 < place < 0.45 for place in places), places
        harbor.call("POST", f"/v1/conversations/{room}/unread", {"from": f"{room}-new-0"}, "mara")
        page.goto("/")
        page.reload()
        mara.live()


def test_what_is_sent_while_a_conversation_opens_at_its_unread_messages_stays_in_view(serve, visit):
    harbor = serve()
    room = harbor.group("send-first", "Send first", "mara", "jonas-b")
    fill(harbor, room, 80, text="old")
    last = harbor.say(room, "jonas-b", "the last that was read")
    harbor.call("POST", f"/v1/conversations/{room}/read", {"upTo": last}, "mara")
    fill(harbor, room, 120, text="new")
    mara = visit(harbor, "mara")
    page = mara.open()
    mara.live()
    # The page with the first unread message is under way until the person has sent something.
    held, isHeld = [], [True]
    page.route("**/messages?*around=*", lambda route: held.append(route) if isHeld[0] else route.continue_())
    mara.enter("Send first")
    wait_until(lambda: page.wait_for_timeout(20) or held, "the unread messages are asked for")
    mara.say("I was faster")
    expect(mara.message("I was faster")).to_be_in_viewport()
    isHeld[0] = False
    for route in held:
        route.continue_()
    mara.sent("I was faster")
    # Nothing that comes late takes it away.
    for _ in range(20):
        expect(mara.message("I was faster")).to_be_in_viewport()
        page.wait_for_timeout(50)
    expect(mara.writer()).to_be_focused()


def test_deleting_a_message_that_changed_meanwhile_keeps_the_place(serve, visit):
    harbor = serve()
    room = harbor.group("delete-place", "Delete place", "mara", "jonas-b")
    fill(harbor, room, 120)
    mara = visit(harbor, "mara")
    page = mara.open()
    mara.enter("Delete place")
    mara.live()
    mara.say("a mistake")
    mara.sent("a mistake")
    mara.message("a mistake").hover()
    mara.message("a mistake").get_by_role("button", name="More actions").click()
    expect(page.get_by_role("menu")).to_be_visible()
    message = mara.ask(f"store.messages('{room}').items.at(-1).id")
    harbor.call("PUT", f"/v1/conversations/{room}/messages/{message}/reactions/%F0%9F%91%8D", {}, "jonas-b")
    expect(mara.message("a mistake").locator(".reaction").first).to_be_visible()
    before = page.evaluate(SCROLL)
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(mara.message("a mistake")).to_have_count(0)
    assert before - page.evaluate(SCROLL) < 200
    expect(page.locator("main article").last).to_be_focused()


def test_replies_are_suggested_when_asked_for_and_move_nothing(serve, visit):
    model = Model('["Yes, at nine", "No, sorry"]')
    server = serve(*model.settings())
    room = server.group("ask-me", "Ask me", "mara", "jonas-b")
    fill(server, room, 60)
    server.say(room, "jonas-b", "Can you come at nine?")
    mara = visit(server, "mara")
    page = mara.open()
    mara.enter("Ask me")
    mara.live()
    page.locator("main article").last.scroll_into_view_if_needed()
    wait_until(lambda: page.evaluate("document.querySelector('main .list-scroll').scrollTop") > 0, "at the end")
    before = page.evaluate(SCROLL)
    page.get_by_role("button", name="Suggest replies").click()
    entry = page.get_by_role("menuitem", name="Yes, at nine")
    expect(entry).to_be_visible()
    assert page.evaluate(SCROLL) == before
    entry.click()
    expect(mara.writer()).to_have_value("Yes, at nine")
    expect(mara.writer()).to_be_focused()
    model.close()


def test_at_400_percent_the_answer_has_half_of_the_height(serve, visit):
    server = serve()
    server.say(server.group("works", "Works", "mara", "jonas-b"), "jonas-b", "The crane comes on Friday. " * 20)
    mara = visit(server, "mara", width=320, height=256)
    page = mara.open("#/assistant?q=When%20does%20the%20crane%20come")
    page.locator("form.ask textarea").press("Enter")
    expect(page.locator(".turn .tools")).to_have_count(1)
    page.locator(".answer").evaluate("element => element.scrollIntoView()")
    seen = page.locator(".answer").evaluate("""element => {
      const box = element.getBoundingClientRect(), pane = element.closest(".talk").getBoundingClientRect()
      return Math.min(box.bottom, pane.bottom) - Math.max(box.top, pane.top)
    }""")
    assert seen >= 128, seen
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("form.ask textarea").scroll_into_view_if_needed()
    expect(page.locator("form.ask textarea")).to_be_in_viewport()
    mara.shot("answer-400-percent")
