// A battle of the service as a source of a replay, read by the client with the seat of this browser.

const PAGE = 200;
const KEPT = 400;

/** What is shown of a seq, kept for the last that were asked for. */
class Kept {
  /** @param {(seq: number) => Promise<any>} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Map<number, Promise<any>>} */
    this.told = new Map();
  }

  /** @param {number} seq */
  of(seq) {
    const before = this.told.get(seq);
    if (before) return before;
    const asked = this.ask(seq);
    this.told.set(seq, asked);
    asked.catch(() => this.told.delete(seq));
    const [first] = this.told.keys();
    if (this.told.size > KEPT && first !== undefined) this.told.delete(first);
    return asked;
  }
}

export class StoredBattle {
  /**
   * @param {import("warlog").Battle} battle
   * @param {"en" | "ru"} language
   */
  constructor(battle, language) {
    this.battle = battle;
    this.language = language;
    this.isFile = false;
    this.scenes = new Kept(async (at) => (await battle.readScene({ at })).scene);
    this.explanations = new Kept(async (seq) => (await battle.event(seq, { explain: language })).explanation);
    this.states = new Kept(async (at) => battle.read({ at }));
  }

  /** @param {number} after @returns {Promise<{events: any[], head: number}>} */
  page(after) {
    return this.battle.events({ after, limit: PAGE, narrate: this.language });
  }

  /** @param {number} seq */
  scene(seq) {
    return this.scenes.of(seq);
  }

  /** @param {number} seq */
  explain(seq) {
    return this.explanations.of(seq);
  }

  /** @param {number} seq @returns {Promise<any>} the rulebook's state as this reader saw it */
  async state(seq) {
    return (await this.states.of(seq)).state;
  }

  /** What a digest names. @param {string} digest @returns {Promise<any>} */
  content(digest) {
    return this.battle.readMap({ digest });
  }

  /** The service's word on every event, with dice and luck. */
  audit() {
    return this.battle.audit({ include: "luck" });
  }

  /** What was explained may be changed since: what a rewind undid, what was opened. */
  forgetExplanations() {
    this.explanations.told.clear();
  }
}
