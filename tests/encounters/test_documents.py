"""Documents are made once for all who come for the same, and for nobody else."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from service.encounters.documents import Document
from service.encounters.json_patch import DocumentTree
from service.encounters.requests import Additions
from service.engine.scene import Scene, SceneSource
from tests.encounters.table import Table, creation, fighter


async def test_a_document_is_made_once_for_all_who_come_for_it_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    reads = table.encounters.reads
    documents = reads.documents
    battle, by = await reads.load(table.who, encounter)
    making, made = documents._members, list[int]()

    async def counted(*given: Any) -> dict[str, DocumentTree]:
        made.append(given[-1].seq)
        return await making(*given)

    monkeypatch.setattr(documents, "_members", counted)
    additions = Additions(state=True, scene=True)
    for seq in (1, 2):
        coming = [documents.document(battle, by, seq, additions) for _ in range(20)]
        found = await asyncio.gather(*coming)
        assert len(set(map(id, found))) == 1
    assert made == [1, 2]


async def told(table: Table, encounter: UUID, seat: str | None, additions: Additions) -> Document:
    """What somebody is shown of the present state, after all who were shown before."""
    reads = table.encounters.reads
    who = table.who if seat is None else table.seat(seat).who
    battle, by = await reads.load(who, encounter)
    return await reads.documents.document(battle, by, battle.seq, additions)


@pytest.mark.parametrize("is_hidden", [False, True])
async def test_a_scene_is_drawn_once_for_all_who_see_the_same_and_for_nobody_else(
    table: Table, monkeypatch: pytest.MonkeyPatch, is_hidden: bool
) -> None:
    lurker = fighter("lurker", "blue", 6, 4, hidden=is_hidden)
    fighters = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0), lurker)
    encounter = await table.started(creation(*fighters))
    battle, _ = await table.encounters.reads.load(table.who, encounter)
    drawn = list[SceneSource]()

    def draw(source: SceneSource) -> Scene:
        drawn.append(source)
        return ruleset.scene(source)

    ruleset = battle.ruleset
    monkeypatch.setattr(battle, "ruleset", replace(ruleset, scene=draw))
    seen = {
        seat: (await told(table, encounter, seat, Additions(scene=True))).text
        for seat in (None, "bob", "rita", "olaf")
    }
    assert [b"lurker" in text for text in seen.values()] == [True, True, *[not is_hidden] * 2]
    assert seen["rita"] == seen["olaf"]
    assert len(drawn) == len({bytes(source.state) for source in drawn}) == 2 + is_hidden
