"""A person with a browser: a context of Chromium whose pages may not complain."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from nexus import KEPT, PATIENCE, wait_until

SHOTS = KEPT / "screenshots"
# What the page says with the console when the browser reports a violation of the policy.
WATCH = """addEventListener("securitypolicyviolation", event =>
    console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`))"""
# Only what is wrong comes back: everything that is right would be megabytes of each screen.
RUN_AXE = """() => axe.run(document, {resultTypes: ["violations"], preload: false, rules: {"target-size": {enabled: true}}})
    .then(({violations}) => violations)"""
expect.set_options(timeout=PATIENCE * 1000)


def faults(page):
    """Lines about what axe finds."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    return [f"{v['id']} ({v['impact']}): {v['help']}\n    " + "\n    ".join(n["html"][:200] for n in v["nodes"][:3])
            for v in page.evaluate(RUN_AXE)]


class Person:
    def __init__(self, chromium, server, user=None, width=1280, height=800, theme="light", language="en-GB", **options):
        self.server = server
        self.user = user
        self.complaints = []
        # A browser without a session asks once.
        self.allowed = [re.compile(r"status of 401 .*/v1/session/refresh")]
        self.is_firefox = chromium.browser_type.name == "firefox"
        if self.is_firefox:
            # Playwright's own style while it takes a picture.
            self.allowed += [re.compile(r"CSP violation: style-src-elem inline|blocked an inline style|^undefined$")]
        self.context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, locale=language,
            timezone_id="Europe/Berlin", reduced_motion="reduce", base_url=server.url, **options)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.add_init_script(WATCH)
        self.context.on("page", self.watch)
        self.page = self.context.new_page()

    def watch(self, page):
        page.on("console", lambda said: said.type == "error" and self.note(f"{said.text} ({said.location.get('url')})"))
        page.on("pageerror", lambda error: self.note(f"uncaught: {error} {error.stack}"))
        page.on("request", lambda request: self.check_host(request.url))
        page.on("websocket", lambda socket: self.check_host(socket.url))

    def check_host(self, url):
        if not url.startswith((self.server.url, self.server.url.replace("http", "ws"), "blob:", "data:")):
            self.note(f"request to another host: {url}")

    def note(self, complaint):
        self.complaints.append(complaint)

    def allow(self, pattern):
        """Complaints that a test expects, such as failed requests while the server is away."""
        self.allowed.append(re.compile(pattern))

    def check(self):
        found = [text for text in self.complaints if not any(pattern.search(text) for pattern in self.allowed)]
        assert not found, "the page complained:\n" + "\n".join(found[:10])

    def close(self):
        self.context.close()

    def open(self, hash="", page=None):
        """Opens the page, as the person of this browser."""
        page = page or self.page
        if self.is_firefox:
            # Only the window in front has the focus.
            page.bring_to_front()
        page.goto("/" + hash)
        expect(page.locator(".shell, .entry h1").first).to_be_visible()
        if self.user and page.locator(".shell").count() and self.ask("store.session.user.id", page) != self.user:
            page.goto("/")
            self.choose("Sign out")
            expect(page.locator(".entry h1")).to_be_visible()
        if self.user and page.locator(".entry").count():
            self.pick()
            if hash:
                page.goto("/" + hash)
        return page

    def ask(self, expression, page=None):
        """Evaluates an expression of the page's store."""
        return (page or self.page).evaluate(
            "import(document.querySelector('script').src.replace('main.js', 'data/store.js')).then(({store}) => "
            f"({expression}))")

    def pick(self):
        page = self.page
        expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
        known = page.locator(".pick button", has=page.locator(".hint", has_text=re.compile(f"^ ?{re.escape(self.user)}$")))
        field = page.get_by_label("User name")
        expect(known.or_(field)).to_be_visible()
        if known.count():
            known.click()
        else:
            field.fill(self.user)
            field.press("Enter")
        expect(page.locator(".shell")).to_be_visible()

    def choose(self, entry):
        """Chooses an entry of the account's menu."""
        self.page.get_by_role("button", name="Account of").click()
        self.page.get_by_role("menuitem", name=entry).click()

    def enter(self, conversation, page=None):
        """Opens a conversation by its name in the list."""
        page = page or self.page
        self.row(conversation, page).click()
        expect(self.writer(page)).to_be_visible()

    def row(self, conversation, page=None):
        page = page or self.page
        return page.locator(".conversation a", has=page.get_by_text(conversation, exact=True))

    def writer(self, page=None):
        return (page or self.page).locator("main .composer textarea")

    def say(self, text, page=None):
        writer = self.writer(page)
        writer.fill(text)
        writer.press("Enter")

    def message(self, text, page=None):
        """The article of the message with exactly this text."""
        page = page or self.page
        return page.locator("main article.message").filter(has=page.locator(".text").get_by_text(text, exact=True))

    def sent(self, text, page=None):
        """Waits until the server has the message."""
        expect(self.message(text, page).locator(".status")).to_have_class(re.compile(r"\b(sent|delivered|read)\b"))

    def texts(self, page=None):
        return (page or self.page).locator("main article.message .text").all_inner_texts()

    def live(self, page=None):
        """Waits until the page is connected."""
        wait_until(lambda: self.ask("store.connection.state === 'live'", page), "the page is connected")

    def shot(self, name, page=None, **options):
        SHOTS.mkdir(parents=True, exist_ok=True)
        (page or self.page).screenshot(path=SHOTS / f"{name}.png", animations="disabled", **options)

    def axe(self, where, page=None):
        """Requires that axe finds nothing."""
        lines = faults(page or self.page)
        assert not lines, f"axe about {where}:\n" + "\n".join(lines)
