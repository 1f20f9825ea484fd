"""Records with what is added are kept for those who are shown the same: not more than is
allowed.
"""

from uuid import UUID

import pytest
from msgspec import Raw

from service.encounters.documents import NOTHING, Document
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.catalogue import Language
from service.live.extended_records import SHARED, SHARED_BYTES, ExtendedRecords
from service.live.records import Record

ENCOUNTER = UUID(int=1)


@pytest.mark.parametrize(("count", "size"), [(2 * SHARED, 10), (9, SHARED_BYTES // 4)])
def test_what_is_kept_for_others_is_bounded_in_number_and_in_bytes(count: int, size: int) -> None:
    shared = ExtendedRecords()
    state = Raw(b'"%b"' % (b"x" * size))
    documents = [Document(seq, {"state": state}) for seq in range(count + 1)]
    records = [Record("event", ENCOUNTER, seq, "0" * 8, b'{"seq":1}') for seq in range(count + 1)]
    told = records[0]
    for seq in range(1, count + 1):
        told = shared.record(records[seq], documents[seq - 1], documents[seq], b"")
        assert told.body == b'{"seq":1,"patch":[]}'
    assert len(shared._kept) <= min(SHARED, max(1, SHARED_BYTES // size))
    last = (records[count], documents[count - 1], documents[count], b"")
    assert shared.record(*last) is told


def test_a_story_is_told_once_for_all_who_see_the_same() -> None:
    shared, told = ExtendedRecords(), list[str]()

    def tell(word: str) -> str:
        told.append(word)
        return word

    records = [Record("event", ENCOUNTER, seq, "0" * 8, b'{"seq":1}') for seq in range(2 * SHARED)]
    kinds: list[tuple[Viewer, Language]] = [
        (Viewer(), "en"),
        (GAME_MASTER, "en"),
        (Viewer(), "ru"),
    ]
    for viewer, language in kinds * 2:
        story = shared.narration(records[0], viewer, language, lambda: tell("told"))
        assert shared.record(records[0], NOTHING, NOTHING, story).body == (
            b'{"seq":1,"narration":"told"}'
        )
    assert told == ["told"] * 3
    for record in records:
        shared.narration(record, Viewer(), "en", lambda: "told")
    assert len(shared._narrations) == SHARED
