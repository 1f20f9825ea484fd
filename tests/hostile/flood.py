"""Many requests at once, each on a separate connection, from a separate process.

`python -m tests.hostile.flood URL COUNT` says that it is ready, begins to ask as soon as it can
read a line, and writes how often which status line was the answer. Loopback only.
"""

import json
import resource
import selectors
import socket
import sys
import time
from collections import Counter
from ipaddress import ip_address
from urllib.parse import urlsplit

from tests.patience import PATIENCE_SECONDS

NOBODY = "/v1/encounters/0193b5a0-0000-7000-8000-000000000000/socket"
HANDSHAKE = (
    f"GET {NOBODY} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
).encode()


def flood(host: str, port: int, count: int) -> dict[str, int]:
    """So many handshakes of strangers at once; how many got which answer."""
    if not ip_address(host).is_loopback:
        raise ValueError("this machine is the only one to be flooded")
    answers: Counter[str] = Counter()
    with selectors.EpollSelector() as selector:
        for _ in range(count):
            line = socket.socket()
            line.setblocking(False)
            line.connect_ex((host, port))
            selector.register(line, selectors.EVENT_WRITE)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while selector.get_map() and time.monotonic() < deadline:
            for key, event in selector.select(1.0):
                assert isinstance(key.fileobj, socket.socket)
                if event & selectors.EVENT_WRITE:
                    key.fileobj.send(HANDSHAKE)
                    selector.modify(key.fileobj, selectors.EVENT_READ)
                    continue
                answer = key.fileobj.recv(65_536)
                answers[answer.partition(b"\r\n")[0].decode("latin-1")] += 1
                selector.unregister(key.fileobj)
                key.fileobj.close()
        answers["none"] += len(selector.get_map())
    return dict(+answers)


if __name__ == "__main__":
    address, asked = urlsplit(sys.argv[1]), int(sys.argv[2])
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write(json.dumps(flood(address.hostname or "", address.port or 0, asked)))
