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
    keeps `unfinished_bytes`, `unfinished_bytes_per_caller` of one key. A battle may have `forks`
    that are not deleted, `seat_forks` of them by one seat, which makes `seat_forks_per_day`. A
    caller may write `notes_per_minute`. One request may have `simulations` battles
    played, for `simulation_seconds`.
    An uploaded bundle may be of `audit_bytes`; its audit may take `audit_seconds`.
    Defaults are the service's, not in the source texts.
    """

    body_bytes: int = 1 << 20
    """The most bytes of a request body; a longer one is answered 413."""
    json_depth: int = 64
    """How deeply arrays and objects of a body may be nested; the outermost counts as 1."""
    actions_per_list: int = 32
    """The most actions of one list."""
    events_per_page: int = 500
    """The most events of one page; a greater `limit` gets so many."""
    wait_seconds: int = 30
    """The longest wait of a long poll, in seconds; a greater `wait` is cut to this."""
    previews_per_minute: int = 600
    """Previews a minute of one caller, in the long run, by each process."""
    preview_burst: int = 60
    """Previews that a caller who made none of late may ask for at once."""
    request_seconds: int = 30
    """Seconds within which a request must have arrived whole."""
    requests_at_once: int = 1_000
    """Requests a process works on at once; more are refused with 503. Waiting long polls are not
    counted."""
    requests_per_minute: int = 120_000
    """Requests a minute of one key, in the long run, by each process."""
    request_burst: int = 12_000
    """Requests that a key may send at once after a pause."""
    seat_requests_per_minute: int = 1_200
    """Requests a minute of a seat by its own token, in the long run, by each process."""
    seat_request_burst: int = 120
    """Requests that a seat by its own token may send at once after a pause."""
    streams_at_once: int = 10_000
    """Streams and sockets a process keeps open; more are refused with 503."""
    streams_per_caller: int = 100
    """Streams and sockets one caller may keep open at a process; more are refused with 429."""
    joins_per_minute: int = 20
    """Tries a minute of invitation codes from one address, by each process; a wrong code counts as
    several."""
    handshakes_per_minute: int = 300
    """Handshakes of sockets a minute from one address that fail, by each process."""
    unfinished_bytes: int = 64 << 20
    """Bytes a process keeps of all bodies that are not whole yet; more are refused with 503."""
    unfinished_bytes_per_caller: int = 16 << 20
    """Bytes a process keeps of one caller's bodies that are not whole yet; more are refused with
    429."""
    forks: int = 100
    """The most forks of one battle, ended ones and those of its forks included; a further one is
    refused with 409. A fork counts until it is deleted."""
    seat_forks: int = 10
    """How many of these one seat may have made by its own token."""
    seat_forks_per_day: int = 50
    """How many forks one seat may make by its own token on one day (UTC), deleted ones included; a
    further one is refused with 429."""
    notes_per_minute: int = 60
    """Notes a minute of one key or seat, in the long run, by each process; a further one is refused
    with 429."""
    simulations: int = 1_000
    """The most battles that one request may have played to their end."""
    simulation_seconds: int = 300
    """The longest that this may take, in seconds; then the answer is of what was played."""
    audit_bytes: int = 128 << 20
    """The most bytes of a bundle that is uploaded to be audited; a longer one is answered 413."""
    audit_seconds: int = 300
    """Seconds that the audit of an uploaded bundle may take, its receipt included."""
