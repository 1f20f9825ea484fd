"""`warlog health`: ask a running service how it is, for monitors and containers."""

import os
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from typing import Annotated, Final, NamedTuple
from urllib.parse import urlsplit

import typer

from service.exits import Exit

READY: Final = "/health/ready"
LIVE: Final = "/health/live"
_KINDS: Final = {"http": HTTPConnection, "https": HTTPSConnection}
_MOST_BYTES: Final = 4_096
PAUSE_SECONDS: Final = 0.5


class Health(NamedTuple):
    """How a service is, as an exit code and in words."""

    exit: Exit
    text: str


def health(
    url: Annotated[
        str | None,
        typer.Argument(help="Where the service is [default: by WARLOG_HOST and WARLOG_PORT]."),
    ] = None,
    *,
    live: Annotated[
        bool, typer.Option("--live", help="Ask only whether it is alive, not whether it is ready.")
    ] = False,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=60, help="How long it has for each step of an answer.")
    ] = 2.0,
    wait: Annotated[
        float, typer.Option(min=0, max=3_600, help="How long to ask again until all is well.")
    ] = 0.0,
) -> None:
    """Ask a running service whether it can do its work.

    Opens no database, so that it may be called every few seconds. Prints the service's answer.

    Exits with 0 if the service says that all is well, 1 if it says that it cannot work now, 2 for
    an address that is none, 3 if nobody answers.
    """
    address = url or own_address(os.environ.get("WARLOG_HOST"), os.environ.get("WARLOG_PORT"))
    path = LIVE if live else READY
    deadline = time.monotonic() + wait
    answer = ask(address, path, seconds)
    while answer.exit in (Exit.WRONG, Exit.UNAVAILABLE) and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
        answer = ask(address, path, seconds)
    typer.echo(answer.text, err=answer.exit in (Exit.USAGE, Exit.UNAVAILABLE))
    raise typer.Exit(answer.exit)


def ask(address: str, path: str, seconds: float) -> Health:
    """Ask once; `seconds` bounds connecting and each wait for the answer."""
    try:
        parts = urlsplit(address)
        connection = _KINDS[parts.scheme](parts.hostname or "", parts.port, timeout=seconds)
    except (KeyError, ValueError):
        return Health(Exit.USAGE, f"warlog: {address} is no address such as http://127.0.0.1:8080")
    try:
        connection.request("GET", parts.path.rstrip("/") + path)
        response = connection.getresponse()
        text = response.read(_MOST_BYTES).decode(errors="replace")
    except (OSError, HTTPException) as error:
        reason = str(error) or type(error).__name__
        return Health(Exit.UNAVAILABLE, f"warlog: {address} does not answer: {reason}")
    finally:
        connection.close()
    return Health(Exit.OK if response.status == 200 else Exit.WRONG, text)


def own_address(host: str | None, port: str | None) -> str:
    """The address of a service that listens as these settings say; every address means this one."""
    host = host or "127.0.0.1"
    try:
        numeric = ip_address(host)
    except ValueError:
        return f"http://{host}:{port or 8080}"
    if numeric.is_unspecified:
        numeric = ip_address("127.0.0.1" if numeric.version == 4 else "::1")
    return f"http://{numeric if numeric.version == 4 else f'[{numeric}]'}:{port or 8080}"
