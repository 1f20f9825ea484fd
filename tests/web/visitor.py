"""Somebody with a browser of their own: a context, a page, and a list of what went wrong in it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, Self
from urllib.parse import urlsplit

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
)

from tests.patience import PATIENCE_SECONDS

PHONE: Final = {"width": 360, "height": 740}

_WATCH_POLICY: Final = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""

STREAMS: Final = 100
"""Streams that the service of these tests allows one caller."""

Visitors = Callable[..., Awaitable["Visitor"]]
NewToken = Callable[[], Awaitable[str]]


class Visitor:
    """One person's browser; `faults` are errors in the console and requests to elsewhere.

    What contains one of `expected` is no fault.
    """

    def __init__(self, context: BrowserContext, page: Page, url: str) -> None:
        self.context = context
        self.page = page
        self.url = url
        self.faults: list[str] = []
        self.expected: list[str] = []
        self.requests: list[Request] = []
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._requested)

    @classmethod
    async def arriving(cls, browser: Browser, url: str, **options: Any) -> Self:
        """A new person on a phone, unless the options of the context say otherwise."""
        given = {"viewport": PHONE, "locale": "en-GB", **options}
        context = await browser.new_context(**given)
        context.set_default_timeout(PATIENCE_SECONDS * 1_000)
        await context.add_init_script(_WATCH_POLICY)
        return cls(context, await context.new_page(), url)

    async def open(self, path: str) -> None:
        """Go to a page of the service."""
        await self.page.goto(f"{self.url}{path}")

    async def leave(self) -> None:
        """Close the browser. Fails if something went wrong in it."""
        await self.context.close()
        unforeseen = [
            fault for fault in self.faults if not any(each in fault for each in self.expected)
        ]
        assert not unforeseen, unforeseen

    async def overheard(self) -> list[str]:
        """A list that everything which the service answers is put into from now on."""
        session = await self.context.new_cdp_session(self.page)
        heard: list[str] = []
        bodies: set[asyncio.Task[None]] = set()

        async def keep(response: Response) -> None:
            with contextlib.suppress(Error):
                heard.append(await response.text())

        def answered(response: Response) -> None:
            task = asyncio.create_task(keep(response))
            bodies.add(task)
            task.add_done_callback(bodies.discard)

        self.page.on("response", answered)
        await session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", lambda each: heard.append(each["data"]))
        return heard

    async def measured(self) -> dict[str, int]:
        """Bytes by the address that was asked, headers included, as they come over the wire."""
        session = await self.context.new_cdp_session(self.page)
        sizes: dict[str, int] = {}
        asked: dict[str, str] = {}
        await session.send("Network.enable")

        def sent(each: dict[str, Any]) -> None:
            asked[each["requestId"]] = each["request"]["url"]

        def finished(each: dict[str, Any]) -> None:
            sizes[asked[each["requestId"]]] = int(each["encodedDataLength"])

        session.on("Network.requestWillBeSent", sent)
        session.on("Network.loadingFinished", finished)
        return sizes

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.faults.append(f"{message.type}: {message.text}")

    def _requested(self, request: Request) -> None:
        self.requests.append(request)
        target = urlsplit(request.url)
        if target.scheme not in {"data", "blob"} and not request.url.startswith(self.url):
            self.faults.append(f"asked elsewhere: {request.url}")
