"""CF-HELP: targets that cannot defend themselves."""

from typing import Final

CF_HELP_1: Final = "CF-HELP-1"


def is_automatic_critical(*, is_melee: bool, is_helpless: bool) -> bool:
    """CF-HELP-1: a melee attack on a helpless target is a critical hit without any attack roll.

    A shot at a helpless target is rolled like any other.
    Source: the melee table's row "Беспомощная цель: Автокрит".
    """
    return is_melee and is_helpless
