// One battle being looked at: where one is in it, what is chosen, what is shown.
import { computed, signal } from "@preact/signals";
import { fragment } from "../shell/address.js";
import { noMarks } from "../scene/traces.js";
import { marksOf } from "./fact_marks.js";
import { LogEntries } from "./log_entries.js";
import { tellsOtherwise, unseenIn } from "./unseen.js";

/** @typedef {import("./log_entries.js").Entry} Entry */
/** @typedef {{seat: string, combatant: string, rule: string, only: "all" | "rolls" | "rewinds"}} Filter */

const NEIGHBOURS = 2;
/** Whoever is that long behind an event may step to the ones next to it next. */
const PREFETCH_MS = 250;

export class Replay {
  /**
   * @param {any} source a StoredBattle or a BundleFile
   * @param {{source: any, seat: string} | null} [beside] what a game master sees of the same battle, where
   *   `source` is what the seat of that name sees
   */
  constructor(source, beside = null) {
    this.source = source;
    this.beside = beside;
    this.seat = beside?.seat ?? "";
    this.wholeLog = new LogEntries();
    /** What the seat was shown less of, or nothing; by seq the game master's entry. */
    this.untold = signal(/** @type {ReadonlyMap<number, Entry>} */ (new Map()));
    this.whole = signal(/** @type {any} */ (null));
    this.log = new LogEntries();
    this.entries = signal(/** @type {readonly Entry[]} */ ([]));
    this.head = signal(0);
    this.seq = signal(0);
    this.scene = signal(/** @type {any} */ (null));
    this.sceneSeq = signal(0);
    this.explanation = signal(/** @type {any} */ (null));
    this.chosen = signal(/** @type {string | null} */ (null));
    this.pointed = signal(/** @type {import("../scene/traces.js").Marks | null} */ (null));
    this.audit = signal(/** @type {any} */ (null));
    this.error = signal(/** @type {any} */ (null));
    this.isPlaying = signal(false);
    this.filter = signal(/** @type {Filter} */ ({ seat: "", combatant: "", rule: "", only: "all" }));
    this.shown = computed(() => this.entries.value.filter((each) => fits(each, this.filter.value)));
    this.entry = computed(() => this.entries.value[this.seq.value - 1]);
    this.marks = computed(() => this.pointed.value ?? (this.entry.value ? marksOf(this.entry.value.event) : noMarks()));
    this.unseen = computed(() => (this.whole.value && this.scene.value ? unseenIn(this.whole.value, this.scene.value) : null));
    this.verdicts = computed(() => new Map((this.audit.value?.verdicts ?? []).map((/** @type {any} */ each) => [each.seq, each])));
    this.isOver = computed(() => this.entries.value.some((each) => each.undoneBy === undefined && hasEffect(each, "encounter_ended")));
    /** Events that reveal the seed or open what was withheld: with each more can be checked. */
    this.revelations = computed(() => this.entries.value.filter(reveals).length);
    this.ended = false;
    this.soon = 0;
  }

  /** Read the log: first what the address names, then all of it; without that to where a reader begins. */
  async load() {
    const wanted = Number(fragment().get("e"));
    try {
      if (Number.isInteger(wanted) && wanted > 0) await this.look(wanted);
      while (!this.ended) {
        const page = await this.source.page(this.log.last);
        this.head.value = Math.max(this.head.value, page.head);
        this.take(page.events);
        if (page.events.length === 0 || this.log.last >= page.head) break;
      }
      await this.compare();
      if (this.seq.value === 0) await this.go(this.beginning);
      if (this.seq.value > this.head.value) await this.go(this.head.value);
    } catch (error) {
      this.error.value = error;
    }
  }

  /** Where a battle is taken up by whoever has named no event: what is over from its start on, else at its newest. */
  get beginning() {
    const standing = this.isOver.value ? this.entries.value.filter((each) => each.undoneBy === undefined) : [];
    // A fork may have been started before it was one.
    const opening = standing.find((each) => hasEffect(each, "encounter_started")) ?? standing.find((each) => each.dice > 0);
    return opening?.seq ?? this.head.value;
  }

  /** Events that were read or heard. @param {readonly any[]} events */
  take(events) {
    this.log.add(events);
    this.entries.value = [...this.log.entries];
    this.head.value = Math.max(this.head.value, this.log.last);
  }

  /** Read what a game master sees of the events that are here, and which of them tell the seat less. */
  async compare() {
    while (this.beside && !this.ended && this.wholeLog.last < this.log.last) {
      const page = await this.beside.source.page(this.wholeLog.last);
      if (page.events.length === 0) break;
      this.wholeLog.add(page.events);
    }
    const differing = this.wholeLog.entries.filter((each) => {
      const seen = this.log.at(each.seq);
      return seen && tellsOtherwise(each.event, seen.event);
    });
    this.untold.value = new Map(differing.map((each) => [each.seq, each]));
  }

  /** An event as it happens: whoever is at the head goes along. @param {any} event */
  async hear(event) {
    const isAtHead = this.seq.value >= this.head.value;
    this.take([event]);
    await this.compare();
    if (isAtHead) await this.go(this.head.value);
  }

  /** Stand behind an event, and have the address say so. @param {number} seq */
  async go(seq) {
    const to = Math.min(Math.max(1, seq), Math.max(1, this.head.value));
    const parts = fragment();
    parts.set("e", String(to));
    history.replaceState(null, "", `#${parts}`);
    await this.look(to);
  }

  /** @param {number} seq */
  async look(seq) {
    this.seq.value = seq;
    this.pointed.value = null;
    clearTimeout(this.soon);
    const explained = this.source.explain(seq);
    const drawn = this.beside?.source.scene(seq) ?? null;
    try {
      const [scene, whole] = await Promise.all([this.source.scene(seq), drawn]);
      if (this.seq.value !== seq) return;
      this.scene.value = scene;
      this.whole.value = whole;
      this.sceneSeq.value = seq;
      const explanation = await explained;
      if (this.seq.value === seq) this.explanation.value = { seq, ...explanation };
      this.error.value = null;
      this.soon = setTimeout(() => this.prefetch(seq), PREFETCH_MS);
    } catch (error) {
      explained.catch(() => undefined);
      if (this.seq.value === seq) this.error.value = error;
    }
  }

  /** @param {number} seq */
  prefetch(seq) {
    for (let i = 1; i <= NEIGHBOURS; i += 1) {
      for (const each of [seq + i, seq - i]) {
        if (each >= 1 && each <= this.head.value) {
          this.source.scene(each).catch(() => undefined);
          this.source.explain(each).catch(() => undefined);
        }
      }
    }
  }

  /**
   * The seq that a step leads to, among what the filter shows.
   *
   * @param {"event" | "action" | "turn"} unit
   * @param {1 | -1} by
   */
  next(unit, by) {
    const here = this.seq.value;
    const standing = this.entry.value;
    const ahead = this.shown.value.filter((each) => (by > 0 ? each.seq > here : each.seq < here));
    const ordered = by > 0 ? ahead : [...ahead].reverse();
    const found = ordered.find((each) => unit === "event"
      || (unit === "action" && each.undoneBy === undefined && each.dice > 0)
      || (unit === "turn" && beginsTurn(each) && each !== standing));
    return found?.seq ?? here;
  }

  /** @param {"event" | "action" | "turn"} unit @param {1 | -1} by */
  step(unit, by) {
    return this.go(this.next(unit, by));
  }

  /** Ask the service for its verdicts. */
  async judge() {
    try {
      this.audit.value = await this.source.audit();
    } catch (error) {
      this.error.value = error;
    }
  }

  end() {
    this.ended = true;
    clearTimeout(this.soon);
  }
}

/** @param {Entry} entry */
export function beginsTurn(entry) {
  return (entry.event.effects ?? []).some((/** @type {any} */ each) =>
    ["turn_began", "activation_began", "round_began"].includes(each.type));
}

/** @param {Entry} entry @param {string} type */
const hasEffect = (entry, type) => (entry.event.effects ?? []).some((/** @type {any} */ each) => each.type === type);

/** @param {Entry} entry */
const reveals = (entry) => hasEffect(entry, "seed_revealed") || hasEffect(entry, "parts_opened");

/** @param {Entry} entry @param {Filter} filter */
function fits(entry, filter) {
  if (filter.seat && entry.by !== filter.seat) return false;
  if (filter.combatant && !entry.combatants.has(filter.combatant)) return false;
  if (filter.rule && !entry.rules.has(filter.rule)) return false;
  if (filter.only === "rolls") return entry.dice > 0;
  if (filter.only === "rewinds") return entry.rewoundTo !== undefined || entry.undoneBy !== undefined;
  return true;
}
