"""A service of the benchmark's own: a durable private PostgreSQL and one serving process."""

import asyncio
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns, EmbeddedPostgres
from service.eventstore.migrate import upgrade
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore

READY_SECONDS = 30


class Service:
    """Use as a context: `url` and `key` for clients, `admin` for the reference."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="warlog-bench-"))
        self._folder.chmod(0o755)
        self._postgres = EmbeddedPostgres(self._folder / "postgres")
        self._process: subprocess.Popen[bytes] | None = None
        self.key = f"wk_{secrets.token_urlsafe(32)}"
        self.url = ""
        self.admin = ""
        self.dsns: Dsns
        self.tenant = UUID(bytes=secrets.token_bytes(16))

    def __enter__(self) -> "Service":
        """Start everything and wait until it answers."""
        self.dsns = self._postgres.start()
        self.admin = self.dsns.admin
        asyncio.run(self._prepare(self.dsns))
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = os.environ | {
            "WARLOG_DATABASE_URL": self.dsns.app,
            "WARLOG_ERASE_URL": self.dsns.eraser,
            "WARLOG_PORT": str(port),
            "WARLOG_LOG_LEVEL": "warning",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service", "serve"], env=environment
        )
        self._wait_until_ready()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop everything and remove the data."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)
        self._postgres.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _prepare(self, dsns: Dsns) -> None:
        await upgrade(
            dsns.owner,
            app_role=urlsplit(dsns.app).username,
            eraser_role=urlsplit(dsns.eraser).username,
        )
        store = await EventStore.open(dsns.app, eraser_url=dsns.eraser)
        await store.access.create_tenant(self.tenant, "bench")
        await store.access.create_api_key(
            NewApiKey(
                id=UUID(bytes=secrets.token_bytes(16)),
                tenant=self.tenant,
                name="bench",
                secret_hash=sha256(self.key.encode()).digest(),
                scopes=SCOPES,
            )
        )
        await store.close()

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{self.url}/health/ready", timeout=1)
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
            else:
                return
        raise SystemExit("the service did not become ready")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
