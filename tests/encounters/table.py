"""A table for tests: one tenant, one key, a small battle, and short ways to play it."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.api.services import Encounters
from service.app import compose
from service.encounters.clock_and_ids import Sources
from service.encounters.principal import SCOPES, Principal
from service.encounters.receipts import Signer
from service.encounters.requests import ActRequest
from service.encounters.responses import Acted, EventRecord
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.rulesets import RULESETS

SIGNER = Signer.of(Ed25519PrivateKey.generate())
SOURCES = Sources(now=lambda: datetime.now(UTC), random=os.urandom)

RIFLE = {
    "id": "rifle",
    "kind": "ranged",
    "attack_dice": 5,
    "damage_dice": 2,
    "range_increment_ft": 60,
}


def fighter(name: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
    """A rifleman with a display name, so that every log has text in it."""
    return {
        "id": name,
        "name": f"The one called {name}",
        "side": side,
        "place": {"x": x, "y": y},
        "health": 40,
        "health_max": 40,
        "ranged_defence": 12,
        "melee_defence": 12,
        "agi_pool": 3,
        "int_pool": 3,
        "weapons": [RIFLE],
    } | more


def creation(*fighters: dict[str, object], **more: object) -> dict[str, object]:
    """Red against blue, order of entry, Rita playing red and Olaf looking on."""
    everyone = fighters or (fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0))
    return {
        "ruleset": "crossfire-d6",
        "title": "A test of tables",
        "sides": [{"id": "red", "name": "The reds"}, {"id": "blue"}],
        "seats": [
            {"id": "rita", "role": "player", "sides": ["red"]},
            {"id": "bob", "role": "player", "sides": ["blue"]},
            {"id": "olaf", "role": "observer"},
        ],
        "setup": {"options": {"initiative": "fixed"}, "combatants": list(everyone)},
    } | more


@dataclass
class Table:
    """One process's service and a caller of it."""

    encounters: Encounters
    who: Principal

    def seat(self, name: str) -> "Table":
        """The same key acting for a seat."""
        return Table(self.encounters, msgspec.structs.replace(self.who, acting_for=name))

    async def create(self, tree: Mapping[str, object] | None = None) -> UUID:
        """A new encounter."""
        created = await self.encounters.writes.create(
            self.who, tree or creation(), secrets.token_hex(8)
        )
        return UUID(created.answer.encounter)

    async def act(
        self,
        encounter: UUID,
        *actions: Mapping[str, object],
        key: str | None = None,
        if_match: str | None = None,
        dice: list[int] | None = None,
    ) -> Acted:
        """One action or a list, under a fresh key unless one is given."""
        items = [{"action": action} | ({"dice": dice} if dice else {}) for action in actions]
        tree = items[0] if len(items) == 1 else {"actions": items}
        fresh = key or (None if if_match else secrets.token_hex(8))
        request = ActRequest.read(tree, 32)
        return await self.encounters.write_path.act(self.who, encounter, request, fresh, if_match)

    async def started(self, tree: Mapping[str, object] | None = None) -> UUID:
        """A new encounter that runs."""
        encounter = await self.create(tree)
        await self.act(encounter, {"type": "start_encounter"})
        return encounter

    async def state(self, encounter: UUID, at: int | None = None) -> dict[str, Any]:
        """What this caller sees of the rule state."""
        view = await self.encounters.reads.view(self.who, encounter, at)
        return msgspec.json.decode(view.state, type=dict[str, Any])


def shoot(shooter: str, target: str) -> dict[str, object]:
    """A shot with the rifle."""
    return {"type": "ranged_attack", "combatant": shooter, "weapon": "rifle", "target": target}


def end_turn(combatant: str) -> dict[str, object]:
    """The end of a turn."""
    return {"type": "end_turn", "combatant": combatant}


def effects(record: EventRecord) -> list[str]:
    """The types of what happened, in order, as far as the caller sees it."""
    whole = record.event if record.seen is msgspec.UNSET else record.seen
    tree = msgspec.json.decode(whole)
    return [effect["type"] for effect in tree["effects"]]


async def is_waiting(table: Table, encounter: UUID) -> bool:
    """Whether appends of this process wait for somebody who holds the encounter."""
    return encounter in table.encounters.write_path._committer._apart


async def new_table(store: EventStore, sources: Sources = SOURCES) -> Table:
    """A table with a separate tenant."""
    tenant = UUID(bytes=secrets.token_bytes(16))
    await store.access.create_tenant(tenant, f"tenant {tenant}")
    key = UUID(bytes=secrets.token_bytes(16))
    await store.access.create_api_key(
        NewApiKey(id=key, tenant=tenant, name="test", secret_hash=key.bytes * 2, scopes=SCOPES)
    )
    who = Principal(key_id=key, tenant=tenant, scopes=frozenset(SCOPES))
    return Table(compose(store, RULESETS, SIGNER, sources), who)


def beside(table: Table, store: EventStore) -> Table:
    """The same caller at another process of the service."""
    return Table(compose(store, RULESETS, SIGNER, SOURCES), table.who)
