"""The worked examples of this ruleset: what a step expects, and how a setup is completed.

Every battle is prepared (the order is that of the combatants and the first of them has the turn,
unless stated), so that starting it draws nothing. T is of the blue side, S and V of the red one; a
map that is not drawn is 12 by 8 cells of floor. All effects of a step are compared, each as one
sentence in which everything stands that the effect shows (see `sentence`).
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from service.rulesets.squad_d100.state import Combatant, Options
from tests.kit.examples import Examples, RefusalData, Usual, at_paths
from tests.kit.table import tree_of

Tree = dict[str, Any]

FREE = ["." * 12] * 8


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step.

    `effects` are sentences, in their order, as they are compared cut into words. `state` maps a
    path (`turn`, `t.health`) to the value after the step; null represents absent.
    """

    refused: RefusalData | None = None
    effects: tuple[str | tuple[str, ...], ...] = ()
    state: Tree = {}


# --- the setup ------------------------------------------------------------------------------------


def completed(usual: Usual, setup: Tree) -> Tree:
    """The ruleset's own setup from one as the examples state it."""
    combatants = setup["combatants"]
    sheets = [_sheet(usual, *each) for each in combatants.items()]
    complete: Tree = {"options": setup["options"], "combatants": sheets}
    rows = setup.get("map", FREE)
    if rows is not None:
        complete["map"] = {"text": "\n".join(rows)}
    battle = setup["battle"]
    if battle is None:
        return complete
    order = battle.get("order", list(combatants))
    entries = [{"combatant": name} for name in order]
    prepared = {"round": 1, "turn": order[0], **battle, "order": entries}
    return {**complete, "battle": prepared}


def _sheet(usual: Usual, name: str, stated: Tree) -> Tree:
    sheet = {"id": name, **usual.combatant, **usual.combatants.get(name, {}), **stated}
    arms = {
        kind: [{**usual.weapons[kind], **each} for each in sheet[kind]]
        for kind in ("weapons", "grenades")
    }
    return {**sheet, **arms}


# --- what was seen --------------------------------------------------------------------------------


def seen(expect: Expect, effects: list[Tree], refusal: RefusalData | None, state: Tree) -> Expect:
    """What came of a step; of the state, as far as the step has an expectation about it."""
    return Expect(
        refused=refusal,
        effects=tuple(words(sentence(each)) for each in effects),
        state=at_paths(state, expect.state),
    )


class Bag:
    """A tree out of which fields are taken: what is left is shown as JSON, so nothing is lost."""

    def __init__(self, tree: Tree) -> None:
        self._left = dict(tree)

    def take(self, name: str, default: Any = None) -> Any:
        """The value of a field."""
        return self._left.pop(name, default)

    def bag(self, name: str) -> "Bag":
        """The value of a field that is a tree, empty if it is absent."""
        return Bag(self.take(name, {}))

    def rules(self) -> str:
        """The rules that apply, `rule` before `rules`."""
        names = [*filter(None, [self.take("rule")]), *self.take("rules", ())]
        return f" [{' '.join(names)}]" if names else ""

    def lines(self, name: str) -> str:
        """A breakdown: rule, note and amount of each line."""
        lines = map(Bag, self.take(name, ()))
        return "".join(
            f" {each.take('note', '')} {each.take('rule', '')} {each.take('amount'):+}{each}"
            for each in lines
        )

    def place(self, name: str) -> str:
        """A cell."""
        return where(self.take(name))

    def roll(self, name: str) -> str:
        """The faces of a roll, each of which is drawn; percentile dice are not named."""
        roll = self.bag(name)
        faces, sides = roll.take("faces", ()), roll.take("sides", 100)
        assert len(faces) == len(roll.take("draws", ()))
        assert sum(faces) == roll.take("total", 0)
        die = "" if sides == 100 else f"d{sides} "
        return f"{die}{' '.join(map(str, faces))}{roll}"

    def __str__(self) -> str:
        return f" {msgspec.json.encode(self._left, order='sorted').decode()}" if self._left else ""


def where(cell: Tree | None) -> str:
    """Column and row of a cell."""
    return "" if cell is None else f"{cell['x']},{cell['y']}"


def sentence(effect: Tree) -> str:
    """An effect as the examples write it: what no word represents is shown as JSON at the end."""
    bag = Bag(effect)
    kind = bag.take("type")
    words = WORDS[kind](bag) if kind in WORDS else str(kind)
    return f"{words}{bag}"


def _attack(bag: Bag) -> str:
    detail = bag.bag("detail")
    mode, reaction = detail.take("mode"), detail.take("reaction")
    outcome, why = bag.take("outcome"), detail.take("why")
    item = detail.take("item")
    rounds = detail.take("rounds")
    text = f"{detail.take('attacker')} {mode}{' in reaction' if reaction else ''}"
    text += f" {item}" if item else ""
    text += f" x{rounds}" if rounds not in (0, 1) else ""
    text += f" > {bag.take('target') or bag.place('place')}, {detail.take('distance')}:"
    die = detail.roll("roll")
    text += f" {die}" if die else ""
    lines, pool = detail.lines("breakdown"), detail.take("pool")
    text += f"{lines} = {pool:+}" if lines else ""
    result, threshold = detail.take("result"), detail.take("threshold")
    text += f" = {result} of {threshold}," if result is not None else ""
    text += f" {outcome}{detail.rules()}{bag.rules()}"
    text += f" {why}" if why else ""
    scatter = detail.roll("scatter")
    text += f"; {scatter}" if scatter else ""
    landing = detail.place("landing")
    text += f"; lands at {landing}" if landing else ""
    ap_class, armour = detail.take("ap_class"), detail.bag("armour")
    text += f"; ap {ap_class}" if ap_class is not None else ""
    tested = _armour(armour)
    text += f"; {tested}" if tested else ""
    return f"{text}{detail}{armour}"


def _armour(armour: Bag) -> str:
    zone = armour.take("zone")
    if zone is None:
        return ""
    by, target = armour.take("attacker", "nobody"), armour.take("target")
    text = f"{target} {armour.take('armour_class')} {armour.take('reason')}"
    swapped, column = armour.take("swapped"), armour.take("column")
    text += f" {swapped} in {column}" if swapped is not None else ""
    return f"{text} {zone}{armour.rules()} by {by}{armour}"


def _area(bag: Bag) -> str:
    area, detail = bag.bag("area"), bag.bag("detail")
    text = f"{area.take('kind')} at {area.place('origin')} of {area.take('radius')}{area}:"
    die = bag.roll("roll")
    text += f" {die}" if die else ""
    who = detail.take("attacker")
    text += f" {who} {detail.take('item')} ap {detail.take('ap_class')}{detail}" if who else ""
    text += f" {bag.take('outcome')}{bag.rules()}"
    for victim in map(Bag, bag.take("victims", ())):
        armour = victim.bag("armour")
        text += f"; {victim.take('target')} {victim.take('outcome')}: {_armour(armour)}{victim}"
    return text


def _hurt(bag: Bag) -> str:
    source = bag.bag("source")
    text = f"{bag.take('combatant')} -{bag.take('amount')} to {bag.take('health')}"
    text += f" {bag.take('band')}"
    wound = bag.take("wound")
    text += f", {wound} {bag.take('wording')}" if wound else ""
    text += f"{bag.rules()} {bag.take('cause')}"
    by, item, dice = source.take("combatant"), source.take("item"), source.roll("roll")
    text += f" by {by} {item or 'hand'}{source}" if by else f"{source}"
    text += f" {dice}" if dice else ""
    lines = bag.lines("breakdown")
    return f"{text}:{lines}" if lines else text


def _moved(bag: Bag) -> str:
    way = " ".join(map(where, bag.take("path", ())))
    end = bag.place("end")
    assert way.endswith(end) or not way, "the end is the last cell of the way"
    start = bag.place("start") or "nowhere"
    text = f"{bag.take('combatant')} {bag.take('manner')} {start} > {way or end}"
    cost = bag.take("cost")
    text += "" if cost is None else f" for {cost}"
    text += f"{bag.rules()}"
    return text if bag.take("complete") else f"{text}, cut short by {bag.take('cause')}"


def _ground(bag: Bag) -> str:
    changes = map(Bag, bag.take("changes"))
    cells = [
        f"{each.take('x')},{each.take('y')} {'open ' if each.take('open') else ''}"
        f"{each.take('terrain')}{each}"
        for each in changes
    ]
    source = bag.bag("source")
    by, item = source.take("combatant"), source.take("item")
    text = f"ground {'; '.join(cells)}: {bag.take('cause')}{bag.rules()}"
    return f"{text} by {by}{f' {item}' if item else ''}{source}" if by else f"{text}{source}"


def _resource(bag: Bag) -> str:
    item = bag.take("item")
    text = f"{bag.take('combatant')} {bag.take('resource')}{f' of {item}' if item else ''}"
    return f"{text} {bag.take('now')}{_cause(bag)}{bag.rules()}"


def _check(bag: Bag) -> str:
    text = f"{bag.take('combatant')} {bag.take('check')} of {bag.take('versus')}:"
    text += f" {bag.roll('roll')} of {bag.take('needed')}, {bag.take('outcome')}"
    return f"{text}{bag.rules()}"


def _rolled(bag: Bag) -> str:
    by = bag.take("combatant")
    text = f"{bag.take('purpose')}{f' of {by}' if by else ''}: {bag.roll('roll')}"
    return f"{text}{bag.rules()}"


def _order(bag: Bag) -> str:
    entries = map(Bag, bag.take("entries"))
    places = [f"{each.take('combatant')} {each.take('score', '-')}{each}" for each in entries]
    return f"order {', '.join(places)}{bag.rules()}"


def _opened(bag: Bag) -> str:
    """A question for dice, its id and what waits for them left out."""
    decision = bag.bag("decision")
    for name in ("declared", "first"):
        bag.take(name)
    for name in ("id", "kind", "opened_by", "options", "default"):
        decision.take(name)
    roll = decision.bag("roll")
    asked = decision.take("seat") or decision.take("side") or "gm"
    dice = f"{roll.take('count')}d{roll.take('sides')} {roll.take('purpose')}{roll}"
    return f"{asked} is asked for {dice}{decision}"


def _closed(bag: Bag) -> str:
    bag.take("decision_id")
    return f"question {bag.take('how')} {bag.take('choice', '')}"


def _cause(bag: Bag) -> str:
    cause = bag.take("cause")
    return f" ({cause})" if cause else ""


def _of(bag: Bag, *words: str) -> str:
    """Whose it is, then these words and fields (those in braces), the cause and the rules."""
    named = [str(bag.take(word[1:-1])) if word[0] == "{" else word for word in words]
    return f"{bag.take('combatant')} {' '.join(named)}{_cause(bag)}{bag.rules()}"


def _options(bag: Bag) -> str:
    map_ = bag.take("map")
    return f"options{unusual(bag.take('options'), OPTIONS)}{f' map {map_}' if map_ else ''}"


def _added(bag: Bag) -> str:
    return f"new{unusual(bag.take('combatant'), SHEET)}"


def unusual(tree: Tree, usual: Tree) -> str:
    """The fields of a tree that are not as usual, as JSON."""
    return str(Bag({name: each for name, each in tree.items() if each != usual.get(name)}))


OPTIONS: Tree = tree_of(Options())
SHEET: Tree = tree_of(Combatant(id="", side="", kind="mercenary", health=100, health_max=100))

WORDS: dict[str, Callable[[Bag], str]] = {
    "attack_resolved": _attack,
    "area_resolved": _area,
    "hurt": _hurt,
    "options_set": _options,
    "combatant_added": _added,
    "moved": _moved,
    "terrain_changed": _ground,
    "resource_changed": _resource,
    "check_resolved": _check,
    "rolled": _rolled,
    "order_set": _order,
    "round_began": lambda bag: f"round {bag.take('round')}",
    "turn_began": lambda bag: _of(bag, "begins"),
    "turn_ended": lambda bag: _of(bag, "ends"),
    "phase_changed": lambda bag: _of(bag, "goes on to", "{phase}"),
    "posture_changed": lambda bag: _of(bag, "{posture}"),
    "condition_gained": lambda bag: _of(bag, "gains", "{condition}"),
    "condition_lost": lambda bag: _of(bag, "loses", "{condition}"),
    "suppressed": lambda bag: _of(bag, "suppressed by", "{by}"),
    "suppression_ended": lambda bag: _of(bag, "suppressed no longer, all", "{all}"),
    "vigilance_no_shot": lambda bag: _of(bag, "does not shoot at", "{target}", "{why}"),
    "stat_changed": lambda bag: _of(bag, "{stat}", "{now}"),
    "felled": lambda bag: _of(bag, "{state}"),
    "decision_opened": _opened,
    "decision_closed": _closed,
    "action_stopped": lambda bag: _of(bag, "stops,", "{code}"),
    "combatant_removed": lambda bag: _of(bag, "is gone"),
}


# --- as it is compared ----------------------------------------------------------------------------

WORD = re.compile(r"[^\s\[\]]+")


def words(text: str) -> tuple[str, ...]:
    """The words of a sentence, the rules among them."""
    return tuple(WORD.findall(text))


def written_out(expect: Expect) -> Expect:
    """What must come of a step, cut into words."""
    sentences = (each for each in expect.effects if isinstance(each, str))
    return replace(expect, effects=tuple(map(words, sentences)))


EXAMPLES = Examples(
    file=Path(__file__).with_name("examples.json"),
    ids=tuple(f"SQ-EX-{number:02}" for number in range(1, 40)),
    expect=Expect,
    completed=completed,
    seen=seen,
    written_out=written_out,
)
