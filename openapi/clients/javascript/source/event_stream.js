/** Server-sent events as they come over `fetch`: frames of a body, and silence noticed. */

/**
 * @typedef {object} Frame
 * @property {string} [id]  the cursor behind it
 * @property {string} data
 */

/** Nothing came for longer than the service is ever silent. */
export class Silence extends Error {
  /** @param {number} milliseconds */
  constructor(milliseconds) {
    super(`nothing came for ${milliseconds} ms`);
    this.name = "Silence";
  }
}

/**
 * The frames of a body until it ends. Throws what the connection throws; Silence where nothing at
 * all comes for `silenceMs`, of which only the time counts that is spent waiting here.
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} silenceMs
 * @returns {AsyncGenerator<Frame, void, void>}
 */
export async function* framesOf(body, silenceMs) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceMs);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split(/\r?\n\r?\n/);
      text = /** @type {string} */ (parts.pop());
      for (const part of parts) {
        const frame = frameOf(part);
        if (frame) yield frame;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // whoever is gone need not be told
  }
}

/** More than the time between two heartbeats. */
const QUIET_MS = 12_000;

/**
 * What a promise gives. Throws Silence after so many milliseconds; also once a page is shown again
 * that was hidden or asleep meanwhile, if a heartbeat should have come.
 * @template T
 * @param {Promise<T>} promise
 * @param {number} milliseconds
 * @returns {Promise<T>}
 */
function within(promise, milliseconds) {
  const { document } = /** @type {{document?: Document}} */ (globalThis);
  const begun = Date.now();
  return new Promise((resolve, reject) => {
    const end = () => reject(new Silence(Date.now() - begun));
    const look = () => {
      if (document?.visibilityState === "visible" && Date.now() - begun > QUIET_MS) end();
    };
    const timer = setTimeout(end, milliseconds);
    document?.addEventListener("visibilitychange", look);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      document?.removeEventListener("visibilitychange", look);
    });
  });
}

/**
 * One event; undefined for what has no data, such as a comment or a retry time.
 * @param {string} text
 * @returns {Frame | undefined}
 */
function frameOf(text) {
  /** @type {string[]} */
  const data = [];
  let id;
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (name === "data") data.push(value);
    if (name === "id") id = value;
  }
  if (!data.length) return undefined;
  return id ? { id, data: data.join("\n") } : { data: data.join("\n") };
}
