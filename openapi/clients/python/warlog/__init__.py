"""Warlog's client for Python: battles called, followed and kept up to date, without a rule.

`Warlog` and `Battle` block, `AsyncWarlog` and `AsyncBattle` are awaited; they do the same.
"""

from warlog.answers import (
    ActionsAnswer,
    CreatedAnswer,
    EncounterPage,
    EncounterView,
    EventPage,
    ForkAnswer,
    InspectionAnswer,
    Invitation,
    JoinAnswer,
    KeySet,
    MyBattle,
    MyKey,
    MySeat,
    PreviewAnswer,
    SeatAnswer,
    SeatList,
    SeatView,
    SimulationAnswer,
    TimersAnswer,
)
from warlog.awaiting import AsyncBattle, AsyncWarlog
from warlog.blocking import Battle, Warlog
from warlog.caller import Patience, new_key
from warlog.json_patch import PatchFailed, PatchStep, patched
from warlog.legal_actions import Choice, Domain, LegalActor, LegalNode, LegalTree, NotListed
from warlog.problems import Problem, UnexpectedAnswer, Unreachable, WarlogError
from warlog.records import (
    Bye,
    Decision,
    Event,
    Heartbeat,
    Hello,
    Presence,
    Receipt,
    Record,
    Resync,
    Status,
    Timer,
    Timers,
)
from warlog.service_calls import new_token
from warlog.verifier.bundle_events import BundleEvent, read_bundle
from warlog.verifier.ed25519 import MissingLibrary
from warlog.verifier.receipts import Head, kept_receipts
from warlog.verifier.report import Finding, KeptReport, Progress, Report
from warlog.verifier.verification import verify

__all__ = [
    "ActionsAnswer",
    "AsyncBattle",
    "AsyncWarlog",
    "Battle",
    "BundleEvent",
    "Bye",
    "Choice",
    "CreatedAnswer",
    "Decision",
    "Domain",
    "EncounterPage",
    "EncounterView",
    "Event",
    "EventPage",
    "Finding",
    "ForkAnswer",
    "Head",
    "Heartbeat",
    "Hello",
    "InspectionAnswer",
    "Invitation",
    "JoinAnswer",
    "KeptReport",
    "KeySet",
    "LegalActor",
    "LegalNode",
    "LegalTree",
    "MissingLibrary",
    "MyBattle",
    "MyKey",
    "MySeat",
    "NotListed",
    "PatchFailed",
    "PatchStep",
    "Patience",
    "Presence",
    "PreviewAnswer",
    "Problem",
    "Progress",
    "Receipt",
    "Record",
    "Report",
    "Resync",
    "SeatAnswer",
    "SeatList",
    "SeatView",
    "SimulationAnswer",
    "Status",
    "Timer",
    "Timers",
    "TimersAnswer",
    "UnexpectedAnswer",
    "Unreachable",
    "Warlog",
    "WarlogError",
    "kept_receipts",
    "new_key",
    "new_token",
    "patched",
    "read_bundle",
    "verify",
]
__version__ = "1.1.0"
