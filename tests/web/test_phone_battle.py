"""A battle played on two phones, its game master over HTTP."""

import pytest
from playwright.async_api import Locator, expect

from service.demo.mill.creation import fighter, weapon
from tests.api.serving import Caller
from tests.web.battles import SEED, WebBattle, running, started
from tests.web.phone import Phone, at_the_table
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

SWORD = weapon("sword", "melee", 6, 4)
DUEL = {
    "ruleset": "crossfire-d6",
    "title": "Two at the bridge",
    "seed": SEED,
    "sides": [{"id": "west"}, {"id": "east"}],
    "seats": [
        {"id": "anna", "role": "player", "sides": ["west"], "name": "Anna"},
        {"id": "boris", "role": "player", "sides": ["east"], "name": "Boris"},
    ],
    "setup": {
        "map": {"form": "ascii", "rows": ["......"] * 4},
        "combatants": [
            fighter("ada", "west", (1, 1), 16, SWORD),
            fighter("bob", "east", (2, 1), 16, SWORD),
        ],
    },
}


@pytest.mark.soak
async def test_two_phones_play_a_battle_to_its_end(visitors: Visitors, caller: Caller) -> None:
    battle = started(caller, DUEL)
    phones = {seat: await at_the_table(visitors, battle, seat) for seat in battle.players}
    rounds = 0
    while not is_over(battle):
        seat = battle.mover()
        await play_turn(phones[seat], battle)
        rounds += 1
        assert rounds < 40
    caller.act(battle.path, {"type": "end_encounter", "reason": "one stands"})
    for phone in phones.values():
        await expect(phone.headline).to_have_text("The battle is over.")
        await expect(phone.page.locator(".actions")).to_have_count(0)
    audit = caller.get(f"{battle.path}/audit").json()
    assert {verdict for verdict, many in audit["counts"].items() if many} == {"match"}


def is_over(battle: WebBattle) -> bool:
    fighters = battle.view()["state"]["combatants"]
    return any(set(each["conditions"]) & {"dead", "helpless"} for each in fighters)


async def play_turn(phone: Phone, battle: WebBattle) -> None:
    """Strike if there is a strike left, then end the turn."""
    await expect(phone.headline).to_have_text("Your turn")
    await expect(phone.page.locator(".actions button")).not_to_have_count(0)
    strike = phone.page.locator(".actions").get_by_role("button", name="Melee attack", exact=True)
    if await strike.count():
        await strike.click()
        await phone.choose_first()
        await expect(phone.page.locator(".preview summary")).to_contain_text("%")
        await phone.confirm()
    if not is_over(battle):
        await phone.act("End the turn")
        await phone.confirm()


async def test_a_step_is_undone_and_stays_in_sight(visitors: Visitors, caller: Caller) -> None:
    battle = started(caller, DUEL)
    phone = await at_the_table(visitors, battle, battle.mover())
    before = battle.view()["state"]["combatants"]
    await phone.act("Move")
    await phone.choose_first()
    await phone.confirm()
    assert battle.view()["state"]["combatants"] != before
    undo = phone.page.get_by_role("button", name="Undo my last step")
    await undo.click()
    await undo.click()
    await expect(phone.page.locator(".told.undone")).to_have_count(1)
    assert battle.view()["state"]["combatants"] == before
    await expect(undo).to_have_count(0)


async def test_the_map_is_tapped_to_choose_a_place(visitors: Visitors, caller: Caller) -> None:
    battle = started(caller, DUEL)
    phone = await at_the_table(visitors, battle, battle.mover())
    await phone.act("Move")
    picture = phone.page.locator(".choice svg")
    box = await picture.bounding_box()
    assert box is not None
    x, y = (3.5 + 0.5) / (6 + 1) * box["width"], (3.5 + 0.5) / (4 + 1) * box["height"]
    await picture.click(position={"x": x, "y": y})
    await expect(phone.page.locator(".choice .map p")).to_contain_text("at (3, 3)")
    await phone.page.locator(".choice button.main").click()
    await phone.confirm()
    moved = battle.view()["state"]["combatants"]
    assert {(each["place"]["x"], each["place"]["y"]) for each in moved} >= {(3, 3)}
    # The picture follows by the stream alone.
    await phone.page.locator("details.card > summary", has_text="Map").click()
    place = "translate(140 140)"
    await expect(phone.page.locator(f"g.sign[transform^='{place}']")).to_have_count(1)
    assert not [each.url for each in phone.visitor.requests if each.url.endswith("/scene")]


async def test_one_of_a_few_targets_is_chosen_by_coordinates(
    visitors: Visitors, caller: Caller
) -> None:
    phone = await at_the_table(visitors, running(caller, "squad-d100"), "anna")
    await phone.act("Aimed shot")
    choice = phone.page.locator(".choice")
    await choice.get_by_text("By coordinates").click()
    await choice.get_by_role("textbox", name="x").fill("2")
    y = choice.get_by_role("textbox", name="y")
    await y.fill("5")
    await choice.get_by_role("button", name="Select").click()
    await expect(choice.get_by_role("alert")).to_have_text("That place cannot be chosen.")
    await y.fill("6")
    await y.press("Enter")
    await expect(choice.get_by_role("alert")).to_have_count(0)
    await expect(choice.get_by_role("button", name="Take: Silent Nell")).to_be_enabled()


@pytest.mark.soak
async def test_two_fingers_bring_the_map_nearer_and_a_tap_still_hits(
    visitors: Visitors, caller: Caller
) -> None:
    battle = started(caller, DUEL)
    phone = await at_the_table(visitors, battle, battle.mover(), has_touch=True)
    await phone.act("Move")
    picture = phone.page.locator(".choice svg")
    await picture.scroll_into_view_if_needed()
    whole = await seen(picture)
    box = await picture.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await phone.pinch((x, y), 20, 60)
    near = await seen(picture)
    assert near["width"] == pytest.approx(whole["width"] / 3, rel=0.05)
    centre = whole["x"] + whole["width"] / 2
    assert near["x"] + near["width"] / 2 == pytest.approx(centre, abs=10)
    out = phone.page.get_by_role("button", name="Zoom out")
    for _ in range(3):
        await out.click()
    await expect(out).to_be_disabled()
    assert await seen(picture) == whole
    place = phone.page.locator(".choice .may").last
    await place.tap()
    await expect(phone.page.locator(".choice .picked")).to_have_count(1)


async def seen(picture: Locator) -> dict[str, float]:
    """The part of a picture that is seen, in its own units."""
    box: dict[str, float] = await picture.evaluate(
        "({viewBox: {baseVal: b}}) => ({x: b.x, y: b.y, width: b.width, height: b.height})"
    )
    return box
