"""What luck says to people: small samples are not read, many are read as many."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from service.replay.report.chances import Remark
from service.replay.report.dice_remark import comma, conclusion, percent
from service.replay.report.luck import SeatLuck
from service.replay.report.tails import MILLION

_TOO_FEW: Final = Remark(
    en="No seat has 30 rolls of known odds: too few to say who was lucky.",
    ru="Ни у кого нет 30 бросков с известными шансами: слишком мало, чтобы судить об удаче.",
)


def remark_on(seats: Sequence[SeatLuck]) -> Remark:
    """A remark on the luck of seats."""
    chances = [(each.chance.millionths, each.seat) for each in seats if each.chance is not UNSET]
    if not chances:
        return _TOO_FEW
    least, seat = min(chances)
    among_all = min(len(chances) * least, MILLION)
    verdict = conclusion(among_all)
    one, any_ = percent(least), percent(among_all)
    return Remark(
        en=(
            f"Looked at: {len(chances)} seats with 30 or more rolls of known odds. Furthest off is"
            f" {seat}: chance alone is as far off in {one} of cases, and for at least one of the"
            f" seats looked at in at most {any_}. {verdict.en}"
        ),
        ru=(
            f"Рассмотрено мест, у которых 30 и больше бросков с известными шансами: {len(chances)}."
            f" Дальше всего от ожидаемого {seat}: случайно такое бывает в {comma(one)} случаев, а"
            f" хотя бы у одного из рассмотренных мест - не чаще чем в {comma(any_)}. {verdict.ru}"
        ),
    )
