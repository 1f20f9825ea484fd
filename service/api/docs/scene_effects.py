"""What every effect changes of a scene, in its neutral terms: for whoever draws scenes himself.

A part is named by its path in the type `Scene`. Where a part changes in some rulebooks alone,
these are named. `bounds` is not shown effect by effect: where a map states none, it is the
rectangle round all that is seen and follows whatever appears, goes and moves.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

CF: Final = "crossfire-d6"
ML: Final = "melody-d6"
SK: Final = "seeker-d100"
SQ: Final = "squad-d100"
TD: Final = "tactical-d20"

EVERY: Final = ()
"""In every rulebook that has the effect."""

Parts = Mapping[str, tuple[str, ...]]
"""Parts of a scene -> the rulebooks in which the effect changes them, EVERY for all."""


class SceneEffect(Struct, frozen=True, kw_only=True):
    """What of a scene an effect may change, and how; a whole scene is to be drawn again."""

    effect: str
    """Type of the effect."""
    en: str = ""
    """What to do about it, in English; nothing where there is nothing to do."""
    ru: str = ""
    """The same in Russian."""
    appears: Parts = {}
    """Arrays in which something comes."""
    changes: Parts = {}
    """Parts that are other than before."""
    goes: Parts = {}
    """Arrays in which something goes."""
    is_whole: bool = False
    """Whether anything may appear, change and go, so that the scene is to be fetched again."""


SCENE_EFFECTS: Final[tuple[SceneEffect, ...]] = (
    # --- the encounter --------------------------------------------------------------------------
    SceneEffect(
        effect="encounter_created",
        is_whole=True,
        en="The first scene: ground, unit, grid or points, bounds. The combatants follow as"
        " `combatant_added` of the same event; a fork brings all of them along.",
        ru="Первая сцена: местность, единица, клетки или точки, границы. Бойцы приходят следом, в"
        " `combatant_added` того же события; ветвь приносит всех сразу.",
    ),
    SceneEffect(effect="encounter_started"),
    SceneEffect(
        effect="encounter_ended",
        is_whole=True,
        en="Nothing if `opened` is `none`. Otherwise hidden parts are open from now on: whoever is"
        " not the game master gets a fuller scene, also of every earlier event.",
        ru="Ничего, если `opened` — `none`. Иначе с этого момента открыты скрытые части: у всех,"
        " кто не ведущий, сцена полнее, и для каждого прежнего события тоже.",
    ),
    SceneEffect(effect="contributed"),
    SceneEffect(
        effect="seed_revealed",
        is_whole=True,
        en="As `encounter_ended`: nothing, unless `opened` opens hidden parts.",
        ru="Как `encounter_ended`: ничего, если `opened` не открывает скрытых частей.",
    ),
    SceneEffect(
        effect="parts_opened",
        is_whole=True,
        en="More hidden parts are open: whoever is not the game master gets a fuller scene, also"
        " of every earlier event.",
        ru="Открыто ещё больше скрытых частей: у всех, кто не ведущий, сцена полнее, и для каждого"
        " прежнего события тоже.",
    ),
    SceneEffect(
        effect="options_set",
        changes={"shapes": EVERY, "bounds": EVERY},
        en="With `map`: other ground, and other bounds. Draw the ground anew.",
        ru="С `map`: другая местность и другие границы. Местность рисуется заново.",
    ),
    # --- who takes part -------------------------------------------------------------------------
    SceneEffect(
        effect="combatant_added",
        appears={"combatants": EVERY},
        changes={"areas": (ML,)},
        en="Draw the combatant where its `place` is; without a place it stands nowhere yet. Who"
        " lies under a Melody in play is counted anew in `full` and `part`.",
        ru="Нарисуйте бойца там, где его `place`; без места он пока нигде не стоит. Кто лежит под"
        " Мелодией в игре, пересчитано в `full` и `part`.",
    ),
    SceneEffect(
        effect="combatant_removed",
        changes={"combatants[].has_turn": (ML,), "areas": (ML,), "lines": (ML,)},
        goes={"combatants": EVERY, "areas": (ML,)},
        en="Take the combatant away. Of Melodies it takes along those that it sang.",
        ru="Уберите бойца. Из Мелодий вместе с ним уходят те, что сыграл он.",
    ),
    SceneEffect(
        effect="revealed",
        appears={"combatants": EVERY, "areas": (ML,)},
        changes={
            "combatants[].hidden": EVERY,
            "combatants[].has_turn": (ML,),
            "areas": (ML,),
            "lines": (ML,),
        },
        en="For those who did not know of it: a combatant appears, stated whole in the effect,"
        " with the Melodies that it sings. For its own side and the game master: the sign of being"
        " hidden goes.",
        ru="Для тех, кто о бойце не знал: он появляется — в эффекте сказан весь — вместе с"
        " Мелодиями, которые сыграл. Для своей стороны и ведущего: пропадает знак скрытости.",
    ),
    SceneEffect(
        effect="hidden",
        changes={
            "combatants[].hidden": EVERY,
            "combatants[].has_turn": (ML,),
            "areas": (ML,),
            "lines": (ML,),
        },
        goes={"combatants": EVERY, "areas": (ML,)},
        en="For other sides the combatant goes, with the Melodies that it sings. Its own side and"
        " the game master see it marked as hidden.",
        ru="Для других сторон боец пропадает вместе с Мелодиями, которые сыграл. Своя сторона и"
        " ведущий видят на нём знак скрытости.",
    ),
    SceneEffect(effect="force_set"),
    SceneEffect(effect="unit_formed"),
    SceneEffect(
        effect="seat_changed",
        is_whole=True,
        en="For the seat that it names, and only if what it may know became other: hidden"
        " combatants, ground and health may appear or go. For all others nothing.",
        ru="Для места, которое названо, и только если изменилось, что ему можно знать: скрытые"
        " бойцы, местность и здоровье могут появиться или пропасть. Для остальных ничего.",
    ),
    SceneEffect(
        effect="control_changed",
        is_whole=True,
        en="For the seat that it names, as `seat_changed`: `knows` are the sides whose secrets it"
        " shares from now on.",
        ru="Для места, которое названо, как `seat_changed`: `knows` — стороны, чьи тайны ему"
        " теперь известны.",
    ),
    # --- turns ----------------------------------------------------------------------------------
    SceneEffect(effect="order_set"),
    SceneEffect(
        effect="round_began",
        changes={"combatants[].conditions": (SK,)},
        en="Who had lost its action gets it back, and the word for that goes.",
        ru="К бойцу возвращается потраченное действие, и слово об этом пропадает.",
    ),
    SceneEffect(
        effect="turn_began",
        changes={"combatants[].has_turn": EVERY, "combatants[].conditions": (ML,)},
        en="Mark those who may act now: the combatant, or the side named here. Whose turn it is"
        " may be hidden; then nobody is marked.",
        ru="Отметьте тех, кто теперь может действовать: бойца или названную сторону. Чей ход,"
        " может быть скрыто; тогда не отмечен никто.",
    ),
    SceneEffect(
        effect="turn_ended",
        changes={"combatants[].has_turn": EVERY},
        en="Nobody has the turn until the next `turn_began`.",
        ru="До следующего `turn_began` не ходит никто.",
    ),
    SceneEffect(
        effect="activation_began",
        changes={"combatants[].has_turn": EVERY},
        en="Of the side with the turn, the members of this unit alone are marked now.",
        ru="Из стороны, чей ход, отмечены теперь только бойцы этого отряда.",
    ),
    SceneEffect(
        effect="activation_ended",
        changes={"combatants[].has_turn": EVERY, "combatants[].conditions": EVERY},
        en="The whole side is marked again, and what held for this activation only is over.",
        ru="Отмечена снова вся сторона, а то, что держалось лишь эту активацию, кончилось.",
    ),
    SceneEffect(effect="unit_spent"),
    SceneEffect(effect="phase_changed"),
    # --- on the map -----------------------------------------------------------------------------
    SceneEffect(
        effect="moved",
        changes={
            "combatants[].x": EVERY,
            "combatants[].y": EVERY,
            "combatants[].elevation": (CF, TD),
            "areas": (ML,),
            "lines": (SK, SQ, TD),
        },
        en="Put the combatant at `end`. To animate it, lead it from `start` through `path`, which"
        " ends with `end`; with `placed` it is simply there. A line of an attack earlier in the"
        " same event follows; who lies under a Melody in play is counted anew in `full` and"
        " `part`.",
        ru="Поставьте бойца на `end`. Для анимации ведите его от `start` через `path`, который"
        " кончается в `end`; при `placed` он просто оказывается там. Линия атаки того же события"
        " следует за ним; кто лежит под Мелодией в игре, пересчитано в `full` и `part`.",
    ),
    SceneEffect(
        effect="faced",
        changes={"combatants[].facing": EVERY},
        en="Turn the combatant to `facing`.",
        ru="Поверните бойца в сторону `facing`.",
    ),
    SceneEffect(
        effect="posture_changed",
        changes={"combatants[].conditions": EVERY},
        en="A posture stands first among the conditions of a scene, unless it is the upright one.",
        ru="Поза стоит в сцене первой среди состояний, если она не прямая.",
    ),
    SceneEffect(
        effect="terrain_changed",
        changes={"shapes": EVERY},
        en="`changes` are the cells, borders or features as they are now. Shapes gather cells of"
        " one kind, so draw the ground anew.",
        ru="`changes` — клетки, границы или части местности, какие они теперь. Фигуры собирают"
        " клетки одного вида, поэтому местность рисуется заново.",
    ),
    SceneEffect(
        effect="marker_placed",
        appears={"areas": EVERY},
        en="A lasting Melody: an area of the kind `melody` stays until `marker_removed`.",
        ru="Длительная Мелодия: область вида `melody` лежит до `marker_removed`.",
    ),
    SceneEffect(
        effect="marker_removed",
        goes={"areas": EVERY},
        en="The area of that Melody goes.",
        ru="Область этой Мелодии пропадает.",
    ),
    SceneEffect(effect="song_dampening"),
    SceneEffect(effect="glyphs_folded"),
    SceneEffect(
        effect="map_stocked",
        en="The units of a map follow as `combatant_added`.",
        ru="Бойцы карты приходят следом, в `combatant_added`.",
    ),
    SceneEffect(
        effect="items_taken",
        en="The cell itself follows as `terrain_changed`.",
        ru="Сама клетка меняется следом, в `terrain_changed`.",
    ),
    SceneEffect(effect="gravity_set"),
    # --- attacks and checks ---------------------------------------------------------------------
    SceneEffect(effect="rolled"),
    SceneEffect(effect="check_resolved"),
    SceneEffect(
        effect="attack_resolved",
        appears={"lines": EVERY},
        changes={"shapes": (TD,)},
        en="A line of the kind `attack` from the attacker to the target, with `outcome`, if both"
        " are seen; it goes with the next event. In Tactical d20 also the lines that decided cover"
        " and concealment, and a cell that was attacked as a shape of the kind `attack_cell`.",
        ru="Линия вида `attack` от атакующего к цели, с `outcome`, если видны оба; со следующим"
        " событием она пропадает. В Tactical d20 ещё линии, решившие об укрытии и видимости, и"
        " клетка, по которой ударили, — фигура вида `attack_cell`.",
    ),
    SceneEffect(
        effect="area_resolved",
        appears={"areas": EVERY, "lines": (SK, SQ, TD)},
        en="The area of a burst, and the line of the throw or shot that led to it, if the attacker"
        " is seen; both go with the next event.",
        ru="Область взрыва и линия броска или выстрела к ней, если атакующий виден; со следующим"
        " событием пропадают обе.",
    ),
    SceneEffect(
        effect="hurt",
        changes={"combatants[].band": EVERY},
        en="`band` is the health in words now; who may not know it sees nothing change.",
        ru="`band` — здоровье словами теперь; кому его знать нельзя, тот перемены не видит.",
    ),
    SceneEffect(
        effect="healed",
        changes={"combatants[].band": EVERY},
        en="`band` is the health in words now; who may not know it sees nothing change.",
        ru="`band` — здоровье словами теперь; кому его знать нельзя, тот перемены не видит.",
    ),
    SceneEffect(
        effect="felled",
        changes={
            "combatants[].conditions": EVERY,
            "combatants[].is_out": EVERY,
            "combatants[].band": (ML,),
            "combatants[].has_turn": (ML,),
            "combatants[].markers": (ML,),
            "areas": (ML,),
        },
        en="`state` is a condition now, and the combatant takes no part any more: it stays in the"
        " scene with `is_out`.",
        ru="`state` становится состоянием, боец больше не участвует и остаётся в сцене с `is_out`.",
    ),
    SceneEffect(
        effect="condition_gained",
        changes={
            "combatants[].conditions": EVERY,
            "combatants[].markers": (ML,),
            "combatants[].is_out": (CF,),
        },
        en="The condition stands in `conditions`. A word for health, such as the state of someone"
        " out of action, also sets `is_out`.",
        ru="Состояние появляется в `conditions`. Слово о том, кто выбыл, ставит и `is_out`.",
    ),
    SceneEffect(
        effect="condition_lost",
        changes={
            "combatants[].conditions": EVERY,
            "combatants[].is_out": EVERY,
            "combatants[].markers": (ML,),
            "combatants[].has_turn": (ML,),
            "areas": (ML,),
        },
        en="The condition is gone from `conditions`; who was out and recovers takes part again.",
        ru="Состояния больше нет в `conditions`; кто выбыл и пришёл в себя, снова участвует.",
    ),
    SceneEffect(effect="stat_changed"),
    SceneEffect(effect="resource_changed"),
    SceneEffect(effect="item_changed"),
    SceneEffect(effect="link_changed"),
    SceneEffect(
        effect="mask_declared",
        en="Who succeeds gets the condition `masked` as `condition_gained`.",
        ru="Кому это удалось, тот получает состояние `masked` в `condition_gained`.",
    ),
    SceneEffect(effect="vigilance_no_shot"),
    SceneEffect(effect="suppressed"),
    SceneEffect(effect="suppression_due"),
    SceneEffect(effect="suppression_ended"),
    # --- questions ------------------------------------------------------------------------------
    SceneEffect(
        effect="decision_opened",
        appears={"lines": (ML,), "areas": (ML,)},
        en="Who is stopped on the way and waits for those on guard: lines of the kind `path` are"
        " the legs of the way, an area of the kind `interruption` the point of the last stop.",
        ru="Кого остановили в пути и кто ждёт стоящих в карауле: линии вида `path` — отрезки пути,"
        " область вида `interruption` — место последней остановки.",
    ),
    SceneEffect(
        effect="decision_closed",
        goes={"lines": (ML,), "areas": (ML,)},
        en="With the last question of such a group its lines and its point go.",
        ru="С последним вопросом такой группы её линии и точка пропадают.",
    ),
    SceneEffect(effect="action_stopped"),
    SceneEffect(effect="window_skipped"),
    # --- the log --------------------------------------------------------------------------------
    SceneEffect(effect="noted"),
    SceneEffect(
        effect="adjusted",
        en="What was changed follows as effects of the same event.",
        ru="Что изменено, следует эффектами того же события.",
    ),
    SceneEffect(
        effect="rewound",
        is_whole=True,
        en="The scene after event `to`, with nobody's attack in it: draw everything anew.",
        ru="Сцена после события `to`, но без чьей-либо атаки: нарисуйте всё заново.",
    ),
    SceneEffect(effect="erased"),
)
"""Every effect there is, in the order in which the page shows them."""
