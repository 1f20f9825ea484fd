"""What a caller is shown of a log that somebody was at behind the service's back."""

from uuid import UUID

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from tests.api.serving import SHOT, Caller


async def execute(address: str, encounter: str, *statements: str) -> None:
    """Do it as somebody for whom no trigger counts."""
    connection = await asyncpg.connect(address)
    await connection.execute("SET session_replication_role = replica")
    for statement in statements:
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
    await execute(database.admin, encounter, moved_back)
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


async def test_receipts_of_answers_are_held_against_the_log(caller: Caller, database: Dsns) -> None:
    encounter = caller.started()
    kept = [caller.act(encounter, {"type": "note", "text": str(n)})["receipt"] for n in range(3)]
    answer = caller.post(f"{encounter}/audit", {"receipts": kept}, idempotency_key="")
    report = answer.json()
    assert (answer.status_code, report["clean"]) == (200, True)
    assert report["receipts"] == [
        {"seq": each["seq"], "hash": each["hash"], "verdict": "held"} for each in kept
    ]
    before = kept[1]["seq"]
    cut_off = (
        f"UPDATE encounter SET head_seq = {before}, head_hash ="
        f" (SELECT hash FROM event WHERE encounter_id = $1 AND seq = {before}) WHERE id = $1",
        f"DELETE FROM event WHERE encounter_id = $1 AND seq > {before}",
        f"DELETE FROM event_part WHERE encounter_id = $1 AND seq > {before}",
    )
    await execute(database.admin, encounter, *cut_off)
    report = caller.get(f"{encounter}/audit").json()
    assert report["clean"], report["problems"]
    report = caller.post(f"{encounter}/audit", {"receipts": kept}).json()
    assert [each["verdict"] for each in report["receipts"]] == ["held", "held", "beyond_head"]
    assert [each["code"] for each in report["problems"]] == ["receipt_beyond_head"]


def test_receipts_that_are_none_are_told_by_their_place(caller: Caller) -> None:
    encounter = caller.started()
    kept = caller.act(encounter, {"type": "note", "text": "Kept"})["receipt"]
    for receipts, path in (
        ([], "$.receipts"),
        ([kept, kept | {"sig": "ab"}], "$.receipts[1].sig"),
        ([kept | {"seq": 0}], "$.receipts[0].seq"),
        ([kept | {"more": 1}], "$.receipts[0]"),
        ([kept] * 1001, "$.receipts"),
    ):
        answer = caller.post(f"{encounter}/audit", {"receipts": receipts})
        assert (answer.status_code, answer.json()["params"]["path"]) == (400, path)


def test_nobody_audits_what_he_may_not_read(caller: Caller, stranger: Caller) -> None:
    encounter = caller.started()
    kept = caller.act(encounter, {"type": "note", "text": "Kept"})["receipt"]
    answer = stranger.post(f"{encounter}/audit", {"receipts": [kept]})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_encounter")
