"""The replay and the desk speak the language of their reader: no identifier is shown to people."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from service.api.openapi.rulesets import ruleset_schemas
from service.rulesets import RULESETS
from tests.api.serving import Caller
from tests.clients import tools
from tests.kit.random_battles import ask, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated
from tests.web.battles import CREATIONS, WebBattle, running
from tests.web.test_files import STATIC
from tests.web.test_phone_drafts import SHOT
from tests.web.test_replay import DESKTOP, look
from tests.web.visitor import Visitors

LANGUAGES = ("en", "ru")
NOT_SHOWN = {"id", "name", "metadata", "draw", "x", "y"}
BATTLES: Final = 4
EVENTS: Final = 60


def keys_of(language: str) -> set[str]:
    """What the texts of sheets have a word for."""
    script = "console.log(JSON.stringify((await import(process.argv[1])).default))"
    path = STATIC / "texts" / language / "sheet.js"
    options = ("--input-type=module", "--eval", script, path)
    return set(json.loads(tools.succeeded(tools.NODE, *options, cwd=STATIC, NODE_NO_WARNINGS="1")))


def fields_in(schema: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[str]:
    """Names of fields at any depth."""
    while "$ref" in part:
        part = schema["$defs"][part["$ref"].rpartition("/")[2]]
    for name, each in part.get("properties", {}).items():
        if name not in NOT_SHOWN:
            yield name
            yield from fields_in(schema, each)
    for each in (*part.get("anyOf", ()), *part.get("oneOf", ())):
        yield from fields_in(schema, each)
    if isinstance(part.get("items"), dict):
        yield from fields_in(schema, part["items"])


def test_every_field_of_a_sheet_has_a_name_in_both_languages() -> None:
    known = {language: keys_of(language) for language in LANGUAGES}
    for ruleset in RULESETS.values():
        schema = ruleset_schemas(ruleset)["schema"]
        state = schema["$defs"][schema["properties"]["state"]["$ref"].rpartition("/")[2]]
        fields = {*fields_in(schema, state["properties"]["combatants"]), *state["properties"]}
        words = {each.id for each in ruleset.catalogue.terms}
        for language, keys in known.items():
            said = {key.split("_", 1)[1] for key in keys if key.startswith(("sheet_", "word_"))}
            assert fields - words - said == set(), (ruleset.slug, language)


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_questions_and_dice_have_words_in_both_languages(rig: Rig) -> None:
    words: set[str] = set()

    def note(table: Table, action: Mapping[str, Any], by: str) -> None:
        for group in table.state.rule.pending:
            for each in group.decisions:
                words.update((each.kind, each.default, *each.options))
        ask(table, action, by)
        words.update(draw.purpose for draw in table.events[-1].draws)

    for number in range(BATTLES):
        play(seated(rig.ruleset, rig.battles.setup(number)), number, EVENTS, deed=note)
    terms = {each.id for each in rig.ruleset.catalogue.terms}
    assert len(words) > 2
    for language in LANGUAGES:
        keys = {key.removeprefix("word_") for key in keys_of(language)}
        assert words - terms - keys == set()


OTHERS = sorted({*CREATIONS} - {"seeker-d100"})
LATIN = re.compile(r"[A-Za-z][A-Za-z_]+")
RULE = re.compile(r"\b[A-Z]{2,3}-[A-Z0-9]+-\d+\b")
ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
OPTION = re.compile(r"`[^`]*`")
UNDERSTOOD = {"Home", "End", "Page", "Up", "Down", "QR", "API", "FP", "HP", "AGI", "ACC", "END"}
"""Keys of a keyboard, and what Russian rulebooks call so themselves."""
READ_PAGE = """() => {
  const isShown = (text) => !text.parentElement
    .closest("code, q, script, noscript, option[lang], .board text");
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (isShown(walker.currentNode)) texts.push(walker.currentNode.data);
  for (const each of document.querySelectorAll("[aria-label], [title]"))
    texts.push(each.getAttribute("aria-label"), each.getAttribute("title"));
  return texts.filter(Boolean).join(" ");
}"""


def names_in(tree: object) -> Iterator[str]:
    """What people called combatants, weapons, seats, sides and so on: ids and names."""
    if isinstance(tree, Mapping):
        for key, each in tree.items():
            if key in {"id", "name", "title", "label"} and isinstance(each, str):
                yield each
            if key == "weapons":
                yield from (weapon for weapon in each if isinstance(weapon, str))
            yield from names_in(each)
    elif isinstance(tree, list):
        for each in tree:
            yield from names_in(each)


def played(caller: Caller, ruleset: str) -> WebBattle:
    """A battle in which somebody is asked something by now, much was done, or all is over."""
    battle = running(caller, ruleset)
    rng = random.Random(7)
    for _ in range(25):
        if battle.view()["state"]["status"] == "ended":
            break
        if any(battle.questions(seat) for seat in battle.players):
            break
        samples = battle.legal(seat := battle.mover(), sample=6)["samples"]
        battle.act(seat, rng.choice(samples))
    return battle


async def latin_in(page: Page, names: set[str]) -> set[str]:
    """Words in Latin letters that are neither names nor rules."""
    text = await page.evaluate(READ_PAGE)
    for each in (RULE, ID, OPTION):
        text = each.sub("", text)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![A-Za-z_]){re.escape(name)}(?![A-Za-z_])", " ", text)
    words = LATIN.finditer(text)
    return {
        text[max(0, each.start() - 40) : each.end() + 20]
        for each in words
        if each[0] not in UNDERSTOOD
    }


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(
    "ruleset",
    ["seeker-d100", *(pytest.param(each, marks=pytest.mark.soak) for each in OTHERS)],
)
async def test_a_battle_in_russian_shows_no_other_words(
    visitors: Visitors, caller: Caller, ruleset: str
) -> None:
    battle = played(caller, ruleset)
    seen = battle.view()
    names = {*names_in(seen), *names_in(CREATIONS[ruleset]()), *battle.players, ruleset}
    visitor = await visitors(viewport=DESKTOP, locale="ru-RU")
    await visitor.open(f"/replay/{battle.id}#e=1")
    page = visitor.page
    await page.get_by_label("Токен или ключ").fill(caller.token or "")
    await page.get_by_role("button", name="Открыть").click()
    await expect(page.locator(".desk")).to_be_visible()
    await page.get_by_role("button", name="Проверить").click()
    await expect(page.locator(".badge .good")).to_have_count(3)
    await page.locator(".desk .overrule > summary").click()
    await expect(page.locator(".overrule fieldset")).to_be_visible()
    found: set[str] = set()
    for seq in range(1, seen["seq"] + 1):
        await expect(page.locator(f"html[data-event='{seq}']")).to_be_attached()
        await expect(page.locator(".event h2")).to_be_visible()
        await expect(page.locator(".event")).to_contain_text(f"Событие {seq} ")
        if seq % 4 == 2:
            who = page.locator(".who button")
            await who.nth(seq % await who.count()).evaluate("(each) => each.click()")
            await expect(page.locator(".sheet-lines dd")).not_to_have_count(0)
        found |= await latin_in(page, names)
        await page.keyboard.press("ArrowRight")
    assert found == set(), "\n".join(sorted(found))


async def test_options_that_a_rule_names_stand_apart_without_marks(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "squad-d100")
    assert battle.act("anna", SHOT) == 201
    visitor = await visitors(viewport=DESKTOP)
    encounter = battle.path.rpartition("/")[2]
    page = await look(visitor, encounter, caller.token, battle.view()["seq"])
    event = page.locator(".event")
    await expect(event.locator("code", has_text="aimed_modifiers").first).to_be_visible()
    assert "`" not in await event.inner_text()
