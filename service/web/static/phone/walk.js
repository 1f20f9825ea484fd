// An action of any ruleset, put together from what the service says is legal: one parameter after
// the other, then what it would come to, then the confirmation.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { say } from "../shell/texts.js";
import { Choice, question } from "./choice.js";
import { draftOf, keepDraft } from "./drafts.js";
import { focusNext } from "./focus.js";
import { Preview } from "./preview.js";
import { choiceOf, retraced, stepOf } from "./steps.js";
import { label, nameOf, pointOf, valueText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("warlog").LegalAction} LegalAction */
/** @typedef {import("warlog").LegalWalk} LegalWalk */
/** @typedef {import("./steps.js").Step} Step */

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {LegalAction} props.action as it is legal now
 * @param {string} props.title
 * @param {string} props.draft the name by which what is half done is kept
 * @param {boolean} [props.isBegun] by the person just now, whose focus goes along
 * @param {() => void} [props.onBack]
 * @param {() => void} props.onDone
 */
export function Walk({ live, action, title, draft, isBegun = false, onBack, onDone }) {
  const [made, setMade] = useState(/** @type {{steps: Step[], picked?: Step | undefined}} */ (draftOf(live, draft) ?? { steps: [] }));
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const [lost, setLost] = useState("");
  const isMoving = useRef(isBegun);
  const { walk, lost: gone, gone: many } = useMemo(() => retraced(action, made.steps), [action, made.steps]);
  const current =
    walk.open.find((each) => !each.optional) ?? walk.open.find((each) => each.name === asked);
  const actor = actorOf(action, walk);
  function make(/** @type {Step[]} */ steps, /** @type {Step | undefined} */ picked = undefined) {
    setMade({ steps, picked });
    keepDraft(live, draft, { steps, picked });
  }
  useEffect(() => {
    if (!gone) return;
    setLost(stepText(live, gone));
    make(made.steps.slice(0, many));
  }, [gone]);
  function settle(/** @type {Step} */ step) {
    isMoving.current = true;
    setAsked(null);
    setLost("");
    make([...made.steps, step]);
  }
  function back() {
    isMoving.current = true;
    setLost("");
    if (asked && current) setAsked(null);
    else if (made.steps.length > 0) make(made.steps.slice(0, -1));
    else onBack?.();
  }
  function done() {
    keepDraft(live, draft, undefined);
    onDone();
  }
  return html`<div class="walk">
    <h3 class="walkTitle">${title}</h3>
    <${Settled} live=${live} walk=${walk} />
    ${lost && html`<p class="note" role="alert">${say("choice_lost", { what: lost })}</p>`}
    ${current
      ? html`<${Choice} key=${current.name} live=${live} parameter=${current} actor=${actor} isMoving=${isMoving.current}
          picked=${made.picked && choiceOf(current, made.picked)}
          onPick=${(/** @type {any} */ value) => make(made.steps, value === undefined ? undefined : stepOf(current, value))}
          onChoose=${(/** @type {any} */ value) => settle(stepOf(current, value))}
          onLeave=${current.optional ? () => settle({ name: current.name, isLeft: true }) : undefined} />`
      : html`<${Review} ...${{ live, walk, title, isMoving: isMoving.current }} onDone=${done} onMore=${ask} />`}
    ${(asked !== null || made.steps.length > 0 || onBack) && html`<button type="button" class="quiet" onClick=${back}>${say("back")}</button>`}
  </div>`;

  function ask(/** @type {string} */ name) {
    isMoving.current = true;
    setAsked(name);
  }
}

/**
 * @param {Live} live
 * @param {Step} step
 */
const stepText = (live, { value, at }) => valueText(live, value, at ?? pointOf(value));

/**
 * @param {LegalAction} action
 * @param {LegalWalk} walk
 * @returns {string | undefined}
 */
function actorOf(action, walk) {
  const combatant = walk.action["combatant"];
  return typeof combatant === "string" ? combatant : action.actor.id;
}

/** @param {{live: Live, walk: LegalWalk}} props */
function Settled({ live, walk }) {
  const shown = walk.settled.filter((each) => each.parameter.name !== "decision_id");
  if (shown.length === 0) return null;
  return html`<dl class="settled">
    ${shown.map(({ parameter, value }) => html`<div><dt>${question(live, parameter)}</dt>
      <dd><bdi>${settledText(live, parameter, value)}</bdi></dd></div>`)}
  </dl>`;
}

/**
 * @param {Live} live
 * @param {import("warlog").LegalParameter} parameter
 * @param {any} value
 */
function settledText(live, parameter, value) {
  const last = parameter.form === "cells" && Array.isArray(value) ? value.at(-1) : value;
  if (parameter.form === "some_of" && Array.isArray(last)) {
    return last.map((each) => (typeof each === "number" ? each + 1 : valueText(live, each))).join(", ");
  }
  return valueText(live, last, pointOf(last));
}

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {LegalWalk} props.walk
 * @param {string} props.title
 * @param {boolean} props.isMoving whether the person came here just now
 * @param {() => void} props.onDone
 * @param {(name: string) => void} props.onMore
 */
function Review({ live, walk, title, isMoving, onDone, onMore }) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  // One key for however often this very action is sent.
  const [key] = useState(() => randomKey());
  const [sent, setSent] = useState("");
  const isSent = useRef(false);
  const asking = useRef(/** @type {AbortController | null} */ (null));
  async function confirm() {
    // A second tap comes before the button is drawn again.
    if (isSent.current) return;
    isSent.current = true;
    const text = JSON.stringify(walk.action);
    // Behind the action its preview would be refused: what it was to tell has happened.
    asking.current?.abort();
    setBusy(true);
    setError(null);
    setSent(text);
    try {
      await live.act(walk.action, sent === "" || sent === text ? { key } : {}, onDone);
      requestAnimationFrame(focusNext);
    } catch (problem) {
      isSent.current = false;
      setError(problem);
      setBusy(false);
    }
  }
  useEffect(() => {
    if (isMoving) button.current?.focus();
  }, []);
  return html`
    ${walk.action.type !== "answer" && html`<${Preview} live=${live} action=${walk.action} asking=${asking} />`}
    <${Problem} error=${error} />
    <button ref=${button} type="button" class="main wide confirm" aria-disabled=${busy} onClick=${confirm}>
      ${say(busy ? "sending" : "do_it", { what: title })}</button>
    ${walk.open.length > 0 && html`<p class="row"><span class="faint">${say("also_possible")}</span>
      ${walk.open.map((each) => html`<button type="button" class="quiet" onClick=${() => onMore(each.name)}>${question(live, each)}</button>`)}</p>`}
  `;
}

/** @returns {string} a key that no other action has */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

const DRAFT = "action";
const STEPS = "steps";

/**
 * @param {object} props
 * @param {Live} props.live
 */
export function Acting({ live }) {
  const [actor, setActor] = useState("");
  const [begun, setBegun] = useState(/** @type {Begun | undefined} */ (draftOf(live, DRAFT)));
  const [isFresh, setFresh] = useState(false);
  const [lost, setLost] = useState("");
  const tree = live.tree.value;
  const chosen = useAction(live, begun);
  function begin(/** @type {Begun | undefined} */ next) {
    keepDraft(live, STEPS, undefined);
    keepDraft(live, DRAFT, next);
    setBegun(next);
    setFresh(next !== undefined);
    setLost("");
  }
  const isLost = begun !== undefined && chosen === null;
  useEffect(() => {
    if (!isLost) return;
    const { actor: id, type } = begun;
    begin(undefined);
    setLost(`${nameOf(live, id)}: ${label(live, type)}`);
  }, [isLost]);
  const actors = (tree?.actors ?? [])
    .map((each) => ({ id: each.id, actions: each.actions.filter((one) => one.type !== "answer") }))
    .filter((each) => each.actions.length > 0)
    .sort((a, b) => unlikely(a) - unlikely(b));
  if (chosen) {
    return html`<section class="card" aria-labelledby="acting">
      <h2 id="acting"><bdi>${nameOf(live, chosen.actor.id)}</bdi></h2>
      <${Walk} key=${`${chosen.actor.id} ${chosen.type}`} live=${live} action=${chosen} title=${label(live, chosen.type)}
        draft=${STEPS} isBegun=${isFresh} onBack=${() => begin(undefined)} onDone=${() => begin(undefined)} />
    </section>`;
  }
  const note = lost && html`<p class="note" role="alert">${say("action_lost", { what: lost })}</p>`;
  // Not by the ids of the rules, which would turn into words under the finger.
  if (actors.length === 0 || !live.areWordsAsked.value) return note;
  const who = actors.find((each) => each.id === actor) ?? (actors.length === 1 ? actors[0] : undefined);
  return html`<section class="card" aria-labelledby="acting">
    <h2 id="acting" tabindex="-1">${who ? say("what_does", { who: nameOf(live, who.id) }) : say("who_acts")}</h2>
    ${note}
    ${who
      ? html`<div class="actions">${who.actions.map((each) => html`
          <button key=${each.type} type="button" class="wide" onClick=${() => begin({ actor: each.actor.id, type: each.type })}>${label(live, each.type)}</button>`)}</div>
          ${actors.length > 1 && html`<button type="button" class="quiet" onClick=${() => setActor("")}>${say("back")}</button>`}`
      : html`<div class="actions">${actors.map((each) => html`
          <${Actor} key=${each.id} live=${live} actor=${each} onChoose=${() => setActor(each.id)} onBegin=${begin} />`)}</div>`}
  </section>`;
}

/**
 * How seldom somebody is meant: who can do one thing only comes behind the others, and last a side
 * that can but end its turn.
 *
 * @param {{actions: LegalAction[]}} actor
 */
function unlikely({ actions }) {
  if (actions.every((each) => each.type === "end_turn")) return 2;
  return actions.length === 1 ? 1 : 0;
}

/**
 * Somebody who may act: a combatant, a side, or a unit with its members. Where there is but one thing
 * to do, it is begun at once.
 *
 * @param {object} props
 * @param {Live} props.live
 * @param {{id: string, actions: LegalAction[]}} props.actor
 * @param {() => void} props.onChoose
 * @param {(begun: Begun) => void} props.onBegin
 */
function Actor({ live, actor, onChoose, onBegin }) {
  const [only, ...others] = actor.actions;
  const members = (live.battle.state?.combatants ?? []).filter((/** @type {any} */ each) => each.unit === actor.id);
  const names = members.map((/** @type {any} */ each) => nameOf(live, each.id)).join(", ");
  const isAlone = only !== undefined && others.length === 0;
  return html`<button type="button" class="wide"
    onClick=${() => (isAlone ? onBegin({ actor: only.actor.id, type: only.type }) : onChoose())}>
    <bdi>${nameOf(live, actor.id)}</bdi>${isAlone && `: ${label(live, only.type)}`}
    ${names && html`${" "}<span class="members"><bdi>${names}</bdi></span>`}</button>`;
}

/** @typedef {{actor: string, type: string}} Begun */

/**
 * The action that was begun, as it is legal now; as it was before while nobody knows that: somebody
 * is asked, the tree is of an earlier event, or the action is on its way.
 *
 * @param {Live} live
 * @param {Begun | undefined} begun
 * @returns {LegalAction | null | undefined} null where it is no longer legal, undefined where there is none yet
 */
function useAction(live, begun) {
  const before = useRef(/** @type {LegalAction | undefined} */ (undefined));
  const tree = live.tree.value;
  const { head, decisions, state } = live.battle;
  const isKnown = state?.status !== "running" || (tree?.version === head?.seq && decisions.length === 0);
  if (!begun) before.current = undefined;
  if (!begun || live.sending.value) return before.current;
  const found = tree?.actions.find((each) => each.type === begun.type && each.actor.id === begun.actor);
  if (!found && isKnown) return null;
  before.current = found ?? before.current;
  return before.current;
}
