"""The command `python -m warlog verify`: arguments in, a report out, an exit code back."""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import httpx
import msgspec

from warlog.problems import WarlogError
from warlog.verifier.keys import Keys
from warlog.verifier.receipts import kept_receipts
from warlog.verifier.report import Progress, Report
from warlog.verifier.report_text import report_text
from warlog.verifier.verification import verify

CLEAN: Final = 0
WRONG: Final = 1
USAGE: Final = 2
UNAVAILABLE: Final = 3
UNKNOWN_SIGNER: Final = 4

_KEYS_SECONDS: Final = 10.0
_DESCRIPTION: Final = """\
Verify a bundle of a Warlog battle by nothing but what it contains: FILE, or - for
standard input. The rules of the game are not decided again.

The key that a bundle brings proves nothing: name the service's.
"""
_EXITS: Final = """\
Exits with 0 if all is clean and signed by a trusted key, 1 if anything is wrong,
2 if it could not be called so or a file or address could not be read, 3 if it was
made by a newer service or forged, 4 if the bundle is clean and its signer unknown.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code. Raises SystemExit where it was not called so."""
    options = _parser().parse_args(argv)
    try:
        report = _report(options)
    except (OSError, ValueError, WarlogError) as error:
        sys.stderr.write(f"warlog verify: {error}\n")
        return USAGE
    text = _json_text(report) if options.json else report_text(report, options.language)
    _print(text.encode())
    if report.findings:
        return WRONG
    if not report.clean:
        return UNAVAILABLE
    return CLEAN if report.signer == "trusted" else UNKNOWN_SIGNER


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m warlog", allow_abbrev=False)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "verify",
        help="verify a bundle of a battle",
        description=_DESCRIPTION,
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = command.add_argument
    add("file", metavar="FILE")
    add(
        "--keys",
        action="append",
        metavar="URL|FILE",
        help="the service's published keys, one of which must have signed; repeatable",
    )
    add(
        "--public-key",
        action="append",
        metavar="HEX",
        help="a key (64 hex digits) that may have signed; repeatable",
    )
    add(
        "--head",
        action="append",
        default=[],
        metavar="SEQ-HASH",
        help="a head that the log once had, as a client noted it; repeatable",
    )
    add(
        "--receipts",
        action="append",
        default=[],
        metavar="FILE",
        help="receipts that a client kept, a JSON array or one to a line; repeatable",
    )
    add("--language", choices=["en", "ru"], default="en", help="the language of the report (en)")
    add("--json", action="store_true", help="print the report as one JSON object")
    return parser


def _report(options: argparse.Namespace) -> Report:
    keys: list[Keys] = [*(options.public_key or ()), *map(_key_set, options.keys or ())]
    kept = [
        receipt
        for file in options.receipts
        for receipt in kept_receipts(Path(file).read_text("utf-8", "replace"))
    ]
    with _opened(options.file) as file:
        return verify(
            file,
            keys=None if options.keys is None and options.public_key is None else keys,
            heads=options.head,
            receipts=kept,
            language=options.language,
            on_progress=_progress(options.file) if sys.stderr.isatty() else None,
        )


def _opened(file: str) -> contextlib.AbstractContextManager[BinaryIO]:
    if file == "-":
        return contextlib.nullcontext(sys.stdin.buffer)
    return Path(file).open("rb")


def _key_set(place: str) -> Any:
    """The published keys of an address or file."""
    is_address = place.startswith(("http://", "https://"))
    try:
        return json.loads(_fetched(place) if is_address else Path(place).read_bytes())
    except (ValueError, RecursionError, httpx.HTTPError) as error:
        why = "it is no JSON" if isinstance(error, ValueError | RecursionError) else error
        raise ValueError(f"--keys {place}: {why}") from None


def _fetched(address: str) -> bytes:
    answer = httpx.get(address, timeout=_KEYS_SECONDS, follow_redirects=True)
    if not answer.is_success:
        raise httpx.HTTPError(f"the answer is {answer.status_code}")
    return answer.content


def _progress(file: str) -> Callable[[Progress], None]:
    size = 0 if file == "-" else Path(file).stat().st_size

    def tell(progress: Progress) -> None:
        share = f"{100 * progress.bytes // size} %" if size else f"{progress.bytes} bytes"
        told = "" if progress.bytes == size else f"{share}, {progress.events} events"
        sys.stderr.write(f"\r\x1b[K{told}")

    return tell


def _json_text(report: Report) -> str:
    return msgspec.json.encode(report).decode() + "\n"


def _print(text: bytes) -> None:
    """Print; where nobody reads on, nothing is to be done."""
    try:
        sys.stdout.buffer.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
