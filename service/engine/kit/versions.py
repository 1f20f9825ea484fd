"""A later version of a rulebook is the record of the one before it with what differs."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from msgspec import Struct, structs

from service.engine.battle.setup import Header
from service.engine.ruleset.definition import Catalogue
from service.engine.vocabulary.actions import CreateEncounter
from service.engine.vocabulary.catalogue import Rule

S = TypeVar("S", bound=Struct)
C = TypeVar("C", bound=CreateEncounter)


def created_as(version: str, create: Callable[[S, Header], C]) -> Callable[[S, Header], C]:
    """How the version before makes event 1's action of a creation, under this version's number.

    What is made raises what `create` raises.
    """

    def created(setup: S, header: Header) -> C:
        return structs.replace(create(setup, header), version=version)

    return created


def with_rules(catalogue: Catalogue, *rules: Rule, behind: str = "") -> Catalogue:
    """A catalogue that has these rules: each in the place of the one that had its id before.

    Those of a new id stand behind the rule `behind`. Raises LookupError if there is none.
    """
    stated = {rule.id: rule for rule in rules}
    before = {rule.id for rule in catalogue.rules}
    added = tuple(rule for rule in rules if rule.id not in before)
    if added and behind not in before:
        raise LookupError(behind)
    told: list[Rule] = []
    for rule in catalogue.rules:
        told.append(stated.get(rule.id, rule))
        if rule.id == behind:
            told += added
    return replace(catalogue, rules=tuple(told))
