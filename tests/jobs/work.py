"""Jobs that behave and jobs that do not, run by the tests in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def echo(lines: BinaryIO) -> Iterator[bytes]:
    """Every line, as it comes."""
    for line in lines:
        yield line.rstrip(b"\n")


def first(lines: BinaryIO) -> Iterator[bytes]:
    """The first line; whatever follows is not read."""
    yield lines.readline().rstrip(b"\n")


def surroundings(_: BinaryIO) -> Iterator[bytes]:
    """Niceness, the weight of the session where there is one, and the names in the environment."""
    yield str(os.nice(0)).encode()
    group = Path("/proc/self/autogroup")
    yield group.read_bytes().strip() if group.exists() else b""
    yield from sorted(name.encode() for name in os.environ)


def talkative(_: BinaryIO) -> Iterator[bytes]:
    """Prints on top of what it says."""
    sys.stdout.write("printed\n")
    sys.stderr.write("w" * 1_000_000)
    yield b"said"


def endless(_: BinaryIO) -> Iterator[bytes]:
    """Its number, then nothing; it does not end when asked to."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield str(os.getpid()).encode()
    while True:
        time.sleep(1)


def deaf(lines: BinaryIO) -> Iterator[bytes]:
    """Its number; then it takes whatever it is fed and says nothing of it."""
    yield str(os.getpid()).encode()
    for _ in lines:
        pass


def parent(lines: BinaryIO) -> Iterator[bytes]:
    """Its number and that of a process that it started, then nothing."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield f"{os.getpid()} {child.pid}".encode()
    lines.read()


def flood(_: BinaryIO) -> Iterator[bytes]:
    """Its number, then lines without end."""
    yield str(os.getpid()).encode()
    while True:
        yield b"x" * 1_000


def greedy(_: BinaryIO) -> Iterator[bytes]:
    """Takes more memory than anybody has."""
    yield b"begun"
    kept = []
    while True:
        kept.append(bytes(1 << 24))


def long_line(_: BinaryIO) -> Iterator[bytes]:
    """A line without end."""
    yield b"x" * (1 << 22)


def failing(_: BinaryIO) -> Iterator[bytes]:
    """Says something and fails, with a secret on its lips."""
    yield b"begun"
    raise LookupError("the secret")


def killed(_: BinaryIO) -> Iterator[bytes]:
    """Dies as of a fault of its interpreter, in the middle of a line."""
    os.write(1, b"")
    yield b"begun"
    os.abort()
