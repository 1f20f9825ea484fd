/**
 * Calls of one service, made again where that cannot act twice.
 *
 * How this works. A call that changes something names an `Idempotency-Key`, made once and sent with
 * every attempt: the service carries it out once and answers the others the same. So a call is made
 * again after a lost connection, a missing answer, 429, 503, `in_progress` and what proxies say
 * instead of the service; after any other refusal never.
 */

import { WarlogUnreachable, problemOf } from "./problem.js";
import { PATIENCE, mayAskAgain, pause, pauseMs } from "./retries.js";
import { ServerClock } from "./server_clock.js";

/**
 * @typedef {import("../warlog.js").WarlogOptions} WarlogOptions
 * @typedef {import("../warlog.js").Json} Json
 */

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path  from `/`
 * @property {Record<string, string | number | boolean | undefined>} [query]
 * @property {unknown} [body]
 * @property {string} [bodyType]  of a body that is no JSON
 * @property {string} [key]  the `Idempotency-Key`
 * @property {boolean} [once]  it may act and has no key: made again only after 429
 * @property {string} [token]  in place of the service's own; empty: none
 * @property {string} [seat]  for whom a key asks
 * @property {string} [ifMatch]
 * @property {string} [accept]
 * @property {boolean} [isOpen]  the answer's body is read later; the signal ends that, too
 * @property {AbortSignal} [signal]
 * @property {number} [answerSeconds]  for so long one answer is waited for
 */

export class Requests {
  /** @param {WarlogOptions} options */
  constructor({ url = "", token, language, fetch = globalThis.fetch, retry = {} }) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
    this.language = language;
    /** @type {typeof globalThis.fetch} */
    this.fetch = (...args) => fetch(...args);
    this.patience = { ...PATIENCE, ...retry };
    this.clock = new ServerClock();
  }

  /**
   * The JSON of an answer that is a success; undefined where it has no body. Throws WarlogProblem
   * and WarlogUnreachable, and the signal's reason.
   * @param {Call} call
   * @returns {Promise<any>}
   */
  async json(call) {
    return this.#repeated(call, async (answer) => {
      const text = await answer.text();
      return text ? JSON.parse(text) : undefined;
    });
  }

  /**
   * The text of an answer that is a success.
   * @param {Call} call
   * @returns {Promise<string>}
   */
  async text(call) {
    return this.#repeated(call, (answer) => answer.text());
  }

  /**
   * An answer that is a success, its body unread; only its head is waited for.
   * @param {Call} call
   * @returns {Promise<Response>}
   */
  async answer(call) {
    return this.#repeated({ ...call, isOpen: true }, (answer) => Promise.resolve(answer));
  }

  /**
   * One attempt: the answer, whatever its status. `signal` ends it also while its body is read.
   * @param {Call} call
   * @returns {Promise<Response>}
   */
  async attempt(call) {
    const asked = this.clock.own();
    const { body, bodyType, signal } = call;
    const isRaw = bodyType !== undefined;
    const answer = await this.fetch(this.addressOf(call), {
      method: call.method,
      headers: this.#headersOf(call),
      ...(body === undefined
        ? {}
        : { body: isRaw ? /** @type {BodyInit} */ (body) : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    this.clock.hear(answer.headers.get("Date"), asked);
    return answer;
  }

  /**
   * @param {Call} call
   * @returns {string}
   */
  addressOf({ path, query = {} }) {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(
      pairs.map(([name, value]) => [name, String(value)]),
    ).toString();
    return this.url + path + (text && `?${text}`);
  }

  /**
   * @param {Call} call
   * @returns {Record<string, string>}
   */
  #headersOf({ body, bodyType, key, token = this.token, seat, ifMatch, accept }) {
    /** @type {[string, string | undefined][]} */
    const headers = [
      ["Accept", accept ?? "application/json"],
      ["Accept-Language", this.language],
      ["Authorization", token ? `Bearer ${token}` : undefined],
      ["Content-Type", body === undefined ? undefined : (bodyType ?? "application/json")],
      ["Idempotency-Key", key],
      ["If-Match", ifMatch === undefined ? undefined : `"${ifMatch.replace(/^"|"$/g, "")}"`],
      ["Warlog-Seat", seat],
    ];
    return Object.fromEntries(
      headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  /**
   * @template T
   * @param {Call} call
   * @param {(answer: Response) => Promise<T>} read
   * @returns {Promise<T>}
   */
  async #repeated(call, read) {
    const isRepeatable = !call.once;
    const last = Date.now() + this.patience.totalSeconds * 1000;
    for (let failures = 1; ; failures++) {
      const { value, problem, lost } = await this.#tried(call, read);
      if (problem && !mayAskAgain(problem, isRepeatable)) throw problem;
      if (!problem && lost === undefined) return /** @type {T} */ (value);
      const wait = pauseMs(failures, problem?.retryAfter);
      const isOver = Date.now() + wait > last || (!problem && !isRepeatable);
      if (isOver && problem) throw problem;
      if (isOver) throw new WarlogUnreachable(`${call.method} ${call.path}`, lost, call.key);
      await pause(wait, call.signal);
    }
  }

  /**
   * @template T
   * @param {Call} call
   * @param {(answer: Response) => Promise<T>} read
   * @returns {Promise<{value?: T, problem?: import("./problem.js").WarlogProblem, lost?: unknown}>}
   */
  async #tried(call, read) {
    const seconds = call.answerSeconds ?? this.patience.answerSeconds;
    call.signal?.throwIfAborted();
    const ended = new AbortController();
    const stop = () => ended.abort(call.signal?.reason);
    const timer = setTimeout(
      () => ended.abort(new Error(`nothing came for ${seconds} s`)),
      seconds * 1000,
    );
    call.signal?.addEventListener("abort", stop);
    try {
      const answer = await this.attempt({ ...call, signal: ended.signal });
      if (!answer.ok) return { problem: problemOf(answer, await answer.text()) };
      return { value: await read(answer) };
    } catch (error) {
      call.signal?.throwIfAborted();
      return { lost: error ?? new Error("lost") };
    } finally {
      clearTimeout(timer);
      if (!call.isOpen) call.signal?.removeEventListener("abort", stop);
    }
  }
}
