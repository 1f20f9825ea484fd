/** The events of a bundle as its viewer saw them, without judging them: that is what `verify` is for. */

import { jointViewOf } from "./joint_view.js";
import { linesOf } from "./line_reader.js";
import { partName, viewOf, wholeOf } from "./parts.js";

/**
 * Events in order, each with `seen`, where parts could be laid in. Ends at the first line that is no
 * JSON; throws what the source throws.
 * @param {import("./line_reader.js").Source} source
 * @param {{viewpoint?: string | undefined}} [options]
 * @returns {AsyncGenerator<import("../warlog.js").BundleEvent, void, void>}
 */
export async function* eventsOf(source, { viewpoint } = {}) {
  /** @type {any} */
  let viewer;
  /** @type {string[]} */
  let sides = [];
  for await (const { bytes } of linesOf(source)) {
    const line = parsed(bytes);
    if (line === undefined) return;
    if (line.type === "bundle") viewer = line.viewer;
    if (line.type !== "event" || !Number.isInteger(line.event?.seq)) continue;
    if (line.event.seq === 1) sides = sidesOf(line.event);
    const seen = seenBy(viewer, sides, line, viewpoint);
    const { event, hash } = line;
    yield { seq: event.seq, hash, event, ...(seen ? { seen } : {}) };
  }
}

/** @param {Uint8Array} bytes @returns {any} */
function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** @param {any} event @returns {string[]} */
function sidesOf(event) {
  const created = event.effects?.find?.((/** @type {any} */ each) => Array.isArray(each?.sides));
  return (created?.sides ?? []).map((/** @type {any} */ each) => String(each?.id));
}

/**
 * @param {any} viewer
 * @param {readonly string[]} sides
 * @param {any} line
 * @param {string | undefined} viewpoint  less than the viewer's own
 * @returns {any} undefined where the event says it all, or the parts do not fit
 */
function seenBy(viewer, sides, line, viewpoint) {
  if (!Array.isArray(line.parts) || line.parts.length === 0) return undefined;
  try {
    const opened = new Map(line.parts.map((/** @type {any} */ part) => [partName(part), part.body]));
    if (viewpoint !== undefined && viewpoint !== "gm") {
      return jointViewOf(line.event, opened, sides.filter((each) => each === viewpoint));
    }
    if (viewer?.kind === "gm" || opened.has("facts/gm")) {
      const audiences = ["everyone", ...sides];
      return wholeOf(
        new Map(audiences.map((each) => [each, viewOf(line.event, opened, each)])),
        opened,
      );
    }
    const held = sides.filter((each) => opened.has(`facts/${each}`) || opened.has(`text/${each}`));
    return jointViewOf(line.event, opened, held);
  } catch {
    return undefined;
  }
}
