"""The options of `warlog audit`, as its help describes them."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Narrated(StrEnum):
    """Languages of the narration."""

    EN = "en"
    RU = "ru"


Target = Annotated[
    str | None,
    typer.Argument(help="A bundle's file (- for standard input), or an encounter's id."),
]
Everything = Annotated[
    bool, typer.Option("--all", help="Audit every stored encounter of every tenant.")
]
DemandedKey = Annotated[
    str | None,
    typer.Option(help="The key (64 hex digits) that receipts must be signed with."),
]
Keys = Annotated[
    str | None,
    typer.Option(
        metavar="URL|FILE",
        help="The service's published keys, one of which receipts must be signed with.",
    ),
]
Heads = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEQ-HASH",
        help="A head that the log once had, as a client noted it; repeatable.",
    ),
]
Receipts = Annotated[
    Path | None,
    typer.Option(
        help="A file of receipts that a client kept, one to a line, to hold against the log;"
        " without a target, against the log of every encounter that they name."
    ),
]
OfRuleset = Annotated[
    str | None, typer.Option(help="With --all: encounters of this ruleset alone.")
]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="MOMENT",
        help="With --all: encounters whose last event is not older, such as 2026-11-01 or"
        " 2026-11-01T18:00:00Z; in UTC unless it says otherwise.",
    ),
]
OtherVersion = Annotated[
    str | None,
    typer.Option(
        metavar="VERSION",
        help="Decide every event under another version of its ruleset, and say what would change.",
    ),
]
Processes = Annotated[
    int | None,
    typer.Option(min=1, max=256, help="With --all: how many at once; all cores by default."),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="With --all: go on from what this file says was judged, and keep the rest there.",
    ),
]
WithLuck = Annotated[
    bool,
    typer.Option(
        "--luck",
        help="Also tell how rolls came out against the odds that previews would have shown.",
    ),
]
Include = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS",
        help="Tell of each event of a file: verdict, narration, and with --json state, table,"
        " scene and explanation; with commas between.",
    ),
]
Viewpoint = Annotated[
    str | None,
    typer.Option(
        help="Whose view that is: gm, everyone (what an observer sees) or a side; with commas"
        " between."
    ),
]
NarrationLanguage = Annotated[
    Narrated, typer.Option(help="The language of narration and explanation.")
]
