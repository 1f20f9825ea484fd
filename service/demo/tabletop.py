"""A virtual tabletop's side of the interface: one encounter over HTTP, as a seat or as the GM.

All of it goes through the published client, which retries and makes the keys.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from warlog import Battle, UnexpectedAnswer, Warlog

Json = dict[str, Any]


class RemoteTable:
    """One encounter. `seat` None is the game master. Each call raises `warlog.WarlogError`."""

    def __init__(self, warlog: Warlog) -> None:
        self._warlog = warlog
        self.encounter = ""
        self.title = ""
        self.version = 0
        self._request: Mapping[str, object] = {}

    def create(self, request: Mapping[str, object]) -> Json:
        """Create the encounter, which everything else is about; event 1 as the GM sees it."""
        created = self._warlog.create_encounter(request)
        self.encounter, self.version = created.encounter, created.view.seq
        self.title = str(request["title"])
        self._request = request
        return created.events[0].told

    def act(self, action: Mapping[str, object], seat: str | None = None) -> Json:
        """Post an action as a seat; give its event as the GM sees it."""
        self.version = self._as().act(action, by=seat).version
        return self._as().event(self.version).told

    def preview(self, action: Mapping[str, object], seat: str | None = None) -> Json:
        """What an action would do, as far as this seat may know; nothing is drawn."""
        preview: Json = msgspec.to_builtins(self._as().preview(action, by=seat))
        return preview

    def legal(self, combatant: str, seat: str | None = None) -> dict[str, Json]:
        """What a combatant may do now, by the type of action."""
        return self.legal_of(seat, combatant=combatant)

    def legal_of(
        self,
        seat: str | None = None,
        *,
        combatant: str | None = None,
        unit: str | None = None,
        side: str | None = None,
    ) -> dict[str, Json]:
        """What a `combatant`, a `unit` or a `side` may do now, by the type of action."""
        tree = self._as().legal_actions(combatant=combatant, unit=unit, side=side, by=seat)
        return {node.type: node.raw for node in tree.actions}

    def view(self, seat: str | None = None) -> Json:
        """The state now as this seat sees it."""
        return self._as(seat).read().state

    def scene(self) -> str:
        """The scene as the GM sees it, drawn in characters."""
        return self._as().sketch()

    def content(self, digest: str) -> Json:
        """The map or the content that an event names by its digest."""
        return self._as().read_map(digest=digest)

    def inspection(self, name: str, seat: str | None = None, **query: str) -> Json:
        """The answer to a question about the table that is no action."""
        answer: Json = self._as(seat).inspect(name, **query).answer
        return answer

    def decisions(self) -> list[Json]:
        """The open decisions."""
        decisions: list[Json] = msgspec.to_builtins(self._as().read().decisions)
        return decisions

    def seats(self) -> list[Json]:
        """All seats."""
        seats: list[Json] = msgspec.to_builtins(self._as().seats().seats)
        return seats

    def waits_for(self, seat: str) -> bool:
        """Whether the battle waits for this seat, to act or to answer."""
        mine = self._as(seat).mine()
        return mine is not None and mine.is_my_move

    def invitation(self, seat: str) -> str:
        """The link by which somebody comes to a seat, once."""
        invitation = self._as().invite(seat).invitation
        if invitation is None:
            raise UnexpectedAnswer("the invitation was shown before")
        return invitation.link

    def once_more(self, seats: list[Json]) -> "RemoteTable":
        """The same battle from its start, with these seats and its own dice.

        A fork would leave all free text behind, and with it the names.
        """
        again = RemoteTable(self._warlog)
        again.create({**self._request, "seats": seats})
        again.act({"type": "start_encounter"})
        return again

    def bundle(self) -> Iterator[bytes]:
        """The bytes of the bundle as they come."""
        return self._as().bundle()

    def _as(self, seat: str | None = None) -> Battle:
        return self._warlog.battle(self.encounter, seat=seat)
