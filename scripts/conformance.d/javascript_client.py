"""The JavaScript client of clients/javascript: its walk against servers, the examples of its README, and its types.

It needs node (18 or newer). The types are checked if `tsc` is there (Debian: node-typescript).
"""

import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parents[2] / "clients" / "javascript"
TYPES = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "node16", "--moduleResolution", "node16"]


def socket_flags():
    """Returns what gives a WebSocket to a node that hides it; without one only server-sent events are tried."""
    flag = "--experimental-websocket"
    found = subprocess.run(["node", flag, "-e", ""], capture_output=True)
    return [flag] if found.returncode == 0 else []


def main():
    if shutil.which("node") is None:
        print("there is no node: apt-get install nodejs")
        return 1
    tests = [["node", *socket_flags(), "--test", f"test/{name}.mjs"] for name in ["walk", "readme"]]
    if shutil.which("tsc"):
        tests.append(["tsc", *TYPES, "test/uses.ts"])
    else:
        print("there is no tsc, so the types are not checked")
    failed = [test for test in tests if subprocess.run(test, cwd=FOLDER).returncode != 0]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
