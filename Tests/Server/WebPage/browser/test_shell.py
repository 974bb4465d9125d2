"""The frame of the page: list, details, banners, keyboard, settings, one pane at a time."""

import pytest
from playwright.sync_api import expect

from nexus import wait_until


@pytest.fixture
def mara(harbor, visit):
    person = visit(harbor, "mara")
    person.open()
    person.live()
    return person


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")


def test_group_from_start_to_end(harbor, mara, request):
    page = mara.page
    conversation = harbor.group(request.node.name, "Crane", "mara", "jonas-b", "hanna")
    page.goto(f"/#/conversation/{conversation}/details")
    side = page.locator(".side")
    expect(side.locator(".person")).to_have_count(3)

    side.get_by_role("button", name="Rename").click()
    page.keyboard.type("Crane on Friday")
    page.keyboard.press("Enter")
    expect(page.locator(".main .head h1")).to_have_text("Crane on Friday")

    side.get_by_role("button", name="Actions for Hanna").click()
    page.get_by_role("menuitem", name="Make administrator").click()
    expect(side.locator(".person", has_text="Hanna").locator(".chip")).to_have_text("Admin")
    side.get_by_role("button", name="Actions for Jonas").click()
    page.get_by_role("menuitem", name="Remove from group").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove from group").click()
    expect(side.locator(".person")).to_have_count(2)

    side.get_by_label("Pinned").click()
    expect(page.locator(".conversation .name").first).to_have_text("Crane on Friday")
    side.get_by_label("Archived").click()
    expect(mara.row("Crane on Friday")).to_have_count(0)
    page.get_by_role("button", name="Archive (").click()
    expect(mara.row("Crane on Friday")).to_be_visible()

    side.get_by_role("button", name="Leave group").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave group").click()
    expect(page.get_by_role("heading", name="Welcome to Nexus")).to_be_visible()
    expect(mara.row("Crane on Friday")).to_have_count(0)
    page.goto(f"/#/conversation/{conversation}")
    expect(page.get_by_text("This conversation does not exist")).to_be_visible()


def test_banners(harbor, mara, request):
    page = mara.page
    unread = mara.ask("store.conversations.reduce((sum, {unreadCount}) => sum + unreadCount, 0)")
    conversation = harbor.call("POST", "/v1/direct", {"with": "mara"}, "nnamdi")["id"]
    banners = page.locator(".banner")
    harbor.say(conversation, "nnamdi", "banner 0")
    banners.first.hover()
    for number in range(1, 5):
        harbor.say(conversation, "nnamdi", f"banner {number}")
    expect(banners).to_have_count(3)
    page.wait_for_timeout(5_000)
    # What is pointed at stays, and the later ones wait behind it.
    expect(banners).to_have_count(3)
    for number in range(3):
        expect(banners.nth(number)).to_contain_text(f"banner {number}")
    page.mouse.move(5, 5)
    expect(banners).to_have_count(0)
    expect(page).to_have_title(f"({unread + 5}) Nexus")

    harbor.say(conversation, "nnamdi", "come here")
    banners.get_by_text("come here").click()
    expect(mara.message("come here")).to_be_visible()
    expect(banners).to_have_count(0)
    harbor.say(conversation, "nnamdi", "and now")
    expect(mara.message("and now")).to_be_visible()
    expect(banners).to_have_count(0)


def test_keyboard(mara):
    page = mara.page
    page.locator(".list h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Conversation, person or page")).to_be_focused()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("searchbox", name="Search in messages")).to_be_focused()
    page.goto("/#/")
    page.keyboard.press("Alt+ArrowDown")
    expect(mara.writer()).to_be_focused()
    first = page.url
    page.keyboard.press("Alt+ArrowDown")
    page.wait_for_function("first => location.href !== first", arg=first)
    expect(mara.writer()).to_be_focused()
    page.keyboard.press("F6")
    assert "Chats" in focused(page)
    page.keyboard.press("F6")
    current = page.locator(".conversation a[aria-current]")
    expect(current).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(current).not_to_be_focused()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    page.keyboard.press("Shift+F6")
    page.keyboard.press("Shift+F6")
    expect(mara.writer()).to_be_focused()


def test_language_and_theme(mara):
    page = mara.page
    page.goto("/#/settings")
    page.get_by_label("Theme").select_option("dark")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.get_by_label("Language").focus()
    page.get_by_label("Language").select_option("de")
    expect(page.locator("select[name=language]")).to_be_focused()
    expect(page.get_by_role("heading", name="Darstellung")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.reload()
    expect(page.get_by_role("heading", name="Darstellung")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_one_pane(harbor, visit):
    mara = visit(harbor, "mara", width=320, height=640)
    page = mara.open()
    mara.enter("general")
    expect(page.locator(".list")).to_be_hidden()
    page.get_by_role("link", name="Details").click()
    expect(page.locator(".main")).to_be_hidden()
    page.locator(".side").get_by_role("link", name="Back").click()
    expect(mara.writer()).to_be_visible()
    page.locator(".main").get_by_role("link", name="Back").click()
    expect(mara.row("general")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1440])
def test_shell_is_accessible(harbor, visit, theme, width):
    mara = visit(harbor, "mara", theme=theme, width=width, bypass_csp=True)
    page = mara.page
    page.goto("/")
    page.wait_for_selector(".rail, .pick")
    mara.open()
    for hash, shown in {"": ".conversation", "#/settings": ".page", "#/conversation/general/details": ".side .person"}.items():
        page.goto("/" + hash)
        expect(page.locator(shown).first).to_be_visible()
        mara.axe(hash or "the list")
        mara.shot(f"shell-{shown.split('.')[1].strip()}-{width}-{theme}")
    page.goto("/#/")
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("dialog").locator(".person").first).to_be_visible()
    mara.axe("a new conversation")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()


def test_the_switcher_leads_to_conversations_people_and_pages(serve, visit):
    harbor = serve()
    harbor.group("pier", "Pier works", "mara", "jonas-b")
    quay = harbor.group("quay", "Quay walls", "mara", "nnamdi")
    harbor.say(quay, "nnamdi", "look")
    mara = visit(harbor, "mara")
    page = mara.open()
    mara.live()
    field, options = page.get_by_role("combobox", name="Conversation, person or page"), page.get_by_role("option")

    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    # Unread ones come first.
    expect(options.first).to_contain_text("Quay walls")
    field.fill("wo pi")
    expect(options).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_url("**/#/conversation/pier")

    page.keyboard.press("Control+k")
    field.fill("nnamdi")
    expect(options.first).to_contain_text("Write to")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="nnamdi")).to_be_visible()

    page.keyboard.press("Control+k")
    field.fill("sett")
    mara.axe("switcher")
    mara.shot("switcher")
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/settings")
    page.keyboard.press("Control+k")
    field.fill("look")
    options.last.click()
    expect(page.get_by_role("searchbox", name="Search in messages")).to_have_value("look")


def test_the_list_shows_unread_conversations_alone_and_all_are_marked_as_read(serve, visit):
    harbor = serve()
    for name in ["pier", "quay", "shed"]:
        harbor.group(name, name.title(), "mara", "jonas-b")
    for room in ["pier", "quay"]:
        harbor.say(room, "jonas-b", "look")
    mara = visit(harbor, "mara")
    page = mara.open()
    mara.live()
    menu = page.get_by_role("button", name="What the list shows")
    rows = page.locator(".conversation")
    expect(rows).to_have_count(3)
    menu.click()
    page.get_by_role("menuitemcheckbox", name="Unread only").click()
    expect(rows).to_have_count(2)
    menu.click()
    page.get_by_role("menuitem", name="Mark all as read").click()
    expect(rows).to_have_count(0)
    expect(page.get_by_text("Everything is read.")).to_be_visible()
    expect(page).to_have_title("Nexus")
    unread = lambda: [entry["unreadCount"] for entry in harbor.call("GET", "/v1/sync", user="mara")["conversations"]]
    wait_until(lambda: not any(unread()), "the server knows it")


def test_a_hidden_page_shows_notifications_without_a_key_for_push(serve, visit):
    harbor = serve()
    room = harbor.group("pier", "Pier works", "mara", "jonas-b")
    mara = visit(harbor, "mara", permissions=["notifications"])
    page = mara.open("#/settings")
    mara.live()
    mara.allow("status of 404 .*/v1/push/key")
    notify = page.get_by_role("switch", name="Notify this browser")
    notify.click()
    expect(notify).to_be_checked()
    expect(page.get_by_text("While the page is open in another tab.")).to_be_visible()
    page.evaluate("""() => {
      window.shown = []
      ServiceWorkerRegistration.prototype.showNotification = async (title, {body, data}) => { window.shown.push([title, body, data.conversationId]) }
      Object.defineProperty(document, "hidden", {get: () => true})
    }""")
    harbor.say(room, "jonas-b", "**look** @mara")
    wait_until(lambda: page.evaluate("() => window.shown.length"), "a notification is shown")
    title, body, conversation = page.evaluate("() => window.shown[0]")
    assert title.endswith("· Pier works") and body == "look @mara" and conversation == "pier"
    notify.click()
    expect(notify).not_to_be_checked()
