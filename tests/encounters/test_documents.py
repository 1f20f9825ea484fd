"""Documents are made once for all who come for the same at the same time."""

import asyncio
from typing import Any

import pytest

from service.encounters.additions import Additions
from service.encounters.json_patch import Tree
from tests.encounters.table import Table


async def test_a_document_is_made_once_for_all_who_come_for_it_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    reads = table.encounters.reads
    documents = reads.documents
    battle, by = await reads.load(table.who, encounter)
    making, made = documents._members, list[int]()

    async def counted(*given: Any) -> dict[str, Tree]:
        made.append(given[-1].seq)
        return await making(*given)

    monkeypatch.setattr(documents, "_members", counted)
    additions = Additions(state=True, scene=True)
    for seq in (1, 2):
        coming = [documents.document(battle, by, seq, additions) for _ in range(20)]
        found = await asyncio.gather(*coming)
        assert len(set(map(id, found))) == 1
    assert made == [1, 2]
