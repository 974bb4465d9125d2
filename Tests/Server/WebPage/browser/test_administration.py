"""What an operator does on the page."""

import io
import os
import re
import zipfile
from urllib.parse import quote

from playwright.sync_api import expect

from nexus import ROOT, wait_until


def export(dataset):
    """A data set as one archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ["conversations.jsonl", "messages.jsonl"]:
            file.write(ROOT / "eval/datasets" / dataset / name, name)
    return archive.getvalue()


def test_import_by_upload(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    page = mara.open("#/administration/imports")
    page.get_by_label("Export file").set_input_files(
        {"name": "harbor.zip", "mimeType": "application/zip", "buffer": export("harbor")})
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_role("heading", name="This would be imported")).to_be_visible()
    expect(page.locator("main")).to_contain_text("718")
    mara.shot("import-preview")
    assert server.call("GET", "/v1/conversations", user="mara")["conversations"] == []

    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    mara.shot("import-result")
    page.goto("/#/")
    expect(mara.row("general")).to_be_visible()
    assert len(server.call("GET", "/v1/conversations", user="mara")["conversations"]) == 7


def test_import_asks_for_zone_and_order_of_dates(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    page = mara.open("#/administration/imports")
    page.get_by_label("Export file").set_input_files(
        {"name": "WhatsApp Chat with Crew.txt", "mimeType": "text/plain", "buffer": b"01/02/23, 10:00 - Ada: the pump"})
    page.get_by_label("Time zone of the export").select_option("Asia/Tokyo")
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_role("alert")).to_contain_text("choose the order of dates")

    page.get_by_label("Order of dates").select_option("mdy")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    # A name of an export without ids is a person of that chat.
    ada = re.search("whatsapp-Ada-[0-9a-f]{16}", server.run("users", "list"))[0]
    chat, = server.call("GET", "/v1/conversations", user=ada)["conversations"]
    message, = server.call("GET", f"/v1/conversations/{quote(chat['id'])}/messages", user=ada)["messages"]
    assert message["timestamp"].startswith("2023-01-02T01:00:00")


def test_import_asks_whether_channels_are_open(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    page = mara.open("#/administration/imports")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("users.json", '[{"id": "U1", "name": "ada", "profile": {"real_name": "Ada"}}]')
        file.writestr("channels.json", '[{"id": "C1", "name": "pier", "created": 1452000000, "members": ["U1"]}]')
        file.writestr("pier/2016-01-15.json", '[{"user": "U1", "text": "the pump hums", "ts": "1452837318.000002"}]')
    page.get_by_label("Export file").set_input_files(
        {"name": "export.zip", "mimeType": "application/zip", "buffer": archive.getvalue()})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    # Slack's own exports do not say who may read a channel.
    assert server.call("GET", "/v1/conversations", user="mara")["conversations"] == []

    page.get_by_label("Everybody may read the channels").click()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("section", has_text="readable by members only")).to_have_count(0)
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    chat, = server.call("GET", "/v1/conversations", user="mara")["conversations"]
    assert chat["id"] == "slack-C1" and chat["visibility"] == "everyone"
    mara.axe("the form of imports")


def test_progress_of_an_upload(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    page = mara.open("#/administration/imports")
    mara.live()
    network = mara.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions",
                 {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 200_000})
    archive = io.BytesIO(export("harbor"))
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("notes.bin", os.urandom(1_000_000))
    page.get_by_label("Export file").set_input_files(
        {"name": "harbor.zip", "mimeType": "application/zip", "buffer": archive.getvalue()})
    page.evaluate("""() => {
        window.shares = []
        new MutationObserver(() => {
            const bar = document.querySelector("main progress[aria-label^=Uploading]")
            if (bar) shares.push(bar.position)
        }).observe(document.querySelector("main"), {childList: true, subtree: true, attributes: true})
    }""")
    page.get_by_role("button", name="Check only").click()
    expect(page.get_by_role("progressbar", name="Uploading")).to_be_visible()
    wait_until(lambda: page.evaluate("shares.some(share => share > 0 && share < 1)"), "a part is uploaded")
    mara.shot("import-progress")
    expect(page.get_by_role("heading", name="This would be imported")).to_be_visible()
    shares = page.evaluate("shares")
    assert shares == sorted(shares)


def test_a_file_that_is_no_export(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    mara.allow("status of 4")
    page = mara.open("#/administration/imports")
    page.get_by_label("Export file").set_input_files({"name": "x.zip", "mimeType": "application/zip", "buffer": b"PK\3\4no"})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("main [role=alert]")).to_be_visible()
    mara.shot("import-refused")


def test_keys_are_made_and_revoked(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    page = mara.open("#/administration/keys")
    page.locator("main form input").first.fill("reports")
    page.get_by_role("button", name="Create a key").click()
    expect(page.locator("main table")).to_contain_text("reports")
    mara.shot("keys")


def test_storage_shows_whose_files_take_most(serve, visit):
    server = serve()
    mara = visit(server, "mara")
    page = mara.open("#/administration/storage")
    shares = page.get_by_role("region", name="Files of people")
    expect(shares).to_contain_text("There are none.")
    sent = page.context.request.post(
        f"{server.url}/v1/files", data=b"a note", headers={"Content-Type": "text/plain", "X-Nexus-User": "mara"})
    assert sent.status == 201, sent.text()
    page.reload()
    expect(shares.get_by_role("row")).to_have_count(2)
    expect(shares).to_contain_text("mara")
    mara.shot("storage-shares")


def test_a_list_of_many_users_is_searched_and_turned(serve, visit):
    server = serve()
    for number in range(120):
        server.call("POST", "/v1/accounts", {"userId": f"user-{number:03}", "name": f"Person {number:03}"}, user="mara")
    server.call("POST", "/v1/accounts", {"userId": "zoe", "name": "Zoë Ångström"}, user="mara")
    mara = visit(server, "mara")
    page = mara.open("#/administration/users")
    users = page.get_by_role("region", name="Users")
    expect(users.locator("tbody tr")).to_have_count(50)
    expect(page.get_by_text("1 to 50 of 121")).to_be_visible()
    previous, following = (page.get_by_role("button", name=f"{name}: Users") for name in ["Previous", "Next"])
    expect(previous).to_be_disabled()
    following.click()
    following.click()
    expect(page.get_by_text("101 to 121 of 121")).to_be_visible()
    expect(users.locator("tbody tr")).to_have_count(21)
    expect(following).to_be_disabled()
    mara.axe("many users")
    find = page.get_by_label("Find")
    find.fill("zoe angs")
    expect(users.locator("tbody tr")).to_have_count(1)
    expect(users).to_contain_text("Zoë Ångström")
    find.fill("nobody here")
    expect(page.get_by_text("Nothing has this text.")).to_be_visible()
    find.fill("user-0")
    expect(page.get_by_text("1 to 50 of 100")).to_be_visible()
    mara.shot("administration-many-users")
    page.set_viewport_size({"width": 390, "height": 800})
    mara.axe("many users on a telephone")
    mara.shot("administration-many-users-390")


def test_the_audit_log_is_filtered_and_turned(serve, visit):
    server = serve()
    for number in range(60):
        server.call("POST", "/v1/accounts", {"userId": f"user-{number:02}"}, user="mara")
    server.run("keys", "create", "--role", "ingest", "--name", "robot")
    mara = visit(server, "mara")
    page = mara.open("#/administration/keys")
    page.locator("main form input").first.fill("reports")
    page.get_by_role("button", name="Create a key").click()
    expect(page.locator("main table")).to_contain_text("reports")

    page.get_by_role("tab", name="Audit log").click()
    log = page.get_by_role("region", name="Audit log")
    rows = log.locator("tbody tr")
    expect(rows).to_have_count(50)
    expect(rows.nth(0)).to_contain_text("made a key")
    expect(rows.nth(0)).to_contain_text("page")
    expect(rows.nth(1)).to_contain_text("command on the server")
    expect(rows.nth(1)).to_contain_text("writes for anybody")
    expect(rows.nth(2)).to_contain_text("user-59")
    mara.axe("audit log")
    mara.shot("audit-log")
    later, earlier = (page.get_by_role("button", name=f"{name}: Audit log") for name in ["Later", "Earlier"])
    expect(later).to_be_disabled()
    earlier.click()
    expect(rows).to_have_count(12)
    expect(earlier).to_be_disabled()
    later.click()
    expect(rows).to_have_count(50)

    page.locator("main form select").select_option("key.made")
    page.get_by_role("button", name="Find").click()
    expect(rows).to_have_count(2)
    page.locator("main form select").select_option("")
    page.get_by_label("By or about the person").fill("user-07")
    page.get_by_role("button", name="Find").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("invited a person")
    page.get_by_label("By or about the person").fill("nobody")
    page.get_by_role("button", name="Find").click()
    expect(log).to_contain_text("There are none.")
