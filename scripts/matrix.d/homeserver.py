"""A homeserver on loopback with an application service: files, start, accounts."""

import hashlib
import hmac
import json
import pathlib
import secrets
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "connectors.d"))

from nexus import call, free_port, wait_for  # noqa: E402

SERVER = "demo.test"


class Homeserver:
    """Synapse with SQLite, in one process, without federation and with no limits that a demonstration meets."""

    def __init__(self, folder, nexus_url):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.as_token, self.hs_token = secrets.token_hex(32), secrets.token_hex(32)
        self.secret = secrets.token_hex(16)
        self.process = None
        self.write("registration.yaml", {
            "id": "nexus", "url": nexus_url, "as_token": self.as_token, "hs_token": self.hs_token,
            "sender_localpart": "nexus", "rate_limited": False,
            "namespaces": {
                "users": [{"exclusive": True, "regex": f"@nexus:{SERVER}".replace(".", "\\.")}],
                "rooms": [], "aliases": [],
            },
        })
        self.write("log.yaml", {
            "version": 1, "disable_existing_loggers": False,
            "handlers": {"file": {"class": "logging.FileHandler", "filename": str(self.folder / "homeserver.log")}},
            "root": {"level": "WARNING", "handlers": ["file"]},
        })
        many = {"per_second": 1000, "burst_count": 1000}
        self.write("homeserver.yaml", {
            "server_name": SERVER, "report_stats": False, "pid_file": str(self.folder / "pid"),
            "listeners": [{
                "port": self.port, "bind_addresses": ["127.0.0.1"], "type": "http", "tls": False,
                "resources": [{"names": ["client"], "compress": False}],
            }],
            "database": {"name": "sqlite3", "args": {"database": str(self.folder / "homeserver.db")}},
            "log_config": str(self.folder / "log.yaml"), "media_store_path": str(self.folder / "media"),
            "signing_key_path": str(self.folder / "signing.key"), "registration_shared_secret": self.secret,
            "macaroon_secret_key": secrets.token_hex(16), "form_secret": secrets.token_hex(16),
            "app_service_config_files": [str(self.folder / "registration.yaml")], "trusted_key_servers": [],
            "suppress_key_server_warning": True, "rc_message": many, "rc_room_creation": many,
            "rc_joins": {"local": many, "remote": many},
        })
        subprocess.run(self.command("--generate-keys"), check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def write(self, name, value):
        # JSON is YAML.
        (self.folder / name).write_text(json.dumps(value, indent=2))

    def command(self, *arguments):
        return [sys.executable, "-m", "synapse.app.homeserver", "-c", str(self.folder / "homeserver.yaml"), *arguments]

    def start(self):
        output = open(self.folder / "output.log", "ab")
        self.process = subprocess.Popen(self.command(), cwd=self.folder, stdout=output, stderr=output)
        wait_for(lambda: call("GET", f"{self.url}/_matrix/client/versions"), "the homeserver does not start")

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()

    def register(self, name):
        """Makes an account; returns its token."""
        url = f"{self.url}/_synapse/admin/v1/register"
        nonce, password = call("GET", url)["nonce"], secrets.token_hex(8)
        parts = b"\0".join([nonce.encode(), name.encode(), password.encode(), b"notadmin"])
        mac = hmac.new(self.secret.encode(), parts, hashlib.sha1).hexdigest()
        reply = call("POST", url, {
            "nonce": nonce, "username": name, "password": password, "admin": False, "mac": mac, "displayname": name.title(),
        })
        return reply["access_token"]
