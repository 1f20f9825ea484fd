"""What a client may send or ask for, as far as HTTP itself enforces it; published."""

from msgspec import Struct


class ApiLimits(Struct, frozen=True, kw_only=True):
    """The limits this room keeps. `json_depth` counts the outermost object as 1.

    `preview_burst` previews may follow one another at once, after that `previews_per_minute`
    of each key. A request must have come whole within `request_seconds`; a process works on up to
    `requests_at_once` and refuses more, long polls that wait not counted. A key may ask
    `requests_per_minute`, `request_burst` of them at once, a seat by its own token as many as
    `seat_...` says; every process counts by itself. It keeps up to `streams_at_once` streams open,
    `streams_per_caller` of one caller. An address may try `joins_per_minute` codes of invitations,
    and ask for `handshakes_per_minute` sockets in vain. Of bodies that are not whole yet a process
    keeps `unfinished_bytes`, `unfinished_bytes_per_caller` of one key.
    Defaults are the service's, not in the source texts.
    """

    body_bytes: int = 1 << 20
    json_depth: int = 64
    actions_per_list: int = 32
    events_per_page: int = 500
    wait_seconds: int = 30
    previews_per_minute: int = 600
    preview_burst: int = 60
    request_seconds: int = 30
    requests_at_once: int = 1_000
    requests_per_minute: int = 120_000
    request_burst: int = 12_000
    seat_requests_per_minute: int = 1_200
    seat_request_burst: int = 120
    streams_at_once: int = 10_000
    streams_per_caller: int = 100
    joins_per_minute: int = 20
    handshakes_per_minute: int = 300
    unfinished_bytes: int = 64 << 20
    unfinished_bytes_per_caller: int = 16 << 20
