"""The routes of the pages and of the files that they load.

No key is needed, and nothing depends on who asks. The documents are asked for again each time and
confirmed by their tag. A file is kept for good under the release that it belongs to; under another
release, which a page had from a process of another build, it is what this build has, and not kept.
"""

from typing import Any, Final

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from service.web.files import web_files
from service.web.pages import POLICY, PageName, page_document

WebRequest = Request[Any, Any, Any]

_KEPT: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_NOT_KEPT: Final = {"Cache-Control": "no-store"}
_PAGE_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Vary": "Origin",
    "Referrer-Policy": "no-referrer",
}
_FILE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
)
"""Where a file is a worker, this is what it may do."""
_COMPRESSED: Final = "-gzip"
"""What the tag of a page ends in whose bytes were compressed on the way (`service/api`)."""
_LEAST_BYTES: Final = 1_024
"""Smaller files go in one packet anyhow."""


@get("/join", name="join_page", include_in_schema=False)
async def join_page(request: WebRequest) -> Response[bytes]:
    """Where an invitation's link leads."""
    return _page(request, "join")


@get("/play", name="play_page", include_in_schema=False)
async def play_page(request: WebRequest) -> Response[bytes]:
    """The phone at the table."""
    return _page(request, "play")


@get("/watch", name="watch_page", include_in_schema=False)
async def watch_page(request: WebRequest) -> Response[bytes]:
    """The big screen for spectators."""
    return _page(request, "watch")


@get("/replay", name="bundle_page", include_in_schema=False)
async def bundle_page(request: WebRequest) -> Response[bytes]:
    """The replay of a bundle, which is dropped on it."""
    return _page(request, "replay")


@get("/replay/{encounter:str}", name="replay_page", include_in_schema=False)
async def replay_page(request: WebRequest, encounter: FromPath[str]) -> Response[bytes]:
    """The replay of an encounter; the page asks for it, this does not tell whether there is one."""
    return _page(request, "replay", depth=1)


@get("/web/{release:str}/{name:path}", name="web_file", include_in_schema=False)
async def web_file(
    request: WebRequest, release: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    """A file of the pages."""
    files = web_files()
    file = files.named(name.removeprefix("/"))
    if file is None:
        raise NotFoundException()
    headers = {
        **(_KEPT if release == files.release else _NOT_KEPT),
        "Content-Security-Policy": _FILE_POLICY,
        "Vary": "Accept-Encoding, Origin",
    }
    content = file.content
    if len(content) >= _LEAST_BYTES and _takes_gzip(request):
        content = file.compressed
        headers["Content-Encoding"] = "gzip"
    return Response(content=content, media_type=file.media_type, headers=headers)


def _page(request: WebRequest, page: PageName, depth: int = 0) -> Response[bytes]:
    """A page, or 304 for whom has it."""
    document = page_document(page, depth)
    tag = f'"{document.tag}"'
    headers = {**_PAGE_HEADERS, "Content-Security-Policy": POLICY, "ETag": tag}
    given = request.headers.get("if-none-match", "")
    for known in (tag, f'"{document.tag}{_COMPRESSED}"'):
        if known in given:
            headers["ETag"] = known
            return Response(content=b"", status_code=304, media_type="text/html", headers=headers)
    return Response(content=document.content, media_type="text/html", headers=headers)


def _takes_gzip(request: WebRequest) -> bool:
    """Whether `Accept-Encoding` names gzip without forbidding it."""
    for each in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = each.replace(" ", "").partition(";")
        if name == "gzip":
            return weight not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


PAGES: Final[tuple[HTTPRouteHandler, ...]] = (
    join_page,
    play_page,
    watch_page,
    bundle_page,
    replay_page,
    web_file,
)
"""Every route of this room."""
