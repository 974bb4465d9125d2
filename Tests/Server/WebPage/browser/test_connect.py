"""A program asks to act for a person: sign-in, the question, the way back, and the end in the settings."""

import base64
import hashlib
import json
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from nexus import opener
from test_accounts import REFUSED, accept, start

PASSWORD = "correct horse battery"
BACK = "http://localhost:3997/callback"
VERIFIER = "v" * 64


def address(program, **changes):
    """The address to which a program sends the browser."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    fields = {"response_type": "code", "client_id": program, "redirect_uri": BACK, "state": "a b", "code_challenge": challenge,
              "code_challenge_method": "S256", **changes}
    return "/authorize?" + urllib.parse.urlencode(fields)


def watched(person):
    """Stands for the program that waits for the browser; returns the queries with which it came back."""
    returns = []

    def take(route):
        returns.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(route.request.url).query)))
        route.fulfill(body="done", content_type="text/plain")

    person.page.route(BACK + "**", take)
    person.allow("request to another host: http://localhost:3997")
    return returns


def test_program_is_connected_and_ended(serve, visit):
    server, link = start(serve)
    accept(visit(server), link, PASSWORD, "Chief")
    program = server.call("POST", "/register", {"client_name": "Helper", "redirect_uris": [BACK]})["client_id"]
    person = visit(server)
    page = person.page
    returns = watched(person)

    page.goto(address(program))
    page.get_by_label("User name").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Connect Helper?")).to_be_visible()
    expect(page.get_by_text("Search and read all messages that you may read.")).to_be_visible()
    expect(page.get_by_text("localhost:3997")).to_be_visible()
    person.shot("connect")
    page.get_by_role("button", name="Do not allow").click()
    page.wait_for_url(BACK + "**")
    assert returns[0]["error"] == "access_denied" and "code" not in returns[0]

    page.goto(address(program))
    page.get_by_role("button", name="Allow", exact=True).click()
    page.wait_for_url(BACK + "**code=**")
    assert returns[1]["state"] == "a b" and returns[1]["iss"] == server.url
    form = {"grant_type": "authorization_code", "code": returns[1]["code"], "redirect_uri": BACK, "client_id": program, "code_verifier": VERIFIER}
    with opener.open(urllib.request.Request(server.url + "/token", urllib.parse.urlencode(form).encode())) as reply:
        assert json.load(reply)["scope"] == "read ask"

    page.goto("/#/settings")
    expect(page.get_by_text("reads, asks")).to_be_visible()
    person.shot("assistants")
    page.get_by_role("button", name="End the session Helper").click()
    expect(page.get_by_text("No program acts for you.")).to_be_visible()

    page.get_by_text("Connect an assistant").click()
    expect(page.get_by_label("Address for programs", exact=True)).to_have_value(server.url + "/mcp")
    expect(page.get_by_text("Add custom connector")).to_be_visible()
    page.locator("select[name=program]").select_option("Cursor")
    lines = json.loads(page.get_by_label("Lines for Cursor").input_value())
    assert lines == {"mcpServers": {"nexus": {"url": server.url + "/mcp"}}}
    # It asks without a token, as a program does.
    person.allow(REFUSED)
    page.get_by_role("button", name="Test the connection").click()
    expect(page.get_by_text("Programs on this computer can connect, no others")).to_be_visible()
    person.axe("the lines for programs")
    person.shot("programs", full_page=True)


def test_editor_takes_its_own_address(serve, visit):
    server, link = start(serve)
    person = visit(server)
    page = person.page
    accept(person, link, PASSWORD, "Chief")
    back = "cursor://anysphere.cursor-mcp/oauth/callback"
    person.allow("request to another host: cursor://")
    program = server.call("POST", "/register", {"client_name": "Cursor", "redirect_uris": [back]})["client_id"]

    page.goto(address(program, redirect_uri=back))
    expect(page.get_by_text("cursor://anysphere.cursor-mcp")).to_be_visible()
    page.get_by_role("button", name="Allow", exact=True).click()

    expect(page.get_by_text("Go back to the program.")).to_be_visible()


def test_wrong_request_stays_here(serve, visit):
    server, link = start(serve)
    person = visit(server)
    accept(person, link, PASSWORD, "Chief")
    program = server.call("POST", "/register", {"client_name": "Helper", "redirect_uris": [BACK]})["client_id"]
    person.allow("status of 400")
    returns = watched(person)
    for changes in [{"redirect_uri": "https://evil.example/"}, {"code_challenge_method": "plain"}, {"client_id": "unknown"}]:
        person.page.goto(address(program, **changes))
        expect(person.page.get_by_role("heading", name="This program cannot be connected")).to_be_visible()
    assert not returns
