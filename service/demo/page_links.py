"""Links to the pages for a battle that was played: look at it, play it again, watch that.

How this works. The battle is over and all of it is open, so any of its seats may look at every
roll. To be played it is created once more, with its own dice, the same players and a seat for
the big screen.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from service.demo.tabletop import RemoteTable

SCREEN = "screen"
"""The seat of whoever only watches."""
_KEPT = ("id", "role", "sides", "combatants", "name")


class PageLinks(Struct, frozen=True, kw_only=True):
    """Three links with a code each, good once; the phone is the player's who moves first."""

    player: str
    phone: str
    replay: str
    watch: str


def links_to(played: RemoteTable) -> PageLinks:
    """Links for a battle that is over. Raises WarlogError."""
    seats = played.seats()
    players = [
        {field: seat[field] for field in _KEPT if field in seat}
        for seat in seats
        if seat["role"] == "player"
    ]
    screen = {"id": SCREEN, "role": "observer"}
    again = played.once_more([*players, screen])
    moving = next((each for each in players if again.waits_for(each["id"])), players[0])
    return PageLinks(
        player=str(moving.get("name", moving["id"])),
        phone=f"{again.invitation(str(moving['id']))}&to=play",
        replay=f"{played.invitation(str(seats[0]['id']))}&to=replay",
        watch=f"{again.invitation(SCREEN)}&to=watch",
    )


def is_of_this_machine(link: str) -> bool:
    """Whether a link leads to the machine that opens it, whichever that is."""
    host = urlsplit(link).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
