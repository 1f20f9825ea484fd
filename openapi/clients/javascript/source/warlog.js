/** One service: who asks it, and what it has next to single battles. */

import { Battle, KEYS, LONG_SECONDS } from "./battle.js";
import { WarlogProblem } from "./problem.js";
import { Requests } from "./requests.js";
import { digestOf, newKey, newToken } from "./secrets.js";

/** @typedef {import("../warlog.js").CallOptions} CallOptions */

export class Warlog {
  #requests;

  /** @param {import("../warlog.js").WarlogOptions} [options] */
  constructor(options = {}) {
    this.#requests = new Requests(options);
  }

  get url() {
    return this.#requests.url;
  }

  /**
   * @param {string} id
   * @param {import("../warlog.js").BattleOptions} [options]
   */
  battle(id, options = {}) {
    return new Battle(this.#requests, id, options);
  }

  serverNow() {
    return this.#requests.clock.now();
  }

  /** @param {{cursor?: string, limit?: number, token?: string} & CallOptions} [options] */
  me({ cursor, limit, ...options } = {}) {
    return this.#get("/v1/me", { cursor, limit }, options);
  }

  /** @param {CallOptions} [options] */
  rulesets(options = {}) {
    return this.#get("/v1/rulesets", {}, options);
  }

  /**
   * @param {string} slug
   * @param {{version?: string} & CallOptions} [options]
   */
  ruleset(slug, { version, ...options } = {}) {
    return this.#get(`/v1/rulesets/${encodeURIComponent(slug)}`, { version }, options);
  }

  /**
   * @param {string} slug
   * @param {{version?: string} & CallOptions} [options]
   */
  rulesetSchema(slug, { version, ...options } = {}) {
    return this.#get(`/v1/rulesets/${encodeURIComponent(slug)}/schema`, { version }, options);
  }

  /** @param {import("../warlog.js").ListOptions} [options] */
  encounters({ cursor, limit, order, status, ruleset, metadata, ...options } = {}) {
    const query = { cursor, limit, order, status, ruleset, metadata };
    return this.#get("/v1/encounters", query, options);
  }

  /**
   * @param {import("../warlog.js").CreateRequest} body
   * @param {import("../warlog.js").WriteOptions} [options]
   */
  createEncounter(body, { key = newKey(), ...options } = {}) {
    return this.#post("/v1/encounters", body, { ...options, key });
  }

  /**
   * @param {import("../warlog.js").Json} body
   * @param {CallOptions} [options]
   */
  checkMap(body, options = {}) {
    return this.#post("/v1/maps", body, options);
  }

  /**
   * @param {string} code
   * @param {{token?: string} & CallOptions} [options]
   */
  async join(code, { token = newToken(), ...options } = {}) {
    const body = { code, token_hash: digestOf(token) };
    try {
      return { ...(await this.#post("/v1/join", body, { ...options, token: "" })), token };
    } catch (error) {
      const isUnknown = error instanceof WarlogProblem && error.params["field"] === "token_hash";
      if (!isUnknown) throw error;
    }
    // A service that makes the token itself tells it once: such a call is not made again.
    return this.#post("/v1/join", { code }, { ...options, token: "", once: true });
  }

  /**
   * @param {import("../warlog.js").BundleBody} bundle
   * @param {{include?: string, viewpoint?: string, keys?: "own"} & CallOptions} [options]
   */
  auditBundle(bundle, { include, viewpoint, keys, ...options } = {}) {
    return this.#post("/v1/audits", bundle, {
      ...options,
      query: { include, viewpoint, keys },
      bodyType: "application/x-ndjson",
      answerSeconds: LONG_SECONDS,
    });
  }

  /**
   * @param {import("../warlog.js").BundleBody} bundle
   * @param {{include?: string, viewpoint?: string, keys?: "own"} & CallOptions} [options]
   */
  async *auditRecords(bundle, { include, viewpoint, keys, by, ...options } = {}) {
    const answer = await this.#requests.answer({
      ...options,
      ...(by === undefined ? {} : { seat: by }),
      method: "POST",
      path: "/v1/audits",
      body: bundle,
      bodyType: "application/x-ndjson",
      accept: "application/x-ndjson",
      query: { include, viewpoint, keys },
      answerSeconds: LONG_SECONDS,
    });
    if (!answer.body) return;
    const { linesOf } = await import("./line_reader.js");
    for await (const { bytes } of linesOf(answer.body)) {
      yield JSON.parse(new TextDecoder().decode(bytes));
    }
  }

  /** @param {CallOptions} [options] */
  keys(options = {}) {
    return this.#get(KEYS, {}, options);
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number | undefined>} query
   * @param {CallOptions & {token?: string}} options
   */
  #get(path, query, { by, ...options }) {
    return this.#requests.json({
      ...options,
      ...(by === undefined ? {} : { seat: by }),
      method: "GET",
      path,
      query,
    });
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {CallOptions & Partial<import("./requests.js").Call>} options
   */
  #post(path, body, { by, ...options }) {
    return this.#requests.json({
      ...options,
      ...(by === undefined ? {} : { seat: by }),
      method: "POST",
      path,
      body,
    });
  }
}
