"""Which language and which media type an answer is in, by what the request accepts (RFC 9110)."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.engine.vocabulary.catalogue import Language

DEFAULT: Final[Language] = "en"
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ru")

_LONGEST: Final = 2_000
_MOST: Final = 50
_QUALITY: Final = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


def language_of(header: str | None) -> Language:
    """The language of ours that `Accept-Language` likes best, English if it names none.

    Of two it likes equally the one it names first wins; `q=0` excludes one.
    """
    wishes = list(_weighted(header or ""))
    liking = {language: _liking(language, wishes) for language in LANGUAGES}
    best = max(LANGUAGES, key=lambda language: liking[language])
    if liking[best][0] == 0:
        return DEFAULT
    return best


def media_type_of(header: str | None, offers: Sequence[str]) -> str | None:
    """The media type on offer that `Accept` likes best; of equals the first offered.

    Without the header, or with one that cannot be read, the first offered. None: it accepts none
    of them.
    """
    wishes = list(_weighted(header)) if header else []
    if not wishes:
        return offers[0]
    best, most = None, 0
    for offer in offers:
        quality = _media_quality(offer, wishes)
        if quality > most:
            best, most = offer, quality
    return best


def _weighted(header: str) -> Iterator[tuple[str, int]]:
    """Each thing asked for with its quality in thousandths; what cannot be read is left out."""
    for item in header[:_LONGEST].split(",")[:_MOST]:
        name, *parameters = (word.strip() for word in item.lower().split(";"))
        quality = _quality(parameters)
        if name and quality is not None:
            yield name, quality


def _quality(parameters: list[str]) -> int | None:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            value = value.strip()
            if not _QUALITY.fullmatch(value):
                return None
            whole, _, thousandths = value.partition(".")
            return int(whole) * 1000 + int(thousandths.ljust(3, "0"))
    return 1000


def _liking(language: Language, wishes: list[tuple[str, int]]) -> tuple[int, int]:
    """Quality, and how early it was named (larger is earlier); a name beats `*`."""
    named = [
        (quality, -place)
        for place, (name, quality) in enumerate(wishes)
        if name.partition("-")[0] == language
    ]
    others = [(quality, -place) for place, (name, quality) in enumerate(wishes) if name == "*"]
    return max(named or others, default=(0, 0))


def _media_quality(offer: str, wishes: list[tuple[str, int]]) -> int:
    """The quality of the most specific range that covers the offer."""
    kind = offer.partition("/")[0]
    for wanted in (offer, f"{kind}/*", "*/*"):
        named = [quality for name, quality in wishes if name == wanted]
        if named:
            return max(named)
    return 0
