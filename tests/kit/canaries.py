"""Words that are hidden in a battle and must come out nowhere."""

from typing import Any, Final

GHOST: Final = "canary-ghost"
LATE: Final = "canary-late"
TAGS: Final[dict[str, Any]] = {"Of.The Module": [1.5, None, "canary's nest"]}
TIMES: Final = {"turn_seconds": 3600, "decision_seconds": 3600, "attack_reveals": False}
GHOSTLY: Final[dict[str, Any]] = {"name": "The canary", "hidden": True, "metadata": TAGS}
LATECOMER: Final[dict[str, Any]] = GHOSTLY | {"name": "Canary the second"}
