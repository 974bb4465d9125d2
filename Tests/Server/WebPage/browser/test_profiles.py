"""What people show of themselves: a picture, a title, the time where they work."""

import struct
import zlib

import pytest
from playwright.sync_api import expect

# The middle of the picture: red, green above, blue, yellow below.
QUARTERS = [(220, 20, 20), (20, 200, 20), (20, 20, 220), (230, 230, 20)]
# The colours in the middle of the quarters of a person's picture, as the page gets it, and its size.
PIXELS = """store.api.send("GET", "/v1/people/mara/pictures/" + "%s").then(reply => reply.blob()).then(createImageBitmap).then(picture => {
    const canvas = new OffscreenCanvas(picture.width, picture.height), context = canvas.getContext("2d")
    context.drawImage(picture, 0, 0)
    const at = (x, y) => [...context.getImageData(x * picture.width, y * picture.height, 1, 1).data.slice(0, 3)]
    return {size: [picture.width, picture.height], colours: [at(.25, .25), at(.75, .25), at(.25, .75), at(.75, .75)]}
})"""


def picture(width=600, height=400):
    """A PNG, wider than high: four quarters around its middle, grey beside them."""
    left = (width - height) // 2

    def pixel(x, y):
        inside = left <= x < width - left
        return QUARTERS[2 * (y >= height // 2) + (x >= width // 2)] if inside else (128, 128, 128)

    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Comment\0SECRET-PLACE") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def faces(page, user):
    return page.locator(f".avatar[data-id='{user}']")


@pytest.mark.parametrize("theme,width", [("light", 1440), ("dark", 390)])
def test_a_person_shows_a_picture_and_a_title(harbor, visit, theme, width):
    mara = visit(harbor, "mara", theme=theme, width=width, height=900)
    page = mara.open("#/settings")
    mara.live()
    expect(page.get_by_role("button", name="Choose a picture")).to_be_enabled()
    page.get_by_label("What you do").fill("Head of operations")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=False).first).to_be_visible()
    page.get_by_label("Time zone that others see").select_option("Asia/Tokyo")
    mara.shot(f"profile-form-{width}")

    chooser = page.locator("input[type=file]")
    mara.allow(r"status of 415")
    chooser.set_input_files({"name": "notes.png", "mimeType": "image/png", "buffer": b"no picture at all"})
    expect(page.get_by_role("alert")).to_contain_text("This file is no picture")
    mara.axe("a refused picture")
    chooser.set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": picture()})
    expect(page.get_by_role("button", name="Change the picture")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(faces(page, "mara").last).to_have_attribute("data-picture", "")
    mara.axe("the own profile")
    mara.shot(f"profile-own-{width}")

    # Another person sees it beside messages, in the card, in the list of members and in the directory.
    jonas = visit(harbor, "jonas-b", theme=theme)
    there = jonas.open()
    there.set_viewport_size({"width": width, "height": 900})
    there.goto("/#/conversation/general")
    expect(jonas.writer()).to_be_visible()
    # Telephones show no circles beside messages.
    if width > 800:
        face = faces(there, "mara").and_(there.locator("main article .avatar")).last
        face.scroll_into_view_if_needed()
        expect(face).to_have_attribute("data-picture", "")
        assert face.bounding_box()["width"] == face.bounding_box()["height"] == 28
    jonas.shot(f"profile-messages-{width}")
    profile = jonas.ask("store.api.request('GET', '/v1/profiles?user=mara').then(({profiles}) => profiles[0])")
    assert profile["title"] == "Head of operations" and profile["timeZone"] == "Asia/Tokyo"
    seen = jonas.ask(PIXELS % profile["pictureId"])
    assert seen["size"] == [192, 192]
    for found, wanted in zip(seen["colours"], QUARTERS):
        assert all(abs(a - b) < 16 for a, b in zip(found, wanted)), seen

    there.goto("/#/people")
    row = there.get_by_role("list", name="People").get_by_role("listitem").filter(has_text="Mara Lindqvist")
    expect(row).to_contain_text("Head of operations")
    expect(row.locator(".avatar")).to_have_attribute("data-picture", "")
    jonas.axe("people with pictures")
    jonas.shot(f"profile-people-{width}")
    row.get_by_role("button", name="Mara Lindqvist").first.click()
    card = there.get_by_role("dialog")
    expect(card).to_contain_text("Head of operations")
    expect(card).to_contain_text("Asia/Tokyo")
    expect(card.locator(".avatar.large")).to_have_attribute("data-picture", "")
    jonas.axe("a card with a picture")
    jonas.shot(f"profile-card-{width}")
    there.keyboard.press("Escape")
    there.goto("/#/conversation/general/details")
    expect(there.locator(".side li").filter(has_text="Mara Lindqvist")).to_contain_text("Head of operations")

    # Who removes it has initials again, at once here and for others when they look again.
    page.get_by_role("button", name="Remove the picture").click()
    expect(page.get_by_role("button", name="Choose a picture")).to_be_focused()
    expect(page.locator(".avatar[data-picture]")).to_have_count(0)
    there.reload()
    expect(there.locator(".side li").filter(has_text="Mara Lindqvist")).to_contain_text("Head of operations")
    expect(faces(there, "mara").and_(there.locator("[data-picture]"))).to_have_count(0)


@pytest.mark.parametrize("theme,width", [("light", 1440), ("dark", 390)])
def test_a_group_has_a_picture(serve, visit, theme, width):
    server = serve()
    made = server.call("POST", "/v1/conversations", {"name": "Pier works", "members": [
        {"userId": "mara", "name": "Mara Lindqvist"}, {"userId": "jonas-b", "name": "Jonas Brehmer"}]}, user="mara")["id"]
    mara = visit(server, "mara", theme=theme, width=width, height=900)
    page = mara.open(f"#/conversation/{made}/details")
    mara.live()
    details = page.locator(".side")
    expect(details).to_contain_text("Made by Mara Lindqvist")
    details.locator("input[type=file]").set_input_files({"name": "pier.png", "mimeType": "image/png", "buffer": picture()})
    expect(details.get_by_role("button", name="Change the picture")).to_be_visible()
    expect(details.locator(".avatar.group.large")).to_have_attribute("data-picture", "")
    mara.axe("a group with a picture")
    mara.shot(f"group-picture-{width}")
    if width > 800:
        expect(page.locator(".conversation .avatar.group")).to_have_attribute("data-picture", "")
    details.get_by_role("button", name="Remove the picture").click()
    expect(details.get_by_role("button", name="Choose a picture")).to_be_focused()
    expect(page.locator(".avatar[data-picture]")).to_have_count(0)
