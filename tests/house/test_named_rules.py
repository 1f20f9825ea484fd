"""Every rule that can change an outcome is named by what the worked examples compare.

How this works. The examples of a ruleset are data (`Rig.examples`), and each step is compared
with its whole `expect`: refusal, attacks, damage, effects, written out where the data have short
forms. A rule is named where its id is a value in there, such
as the rule of a breakdown's line or of a refusal; a mention inside a text, a mark on a test or what
the state remembers of a sheet is none. What no example can name is in `Rig.unnamed_rules`
with the reason.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec
import pytest

from tests.kit.rig import Rig
from tests.kit.rigs import EVERY_RIG

RULE_ID = re.compile(r"[A-Z]{2}-[A-Z]+-\d+[a-z]?")
REASON = re.compile(r"(definition|order[a-z ]*): \S.+")


def rules_in(value: object) -> Iterator[str]:
    """The rule ids that are values somewhere in a tree of JSON values."""
    match value:
        case str():
            if RULE_ID.fullmatch(value):
                yield value
        case Mapping():
            for each in value.values():
                yield from rules_in(each)
        case list() | tuple():
            for each in value:
                yield from rules_in(each)
        case _:
            pass


def compared(expectations: Iterable[object]) -> frozenset[str]:
    """The rule ids in what the steps of examples are compared with, but for the state's."""
    trees: list[dict[str, object]] = [msgspec.to_builtins(each) for each in expectations]
    told = [{name: each for name, each in tree.items() if name != "state"} for tree in trees]
    return frozenset(rules_in(told))


def expectations(rig: Rig) -> Iterator[object]:
    """What each step of each worked example of a ruleset is compared with."""
    for case in rig.examples.cases:
        for step in case.steps:
            yield rig.examples.written_out(step.expect)


def faults(
    catalogued: frozenset[str], named: frozenset[str], unnamed: Mapping[str, str]
) -> dict[str, list[str]]:
    """What is wrong with the list of a ruleset, by kind; empty if nothing is."""
    found = {
        "neither named by an example nor listed": catalogued - named - unnamed.keys(),
        "listed although an example names it": unnamed.keys() & named,
        "listed but not in the catalogue": unnamed.keys() - catalogued,
        "named but not in the catalogue": named - catalogued,
        "listed without saying that it is a definition or an order": {
            rule for rule, reason in unnamed.items() if not REASON.fullmatch(reason)
        },
    }
    return {kind: sorted(rules) for kind, rules in found.items() if rules}


@pytest.mark.parametrize("rig", EVERY_RIG, ids=str)
def test_the_examples_name_every_rule_but_definitions_and_orders(rig: Rig) -> None:
    catalogued = frozenset(rule.id for rule in rig.ruleset.catalogue.rules)
    named = compared(expectations(rig))
    assert faults(catalogued, named, rig.unnamed_rules) == {}


def test_a_rule_is_named_where_its_id_is_a_value_that_is_compared() -> None:
    line = {"rule": "ZG-A-1", "rules": ["ZG-B-2"], "note": "as ZG-C-3 says", "amount": 1}
    expect = {"attack": {"breakdown": [line, ("ZG-D-4", -2)]}, "state": {"a.tricks": ["ZG-E-5"]}}
    assert compared([expect]) == {"ZG-A-1", "ZG-B-2", "ZG-D-4"}


def test_every_fault_of_a_list_is_found() -> None:
    catalogued = frozenset({"ZG-A-1", "ZG-B-2", "ZG-C-3", "ZG-D-4"})
    unnamed = {
        "ZG-B-2": "definition: of a blow",
        "ZG-C-3": "definition: of a parry",
        "ZG-D-4": "nobody wrote a case",
        "ZG-X-9": "order: first this, then that",
    }
    assert faults(catalogued, frozenset({"ZG-C-3", "ZG-Y-1"}), unnamed) == {
        "neither named by an example nor listed": ["ZG-A-1"],
        "listed although an example names it": ["ZG-C-3"],
        "listed but not in the catalogue": ["ZG-X-9"],
        "named but not in the catalogue": ["ZG-Y-1"],
        "listed without saying that it is a definition or an order": ["ZG-D-4"],
    }
    whole = {"ZG-A-1": "order of steps: first this, then that", "ZG-B-2": "definition: of a blow"}
    assert faults(catalogued, frozenset({"ZG-C-3", "ZG-D-4"}), whole) == {}
