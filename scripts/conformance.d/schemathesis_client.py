"""`schemathesis` over /openapi.json of the server at CONFORMANCE_URL: no 500, nothing that is not described."""
import os
import subprocess
import sys

CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance",
]
program = os.path.join(os.path.dirname(sys.executable), "schemathesis")
command = [
    program, "--config-file", os.path.join(os.path.dirname(__file__), "schemathesis.toml"), "run", os.environ["CONFORMANCE_URL"] + "/openapi.json", "--checks", ",".join(CHECKS),
    "--phases", "examples,coverage,fuzzing", "--max-examples", os.environ.get("SCHEMATHESIS_EXAMPLES", "20"),
    "--seed", "1", "--continue-on-failure", "--suppress-health-check", "all",
]
sys.exit(subprocess.run(command).returncode)
