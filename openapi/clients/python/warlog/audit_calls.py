"""The calls that bring and judge bundles, each written once for both drivers."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec.json import Decoder

from warlog.battle_calls import Language, Place
from warlog.caller import LONG_SECONDS, Caller, read
from warlog.problems import UnexpectedAnswer, Unreachable
from warlog.records import Json
from warlog.service_calls import signing_keys
from warlog.steps import Lost, Pause, Request, Steps, Tell, Telling, read_piece
from warlog.verifier.keys import Keys
from warlog.verifier.receipts import Head
from warlog.verifier.report import Progress, Report
from warlog.verifier.verification import KeptReceipt, Verification

LINES = "application/x-ndjson"


def audit(
    place: Place, *, include: str | None = None, receipts: Sequence[Any] | None = None
) -> Steps[Json]:
    """The service's own audit; with `receipts` that were kept, held against the log."""
    request = place.request(
        "GET" if receipts is None else "POST",
        "/audit",
        query={"include": include},
        body=None if receipts is None else {"receipts": receipts},
        answer_seconds=LONG_SECONDS,
    )
    return place.answer(request, _OBJECT)


def bundle(place: Place) -> Telling[bytes]:
    """The bundle as its bytes come, for `warlog.verify`, `warlog audit` and every other verifier.

    Raises Unreachable if it ends early: then what came is no bundle.
    """
    return Telling(_bytes(place.caller, _bundle_request(place)))


def verify(
    place: Place,
    *,
    keys: Keys | None = None,
    heads: Iterable[str | Head] = (),
    receipts: Iterable[KeptReceipt] = (),
    language: Language = "en",
    on_progress: Callable[[Progress], None] | None = None,
    by: str | None = None,
) -> Steps[Report]:
    """Fetch the bundle and judge it here, as `warlog.verify` does; the service is not believed.

    Without `keys` those that the service publishes are trusted, so that it could name others than
    it had: keep its keys, or pass those of another source. `by` is the seat that a key reads for.
    Raises Unreachable if the bundle ends early.
    """
    trusted = (yield from signing_keys(place.caller)) if keys is None else keys
    verification = Verification(keys=trusted, heads=heads, receipts=receipts, language=language)
    yield from place.caller.opened(_bundle_request(place, by))
    while not verification.is_over and (piece := (yield from _piece())):
        verification.feed(piece)
        if on_progress is not None:
            on_progress(verification.progress)
        yield Pause(0.0)  # the turn of whoever else waits
    report = verification.report()
    if on_progress is not None:
        on_progress(verification.progress)
    return report


def audit_bundle(
    caller: Caller,
    bundle: bytes,
    *,
    include: str | None = None,
    viewpoint: str | None = None,
    keys: Literal["own"] | None = None,
) -> Steps[Json]:
    """Have the service judge a bundle, its own or another's; the report.

    `include` may be `luck` here. With `keys="own"` the keys that it publishes are trusted.
    """
    request = _upload(caller, bundle, "application/json", include, viewpoint, keys)
    return read((yield from caller.answered(request)), _OBJECT)


def audit_records(
    caller: Caller,
    bundle: bytes,
    *,
    include: str | None = None,
    viewpoint: str | None = None,
    keys: Literal["own"] | None = None,
) -> Telling[Json]:
    """The same shown as it goes: `progress`, then an `event` for each, `report` or `problem` last.

    `include` names with commas what is shown of each event: `verdict`, `state`, `table`, `scene`,
    `narration`; `viewpoint` as whom: `gm`, `everyone` or sides. Raises Unreachable if it ends
    early.
    """
    request = _upload(caller, bundle, LINES, include, viewpoint, keys)
    return Telling(_records(caller, request))


def _bundle_request(place: Place, by: str | None = None) -> Request:
    return place.request("GET", "/bundle", accept=LINES, seat=by)


def _upload(
    caller: Caller,
    bundle: bytes,
    accept: str,
    include: str | None,
    viewpoint: str | None,
    keys: str | None,
) -> Request:
    request = caller.request(
        "POST",
        "/v1/audits",
        query={"include": include, "viewpoint": viewpoint, "keys": keys},
        accept=accept,
        headers={"Content-Type": LINES},
        answer_seconds=LONG_SECONDS,
    )
    return msgspec.structs.replace(request, body=bundle)


def _bytes(caller: Caller, request: Request) -> Steps[None]:
    yield from caller.opened(request)
    while piece := (yield from _piece()):
        yield Tell(piece)


def _records(caller: Caller, request: Request) -> Steps[None]:
    yield from caller.opened(request)
    rest = b""
    while piece := (yield from _piece()):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield Tell(_record(line))


def _piece() -> Steps[bytes]:
    """The next piece, none at the end. Raises Unreachable."""
    piece = yield from read_piece()
    if isinstance(piece, Lost):
        raise Unreachable(piece.why, outcome_unknown=False, key=None)
    return piece


def _record(line: bytes) -> Json:
    try:
        return _OBJECT.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnexpectedAnswer(f"a record that cannot be read: {error}") from error


_OBJECT: Decoder[Json] = Decoder(Json)
