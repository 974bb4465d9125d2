"""Programs of others act for a person: they know only the address of a new server on which people sign in.

Each runs in a separate environment; assistant_programs.py says what it does, and assistant_person.py decides as the page
does. `assistants_client.py NAME…` runs only some of the programs.
"""
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

import assistant_person as person
from assistant_person import check, send

# The environments with what is installed in each, and the programs that run there.
ENVIRONMENTS = {
    "mcp-2": (["mcp==2.3.0"], ["mcp-2-auto", "mcp-2-2026-07-28", "mcp-2-legacy", "nexus-mcp"]),
    "mcp-1": (["mcp==1.30.0"], ["mcp-1", "nexus-mcp"]),
    "fastmcp": (["fastmcp==4.2.3"], ["fastmcp"]),
    "pydantic-ai": (["pydantic-ai-slim[mcp]==2.68.0", "fastmcp-slim==4.2.3", "mcp==2.3.0"], ["pydantic-ai"]),
    "pydantic-ai-1": (["pydantic-ai-slim[mcp]==2.68.0", "fastmcp-slim==3.4.11", "mcp==1.30.0", "websockets"], ["pydantic-ai"]),
    "langchain": (["langchain-mcp-adapters==0.3.2", "mcp==1.30.0"], ["langchain"]),
    "openai-agents": (["openai-agents==0.24.0", "mcp==2.3.0"], ["openai-agents"]),
    "openai-agents-1": (["openai-agents==0.24.0", "mcp==1.30.0"], ["openai-agents"]),
    "mcp-stdio": (["mcp-stdio==0.45.2"], ["mcp-stdio-legacy", "mcp-stdio-modern", "mcp-stdio-auto"]),
}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def environment(name):
    """Makes the environment of programs, and returns its Python."""
    folder = ROOT / ".build/conformance-programs" / name
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *ENVIRONMENTS[name][0]], check=True)
    return python


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_programs(names):
    """Runs the programs of the environments; returns those that failed."""
    failed = []
    for name in names:
        packages, programs = ENVIRONMENTS[name]
        python = environment(name)
        for program in programs:
            print("--", program, "with", *packages, flush=True)
            script = pathlib.Path(__file__).with_name("assistant_programs.py")
            surroundings = {**os.environ, "NO_PROXY": "127.0.0.1,localhost", "FASTMCP_LOG_LEVEL": "ERROR"}
            if subprocess.run([python, script, program], env=surroundings).returncode:
                failed.append(f"{program} ({name})")
    return failed


def main():
    names = sys.argv[1:] or list(ENVIRONMENTS)
    nexus = os.environ["CONFORMANCE_NEXUS"]
    with tempfile.TemporaryDirectory() as work:
        settings = ["--data", work + "/data", "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]
        sample = ROOT / "eval/datasets/harbor"
        quiet = ["--log-level", "warning"]
        subprocess.run([nexus, "import", *settings, *quiet, sample / "conversations.jsonl", sample / "messages.jsonl"], check=True)
        subprocess.run([nexus, "ingest", *settings, *quiet], check=True)
        invited = subprocess.run(
            [nexus, "accounts", "invite", person.PERSON, "--administrator", "--data", work + "/data"], check=True,
            capture_output=True, text=True)
        code = re.search(r"#/invitation/([\w-]+)", invited.stdout).group(1)
        port = free_port()
        person.URL = os.environ["ASSISTANTS_URL"] = f"http://127.0.0.1:{port}"
        os.environ["ASSISTANTS_DATA"] = work + "/data"
        server = subprocess.Popen([nexus, "serve", *settings, *quiet, "--set", "http.host=127.0.0.1", "--port", str(port)])
        try:
            for _ in range(100):
                try:
                    if send("GET", "/ready")[0] == 200:
                        break
                except OSError:
                    time.sleep(0.1)
            status, _, reply = send("POST", "/v1/invitations/" + code, {"password": person.PASSWORD})
            check("the account is made", status == 200, reply)
            failed = run_programs(names)
        finally:
            server.terminate()
            server.wait()
    check("every program works", not failed, ", ".join(failed))


main()
