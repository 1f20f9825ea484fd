"""Every rule id stands three times: in the catalogue, on one function, on at least one test."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.tree import ROOT, RULESETS, parsed

RULE_ID = re.compile(r"[A-Z]{2}-[A-Z]+-\d+[a-z]?")

pytestmark = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda path: str(path.name))


def catalogued(ruleset: Path) -> Counter[str]:
    """The ids that the catalogue lists; a mention inside a longer text is none."""
    return Counter(
        node.value
        for path in (*ruleset.glob("catalogue.py"), *sorted(ruleset.glob("catalogue/*.py")))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and RULE_ID.fullmatch(node.value)
    )


def implemented(ruleset: Path) -> Counter[str]:
    """The ids that open a function's docstring, as in `CF-RANGE-1: each full increment...`."""
    return Counter(
        found[0]
        for path in sorted(ruleset.rglob("*.py"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (found := RULE_ID.match(ast.get_docstring(node) or ""))
    )


@cache
def named_by_tests() -> frozenset[str]:
    """The ids that `pytest.mark.rule` names anywhere in the tests."""
    return frozenset(name for path in sorted(ROOT.glob("tests/**/*.py")) for name in marks(path))


def marks(path: Path) -> Iterator[str]:
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
    rules = catalogued(ruleset)
    assert [rule for rule, times in functions.items() if times > 1] == []
    assert sorted(functions.keys() - rules.keys()) == [], "not in the catalogue"
    assert sorted(rules.keys() - functions.keys()) == [], "without a function"


def test_every_rule_has_a_test_and_every_tested_rule_exists(ruleset: Path) -> None:
    rules = catalogued(ruleset).keys()
    letters = {rule.split("-")[0] for rule in rules}
    marked = {rule for rule in named_by_tests() if rule.split("-")[0] in letters}
    assert sorted(rules - marked) == [], "without a test"
    assert sorted(marked - rules) == [], "not in the catalogue"
