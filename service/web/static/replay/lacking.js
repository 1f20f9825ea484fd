// What a bundle does not tell of a moment: what may lack there, why, and from which event on.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { fieldName } from "./words.js";

/** @typedef {"withheld" | "may_lack" | "order"} Why */
/** @typedef {{path: string, why: Why}} Gap */
/** @typedef {{unknown: string | undefined, since: number, gaps: readonly Gap[], begun: ReadonlyMap<string, number>}} Lacking
 * `unknown`: why there is no state at all; `begun`: by kind of gap the event since which it is there */

/** The same for every combatant. @param {Gap} gap */
const kindOf = ({ path, why }) => `${why} ${path.replace(/\[\d+\]/g, "")}`;

/**
 * What a view lacks, from what the one before it lacked.
 *
 * @param {number} seq
 * @param {import("warlog").AuditedView} view
 * @param {Lacking | undefined} before
 * @returns {Lacking}
 */
export function lackingIn(seq, view, before) {
  const gaps = view.unknown_paths ?? [];
  const begun = new Map(gaps.map(kindOf).map((kind) => [kind, before?.begun.get(kind) ?? seq]));
  const isNew = view.unknown !== undefined && before?.unknown !== view.unknown;
  return { unknown: view.unknown, since: view.unknown_since ?? (isNew ? seq : (before?.since ?? seq)), gaps, begun };
}

/** The gaps in a combatant's sheet: name of the field -> why. @param {Lacking | undefined} lacking @param {number} index in the state */
export function gapsOfSheet(lacking, index) {
  const start = `state.combatants[${index}].`;
  const own = (lacking?.gaps ?? []).filter(({ path }) => path.startsWith(start));
  return new Map(own.map(({ path, why }) => [path.slice(start.length).replace(/\[\d+\]/g, ""), why]));
}

/** @param {{lacking: Lacking}} props */
export function LackingNote({ lacking }) {
  const { unknown, since, begun } = lacking;
  const kinds = [...begun].map(([kind, from]) => {
    const [why = "", path = ""] = kind.split(" ");
    return { why, path, from };
  });
  const scene = kinds.find(({ why, path }) => why === "withheld" && path === "scene");
  if (!unknown && kinds.length === 0) return null;
  return html`<div class="note lacking" role="note">
    ${unknown && html`<p>${say(`lack_${unknown}`, { since })}</p>`}
    ${scene && html`<p>${say("lack_scene", { since: scene.from })}</p>`}
    ${["withheld", "may_lack", "order"].map((why) => {
      const of = kinds.filter((each) => each.why === why && each !== scene);
      return of.length > 0 && html`<p>${say(`lack_${why}`)} ${listOf(of)}.</p>`;
    })}
  </div>`;
}

/** What lacks, by the event since which it does. @param {{path: string, from: number}[]} kinds */
function listOf(kinds) {
  const since = [...new Set(kinds.map(({ from }) => from))];
  const of = (/** @type {number} */ seq) => kinds.filter(({ from }) => from === seq).map(({ path }) => labelOf(path));
  return since.map((seq) => say("lack_since", { what: [...new Set(of(seq))].join(", "), since: seq })).join("; ");
}

/** @param {string} path */
function labelOf(path) {
  const steps = path.split(".").filter((each) => each !== "state");
  return steps.filter((each, i) => each !== "combatants" || i === steps.length - 1).map(fieldName).join(", ");
}
