"""What statistics of dice say to people: small samples are not read, many are read as many."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from service.replay.report.chances import Remark
from service.replay.report.tails import MILLION
from service.replay.report.verdicts import DieStatistics

UNUSUAL: Final = MILLION // 20
RARE: Final = MILLION // 1000

_TOO_FEW: Final = Remark(
    en="Nobody threw 30 dice of one kind: too few to say whether they were lucky.",
    ru="Никто не бросил 30 костей одного вида: слишком мало, чтобы говорить об удаче.",
)
_ORDINARY: Final = Remark(en="That is nothing unusual.", ru="В этом нет ничего необычного.")
_UNUSUAL: Final = Remark(
    en="That is unusual and still chance: about one battle in twenty looks like this.",
    ru="Это необычно, но всё ещё случайность: так выглядит примерно один бой из двадцати.",
)
_RARE: Final = Remark(
    en="That is rare. By itself it proves nothing: the seed does, where it was checked.",
    ru="Это редкость. Само по себе это ничего не доказывает: доказывает проверенное зерно.",
)


def remark_on(statistics: Sequence[DieStatistics]) -> Remark:
    """A remark on statistics, of which there are some."""
    chances = [
        (each.chance.millionths, each.seat, each.sides)
        for each in statistics
        if each.chance is not UNSET
    ]
    if not chances:
        return _TOO_FEW
    least, seat, sides = min(chances)
    among_all = min(len(chances) * least, MILLION)
    verdict = conclusion(among_all)
    one, any_ = percent(least), percent(among_all)
    few = len(statistics) - len(chances)
    return Remark(
        en=(
            f"Looked at: {len(chances)} kinds of dice (a seat and a size) of which 30 or more were"
            f" thrown; of {few} more too few to say. Furthest off is the mean of {seat}, d{sides}:"
            f" fair dice are as far off in {one} of cases, and at least one of the kinds looked at"
            f" in at most {any_}. {verdict.en}"
        ),
        ru=(
            f"Рассмотрено видов костей (место и число граней), брошенных 30 раз и чаще:"
            f" {len(chances)}; ещё видов, о которых судить рано: {few}. Дальше всего от ожидаемого"
            f" среднее {seat}, d{sides}: у честных костей такое бывает в {comma(one)} случаев, а"
            f" хотя бы у одного из рассмотренных видов - не чаще чем в {comma(any_)}."
            f" {verdict.ru}"
        ),
    )


def conclusion(millionths: int) -> Remark:
    """What a probability comes to, once all that was looked at is counted."""
    if millionths >= UNUSUAL:
        return _ORDINARY
    return _UNUSUAL if millionths >= RARE else _RARE


def percent(millionths: int) -> str:
    """A probability in per cent, to a tenth."""
    tenths = millionths // 1000
    return f"{tenths // 10}.{tenths % 10}%" if tenths else "less than 0.1%"


def comma(percentage: str) -> str:
    """A percentage as it is written in Russian."""
    return percentage.replace("less than", "менее").replace(".", ",").replace("%", " %")
