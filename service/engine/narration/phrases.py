"""What an explanation says in its own words, in both languages."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from service.engine.vocabulary.catalogue import Language


class Phrases(NamedTuple):
    """The sentences of one language; {names} stand for what is filled in."""

    somebody: str
    by_seat: str
    by_key: str
    by_system: str
    no_rule: str
    no_dice: str
    sealed: str
    revealed: str
    supplied: str
    rewound: str
    override: str
    erased: str
    hidden: str


PHRASES: Final[Mapping[Language, Phrases]] = {
    "en": Phrases(
        somebody="somebody",
        by_seat="seat {name} ({role})",
        by_key="API key {id} ({role})",
        by_system="the service ({id})",
        no_rule="This build has no rule of that id.",
        no_dice="No die was drawn that you may know of.",
        sealed="The seed is sealed: each face is bound by the commitment of event 1, and can be"
        " drawn again by its event, stream, number and sides once the seed is revealed.",
        revealed="HMAC-SHA-256 under the key over the input of a block gives its 32 bytes; each die"
        " reads the bytes named beside it.",
        supplied="The table rolled its own dice and sent the faces: no seed vouches for them.",
        rewound="Event {seq} went back behind this event: the rules do not count it any more.",
        override="The game master overruled here; what follows is no outcome of the rules.",
        erased="Free text of this event was erased.",
        hidden="What was asked for you may not know; all that is said here follows from what you"
        " may see.",
    ),
    "ru": Phrases(
        somebody="кто-то",
        by_seat="место {name} ({role})",
        by_key="ключ API {id} ({role})",
        by_system="сервис ({id})",
        no_rule="В этой сборке нет правила с таким id.",
        no_dice="Костей, о которых вы можете знать, здесь не бросали.",
        sealed="Зерно ещё запечатано: каждая грань связана обязательством события 1; когда зерно"
        " раскроют, её можно получить заново по событию, потоку, номеру и числу граней.",
        revealed="HMAC-SHA-256 с этим ключом от входа блока даёт его 32 байта; каждая кость читает"
        " байты, названные рядом с ней.",
        supplied="Кости бросали за столом и прислали грани: никакое зерно за них не ручается.",
        rewound="Событие {seq} вернуло бой к тому, что было раньше: по правилам это событие больше"
        " не считается.",
        override="Здесь решил ведущий; то, что следует, — не исход правил.",
        erased="Свободный текст этого события стёрт.",
        hidden="Чего здесь просили, вам знать нельзя; всё сказанное следует только из того, что"
        " вам видно.",
    ),
}
