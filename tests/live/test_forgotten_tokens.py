"""A revoked token is refused by every process before any would look it up again by itself."""

import asyncio
import time

import httpx

from service.api.authentication import REMEMBERED_SECONDS
from tests.live.arena import Arena, begun, new_tenant, token_of


async def test_a_revoked_token_is_refused_at_once_here_and_elsewhere_as_soon_as_it_is_heard(
    arena: Arena,
) -> None:
    _, key = await new_tenant(arena.dsns)
    battle = await begun(arena.asker, key, "crossfire-d6")
    seat = f"{battle.address}/seats/ben"
    async with httpx.AsyncClient() as http:

        async def status(url: str, token: str) -> int:
            headers = {"Authorization": f"Bearer {token}"}
            return (await http.get(url + battle.address, headers=headers)).status_code

        for method, address in (("DELETE", f"{seat}/token"), ("DELETE", seat)):
            token = await token_of(arena.asker, battle.gm, battle.address, "ben")
            here, there = arena.urls
            assert [await status(url, token) for url in (here, there)] == [200, 200]
            remembered = time.monotonic()
            answer = await http.request(
                method,
                here + address,
                headers={**battle.gm.headers, "Idempotency-Key": "remove"},
            )
            assert answer.status_code == 200, answer.text
            assert await status(here, token) == 401

            async with asyncio.timeout(REMEMBERED_SECONDS):
                for _ in iter(bool, True):
                    if await status(there, token) == 401:
                        break
            assert time.monotonic() - remembered < REMEMBERED_SECONDS
