"""A virtual tabletop's side of the interface: one encounter over HTTP, as a seat or as the GM."""

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import uuid4

import httpx

Json = dict[str, Any]
SEAT_HEADER: Final = "Warlog-Seat"
ASK_AGAIN: Final = (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE)
PATIENCE: Final = 10
"""How often something is asked before giving up; the same key keeps it from happening twice."""


class UnexpectedAnswer(Exception):
    """The service said no where the demonstration counts on a yes; the text is its problem."""


class RemoteTable:
    """One encounter. `seat` None is the game master."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self.encounter = ""
        self.version = 0

    def create(self, request: Mapping[str, object]) -> Json:
        """Create the encounter; everything else is about it."""
        answer = self._json("POST", "/v1/encounters", key=True, json=dict(request))
        self.encounter = str(answer["encounter"])
        self.version = int(answer["view"]["seq"])
        return answer

    def act(self, action: Mapping[str, object], seat: str | None = None) -> Json:
        """Post an action as a seat; give its event as the GM sees it.

        Every post has a key of its own, so that sending it again would not do it twice.
        """
        path = f"{self._path}/actions"
        answer = self._json("POST", path, seat=seat, key=True, json={"action": dict(action)})
        self.version = int(answer["version"])
        record = self._json("GET", f"{self._path}/events/{self.version}")
        event: Json = record.get("seen") or record["event"]
        return event

    def preview(self, action: Mapping[str, object], seat: str | None = None) -> Json:
        """What an action would do, as far as this seat may know; nothing is drawn."""
        body = {"action": dict(action)}
        return self._json("POST", f"{self._path}/preview", seat=seat, json=body)

    def legal(self, combatant: str, seat: str | None = None) -> dict[str, Json]:
        """What a combatant may do now, by the type of action."""
        return self.legal_of(seat, combatant=combatant)

    def legal_of(self, seat: str | None = None, **actor: str) -> dict[str, Json]:
        """What a `combatant`, a `unit` or a `side` may do now, by the type of action."""
        answer = self._json("GET", f"{self._path}/legal-actions", seat=seat, params=actor)
        return {str(node["type"]): node for node in answer["actions"]}

    def view(self, seat: str | None = None, at: int | None = None) -> Json:
        """The state now, or after event `at`, as this seat sees it."""
        params = {} if at is None else {"at": at}
        return self._json("GET", self._path, seat=seat, params=params)

    def scene(self, seat: str | None = None) -> str:
        """The scene as this seat sees it, drawn in characters."""
        answer = self._sent("GET", f"{self._path}/scene", seat=seat, accept="text/plain")
        return answer.text

    def inspection(self, name: str, seat: str | None = None, **query: str) -> Json:
        """The answer to a question about the table that is no action."""
        path = f"{self._path}/inspections/{name}"
        answer: Json = self._json("GET", path, seat=seat, params=query)["answer"]
        return answer

    def decisions(self, seat: str | None = None) -> list[Json]:
        """The open decisions that this seat sees."""
        decisions: list[Json] = self.view(seat)["decisions"]
        return decisions

    def audit(self, seat: str | None = None) -> Json:
        """The service's own audit."""
        return self._json("GET", f"{self._path}/audit", seat=seat)

    def bundle(self) -> Iterator[bytes]:
        """The bytes of the bundle as they come."""
        with self._client.stream("GET", f"{self._path}/bundle") as answer:
            if answer.status_code != httpx.codes.OK:
                answer.read()
                raise UnexpectedAnswer(answer.text)
            yield from answer.iter_bytes()

    @property
    def _path(self) -> str:
        return f"/v1/encounters/{self.encounter}"

    def _json(
        self,
        method: str,
        path: str,
        *,
        seat: str | None = None,
        key: bool = False,
        json: object = None,
        params: Mapping[str, str | int] | None = None,
    ) -> Json:
        answer: Json = self._sent(method, path, seat=seat, key=key, json=json, params=params).json()
        return answer

    def _sent(
        self,
        method: str,
        path: str,
        *,
        seat: str | None = None,
        key: bool = False,
        json: object = None,
        params: Mapping[str, str | int] | None = None,
        accept: str = "application/json",
    ) -> httpx.Response:
        headers = {"Accept": accept} | ({} if seat is None else {SEAT_HEADER: seat})
        if key:
            headers["Idempotency-Key"] = uuid4().hex
        request = self._client.build_request(
            method, path, headers=headers, json=json, params=params
        )
        answer = self._client.send(request)
        for _ in range(PATIENCE):
            if answer.status_code not in ASK_AGAIN:
                break
            time.sleep(float(answer.headers.get("Retry-After", "1")))
            answer = self._client.send(request)
        if not answer.is_success:
            raise UnexpectedAnswer(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer
