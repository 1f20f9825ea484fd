"""Every build writes and answers the same: random battles of all rulebooks against digests."""

import pytest

from tests.replay.transcripts import NAMES, digest_of, digests, lines_of
from tests.soak import with_soak


def test_every_battle_has_its_digest_and_every_digest_its_battle() -> None:
    assert sorted(digests()) == sorted(NAMES)


@pytest.mark.parametrize("name", with_soak(NAMES[::2], NAMES[1::2]))
def test_a_battle_is_written_and_told_as_by_every_build_before(name: str) -> None:
    assert digest_of(lines_of(name)) == digests()[name]
