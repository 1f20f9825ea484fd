/** The lists of draws of an event: each die drawn again from its stream where the seed is there. */

import { said } from "./details.js";
import { GM_STREAM, PUBLIC_STREAM, Stream } from "./dice.js";
import { Difference, pathText, shown } from "./findings.js";
import { isDraw } from "./line_form.js";
import { partName } from "./parts.js";

/**
 * @typedef {import("./line_form.js").Draw} Draw
 * @typedef {import("./line_form.js").EventLine} EventLine
 * @typedef {{stream: number, root: string, draws: {draw: Draw, at: number}[],
 *   flaw?: Difference}} DrawList  `flaw` is informed of what is behind the draws and is none
 * @typedef {(stream: number) => Stream | undefined} StreamOpener  undefined without a seed
 */

/**
 * The stream of an audience; undefined for `everyone`'s text and unknown sides.
 * @param {string} audience
 * @param {readonly string[]} sides
 * @returns {number}
 */
export function streamOf(audience, sides) {
  if (audience === "everyone") return PUBLIC_STREAM;
  return audience === "gm" ? GM_STREAM : sides.indexOf(audience) + 1;
}

/**
 * The lists of draws that are at hand: that of the body and those in facts.
 * @param {EventLine} line
 * @param {readonly string[]} sides
 * @returns {DrawList[]}
 */
export function drawLists(line, sides) {
  const draws = line.event.draws.map((draw, at) => ({ draw, at }));
  const lists = [{ stream: PUBLIC_STREAM, root: "$", draws }];
  for (const part of line.parts) {
    if (part.kind === "facts" && part.body?.entries.length) lists.push(hiddenDraws(part, sides));
  }
  return lists;
}

/**
 * @param {import("./line_form.js").Part} part
 * @param {readonly string[]} sides
 * @returns {DrawList}
 */
function hiddenDraws(part, sides) {
  const root = `parts.${partName(part).replace("/", ".")}:$`;
  /** @type {DrawList["draws"]} */
  const draws = [];
  for (const [path, value] of part.body?.entries ?? []) {
    if (path.length !== 2 || path[0] !== "draws") continue;
    if (!isDraw(value)) {
      const place = { path: `${root}.draws[${draws.length}]` };
      const flaw = new Difference("draws", said`${shown(value)} is no draw`, place);
      return { stream: streamOf(part.audience, sides), root, draws, flaw };
    }
    draws.push({ draw: value, at: draws.length });
  }
  return { stream: streamOf(part.audience, sides), root, draws };
}

/**
 * The lists of draws of an event that its viewer may see, each up to something that is no draw.
 * @param {EventLine} line
 * @param {readonly string[]} sides
 * @param {ReadonlySet<string>} entitled  names of the viewer's parts
 * @returns {{stream: number, draws: Draw[]}[]}
 */
export function seenLists(line, sides, entitled) {
  const lists = [{ stream: PUBLIC_STREAM, draws: line.event.draws }];
  for (const part of line.parts) {
    if (part.kind !== "facts" || !part.body || !entitled.has(partName(part))) continue;
    const listed = part.body.entries.filter(([path]) => path.length === 2 && path[0] === "draws");
    const end = listed.findIndex(([, value]) => !isDraw(value));
    const draws = (end < 0 ? listed : listed.slice(0, end)).map(([, value]) => value);
    lists.push({ stream: streamOf(part.audience, sides), draws: /** @type {Draw[]} */ (draws) });
  }
  return lists;
}

/**
 * How many draws of a list are those that its stream gives, up to the first that is not.
 * @param {{stream: number, draws: readonly Draw[]}} list
 * @param {StreamOpener} open
 * @returns {number}
 */
export function drawnAgain({ stream: own, draws }, open) {
  const stream = draws.length ? open(own) : undefined;
  if (!stream) return 0;
  const wrong = draws.findIndex(
    ({ stream: named, number, sides, face }, at) =>
      named !== own || number !== at + 1 || face !== stream.face(sides),
  );
  return wrong < 0 ? draws.length : wrong;
}

/**
 * Check a list: its stream, numbers from 1, bounds, and the faces that the stream gives.
 * @param {DrawList} list
 * @param {StreamOpener} open
 */
export function checkDraws(list, open) {
  const stream = list.draws.length ? open(list.stream) : undefined;
  for (const { draw, at } of list.draws) {
    /** @type {(name: "stream" | "number" | "face", due: number) => void} */
    const require = (name, due) => {
      if (draw[name] === due) return;
      const path = pathText(["draws", at, name], list.root);
      const detail =
        name === "face"
          ? said`die ${draw.number} shows ${draw.face}, the seed gives ${due}`
          : said`${draw[name]} instead of ${due}`;
      throw new Difference("draws", detail, { path });
    };
    require("stream", list.stream);
    require("number", at + 1);
    if (draw.face > draw.sides) {
      const path = pathText(["draws", at, "face"], list.root);
      throw new Difference("draws", said`${draw.face} of ${draw.sides} sides`, { path });
    }
    if (stream) require("face", stream.face(draw.sides));
  }
  if (list.flaw) throw list.flaw;
}
