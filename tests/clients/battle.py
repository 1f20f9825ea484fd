"""A battle of each ruleset, played by the client that openapi-python-client generates.

Run with the address of the service, a key and a file of creations; writes one line of JSON for
each battle. It is read by mypy together with the generated package, not by the project's own run.
"""

import json
import sys
from itertools import count
from pathlib import Path
from uuid import UUID

from warlog_client import AuthenticatedClient
from warlog_client.api.encounters import create_encounter, read_encounter
from warlog_client.api.play import act, list_legal_actions
from warlog_client.api.proof import audit_encounter
from warlog_client.models import (
    ActionItem,
    AuditReport,
    CrossfireD6ActionItem,
    CrossfireD6ActionsAnswer,
    CrossfireD6CreatedAnswer,
    CrossfireD6CreateRequest,
    CrossfireD6EncounterView,
    CrossfireD6LegalAnswer,
    EndEncounter,
    EndEncounterOpen,
    EndEncounterReveal,
    MelodyD6ActionItem,
    MelodyD6ActionsAnswer,
    MelodyD6CreatedAnswer,
    MelodyD6CreateRequest,
    MelodyD6EncounterView,
    MelodyD6LegalAnswer,
    SeekerD100ActionItem,
    SeekerD100ActionsAnswer,
    SeekerD100CreatedAnswer,
    SeekerD100CreateRequest,
    SeekerD100EncounterView,
    SeekerD100LegalAnswer,
    SquadD100ActionItem,
    SquadD100ActionsAnswer,
    SquadD100CreatedAnswer,
    SquadD100CreateRequest,
    SquadD100EncounterView,
    SquadD100LegalAnswer,
    StartEncounter,
    TacticalD20ActionItem,
    TacticalD20ActionsAnswer,
    TacticalD20CreatedAnswer,
    TacticalD20CreateRequest,
    TacticalD20EncounterView,
    TacticalD20LegalAnswer,
)
from warlog_client.types import Unset

LONGEST = 40

Creation = (
    CrossfireD6CreateRequest
    | MelodyD6CreateRequest
    | SeekerD100CreateRequest
    | SquadD100CreateRequest
    | TacticalD20CreateRequest
)
Created = (
    CrossfireD6CreatedAnswer
    | MelodyD6CreatedAnswer
    | SeekerD100CreatedAnswer
    | SquadD100CreatedAnswer
    | TacticalD20CreatedAnswer
)
Item = (
    ActionItem
    | CrossfireD6ActionItem
    | MelodyD6ActionItem
    | SeekerD100ActionItem
    | SquadD100ActionItem
    | TacticalD20ActionItem
)
Accepted = (
    CrossfireD6ActionsAnswer
    | MelodyD6ActionsAnswer
    | SeekerD100ActionsAnswer
    | SquadD100ActionsAnswer
    | TacticalD20ActionsAnswer
)
View = (
    CrossfireD6EncounterView
    | MelodyD6EncounterView
    | SeekerD100EncounterView
    | SquadD100EncounterView
    | TacticalD20EncounterView
)
Legal = (
    CrossfireD6LegalAnswer
    | MelodyD6LegalAnswer
    | SeekerD100LegalAnswer
    | SquadD100LegalAnswer
    | TacticalD20LegalAnswer
)


class Refused(Exception):
    """A call that has to succeed did not."""


class Battle:
    """One encounter."""

    def __init__(self, client: AuthenticatedClient, creation: Creation) -> None:
        self.client = client
        self.keys = (f"python-{creation.ruleset}-{number}" for number in count())
        created = create_encounter.sync(
            client=client, body=creation, idempotency_key=next(self.keys)
        )
        if not isinstance(created, Created):
            raise Refused(created)
        assert created.ruleset == creation.ruleset
        self.encounter = UUID(created.encounter)

    def act(self, item: Item) -> None:
        """Take one action."""
        done = act.sync(
            self.encounter, client=self.client, body=item, idempotency_key=next(self.keys)
        )
        if not isinstance(done, Accepted):
            raise Refused(done)
        for record in done.events:
            assert record.event.effects, "an event without effects"

    def play(self) -> AuditReport:
        """Play it with actions that the service says are legal, end it, and audit it."""
        self.act(ActionItem(action=StartEncounter(type_="start_encounter")))
        for _ in range(LONGEST):
            view = read_encounter.sync(self.encounter, client=self.client)
            if not isinstance(view, View):
                raise Refused(view)
            asked = [each.combatant for each in view.decisions]
            combatant = asked[0] if asked else view.state.turn
            if view.state.status != "running":
                break
            item = self.chosen(combatant)
            if item is None:
                break
            self.act(item)
        end = EndEncounter(
            type_="end_encounter", reveal=EndEncounterReveal.NOW, open_=EndEncounterOpen.ALL
        )
        self.act(ActionItem(action=end))
        report = audit_encounter.sync(self.encounter, client=self.client)
        if not isinstance(report, AuditReport):
            raise Refused(report)
        return report

    def chosen(self, combatant: str | Unset) -> Item | None:
        """One of the actions that a combatant may take now, or anybody where none has the turn."""
        legal = list_legal_actions.sync(
            self.encounter, client=self.client, combatant=combatant, sample=1
        )
        if not isinstance(legal, Legal):
            raise Refused(legal)
        return item_of(legal)


def item_of(legal: Legal) -> Item | None:
    """The first sample as an action of its ruleset, if there is one."""
    match legal:
        case CrossfireD6LegalAnswer(samples=[shot, *_]):
            return CrossfireD6ActionItem(ruleset=legal.ruleset, action=shot)
        case MelodyD6LegalAnswer(samples=[deed, *_]):
            return MelodyD6ActionItem(ruleset=legal.ruleset, action=deed)
        case SeekerD100LegalAnswer(samples=[strike, *_]):
            return SeekerD100ActionItem(ruleset=legal.ruleset, action=strike)
        case SquadD100LegalAnswer(samples=[order, *_]):
            return SquadD100ActionItem(ruleset=legal.ruleset, action=order)
        case TacticalD20LegalAnswer(samples=[attack, *_]):
            return TacticalD20ActionItem(ruleset=legal.ruleset, action=attack)
        case _:
            return None


def creation_of(tree: dict[str, object]) -> Creation:
    """A creation, read as its ruleset's."""
    kinds: dict[object, type[Creation]] = {
        "crossfire-d6": CrossfireD6CreateRequest,
        "melody-d6": MelodyD6CreateRequest,
        "seeker-d100": SeekerD100CreateRequest,
        "squad-d100": SquadD100CreateRequest,
        "tactical-d20": TacticalD20CreateRequest,
    }
    return kinds[tree["ruleset"]].from_dict(tree)


def main() -> None:
    """Play all the battles."""
    url, token, creations = sys.argv[1:]
    with AuthenticatedClient(base_url=url, token=token) as client:
        for tree in json.loads(Path(creations).read_text(encoding="utf-8")):
            report = Battle(client, creation_of(tree)).play()
            counts = report.counts.additional_properties
            sys.stdout.write(json.dumps({"ruleset": tree["ruleset"], "counts": counts}) + "\n")


if __name__ == "__main__":
    main()
