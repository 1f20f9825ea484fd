"""The form of lines, as bundle-line.schema.json shows it.

What a field holds beyond its form is judged elsewhere. A form is called with a value and raises a
_Misfit, which gathers the steps to that value on its way out.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeAlias

from warlog.verifier.details import Detail, said
from warlog.verifier.findings import ABSENT, Difference, Step, path_text, shown
from warlog.verifier.json_reader import GREATEST

Json: TypeAlias = dict[str, Any]
"""An object of JSON."""

Form: TypeAlias = Callable[[Any], None]

_GREATEST_SEQ: Final = 2**31 - 1


class _Misfit(Exception):
    """A value that has not its form; `steps` lead from it outwards."""

    def __init__(self, value: Any, allowed: Detail, *steps: Step) -> None:
        super().__init__(value)
        self.value = value
        self.allowed = allowed
        self.steps = list(steps)


def _refuse(value: Any, allowed: Detail, *steps: Step) -> NoReturn:
    raise _Misfit(value, allowed, *steps)


def _integer(least: int, most: int = GREATEST) -> Form:
    def check(value: Any) -> None:
        if type(value) is not int or not least <= value <= most:
            _refuse(value, said("a whole number from {} to {}", least, most))

    return check


def _text(pattern: str | None = None, longest: int | None = None) -> Form:
    fits = None if pattern is None else re.compile(pattern).fullmatch

    def check(value: Any) -> None:
        if type(value) is not str:
            _refuse(value, said("a string"))
        if longest is not None and len(value) > longest:
            _refuse(value, said("at most {} characters", longest))
        if fits is not None and fits(value) is None:
            _refuse(value, said("what fits {}", str(pattern)))

    return check


def _one_of(*values: str | int) -> Form:
    listed = " | ".join(str(shown(each)) for each in values)

    def check(value: Any) -> None:
        if type(value) is not type(values[0]) or value not in values:
            _refuse(value, said("{}", listed))

    return check


def _list_of(item: Form, least: int = 0, most: int | None = None) -> Form:
    def check(value: Any) -> None:
        if type(value) is not list:
            _refuse(value, said("an array"))
        if len(value) < least:
            _refuse(value, said("an array of {} or more", least))
        if most is not None and len(value) > most:
            _refuse(value, said("an array of at most {}", most))
        at = 0
        try:
            for each in value:
                item(each)
                at += 1
        except _Misfit as misfit:
            misfit.steps.append(at)
            raise

    return check


def _pair_of(first: Form, second: Form) -> Form:
    def check(value: Any) -> None:
        if type(value) is not list or len(value) != 2:
            _refuse(value, said("an array of two"))
        for at, form in enumerate((first, second)):
            try:
                form(value[at])
            except _Misfit as misfit:
                misfit.steps.append(at)
                raise

    return check


def _record(
    required: dict[str, Form], optional: dict[str, Form] | None = None, *, is_open: bool = False
) -> Form:
    """An object; `is_open`: other fields may be there."""
    forms = {**required, **(optional or {})}

    def check(value: Any) -> None:
        if type(value) is not dict:
            _refuse(value, said("an object"))
        for name in required:
            if name not in value:
                _refuse(ABSENT, said("a field that is there"), name)
        name = ""
        try:
            for name, each in value.items():
                form = forms.get(name)
                if form is not None:
                    form(each)
                elif not is_open:
                    _refuse(each, said("no such field"))
        except _Misfit as misfit:
            misfit.steps.append(name)
            raise

    return check


def _anything(value: Any) -> None:
    """Whatever canonical JSON can hold."""


def _step(value: Any) -> None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        _INDEX(value)
    else:
        _MEMBER(value)


_INDEX: Final = _integer(0)
_MEMBER: Final = _text("^[a-z0-9_]+$")
_DIGEST: Final = _text("^[0-9a-f]{64}$")
_AUDIENCE: Final = _text("^[a-z0-9_]{1,20}$")
_SEQ: Final = _integer(1, _GREATEST_SEQ)
_PATH: Final = _list_of(_step, 1)
_ENCOUNTER: Final = _text(longest=64)
_TAGGED: Final = _record({"type": _text()}, is_open=True)

_HEADER: Final = _record(
    {
        "type": _one_of("bundle"),
        "format": _one_of(1),
        "encounter": _ENCOUNTER,
        "ruleset": _text(longest=40),
        "version": _text(longest=20),
        "dice": _record(
            {
                "algorithm": _one_of("hmac_sha256_1"),
                "mode": _one_of("sealed", "supplied"),
                "fairness": _one_of("verifiable", "sealed", "not_verified"),
            }
        ),
        "commitment": _DIGEST,
        "viewer": _record(
            {
                "kind": _one_of("gm", "sides", "observer"),
                "grants": _list_of(_record({"since": _SEQ, "sides": _list_of(_AUDIENCE)})),
            }
        ),
    },
    {"seed": _DIGEST},
)
_BLOB: Final = _record({"type": _one_of("blob"), "digest": _DIGEST, "body": _anything})
_BY: Final = _record(
    {
        "kind": _one_of("key", "seat", "system"),
        "id": _text(),
        "role": _one_of("gm", "player", "observer"),
    },
    {"seat": _text(), "via": _text()},
    is_open=True,
)
_DRAW: Final = _record(
    {
        "stream": _integer(0, 255),
        "number": _integer(1),
        "sides": _integer(1, 65536),
        "face": _integer(1, 65536),
        "purpose": _text(),
    },
    {"combatant": _text()},
    is_open=True,
)
_BODY: Final = _record(
    {
        "seq": _SEQ,
        "base": _integer(0, _GREATEST_SEQ),
        "encounter": _ENCOUNTER,
        "at": _text(),
        "by": _BY,
        "draws": _list_of(_DRAW),
        "effects": _list_of(_TAGGED),
        "sealed": _DIGEST,
        "prev": _DIGEST,
    },
    {"action": _TAGGED},
)
_ENTRIES: Final = _list_of(_pair_of(_PATH, _anything))
_ORDERS: Final = _list_of(_pair_of(_PATH, _list_of(_AUDIENCE)), 1)
_PART: Final = _record(
    {"kind": _one_of("text", "facts"), "audience": _AUDIENCE},
    {
        "salt": _text("^[0-9a-f]{32}$"),
        "body": _record({"entries": _ENTRIES}, {"orders": _ORDERS}),
    },
)
_READ_PART: Final = _record(
    {"kind": _text(), "audience": _text()},
    {"body": _record({"entries": _ENTRIES}, {"orders": _ORDERS}, is_open=True)},
    is_open=True,
)
_BESIDE: Final = {
    "type": _one_of("event"),
    "hash": _DIGEST,
    "commits": _list_of(_DIGEST),
    "parts": _list_of(_PART),
}
_EVENT: Final = _record({**_BESIDE, "event": _BODY})
_FRAME: Final = _record({**_BESIDE, "event": _anything})
_RECEIPT: Final = _record(
    {
        "kid": _text(),
        "encounter": _text(),
        "seq": _SEQ,
        "hash": _DIGEST,
        "sig": _text("^[0-9a-f]{128}$"),
    },
    {"format": _one_of(2), "path": _list_of(_DIGEST, 0, 32)},
)
_SEAL: Final = _record(
    {
        "type": _one_of("seal"),
        "seq": _SEQ,
        "hash": _DIGEST,
        "receipt": _RECEIPT,
        "public_key": _DIGEST,
    }
)
_ORIGIN: Final = _record(
    {"encounter": _text(), "seq": _SEQ, "hash": _DIGEST, "status": _one_of("setup", "running")},
    is_open=True,
)
_FORMS: Final = {"bundle": _HEADER, "blob": _BLOB, "event": _EVENT, "seal": _SEAL}
_RECEIPT_FIELDS: Final = ("kid", "encounter", "seq", "hash", "sig", "format", "path")


def as_line(value: Any) -> Json:
    """A value as a line. Raises a Difference `unreadable`."""
    kind = value.get("type") if isinstance(value, dict) else None
    form = _FORMS.get(kind) if isinstance(kind, str) else None
    if form is None:
        types = '"bundle", "blob", "event", "seal"'
        detail = said("no line of this format: `type` is none of {}", types)
        raise Difference("unreadable", detail)
    _require(form, value)
    line: Json = value
    if kind == "seal" and ("format" in line["receipt"]) != ("path" in line["receipt"]):
        detail = said(
            "line.receipt has one of `format` and `path`; allowed are both or none",
        )
        raise Difference("unreadable", detail)
    return line


def require_frame(value: Any) -> None:
    """Check a line of an event but for its body. Raises a Difference `unreadable`."""
    _require(_FRAME, value)


def _require(form: Form, value: Any) -> None:
    try:
        form(value)
    except _Misfit as misfit:
        place = path_text(misfit.steps[::-1], "line")
        detail = said("{} is {}; allowed is {}", place, shown(misfit.value), misfit.allowed)
        raise Difference("unreadable", detail) from None


def is_draw(value: Any) -> bool:
    """Whether something in the facts of an audience is a draw."""
    return _fits(_DRAW, value)


def is_origin(value: Any) -> bool:
    """Whether a value names the event that a fork continues."""
    return _fits(_ORIGIN, value)


def is_readable_part(value: Any) -> bool:
    """Whether a value has what of a part is read to lay it into its event."""
    return _fits(_READ_PART, value)


def as_receipt(value: Any) -> Json | None:
    """A receipt as it was kept; other fields next to it are left out. None for what is none."""
    if not isinstance(value, dict):
        return None
    receipt = {name: value[name] for name in _RECEIPT_FIELDS if name in value}
    is_whole = ("format" in receipt) == ("path" in receipt)
    return receipt if is_whole and _fits(_RECEIPT, receipt) else None


def _fits(form: Form, value: Any) -> bool:
    try:
        form(value)
    except _Misfit:
        return False
    return True
