"""The guides in a real browser: on a phone, for readers of all kinds, from links of long ago."""

import pytest
from playwright.async_api import expect

from service.web.guides import SOURCES, guides_in
from tests.soak import with_soak
from tests.web.test_phone_access import violations
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

WIDTH = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
GUIDES = [f"/docs/guides/{each.name}" for each in guides_in(SOURCES)]


@pytest.mark.parametrize("locale", ["en-GB", "ru-RU"])
async def test_the_list_and_every_guide_fit_a_phone(visitors: Visitors, locale: str) -> None:
    visitor = await visitors(locale=locale)
    wide = []
    for path in ("/docs/guides", *GUIDES):
        await visitor.open(path)
        if not await visitor.page.evaluate(WIDTH):
            wide.append(path)
    assert wide == []


@pytest.mark.parametrize("theme", with_soak(["light"], ["dark"]))
async def test_axe_finds_nothing_in_the_list_and_in_a_guide(visitors: Visitors, theme: str) -> None:
    visitor = await visitors(color_scheme=theme, bypass_csp=True)
    for path in ("/docs/guides", "/docs/guides/seats"):
        await visitor.open(path)
        await expect(visitor.page.get_by_role("searchbox")).to_be_visible()
        assert await violations(visitor.page) == []


async def test_an_old_link_leads_to_its_guide_without_scripts(visitors: Visitors) -> None:
    visitor = await visitors(java_script_enabled=False)
    page = visitor.page
    await visitor.open("/docs/guides#rewinding")
    place = page.locator("li:target")
    await expect(place).to_be_in_viewport()
    await place.get_by_role("link", name="Undo (rewind)").click()
    await page.wait_for_url("**/docs/guides/undo")
    await page.get_by_role("link", name="Redo").click()
    await expect(page.locator("#redo h2")).to_be_in_viewport()
    await page.get_by_role("link", name="Back to top").click()
    await expect(page.get_by_role("heading", level=1, name="Undo (rewind)")).to_be_in_viewport()
