// An action of any ruleset, put together from what the service says is legal: one parameter after
// the other, then what it would come to, then the confirmation.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { say } from "../shell/texts.js";
import { Choice, question } from "./choice.js";
import { Preview } from "./preview.js";
import { label, nameOf, pointOf, valueText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("warlog").LegalAction} LegalAction */
/** @typedef {import("warlog").LegalWalk} LegalWalk */

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {LegalAction} props.action
 * @param {string} props.title
 * @param {() => void} [props.onBack]
 * @param {() => void} props.onDone
 */
export function Walk({ live, action, title, onBack, onDone }) {
  const [walk, setWalk] = useState(() => action.start().forced());
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const current =
    walk.open.find((each) => !each.optional) ?? walk.open.find((each) => each.name === asked);
  const actor = actorOf(action, walk);
  function settle(/** @type {LegalWalk} */ next) {
    setAsked(null);
    setWalk(next.forced());
  }
  function back() {
    if (asked && current) setAsked(null);
    else if (walk.before) setWalk(lastChoice(walk));
    else onBack?.();
  }
  const canGoBack = asked !== null || walk.settled.some((each) => isChosen(each.parameter)) || onBack;
  return html`<div class="walk">
    <h3 class="walkTitle">${title}</h3>
    <${Settled} live=${live} walk=${walk} />
    ${current
      ? html`<${Choice} key=${current.name} live=${live} parameter=${current} actor=${actor}
          onChoose=${(/** @type {any} */ value) => settle(walk.choose(current, value))}
          onLeave=${current.optional ? () => settle(walk.leave(current)) : undefined} />`
      : html`<${Review} ...${{ live, walk, title, onDone }} onMore=${setAsked} />`}
    ${canGoBack && html`<button type="button" class="quiet" onClick=${back}>${say("back")}</button>`}
  </div>`;
}

/**
 * @param {LegalAction} action
 * @param {LegalWalk} walk
 * @returns {string | undefined}
 */
function actorOf(action, walk) {
  const combatant = walk.action["combatant"];
  return typeof combatant === "string" ? combatant : action.actor.id;
}

/** @param {import("warlog").LegalParameter} parameter whether there was anything to choose */
const isChosen = ({ options, optional, form }) => optional || options === undefined || options.length > 1 || form === "some_of";

/**
 * The walk before the last choice that a person made.
 *
 * @param {LegalWalk} walk
 * @returns {LegalWalk}
 */
function lastChoice(walk) {
  let here = walk;
  while (here.before) {
    const last = here.settled.at(-1);
    const wasChosen = here.settled.length > here.before.settled.length && last && isChosen(last.parameter);
    here = here.before;
    if (wasChosen) break;
  }
  return here;
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
 * @param {() => void} props.onDone
 * @param {(name: string) => void} props.onMore
 */
function Review({ live, walk, title, onDone, onMore }) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  // One key for however often this very action is sent.
  const [key] = useState(() => randomKey());
  const [sent, setSent] = useState("");
  async function confirm() {
    const text = JSON.stringify(walk.action);
    setBusy(true);
    setError(null);
    setSent(text);
    try {
      await live.act(walk.action, sent === "" || sent === text ? { key } : {});
      onDone();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  useEffect(() => button.current?.focus(), []);
  return html`
    ${walk.action.type !== "answer" && html`<${Preview} live=${live} action=${walk.action} />`}
    <${Problem} error=${error} />
    <button ref=${button} type="button" class="main wide confirm" disabled=${busy} onClick=${confirm}>
      ${say(busy ? "sending" : "do_it", { what: title })}</button>
    ${walk.open.length > 0 && html`<p class="row"><span class="faint">${say("also_possible")}</span>
      ${walk.open.map((each) => html`<button type="button" class="quiet" onClick=${() => onMore(each.name)}>${question(live, each)}</button>`)}</p>`}
  `;
}

/** @returns {string} a key that no other action has */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {object} props
 * @param {Live} props.live
 */
export function Acting({ live }) {
  const [actor, setActor] = useState("");
  const [chosen, setChosen] = useState(/** @type {LegalAction | null} */ (null));
  const tree = live.tree.value;
  const actors = (tree?.actors ?? [])
    .map((each) => ({ id: each.id, actions: each.actions.filter((one) => one.type !== "answer") }))
    .filter((each) => each.actions.length > 0);
  if (chosen) {
    return html`<section class="card" aria-labelledby="acting">
      <h2 id="acting"><bdi>${nameOf(live, chosen.actor.id)}</bdi></h2>
      <${Walk} key=${`${chosen.actor.id} ${chosen.type}`} live=${live} action=${chosen} title=${label(live, chosen.type)}
        onBack=${() => setChosen(null)} onDone=${() => setChosen(null)} />
    </section>`;
  }
  if (actors.length === 0) return null;
  const who = actors.find((each) => each.id === actor) ?? (actors.length === 1 ? actors[0] : undefined);
  return html`<section class="card" aria-labelledby="acting">
    <h2 id="acting">${who ? say("what_does", { who: nameOf(live, who.id) }) : say("who_acts")}</h2>
    ${who
      ? html`<div class="actions">${who.actions.map((each) => html`
          <button type="button" class="wide" onClick=${() => setChosen(each)}>${label(live, each.type)}</button>`)}</div>
          ${actors.length > 1 && html`<button type="button" class="quiet" onClick=${() => setActor("")}>${say("back")}</button>`}`
      : html`<div class="actions">${actors.map((each) => html`
          <button type="button" class="wide" onClick=${() => setActor(each.id)}><bdi>${nameOf(live, each.id)}</bdi></button>`)}</div>`}
  </section>`;
}
