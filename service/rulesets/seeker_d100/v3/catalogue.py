"""What version 3 says in words otherwise than version 2, or besides; plain data."""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Rule, Term
from service.rulesets.seeker_d100.v2 import RULESET as VERSION_2

WAIT: Final = (
    Rule(
        id="SK-WAIT-1",
        en="An attack that waited for answers continues only if it would be allowed now, by where "
        "everybody is now, with its action and its rounds given back. If not, it goes no further: "
        "nothing is rolled, no answer costs anything, and the turn ends.",
        ru="Атака, которая ждала ответов, продолжается, только если была бы разрешена сейчас: "
        "считается, где все стоят сейчас, а её действие и патроны считаются непотраченными. Иначе "
        "она прекращается: ничего не бросают, ответы ничего не стоят, очередь кончается.",
    ),
    Rule(
        id="SK-WAIT-2",
        en="What the game master undid of the declaration meanwhile is done again when the attack "
        "continues: the hidden attacker comes out, the step before is made from where the attacker "
        "is now, the action is spent.",
        ru="Что ведущий тем временем отменил из объявленного, делается снова, когда атака "
        "продолжается: скрытый атакующий показывается, перемещение перед атакой делается оттуда, "
        "где он стоит, действие тратится.",
    ),
)
"""What becomes of an attack that waited; these rules follow SK-ORD-1."""

COVER: Final = (
    Rule(
        id="SK-COVER-3",
        en="A dive for cover is judged from where the attack comes from now, as far as its player "
        "knows, and once more when the attack continues: from the place from which the shot's "
        "cover counts. One that does not lead behind the cover from there costs nothing.",
        ru="Уход в укрытие судят по тому, откуда атака идёт сейчас, насколько это известно игроку, "
        "и ещё раз, когда атака продолжается: по той же точке, по которой считается укрытие от "
        "выстрела. Если точка не за укрытием, действие не тратится.",
    ),
)
"""Where dives are judged from; this rule follows SK-COVER-2."""

STOPS: Final = (
    Term(id="actor_incapacitated", en="unconscious or dead", ru="без сознания или мёртв"),
    Term(id="action_spent", en="the action is spent", ru="действие потрачено"),
    Term(id="not_your_turn", en="not the combatant's turn", ru="сейчас не его очередь"),
    Term(id="holding_target", en="holding somebody", ru="удерживает другого"),
    Term(id="deck_exhausted", en="too few cards left", ru="не хватает карт"),
    Term(id="unknown_combatant", en="nobody known by that id", ru="такого бойца не видно"),
    Term(id="unknown_weapon", en="the weapon is not at hand", ru="оружия нет под рукой"),
    Term(id="weapon_incomplete", en="the weapon does no harm", ru="у оружия нет урона"),
    Term(id="weapon_not_melee", en="not a weapon to resist with", ru="этим не сопротивляются"),
    Term(id="invalid_field", en="not with this weapon", ru="не с этим оружием"),
    Term(id="bad_shots", en="not that many rounds", ru="столько выстрелов нельзя"),
    Term(id="no_ammo", en="too few rounds left", ru="не хватает патронов"),
    Term(id="unknown_target", en="the target is not to be seen", ru="цели не видно"),
    Term(id="target_self", en="the target is the attacker", ru="цель — сам атакующий"),
    Term(id="target_dead", en="the target is dead", ru="цель мертва"),
    Term(id="out_of_reach", en="out of reach", ru="не достать"),
    Term(id="out_of_range", en="out of range", ru="слишком далеко для оружия"),
    Term(id="bad_radius", en="not with this radius", ru="такой радиус недоступен"),
    Term(id="bad_body_part", en="not at this part of the body", ru="в эту часть тела нельзя"),
    Term(id="part_not_exposed", en="cover hides the part", ru="укрытие закрывает часть тела"),
    Term(id="no_free_hand", en="no hand free", ru="нет свободной руки"),
    Term(id="nothing_held", en="the target does not hold the item", ru="предмета у цели нет"),
    Term(id="already_held", en="the target is held already", ru="цель уже в захвате"),
    Term(id="step_too_far", en="the step is too long", ru="шаг слишком длинный"),
    Term(id="too_far", en="the way is too long", ru="путь слишком длинный"),
    Term(id="not_held", en="held by nobody", ru="его никто не держит"),
    Term(id="not_holding", en="holding nobody", ru="никого не держит"),
)
"""Why an action that waited goes no further: a term for each code; `held` is a term already."""

_RULES: Final = with_rules(
    with_rules(VERSION_2.catalogue, *WAIT, behind="SK-ORD-1"), *COVER, behind="SK-COVER-2"
)

CATALOGUE: Final = replace(_RULES, terms=(*_RULES.terms, *STOPS))
"""The whole catalogue of version 3."""
