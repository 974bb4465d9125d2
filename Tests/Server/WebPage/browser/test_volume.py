"""Many messages and many conversations. What depends on the machine is measured and printed, not asserted."""

import re
import statistics
import threading
import time

import pytest
from playwright.sync_api import expect

from nexus import wait_until

COUNT = 100_000
# Records when the first row of the list was painted.
FIRST_ROW = """new MutationObserver((changes, watcher) => {
    if (!document.querySelector(".conversation")) return
    watcher.disconnect()
    requestAnimationFrame(() => setTimeout(() => (window.firstRowAt = performance.now())))
}).observe(document, {childList: true, subtree: true})"""
# Records how long each key takes until the frame after it is painted.
LATENCY = """() => {
    window.latencies = []
    document.querySelector("main .composer textarea").addEventListener("keydown", ({timeStamp}) =>
        requestAnimationFrame(() => setTimeout(() => latencies.push(performance.now() - timeStamp))))
}"""


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    from nexus import Server
    # Nothing is embedded here: the cap is used up at once.
    server = Server(tmp_path_factory.mktemp("crowded") / "crowded", "--set", "embedding.daily-token-cap=1").start()
    for number in range(500):
        server.group(f"group-{number}", f"Group {number}", "mara", "jonas-b")
    server.group("flood", "Flood", "mara", "jonas-b")
    for start in range(0, COUNT, 1_000):
        server.call("POST", "/v1/conversations/flood/messages", user="jonas-b", body={"messages": [
            {"id": f"flood-{n}", "text": f"message {n} " + "word " * (n % 30)} for n in range(start, start + 1_000)]})
    yield server
    server.remove()


def numbers(person):
    """The numbers of the messages in the document, which must follow each other."""
    found = [int(re.match(r"message (\d+)", text).group(1)) for text in person.texts()]
    assert found == list(range(found[0], found[0] + len(found))) if found else True
    assert len(found) <= 200
    assert person.page.locator("main article").count() <= 200
    return found


def to_the_end(person, count):
    """Goes from the first unread message, where the conversation opens, to the end."""
    page = person.page
    expect(page.locator("main .new-line")).to_be_in_viewport()
    page.locator("main .pill.below").click()
    expect(person.message(f"message {count - 1} " + "word " * ((count - 1) % 30))).to_be_in_viewport()


def test_first_paint_with_500_conversations(crowded, visit, figure):
    mara = visit(crowded, "mara")
    mara.context.add_init_script(FIRST_ROW)
    page = mara.open()
    for name in ["first visit", "second visit"]:
        at = wait_until(lambda: page.evaluate("window.firstRowAt"), "the list is painted")
        figure(f"list of 500 conversations painted, {name}", f"{at:.0f} ms")
        assert page.locator(".conversation").count() < 100
        mara.live()
        page.reload()


def test_100_000_messages(crowded, visit, figure):
    mara = visit(crowded, "mara")
    page = mara.open("#/conversation/flood")
    to_the_end(mara, COUNT)
    assert numbers(mara)[-1] == COUNT - 1

    begin = time.monotonic()
    page.goto(f"/#/conversation/flood/message/flood-{COUNT // 2}")
    article = page.locator(f"[data-key=flood-{COUNT // 2}] article")
    expect(article).to_be_in_viewport()
    expect(article).to_be_focused()
    figure("jump to the middle of 100,000 messages", f"{1_000 * (time.monotonic() - begin):.0f} ms")
    assert COUNT // 2 in numbers(mara)

    page.locator("main [role=feed]").hover()
    for step in [-600] * 40 + [900] * 60:
        page.mouse.wheel(0, step)
        numbers(mara)
    wait_until(lambda: numbers(mara)[-1] > COUNT // 2 + 100, "newer messages are loaded")
    page.locator("main .pill.below").click()
    expect(page.locator(f"[data-key=flood-{COUNT - 1}]")).to_be_in_viewport()
    numbers(mara)


def test_typing_while_50_messages_a_second_arrive(crowded, visit, figure):
    mara = visit(crowded, "mara")
    page = mara.open("#/conversation/flood")
    mara.live()
    to_the_end(mara, COUNT)
    mara.writer().click()
    page.evaluate(LATENCY)

    def measure(name):
        page.evaluate("() => { latencies.length = 0 }")
        page.keyboard.type("The quick brown fox jumps over the lazy dog. " * 2, delay=30)
        found = wait_until(lambda: len(got := page.evaluate("latencies")) >= 90 and got, "the keys are painted")
        figure(f"from a key to the next frame, {name}",
               f"median {statistics.median(found):.0f} ms, 95 of 100 {statistics.quantiles(found, n=20)[-1]:.0f} ms")

    measure("quiet")
    stop, sent = threading.Event(), []

    def chatter():
        begin = time.monotonic()
        while not stop.wait(max(0, begin + len(sent) / 50 - time.monotonic())):
            crowded.say("flood", "jonas-b", f"message {COUNT + len(sent)}")
            sent.append(time.monotonic())

    thread = threading.Thread(target=chatter)
    thread.start()
    try:
        measure("while messages arrive")
    finally:
        stop.set()
        thread.join()
    figure("messages that arrived meanwhile", f"{len(sent) / (sent[-1] - sent[0]):.0f} a second")
    expect(mara.message(f"message {COUNT + len(sent) - 1}")).to_be_in_viewport()
    assert numbers(mara)[-1] == COUNT + len(sent) - 1
    assert mara.writer().input_value() == "The quick brown fox jumps over the lazy dog. " * 4
