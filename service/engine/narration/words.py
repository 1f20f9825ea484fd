"""Words of effects that no rulebook has for itself, in both languages."""

from typing import Final

from service.engine.vocabulary.catalogue import Term

TERMS: Final[tuple[Term, ...]] = (
    # --- how somebody moved, and why it ended -----------------------------------------------
    Term(id="walk", en="walk", ru="перемещение"),
    Term(id="placed", en="put there", ru="постановка"),
    Term(id="contact", en="met something hidden", ru="встреча со скрытым"),
    Term(id="blocked", en="the way is blocked", ru="путь прегражден"),
    Term(id="opportunity", en="others may attack out of turn", ru="повод для внеочередной атаки"),
    Term(id="vigilance", en="those on watch test", ru="проверка бдительности"),
    Term(id="fire", en="the cell burns", ru="клетка горит"),
    Term(id="cover", en="into cover", ru="в укрытие"),
    # --- why something is so ----------------------------------------------------------------
    Term(id="gm", en="by the game master", ru="решение ведущего"),
    Term(id="rules", en="by the rules", ru="по правилам"),
    Term(id="attack", en="attack", ru="атака"),
    Term(id="setup", en="at creation", ru="при создании"),
    Term(id="met", en="come across", ru="обнаружено"),
    Term(id="felled", en="out of the fight", ru="вне боя"),
    Term(id="removed", en="taken out of the battle", ru="выведен из боя"),
    Term(id="passed_over", en="passed over", ru="очередь пропущена"),
    Term(id="timeout", en="time is over", ru="время вышло"),
    Term(id="turn_began", en="the turn began", ru="начало хода"),
    Term(id="turn_ended", en="the turn ended", ru="конец хода"),
    Term(id="used", en="used", ru="использовано"),
    Term(id="recovered", en="recovered", ru="восстановление"),
    Term(id="cover_lost", en="cover lost", ru="укрытие потеряно"),
    Term(id="hurt", en="wound", ru="ранение"),
    Term(id="held", en="held", ru="удержание"),
    Term(id="rolled", en="rolled", ru="бросок сделан"),
    Term(id="door", en="a door", ru="дверь"),
    Term(id="explosion", en="explosion", ru="взрыв"),
    Term(id="picked_up", en="picked up", ru="подобрано"),
    Term(id="mistake", en="a mistake", ru="ошибка"),
    # --- outcomes and postures --------------------------------------------------------------
    Term(id="none", en="none", ru="нет"),
    Term(id="critical", en="critical hit", ru="критическое попадание"),
    Term(id="wasted", en="in vain", ru="впустую"),
    Term(id="success", en="success", ru="успех"),
    Term(id="failure", en="failure", ru="неудача"),
    # --- what becomes of an item ------------------------------------------------------------
    Term(id="gained", en="gained", ru="получено"),
    Term(id="lost", en="lost", ru="утрачено"),
    Term(id="dropped", en="dropped", ru="выпало из рук"),
    Term(id="taken", en="picked up", ru="подобрано"),
    Term(id="readied", en="readied", ru="взято в руки"),
    Term(id="stowed", en="stowed", ru="убрано"),
    # --- questions --------------------------------------------------------------------------
    Term(id="answered", en="answered", ru="ответ дан"),
    Term(id="passed", en="declined", ru="отказ от ответа"),
    Term(id="forced", en="closed by the game master", ru="закрыто ведущим"),
    Term(id="void", en="nobody can answer any more", ru="отвечать уже некому"),
    Term(id="reaction", en="answer to an attack", ru="ответ на атаку"),
    Term(id="nobody_eligible", en="nobody can answer", ru="некому ответить"),
    Term(id="reactions_none", en="this table asks nobody", ru="за этим столом не спрашивают"),
    # --- dice -------------------------------------------------------------------------------
    Term(id="supplied", en="rolled at the table", ru="бросают за столом"),
    Term(id="replaced", en="others took their place", ru="заменены другими"),
    Term(id="unread", en="no rule looked at them", ru="ни одно правило на них не смотрит"),
    Term(id="nobody_affected", en="there was nobody to concern", ru="они никого не касаются"),
    Term(id="target_down", en="the target was down by then", ru="цель уже вне боя"),
    Term(id="attack_cell", en="attack at a cell", ru="удар по клетке"),
    Term(id="uncounted", en="not counted", ru="не в счёт"),
    # --- numbers of a sheet -----------------------------------------------------------------
    Term(id="actions", en="actions", ru="действия"),
    Term(id="heavy_wounds", en="heavy wounds", ru="тяжёлые ранения"),
    Term(id="light_wounds", en="light wounds", ru="несмертельные ранения"),
    Term(id="hidden", en="hidden", ru="скрытность"),
    # --- compass ----------------------------------------------------------------------------
    Term(id="N", en="north", ru="север"),
    Term(id="NE", en="north-east", ru="северо-восток"),
    Term(id="E", en="east", ru="восток"),
    Term(id="SE", en="south-east", ru="юго-восток"),
    Term(id="S", en="south", ru="юг"),
    Term(id="SW", en="south-west", ru="юго-запад"),
    Term(id="W", en="west", ru="запад"),
    Term(id="NW", en="north-west", ru="северо-запад"),
)
"""A rulebook's own term comes first, then these, then those that all parts of the service share."""
