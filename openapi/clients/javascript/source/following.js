/**
 * One battle followed: a stream that is opened again wherever it ends, and what it says, in order.
 *
 * How this works. Behind each record the client is at a cursor, `seq-hash8`. A stream that
 * ends, breaks or falls silent (the service says something every 10 seconds) is opened again behind
 * that cursor, after a pause that grows; the service then sends what was missed. With `state` each
 * event brings a patch of the document that is held; on coming back the service names the SHA-256 of
 * the document at the cursor, and whoever holds another one takes it again. A cursor that is not of
 * this log (409 `history_diverged`: the database was restored to an older state) is given up, and
 * with it all that was held.
 */

import { framesOf } from "./event_stream.js";
import { PatchMisfit } from "./json_patch.js";
import { WarlogProblem, problemOf } from "./problem.js";
import { pause, pauseMs } from "./retries.js";

/**
 * @typedef {import("../warlog.js").StreamRecord} StreamRecord
 * @typedef {import("../warlog.js").FollowedRecord} FollowedRecord
 * @typedef {import("../warlog.js").FollowOptions} FollowOptions
 * @typedef {import("../warlog.js").EventRecord} EventRecord
 * @typedef {import("../warlog.js").ProblemBody} ProblemBody
 * @typedef {import("./live_view.js").LiveView} LiveView
 * @typedef {import("./requests.js").Requests} Requests
 * @typedef {import("./requests.js").Call} Call
 */

/** The service says something at least every 10 seconds. */
export const SILENCE_MS = 25_000;
/** A stream that lasted so long was a good one: the pauses begin again behind it. */
const STEADY_MS = 5_000;
const PAGE = 64;
/** How many of the last notes a followed state has. */
const LAST_NOTES = 100;
/** Statuses after which asking again in the same way may help. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** The document that is held is not the one that the service means, and cannot be had. */
class WrongDocument extends Error {}

/** An event is missing: the stream is opened again behind the last one. */
class Gap extends Error {}

export class Following {
  /**
   * @param {Requests} requests
   * @param {Omit<Call, "method">} call  path and who asks
   * @param {LiveView} view
   * @param {FollowOptions} options
   */
  constructor(requests, call, view, options) {
    this.requests = requests;
    this.call = call;
    this.view = view;
    this.options = options;
    this.hasState = options.state ?? true;
    this.hasScene = this.hasState && (options.scene ?? false);
    this.refusals = options.refusals;
    const { after } = options;
    /** @type {string | undefined} */
    this.cursor = after === undefined ? undefined : String(after);
    this.failures = 0;
    this.documentFailures = 0;
    /** @type {number | undefined} */
    this.notes = LAST_NOTES;
    /** @type {WarlogProblem | undefined} */
    this.why = undefined;
  }

  /**
   * All records until the signal is aborted or the right to read is gone.
   * @returns {AsyncGenerator<FollowedRecord, void, void>}
   */
  async *records() {
    const { view } = this;
    view.begin();
    yield* this.#told();
    try {
      while (!this.#isStopped()) {
        const begun = Date.now();
        const wait = yield* this.#attempt();
        if (wait === undefined) return;
        if (Date.now() - begun > STEADY_MS) this.failures = 0;
        view.lose(this.why);
        yield* this.#told();
        await this.#rest(pauseMs(++this.failures, wait));
      }
    } finally {
      view.end();
    }
  }

  #isStopped() {
    return this.options.signal?.aborted ?? false;
  }

  /** The status, where it is another one than was shown last, or for another reason. */
  *#told() {
    const status = this.view.untoldStatus();
    if (status) yield status;
  }

  /** @param {number} milliseconds */
  async #rest(milliseconds) {
    try {
      await pause(milliseconds, this.options.signal, onComingOnline);
    } catch (error) {
      if (!this.#isStopped()) throw error;
    }
  }

  /**
   * One stream from its beginning to its end: seconds to wait at least before the next, 0 for no
   * wish; undefined where there is to be none.
   * @returns {AsyncGenerator<FollowedRecord, number | undefined, void>}
   */
  async *#attempt() {
    const ended = new AbortController();
    const stop = () => ended.abort();
    this.why = undefined;
    this.options.signal?.addEventListener("abort", stop);
    try {
      const answer = await this.#opened(ended);
      if (!answer.ok) return yield* this.#refused(problemOf(answer, await answer.text()));
      if (!answer.body) return 0;
      return yield* this.#heard(answer, answer.body);
    } catch (error) {
      if (error instanceof PatchMisfit || error instanceof WrongDocument) this.#giveUpDocument();
      else if (isFinal(error)) throw error;
      return this.#isStopped() ? undefined : 0;
    } finally {
      this.options.signal?.removeEventListener("abort", stop);
      ended.abort();
    }
  }

  /** @param {AbortController} ended */
  async #opened(ended) {
    const { narrate } = this.options;
    const timer = setTimeout(() => ended.abort(), this.#silenceMs);
    try {
      return await this.requests.attempt({
        ...this.call,
        path: `${this.call.path}/stream`,
        method: "GET",
        accept: "text/event-stream",
        signal: ended.signal,
        query: {
          ...this.call.query,
          after: this.cursor,
          state: this.hasState ? "patch" : undefined,
          scene: this.hasScene ? "patch" : undefined,
          notes: this.hasState ? this.notes : undefined,
          narrate,
          refusals: this.refusals,
        },
      });
    } finally {
      clearTimeout(timer);
    }
  }

  get #silenceMs() {
    return this.options.silenceSeconds === undefined
      ? SILENCE_MS
      : this.options.silenceSeconds * 1000;
  }

  /**
   * @param {WarlogProblem} problem
   * @returns {AsyncGenerator<FollowedRecord, number | undefined, void>}
   */
  async *#refused(problem) {
    if (this.refusals && problem.path === "query.refusals") {
      // A service that does not know the parameter yet.
      this.refusals = undefined;
      return 0;
    }
    if (problem.code === "history_diverged") {
      this.#forgetHistory();
      yield { type: "resync", reason: "history_diverged" };
      return 0;
    }
    if (this.notes !== undefined && problem.path === "query.notes") {
      // A process of a release that always has all of them.
      this.notes = undefined;
      return 0;
    }
    if (!PASSING.has(problem.status)) throw problem;
    this.why = problem;
    return problem.retryAfter ?? 0;
  }

  /**
   * @param {Response} answer
   * @param {ReadableStream<Uint8Array>} body
   * @returns {AsyncGenerator<FollowedRecord, number | undefined, void>}
   */
  async *#heard(answer, body) {
    for await (const { id, data } of framesOf(body, this.#silenceMs)) {
      /** @type {StreamRecord | { type: "problem", problem: ProblemBody }} */
      const record = JSON.parse(data);
      if (record.type === "problem") {
        return yield* this.#refused(problemOf(answer, JSON.stringify(record.problem)));
      }
      if (record.type === "hello") await this.#meet(record, id);
      if (record.type === "event" && !this.#goOn(record)) continue;
      if (record.type === "resync") yield* this.#missed(record);
      this.#stand(record, id);
      this.view.hear(record, this.cursor);
      yield record;
      yield* this.#told();
      if (record.type === "bye") return this.#after(record);
      if (record.type === "resync" && !record.document) return this.#resynced(record);
    }
    return 0;
  }

  /**
   * Move the cursor behind a record. A `hello` that is further on than the client leaves it
   * where it is: a `resync` follows that says what was left out.
   * @param {StreamRecord} record
   * @param {string | undefined} id
   */
  #stand(record, id) {
    const isAhead = record.type === "hello" && seqOf(id) !== seqOf(this.cursor ?? id);
    if (id !== undefined && !isAhead) this.cursor = id;
    if (record.type === "resync" && record.after !== undefined) this.cursor = record.after;
  }

  /**
   * Hold the document that a stream begins with.
   * @param {import("../warlog.js").HelloRecord} hello
   * @param {string | undefined} id
   */
  async #meet(hello, id) {
    const { held } = this.view;
    const seq = seqOf(id ?? this.cursor);
    if (hello.document) held.take(hello.document, seq);
    const sha256 = hello.document_sha256;
    if (sha256 === undefined || (held.seq === seq && held.is(sha256))) return;
    if (seq === 0) held.take(/** @type {any} */ ({}), 0);
    else held.take(await this.#documentAt(seq), seq);
    if (!held.is(sha256)) throw new WrongDocument("another document than the service means");
    this.documentFailures = 0;
  }

  /** How it reads next to the stream: once, since the stream has the patience for both. */
  get #hasty() {
    return { once: true, answerSeconds: this.#silenceMs / 1000 };
  }

  /**
   * The document behind an event, as `GET` shows it.
   * @param {number} seq
   * @returns {Promise<import("../warlog.js").BattleDocument>}
   */
  async #documentAt(seq) {
    const ask = (/** @type {string} */ what, /** @type {object} */ more = {}) =>
      this.requests.json({
        ...this.call,
        method: "GET",
        path: `${this.call.path}${what}`,
        query: { ...this.call.query, at: seq, ...more },
        ...this.#hasty,
        ...(this.options.signal ? { signal: this.options.signal } : {}),
      });
    const { decisions, state, table } = await ask("", { notes: this.notes });
    if (!this.hasScene) return { decisions, state, table };
    const { scene } = await ask("/scene");
    return { decisions, scene, state, table };
  }

  /**
   * Apply what an event changes; false for one that was shown before. Throws PatchMisfit, Gap.
   * @param {import("../warlog.js").StreamEvent} event
   */
  #goOn({ seq, patch }) {
    const last = this.cursor === undefined ? seq - 1 : seqOf(this.cursor);
    if (seq <= last) return false;
    if (seq > last + 1) throw new Gap(`event ${seq} came behind event ${last}`);
    if (patch) this.view.held.advance(patch, seq);
    return true;
  }

  /**
   * The events that the service left out because they were too many: without patches.
   * @param {import("../warlog.js").ResyncRecord} resync
   * @returns {AsyncGenerator<FollowedRecord, void, void>}
   */
  async *#missed({ reason, after, document }) {
    if (reason !== "too_far_behind" || !document || this.cursor === undefined) return;
    const until = seqOf(after);
    while (seqOf(this.cursor) < until) {
      const page = await this.requests.json({
        ...this.call,
        method: "GET",
        path: `${this.call.path}/events`,
        query: {
          ...this.call.query,
          after: this.cursor,
          limit: Math.min(PAGE, until - seqOf(this.cursor)),
          narrate: this.options.narrate,
        },
        ...this.#hasty,
      });
      for (const event of /** @type {EventRecord[]} */ (page.events)) {
        const encounter = this.view.encounter;
        this.cursor = `${event.seq}-${event.hash.slice(0, 8)}`;
        yield { type: "event", encounter, ...event };
      }
      if (!page.events.length) return;
    }
  }

  /**
   * @param {import("../warlog.js").ByeRecord} bye
   * @returns {number | undefined}
   */
  #after({ reason, retry = reason !== "revoked" && reason !== "deleted" }) {
    return retry ? 0 : undefined;
  }

  /**
   * Behind a `resync` that ends the stream: go on at `after`, or from nothing.
   * @param {import("../warlog.js").ResyncRecord} resync
   * @returns {number}
   */
  #resynced({ after }) {
    if (after === undefined) this.#forgetHistory();
    return 0;
  }

  #forgetHistory() {
    this.cursor = undefined;
    this.view.forget();
  }

  /** Keep the place in the log, but take the document again. */
  #giveUpDocument() {
    this.view.held.forget();
    if (++this.documentFailures > 1) this.cursor = undefined;
  }
}

/**
 * The seq of a cursor.
 * @param {string | undefined} cursor
 * @returns {number}
 */
export function seqOf(cursor) {
  return Number.parseInt(cursor ?? "0", 10);
}

/**
 * Whether whoever follows is to be informed of an error, since coming back would not help.
 * @param {unknown} error
 */
function isFinal(error) {
  return error instanceof WarlogProblem && !PASSING.has(error.status);
}

/**
 * End a pause once a browser says that it is online again.
 * @param {() => void} wake
 * @returns {() => void}
 */
function onComingOnline(wake) {
  const events = /** @type {Partial<EventTarget>} */ (globalThis);
  events.addEventListener?.("online", wake);
  return () => events.removeEventListener?.("online", wake);
}
