/** A report for people. No sentence claims more than was done. */

import { meaningOf } from "./meanings.js";

/**
 * @typedef {import("../verify.js").Report} Report
 * @typedef {import("../verify.js").Finding} Finding
 * @typedef {"en" | "ru"} Language
 * @typedef {(name: string, ...values: (string | number)[]) => string} Say
 */

const SHOWN = 10;

/** @type {Record<Language, Record<string, (...values: (string | number)[]) => string>>} */
const SENTENCES = {
  en: {
    bundle: (encounter, ruleset, version, events, viewer) =>
      `encounter ${encounter}, ${ruleset} ${version}, ${events} events, seen as ${viewer}`,
    head: (seq, hash) => `head: event ${seq}, ${hash}`,
    trusted: (key) => `signed by the key ${key}, which you trust`,
    unknown: (key) =>
      `signed by the key ${key}, which only the bundle names: whoever made the bundle could have made it too; name the service's with --keys or --public-key`,
    wrong: (key) => `the key of the seal, ${key}, is none that you trust`,
    none: () => "no signature over the head holds",
    supplied: (visible) =>
      `dice: rolled at the table; ${visible} are told, and their fairness is not verified`,
    sealed: (visible, checked) =>
      `dice: ${checked} of the ${visible} dice that can be seen here were drawn again from the seed and fit`,
    absent: (visible) =>
      `dice: none of the ${visible} dice that can be seen here were drawn again: the seed is not revealed`,
    misfit: (visible) =>
      `dice: none of the ${visible} dice that can be seen here were drawn again: the seed does not fit`,
    rules: () =>
      "not checked: that effects follow from actions by the rules of the game, and that nothing was cut off or written anew by whoever has the service's keys (keep receipts)",
    given: () =>
      "grindable: the creator gave the seed, so a holder of the seed could have chosen it",
    nobody: () => "grindable: nobody contributed, so a holder of the seed could have chosen it",
    withheld: (count) => `not checked: parts that are withheld here: ${count}`,
    erased: (count) => `not checked: texts that were erased: ${count}`,
    taken_up: (count) => `not checked: ${count} of these dice, which belong to the log that this one continues`,
    told_again: (count, seq) => `not checked: that an action waited for ${count} dice told again from event ${seq}`,
    unread: () => "not judged: comes after the first difference",
    clock_went_back: (count) => `remark: the clock went back ${count} times; no rule reads it`,
    kept: (name, seq, verdict) => `${name} of event ${seq}: ${verdict}`,
    found: (count) => (count === 1 ? "1 difference:" : `${count} differences, the first of them:`),
    place: (line) => `line ${line}`,
    event: (seq) => `event ${seq}`,
    clean: () => "clean",
    clean_seen: () => "clean, as far as can be seen",
    clean_unknown: () => "clean, but signed by nobody who is known here",
    clean_seen_unknown: () =>
      "clean, as far as can be seen, but signed by nobody who is known here",
    unavailable: () => "not everything could be judged",
    wrong_end: () => "not clean",
    heads: () => "noted head",
    receipts: () => "receipt",
  },
  ru: {
    bundle: (encounter, ruleset, version, events, viewer) =>
      `бой ${encounter}, ${ruleset} ${version}, событий: ${events}, глазами: ${viewer}`,
    head: (seq, hash) => `конец журнала: событие ${seq}, ${hash}`,
    trusted: (key) => `подписано ключом ${key}, которому вы доверяете`,
    unknown: (key) =>
      `подписано ключом ${key}, который назван только в самой выгрузке: его мог создать и тот, кто её составил; назовите ключ сервиса через --keys или --public-key`,
    wrong: (key) => `ключа последней строки, ${key}, нет среди тех, которым вы доверяете`,
    none: () => "верной подписи под концом журнала нет",
    supplied: (visible) =>
      `кости: брошены за столом; названо ${visible}, их честность не проверена`,
    sealed: (visible, checked) =>
      `кости: из ${visible} видимых здесь заново получены из зерна и совпали ${checked}`,
    absent: (visible) =>
      `кости: ни одна из ${visible} видимых здесь не получена заново: зерно не раскрыто`,
    misfit: (visible) =>
      `кости: ни одна из ${visible} видимых здесь не получена заново: зерно не подходит`,
    rules: () =>
      "не проверено: следуют ли последствия из действий по правилам игры и не отрезал ли и не переписал ли журнал владелец ключей сервиса (храните расписки)",
    given: () => "подбор возможен: зерно дал создатель, и тот, у кого оно было, мог его подобрать",
    nobody: () =>
      "подбор возможен: вкладов никто не сделал, и тот, у кого было зерно, мог его подобрать",
    withheld: (count) => `не проверено: части, которых в этой выгрузке нет: ${count}`,
    erased: (count) => `не проверено: стёртые тексты: ${count}`,
    taken_up: (count) => `не проверено: кости боя, который здесь продолжен, числом ${count}`,
    told_again: (count, seq) => `не проверено: ждало ли действие костей, повторённых из события ${seq}, числом ${count}`,
    unread: () => "не проверено: то, что идёт после первого расхождения",
    clock_went_back: (count) => `замечание: часы шли назад, раз: ${count}; правила их не читают`,
    kept: (name, seq, verdict) => `${name} события ${seq}: ${verdict}`,
    found: (count) => (count === 1 ? "1 расхождение:" : `расхождений: ${count}, первые из них:`),
    place: (line) => `строка ${line}`,
    event: (seq) => `событие ${seq}`,
    clean: () => "чисто",
    clean_seen: () => "чисто, насколько видно",
    clean_unknown: () => "чисто, но подписано никем из известных здесь",
    clean_seen_unknown: () => "чисто, насколько видно, но подписано никем из известных здесь",
    unavailable: () => "проверить удалось не всё",
    wrong_end: () => "не чисто",
    heads: () => "отмеченный конец",
    receipts: () => "расписка",
  },
};

/**
 * The report as lines of text: the verdict first, the keys last.
 * @param {Report} report
 * @param {Language} [language]
 * @returns {string}
 */
export function reportText(report, language = "en") {
  /** @type {Say} */
  const say = (name, ...values) => SENTENCES[language][name]?.(...values.map(plain)) ?? name;
  const { head, key, counts } = report;
  const lines = [say(verdictSentence(report))];
  if (report.findings.length) {
    lines.push(say("found", counts.findings));
    for (const each of report.findings.slice(0, SHOWN))
      lines.push(`  ${findingText(each, language, say)}`);
  }
  if (report.unknown) lines.push(`  ${findingText(report.unknown, language, say)}`);
  lines.push(...checked(report, language, say), ...unchecked(report, say));
  if (head) lines.push(say("head", head.seq, head.hash), say(report.signer, key?.id ?? ""));
  return `${lines.join("\n")}\n`;
}

/**
 * What the bundle is, its dice, and what was kept of its log.
 * @param {Report} report
 * @param {Language} language
 * @param {Say} say
 */
function checked(report, language, say) {
  const { bundle, dice, counts } = report;
  const lines = [];
  if (bundle) {
    const { encounter, ruleset, version, viewer } = bundle;
    lines.push(say("bundle", encounter, ruleset, version, counts.events, viewer));
    lines.push(say(diceSentence(dice), dice.visible, dice.checked));
    if (dice.mode === "sealed" && dice.origin === "given") lines.push(say("given"));
    else if (dice.mode === "sealed" && !dice.contributions) lines.push(say("nobody"));
  }
  for (const remark of report.remarks) lines.push(say(remark.code, remark.count));
  for (const name of /** @type {const} */ (["heads", "receipts"])) {
    for (const { seq, verdict } of report[name]) {
      if (verdict) lines.push(say("kept", say(name), seq, meaningOf(verdict, language)));
    }
  }
  return lines;
}

/**
 * What was not looked for, or not reached.
 * @param {Report} report
 * @param {Say} say
 */
function unchecked({ counts, dice, head }, say) {
  return [
    ...(head ? [] : [say("unread")]),
    ...(counts.withheld ? [say("withheld", counts.withheld)] : []),
    ...(counts.erased ? [say("erased", counts.erased)] : []),
    ...(dice.taken_up ? [say("taken_up", dice.taken_up)] : []),
    ...dice.told_again.map((each) => say("told_again", each.dice, each.seq)),
    say("rules"),
  ];
}

/** @param {Report["dice"]} dice */
function diceSentence({ mode, seed, visible }) {
  if (mode === "supplied") return "supplied";
  if (!visible || seed === "fits") return "sealed";
  return seed === "absent" ? "absent" : "misfit";
}

/** @param {Report} report */
function verdictSentence({ clean, findings, signer, bundle }) {
  if (findings.length) return "wrong_end";
  if (!clean) return "unavailable";
  const seen = bundle && bundle.viewer !== "gm" ? "clean_seen" : "clean";
  return signer === "trusted" ? seen : `${seen}_unknown`;
}

/**
 * @param {Finding} finding
 * @param {Language} language
 * @param {Say} say
 */
function findingText({ code, line, seq, path, where, detail }, language, say) {
  const place = [
    line === undefined ? "" : say("place", line),
    seq === undefined ? "" : say("event", seq),
    String(plain(path ?? where ?? "")),
  ];
  const head = [...place.filter(Boolean), code].join(", ");
  return `${head}: ${meaningOf(code, language)} (${plain(detail)})`;
}

/**
 * A value without control characters: what a bundle says is never an order to the terminal.
 * @param {string | number} value
 */
function plain(value) {
  if (typeof value === "number") return value;
  return value.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    "\ufffd",
  );
}
