"""Several tabs of one browser share one socket."""

from playwright.sync_api import expect


def test_tabs_share_a_socket(harbor, visit):
    harbor.group("tabs", "Tabs", "mara", "jonas-b")
    mara = visit(harbor, "mara")
    sockets = []

    def watch(page):
        page.on("websocket", lambda socket: sockets.append((page, socket)))

    def count():
        return sum(not page.is_closed() and not socket.is_closed() for page, socket in sockets)

    watch(mara.page)
    mara.context.on("page", watch)
    first = mara.open()
    mara.enter("Tabs")
    mara.live()
    second = mara.context.new_page()
    mara.open("#/conversation/tabs", second)
    mara.live(second)
    assert count() == 1

    harbor.say("tabs", "jonas-b", "to both")
    for page in [first, second]:
        expect(mara.message("to both", page)).to_be_visible()
    mara.say("from the second", second)
    expect(mara.message("from the second", first)).to_be_visible()

    first.close()
    mara.live(second)
    harbor.say("tabs", "jonas-b", "to the other")
    expect(mara.message("to the other", second)).to_be_visible()
    mara.say("the second leads", second)
    mara.sent("the second leads", second)
    assert count() == 1
    assert harbor.texts("tabs", "mara") == ["to both", "from the second", "to the other", "the second leads"]
