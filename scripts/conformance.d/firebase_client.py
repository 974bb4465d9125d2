"""Runs the JavaScript and Python examples of docs/integrations/firebase.md, as a person with a token of an issuer."""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from browser_client import NEXUS, Server, token

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "integrations" / "firebase.md"
SAMPLE = ROOT / "eval" / "datasets" / "harbor"
JAVASCRIPT = ROOT / "clients" / "javascript"
PYTHON = ROOT / "clients" / "python" / "src"


def blocks(language):
    """Returns the examples of a language as one program."""
    pieces = PAGE.read_text().split(f"```{language}\n")[1:]
    assert len(pieces) == 10, f"{len(pieces)} examples in {language}"
    return "".join(piece.split("```")[0] for piece in pieces)


def javascript(url, bearer):
    before = f"""
    const [url, id, seen] = [{json.dumps(url)}, "general", []]
    const user = {{getIdToken: async () => {json.dumps(bearer)}}}
    const picture = new Blob([new Uint8Array([1, 2, 3])])
    const draw = (...values) => seen.push(...values)
    """
    after = """
    chat.close()
    const shown = seen.flat()
    const isThere = key => shown.some(value => value?.[key] !== undefined)
    if (!["unreadCount", "seq", "messageId", "excerpt", "size"].every(isThere)) throw new Error("an example shows nothing")
    """
    return ["node", "--input-type=module", "--eval", before + blocks("js") + after], JAVASCRIPT, {}


def python(url, bearer):
    before = f"""
url, id, picture, seen = {url!r}, "general", b"123", []
def id_token(is_fresh): return {bearer!r}
draw = seen.append
"""
    after = """
assert len(seen) > 10 and None not in seen, seen
nexus.close()
"""
    return [sys.executable, "-c", before + blocks("python") + after], ROOT, {"PYTHONPATH": str(PYTHON)}


async def run(folder):
    secret = os.urandom(32).hex().encode()
    server = Server(folder, "http://localhost", secret)
    data = ["--data", str(folder / "data"), "--log-level", "error"]
    subprocess.run([NEXUS, "import", *data, SAMPLE / "conversations.jsonl", SAMPLE / "messages.jsonl"], check=True)
    await server.start()
    try:
        failed = 0
        for name, program in {"JavaScript": javascript, "Python": python}.items():
            command, place, more = program(f"http://127.0.0.1:{server.port}", token("mara", secret))
            done = await asyncio.create_subprocess_exec(*command, cwd=place, env=os.environ | more)
            failed |= await asyncio.wait_for(done.wait(), 120)
            print(f"{'failed' if done.returncode else 'ok'}: the examples in {name}")
        return failed
    finally:
        await server.stop()


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return 1 if asyncio.run(run(pathlib.Path(folder))) else 0


if __name__ == "__main__":
    sys.exit(main())
