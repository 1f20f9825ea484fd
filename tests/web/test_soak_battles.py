"""A whole battle of each rulebook at the pages: two phones and the game master's page.

`test_whole_battle` plays one, step by step. Here whatever the pages offer is taken, as chance has
it, with the table's own dice, a rewind, a lost network and a service that dies.
"""

import random
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.api.serving import Caller
from tests.durability.rig import ServiceProcess
from tests.patience import PATIENCE_SECONDS
from tests.web.battles import CREATIONS, WebBattle, invited
from tests.web.phone import Phone, at_the_table
from tests.web.test_replay import DESKTOP
from tests.web.visitor import Visitor, Visitors

pytestmark = [pytest.mark.slow, pytest.mark.soak]

RULESETS = ("crossfire-d6", "melody-d6", "seeker-d100", "squad-d100")
STEPS = 14
"""What is done before and behind the death of the service, each time."""
WAIT_MS = 100
ROLLED = """(form) =>
  !form.isConnected || [...form.querySelectorAll("input")].every((die) => die.value === "")"""


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


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_battle_of_each_rulebook_from_its_start_to_its_proof(
    people: Visitors, caller: Caller, process: ServiceProcess, ruleset: str
) -> None:
    with Caller(process.url, caller.token) as here:
        battle = invited(here, for_two(ruleset))
        table = await Table.sitting(people, battle, caller.token)
        await table.start()
        await table.play(STEPS)
        await table.go_back()
        await table.lose_the_network()
        await table.play(STEPS)
        process.kill()
        for page in table.pages:
            await expect(page.locator(".banner")).to_have_class("banner offline")
        await process.start()
        for page in table.pages:
            await expect(page.locator(".banner")).to_have_class("banner live")
    with Caller(process.url, caller.token) as here:
        table.battle = battle._replace(caller=here)
        await table.play(STEPS)
        await table.end()
        audit = here.get(f"{battle.path}/audit").json()
        state = table.battle.view()["state"]
        for phone in table.phones:
            assert (await phone.page.locator(".told").first.inner_text()).strip()
    assert {verdict for verdict, many in audit["counts"].items() if many} <= {"match", "override"}
    assert audit["counts"]["match"] > 2 * STEPS
    assert state["status"] == "ended"
    assert table.rolled > 0


def for_two(ruleset: str) -> dict[str, Any]:
    """The battle of the demonstration for two players who roll their own dice."""
    creation = {**CREATIONS[ruleset](), "dice": "supplied"}
    names = zip(("anna", "boris"), creation["sides"], strict=True)
    creation["seats"] = [
        {"id": seat, "role": "player", "sides": [side["id"]], "name": seat.title()}
        for seat, side in names
    ]
    return creation


class Table:
    """Two phones and the game master's page, and a battle that is played at them."""

    def __init__(self, battle: WebBattle, phones: Sequence[Phone], master: Page) -> None:
        self.battle = battle
        self.phones = phones
        self.master = master
        self.rolled = 0
        self.chance = random.Random(battle.players[0] + str(len(phones)))

    @classmethod
    async def sitting(cls, people: Visitors, battle: WebBattle, token: str | None) -> "Table":
        """Everybody has come."""
        phones = [await at_the_table(people, battle, each) for each in battle.players]
        visitor = await people(viewport=DESKTOP)
        await visitor.open(f"/replay/{battle.id}")
        await visitor.page.get_by_label("Token or key").fill(token or "")
        await visitor.page.get_by_role("button", name="Open").click()
        return cls(battle, phones, visitor.page)

    @property
    def pages(self) -> list[Page]:
        """The pages of all."""
        return [*(each.page for each in self.phones), self.master]

    async def start(self) -> None:
        """Start it at the desk, with the dice that this takes."""
        desk = self.master.locator(".desk")
        await desk.get_by_role("button", name="Start the battle").click()
        for phone in self.phones:
            await self._until(phone.page, self._is_begun)

    async def play(self, steps: int) -> None:
        """Whoever can do something does it, so many times."""
        for _ in range(steps):
            if self.battle.view()["state"]["status"] != "running":
                return
            await self._until(self.master, self._step)

    async def go_back(self) -> None:
        """The last step is taken back at the desk."""
        head = self.battle.view()["seq"]
        await self.master.locator(f"html[data-event='{head}']").wait_for(state="attached")
        await self.master.get_by_role("button", name="Previous event").click()
        desk = self.master.locator(".desk")
        await desk.get_by_text("Go back in the battle").click()
        await desk.get_by_role("button", name=f"Go back to event {head - 1}").click()
        for phone in self.phones:
            await expect(phone.page.locator(".told").first).to_contain_text(f"event {head + 1}")
        await self.master.get_by_role("button", name="Last event").click()

    async def lose_the_network(self) -> None:
        """One is gone while a note is written, and is shown it afterwards."""
        phone = self.phones[0]
        await phone.visitor.context.set_offline(True)
        await expect(phone.banner).to_have_class("banner offline")
        note = {"type": "note", "text": "It is getting dark."}
        self.battle.caller.act(self.battle.path, note)
        await phone.visitor.context.set_offline(False)
        await expect(phone.banner).to_have_class("banner live")
        await expect(phone.outcome).to_contain_text("It is getting dark.")

    async def end(self) -> None:
        """End it at the desk, unless it has come to its end, and have it proved."""
        if self.battle.view()["state"]["status"] == "running":
            await self.master.get_by_text("End the battle").click()
            await self.master.get_by_role("button", name="End and reveal the seed").click()
        for phone in self.phones:
            await expect(phone.headline).to_have_text("The battle is over.")
        await self.master.get_by_role("button", name="Check now").click()
        badge = self.master.locator(".badge")
        text = "The service decided every event again: nothing differs."
        await expect(badge).to_contain_text(text)

    async def _until(self, page: Page, does: Any) -> None:
        for _ in range(int(1_000 * PATIENCE_SECONDS / WAIT_MS)):
            if await does():
                return
            await page.wait_for_timeout(WAIT_MS)
        raise AssertionError([await each.inner_text("main") for each in self.pages])

    async def _is_begun(self) -> bool:
        await self._roll(self.master.locator(".desk form.note"))
        return str(self.battle.view()["state"]["status"]) == "running"

    async def _step(self) -> bool:
        """Whether somebody could do something, and has done it."""
        if await self._roll(self.master.locator(".desk form.note")):
            return True
        before = self.battle.view()["seq"]
        for phone in self.phones:
            card = phone.page.locator(".card.question").first
            if await card.count():
                await self._answer(card)
                return await self._has_come(before)
        for phone in self.phones:
            if await phone.page.locator(".actions button").count():
                await self._act(phone)
                return await self._has_come(before)
        return False

    async def _has_come(self, before: int) -> bool:
        """Whether there is another event, and everybody was informed of it."""
        head = self.battle.view()["seq"]
        for phone in self.phones:
            told = phone.page.locator(".told").first
            await expect(told).to_contain_text(f"event {head}")
        return bool(head > before)

    async def _answer(self, card: Locator) -> None:
        if await self._roll(card):
            return
        if await self._choose(card):
            await self._confirm(card)

    async def _roll(self, form: Locator) -> bool:
        """Whether dice were asked for, and were rolled."""
        dice = form.locator("input[type=number]")
        send = form.get_by_role("button", name="These are the faces")
        if not await send.count():
            return False
        for die in await dice.all():
            most = int(await die.get_attribute("max") or 6)
            await die.fill(str(self.chance.randint(1, most)))
        self.rolled += await dice.count()
        rolled = await form.element_handle()
        await send.click()
        # The next may be asked for in the very same words.
        await form.page.wait_for_function(ROLLED, arg=rolled)
        return True

    async def _act(self, phone: Phone) -> None:
        """Take an action that can be put together, rather than end the turn."""
        page = phone.page
        walk = page.locator(".walk")
        while not await walk.count():
            names = await page.locator(".actions button").all_inner_texts()
            rest = [each for each in names if "End the turn" not in each]
            name = self.chance.choice(rest if rest and self.chance.random() < 0.8 else names)
            await page.locator(".actions button").nth(names.index(name)).click()
        if await self._choose(walk):
            await self._confirm(walk)
        while await walk.count():
            await walk.get_by_role("button", name="Back", exact=True).click()

    async def _choose(self, within: Locator) -> bool:
        """Whether everything that has to be chosen could be."""
        choice = within.locator(".choice")
        while await choice.count():
            heading = await choice.locator("h3").inner_text()
            take = choice.locator("button.main")
            await self._pick(choice)
            if await take.get_attribute("aria-disabled") == "true":
                return False
            await take.click()
            await expect(choice.locator("h3", has_text=heading)).to_have_count(0)
        return True

    async def _pick(self, choice: Locator) -> None:
        listed = choice.locator("details.byList")
        if await listed.count() and await listed.get_attribute("open") is None:
            await listed.locator("summary").click()
        options = choice.locator(".option")
        number = choice.locator("input[type=number]")
        if many := await options.count():
            await options.nth(self.chance.randrange(many)).click()
        elif await number.count():
            await number.fill(await number.get_attribute("min") or "0")

    async def _confirm(self, within: Locator) -> None:
        """Confirm, and wait until it is done or was refused, which is said."""
        await within.locator(".confirm").click()
        await expect(within.locator(".confirm[aria-disabled=true]")).to_have_count(0)
