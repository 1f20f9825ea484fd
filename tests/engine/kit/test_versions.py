"""Catalogues of later versions: the one before, with what differs."""

import pytest

from service.engine.kit.versions import with_rules
from service.engine.ruleset.definition import Catalogue
from service.engine.vocabulary.catalogue import Rule


def rule(name: str, text: str = "before") -> Rule:
    return Rule(id=name, en=text, ru=text)


BEFORE = Catalogue(rules=(rule("A"), rule("B"), rule("C")), terms=(), messages=())


def test_a_changed_rule_keeps_its_place_and_new_ones_stand_behind_another() -> None:
    changed = with_rules(BEFORE, rule("C", "now"), rule("B-2"), rule("B-3"), behind="B")
    ordered = (rule("A"), rule("B"), rule("B-2"), rule("B-3"), rule("C", "now"))
    assert changed == Catalogue(rules=ordered, terms=(), messages=())


@pytest.mark.parametrize("behind", ["", "D"])
def test_a_new_rule_needs_a_place(behind: str) -> None:
    with pytest.raises(LookupError):
        with_rules(BEFORE, rule("B-2"), behind=behind)
