import inspect
import os
import pathlib
import shutil
import sys

import pytest
from playwright.sync_api import sync_playwright

from nexus import Server
from person import Person


def pytest_runtest_makereport(item, call):
    if call.when == "call":
        item.failed = call.excinfo is not None


# NEXUS_BROWSER=firefox runs in Firefox what needs nothing of Chromium alone.
IS_FIREFOX = os.environ.get("NEXUS_BROWSER") == "firefox"
# Firefox ESR emulates no colours, touch, permissions, or a network that is away, and its headless window has no focus.
CHROMIUM_ONLY = ("new_cdp_session", "has_touch", "is_mobile", "bypass_csp", "permissions=", "set_offline", "theme", "service_worker", "telephone(",
                 "to_be_focused", "post_data")


def pytest_collection_modifyitems(items):
    if IS_FIREFOX:
        for item in items:
            source = inspect.getsource(item.function)
            if any(word in source for word in CHROMIUM_ONLY):
                item.add_marker(pytest.mark.skip(reason="needs Chromium"))


def firefox(playwright):
    path = pathlib.Path(__file__).parent / "firefox.py"
    environment = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    return playwright.firefox.launch(
        channel="moz-firefox", executable_path=path, env=environment,
        firefox_user_prefs={"ui.prefersReducedMotion": 1})


@pytest.fixture(scope="session")
def chromium():
    if IS_FIREFOX:
        with sync_playwright() as playwright:
            browser = firefox(playwright)
            yield browser
            browser.close()
        return
    path = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])))
    arguments = ["--disable-dev-shm-usage", "--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def harbor(tmp_path_factory):
    """The sample chat, shared by tests that only add to it."""
    server = Server(tmp_path_factory.mktemp("harbor") / "harbor").with_sample().start()
    yield server
    server.remove()


@pytest.fixture
def serve(tmp_path, request):
    """Makes servers with an empty data folder."""
    servers = []

    def make(*settings, **options):
        server = Server(tmp_path / f"{request.node.name}-{len(servers)}", *settings, **options)
        servers.append(server)
        return server.start()

    yield make
    for server in servers:
        server.remove()


@pytest.fixture
def visit(chromium, request):
    """Makes people with a browser each; at the end none of their pages may have complained."""
    people = []

    def make(server, user=None, **options):
        person = Person(chromium, server, user, **options)
        people.append(person)
        return person

    yield make
    for number, person in enumerate(people):
        if getattr(request.node, "failed", False):
            for index, page in enumerate(person.context.pages):
                person.shot(f"failed-{request.node.name}-{number}-{index}", page)
        person.close()
    for person in people:
        person.check()


FIGURES = []


@pytest.fixture
def figure():
    """Keeps a measured value for the end of the output."""
    return lambda name, value: FIGURES.append(f"{name}: {value}")


def pytest_terminal_summary(terminalreporter):
    if FIGURES:
        terminalreporter.section("measured")
        for line in FIGURES:
            terminalreporter.line(line)
