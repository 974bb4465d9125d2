"""The keyboard alone: from sign-in to a sent message and an opened source."""

from playwright.sync_api import expect

# The element with the focus: its name, and whether a person can see that it has the focus.
FOCUS = """() => {
    const element = document.activeElement
    const name = element.getAttribute("aria-label") || element.placeholder || element.innerText || ""
    const isMarked = one => {
        const style = getComputedStyle(one)
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 || style.boxShadow !== "none"
    }
    const around = element.closest("form, label, .filter")
    return {tag: element.tagName, name: name.trim(), isMarked: isMarked(element) || !!around && isMarked(around)}
}"""


def tab_to(page, name, key="Tab"):
    """Presses Tab until something with this name has the focus."""
    passed = []
    for _ in range(80):
        page.keyboard.press(key)
        focus = page.evaluate(FOCUS)
        passed.append(focus["name"][:30])
        assert focus["isMarked"] or focus["tag"] == "BODY", f"the focus cannot be seen: {focus}"
        if name in focus["name"]:
            return focus
    raise AssertionError(f"Tab does not reach {name}: {passed}")


def test_keyboard_alone(harbor, visit):
    harbor.group("keys", "Keys", "mara", "jonas-b")
    harbor.say("keys", "jonas-b", "Can you hear me?")
    mara = visit(harbor)
    page = mara.open()
    mara.choose("Sign out")
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()

    tab_to(page, "Find a person")
    page.keyboard.type("mara")
    tab_to(page, "Mara")
    page.keyboard.press("Enter")
    expect(page.locator(".shell")).to_be_visible()
    expect(mara.row("Keys")).to_be_visible()

    tab_to(page, "Filter conversations")
    page.keyboard.type("keys")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(mara.message("Can you hear me?")).to_be_visible()
    if page.evaluate(FOCUS)["name"] != "Message to Keys":
        tab_to(page, "Message to Keys")
    page.keyboard.type("Loud and clear.")
    page.keyboard.press("Enter")
    mara.sent("Loud and clear.")

    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")
    expect(mara.message("Can you hear me?")).to_be_focused()
    page.keyboard.press("r")
    expect(mara.writer()).to_be_focused()
    page.keyboard.type("Again: yes.")
    page.keyboard.press("Enter")
    expect(mara.message("Again: yes.").get_by_role("button", name="Reply to")).to_be_visible()

    tab_to(page, "Assistant", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    if page.evaluate(FOCUS)["name"] != "Your question":
        tab_to(page, "Your question")
    page.keyboard.type("When does the Hamburg pilot go live?")
    page.keyboard.press("Enter")
    expect(page.locator(".answer .citation").first).to_be_visible()
    expect(page.get_by_role("button", name="Why this answer?")).to_be_visible()
    tab_to(page, "Source 1" if page.get_by_role("button", name="Source 1").count() else "1", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("article.message.highlighted")).to_be_focused()
