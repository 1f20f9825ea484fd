"""The pages call things of the content as the table does, in the language of their reader."""

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import expect

from tests.api.serving import Caller
from tests.api.test_content_names import CONTENT, TUNE, warrior
from tests.web.battles import WebBattle, started
from tests.web.phone import at_the_table
from tests.web.test_phone_battle import DUEL
from tests.web.test_replay import DESKTOP, drop, look
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

OTHER: Final = {"id": "old_saw", "name": {"en": "The Old Saw", "ru": "Старая пила"}}
PLAIN: Final = {**TUNE, "id": "nameless_air"}
BLADE: Final = {"name": {"en": "Blade of Dawn", "ru": "Клинок зари"}}


def content() -> dict[str, Any]:
    """Two Melodies that have names and one that has none, and a blade."""
    del (plain := dict(PLAIN))["name"]
    melodies = [TUNE, {**TUNE, **OTHER}, plain]
    weapons = [{**each, **BLADE} for each in CONTENT["weapons"]]
    return {**CONTENT, "melodies": melodies, "weapons": weapons}


def battle(caller: Caller) -> WebBattle:
    """A battle in which Anna's Lena may sing."""
    songs = ["kettle_tune", "old_saw", "nameless_air"]
    return started(
        caller,
        {
            "ruleset": "melody-d6",
            "sides": [{"id": "red"}, {"id": "blue"}],
            "seats": [{"id": "anna", "role": "player", "sides": ["red"]}],
            "setup": {
                "content": content(),
                "units": [
                    {"id": one, "side": side, "kind": "lone"}
                    for one, side in (("choir", "red"), ("leo", "blue"))
                ],
                "combatants": [
                    warrior(
                        "lena", "red", 3000, unit="choir", name="Lena", singer={"melodies": songs}
                    ),
                    warrior("leo", "blue", 30_000),
                ],
                "battle": {
                    "round": 1,
                    "first_side": "red",
                    "turn_side": "red",
                    "turn_unit": "choir",
                    "phase": "action",
                },
            },
        },
    )


@pytest.mark.soak
async def test_melodies_to_choose_from_have_their_names(visitors: Visitors, caller: Caller) -> None:
    for locale, action, names in (
        ("en-GB", "Sing a Melody", ["Grandmother's Kettle", "The Old Saw", "Nameless air"]),
        ("ru-RU", "Сыграть Мелодию", ["Бабушкин чайник", "Старая пила", "Nameless air"]),
    ):
        phone = await at_the_table(visitors, battle(caller), "anna", locale=locale)
        await phone.act("Lena")
        await phone.act(action)
        options = phone.page.locator(".choice .option")
        await expect(options).to_have_text(names)


async def test_a_sheet_of_the_replay_lists_things_by_their_names(
    visitors: Visitors, caller: Caller, tmp_path: Path
) -> None:
    here = battle(caller)
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, here.id, caller.token, 2)
    await page.locator(".who button", has_text="Lena").evaluate("(each) => each.click()")
    sheet = page.locator(".sheet-lines")
    await expect(sheet).to_contain_text("Grandmother's Kettle, The Old Saw, nameless")
    await expect(sheet).to_contain_text("Blade of Dawn")
    await expect(sheet).to_contain_text("(3, 3)")
    bundle = tmp_path / "battle.ndjson"
    bundle.write_bytes(caller.get(f"{here.path}/bundle").content)
    page = await drop(await visitors(viewport=DESKTOP), caller.token, bundle)
    await page.locator(".who button", has_text="Lena").evaluate("(each) => each.click()")
    sheet = page.locator(".sheet-lines")
    await expect(sheet).to_contain_text("Grandmother's Kettle, The Old Saw, nameless")


@pytest.mark.soak
async def test_a_weapon_has_the_name_that_its_bearer_gives_it(
    visitors: Visitors, caller: Caller
) -> None:
    setup: Any = DUEL["setup"]
    people = [{**each, "weapons": [named(each)]} for each in setup["combatants"]]
    setup = {**setup, "combatants": people, "options": {"initiative": "fixed"}}
    here = started(caller, {**DUEL, "setup": setup})
    phone = await at_the_table(visitors, here, "anna")
    await phone.act("Melee attack")
    await expect(phone.page.locator(".walk")).to_contain_text("sword of Ada")
    assert here.act("anna", {"type": "end_turn", "combatant": "ada"}) == 201
    phone = await at_the_table(visitors, here, "boris")
    await phone.act("Melee attack")
    await expect(phone.page.locator(".walk")).to_contain_text("sword of Bob")


def named(sheet: dict[str, Any]) -> dict[str, Any]:
    """The weapon of a sheet, called its bearer's."""
    return {**sheet["weapons"][0], "name": f"sword of {sheet['name']}"}
