"""Every answer that is not a success: the one place that knows which status an error has.

How this works. The rooms below raise errors with a stable code and facts; nobody else maps them.
`problem_of` makes the body of RFC 9457 in the caller's language, `headers_of` what belongs next to
it. A refusal's sentence comes from `problem_texts.py` or, for what only one ruleset knows, from
that ruleset's catalogue.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service import errors
from service.api import malformed_texts, problem_texts
from service.api.malformed import in_russian, taken_apart
from service.api.message_template import Words, fill
from service.engine.ruleset.definition import Catalogue
from service.engine.vocabulary import shared_terms as terms_of_service
from service.engine.vocabulary.catalogue import Language, Message
from service.engine.vocabulary.client_ids import RESERVED_IDS

PROBLEM_TYPE: Final = "application/problem+json"
TYPE_PREFIX: Final = "/docs/problems#"

_STATUS: Final[Mapping[type[errors.WarlogError], int]] = {
    errors.Malformed: 400,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.MethodNotAllowed: 405,
    errors.NotAcceptable: 406,
    errors.RequestTimeout: 408,
    errors.ConflictingRequest: 409,
    errors.NameTaken: 409,
    errors.PreconditionFailed: 412,
    errors.TooLarge: 413,
    errors.UnsupportedMedia: 415,
    errors.Refused: 422,
    errors.Unstorable: 422,
    errors.UpgradeRequired: 426,
    errors.PreconditionRequired: 428,
    errors.TooMany: 429,
    errors.Unavailable: 503,
    errors.WarlogError: 500,
}

OF_THE_MOMENT: Final = frozenset(
    {
        "already_created",
        "already_started",
        "decision_closed",
        "decision_pending",
        "encounter_not_ended",
        "encounter_not_running",
        "fork_after_end",
        "no_time_limit",
        "options_frozen",
        "rewind_before_start",
        "seed_revealed",
    }
)
"""Refusals of the moment rather than of a rule: 409."""

_RETRY_AFTER: Final[Mapping[str, int]] = {
    "build_too_old": 60,
    "in_progress": 1,
    "log_damaged": 60,
    "newer_version": 30,
    "outcome_unknown": 1,
    "pages_not_built": 60,
    "schema_mismatch": 30,
    "try_again": 1,
    # An operator is waited for, not a moment: longer than clients ask again by themselves.
    "upgrade_unfinished": 120,
    "overloaded": 1,
}
_RETRY_AFTER_OTHERS: Final = 2
_UPGRADING: Final[Mapping[str, str]] = {"Connection": "Upgrade"}


class Problem(Struct, frozen=True, kw_only=True):
    """What the client is told: RFC 9457 with a stable `code` and the facts in `params`.

    `request` is the id of the request, which the answer's header and the log have, too.
    `rule` is the rule of the catalogue that refuses, `allowed` what would have been possible.
    """

    type: str
    """Address of the code's documentation on this service, `/docs/problems#` and the code."""
    title: str
    """What the status means, in the language of `Accept-Language`."""
    status: int
    """The HTTP status of the answer; within `stopped`, what the refused action alone would get."""
    detail: str
    """What is wrong, as a sentence in the language of `Accept-Language`."""
    code: str
    """What is wrong, as a stable word for programs."""
    instance: str
    """The path that was asked, without the query; for a fault (500) a `urn:uuid:` that the
    service's log names, too."""
    params: dict[str, object]
    """The facts behind `detail` by name, as the code's message uses them; ids of combatants, sides
    and seats, which `detail` calls by the names that the caller knows. Empty for a fault (500)."""
    request: str
    """The id of the request, which the header `Warlog-Request-Id` and the log have, too."""
    rule: str | UnsetType = UNSET
    """Id of the rule in the ruleset's catalogue that refuses; absent where none does."""
    allowed: object | UnsetType = UNSET
    """What would have been possible: a value, a list of values or a sentence; absent where it is
    not known."""


RulesetKey = tuple[str, str]
"""Slug and version."""


class Phrasebook:
    """The sentences and words of all rulesets, by slug and version."""

    def __init__(self, catalogues: Mapping[RulesetKey, Catalogue]) -> None:
        self._messages = {
            (*key, message.code): message
            for key, catalogue in catalogues.items()
            for message in catalogue.messages
        }
        self._terms = {
            key: {term.id: term for term in catalogue.terms}
            for key, catalogue in catalogues.items()
        }

    def find(self, code: str, ruleset: RulesetKey | None) -> Message | None:
        """What the ruleset that refused says for a code, else the service's own message."""
        own = None if ruleset is None else self._messages.get((*ruleset, code))
        return own or problem_texts.message_of(code)

    def words(self, ruleset: RulesetKey | None, language: Language) -> Words:
        """What words of the rules are called: by this ruleset, else by the service.

        A word by which the service means somebody is called so everywhere, though a ruleset may
        have it for something else, such as a modifier that the game master gives.
        """
        terms = self._terms.get(ruleset, {}) if ruleset is not None else {}

        def called(word: str) -> str:
            own = None if word in RESERVED_IDS else terms.get(word)
            term = own or terms_of_service.term_of(word)
            if term is None:
                return word
            return term.ru if language == "ru" else term.en

        return called

    def rule_messages(self) -> tuple[Message, ...]:
        """Every message that a ruleset adds to the service's own, by code; each sentence once."""
        added = {
            (message.code, message.en): message
            for message in self._messages.values()
            if message != problem_texts.message_of(message.code)
        }
        return tuple(added[sentence] for sentence in sorted(added))


def status_of(error: errors.WarlogError) -> int:
    """The HTTP status of an error: that of its class, or 409 for a refusal of the moment."""
    if isinstance(error, errors.Refused) and error.code in OF_THE_MOMENT:
        return 409
    return next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)


def problem_of(
    error: errors.WarlogError,
    language: Language,
    instance: str,
    phrasebook: Phrasebook,
    request: str,
) -> Problem:
    """The body that shows an error in the caller's language."""
    status = status_of(error)
    facts = facts_of(error)
    rule = error.rule if isinstance(error, errors.Refused) else None
    shown = {name: value for name, value in facts.items() if name != "allowed"}
    return Problem(
        type=f"{TYPE_PREFIX}{error.code}",
        title=problem_texts.title_of(status, language),
        status=status,
        detail=sentence_of(error, facts, language, phrasebook),
        code=error.code,
        instance=instance,
        request=request,
        params={} if status >= 500 and status != 503 else shown,
        rule=UNSET if rule is None else rule,
        allowed=facts.get("allowed", UNSET),
    )


def body_of(problem: Problem) -> bytes:
    """The problem as it is sent."""
    return msgspec.json.encode(problem)


def headers_of(error: errors.WarlogError, language: Language) -> dict[str, str]:
    """What an error says next to its body."""
    status = status_of(error)
    headers: dict[str, str] = {"Content-Language": language}
    if status == 401:
        invalid = ', error="invalid_token"' if error.params.get("presented") else ""
        headers["WWW-Authenticate"] = f'Bearer realm="warlog"{invalid}'
    if status == 426:
        headers |= {"Upgrade": ", ".join(_words(error.params.get("allowed"))), **_UPGRADING}
    if status == 405:
        headers["Allow"] = ", ".join(_words(error.params.get("allowed")))
    if status in {429, 503} or error.code in _RETRY_AFTER:
        wait = error.params.get("retry_after")
        seconds = wait if isinstance(wait, int) else _RETRY_AFTER.get(error.code)
        headers["Retry-After"] = str(_RETRY_AFTER_OTHERS if seconds is None else seconds)
    return headers


def _words(value: object) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list | tuple) else []


def facts_of(error: errors.WarlogError) -> dict[str, object]:
    """What an error states, as its sentence shows it."""
    return _form(dict(error.params)) if isinstance(error, errors.Malformed) else dict(error.params)


def _form(facts: dict[str, object]) -> dict[str, object]:
    """The facts of malformed input with `why`, taken out of the decoder's sentence if need be."""
    sentence = facts.get("allowed")
    if "why" in facts or not isinstance(sentence, str):
        return facts
    apart = taken_apart(sentence)
    if apart is None:
        return facts
    names = {"allowed": facts["known"]} if "known" in facts else {}
    kept = {name: value for name, value in facts.items() if name not in {"allowed", "known"}}
    return {**kept, **apart, **names}


def sentence_of(
    error: errors.WarlogError,
    facts: Mapping[str, object],
    language: Language,
    phrasebook: Phrasebook,
) -> str:
    """An error in a sentence of the caller's language."""
    is_form = error.code == "malformed" and "why" in facts
    form = malformed_texts.form_of(str(facts["why"])) if is_form else None
    message = form or phrasebook.find(error.code, error.ruleset)
    if message is None:
        return error.code
    words = phrasebook.words(error.ruleset, language)
    facts = {**facts, **error.names}
    if is_form:
        facts = malformed_texts.types_told(facts, language)
    if language == "en":
        return fill(message.en, facts, words)
    allowed = facts.get("allowed")
    if isinstance(allowed, str):
        facts = {**facts, "allowed": in_russian(allowed)}
    return fill(message.ru, facts, words)
