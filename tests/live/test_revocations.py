"""Tokens, keys, seats and roles that change under streams which are open elsewhere."""

import asyncio
from pathlib import Path

import pytest

from service.api.authentication import hash_of
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import new_key
from tests.live.arena import (
    BLUE_LURKER,
    GM_WORD,
    Arena,
    Battle,
    Tree,
    arena_of,
    begun,
    new_tenant,
    token_of,
)
from tests.live.followed_battle import followed, prove
from tests.live.players import do
from tests.live.subscribers import Book, Kind, Person, Subscriber
from tests.patience import PATIENCE_SECONDS, until

KINDS: tuple[Kind, ...] = ("stream", "socket")
REVOKED = ("bye", "revoked")
SECRET = {"type": "note", "gm_text": GM_WORD}


def everywhere(arena: Arena, battle: Battle, book: Book, who: Person) -> list[Subscriber]:
    """One person at every process, over every kind of line."""
    return [
        Subscriber(book, who, battle.address, [url], kind) for url in arena.urls for kind in KINDS
    ]


async def gone(those: list[Subscriber]) -> None:
    """They are sent away, and then not let in any more.

    A process that heard of it refuses the handshake itself, and no socket is closed a second time.
    """
    await until(
        lambda: all(each.last_words for each in those),
        lambda: [(each.who.name, each.last_words) for each in those],
        PATIENCE_SECONDS,
    )
    await until(
        lambda: all(each.refused == 401 for each in those),
        lambda: [(each.who.name, each.refused) for each in those],
        PATIENCE_SECONDS,
    )
    assert {word for each in those for word in each.last_words} == {REVOKED}
    codes = [each.close_codes for each in those if each.kind == "socket"]
    assert all(set(own) == {4401} for own in codes), codes


async def greeted(those: list[Subscriber], role: str, times: int) -> None:
    """They learn that they are somebody else now, without being sent away."""
    await until(
        lambda: all(len(each.hellos) == times for each in those),
        lambda: [(each.who.name, len(each.hellos)) for each in those],
        PATIENCE_SECONDS,
    )
    assert {each.hellos[-1].role for each in those} == {role}
    assert {each.connects for each in those} == {1}


async def change(arena: Arena, battle: Battle, who: Person, tree: Tree) -> None:
    """Change a seat."""
    await arena.asker.table(battle.gm, battle.address).change_seat(who.name, tree)


async def last_told(those: list[Subscriber], seq: int) -> list[bytes]:
    """What they were shown of an event, once all were."""
    await until(
        lambda: all(each.seq >= seq for each in those),
        lambda: [(each.who.name, each.seq) for each in those],
        PATIENCE_SECONDS,
    )
    return [entry.raw for each in those for entry in each.heard if entry.event.seq == seq]


async def revoke_key(dsns: Dsns, token: str) -> None:
    """As an operator does."""
    store = await EventStore.open(dsns.app, pool_size=1)
    key = await store.access.api_key_by_hash(hash_of(token))
    assert key is not None
    assert await store.access.revoke_api_key(key.tenant, key.id)
    await store.close()


async def see_rights_go(arena: Arena) -> None:
    """Whoever has no right to a stream any more loses it; whoever has another right sees that."""
    tenant, key = await new_tenant(arena.dsns)
    store = await EventStore.open(arena.dsns.app, pool_size=1)
    other_key = await new_key(store, tenant, SCOPES)
    await store.close()
    asker = arena.asker
    battle = await begun(asker, key, "crossfire-d6")
    mike, anna, ben, olaf = battle.people
    rita, bob = battle.guests
    clerk = Person(name="clerk", token=other_key, role="gm")
    mikes = Person(name="mikes", token=other_key, acts_for="mike", seat="mike", role="gm")
    book = Book()
    at = {
        who.name: everywhere(arena, battle, book, who)
        for who in (mike, anna, ben, olaf, rita, bob, clerk, mikes)
    }
    async with followed([each for those in at.values() for each in those]):
        table = asker.table(battle.gm, battle.address)
        await table.revoke_token("anna")
        await table.remove_seat("ben")
        await token_of(asker, battle.gm, battle.address, "olaf")
        await revoke_key(arena.dsns, other_key)
        await asyncio.gather(*(gone(at[who]) for who in ("anna", "ben", "olaf", "clerk", "mikes")))
        await change(arena, battle, rita, {"role": "gm"})
        await change(arena, battle, bob, {"sides": [], "combatants": []})
        await asyncio.gather(greeted(at["rita"], "gm", 2), greeted(at["bob"], "player", 2))
        secret = (await do(asker, battle, SECRET)).version
        for raw in await last_told(at["rita"], secret):
            assert GM_WORD.encode() in raw
        await change(arena, battle, rita, {"role": "player", "sides": ["blue"]})
        await greeted(at["rita"], "player", 3)
        secret = (await do(asker, battle, SECRET)).version
        wound = {"type": "hp", "combatant": BLUE_LURKER, "value": 7}
        hidden = (await do(asker, battle, {"type": "adjust", "changes": [wound]})).version
        for raw in await last_told(at["rita"] + at["bob"], secret):
            assert GM_WORD.encode() not in raw
        for raw in await last_told(at["rita"], hidden):
            assert BLUE_LURKER.encode() in raw
        for raw in await last_told(at["bob"], hidden):
            assert BLUE_LURKER.encode() not in raw
        await prove(arena, battle, at["mike"] + at["rita"] + at["bob"])
    assert {each.connects for each in at["mike"]} == {1}


async def test_whose_rights_go_hears_of_it_in_every_process(arena: Arena) -> None:
    await see_rights_go(arena)


@pytest.mark.soak
async def test_whose_rights_go_hears_of_it_without_redis(database: Dsns, tmp_path: Path) -> None:
    async with arena_of(tmp_path, database, None) as alone:
        await see_rights_go(alone)
