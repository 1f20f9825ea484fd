// One battle as a seat follows it: what the client holds, the scene, what may be done, what was shown.
import { signal } from "@preact/signals";
import { titlesIn } from "../shell/content_names.js";
import { isRefusal } from "../shell/problem.js";
import { client } from "../shell/service.js";
import { settings } from "../shell/settings.js";

/** @typedef {import("../shell/seats.js").StoredSeat} StoredSeat */
/** @typedef {import("warlog").LegalTree} LegalTree */
/** @typedef {import("../shell/banner.js").Status} Status */
/** @typedef {{seq: number, base: number, type: string, by: string, text: string, undone: boolean}} Told */

const KEPT = 30;
/** Events shown at the beginning. */
const LAST = 5;
const SOON_MS = 60;

export class Live {
  /** @param {StoredSeat} stored */
  constructor(stored) {
    this.stored = stored;
    this.warlog = client(stored.token);
    this.followed = this.warlog.battle(stored.encounter);
    this.changes = signal(0);
    this.tree = signal(/** @type {LegalTree | null} */ (null));
    this.told = signal(/** @type {Told[]} */ ([]));
    this.ruleset = signal(/** @type {any} */ (null));
    /** What the content calls its things. */
    this.titles = signal(titlesIn(null));
    this.content = "";
    /** Whether its words are there, or cannot be had now. */
    this.areWordsAsked = signal(false);
    this.error = signal(/** @type {any} */ (null));
    this.asOf = signal(Date.now());
    /** Since when the browser knows of no network; null while it knows of one. */
    this.cutSince = signal(navigator.onLine ? null : Date.now());
    /** Whether an action is on its way. */
    this.sending = signal(false);
    /** Questions that were answered from here; known before their events come. */
    this.answered = new Set(/** @type {string[]} */ ([]));
    this.stop = new AbortController();
    this.soon = 0;
    this.read = 0;
    this.followed.subscribe(() => {
      this.changes.value += 1;
      if (this.followed.status === "live") this.asOf.value = Date.now();
    });
  }

  /** What the client holds; whoever reads it while being shown is shown again when it changes. */
  get battle() {
    void this.changes.value;
    return this.followed;
  }

  /** Status of the connection: what the browser knows of the network comes first. */
  get status() {
    const { status } = this.battle;
    const isCut = this.cutSince.value !== null || status === "closed";
    return /** @type {Status} */ (isCut ? "offline" : status);
  }

  /** Milliseconds since 1970, since when nothing can be heard; null where that is not known. */
  get offlineSince() {
    return this.battle.offlineSince ?? this.cutSince.value;
  }

  /** The document as the service last shown it; null before. */
  get document() {
    const { state, table, decisions } = this.battle;
    return state && table ? { state, table, decisions } : null;
  }

  /** The picture of the battle as the service last shown it; null before, and where there is no map. */
  get scene() {
    return this.battle.scene ?? null;
  }

  /** Follow until `end`, or until the right to read is gone: then `error` says so. */
  async follow() {
    const { signal } = this.stop;
    const hear = () => {
      this.cutSince.value = navigator.onLine ? null : Date.now();
    };
    for (const each of ["online", "offline"]) addEventListener(each, hear, { signal });
    try {
      for await (const record of this.followed.follow({ narrate: settings.value.language, scene: true, refusals: "record", signal })) {
        // Not waited for: whether the stream continues must be seen all the while.
        if (record.type === "hello") void this.begin().catch(() => {});
        if (record.type === "event") this.hear(/** @type {any} */ (record));
        if (record.type === "event" || record.type === "resync") {
          this.askSoon();
          void this.learnTitles();
        }
      }
    } catch (error) {
      if (!signal.aborted) this.error.value = error;
    }
    this.changes.value += 1;
  }

  end() {
    this.stop.abort();
    clearTimeout(this.soon);
  }

  /** Behind a greeting: the last events, the words of the ruleset, and what may be done. */
  async begin() {
    await Promise.all([this.ask(), this.hearLast(), this.learnWords(), this.learnTitles()]);
  }

  async hearLast() {
    if (this.told.value.length > 0) return;
    const after = Math.max(0, (this.followed.head?.seq ?? 0) - LAST);
    const page = await this.followed.events({ after, limit: LAST, narrate: settings.value.language });
    for (const event of page.events) this.hear(/** @type {any} */ (event));
  }

  async learnWords() {
    try {
      if (this.ruleset.value !== null) return;
      const { ruleset, version } = await this.followed.read();
      this.ruleset.value = await this.warlog.ruleset(ruleset, { version });
    } finally {
      this.areWordsAsked.value = true;
    }
  }

  /** Read what the content calls its things, if it is another one. */
  async learnTitles() {
    const digest = this.followed.state?.content ?? "";
    if (digest === this.content) return;
    this.content = digest;
    try {
      this.titles.value = titlesIn(digest && (await this.followed.readMap({ digest })));
    } catch {
      this.content = "";
    }
  }

  /** @param {{seq: number, narration?: string, seen?: any, event: any, undone_by?: number}} record */
  hear(record) {
    if (this.told.value.some((each) => each.seq === record.seq)) return;
    const { base, by, action = {} } = record.seen ?? record.event;
    const told = {
      seq: record.seq,
      base: Number(base ?? record.seq - 1),
      by: String(by?.seat ?? by?.id ?? ""),
      type: String(action.type ?? ""),
      text: record.narration ?? "",
      undone: record.undone_by !== undefined,
    };
    const to = action.type === "rewind" ? action.to : Infinity;
    const before = this.told.value.map((each) => (each.seq > to ? { ...each, undone: true } : each));
    this.told.value = [...before, told].sort((a, b) => a.seq - b.seq).slice(-KEPT);
  }

  /**
   * Send an action; the answer to a question counts as given unless it is refused: one whose reply
   * was lost may have come.
   *
   * @param {import("warlog").Action} action
   * @param {import("warlog").ActOptions} options
   * @param {() => void} [done] called when it was carried out, before it counts as no longer on its way
   */
  async act(action, options, done) {
    const id = action.type === "answer" ? String(action["decision_id"]) : "";
    if (id) this.answered.add(id);
    this.sending.value = true;
    try {
      await this.followed.act(action, options);
      done?.();
    } catch (error) {
      if (isRefusal(error)) this.answered.delete(id);
      throw error;
    } finally {
      this.sending.value = false;
    }
  }

  /** Ask for what may be done, once for all that came together. */
  askSoon() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => void this.ask(), SOON_MS);
  }

  async ask() {
    const turn = ++this.read;
    try {
      const tree = await this.legal();
      if (turn === this.read) this.tree.value = tree;
    } catch (error) {
      // The stream says whether the service can be reached; what is gone ends that, too.
      console.debug("warlog", error);
    }
  }

  async legal() {
    const status = this.followed.state?.status;
    if (this.stored.role === "observer" || status !== "running") return null;
    return this.followed.legalActions({ signal: this.stop.signal });
  }
}
