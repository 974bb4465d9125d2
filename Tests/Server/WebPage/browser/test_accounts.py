"""Signing in: passwords, invitations, sessions, and another service."""

import re

from playwright.sync_api import expect

from nexus import wait_until
from provider import Provider

REFUSED = r"status of 40[0-9]"
# What a signed-out browser still has of its person.
REST = """async () => {
    const found = []
    for (const {name} of await indexedDB.databases()) {
        const open = indexedDB.open(name)
        const base = await new Promise(done => (open.onsuccess = () => done(open.result)))
        for (const store of base.objectStoreNames) {
            const all = base.transaction(store).objectStore(store).getAll()
            found.push(JSON.stringify(await new Promise(done => (all.onsuccess = () => done(all.result)))))
        }
        base.close()
    }
    return [...found, JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), document.cookie].join(" ")
}"""


def printed(text):
    """The address in an output, as the page's part of it."""
    return re.search(r"/(#/invitation/\S+)", text).group(1)


def accept(person, link, password, name=None):
    page = person.page
    page.goto("/" + link)
    if name:
        page.get_by_label("Your name").fill(name)
    page.get_by_label("New password").fill(password)
    page.get_by_label("Password again").fill(password)
    page.locator("form button[type=submit]").click()
    expect(page.locator(".shell")).to_be_visible()


def sign_in(person, user, password):
    page = person.page
    page.goto("/")
    page.get_by_label("User name").fill(user)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def start(serve, *settings):
    """A server that needs accounts, and the link that it printed for its first administrator."""
    server = serve("--set", "auth.mode=required", *settings, default_user=None)
    link = wait_until(lambda: "#/invitation/" in server.log.read_text() and printed(server.log.read_text()), "a link is printed")
    return server, link


def test_first_administrator_invites_somebody(serve, visit):
    server, link = start(serve)
    chief = visit(server)
    page = chief.page
    page.goto("/")
    expect(page.get_by_text("Nobody administers this server yet.")).to_be_visible()
    chief.shot("first-start")
    page.goto("/" + link)
    page.get_by_label("New password").fill("short")
    page.locator("form button[type=submit]").click()
    expect(page.get_by_text("needs at least 8 characters")).to_be_visible()
    chief.shot("invitation")
    accept(chief, link, "correct horse battery", "Chief")

    page.goto("/#/administration/users")
    page.get_by_label("User", exact=False).first.wait_for()
    form = page.locator("main form").first
    form.locator("input").nth(0).fill("ada")
    form.locator("input").nth(1).fill("Ada Lovelace")
    form.get_by_role("button", name="Invite").click()
    invitation = printed(wait_until(lambda: re.search(r"\S+#/invitation/[\w-]+", secrets(page)), "the link is shown").group())
    chief.shot("invited")

    ada = visit(server)
    accept(ada, invitation, "analytical engine")
    expect(ada.page.get_by_role("button", name="Account of Ada Lovelace")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Admin")).to_have_count(0)

    again = visit(server)
    again.allow(REFUSED)
    again.page.goto("/" + invitation)
    expect(again.page.get_by_role("heading", name="This link does not work")).to_be_visible()


def test_turning_sign_in_on_locks_nobody_out(serve, visit):
    server = serve(default_user=None)
    alice, bob = visit(server), visit(server)
    for person in [alice, bob]:
        person.allow(REFUSED)
    for person, name in [(alice, "alice"), (bob, "bob")]:
        person.page.goto("/")
        expect(person.page.get_by_text("choose any name")).to_be_visible()
        person.page.get_by_label("User name").fill(name)
        person.page.get_by_role("button", name="Sign in").click()
        person.live()
    page = alice.page
    page.goto("/#/administration/users")
    expect(page.get_by_role("heading", name="Invite")).to_have_count(0)
    page.get_by_label("Your name").fill("Alice")
    page.get_by_label("New password").fill("correct horse")
    page.get_by_label("Password again").fill("another horse")
    page.get_by_role("button", name="Turn sign-in on").click()
    expect(page.get_by_role("alert")).to_contain_text("The passwords are different.")
    page.get_by_label("Password again").fill("correct horse")
    page.get_by_role("button", name="Turn sign-in on").click()

    # She stays where she is; others have to sign in.
    page.get_by_label("User id").fill("bob")
    page.get_by_role("button", name="Invite").click()
    invitation = printed(wait_until(lambda: re.search(r"\S+#/invitation/[\w-]+", secrets(page)), "the link is shown").group())
    alice.live()
    expect(bob.page.get_by_role("heading", name="Sign in")).to_be_visible()
    accept(bob, invitation, "battery staple")
    expect(bob.page.get_by_role("link", name="Admin")).to_have_count(0)
    page.reload()
    alice.live()
    expect(page.get_by_role("link", name="Admin")).to_be_visible()

    # After a restart, too.
    for person in [alice, bob]: person.allow("ERR_CONNECTION_REFUSED")
    server.stop()
    server.start()
    sign_in(visit_again := visit(server), "alice", "correct horse")
    visit_again.allow(REFUSED)
    expect(visit_again.page.get_by_role("button", name="Account of Alice")).to_be_visible()


def test_people_with_accounts_find_each_other(serve, visit):
    server, link = start(serve)
    anna, carla = visit(server), visit(server)
    for person in [anna, carla]:
        person.allow(REFUSED)
    accept(anna, link, "correct horse battery", "Anna Admin")
    accept(carla, printed(server.run("accounts", "invite", "carla", "--name", "Carla Neu")), "analytical engine")
    page = carla.page
    page.get_by_role("button", name="New conversation").click()
    dialog = page.get_by_role("dialog")
    search = dialog.get_by_role("searchbox", name="People")
    search.fill("nobodyhere")
    expect(dialog.get_by_text("Nobody found.")).to_be_visible()
    search.fill("adm")
    dialog.get_by_role("checkbox", name="Anna Admin").check()
    expect(dialog.get_by_role("button", name="Remove Anna Admin")).to_be_visible()
    carla.axe("a person that was found")
    dialog.get_by_role("button", name="Start chat").click()
    expect(page.get_by_role("heading", name="Anna Admin")).to_be_visible()
    carla.say("Hello Anna")
    carla.sent("Hello Anna")
    expect(anna.row("Carla Neu")).to_be_visible()


def secrets(page):
    """Everything that is shown, with the values of fields."""
    return page.evaluate("document.body.innerText + [...document.querySelectorAll('input')].map(input => input.value).join(' ')")


def test_passwords_and_sessions(serve, visit):
    server = serve("--set", "auth.mode=required", default_user=None)
    ada, phone = visit(server), visit(server)
    for person in [ada, phone]:
        person.allow(REFUSED)
    accept(ada, printed(server.run("accounts", "invite", "ada", "--name", "Ada")), "analytical engine")

    sign_in(phone, "ada", "difference engine")
    expect(phone.page.get_by_role("alert")).to_be_visible()
    phone.shot("wrong-password")
    sign_in(phone, "ada", "analytical engine")
    expect(phone.page.locator(".shell")).to_be_visible()
    phone.page.reload()
    expect(phone.page.locator(".shell")).to_be_visible()
    phone.live()

    page = ada.page
    page.goto("/#/settings")
    rows = page.locator("section", has=page.get_by_role("heading", name="Where you are signed in")).locator("li")
    expect(rows).to_have_count(2)
    ada.shot("sessions")
    rows.get_by_role("button", name="End the session").click()
    expect(rows).to_have_count(1)
    phone.page.reload()
    expect(phone.page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(phone, "ada", "analytical engine")
    expect(phone.page.locator(".shell")).to_be_visible()

    page.get_by_role("button", name="Change password").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill("analytical engine")
    dialog.get_by_label("New password", exact=True).fill("engine of sand")
    dialog.get_by_label("New password again").fill("engine of sand")
    ada.shot("password")
    dialog.locator("button[type=submit]").click()
    expect(page.get_by_text("The password is changed")).to_be_visible()
    phone.page.reload()
    expect(phone.page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(phone, "ada", "analytical engine")
    expect(phone.page.get_by_role("alert")).to_be_visible()
    sign_in(phone, "ada", "engine of sand")
    expect(phone.page.locator(".shell")).to_be_visible()


def test_an_open_link_and_the_share_of_files_are_told(serve, visit):
    server = serve("--set", "auth.mode=required", default_user=None)
    ada = visit(server)
    ada.allow(REFUSED)
    accept(ada, printed(server.run("accounts", "invite", "ada", "--name", "Ada")), "analytical engine")
    page = ada.page
    expect(page.locator(".password-link")).to_have_count(0)
    server.run("accounts", "reset", "ada")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("your password can be replaced")
    page.get_by_role("link", name="Settings").click()
    expect(page.locator(".files-share")).to_contain_text("Your files: 0")


def test_signing_out_leaves_nothing(serve, visit):
    server = serve("--set", "auth.mode=required", default_user=None)
    ada = visit(server)
    ada.allow(REFUSED)
    accept(ada, printed(server.run("accounts", "invite", "ada", "--name", "Ada")), "analytical engine")
    server.run("accounts", "invite", "bob", "--name", "Bob")
    page = ada.page
    page.get_by_role("button", name="New conversation").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox", name="People").fill("bob")
    dialog.get_by_role("checkbox", name="Bob").check()
    dialog.get_by_role("button", name="Start chat").click()
    ada.say("the secret of the crane")
    ada.sent("the secret of the crane")
    ada.writer().fill("the draft of the crane")
    page.get_by_role("link", name="Tasks").click()
    wait_until(lambda: "of the crane" in page.evaluate(REST), "the message is kept in the browser")

    ada.choose("Sign out")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    wait_until(lambda: "crane" not in page.evaluate(REST), "nothing is left")
    assert "ada" not in page.evaluate(REST)
    # The mark of a known device names nobody, and lets Ada sign in again while strangers guess her password.
    kept = [cookie["name"] for cookie in ada.context.cookies() if cookie["name"].startswith("nexus") and cookie["value"]]
    assert kept == ["nexus-device"]
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_another_service_signs_people_in(serve, visit):
    provider = Provider("ada", "Ada Lovelace")
    server = serve(*provider.settings(), default_user=None)
    ada = visit(server)
    ada.allow(REFUSED)
    ada.allow(f"another host: {provider.url}/authorize")
    page = ada.page

    provider.refuses = True
    page.goto("/")
    page.get_by_role("link", name="Sign in with Harbour Office").click()
    expect(page.get_by_role("alert")).to_contain_text("sign_in_refused")
    ada.shot("oidc-refused")

    provider.refuses = False
    page.get_by_role("link", name="Sign in with Harbour Office").click()
    expect(page.get_by_role("button", name="Account of Ada Lovelace")).to_be_visible()
    ada.live()
    page.reload()
    ada.live()
    page.goto("/#/settings")
    expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()
    expect(page.get_by_role("button", name="Change password")).to_have_count(0)
