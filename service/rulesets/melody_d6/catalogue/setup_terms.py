"""Words of the options, and why what is stated of a battle is refused."""

from typing import Final

from service.engine.vocabulary.catalogue import Term

SETUP_TERMS: Final[tuple[Term, ...]] = (
    # --- options ----------------------------------------------------------------------------------
    Term(id="measure", en="what distances are measured from", ru="откуда мерить расстояния"),
    Term(
        id="mask_near",
        en="how near to cover one can mask",
        ru="насколько близко к укрытию маскируются",
    ),
    Term(
        id="mask_leaving_cover",
        en="masking when leaving cover",
        ru="маскировка при выходе из укрытия",
    ),
    Term(id="lost", en="lost", ru="теряется"),
    Term(id="kept", en="kept", ru="сохраняется"),
    Term(id="detection_from", en="whose Mobility detects", ru="чья Подвижность обнаруживает"),
    Term(id="active_unit", en="of the active unit", ru="активного отряда"),
    Term(id="fp_per_turn", en="FP per turn", ru="FP за ход"),
    Term(id="mask_fp_cost", en="price of masking in FP", ru="цена маскировки в FP"),
    Term(id="ui_fp_cost", en="price of a United Impulse in FP", ru="цена Единого Порыва в FP"),
    Term(id="ui_radius", en="radius of a United Impulse", ru="радиус Единого Порыва"),
    Term(
        id="ui_uncovers_power",
        en="United Impulse uncovers Monstrous Power",
        ru="Единый Порыв открывает Чудовищную Мощь",
    ),
    Term(
        id="mp_auto_success",
        en="Monstrous Power always succeeds",
        ru="Чудовищная Мощь всегда удаётся",
    ),
    Term(
        id="mp_ignores_resistance",
        en="Monstrous Power ignores Resistance",
        ru="Чудовищная Мощь обходит Сопротивление",
    ),
    Term(
        id="lasting_dampen_at_creation",
        en="dampening a lasting Melody at its creation",
        ru="глушение длительной Мелодии при сотворении",
    ),
    Term(
        id="lasting_dampen_limit",
        en="limit of attempts at lasting Melodies",
        ru="предел попыток глушить длительные Мелодии",
    ),
    Term(id="per_melody", en="for each Melody", ru="на каждую Мелодию"),
    Term(id="per_player", en="for each side", ru="на сторону"),
    Term(
        id="lasting_dampen_when",
        en="when lasting Melodies may be dampened",
        ru="когда можно глушить длительные Мелодии",
    ),
    Term(id="own_turn", en="in the own turn", ru="в свой ход"),
    Term(id="any_turn", en="in any turn", ru="в любой ход"),
    Term(id="dampen_range", en="how far one dampens", ru="дальность глушения"),
    Term(id="exposed_duration", en="how long one is exposed", ru="сколько длится раскрытие"),
    Term(id="battle", en="the battle", ru="бой"),
    Term(id="next_turn", en="until the next own turn", ru="до своего следующего хода"),
    Term(id="guard_after_move", en="guard after a move", ru="караул после движения"),
    Term(id="guard_lost_on", en="what ends a guard", ru="что прекращает караул"),
    Term(
        id="guard_penalty_stacks",
        en="penalties on guard add up",
        ru="штрафы в карауле складываются",
    ),
    Term(id="singing_reveals", en="singing reveals", ru="игра Мелодии раскрывает"),
    Term(
        id="mobility_six_fails",
        en="a 6 always fails a Mobility test",
        ru="шестёрка всегда проваливает тест на Подвижность",
    ),
    Term(id="roll_once", en="rolled once", ru="один бросок"),
    Term(id="fixed", en="order of the sides", ru="по порядку сторон"),
    Term(id="attack_reveals", en="attacks make hidden warriors known", ru="атака выдаёт скрытого"),
    # --- what is wrong with what is stated of a battle --------------------------------------------
    Term(id="side_count", en="a battle has exactly two sides", ru="в бою ровно две стороны"),
    Term(id="unit_empty", en="the unit has no member", ru="в отряде никого нет"),
    Term(
        id="lone_needs_one",
        en="a lone warrior is exactly one",
        ru="воин-одиночка — ровно один воин",
    ),
    Term(id="duplicate_id", en="the id is used already", ru="такой id уже есть"),
    Term(id="unknown_reference", en="there is nothing of that id", ru="ничего с таким id нет"),
    Term(id="out_of_bounds", en="not wholly on the table", ru="не целиком на столе"),
    Term(id="base_overlap", en="the base overlaps another", ru="подставка накладывается на другую"),
    Term(
        id="in_high_terrain",
        en="the centre is inside a high feature",
        ru="центр внутри высокого элемента",
    ),
    Term(id="polygon_not_convex", en="the polygon is not convex", ru="многоугольник не выпуклый"),
    Term(
        id="polygon_degenerate",
        en="the polygon has no area, or three corners on one line",
        ru="у многоугольника нет площади или три вершины на одной прямой",
    ),
    Term(
        id="silencer_not_firearm",
        en="only firearms have silencers",
        ru="глушитель бывает только у огнестрельного оружия",
    ),
    Term(
        id="range_missing",
        en="a weapon that shoots needs a range",
        ru="стрелковому оружию нужна дальность",
    ),
    Term(
        id="melee_with_range",
        en="a melee weapon has no range",
        ru="у оружия ближнего боя дальности нет",
    ),
    Term(id="template_missing", en="the Melody needs a template", ru="Мелодии нужен шаблон"),
    Term(
        id="template_shape_mismatch",
        en="the template does not fit what the Melody is aimed at",
        ru="шаблон не подходит к тому, на что направлена Мелодия",
    ),
    Term(id="lasting_ray", en="a ray cannot last", ru="шаблон от Певца не бывает длительным"),
    Term(
        id="lasting_effect_kind",
        en="lasting Melodies have the kinds that last, and only they",
        ru="у длительных Мелодий свои виды эффектов, и только у них",
    ),
    Term(
        id="mp_effects_missing",
        en="what Monstrous Power does is missing",
        ru="не сказано, что делает Чудовищная Мощь",
    ),
    Term(
        id="mistake_rows",
        en="the row of the mistake table does not fit together",
        ru="строка таблицы ошибок противоречит себе",
    ),
    Term(id="number_range", en="the number is out of range", ru="число вне допустимых пределов"),
    Term(id="float_not_allowed", en="whole numbers only", ru="только целые числа"),
    Term(
        id="mask_not_possible",
        en="the warrior could not mask there",
        ru="здесь воин не мог бы замаскироваться",
    ),
    Term(
        id="derived_field",
        en="the field follows from others and cannot be stated",
        ru="поле следует из других, его не задают",
    ),
)
