"""The table of releases names everything that the last release does not know."""

from itertools import pairwise

import pytest
from msgspec import UNSET
from msgspec.structs import fields

from service import __version__
from service.engine.ruleset.definition import options_of
from service.releases import (
    BUILD,
    RELEASES,
    Release,
    beyond,
    is_before,
    newest_of,
    order_of,
)
from service.rulesets import RULESETS
from tests.house.released_words import KINDS, released, words_of

LAST, KNOWN = released()
"""The last release, and what it knows by version of a rulebook."""
LATER = tuple(each for each in RELEASES if is_before(LAST, each.number))


def lines_of(kind: str, slug: str, releases: tuple[Release, ...] = LATER) -> frozenset[str]:
    """The words of one kind that later releases add to released versions of a rulebook."""
    lines = [line for release in releases for line in getattr(release, kind)]
    return frozenset(
        line.rpartition("/")[2] for line in lines if line.rpartition("/")[0] in {"", slug}
    )


def test_releases_are_in_order_and_end_with_this_build() -> None:
    numbers = [each.number for each in RELEASES]
    assert [pair for pair in pairwise(numbers) if not is_before(*pair)] == []
    assert __version__ in numbers[-2:]
    assert numbers[-1] == BUILD


def test_the_list_of_known_words_is_that_of_the_last_release() -> None:
    # Made by `python -m tests.house.released_words` when a release is made.
    assert __version__ == LAST


def test_every_version_of_a_rulebook_came_with_a_release_in_the_registered_order() -> None:
    slugs = {slug for slug, _ in RULESETS}
    came = {
        slug: [each.versions[slug] for each in RELEASES if slug in each.versions] for slug in slugs
    }
    assert came == {slug: [version for name, version in RULESETS if name == slug] for slug in slugs}
    assert {slug for each in RELEASES for slug in each.versions} == slugs


def test_the_last_release_knows_the_versions_that_the_table_says() -> None:
    versions = {
        (slug, version)
        for release in RELEASES
        if not is_before(LAST, release.number)
        for slug, version in release.versions.items()
    }
    assert set(KNOWN) == versions


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_new_in_a_released_version_has_a_line(kind: str) -> None:
    missing = {
        f"{slug} {version}": sorted(new)
        for (slug, version), known in KNOWN.items()
        if (new := words_of(RULESETS[slug, version])[kind] - known[kind] - lines_of(kind, slug))
    }
    assert missing == {}, f"service/releases.py lacks {kind}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_is_something_new_of_a_released_version(kind: str) -> None:
    stale = {}
    for slug in {slug for slug, _ in KNOWN}:
        new: frozenset[str] = frozenset()
        for name, known in KNOWN.items():
            if name[0] == slug:
                new |= words_of(RULESETS[name])[kind] - known[kind]
        if old := lines_of(kind, slug) - new:
            stale[slug] = sorted(old)
    assert stale == {}


def test_nothing_of_a_released_version_is_gone() -> None:
    gone = {
        (*name, kind): sorted(words)
        for name, known in KNOWN.items()
        for kind in KINDS
        if (words := known[kind] - words_of(RULESETS[name])[kind])
    }
    assert gone == {}


def test_an_option_added_to_a_released_version_is_absent_unless_stated() -> None:
    # An option with a default value would be in event 1 of every battle.
    present = [
        f"{slug} {version}: {field.name}"
        for slug, version in KNOWN
        for field in fields(options_of(RULESETS[slug, version]))
        if field.name in lines_of("options", slug) and field.default is not UNSET
    ]
    assert present == []


def test_a_line_is_of_every_rulebook_or_of_the_one_it_names() -> None:
    new = (Release(number="9.0.0", actions=("roll", "tactical-d20/ready")),)
    assert lines_of("actions", "tactical-d20", new) == {"roll", "ready"}
    assert lines_of("actions", "melody-d6", new) == {"roll"}


def test_numbers_are_compared_part_by_part() -> None:
    assert order_of("1.10.2rc1") == (1, 10, 2)
    assert order_of("unknown") == ()
    assert is_before("1.9.0", "1.10.0")
    assert not is_before("1.2.0", "1.2.0")


def test_releases_that_bring_nothing_need_not_be_finished() -> None:
    table = (
        Release(number="1.1.0", versions={"a": "1"}),
        Release(number="1.2.0", options=("depth",)),
        Release(number="1.2.1"),
    )
    assert beyond("1.1.0", table) == table[1:2]
    assert (newest_of("1.1.0", table), newest_of("1.2.0", table)) == ("1.2.0", "1.2.0")
    assert newest_of("1.3.0", table) == "1.3.0"
