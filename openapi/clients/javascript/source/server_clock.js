/**
 * The server's clock as far as answers tell it.
 *
 * How this works. A `Date` header names the second in which an answer was made, which lies between
 * the request and its answer: so the difference of the clocks lies between two bounds. Every answer
 * narrows them; where one contradicts the others, a clock was set, and it alone counts.
 */

const SECOND_MS = 1000;

export class ServerClock {
  /** @param {() => number} [now]  the own clock, in milliseconds */
  constructor(now = Date.now) {
    this.own = now;
    this.least = -Infinity;
    this.most = Infinity;
  }

  /**
   * Hear the `Date` of an answer.
   * @param {string | null} date
   * @param {number} asked  when the request went out, by the own clock
   */
  hear(date, asked) {
    const told = Date.parse(date ?? "");
    if (Number.isNaN(told)) return;
    this.#narrow(told - this.own(), told + SECOND_MS - asked);
  }

  /**
   * Hear that an event was stored just now or earlier.
   * @param {string} recordedAt  RFC 3339
   */
  hearEvent(recordedAt) {
    const told = Date.parse(recordedAt);
    if (!Number.isNaN(told)) this.#narrow(told - this.own(), Infinity);
  }

  /** The server's time in milliseconds; the own clock's as long as nothing was heard. */
  now() {
    const { least, most } = this;
    if (least === -Infinity || most === Infinity)
      return this.own() + Math.max(least, Math.min(most, 0));
    return this.own() + (least + most) / 2;
  }

  /**
   * @param {number} least
   * @param {number} most
   */
  #narrow(least, most) {
    const both = [Math.max(this.least, least), Math.min(this.most, most)];
    const [low, high] = /** @type {[number, number]} */ (both);
    if (low <= high) [this.least, this.most] = [low, high];
    else if (most !== Infinity) [this.least, this.most] = [least, most];
    else [this.least, this.most] = [least, Infinity];
  }
}
