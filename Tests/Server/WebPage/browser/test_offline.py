"""Without a network, and with a server that dies."""

from playwright.sync_api import expect

from nexus import wait_until

IS_KEPT = """caches.keys().then(async ([name]) => name && (await (await caches.open(name)).keys())
    .some(request => request.url.endsWith("chat/message.js")))"""
NETWORK = r"net::ERR_|WebSocket connection to"


def test_offline_and_back(harbor, visit):
    harbor.group("offline", "Offline", "mara", "jonas-b")
    mara, jonas = visit(harbor, "mara"), visit(harbor, "jonas-b")
    mara.allow(NETWORK)
    for person in [mara, jonas]:
        person.open()
        person.enter("Offline")
        person.live()
    mara.say("before")
    expect(jonas.message("before")).to_be_visible()

    mara.context.set_offline(True)
    expect(mara.page.locator(".connection-slot")).to_contain_text("Offline")
    mara.shot("offline")
    for number in range(5):
        mara.say(f"mara {number}")
        jonas.say(f"jonas {number}")
    expect(mara.message("mara 4").locator(".status")).to_have_class("status queued")
    jonas.sent("jonas 4")

    mara.context.set_offline(False)
    expect(jonas.message("mara 4")).to_be_visible()
    expect(mara.message("jonas 4")).to_be_visible()
    expect(mara.page.locator(".status.queued, .status.sending")).to_have_count(0)
    expected = ["before", *(f"jonas {n}" for n in range(5)), *(f"mara {n}" for n in range(5))]
    assert harbor.texts("offline", "mara") == expected
    assert mara.texts() == expected
    assert jonas.texts() == expected


def test_page_opens_without_a_network(harbor, visit):
    harbor.group("shelf", "Shelf", "mara", "jonas-b")
    harbor.say("shelf", "jonas-b", "kept on the device")
    mara = visit(harbor, "mara")
    mara.allow(NETWORK)
    page = mara.open()
    mara.enter("Shelf")
    expect(mara.message("kept on the device")).to_be_visible()
    wait_until(lambda: page.evaluate("!!navigator.serviceWorker.controller"), "the service worker is active")
    wait_until(lambda: page.evaluate(IS_KEPT), "the page is kept in the browser")

    mara.context.set_offline(True)
    page.reload()
    expect(mara.message("kept on the device")).to_be_visible()
    mara.say("written in the tunnel")
    expect(mara.message("written in the tunnel").locator(".status")).to_have_class("status queued")
    page.reload()
    expect(mara.message("written in the tunnel").locator(".status")).to_have_class("status queued")
    # Parts that were never open are kept with their style sheets.
    page.goto("/#/assistant")
    expect(page.locator(".assistant-page")).to_have_css("display", "flex")
    page.goto("/#/conversation/shelf")
    mara.context.set_offline(False)
    mara.sent("written in the tunnel")
    assert harbor.texts("shelf", "mara") == ["kept on the device", "written in the tunnel"]


def test_server_is_killed_in_the_middle_of_sends(serve, visit):
    server = serve()
    server.group("crash", "Crash", "mara", "jonas-b")
    mara, jonas = visit(server, "mara"), visit(server, "jonas-b")
    for person in [mara, jonas]:
        person.allow(NETWORK)
        person.open()
        person.enter("Crash")
        person.live()

    written = []
    for fall in range(3):
        for number in range(20):
            written.append(f"message {fall} {number}")
            mara.say(written[-1])
            if number == 9:
                server.kill()
            if number == 14:
                server.start()
        expect(mara.message(written[-1])).to_be_visible()
    expect(mara.page.locator(".status.queued, .status.sending")).to_have_count(0)
    expect(jonas.message(written[-1])).to_be_visible()
    assert server.texts("crash", "mara") == written
    assert mara.texts() == written
    assert jonas.texts() == written
