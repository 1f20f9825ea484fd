/** What is known of a followed battle at this moment, and who learns when that changes. */

import { HeldDocument } from "./held_document.js";

/**
 * @typedef {import("../warlog.js").StreamRecord} StreamRecord
 * @typedef {import("../warlog.js").StatusRecord} StatusRecord
 * @typedef {import("../warlog.js").LiveStatus} LiveStatus
 * @typedef {import("../warlog.js").Head} Head
 */

export class LiveView {
  /**
   * @param {string} encounter
   * @param {import("./server_clock.js").ServerClock} clock
   */
  constructor(encounter, clock) {
    this.encounter = encounter;
    this.clock = clock;
    this.held = new HeldDocument();
    /** @type {LiveStatus} */
    this.status = "idle";
    /** @type {number | undefined} */
    this.offlineSince = undefined;
    /** @type {import("./problem.js").WarlogProblem | undefined} */
    this.offlineWhy = undefined;
    /** @type {Head | undefined} */
    this.head = undefined;
    /** @type {import("../warlog.js").HelloRecord | undefined} */
    this.hello = undefined;
    /** @type {readonly string[]} */
    this.presence = [];
    /** @type {readonly import("../warlog.js").Timer[]} */
    this.timers = [];
    /** @type {import("../warlog.js").Receipt | undefined} */
    this.receipt = undefined;
    /** @type {"revoked" | "deleted" | undefined} */
    this.closedBy = undefined;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {LiveStatus} */
    this.toldStatus = "idle";
    /** @type {string | undefined} */
    this.toldWhy = undefined;
  }

  /** Somebody begins to follow. Throws where somebody does already. */
  begin() {
    if (this.status !== "idle" && this.status !== "closed") {
      throw new Error("this battle is followed already; warlog.battle() gives another one");
    }
    this.#be("catching_up");
  }

  /** Nobody follows any more. */
  end() {
    this.#be(this.closedBy ? "closed" : "idle");
  }

  /**
   * The stream ended, or was refused.
   * @param {import("./problem.js").WarlogProblem} [why]
   */
  lose(why) {
    this.offlineWhy = why;
    if (this.status !== "offline") this.offlineSince = this.clock.own();
    this.#be("offline");
  }

  /** The history that is held is another one than the service has. */
  forget() {
    this.held.forget();
    this.head = undefined;
    this.tell();
  }

  /** Tell everybody who listens. */
  tell() {
    for (const listener of [...this.listeners]) listener();
  }

  /**
   * Take a record; the document is changed by then.
   * @param {StreamRecord} record
   * @param {string | undefined} cursor  where the client is behind it
   */
  hear(record, cursor) {
    switch (record.type) {
      case "hello":
        this.hello = record;
        this.presence = record.presence;
        this.timers = record.timers;
        this.#reach(record);
        break;
      case "event":
        this.clock.hearEvent(record.recorded_at);
        this.#reach(record);
        break;
      case "heartbeat":
        this.#reach(record);
        break;
      case "presence":
        this.presence = this.presence.filter((seat) => seat !== record.seat);
        if (record.present) this.presence = [...this.presence, record.seat].sort();
        break;
      case "timers":
        this.timers = record.timers;
        break;
      case "resync":
        if (record.document) this.held.take(record.document, Number.parseInt(cursor ?? "0", 10));
        break;
      case "bye":
        if (record.reason === "revoked" || record.reason === "deleted") {
          this.closedBy = record.reason;
        }
        break;
    }
    const seq = Number.parseInt(cursor ?? "0", 10);
    this.#be(this.head && seq >= this.head.seq ? "live" : "catching_up");
  }

  /**
   * The status as a record, if it is another one than was shown last, or has another reason.
   * @returns {StatusRecord | undefined}
   */
  untoldStatus() {
    const { status, offlineSince: since, offlineWhy: why } = this;
    if (status === this.toldStatus && why?.code === this.toldWhy) return undefined;
    this.toldStatus = status;
    this.toldWhy = why?.code;
    return {
      type: "status",
      status,
      ...(since === undefined ? {} : { since }),
      ...(why === undefined ? {} : { why }),
    };
  }

  /**
   * The log reaches at least that far.
   * @param {{seq: number, hash: string, receipt?: import("../warlog.js").Receipt}} end
   */
  #reach({ seq, hash, receipt }) {
    if (!this.head || seq >= this.head.seq) this.head = { seq, hash };
    if (receipt) this.receipt = receipt;
  }

  /** @param {LiveStatus} status */
  #be(status) {
    this.status = status;
    if (status !== "offline") this.offlineSince = this.offlineWhy = undefined;
    this.tell();
  }
}
