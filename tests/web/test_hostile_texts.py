"""Markup in names, titles, notes and reasons is shown as it is, on every page and picture."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from service.demo.bridge.creation import fighter, melee
from tests.api.serving import Caller
from tests.web.battles import SEED, WebBattle, invited
from tests.web.phone import at_the_table
from tests.web.test_replay import DESKTOP, look
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

EVIL = '<img id="evil" src=x onerror="window.evil=1"><a href="javascript:window.evil=1">&amp;</a>'
SWORD = {**melee("sword", 6, "1d8+3"), "name": EVIL}
CREATION: dict[str, Any] = {
    "ruleset": "tactical-d20",
    "title": EVIL,
    "seed": SEED,
    "metadata": {"note": EVIL},
    "sides": [{"id": "west", "name": EVIL}, {"id": "east"}],
    "seats": [
        {"id": "anna", "role": "player", "sides": ["west"], "name": EVIL},
        {"id": "eve", "role": "observer", "name": EVIL},
    ],
    "setup": {
        "map": {"form": "ascii", "rows": ["......"] * 4},
        "combatants": [
            fighter("ada", "west", (1, 1), 16, SWORD, initiative=30) | {"name": EVIL},
            fighter("bob", "east", (2, 1), 16, SWORD) | {"name": EVIL},
        ],
    },
}
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"
FOUND = """() => [window.evil, document.querySelectorAll("#evil, a[href^=javascript]").length]"""


@pytest.fixture(scope="module")
def battle(caller: Caller) -> WebBattle:
    """A battle all of whose texts are markup."""
    battle = invited(caller, CREATION)
    caller.act(battle.path, {"type": "start_encounter"})
    blow = {"type": "attack", "combatant": "ada", "weapon": "sword", "target": "bob"}
    assert battle.act("anna", blow) == 201
    caller.act(battle.path, {"type": "note", "text": EVIL})
    wound = {"type": "hp", "combatant": "bob", "value": 7}
    caller.act(battle.path, {"type": "adjust", "changes": [wound], "reason": EVIL})
    return battle


async def is_harmless(page: Page) -> None:
    """The markup can be read, and is none."""
    await expect(page.get_by_text('<img id="evil"').first).to_be_attached()
    await page.evaluate(UNFOLD)
    await expect(page.get_by_text('<img id="evil"').first).to_be_visible()
    assert await page.evaluate(FOUND) == [None, 0]


async def test_on_the_phone(visitors: Visitors, battle: WebBattle) -> None:
    phone = await at_the_table(visitors, battle, "anna")
    await is_harmless(phone.page)
    await phone.act("Move")
    await is_harmless(phone.page)
    await phone.visitor.open("/join")
    await is_harmless(phone.page)


async def test_in_the_replay_and_at_the_desk(
    visitors: Visitors, caller: Caller, battle: WebBattle
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, battle.id, caller.token, 3)
    await is_harmless(page)
    head = battle.view()["seq"]
    for key in ("End", "Home"):
        await page.keyboard.press(key)
        await page.locator(f"html[data-event='{head if key == 'End' else 1}']").wait_for(
            state="attached"
        )
        await is_harmless(page)


@pytest.mark.soak
async def test_on_the_big_screen(visitors: Visitors, battle: WebBattle) -> None:
    visitor = await visitors(viewport=DESKTOP)
    await visitor.open(f"{battle.links['eve']}&to=watch")
    await visitor.page.wait_for_url("**/watch#*")
    await is_harmless(visitor.page)


@pytest.mark.soak
async def test_in_a_picture_by_itself(
    visitors: Visitors, caller: Caller, battle: WebBattle
) -> None:
    answer = caller.get(f"{battle.path}/scene", accept="image/svg+xml")
    assert "sandbox" in answer.headers["content-security-policy"]
    visitor = await visitors()
    await visitor.page.set_content(answer.text)
    assert "&lt;img" in answer.text
    assert await visitor.page.evaluate(FOUND) == [None, 0]


@pytest.mark.parametrize("text", ["A\u202eb", "A\u0007b", "A\u2066b"])
@pytest.mark.parametrize("place", ["title", "seat", "side", "combatant"])
def test_a_name_that_turns_the_line_around_is_refused(
    caller: Caller, place: str, text: str
) -> None:
    seats = [{**CREATION["seats"][0], "name": text if place == "seat" else "Anna"}]
    sides = [{"id": "west", "name": text if place == "side" else "West"}, {"id": "east"}]
    setup = CREATION["setup"]
    name = text if place == "combatant" else "Ada"
    fighters = [{**setup["combatants"][0], "name": name}, setup["combatants"][1]]
    changed = {"seats": seats, "sides": sides, "setup": {**setup, "combatants": fighters}}
    title = text if place == "title" else "Yard"
    answer = caller.post("/v1/encounters", {**CREATION, **changed, "title": title})
    assert answer.status_code == 400
    assert text not in answer.text
