// What an event points at on the map: who took part, the ground and the corners that counted, ways.
import { noMarks } from "../scene/traces.js";
import { eachObject } from "./log_entries.js";

/**
 * @param {any} event as its reader sees it; null for none
 * @returns {import("../scene/traces.js").Marks}
 */
export function marksOf(event) {
  const marks = noMarks();
  for (const effect of event?.effects ?? []) {
    if (effect.type === "moved") addWay(marks, effect);
    if (/_resolved$/.test(effect.type)) addFacts(marks, effect);
  }
  return marks;
}

/** The facts of one line of a breakdown alone. @param {any} line */
export function marksOfLine(line) {
  const marks = noMarks();
  if (line) addFacts(marks, line);
  return marks;
}

/** @param {import("../scene/traces.js").Marks} marks @param {any} effect */
function addWay(marks, effect) {
  const points = [effect.start, ...(effect.path ?? [])].filter((each) => isPoint(each));
  if (points.length > 1) marks.ways.push(points);
  if (effect.combatant) marks.combatants.add(effect.combatant);
}

/** @param {import("../scene/traces.js").Marks} marks @param {any} value */
function addFacts(marks, value) {
  eachObject(value, (part) => {
    for (const name of ["attacker", "target", "combatant"]) {
      if (typeof part[name] === "string") marks.combatants.add(part[name]);
    }
    for (const each of part.combatants ?? []) if (typeof each === "string") marks.combatants.add(each);
    for (const each of Array.isArray(part.ground) ? part.ground : []) addGround(marks, each);
    if (isPoint(part.corner)) addCorner(marks, part);
  });
}

/** @param {import("../scene/traces.js").Marks} marks @param {any} ground */
function addGround(marks, ground) {
  if (ground?.kind === "cell" && isPoint(ground)) marks.cells.push({ x: ground.x, y: ground.y });
  const label = ground?.id ?? ground?.label;
  if (typeof label === "string") marks.shapes.add(label);
}

/** @param {import("../scene/traces.js").Marks} marks @param {any} part */
function addCorner(marks, part) {
  marks.corners.push(part.corner);
  for (const line of Array.isArray(part.lines) ? part.lines : []) {
    if (isPoint(line.end)) marks.lines.push({ start: part.corner, end: line.end });
  }
}

/** @param {any} value */
const isPoint = (value) => Number.isFinite(value?.x) && Number.isFinite(value?.y);
