/** When a call is made again, and after which pause. */

/**
 * @typedef {object} Patience
 * @property {number} answerSeconds  for so long one answer is waited for
 * @property {number} totalSeconds  no attempt begins later than so long after the first
 */

/** @type {Patience} */
export const PATIENCE = { answerSeconds: 20, totalSeconds: 60 };

const FIRST_MS = 250;
const LONGEST_MS = 15_000;
/** Statuses of proxies that did not hear from the service; the call may have been carried out. */
const GATEWAY = new Set([502, 504]);

/**
 * Whether a call may be made again after this problem. `isRepeatable`: it changes nothing, or says
 * by a key that it is the same one, so it is never carried out twice.
 * @param {import("./problem.js").WarlogProblem} problem
 * @param {boolean} isRepeatable
 * @returns {boolean}
 */
export function mayAskAgain({ status, code }, isRepeatable) {
  if (status === 429) return true;
  if (!isRepeatable) return false;
  return status === 503 || GATEWAY.has(status) || (status === 409 && code === "in_progress");
}

/**
 * The pause before the next attempt, in milliseconds: twice as long each time, up to 15 seconds,
 * half of it at random, so that those who lost the same service do not come back together.
 * @param {number} failures  attempts that failed in a row, from 1
 * @param {number} [leastSeconds]  what the service asked for
 * @param {() => number} [random]  from 0 up to 1
 * @returns {number}
 */
export function pauseMs(failures, leastSeconds = 0, random = Math.random) {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  const own = whole * (0.5 + random() / 2);
  return leastSeconds ? leastSeconds * 1000 + random() * FIRST_MS : own;
}

/**
 * Wait; rejects with the signal's reason when it is aborted. `wake` may end the pause early.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @param {(wake: () => void) => (() => void)} [onWake]  registers `wake`, gives back how to undo it
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal, onWake) {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      forget?.();
      settle();
    };
    const stop = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(resolve), milliseconds);
    const forget = onWake?.(() => end(resolve));
    signal?.addEventListener("abort", stop);
  });
}
