"""What a player does with the phone's page."""

from playwright.async_api import Locator, Page, expect

from tests.web.battles import WebBattle
from tests.web.visitor import Visitor, Visitors


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
        choice = self.page.locator(within).first.locator(".choice")
        while await choice.count():
            number = choice.locator("input[type=number]")
            if await number.count():
                await number.fill(await number.get_attribute("min") or "0")
            else:
                await self._take_first(choice)
            await choice.locator("button.main").click()

    async def _take_first(self, choice: Locator) -> None:
        listed = choice.locator("details.byList")
        if await listed.count() and not await listed.get_attribute("open"):
            await listed.locator("summary").click()
        if await choice.locator(".option").count():
            await choice.locator(".option").first.click()

    async def act(self, action: str) -> None:
        """Begin an action by its name."""
        await self.page.locator(".actions").get_by_role("button", name=action, exact=True).click()

    async def confirm(self) -> None:
        """Confirm what was put together, and see the outcome."""
        before = await self.outcome.text_content() or ""
        await self.page.locator(".confirm").click()
        await expect(self.outcome).not_to_have_text(before)

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
