"""What a caller is told of a log that somebody was at behind the service's back."""

from uuid import UUID

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from tests.api.serving import SHOT, Caller


async def execute(address: str, statement: str, encounter: str) -> None:
    connection = await asyncpg.connect(address)
    await connection.execute(statement, UUID(encounter.rpartition("/")[2]))
    await connection.close()


@pytest.mark.parametrize("is_in_memory", [True, False], ids=["in-memory", "fresh"])
async def test_an_action_on_a_log_with_rows_beyond_its_head_is_told_what_is_wrong(
    caller: Caller, database: Dsns, is_in_memory: bool
) -> None:
    encounter = caller.started()
    before = caller.get(encounter).json()["head"]
    caller.act(encounter, {"type": "note", "text": "Gone"})
    moved_back = (
        f"UPDATE encounter SET head_seq = {before}, head_hash ="
        f" (SELECT hash FROM event WHERE encounter_id = $1 AND seq = {before}) WHERE id = $1"
    )
    await execute(database.owner, moved_back, encounter)
    if not is_in_memory:
        assert caller.get(encounter).json()["head"] == before
    answer = caller.post(f"{encounter}/actions", {"action": SHOT})
    told = answer.json()
    assert (answer.status_code, told["code"]) == (503, "log_damaged")
    assert told["params"]["found"] == "rows_beyond_head"
    assert answer.headers["Retry-After"] == "60"
    report = caller.get(f"{encounter}/audit").json()
    assert [problem["code"] for problem in report["problems"]] == ["rows_beyond_head"]
    assert not report["clean"]
