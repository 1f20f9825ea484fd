"""A whole battle: two phones and the game master's page, with real dice and a service that dies."""

from collections.abc import AsyncIterator

import pytest
from httpx import Response
from playwright.async_api import Browser, Page, expect

from service.demo.bridge.creation import fighter, melee, ranged
from tests.api.serving import Caller
from tests.durability.rig import ServiceProcess
from tests.patience import until
from tests.web.battles import WebBattle, invited
from tests.web.phone import Phone, at_the_table
from tests.web.test_replay import DESKTOP
from tests.web.visitor import Visitor, Visitors

pytestmark = pytest.mark.slow

SWORD = melee("sword", 6, "1d8+3")
BOW = ranged("bow", 6, "1d8+3", 60)
DUEL = {
    "ruleset": "tactical-d20",
    "title": "Two in the yard",
    "dice": "supplied",
    "sides": [{"id": "west"}, {"id": "east"}],
    "seats": [
        {"id": "anna", "role": "player", "sides": ["west"], "name": "Anna"},
        {"id": "boris", "role": "player", "sides": ["east"], "name": "Boris"},
    ],
    "setup": {
        "map": {"form": "ascii", "rows": ["......"] * 4},
        "combatants": [
            fighter("ada", "west", (1, 1), 16, SWORD),
            fighter("bob", "east", (2, 1), 16, SWORD, BOW),
        ],
    },
}
HIT = 15
"""With a d20; of other dice the best face is rolled."""


@pytest.fixture
async def people(browser: Browser, process: ServiceProcess) -> AsyncIterator[Visitors]:
    """People with a browser each who look at the service that can be killed."""
    met: list[Visitor] = []

    async def arrive(**options: object) -> Visitor:
        visitor = await Visitor.arriving(browser, process.url, **options)
        visitor.expected += ["net::ERR", "Failed to load"]
        met.append(visitor)
        return visitor

    yield arrive
    for visitor in met:
        await visitor.leave()


async def test_a_battle_from_its_start_to_its_proof(
    people: Visitors, caller: Caller, process: ServiceProcess
) -> None:
    with Caller(process.url, caller.token) as here:
        battle = invited(here, DUEL)
        anna, boris = [await at_the_table(people, battle, each) for each in battle.players]
        master = await at_the_desk(people, battle, caller.token)
        await start(master)
        await take_a_step_back(anna, master)
        await strike_whoever_walks_away(anna, boris, battle)
        await miss_the_turn_of_the_other(anna, boris, battle)
    process.kill()
    for page in (anna.page, boris.page, master):
        await expect(page.locator(".banner")).to_have_class("banner offline")
    await process.start()
    for page in (anna.page, boris.page, master):
        await expect(page.locator(".banner")).to_have_class("banner live")
    with Caller(process.url, caller.token) as here:
        await shoot(boris, battle._replace(caller=here))
        await end(master)
        for phone in (anna, boris):
            await expect(phone.headline).to_have_text("The battle is over.")
        await prove(master)
        # A caller has one audit at a time, and the page may have that of the same key.
        answers: list[Response] = []

        def is_audited() -> bool:
            answers.append(here.get(f"{battle.path}/audit"))
            return answers[-1].status_code == 200

        await until(is_audited)
    counts = answers[-1].json()["counts"]
    assert {verdict for verdict, many in counts.items() if many} == {"match"}


async def at_the_desk(people: Visitors, battle: WebBattle, token: str | None) -> Page:
    """The game master's page."""
    visitor = await people(viewport=DESKTOP)
    await visitor.open(f"/replay/{battle.id}")
    await visitor.page.get_by_label("Token or key").fill(token or "")
    await visitor.page.get_by_role("button", name="Open").click()
    return visitor.page


async def start(master: Page) -> None:
    """Start it; the first of the two rolls the higher initiative."""
    desk = master.locator(".desk")
    await desk.get_by_role("button", name="Start the battle").click()
    die = desk.get_by_label("Die 1")
    for face in ("20", "1"):
        await expect(die).to_have_value("")
        await die.fill(face)
        await desk.get_by_role("button", name="These are the faces").click()
    await expect(die).to_have_count(0)


async def take_a_step_back(phone: Phone, master: Page) -> None:
    """Do something and undo it, which everybody is shown."""
    await expect(phone.headline).to_have_text("Your turn")
    await phone.act("Dropping prone")
    await phone.confirm()
    undo = phone.page.get_by_role("button", name="Undo my last step")
    await undo.click()
    await undo.click()
    await expect(phone.page.locator(".told.undone")).to_have_count(1)
    await expect(master.locator(".log .undone > summary")).to_contain_text("1 event, taken back by")


async def strike_whoever_walks_away(anna: Phone, boris: Phone, battle: WebBattle) -> None:
    """One leaves; the other is asked, strikes, and rolls dice of his own."""
    await anna.act("Move")
    await anna.choose_first()
    await anna.confirm()
    await expect(boris.headline).to_have_text("You are asked")
    await boris.choose_first(".card.question")
    await boris.page.locator(".card.question .confirm").click()
    await roll(boris, battle, "boris")
    assert health(battle, "ada") == 5


async def roll(phone: Phone, battle: WebBattle, seat: str) -> None:
    """Type the faces of all dice that a seat is asked for."""
    await expect(phone.page.locator(".dice input")).not_to_have_count(0)
    while asked := [each for each in battle.view(seat)["decisions"] if each["kind"] == "roll"]:
        card = phone.page.locator(f"section[aria-labelledby='q-{asked[0]['id']}']")
        face = min(asked[0]["roll"]["sides"], HIT)
        await expect(card.locator(".dice input")).to_have_count(asked[0]["roll"]["count"])
        for die in await card.locator(".dice input").all():
            await die.fill(str(face))
        await card.get_by_role("button", name="These are the faces").click()
        await expect(card).to_have_count(0)


def health(battle: WebBattle, name: str) -> int:
    fighters = battle.view()["state"]["combatants"]
    return next(int(each["health"]) for each in fighters if each["id"] == name)


async def miss_the_turn_of_the_other(anna: Phone, boris: Phone, battle: WebBattle) -> None:
    """One has no network while the other ends the turn, and catches up."""
    await boris.visitor.context.set_offline(True)
    await expect(boris.banner).to_have_class("banner offline")
    await expect(anna.headline).to_have_text("Your turn")
    await anna.act("End the turn")
    await anna.confirm()
    told = battle.view()["seq"]
    await boris.visitor.context.set_offline(False)
    await expect(boris.banner).to_have_class("banner live")
    await expect(boris.outcome).to_contain_text(f"event {told}")
    await expect(boris.headline).to_have_text("Your turn")


async def shoot(boris: Phone, battle: WebBattle) -> None:
    """The last shot."""
    await boris.act("Attack")
    await boris.choose_first()
    await expect(boris.page.locator(".preview summary")).to_contain_text("%")
    await boris.confirm()
    await roll(boris, battle, "boris")
    assert health(battle, "ada") <= 0


async def end(master: Page) -> None:
    """End it at the desk."""
    await master.get_by_text("End the battle").click()
    await master.get_by_role("button", name="End and reveal the seed").click()


async def prove(master: Page) -> None:
    """Have it checked by the browser and by the service."""
    await master.get_by_role("button", name="Check now").click()
    badge = master.locator(".badge")
    await expect(badge).to_contain_text("The service decided every event again: nothing differs.")
    await expect(badge).to_contain_text("The table rolled its own dice.")
