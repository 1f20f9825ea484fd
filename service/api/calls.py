"""Every call of the service, declared once.

The routes are made from this table, the query parameters are read against it, and the OpenAPI
document is built from it. Ids are those of `encounters.access`, which says who may call.
"""

from typing import Final, Literal

from msgspec import Struct

from service.api.query import Parameter, Text, Whole

Method = Literal["GET", "POST", "DELETE"]
HeaderName = Literal["seat", "key", "key_required", "if_match", "if_none_match"]

VERSIONED: Final = "/v1/"

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"

LARGEST_SEQ: Final = 2**31 - 1
ENCOUNTERS_PER_PAGE: Final = 100
SAMPLES: Final = 50


class Given(Struct, frozen=True, kw_only=True):
    """A body that a call answers with: the name of its schema, by media type.

    `headers` are names from `openapi.headers`.
    """

    status: int
    says: str
    content: dict[str, str]
    headers: tuple[str, ...] = ()


class Call(Struct, frozen=True, kw_only=True):
    """One call: `body` names the schema of what it takes, `problems` the statuses it may refuse.

    `path` is as Litestar writes it. `media_types` are what it can be asked for with `Accept`; a
    call without any answers in one form whatever it is asked.
    """

    id: str
    method: Method = "GET"
    path: str
    tag: str
    summary: str
    says: str = ""
    query: tuple[Parameter, ...] = ()
    headers: tuple[HeaderName, ...] = ()
    body: str | None = None
    gives: tuple[Given, ...]
    problems: tuple[int, ...] = ()

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types of the call's success, the default one first."""
        return tuple(self.gives[0].content)

    @property
    def is_open(self) -> bool:
        """Whether the call is outside the versioned interface, for machines and browsers."""
        return not self.path.startswith(VERSIONED)


AT: Final = Whole(name="at", says="The state after this event.", least=1, most=LARGEST_SEQ)
CURSOR: Final = Text(
    name="cursor",
    says="`next` of the page before.",
    pattern=r"[A-Za-z0-9_-]{1,200}",
    form="next",
)
ENCOUNTERS_LIMIT: Final = Whole(
    name="limit",
    says="How many at most.",
    least=1,
    most=ENCOUNTERS_PER_PAGE,
    default=20,
)
COMBATANT: Final = Text(
    name="combatant",
    says="Whose actions.",
    pattern="[a-z0-9_-]{1,40}",
    form="[a-z0-9_-]{1,40}",
    is_required=True,
)
SAMPLE: Final = Whole(
    name="sample",
    says="How many complete actions, legal now, to draw at random.",
    least=0,
    most=SAMPLES,
    default=0,
)
AFTER: Final = Text(
    name="after",
    says="Events behind this one: `seq`, or `seq-hash8` to notice a log that was replaced.",
    pattern=r"(0|[1-9][0-9]{0,8})(-[0-9a-f]{8})?",
    form="seq | seq-hash8",
)
EVENTS_LIMIT: Final = Whole(
    name="limit",
    says="How many at most; the service may give fewer.",
    least=1,
    most=10_000,
    default=100,
)
WAIT: Final = Whole(
    name="wait",
    says="Seconds to wait for the next event when there is none yet; the service may wait less.",
    least=0,
    most=300,
    default=0,
)
DIGEST: Final = Text(
    name="digest",
    says="Digest of an earlier map or content; the present map if absent.",
    pattern="[0-9a-f]{64}",
    form="[0-9a-f]{64}",
)

ENCOUNTER_PATH: Final = "/v1/encounters/{encounter:str}"
READING: Final = (400, 401, 403, 404, 406, 503)
WRITING: Final = (400, 401, 403, 404, 406, 408, 409, 413, 415, 422, 503)

LIST_RULESETS: Final = Call(
    id="list_rulesets",
    path="/v1/rulesets",
    tag="rulesets",
    summary="Which rulebooks there are, and the service's limits",
    gives=(Given(status=200, says="All rulesets.", content={JSON: "RulesetList"}),),
    problems=(400, 406, 503),
)
READ_RULESET: Final = Call(
    id="read_ruleset",
    path="/v1/rulesets/{slug:str}",
    tag="rulesets",
    summary="A rulebook: options, limits, rules and terms in English and Russian",
    gives=(Given(status=200, says="The ruleset.", content={JSON: "RulesetDetail"}),),
    problems=(400, 404, 406, 503),
)
READ_RULESET_SCHEMA: Final = Call(
    id="read_ruleset_schema",
    path="/v1/rulesets/{slug:str}/schema",
    tag="rulesets",
    summary="JSON Schema of a rulebook's setup, actions, effects and state",
    gives=(Given(status=200, says="The schemas.", content={JSON: "RulesetSchemas"}),),
    problems=(400, 404, 406, 503),
)
CREATE_ENCOUNTER: Final = Call(
    id="create_encounter",
    method="POST",
    path="/v1/encounters",
    tag="encounters",
    summary="Create an encounter",
    says=(
        "The setup is the ruleset's own. The seed is sealed until the game master reveals it. A"
        " repeated key is answered with the encounter it created: 404 if that is deleted."
    ),
    headers=("key_required",),
    body="CreateRequest",
    gives=(
        Given(
            status=201,
            says="The encounter and its first event.",
            content={JSON: "CreatedAnswer"},
            headers=("Location", "ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 428),
)
LIST_ENCOUNTERS: Final = Call(
    id="list_encounters",
    path="/v1/encounters",
    tag="encounters",
    summary="The encounters of the key's tenant, oldest first",
    query=(CURSOR, ENCOUNTERS_LIMIT),
    gives=(Given(status=200, says="A page.", content={JSON: "EncounterPage"}),),
    problems=(400, 401, 403, 406, 503),
)
READ_ENCOUNTER: Final = Call(
    id="read_encounter",
    path=ENCOUNTER_PATH,
    tag="encounters",
    summary="The state as the caller may see it",
    says="What the caller may not know is absent. `at` goes back to any event.",
    query=(AT,),
    headers=("seat", "if_none_match"),
    gives=(
        Given(status=200, says="The state.", content={JSON: "EncounterView"}, headers=("ETag",)),
        Given(status=304, says="It has not changed.", content={}, headers=("ETag",)),
    ),
    problems=(*READING, 409),
)
READ_MAP: Final = Call(
    id="read_map",
    path=f"{ENCOUNTER_PATH}/map",
    tag="encounters",
    summary="The map of an encounter as it was created",
    says="It never changes; what did change stands in the state.",
    query=(DIGEST,),
    headers=("seat", "if_none_match"),
    gives=(
        Given(status=200, says="The map.", content={JSON: "Board"}, headers=("ETag",)),
        Given(status=304, says="You have it.", content={}, headers=("ETag",)),
    ),
    problems=READING,
)
DELETE_ENCOUNTER: Final = Call(
    id="delete_encounter",
    method="DELETE",
    path=ENCOUNTER_PATH,
    tag="encounters",
    summary="Delete an encounter for good, but for its id and its last hash",
    says="Its log, parts, snapshots and seed are gone. Deleting it again gives the same answer.",
    gives=(Given(status=200, says="What is left of it.", content={JSON: "TombstoneView"}),),
    problems=READING,
)
ACT: Final = Call(
    id="act",
    method="POST",
    path=f"{ENCOUNTER_PATH}/actions",
    tag="play",
    summary="Do something: one action, or several in order",
    says=(
        "Each accepted action is one event. A list stops before the first action that is refused"
        " and after any that opened a decision. Send `Idempotency-Key` or `If-Match`; an answer to"
        " a decision needs neither."
    ),
    headers=("seat", "key", "if_match"),
    body="ActRequest",
    gives=(
        Given(
            status=201,
            says="What happened.",
            content={JSON: "ActionsAnswer"},
            headers=("ETag", "Idempotency-Replayed"),
        ),
    ),
    problems=(*WRITING, 412, 428),
)
PREVIEW: Final = Call(
    id="preview",
    method="POST",
    path=f"{ENCOUNTER_PATH}/preview",
    tag="play",
    summary="What an action would do: modifiers, target number, exact odds",
    says=(
        "Nothing is drawn, written or changed. `answers` says how those answer whom the action"
        " would ask; whoever is not named declines. The odds of what depends on numbers that the"
        " caller may not know are left out, and `unknown` says which. Has its own rate limit for"
        " each key."
    ),
    headers=("seat",),
    body="PreviewRequest",
    gives=(
        Given(
            status=200,
            says="What would happen.",
            content={JSON: "PreviewAnswer"},
            headers=("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        ),
    ),
    problems=(*WRITING, 429),
)
LIST_LEGAL_ACTIONS: Final = Call(
    id="list_legal_actions",
    path=f"{ENCOUNTER_PATH}/legal-actions",
    tag="play",
    summary="What a combatant may do now, with a domain for every parameter",
    says=(
        "A node is `{type, params, example}`; the example is a complete action. A domain is"
        " `{one_of: [...]}`, whose members may be `{value, params}`, `{int_range: {min, max}}`,"
        " `{disc: {x, y, radius}}` for a point (without a radius: any), `{cells: [...]}` or"
        " `{path: {x, y, budget, metric}}` for a path, `{params: {...}}` for an object;"
        " `optional` ones may be left out. Whoever is asked something has its open `decision`."
    ),
    query=(COMBATANT, SAMPLE),
    headers=("seat",),
    gives=(Given(status=200, says="The actions.", content={JSON: "LegalAnswer"}),),
    problems=(*READING, 409, 422),
)
LIST_EVENTS: Final = Call(
    id="list_events",
    path=f"{ENCOUNTER_PATH}/events",
    tag="log",
    summary="Events behind a cursor: a page, a stream of lines, or a long poll",
    query=(AFTER, EVENTS_LIMIT, WAIT),
    headers=("seat",),
    gives=(
        Given(
            status=200,
            says="The events, `application/x-ndjson` with one to a line.",
            content={JSON: "EventPage", NDJSON: "EventRecord"},
            headers=("Warlog-Next", "Warlog-Head"),
        ),
    ),
    problems=(*READING, 409),
)
READ_EVENT: Final = Call(
    id="read_event",
    path=f"{ENCOUNTER_PATH}/events/{{seq:str}}",
    tag="log",
    summary="One event",
    headers=("seat",),
    gives=(Given(status=200, says="The event.", content={JSON: "EventRecord"}),),
    problems=READING,
)
AUDIT_ENCOUNTER: Final = Call(
    id="audit_encounter",
    path=f"{ENCOUNTER_PATH}/audit",
    tag="proof",
    summary="Decide every event again and compare",
    headers=("seat",),
    gives=(Given(status=200, says="A verdict per event.", content={JSON: "AuditReport"}),),
    problems=READING,
)
EXPORT_BUNDLE: Final = Call(
    id="export_bundle",
    path=f"{ENCOUNTER_PATH}/bundle",
    tag="proof",
    summary="One file with everything needed to audit the encounter offline",
    headers=("seat",),
    gives=(Given(status=200, says="The bundle, line by line.", content={NDJSON: "BundleLine"}),),
    problems=READING,
)
LIVE: Final = Call(
    id="live",
    path="/health/live",
    tag="operations",
    summary="Whether the process answers",
    gives=(Given(status=200, says="It does.", content={JSON: "Liveness"}),),
)
READY: Final = Call(
    id="ready",
    path="/health/ready",
    tag="operations",
    summary="Whether the service can do its work: the database answers and is up to date",
    gives=(Given(status=200, says="It can.", content={JSON: "ReadinessAnswer"}),),
    problems=(503,),
)
METRICS: Final = Call(
    id="metrics",
    path="/metrics",
    tag="operations",
    summary="Figures for Prometheus",
    gives=(Given(status=200, says="The figures.", content={"text/plain": "Text"}),),
)
SIGNING_KEYS: Final = Call(
    id="signing_keys",
    path="/.well-known/warlog-keys.json",
    tag="operations",
    summary="The public keys that receipts are checked with",
    gives=(Given(status=200, says="The keys.", content={JSON: "KeySet"}),),
    problems=(503,),
)
OPENAPI: Final = Call(
    id="openapi",
    path="/openapi.json",
    tag="operations",
    summary="This document",
    gives=(Given(status=200, says="The document.", content={JSON: "AnyObject"}),),
)
DOCS: Final = Call(
    id="docs",
    path="/docs",
    tag="operations",
    summary="This document for people, with a way to try every call",
    gives=(Given(status=200, says="A page.", content={"text/html": "Text"}),),
)
DOCS_ASSET: Final = Call(
    id="docs_asset",
    path="/docs/{asset:str}",
    tag="operations",
    summary="What the page needs, and the list of problems at `/docs/problems`",
    gives=(Given(status=200, says="A file.", content={"text/html": "Text"}),),
    problems=(404,),
)

CALLS: Final = (
    LIST_RULESETS,
    READ_RULESET,
    READ_RULESET_SCHEMA,
    CREATE_ENCOUNTER,
    LIST_ENCOUNTERS,
    READ_ENCOUNTER,
    READ_MAP,
    DELETE_ENCOUNTER,
    ACT,
    PREVIEW,
    LIST_LEGAL_ACTIONS,
    LIST_EVENTS,
    READ_EVENT,
    AUDIT_ENCOUNTER,
    EXPORT_BUNDLE,
    LIVE,
    READY,
    METRICS,
    SIGNING_KEYS,
    OPENAPI,
    DOCS,
    DOCS_ASSET,
)
