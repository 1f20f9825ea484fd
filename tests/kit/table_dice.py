"""What a table that rolls its own dice is asked, how it answers, and that its log is sound."""

from typing import Any

from service.replay.audit.bundle_audit import audit_bundle
from service.rulesets import RULESETS
from tests.kit.draw_names import require_named_draws
from tests.kit.table import Table
from tests.replay.memory_audit import bundle_of


def roll_question(table: Table, by: str) -> Any:
    """The one question of the top group as somebody sees it."""
    [question] = table.view(by)["pending"][-1]["decisions"]
    return question


def roll_answer(table: Table) -> dict[str, Any]:
    """The answer to the one question for dice; the faces come next to it."""
    [decision] = table.state.rule.pending[-1].decisions
    return {"type": "answer", "decision_id": decision.id, "choice": {"type": "roll"}}


def require_sound(table: Table) -> None:
    """Each draw is named once, for everybody, and the log decides to the same again."""
    require_named_draws(table)
    report = audit_bundle(bundle_of(table), RULESETS)
    assert report.clean, report.first_failure
