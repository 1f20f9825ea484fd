"""Every error id the service can answer with that is not a rule's own, one class each.

Three kinds of no, never mixed: malformed (cannot be read), not allowed (who you are),
refused (the rules or the moment). `api/problems.py` alone maps them to status codes.
"""

from collections.abc import Mapping


class WarlogError(Exception):
    """An answer that is not a success: a stable `code` and the facts that explain it.

    `params` are JSON values (str, int, bool, lists and objects of them). `ruleset` is the slug and
    the version of the one that refused, in whose words it is shown (`engine.ruleset.refusing`).
    `names` are facts of `params` as whoever is refused calls them: a sentence has them instead.
    """

    code = "internal_error"

    def __init__(self, code: str | None = None, /, **params: object) -> None:
        self.code = code or type(self).code
        self.ruleset: tuple[str, str] | None = None
        self.params: dict[str, object] = params
        self.names: Mapping[str, str] = {}
        super().__init__(self.code, params)


class Malformed(WarlogError):
    """The input cannot be read: `path` is a JSON path, `allowed` says what would be."""

    code = "malformed"


class Refused(WarlogError):
    """The rules or the moment say no; nothing was drawn, written or changed.

    `rule` names the rule of the catalogue, or the section of the service's own contract.
    """

    code = "refused"

    def __init__(self, code: str, /, *, rule: str | None = None, **params: object) -> None:
        super().__init__(code, **params)
        self.rule = rule


class Forbidden(WarlogError):
    """Who asks may not do this: `gm_only`, `not_your_combatant`, `not_your_decision`, ..."""

    code = "forbidden"


class Unavailable(WarlogError):
    """The service cannot do it now, through no fault of the request; asking again may help."""

    code = "unavailable"


class DatabaseAway(Unavailable):
    """The database cannot be reached; nothing was written."""

    code = "database_away"


class DatabaseSlow(Unavailable):
    """The database took longer than allowed and gave up; nothing was written.

    `uncommitted_seconds`: it was not even asked, since no write has been committed for so long.
    """

    code = "database_slow"


class EncounterBusy(Unavailable):
    """Another session held the encounter's row for longer than is waited; nothing was written."""

    code = "encounter_busy"


class DatabaseReadOnly(Unavailable):
    """The database takes no writes; nothing was written."""

    code = "database_read_only"


class DatabaseFull(Unavailable):
    """The database has no room left; nothing was written."""

    code = "database_full"


class SchemaMismatch(Unavailable):
    """The database's schema does not serve this build: one of them is to be brought up to date."""

    code = "schema_mismatch"


class BuildTooOld(Unavailable):
    """This build is older than `lowest`, the release to which the operator finished an upgrade."""

    code = "build_too_old"


class UpgradeUnfinished(Unavailable):
    """The release before may serve this battle still, and would not understand it; nothing was
    written. `actions`, `changes`, `options` or `ruleset` name what is held back, `release` the
    release that it came with.
    """

    code = "upgrade_unfinished"


class PagesNotBuilt(Unavailable):
    """The files of the pages are missing or incomplete: `make pages` builds them."""

    code = "pages_not_built"


class OutcomeUnknown(Unavailable):
    """The connection was lost during a write: it may or may not have happened.

    Asking again under the same idempotency key resolves it.
    """

    code = "outcome_unknown"


class LogDamaged(Unavailable):
    """The store does not hold what this log needs; nothing was written, and an audit says more.

    `found` names it: `rows_beyond_head` (rows stand where the next event belongs), `no_secret`
    (seed and seal key are gone), `no_beginning` (event 1 is gone).
    """

    code = "log_damaged"


class Unstorable(WarlogError):
    """The database refuses exactly this value; `constraint` or `sqlstate` says which rule."""

    code = "unstorable"


class NameTaken(WarlogError):
    """Something of this kind already has this name."""

    code = "name_taken"


class Unauthenticated(WarlogError):
    """No key, or one that is malformed, unknown or revoked; which of these is not shown."""

    code = "unauthenticated"


class NotFound(WarlogError):
    """There is none, or none that this caller may know of."""

    code = "not_found"


class ConflictingRequest(WarlogError):
    """The request collides with another: `idempotency_key_reused`, `in_progress`, ..."""

    code = "conflict"


class PreconditionFailed(WarlogError):
    """`If-Match` names another head than the log's; `head` is what it would have to be."""

    code = "precondition_failed"


class PreconditionRequired(WarlogError):
    """A write without `Idempotency-Key` or `If-Match` could be applied twice."""

    code = "precondition_required"


class RequestTimeout(WarlogError):
    """The request did not come whole within `seconds`; nothing was done. `upload_too_slow`: less
    than `rate` bytes a second came while others waited for the place; `upload_too_long`: it was
    waited longer than `seconds` for the upload meanwhile; `answer_read_too_slowly`: fewer than
    `rate` bytes a second were taken of the answer.
    """

    code = "request_timeout"


class TooLarge(WarlogError):
    """More bytes than a body may have: `limit`."""

    code = "too_large"


class UnsupportedMedia(WarlogError):
    """The body is not JSON by its content type."""

    code = "unsupported_media_type"


class UpgradeRequired(WarlogError):
    """The address speaks another protocol than HTTP: `allowed` names it."""

    code = "upgrade_required"


class MethodNotAllowed(WarlogError):
    """The address exists, but not for this method; `allowed` lists those it has."""

    code = "method_not_allowed"


class NotAcceptable(WarlogError):
    """None of the media types asked for is made here; `allowed` lists them."""

    code = "not_acceptable"


class TooMany(WarlogError):
    """Over the rate this key is allowed; `retry_after` in seconds."""

    code = "too_many_requests"


class NewerVersion(Unavailable):
    """The encounter was written by a newer build: a ruleset version or an event unknown here."""

    code = "newer_version"


class JobTimedOut(Unavailable):
    """Work in a separate process took longer than `seconds` and was ended; nothing was kept."""

    code = "job_timed_out"


class JobFailed(Unavailable):
    """Work in a separate process came to no end; nothing was kept.

    `why`: `memory` (it wanted more than it may have), `crashed`, `line_too_long`.
    """

    code = "job_failed"
