// The log, grouped by round and turn. Every line is a link; what a rewind took back is folded.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";

/** @typedef {import("./log_entries.js").Entry} Entry */
/** @typedef {{key: string, turn: string, runs: {undoneBy: number | undefined, entries: Entry[]}[]}} Turn */

/**
 * @param {object} props
 * @param {import("./replay.js").Replay} props.replay
 * @param {(id: string) => string} props.nameOf
 */
export function LogView({ replay, nameOf }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const here = replay.seq.value;
  const shown = replay.shown.value;
  const rounds = useMemo(() => roundsOf(shown), [shown]);
  const current = replay.entry.value?.round;
  useEffect(() => {
    const line = list.current?.querySelector('[aria-current="true"]');
    const box = list.current;
    if (!(line instanceof HTMLElement) || !box) return;
    const above = line.offsetTop - box.offsetTop;
    if (above < box.scrollTop || above + line.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = above - box.clientHeight / 3;
    }
  }, [here, rounds.length]);
  return html`<section class="log" aria-label=${say("log")} ref=${list} tabindex="0">
    ${rounds.map(({ round, turns }) => html`<details key=${round} open=${round === current}>
      <summary>${round === 0 ? say("before_the_battle") : say("round_n", { n: round })}</summary>
      ${round === current && turns.map((turn) => html`<${TurnLines} key=${turn.key} turn=${turn} replay=${replay} nameOf=${nameOf} />`)}
      ${round !== current && html`<button class="quiet" onClick=${() => void replay.go(firstOf(turns))}>${say("go_to_round")}</button>`}
    </details>`)}
    ${rounds.length === 0 && html`<p class="faint">${say("nothing_fits")}</p>`}
  </section>`;
}

/** @param {Turn[]} turns */
const firstOf = (turns) => turns[0]?.runs[0]?.entries[0]?.seq ?? 1;

/** @param {{turn: Turn, replay: import("./replay.js").Replay, nameOf: (id: string) => string}} props */
function TurnLines({ turn, replay, nameOf }) {
  return html`<div class="turn">
    ${turn.turn && html`<h3><bdi>${nameOf(turn.turn)}</bdi></h3>`}
    ${turn.runs.map((run) => run.undoneBy === undefined
      ? html`<${Lines} entries=${run.entries} replay=${replay} />`
      : html`<details class="undone" open=${run.entries.some((each) => each.seq === replay.seq.value)}>
          <summary>${say("taken_back", { n: run.entries.length, by: run.undoneBy })}</summary>
          <${Lines} entries=${run.entries} replay=${replay} /></details>`)}
  </div>`;
}

/** @param {{entries: Entry[], replay: import("./replay.js").Replay}} props */
function Lines({ entries, replay }) {
  const chosen = replay.chosen.value;
  const verdicts = replay.verdicts.value;
  return html`<ol>${entries.map((each) => html`<li key=${each.seq}>
    <a href=${`#e=${each.seq}`} aria-current=${each.seq === replay.seq.value ? "true" : undefined}
      class=${chosen && each.combatants.has(chosen) ? "about" : ""}
      onClick=${(/** @type {MouseEvent} */ e) => { e.preventDefault(); void replay.go(each.seq); }}>
      <span class="seq">${each.seq}</span>
      <span class="told">${each.text || say("nothing_to_tell")}
        ${each.dice > 0 && html` <span class="dice" title=${say("dice_n", { n: each.dice })}><span aria-hidden="true">⚅</span>${each.dice}</span>`}
        <${Untold} entry=${each} replay=${replay} />
        ${isBad(verdicts.get(each.seq)) && html` <strong class="bad">${say("differs")}</strong>`}
      </span></a></li>`)}</ol>`;
}

/** What the seat whose eyes these are was not shown. @param {{entry: Entry, replay: import("./replay.js").Replay}} props */
export function Untold({ entry, replay }) {
  const whole = replay.untold.value.get(entry.seq);
  if (!whole) return null;
  const isAll = whole.text === entry.text;
  return html` <span class="untold">${say(isAll ? "untold_in_part" : "untold", { seat: replay.seat })}${isAll ? "" : html` <bdi>${whole.text}</bdi>`}</span>`;
}

/** @param {any} verdict */
export const isBad = (verdict) => verdict !== undefined && ["mismatch", "refused", "sealed_mismatch"].includes(verdict.verdict);

/** @param {readonly Entry[]} entries */
function roundsOf(entries) {
  /** @type {{round: number, turns: Turn[]}[]} */
  const rounds = [];
  for (const entry of entries) {
    let round = rounds.at(-1);
    if (!round || round.round !== entry.round) rounds.push((round = { round: entry.round, turns: [] }));
    let turn = round.turns.at(-1);
    if (!turn || turn.turn !== entry.turn) round.turns.push((turn = { key: `${entry.seq}`, turn: entry.turn, runs: [] }));
    const run = turn.runs.at(-1);
    if (run && run.undoneBy === entry.undoneBy) run.entries.push(entry);
    else turn.runs.push({ undoneBy: entry.undoneBy, entries: [entry] });
  }
  return rounds;
}
