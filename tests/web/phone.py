"""What a player does with the phone's page."""

from typing import Final

from playwright.async_api import Locator, Page, expect

from tests.web.battles import WebBattle
from tests.web.visitor import Visitor, Visitors

CHOSEN: Final = """([form, heading]) =>
  !form.isConnected || form.querySelector("h3").textContent !== heading"""


class Phone:
    """A player with the page open."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    @property
    def page(self) -> Page:
        """The page."""
        return self.visitor.page

    @property
    def headline(self) -> Locator:
        """Whose turn it is, or that somebody is asked."""
        return self.page.locator(".headline .big")

    @property
    def banner(self) -> Locator:
        """The state of the connection."""
        return self.page.locator(".banner")

    @property
    def outcome(self) -> Locator:
        """The last thing that happened."""
        return self.page.locator(".told").first

    async def choose(self, text: str) -> None:
        """Select an option and confirm it."""
        choice = self.page.locator(".choice")
        await choice.locator(".option", has_text=text).first.click()
        await choice.locator("button.main").click()

    async def choose_first(self, within: str = "main") -> None:
        """Select the first option of each parameter until nothing has to be chosen."""
        card = self.page.locator(within).first
        choice = card.locator(".choice")
        await expect(choice.or_(card.locator(".confirm"))).to_have_count(1)
        while await choice.count():
            form = await choice.element_handle()
            heading = await choice.locator("h3").text_content()
            number = choice.locator("input[type=number]")
            if await number.count():
                await number.fill(await number.get_attribute("min") or "0")
            else:
                await self._take_first(choice)
            await choice.locator("button.main").click()
            # What is asked next is another form, or the same one with another heading.
            await self.page.wait_for_function(CHOSEN, arg=[form, heading])

    async def _take_first(self, choice: Locator) -> None:
        listed = choice.locator("details.byList:not([open]) > summary")
        if await listed.count():
            await listed.click()
        if await choice.locator(".option").count():
            await choice.locator(".option").first.click()

    async def act(self, action: str) -> None:
        """Begin an action by its name."""
        await self.page.locator(".actions").get_by_role("button", name=action, exact=True).click()

    async def confirm(self) -> None:
        """Confirm what was put together, and see the outcome."""
        before = await self.outcome.text_content() or ""
        button = self.page.locator(".confirm")
        sent = await button.element_handle()
        await button.click()
        await expect(self.outcome).not_to_have_text(before)
        # That may have been of an earlier event; the answer takes the button away.
        await sent.wait_for_element_state("hidden")

    async def pinch(self, middle: tuple[float, float], before: float, after: float) -> None:
        """Two fingers, side by side around a point of the screen, so many pixels from it."""
        session = await self.visitor.context.new_cdp_session(self.page)

        async def touch(kind: str, *far: float) -> None:
            x, y = middle
            fingers = [(sign * each, at) for each in far for at, sign in enumerate((-1, 1))]
            points = [{"x": x + dx, "y": y, "id": at} for dx, at in fingers]
            await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        await touch("touchStart", before)
        for part in range(1, 5):
            await touch("touchMove", before + (after - before) * part / 4)
        await touch("touchEnd")


async def at_the_table(
    visitors: Visitors, battle: WebBattle, seat: str, **options: object
) -> Phone:
    """Somebody who followed an invitation's link and sees the table."""
    visitor = await visitors(**options)
    await visitor.open(battle.links[seat])
    phone = Phone(visitor)
    await expect(phone.headline).not_to_be_empty()
    await expect(phone.banner).to_have_class("banner live")
    return phone
