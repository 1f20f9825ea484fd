"""Settings of a service whose limits are far away: for tests that are about something else."""

from typing import Final

PLENTY: Final = {
    "WARLOG_REQUESTS_PER_MINUTE": "1000000000",
    "WARLOG_SEAT_REQUESTS_PER_MINUTE": "1000000000",
    "WARLOG_PREVIEWS_PER_MINUTE": "1000000",
    "WARLOG_JOINS_PER_MINUTE": "1000000",
    "WARLOG_HANDSHAKES_PER_MINUTE": "1000000",
    "WARLOG_NOTES_PER_MINUTE": "1000000",
    "WARLOG_STREAMS_PER_CALLER": "5000",
    "WARLOG_REQUEST_SECONDS": "3600",
}
"""A test that is about one of these limits sets it, as it sets any other."""
