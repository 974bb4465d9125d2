"""Fingers: a long press opens the menu of a message, a swipe replies, and what is pressed is large enough."""

from playwright.sync_api import expect

# Buttons and links that react to less than 44 px; links within text may be as small as their words.
SMALL = """() => [...document.querySelectorAll("button, a[href], select, input:not([type=file]), textarea")].filter(element => {
  const box = element.getBoundingClientRect()
  if (!element.checkVisibility() || box.width <= 1 || element.closest(".text, .sr, .acts, p") || box.bottom > innerHeight || box.top < 0) return false
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const reacts = (dx, dy) => {
    const found = document.elementFromPoint(Math.min(Math.max(x + dx, 1), innerWidth - 1), Math.min(Math.max(y + dy, 1), innerHeight - 1))
    return element === found || element.contains(found) || found?.closest("label")?.contains(element)
  }
  return !(reacts(0, -21) && reacts(0, 21)) && reacts(0, 0)
}).map(element => element.outerHTML.slice(0, 120))"""


class Finger:
    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.page = page

    def send(self, kind, *place):
        points = [{"x": place[0], "y": place[1]}] if place else []
        self.session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def press(self, locator, milliseconds):
        box = locator.bounding_box()
        self.send("Start", box["x"] + 20, box["y"] + box["height"] / 2)
        self.page.wait_for_timeout(milliseconds)
        self.send("End")

    def swipe(self, locator, dx, dy=0):
        box = locator.bounding_box()
        x, y = box["x"] + 20, box["y"] + box["height"] / 2
        self.send("Start", x, y)
        for step in range(1, 11):
            self.send("Move", x + dx * step / 10, y + dy * step / 10)
            self.page.wait_for_timeout(16)
        self.send("End")


def telephone(serve, visit):
    server = serve()
    room = server.group("pier", "Pier works", "mara", "jonas-b")
    for number in range(30):
        server.say(room, "jonas-b", f"message {number}")
    last = server.say(room, "jonas-b", "The crane comes.", id="crane")
    server.call("PUT", f"/v1/conversations/{room}/messages/{last}/reactions/%F0%9F%91%8D", {}, "jonas-b")
    server.call("POST", f"/v1/conversations/{room}/read", {"upTo": last}, "mara")
    mara = visit(server, "mara", width=390, height=844, has_touch=True, is_mobile=True)
    page = mara.open("#/conversation/pier")
    mara.live()
    expect(mara.message("The crane comes.")).to_be_in_viewport()
    return mara, page, Finger(page)


def test_a_long_press_opens_the_menu_and_a_swipe_replies(serve, visit):
    mara, page, finger = telephone(serve, visit)
    crane = mara.message("The crane comes.")
    text = crane.locator(".text")
    finger.press(text, 700)
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    mara.shot("touch-menu")
    page.get_by_role("menuitem", name="Reply").tap()
    expect(page.locator(".replying")).to_contain_text("The crane comes.")
    page.get_by_role("button", name="Do not reply").tap()
    expect(page.locator(".replying")).to_have_count(0)

    # A short tap and a move up open nothing.
    finger.press(text, 80)
    finger.swipe(text, 10, -120)
    expect(menu).to_have_count(0)
    page.get_by_role("button", name="To the newest message").or_(crane).first.wait_for()
    crane.scroll_into_view_if_needed()
    # Not far enough, then far enough.
    finger.swipe(text, 40)
    expect(page.locator(".replying")).to_have_count(0)
    finger.swipe(text, 120)
    expect(page.locator(".replying")).to_contain_text("The crane comes.")
    # The tools for a mouse cover nothing.
    assert page.evaluate("() => [...document.querySelectorAll('.acts')].every(acts => acts.getBoundingClientRect().width <= 1)")


def test_what_a_finger_presses_has_44_pixels(serve, visit):
    mara, page, _ = telephone(serve, visit)
    found = {}
    for name, address, sign in [("conversation", "#/conversation/pier", "main article"), ("list", "#/", ".conversation"), ("details", "#/conversation/pier/details", ".side li"),
                                ("assistant", "#/assistant", "main textarea"), ("people", "#/people", "main .person"), ("search", "#/search", "main form input")]:
        page.goto("/" + address)
        expect(page.locator(sign).first).to_be_visible()
        page.wait_for_timeout(300)
        small = page.evaluate(SMALL)
        if small:
            found[name] = small
    mara.axe("touch")
    assert not found, found
