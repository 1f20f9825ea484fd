"""The shell of the pages in a real browser."""

import pytest
from playwright.async_api import expect

from service.web.files import web_files
from tests.web.test_files import PAGES
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_shows_and_asks_for_nothing_that_was_not_announced(
    visitors: Visitors, path: str
) -> None:
    visitor = await visitors()
    await visitor.open(path)
    await expect(visitor.page.locator("header.frame h1")).not_to_be_empty()
    script = "[...document.querySelectorAll('link,script[src]')].map((e) => e.href || e.src)"
    announced = set(await visitor.page.evaluate(script))
    files = {each.url for each in visitor.requests if "/web/" in each.url}
    assert files <= announced
    assert all(f"/web/{web_files().release}/" in each for each in files)


async def test_language_and_theme_are_chosen_and_kept(visitors: Visitors) -> None:
    visitor = await visitors(locale="de-DE", color_scheme="light")
    page = visitor.page
    await visitor.open("/join")
    await expect(page.locator("h1")).to_have_text("Join a battle")
    await page.locator("summary").click()
    await page.get_by_label("Appearance").select_option("dark")
    await page.get_by_label("Language").select_option("ru")
    await expect(page.locator("h1")).to_have_text("Вход в бой")
    await page.reload()
    await expect(page.locator("h1")).to_have_text("Вход в бой")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert await page.evaluate("document.documentElement.lang") == "ru"
    assert await page.evaluate(ground) == "rgb(20, 25, 29)"


async def test_a_browser_that_speaks_russian_is_met_in_russian(visitors: Visitors) -> None:
    visitor = await visitors(locale="ru-RU")
    await visitor.open("/join")
    await expect(visitor.page.locator("h1")).to_have_text("Вход в бой")
