"""What callers do all the time leaves no garbage that only a look for it would find."""

import gc
import http.client
import secrets
from urllib.parse import urlsplit

from tests.api.serving import Caller

REQUESTS = 40
NOTE = b'{"action":{"type":"note","text":"The bridge is out."}}'


def test_actions_leave_no_cycles(caller: Caller) -> None:
    path = f"{caller.started()}/actions"
    # httpx leaves its own cycles.
    connection = http.client.HTTPConnection(urlsplit(caller.url).netloc)

    def act(times: int) -> None:
        for _ in range(times):
            headers = {
                "Authorization": f"Bearer {caller.token}",
                "Content-Type": "application/json",
                "Idempotency-Key": secrets.token_hex(8),
            }
            connection.request("POST", path, NOTE, headers)
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()
            answer.read()

    act(5)
    gc.collect()
    gc.disable()
    try:
        act(REQUESTS)
        found = gc.collect()
    finally:
        gc.enable()
        connection.close()
    # A cycle for each would be at least as many; other threads of the run may leave a few.
    assert found < REQUESTS
