// What this seat is asked: a card on top, with the server's options, the default and the time left.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { say } from "../shell/texts.js";
import { draftName, draftOf, dropAnswered, keepDraft } from "./drafts.js";
import { focusNext } from "./focus.js";
import { deadline, ownAnswers, ownRolls } from "./mine.js";
import { randomKey, Walk } from "./walk.js";
import { label, nameOf, thingText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("warlog").Decision} Decision */

/**
 * @param {object} props
 * @param {Live} props.live
 */
export function Questions({ live }) {
  const answers = ownAnswers(live);
  const rolls = ownRolls(live);
  useEffect(() => dropAnswered(live, live.battle.decisions.map((each) => each.id)));
  return html`
    ${answers.map((each) => {
      const decision = /** @type {any} */ (each.decision);
      return html`<${Card} key=${decision.id} live=${live} decision=${decision} actor=${each.actor.id}>
        <${Walk} live=${live} action=${each} title=${say("answer")} draft=${draftName(decision.id)} onDone=${() => live.askSoon()} />
      </${Card}>`;
    })}
    ${rolls.map((each) => html`<${Card} key=${each.id} live=${live} decision=${each} actor=${each.combatant ?? each.seat}>
      <${Roll} live=${live} decision=${each} />
    </${Card}>`)}
  `;
}

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {any} props.decision
 * @param {string | undefined} props.actor
 * @param {any} [props.children]
 */
function Card({ live, decision, actor, children }) {
  const facts = contextText(live, decision);
  return html`<section class="card question" aria-labelledby=${`q-${decision.id}`}>
    <h2 id=${`q-${decision.id}`} tabindex="-1"><bdi>${nameOf(live, actor)}</bdi>: ${label(live, decision.kind)}</h2>
    ${facts && html`<p>${facts}</p>`}
    ${decision.kind !== "roll" && html`<p class="faint">${say("default_is", { what: label(live, decision.default) })}</p>`}
    <${Countdown} live=${live} decision=${decision.id} />
    ${children}
  </section>`;
}

const SHOWN = ["source", "combatant", "target", "deed", "action", "melody", "dice", "total", "needed", "target_number"];

/**
 * What a question is about, in a line.
 *
 * @param {Live} live
 * @param {any} decision
 */
function contextText(live, decision) {
  const context = decision.context ?? {};
  const parts = SHOWN.filter((each) => context[each] !== undefined).map((each) => {
    const value = context[each]?.combatant ?? context[each];
    const text = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? known(live, value, each) : String(value);
    return `${label(live, each)}: ${text}`;
  });
  return parts.join(" · ");
}

/**
 * @param {Live} live
 * @param {string} word
 * @param {string} field that it is in
 */
function known(live, word, field) {
  if (field === "melody") return thingText(live, word) ?? label(live, word);
  const isSomebody = live.battle.state?.combatants?.some((/** @type {any} */ each) => each.id === word);
  return isSomebody ? nameOf(live, word) : label(live, word);
}

/**
 * The time left by the server's clock; null without a deadline.
 *
 * @param {object} props
 * @param {Live} props.live
 * @param {string} [props.decision] the turn's without it
 */
export function Countdown({ live, decision }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const end = deadline(live, decision);
  if (!end) return null;
  const time = `${Math.floor(end.left / 60)}:${String(end.left % 60).padStart(2, "0")}`;
  return html`<p class=${`countdown ${end.left <= 10 ? "last" : ""}`} role="timer">
    <span aria-hidden="true">⏱</span> ${say(end.paused ? "time_paused" : "time_left", { time })}</p>`;
}

/**
 * The faces of real dice; the service throws them where it throws all others, in a fork.
 *
 * @param {object} props
 * @param {Live} props.live
 * @param {Decision} props.decision
 */
function Roll({ live, decision }) {
  const { count = 1, sides = 6, purpose = "" } = /** @type {any} */ (decision.roll ?? {});
  const isSealed = live.battle.state?.dice === "sealed";
  const draft = draftName(decision.id);
  const [faces, setFaces] = useState(/** @type {string[]} */ (draftOf(live, draft) ?? Array(isSealed ? 0 : count).fill("")));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const [key] = useState(() => randomKey());
  const isSent = useRef(false);
  function type(/** @type {number} */ at, /** @type {string} */ face) {
    const next = faces.map((each, i) => (i === at ? face : each));
    setFaces(next);
    keepDraft(live, draft, next);
  }
  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    if (isSent.current) return;
    isSent.current = true;
    setBusy(true);
    setError(null);
    try {
      const action = { type: "answer", decision_id: decision.id, choice: { type: "roll" } };
      await live.act(action, isSealed ? { key } : { dice: faces.map(Number), key });
      requestAnimationFrame(focusNext);
    } catch (problem) {
      isSent.current = false;
      setError(problem);
      setBusy(false);
    }
  }
  return html`<form onSubmit=${send}>
    <p>${say("roll_dice", { n: count, sides, purpose: label(live, purpose) })}</p>
    <div class="row dice">
      ${faces.map((face, at) => html`<label><span class="hidden">${say("die", { n: at + 1 })}</span>
        <input type="number" inputmode="numeric" min="1" max=${sides} step="1" required value=${face}
          onInput=${(/** @type {any} */ e) => type(at, e.target.value)} /></label>`)}
    </div>
    <${Problem} error=${error} />
    <button class="main wide" aria-disabled=${busy}>${say(busy ? "sending" : isSealed ? "throw_dice" : "send_dice")}</button>
  </form>`;
}
