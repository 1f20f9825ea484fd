"""Names on the maps in a real browser: they cover nobody, and nobody covers them."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from service.demo.mill.creation import RAIDERS, WATCH, fighter, weapon
from tests.api.serving import Caller
from tests.soak import with_soak
from tests.web.battles import CREATIONS, running
from tests.web.phone import at_the_table
from tests.web.test_replay import look
from tests.web.visitor import PHONE, Visitors

pytestmark = pytest.mark.slow

COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(`.board ${selector}`)].map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const what = each.textContent || each.closest(".sign").textContent;
    return { what, left, right, top, bottom };
  });
  const names = boxes(".label");
  const all = [...names, ...boxes(".sign .body"), ...boxes(".sign .pips rect")];
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return names.flatMap((name) => all.filter((each) => each !== name && overlap(name, each))
    .map((each) => `${name.what} and ${each.what}`));
}"""
"""Pairs of a name and what it shares more than the breadth of a line with."""
CROWD = tuple((x, y) for y in range(3, 7) for x in range(4, 9))


@pytest.mark.parametrize("width", with_soak([320], [360]))
@pytest.mark.parametrize("ruleset", with_soak([*CREATIONS][:1], [*CREATIONS][1:]))
async def test_names_on_a_phones_map_cover_nobody_and_all_are_there(
    visitors: Visitors, caller: Caller, ruleset: str, width: int
) -> None:
    battle = running(caller, ruleset)
    seat = battle.mover()
    phone = await at_the_table(
        visitors, battle, seat, viewport={"width": width, "height": PHONE["height"]}
    )
    await phone.page.get_by_text("Map", exact=True).click()
    await expect(phone.page.locator(".board .names .label").first).to_be_visible()
    assert await names_of(phone.page) == sorted(
        short(each.get("name", each["id"])) for each in scene_of(caller, battle.path, seat)
    )
    assert await phone.page.evaluate(COVERED) == []


async def test_in_a_crowd_some_go_unnamed_but_not_whom_one_looks_at_or_who_acts(
    visitors: Visitors, caller: Caller
) -> None:
    pistol = weapon("pistol", "ranged", 3, 2, range_increment_ft=20)
    people = [
        fighter(f"w{i}", (WATCH, RAIDERS)[i % 2], at, 14, pistol) | {"name": f"Long Warden {i}"}
        for i, at in enumerate(CROWD)
    ]
    setup = CREATIONS["crossfire-d6"]()["setup"] | {"combatants": people}
    setup["map"] = {"form": "ascii", "rows": ["." * 16] * 10}
    battle = running(caller, "crossfire-d6", setup=setup)
    visitor = await visitors()
    page = await look(visitor, battle.id, caller.token, 2)
    shown = await names_of(page)
    assert 0 < len(shown) < len(CROWD)
    acting = [each["name"] for each in scene_of(caller, battle.path) if each["has_turn"]]
    assert set(acting) <= set(shown)
    assert [each for each in await page.evaluate(COVERED) if acting[0] not in each] == []
    unnamed = next(each["name"] for each in people if each["name"] not in shown)
    await page.get_by_role("button", name=f"{unnamed}, ").press("Enter")
    await expect(page.locator(".names .label").first).to_have_text(unnamed)
    assert set(acting) <= set(await names_of(page))


async def names_of(page: Page) -> list[str]:
    return sorted(await page.locator(".board .names .label").all_text_contents())


def short(name: str) -> str:
    return name if len(name) <= 14 else f"{name[:13]}…"


def scene_of(caller: Caller, path: str, seat: str | None = None) -> list[dict[str, Any]]:
    """The combatants of the battle's picture."""
    who = {} if seat is None else {"warlog_seat": seat}
    scene: dict[str, list[dict[str, Any]]] = caller.get(f"{path}/scene", **who).json()["scene"]
    return scene["combatants"]
