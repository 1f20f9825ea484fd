"""Every rule id stands three times: in the catalogue, on one function, on at least one test.

A definition of the catalogue is no function; a test may name it. A function of a rule is reached by
what play calls, and its id is written out in its own module alone. A later version has the
functions of those before it, too, but for those that it has itself.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from service.engine.vocabulary.catalogue import Definition, Rule
from service.rulesets import RULESETS as RECORDS
from tests.house.call_graph import call_graph
from tests.house.tree import ROOT, RULESETS, folder_of, lineage, modules_of, parsed, place

RULE_ID = re.compile(r"[A-Z]{2}-[A-Z]+-\d+[a-z]?")

PLAY = ("decide", "evolve", "preview", "legal_actions")
"""What is called of a ruleset while a battle is played."""

pytestmark = pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda path: str(path.relative_to(ROOT / "service/rulesets"))
)


def rules_of(ruleset: Path) -> tuple[Rule, ...]:
    """The catalogue of a version, by its folder."""
    [record] = [each for name, each in RECORDS.items() if folder_of(*name) == ruleset]
    return record.catalogue.rules


def catalogued(ruleset: Path) -> Counter[str]:
    """The ids that the catalogue lists."""
    return Counter(rule.id for rule in rules_of(ruleset))


def catalogued_ever(ruleset: Path) -> frozenset[str]:
    """The ids that the catalogues of all versions list."""
    family = [each for each in RULESETS if lineage(each)[-1] == lineage(ruleset)[-1]]
    return frozenset(rule.id for each in family for rule in rules_of(each))


def defined(ruleset: Path) -> frozenset[str]:
    """The ids of the catalogue that are definitions, which no function carries out."""
    return frozenset(rule.id for rule in rules_of(ruleset) if isinstance(rule, Definition))


def implemented(ruleset: Path) -> Counter[str]:
    """The ids that open a function's docstring, as in `CF-RANGE-1: each full increment...`."""
    return Counter(rule for _, rule in rule_functions(ruleset))


def rule_functions(ruleset: Path) -> list[tuple[Path, str]]:
    """Where each rule's function is, and the rule's id: in the nearest version that has one."""
    found: list[tuple[Path, str]] = []
    for folder in lineage(ruleset):
        nearer = {rule for _, rule in found}
        found += [each for each in own_rule_functions(folder) if each[1] not in nearer]
    return found


@cache
def own_rule_functions(ruleset: Path) -> list[tuple[Path, str]]:
    """The same of a version's own modules."""
    return [
        (path, rule)
        for path in modules_of(ruleset)
        for node in ast.walk(parsed(path))
        if (rule := rule_of(node)) is not None
    ]


def rule_of(node: ast.AST) -> str | None:
    """The id that opens the docstring of a function."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    opening = RULE_ID.match(ast.get_docstring(node) or "")
    return opening[0] if opening else None


@cache
def named_by_tests() -> frozenset[str]:
    """The ids that `pytest.mark.rule` names anywhere in the tests."""
    return frozenset(name for path in sorted(ROOT.glob("tests/**/*.py")) for name in marks(path))


def marks(path: Path) -> Iterator[str]:
    if "mark.rule" not in path.read_text(encoding="utf-8"):
        return
    for node in ast.walk(parsed(path)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule")):
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value
            case _:
                pass


def test_every_catalogued_rule_has_one_function_and_the_other_way_round(ruleset: Path) -> None:
    functions = implemented(ruleset)
    rules = catalogued(ruleset).keys() - defined(ruleset)
    assert [rule for rule, times in functions.items() if times > 1] == []
    assert [rule for rule, times in catalogued(ruleset).items() if times > 1] == []
    assert sorted(functions.keys() - rules) == [], "not in the catalogue, or a definition there"
    assert sorted(rules - functions.keys()) == [], "without a function"


def test_every_rule_has_a_test_and_every_tested_rule_exists(ruleset: Path) -> None:
    rules = catalogued(ruleset).keys()
    letters = {rule.split("-")[0] for rule in rules}
    marked = {rule for rule in named_by_tests() if rule.split("-")[0] in letters}
    assert sorted(rules - marked - defined(ruleset)) == [], "without a test"
    assert sorted(marked - catalogued_ever(ruleset)) == [], "not in the catalogue"


def test_play_reaches_the_function_of_every_rule(ruleset: Path) -> None:
    graph = call_graph(path for folder in lineage(ruleset) for path in modules_of(folder))
    records = [
        graph.references[".".join(folder.relative_to(ROOT).parts), "RULESET"]
        for folder in reversed(lineage(ruleset))
    ]
    named = {node[1]: node for record in records for node in record}
    imported = {name: node for name, node in named.items() if name in PLAY}
    played = graph.reached_from(imported.values())
    assert imported.keys() == set(PLAY)
    # What play reads from the terms of a battle is what the record of its version states.
    if named.get("Readings") in played:
        readings = (node for node in named.values() if ".rules." in node[0])
        played |= graph.reached_from(readings)
    carried_out = {rule_of(each) for node in played for each in graph.definitions[node]}
    assert sorted(implemented(ruleset).keys() - carried_out) == []


def test_the_id_of_a_rule_is_written_out_in_the_module_of_its_function(ruleset: Path) -> None:
    homes = {rule: path for path, rule in rule_functions(ruleset)}
    strays = [
        (node.value, place(path, node))
        for path in modules_of(ruleset)
        if "catalogue" not in path.relative_to(ruleset).parts[0]
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and RULE_ID.fullmatch(node.value)
        and homes.get(node.value) != path
    ]
    assert strays == []
