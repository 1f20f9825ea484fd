"""Overruling at the game master's desk, in any ruleset, by nothing but its published schema."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from service.api.openapi.rulesets import ruleset_schemas
from service.rulesets import RULESETS
from tests.api.serving import Caller
from tests.clients import tools
from tests.house.tree import SERVICE
from tests.web.battles import CREATIONS, running
from tests.web.test_replay import DESKTOP, look, stands_behind
from tests.web.visitor import Visitors

STATIC = SERVICE / "web" / "static"
READ = """
const [schemas, page, ...texts] = process.argv.slice(1);
const { changesIn } = await import(page);
const all = JSON.parse((await import("node:fs")).readFileSync(schemas, "utf8"));
const said = [];
for (const each of texts) said.push(Object.keys((await import(each)).default));
console.log(JSON.stringify({ kinds: all.map(changesIn), said }));
"""


def fields_of(kind: dict[str, Any]) -> list[dict[str, Any]]:
    fields: list[dict[str, Any]] = kind["fields"]
    return [*fields, *(part for each in fields for part in each.get("parts", ()))]


def test_every_change_of_every_ruleset_has_a_form_and_words_in_both_languages(
    tmp_path: Path,
) -> None:
    rulesets = list(RULESETS.values())
    schemas = tmp_path / "schemas.json"
    schemas.write_text(json.dumps([ruleset_schemas(each)["schema"] for each in rulesets]))
    names = ("overrule.js", "sheet.js")
    texts = [STATIC / "texts" / each / name for each in ("en", "ru") for name in names]
    paths = (schemas, STATIC / "replay" / "change_schema.js", *texts)
    options = ("--input-type=module", "--eval", READ)
    answer = tools.succeeded(tools.NODE, *options, *paths, cwd=tmp_path, NODE_NO_WARNINGS="1")
    read = json.loads(answer)
    assert len(read["kinds"]) == len(rulesets)
    english, russian = (
        {key.replace("sheet_", "word_") for key in {*said, *more}}
        for said, more in zip(read["said"][::2], read["said"][1::2], strict=True)
    )
    for ruleset, kinds in zip(rulesets, read["kinds"], strict=True):
        assert {"hp", "place", "condition", "stat"} <= {each["type"] for each in kinds}
        fields = [field for kind in kinds for field in fields_of(kind)]
        terms = {f"word_{each.id}" for each in ruleset.catalogue.terms}
        needed = {f"change_{each['type']}" for each in kinds}
        needed |= {f"field_{each['name']}" for each in fields}
        needed |= {f"word_{word}" for each in fields for word in each.get("words", ())} - terms
        assert (needed - english, needed - russian) == (set(), set()), ruleset.slug
        assert "text" not in {each["form"] for each in fields}


@pytest.mark.slow
async def test_the_game_master_overrules_with_a_reason(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "tactical-d20")
    before = battle.view()
    who, *_ = before["state"]["combatants"]
    visitor = await visitors(viewport=DESKTOP)
    visitor.expected.append("422")
    page = await look(visitor, battle.id, caller.token, before["seq"])
    desk = page.locator(".desk")
    await desk.get_by_text("Overrule", exact=True).click()
    first, second = (
        desk.get_by_role("group", name="Change 1"),
        desk.get_by_role("group", name="Change 2"),
    )
    await first.get_by_label("What changes").select_option("hp")
    health = first.get_by_label("From now on")
    await expect(health).to_have_value(str(who["health"]))
    await health.fill("3")
    await desk.get_by_role("button", name="One more change").click()
    await second.get_by_label("What changes").select_option("place")
    await expect(second.get_by_label("x", exact=True)).to_have_value(str(who["place"]["x"]))
    await second.get_by_label("x", exact=True).fill("190000")
    await desk.get_by_label("Reason, for the log").fill("He fell down the stairs.")
    overrule = desk.get_by_role("button", name="Overrule and log it")
    await overrule.click()
    # What was typed is still there when it was refused.
    await expect(desk.get_by_role("alert")).not_to_be_empty()
    await expect(health).to_have_value("3")
    await desk.get_by_role("button", name="Without the last change").click()
    await overrule.click()
    await stands_behind(page, before["seq"] + 1)
    await expect(page.locator(".log [aria-current=true]")).to_contain_text(
        "He fell down the stairs."
    )
    after = battle.view()["state"]["combatants"][0]
    assert (after["id"], after["health"], after["place"]) == (who["id"], 3, who["place"])


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", sorted(CREATIONS))
async def test_a_condition_is_set_in_every_ruleset(
    visitors: Visitors, caller: Caller, ruleset: str
) -> None:
    battle = running(caller, ruleset)
    seq = battle.view()["seq"]
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, battle.id, caller.token, seq)
    desk = page.locator(".desk")
    await desk.get_by_text("Overrule", exact=True).click()
    change = desk.get_by_role("group", name="Change 1")
    await change.get_by_label("What changes").select_option("condition")
    words = change.get_by_role("combobox", name="Condition", exact=True)
    names = await words.locator("option").evaluate_all("all => all.map((each) => each.value)")
    await words.select_option(names[-1])
    await desk.get_by_label("Reason, for the log").fill("So it is.")
    await desk.get_by_role("button", name="Overrule and log it").click()
    await stands_behind(page, seq + 1)
    await expect(page.locator(".event")).to_contain_text("So it is.")


@pytest.mark.slow
async def test_the_game_master_goes_back_to_the_event_that_is_shown(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "tactical-d20")
    begun = battle.view()["seq"]
    for text in ("One.", "Two."):
        caller.act(battle.path, {"type": "note", "text": text})
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, battle.id, caller.token, begun + 2)
    desk = page.locator(".desk")
    await desk.get_by_text("Go back in the battle").click()
    back = desk.get_by_role("button", name="Go back to event")
    await expect(back).to_be_disabled()
    await page.get_by_role("button", name="Previous event").click()
    await expect(desk).to_contain_text("1 event after the chosen one is undone.")
    await page.get_by_role("button", name="Previous event").click()
    await expect(desk).to_contain_text("2 events after the chosen one are undone.")
    await back.click()
    await expect(page.get_by_text(f"Event {begun} of {begun + 3}")).to_be_visible()
    await page.get_by_role("button", name="Last event").click()
    await expect(page.locator(".log .undone > summary")).to_contain_text("2 events, taken back by")
    assert battle.view()["seq"] == begun + 3
