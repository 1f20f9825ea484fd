"""Each ruleset has a rulebook for people, which names what the code has and nothing else.

That of a later version says what it has otherwise than the one before.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import NODEFAULT, UNSET

from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.catalogue import Definition, Rule
from service.rulesets import RULESETS
from tests.house.tree import ROOT, folder_of

RULE_ID = re.compile(r"\b[A-Z]{2}-[A-Z]+-\d+[a-z]?\b")
EXAMPLE_ID = re.compile(r"[A-Z]{2}-EX-\d+")
HEADED_RULE = re.compile(r"^- \*\*([A-Z]{2}-[A-Z]+-\d+[a-z]?)\*\* \(([a-z]+)\)\. ", re.MULTILINE)
HEADED_EXAMPLE = re.compile(r"^- \*\*([A-Z]{2}-EX-\d+)\*\* \(([^)]+)\) ", re.MULTILINE)
KINDS = {"modifier", "requirement", "effect", "derivation", "order", "definition"}
LONGEST_LINE = 110

SLUGS = tuple(sorted({slug for slug, _ in RULESETS}))

LATER = tuple(name for name in RULESETS if name[1] != "1")

EACH = pytest.mark.parametrize("slug", SLUGS)
EACH_LATER = pytest.mark.parametrize(("slug", "version"), LATER)


def rulebook_of(slug: str, version: str = "1") -> Path:
    return folder_of(slug, version) / "RULEBOOK.md"


@cache
def page(slug: str, version: str = "1") -> str:
    """The rulebook without the backslashes before its own characters."""
    return rulebook_of(slug, version).read_text(encoding="utf-8").replace("\\`", "`")


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def ruleset_of(slug: str) -> Ruleset[Any]:
    return RULESETS[slug, "1"]


def options_of(ruleset: Ruleset[Any]) -> dict[str, str]:
    """Each option with its default as the rulebook writes it."""
    [options] = (
        get_args(field.type)[0]
        for field in msgspec.structs.fields(ruleset.state)
        if field.name == "options"
    )
    return {field.name: written(field.default) for field in msgspec.structs.fields(options)}


def written(default: object) -> str:
    assert default is not NODEFAULT
    if default is UNSET:
        return "absent"
    return f"`{default}`" if isinstance(default, str) else str(default).lower()


def tags_of(ruleset: Ruleset[Any]) -> set[str]:
    """The tags of all actions of a battle."""
    return {str(member.__struct_config__.tag) for member in get_args(ruleset.action)}


@EACH
def test_every_rule_has_one_entry_and_no_other_rule_is_named(slug: str) -> None:
    rules = [rule.id for rule in ruleset_of(slug).catalogue.rules]
    entries = HEADED_RULE.findall(page(slug))
    assert sorted(rule for rule, _ in entries) == sorted(rules)
    assert {kind for _, kind in entries} <= KINDS
    mentioned = {each for each in RULE_ID.findall(page(slug)) if not EXAMPLE_ID.fullmatch(each)}
    assert sorted(mentioned - set(rules)) == []


@EACH
def test_what_the_rulebook_calls_a_definition_is_one_in_the_catalogue(slug: str) -> None:
    rules = ruleset_of(slug).catalogue.rules
    definitions = {rule.id for rule in rules if isinstance(rule, Definition)}
    assert {rule for rule, kind in HEADED_RULE.findall(page(slug)) if kind == "definition"} == (
        definitions
    )


@EACH
def test_every_source_is_quoted_and_every_quote_is_also_in_english(slug: str) -> None:
    text = on_one_line(page(slug))
    sources = [rule.source for rule in ruleset_of(slug).catalogue.rules]
    quotes = [f"Source: {on_one_line(each)} — “" for each in sources if each is not UNSET]
    assert [each for each in quotes if each not in text] == []
    assert text.count("Source: none; service default.") == sources.count(UNSET)
    translated = re.sub("«[^»]*»", "", text)
    assert translated.count("“") == text.count("«")
    assert re.search(r"[\u0400-\u04ff]", translated) is None


@EACH
def test_every_option_stands_in_the_table_with_its_default(slug: str) -> None:
    [table] = re.findall(r"^\| Option \|.*\n\|[-|]+\n((?:\|.*\n)+)", page(slug), re.MULTILINE)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    stated = {name.strip("`"): default for name, _, default, _ in rows}
    assert len(stated) == len(rows)
    assert stated == options_of(ruleset_of(slug))


@EACH
def test_every_action_and_every_refusal_is_named(slug: str) -> None:
    ruleset = ruleset_of(slug)
    unnamed_actions = {tag for tag in tags_of(ruleset) if f"**`{tag}`**" not in page(slug)}
    _, refusals = page(slug).split("\n## 7. ", 1)
    codes = "".join(re.findall(r"^\| (`[^|]*)", refusals, re.MULTILINE))
    named = set(re.findall("`([a-z_]+)`", codes))
    assert sorted(unnamed_actions) == []
    assert named == {message.code for message in ruleset.catalogue.messages}


@EACH
def test_every_worked_example_is_told_with_its_rules(slug: str) -> None:
    entries = HEADED_EXAMPLE.findall(page(slug))
    data = ROOT / "tests" / "rulesets" / slug.replace("-", "_") / "examples.json"
    examples = json.loads(data.read_bytes())["examples"]
    assert [(name, rules.split(", ")) for name, rules in entries] == [
        (example["id"], example["rules"]) for example in examples
    ]


@EACH
def test_lines_are_short(slug: str) -> None:
    lines = rulebook_of(slug).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def rules_otherwise(slug: str, version: str) -> list[Rule]:
    """The rules that a version has otherwise than the one before, or besides."""
    versions = [each for name, each in RULESETS if name == slug]
    before = RULESETS[slug, versions[versions.index(version) - 1]].catalogue.rules
    return [rule for rule in RULESETS[slug, version].catalogue.rules if rule not in before]


@EACH_LATER
def test_the_rulebook_of_a_later_version_has_the_rules_that_it_changes(
    slug: str, version: str
) -> None:
    text, changed = page(slug, version), rules_otherwise(slug, version)
    entries = HEADED_RULE.findall(text)
    assert [rule for rule, _ in entries] == [rule.id for rule in changed]
    assert {kind for _, kind in entries} <= KINDS
    known = {rule.id for rule in RULESETS[slug, version].catalogue.rules}
    mentioned = {each for each in RULE_ID.findall(text) if not EXAMPLE_ID.fullmatch(each)}
    assert sorted(mentioned - known) == []
    sources = [rule.source for rule in changed if rule.source is not UNSET]
    quotes = [f"Source: {on_one_line(each)} — “" for each in sources]
    assert [each for each in quotes if each not in on_one_line(text)] == []
    assert [line for line in text.splitlines() if len(line) > LONGEST_LINE] == []


@EACH_LATER
def test_the_rulebook_of_a_later_version_says_it_in_russian_too(slug: str, version: str) -> None:
    english, russian = page(slug, version).split("\n## 4. По-русски\n")
    assert re.search(r"[\u0400-\u04ff]", re.sub("«[^»]*»", "", english)) is None
    for rule in rules_otherwise(slug, version):
        assert f"- **{rule.id}.** " in russian


@EACH_LATER
def test_the_rulebook_of_a_later_version_tells_the_examples_that_it_changes(
    slug: str, version: str
) -> None:
    folder = ROOT / "tests" / "rulesets" / slug.replace("-", "_") / f"v{version}"
    later = json.loads((folder / "examples.json").read_bytes())
    told = {
        example["id"]: {
            rule for case in example["cases"] for rule in case.get("rules", example.get("rules"))
        }
        for example in (*later["changed"], *later["added"])
    }
    entries = HEADED_EXAMPLE.findall(page(slug, version))
    assert {name: set(rules.split(", ")) for name, rules in entries} == told
