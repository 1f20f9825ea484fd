/** The library: `import { Warlog, verify } from "warlog"`. The verifier is loaded when it is called. */

export { WarlogProblem, WarlogUnreachable } from "./problem.js";
export { newKey, newToken } from "./secrets.js";
export { Warlog } from "./warlog.js";

/**
 * Verify a bundle; see `warlog/verify`, which is the same function.
 * @param {import("./line_reader.js").Source} source
 * @param {import("../warlog.js").Options} [options]
 * @returns {Promise<import("../warlog.js").Report>}
 */
export async function verify(source, options) {
  const verifier = await import("./verify.js");
  return verifier.verify(source, options);
}

/**
 * The events of a bundle as its viewer saw them, unjudged.
 * @param {import("./line_reader.js").Source} source
 * @param {{viewpoint?: string}} [options]
 * @returns {AsyncGenerator<import("../warlog.js").BundleEvent, void, void>}
 */
export async function* readBundle(source, options) {
  const { eventsOf } = await import("./bundle_events.js");
  yield* eventsOf(source, options);
}
