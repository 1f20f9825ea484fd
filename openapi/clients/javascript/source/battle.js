/** One battle: its calls, and what is known of it while it is followed. */

import { Following } from "./following.js";
import { LegalTree } from "./legal_tree.js";
import { LiveView } from "./live_view.js";
import { newKey } from "./secrets.js";

/**
 * @typedef {import("../warlog.js").ActOptions} ActOptions
 * @typedef {import("../warlog.js").Action} Action
 * @typedef {import("../warlog.js").BattleOptions} BattleOptions
 * @typedef {import("../warlog.js").CallOptions} CallOptions
 * @typedef {import("../warlog.js").Decision} Decision
 * @typedef {import("../warlog.js").Json} Json
 * @typedef {import("./requests.js").Call} Call
 * @typedef {import("./requests.js").Requests} Requests
 */

export class Battle {
  #requests;
  #options;
  #view;

  /**
   * @param {Requests} requests
   * @param {string} id
   * @param {BattleOptions} [options]
   */
  constructor(requests, id, options = {}) {
    this.id = id;
    this.#requests = requests;
    this.#options = options;
    this.#view = new LiveView(id, requests.clock);
  }

  // What is known of it.

  get state() {
    return this.#view.held.value?.state;
  }

  get table() {
    return this.#view.held.value?.table;
  }

  get undoTo() {
    return this.table?.undo_to;
  }

  get undoBar() {
    return this.table?.undo_bar;
  }

  get decisions() {
    return this.#view.held.value?.decisions ?? [];
  }

  get scene() {
    return this.#view.held.value?.scene;
  }

  /** The event behind which state, table, decisions and scene stand. */
  get seq() {
    return this.#view.held.seq;
  }

  get head() {
    return this.#view.head;
  }

  get hello() {
    return this.#view.hello;
  }

  get status() {
    return this.#view.status;
  }

  get offlineSince() {
    return this.#view.offlineSince;
  }

  get offlineWhy() {
    return this.#view.offlineWhy;
  }

  get closedBy() {
    return this.#view.closedBy;
  }

  get presence() {
    return this.#view.presence;
  }

  get timers() {
    return this.#view.timers;
  }

  get receipt() {
    return this.#view.receipt;
  }

  /** @param {(battle: Battle) => void} listener */
  subscribe(listener) {
    const tell = () => listener(this);
    this.#view.listeners.add(tell);
    return () => {
      this.#view.listeners.delete(tell);
    };
  }

  serverNow() {
    return this.#requests.clock.now();
  }

  /** @param {import("../warlog.js").FollowOptions} [options] */
  follow(options = {}) {
    return new Following(this.#requests, this.#call(""), this.#view, options).records();
  }

  // Reading.

  /** @param {{at?: number} & CallOptions} [options] */
  async read({ at, ...more } = {}) {
    const view = await this.#get("", { at }, more);
    const { held } = this.#view;
    const isCurrent = at === undefined && this.status === "idle" && view.seq >= held.seq;
    if (isCurrent && !more.by) {
      const { decisions, state, table } = view;
      held.take({ decisions, state, table }, view.seq);
      this.#view.head = { seq: view.seq, hash: view.hash };
      this.#view.timers = view.timers ?? [];
      this.#view.tell();
    }
    return view;
  }

  /** @param {{at?: number} & CallOptions} [options] */
  readScene({ at, ...more } = {}) {
    return this.#get("/scene", { at }, more);
  }

  /** @param {{at?: number} & CallOptions} [options] */
  svg({ at, ...more } = {}) {
    return this.#drawn("image/svg+xml", at, more);
  }

  /** @param {{at?: number} & CallOptions} [options] */
  sketch({ at, ...more } = {}) {
    return this.#drawn("text/plain", at, more);
  }

  /**
   * @param {string} accept
   * @param {number | undefined} at
   * @param {CallOptions} options
   */
  #drawn(accept, at, options) {
    const query = { ...this.#query, at };
    return this.#requests.text({ ...this.#call("/scene", options), method: "GET", accept, query });
  }

  /** @param {{digest?: string} & CallOptions} [options] */
  readMap({ digest, ...more } = {}) {
    return this.#get("/map", { digest }, more, false);
  }

  /** @param {import("../warlog.js").EventsOptions} [options] */
  events({ after, limit, wait, state, scene, narrate, ...more } = {}) {
    const [states, scenes] = [state, scene].map((each) => (each ? "patch" : undefined));
    const query = { after, limit, wait, state: states, scene: scenes, narrate };
    const answerSeconds = wait === undefined ? undefined : wait + 20;
    return this.#get("/events", query, { ...more, answerSeconds });
  }

  /**
   * @param {{after?: number | string, narrate?: "en" | "ru"} & CallOptions} [options]
   * @returns {AsyncGenerator<import("../warlog.js").EventRecord, void, void>}
   */
  async *log({ after = 0, ...more } = {}) {
    for (let cursor = after; ; ) {
      const { events, head, next } = await this.events({ ...more, after: cursor });
      yield* events;
      const last = events.at(-1);
      if (!last || last.seq >= head) return;
      cursor = next;
    }
  }

  /**
   * @param {number} seq
   * @param {{explain?: "en" | "ru"} & CallOptions} [options]
   */
  event(seq, { explain, ...more } = {}) {
    return this.#get(`/events/${seq}`, { explain }, more);
  }

  /**
   * @param {string} name
   * @param {Record<string, string | number>} [query]
   * @param {CallOptions} [options]
   */
  inspect(name, query = {}, options = {}) {
    return this.#get(`/inspections/${encodeURIComponent(name)}`, query, options, false);
  }

  // Acting.

  /**
   * @param {Action | Action[]} action
   * @param {ActOptions} [options]
   */
  act(action, { dice, ruleset, ifMatch, ...options } = {}) {
    const named = ruleset === undefined ? {} : { ruleset };
    const faces = dice === undefined ? {} : { dice };
    const body = Array.isArray(action)
      ? { ...named, actions: action.map((each) => ({ action: each })) }
      : { ...named, action, ...faces };
    return this.#write("POST", "/actions", body, options, ifMatch);
  }

  /**
   * @param {Decision | string} decision
   * @param {string | {type: string, [field: string]: Json}} answer
   * @param {ActOptions} [options]
   */
  answer(decision, answer, options) {
    const action = {
      type: "answer",
      decision_id: typeof decision === "string" ? decision : decision.id,
      choice: typeof answer === "string" ? { type: answer } : answer,
    };
    return this.act(action, options);
  }

  /**
   * @param {number} to
   * @param {ActOptions} [options]
   */
  rewind(to, options) {
    return this.act({ type: "rewind", to }, options);
  }

  /**
   * @param {Action} action
   * @param {{answers?: Json[]} & CallOptions} [options]
   */
  preview(action, { answers, ...options } = {}) {
    const body = { action, ...(answers ? { answers } : {}) };
    return this.#post("/preview", body, options);
  }

  /** @param {import("../warlog.js").LegalOptions} [options] */
  async legalActions({ combatant, unit, side, sample, ...options } = {}) {
    const query = { combatant, unit, side, sample };
    return new LegalTree(await this.#get("/legal-actions", query, options, false));
  }

  // Seats and clocks.

  /** @param {CallOptions} [options] */
  async seats(options = {}) {
    return (await this.#get("/seats", {}, options, false)).seats;
  }

  /**
   * @param {string} seat
   * @param {CallOptions} [options]
   */
  readSeat(seat, options = {}) {
    return this.#get(seatPath(seat), {}, options, false);
  }

  /**
   * @param {Record<string, Json>} seat
   * @param {{invite?: boolean} & import("../warlog.js").WriteOptions} [options]
   */
  async addSeat(seat, { invite = true, ...options } = {}) {
    const answer = await this.#write("POST", "/seats", { seat, invite }, options);
    // A repeated answer comes without the code, which is shown once.
    if (!invite || answer.invitation) return answer;
    return { ...answer, invitation: await this.invite(/** @type {any} */ (seat).id, options) };
  }

  /**
   * @param {string} seat
   * @param {Record<string, Json>} changes
   * @param {{ifMatch?: string} & import("../warlog.js").WriteOptions} [options]
   */
  changeSeat(seat, changes, { ifMatch, ...options } = {}) {
    return this.#write("PATCH", seatPath(seat), changes, options, ifMatch);
  }

  /**
   * @param {string} seat
   * @param {{ifMatch?: string} & import("../warlog.js").WriteOptions} [options]
   */
  removeSeat(seat, { ifMatch, ...options } = {}) {
    return this.#write("DELETE", seatPath(seat), undefined, options, ifMatch);
  }

  /**
   * @param {string} seat
   * @param {CallOptions} [options]
   */
  invite(seat, options = {}) {
    return this.#code({ ...this.#call(`${seatPath(seat)}/invitation`, options) });
  }

  /** @param {CallOptions} [options] */
  addDevice(options = {}) {
    return this.#code({ ...this.#call("", options), path: "/v1/me/devices", query: {} });
  }

  /**
   * A new code. Each key is good for one, shown once; where its answer was lost, another is asked
   * for, which makes the one that nobody saw void.
   * @param {Omit<Call, "method">} call
   */
  async #code(call) {
    for (;;) {
      const answer = await this.#requests.json({ ...call, method: "POST", key: newKey() });
      if (answer.invitation) return answer.invitation;
    }
  }

  /**
   * @param {string} seat
   * @param {CallOptions} [options]
   */
  revokeToken(seat, options = {}) {
    return this.#ask("DELETE", `${seatPath(seat)}/token`, options);
  }

  /** @param {CallOptions} [options] */
  readTimers(options = {}) {
    return this.#get("/timers", {}, options, false);
  }

  /**
   * @param {import("../warlog.js").TimersRequest} change
   * @param {import("../warlog.js").WriteOptions} [options]
   */
  changeTimers(change, options = {}) {
    return this.#write("POST", "/timers", change, options);
  }

  // The whole of it.

  /**
   * @param {import("../warlog.js").ForkRequest} body
   * @param {import("../warlog.js").WriteOptions} [options]
   */
  fork(body, options = {}) {
    return this.#write("POST", "/forks", body, options);
  }

  /**
   * @param {Record<string, Json>} body
   * @param {CallOptions} [options]
   */
  simulate(body, options = {}) {
    return this.#post("/forks/simulations", body, options, {}, LONG_SECONDS);
  }

  /** @param {CallOptions} [options] */
  delete(options = {}) {
    return this.#ask("DELETE", "", options);
  }

  /** @param {{include?: string, receipts?: Json[]} & CallOptions} [options] */
  audit({ include, receipts, ...options } = {}) {
    const query = { include };
    const answerSeconds = LONG_SECONDS;
    if (!receipts) return this.#get("/audit", query, { ...options, answerSeconds }, false);
    return this.#post("/audit", { receipts }, options, query, answerSeconds);
  }

  /** @param {CallOptions} [options] */
  bundle(options = {}) {
    return this.#requests.answer({
      ...this.#call("/bundle", options),
      method: "GET",
      accept: "application/x-ndjson",
    });
  }

  /** @param {import("../warlog.js").Options & CallOptions} [options] */
  async verify({ by, keys, ...options } = {}) {
    const { verify } = await import("./verify.js");
    const { signal } = options;
    const more = { ...(signal ? { signal } : {}), ...(by === undefined ? {} : { by }) };
    const trusted = keys ?? (await this.#requests.json({ method: "GET", path: KEYS }));
    const { body } = await this.bundle(more);
    return verify(/** @type {ReadableStream<Uint8Array>} */ (body), { ...options, keys: trusted });
  }

  get #query() {
    const { view } = this.#options;
    return view === undefined ? {} : { view };
  }

  /**
   * @param {string} path  behind the battle's own
   * @param {CallOptions & {answerSeconds?: number | undefined}} [options]
   * @returns {Omit<Call, "method">}
   */
  #call(path, { by, signal, answerSeconds } = {}) {
    const { token, seat = undefined } = this.#options;
    const who = by ?? seat;
    return {
      path: `/v1/encounters/${encodeURIComponent(this.id)}${path}`,
      ...(token === undefined ? {} : { token }),
      ...(who === undefined ? {} : { seat: who }),
      ...(signal === undefined ? {} : { signal }),
      ...(answerSeconds === undefined ? {} : { answerSeconds }),
      ...(path === "" ? { query: this.#query } : {}),
    };
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number | boolean | undefined>} query
   * @param {CallOptions & {answerSeconds?: number | undefined}} options
   * @param {boolean} [isViewed]  whether it can be asked through another seat's eyes
   */
  #get(path, query, options, isViewed = true) {
    const viewed = isViewed ? this.#query : {};
    const call = { ...this.#call(path, options), method: "GET", query: { ...viewed, ...query } };
    return this.#requests.json(call);
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {CallOptions} options
   * @param {Record<string, string | undefined>} [query]
   * @param {number} [answerSeconds]
   */
  #post(path, body, options, query = {}, answerSeconds = undefined) {
    const call = this.#call(path, { ...options, answerSeconds });
    return this.#requests.json({ ...call, method: "POST", body, query });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} options
   */
  #ask(method, path, options) {
    return this.#requests.json({ ...this.#call(path, options), method, query: {} });
  }

  /**
   * A call that changes something, under one key however often it is made.
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {import("../warlog.js").WriteOptions} options
   * @param {string} [ifMatch]
   */
  #write(method, path, body, { key = newKey(), ...options }, ifMatch) {
    return this.#requests.json({
      ...this.#call(path, options),
      method,
      query: {},
      key,
      ...(body === undefined ? {} : { body }),
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
  }
}

/** How long the service may work at an audit or a simulation, and a little more. */
export const LONG_SECONDS = 330;
export const KEYS = "/.well-known/warlog-keys.json";

/** @param {string} seat */
function seatPath(seat) {
  return `/seats/${encodeURIComponent(seat)}`;
}
