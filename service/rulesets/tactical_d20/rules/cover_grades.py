"""TD-COVER-2, -5, -6: what each grade of cover gives, and that only the best counts."""

from typing import Final, NamedTuple

from service.rulesets.tactical_d20.rules.words import CoverGrade, FeatureGrade

TD_COVER_2: Final = "TD-COVER-2"
TD_COVER_5: Final = "TD-COVER-5"
TD_COVER_6: Final = "TD-COVER-6"


class Bonus(NamedTuple):
    """Points that cover gives to armour class and to the Reflex save."""

    ac: int
    reflex: int


NOTHING: Final = Bonus(0, 0)


def normal_bonus() -> Bonus:
    """TD-COVER-2: normal cover gives four points of armour class and two of Reflex.

    Against attacks from the other side of it.
    Source: «бонусы +4 к КБ и +2 к испытаниям Реакции».
    """
    return Bonus(4, 2)


def limited(bonus: Bonus) -> Bonus:
    """TD-COVER-5: partial cover gives at most two points of armour class and one of Reflex.

    Of obstacles declared partial, or (`line_count`) where exactly one of the four lines from the
    corner meets anything.
    Source: «видно более чем наполовину … всего +2 к КБ и +1 к испытаниям Реакции».
    """
    return Bonus(min(bonus.ac, 2), min(bonus.reflex, 1))


def doubled(bonus: Bonus) -> Bonus:
    """TD-COVER-6: improved cover gives twice as much.

    Several sources do not add: the best armour class counts and, by itself, the best Reflex.
    Source: «модификаторы укрытия удваиваются (до +8 к КБ и +4 …)».
    """
    return Bonus(2 * bonus.ac, 2 * bonus.reflex)


_BY_GRADE: Final[dict[CoverGrade, Bonus]] = {
    "none": NOTHING,
    "partial": limited(normal_bonus()),
    "normal": normal_bonus(),
    "improved": doubled(normal_bonus()),
    "total": doubled(normal_bonus()),
}

_RULES: Final[dict[FeatureGrade, str]] = {
    "partial": TD_COVER_5,
    "normal": TD_COVER_2,
    "improved": TD_COVER_6,
}

_GRADES: Final[dict[int, CoverGrade]] = {0: "none", 2: "partial", 4: "normal", 8: "improved"}


def bonus_of(grade: CoverGrade) -> Bonus:
    """What a grade gives; total cover, where a save is asked for at all, as improved."""
    return _BY_GRADE[grade]


def rule_of(grade: FeatureGrade) -> str:
    """The rule from which the cover of this grade follows."""
    return _RULES[grade]


def grade_of(ac: int) -> CoverGrade:
    """The grade that gives so much to armour class."""
    return _GRADES[ac]
