"""A Sentinel knows where a Redis is, and passes no messages on: that is said."""

from pathlib import Path

import pytest

from service.fanout.probe import examine_redis
from service.fanout.topology import Unfit
from tests.fanout.servers import Server


async def test_a_sentinel_is_refused_with_a_sentence(tmp_path: Path) -> None:
    configured = tmp_path / "sentinel.conf"
    configured.touch()
    sentinel = Server(tmp_path, "--sentinel", configuration=configured)
    sentinel.start()
    try:
        with pytest.raises(Unfit, match="it is a Sentinel"):
            await examine_redis(sentinel.url)
    finally:
        sentinel.kill()
