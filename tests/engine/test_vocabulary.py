"""VOCABULARY.md has every tag of an action and of an effect that is landed, and no others."""

import re
from collections.abc import Iterator
from typing import Any, Final, get_args, get_type_hints

import pytest

from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import EndTurn, SharedAction
from service.rulesets import RULESETS
from tests.house.tree import ROOT

VOCABULARY: Final = ROOT / "service" / "engine" / "VOCABULARY.md"
PAGE: Final = VOCABULARY.read_text(encoding="utf-8")
SECTION: Final = re.compile(r"^## (\d+)\. (.*)$", re.MULTILINE)
LATEST: Final = list({ruleset.slug: ruleset for ruleset in RULESETS.values()}.values())


def section(title: str) -> str:
    """The text under the heading that has these words in it."""
    parts = SECTION.split(PAGE)
    [text] = [text for name, text in zip(parts[2::3], parts[3::3], strict=True) if title in name]
    return text


def table(text: str, header: str) -> list[list[str]]:
    """The cells of the first table in a text whose header line begins so."""
    lines = text[text.index(header) :].splitlines()[2:]
    rows = iter(lines)
    cells = []
    for line in rows:
        if not line.startswith("|"):
            break
        cells.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return cells


def leading_tags(cell: str) -> list[str]:
    """The tags that a cell begins with: `move {path}` is `move`."""
    run = re.match(r"(?:`[^`]+`(?:, | / )?)*", cell)
    words = re.findall(r"`([a-z_]+)", run.group() if run else "")
    return [str(word) for word in words]


def tags_of(members: Any) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in members}


def shared_actions() -> set[str]:
    """The tags of the actions that every ruleset takes."""
    members = get_args(SharedAction)
    kinds = {getattr(member, "__bound__", member) for member in members}
    return tags_of([*kinds, EndTurn])


def shared_effects() -> set[str]:
    kinds = [kind for kind in vars(fx).values() if isinstance(kind, type)]
    return tags_of(kind for kind in kinds if issubclass(kind, fx.Effect) and kind is not fx.Effect)


def stated_actions(slug: str) -> Iterator[str]:
    """The tags that the table of a ruleset's own section has: ours, or the catalogue's if alike."""
    for catalogue, ours, *_ in table(section(f"`{slug}`"), "| catalogue | ours | notes |"):
        is_alike = ours.startswith(("same names", "shared"))
        is_action = not ours.startswith(("field", "text"))
        yield from leading_tags(catalogue if is_alike else ours) if is_action else ()


def test_every_shared_effect_has_its_heading_and_no_other_word_has_one() -> None:
    headings = re.findall(r"^#### `([a-z_]+)`$", section("The shared effects"), re.MULTILINE)
    assert sorted(headings) == sorted(shared_effects())


def test_the_table_of_common_actions_has_each_of_them_and_no_other() -> None:
    rows = table(section("Common actions"), "| action | fields | who |")
    stated = [tag for row in rows for tag in leading_tags(row[0])]
    assert sorted(stated) == sorted(shared_actions())


@pytest.mark.parametrize("ruleset", LATEST, ids=lambda each: each.slug)
def test_a_ruleset_has_its_own_actions_in_its_section_and_no_others(ruleset: Ruleset[Any]) -> None:
    taken = tags_of(get_args(ruleset.action))
    stated = set(stated_actions(ruleset.slug))
    assert sorted(stated - taken) == []
    assert sorted(taken - stated - shared_actions()) == []


@pytest.mark.parametrize("ruleset", LATEST, ids=lambda each: each.slug)
def test_every_effect_of_a_ruleset_is_shared_or_in_its_section(ruleset: Ruleset[Any]) -> None:
    [effects, _] = get_args(get_type_hints(ruleset.event)["effects"])
    own = tags_of(get_args(effects)) - shared_effects()
    words = set(re.findall(r"`([a-z_]+)", section(f"`{ruleset.slug}`")))
    assert sorted(own - words) == []


def test_no_rulebook_to_come_is_spoken_of() -> None:
    """A rulebook's words arrive with it: its section, its abbreviation, its rules."""
    slugs = {ruleset.slug for ruleset in LATEST}
    short = {rule.id.split("-")[0] for ruleset in LATEST for rule in ruleset.catalogue.rules}
    assert set(re.findall(r"`([a-z]+-d\d+)`", PAGE)) == slugs
    assert set(re.findall(r"\b([A-Z]{2})-[A-Z]+-\d", PAGE)) == short
    assert dict(re.findall(r"([A-Z]{2}) `([a-z]+-d\d+)`", section("Notation"))).keys() == short
    assert set(re.findall(r"\b(CF|SQ|ML|TD|SK)\b", PAGE)) == short
