"""People correct which messages were replaced, in the timeline of a subject."""

from playwright.sync_api import expect

from nexus import wait_until

SUBJECT = "#/subject?q=launch%20of%20the%20ferry%20line"


def test_a_person_corrects_a_timeline(harbor, visit):
    harbor.group("ferry", "Ferry line", "mara", "jonas-b")
    harbor.say("ferry", "jonas-b", "The launch of the ferry line is on 12 October.")
    harbor.say("ferry", "mara", "The launch of the ferry line has been moved to 20 October.")
    harbor.say("ferry", "jonas-b", "Captain says 27 October for the launch of the ferry line, all clear.")

    def found():
        entries = harbor.call("POST", "/v1/timeline", {"subject": "launch of the ferry line", "conversationIds": ["ferry"]}, "mara")
        return len(entries["entries"])

    wait_until(lambda: found() == 3, "the messages are found")
    mara = visit(harbor, "mara")
    page = mara.open(SUBJECT)
    old = page.locator("main .cards li", has_text="on 12 October")
    expect(old.locator(".contradicted")).to_be_visible()
    old.get_by_role("button", name="Still true").click()
    expect(old.locator(".contradicted")).to_have_count(0)
    expect(old).to_contain_text("Still true, says")
    mara.axe("a corrected timeline")

    moved = page.locator("main .cards li", has_text="moved to 20 October")
    moved.get_by_role("button", name="Replaced by …").click()
    dialog = page.get_by_role("dialog", name="Replaced by …")
    expect(dialog).to_contain_text("sees this with your name")
    mara.axe("the choice of a message")
    dialog.get_by_role("button", name="Captain says").click()
    expect(moved.locator(".contradicted")).to_be_visible()
    expect(moved).to_contain_text("Replaced, says")
    mara.shot("verdicts")

    # Jonas sees it, and takes back nothing that Mara said.
    jonas = visit(harbor, "jonas-b")
    other = jonas.open(SUBJECT).locator("main .cards li", has_text="moved to 20 October")
    expect(other.locator(".contradicted")).to_be_visible()
    expect(other.get_by_role("button", name="Take back")).to_have_count(0)

    moved.get_by_role("button", name="Take back").click()
    expect(moved.locator(".contradicted")).to_have_count(0)
    expect(moved.get_by_role("button", name="Take back")).to_have_count(0)
