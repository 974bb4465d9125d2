"""The walk that README promises to a newcomer."""

from playwright.sync_api import expect

from nexus import ROOT


def test_demo_walk(harbor, visit):
    mara = visit(harbor)
    page = mara.open()
    expect(page.get_by_role("button", name="Account of Mara")).to_be_visible()
    expect(mara.row("general")).to_be_visible()

    page.get_by_role("navigation", name="Main navigation").get_by_role("link", name="Assistant").click()
    question = page.get_by_role("textbox", name="Your question")
    question.fill("When does the Hamburg pilot go live?")
    question.press("Enter")
    # Quotations are in order of time: the day that holds is the last one.
    citation = page.locator(".answer .citation").last
    citation.click()

    article = page.locator("article.message.highlighted")
    expect(article).to_be_visible()
    expect(article).to_be_in_viewport()
    expect(article).to_be_focused()
    assert article.locator("xpath=..").get_attribute("data-key") == "general-074"
    assert "general/message/general-074" in page.url
    page.mouse.move(1, 1)
    page.screenshot(path=ROOT / "docs/images/page.png", animations="disabled")
