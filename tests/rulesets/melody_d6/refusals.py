"""What requirements refuse, as tests compare it."""

from collections.abc import Callable

from service.errors import Refused

Refusal = tuple[str, str | None, dict[str, object]]


def refusal(require: Callable[[], None]) -> Refusal | None:
    """The code, rule and parameters of a refusal; None if the requirement lets it pass."""
    try:
        require()
    except Refused as refused:
        return refused.code, refused.rule, refused.params
    return None
