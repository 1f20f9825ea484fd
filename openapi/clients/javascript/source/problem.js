/** What calls end with that are no success. */

/** @typedef {import("../warlog.js").ProblemBody} ProblemBody */

/** The service said no: RFC 9457, with a stable `code` and the facts that explain it. */
export class WarlogProblem extends Error {
  /**
   * @param {ProblemBody} body
   * @param {number} [retryAfter]  seconds after which it may be asked again
   */
  constructor(body, retryAfter) {
    super(body.detail);
    this.name = "WarlogProblem";
    this.status = body.status;
    this.code = body.code;
    this.title = body.title;
    this.detail = body.detail;
    this.rule = body.rule;
    this.params = body.params ?? {};
    this.allowed = body.allowed;
    this.path = typeof this.params["path"] === "string" ? this.params["path"] : undefined;
    this.request = body.request;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/**
 * Nobody answered for as long as was waited. A call that changes something may have been carried
 * out: asked again with the same `key` it is not carried out twice.
 */
export class WarlogUnreachable extends Error {
  /**
   * @param {string} what  method and path
   * @param {unknown} cause
   * @param {string} [key]
   */
  constructor(what, cause, key) {
    super(`no answer to ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = "WarlogUnreachable";
    this.key = key;
  }
}

/**
 * The problem that an answer shows; one made of its status where something else than the service
 * answered, such as a proxy.
 * @param {Response} answer
 * @param {string} text  its body
 * @returns {WarlogProblem}
 */
export function problemOf(answer, text) {
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  const retryAfter = Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  try {
    const body = JSON.parse(text);
    if (typeof body?.code === "string" && typeof body.detail === "string") {
      return new WarlogProblem(body, retryAfter);
    }
  } catch {
    // no JSON: shown below
  }
  const detail = `the answer is ${answer.status} ${answer.statusText}`.trim();
  return new WarlogProblem(
    {
      type: "about:blank",
      title: answer.statusText,
      status: answer.status,
      detail,
      code: "unexpected_answer",
      instance: "",
      params: {},
      request: answer.headers.get("Warlog-Request-Id") ?? "",
    },
    retryAfter,
  );
}
