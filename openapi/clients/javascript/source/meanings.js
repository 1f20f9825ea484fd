/** What the words of findings and verdicts mean, in English and Russian. */

/** @typedef {"en" | "ru"} Language */

/** @type {Record<string, Record<Language, string>>} */
const MEANINGS = {
  truncated: { en: "the file was cut off", ru: "файл оборван" },
  too_long: { en: "a line that is too long", ru: "слишком длинная строка" },
  unreadable: { en: "no line of this format", ru: "это не строка такого формата" },
  unknown_format: {
    en: "a bundle of another format: this verifier reads format 1",
    ru: "файл другого формата: эта проверка читает формат 1",
  },
  not_canonical: { en: "not the canonical bytes", ru: "байты не канонические" },
  out_of_order: { en: "a line that cannot follow", ru: "такая строка здесь не может стоять" },
  wrong_fairness: {
    en: "the header contradicts itself",
    ru: "первая строка противоречит сама себе",
  },
  wrong_viewer: {
    en: "the viewer contradicts itself",
    ru: "описание читателя противоречит само себе",
  },
  wrong_digest: { en: "a blob is not what it is called", ru: "содержимое не то, каким названо" },
  repeated_blob: { en: "a blob stands twice", ru: "содержимое стоит дважды" },
  unnamed_blob: {
    en: "a blob that no event names",
    ru: "содержимое, которого не называет ни одно событие",
  },
  missing_blob: { en: "a blob is not there", ru: "названного содержимого нет" },
  blob_order: { en: "blobs in another order", ru: "содержимое в другом порядке" },
  wrong_parts: { en: "parts that cannot stand so", ru: "части не могут стоять так" },
  canonical: { en: "what canonical JSON cannot hold", ru: "этого в каноническом JSON не бывает" },
  hash: { en: "the hash is not that of the body", ru: "хеш не от этого тела" },
  chain: { en: "it does not follow the event before", ru: "не продолжает предыдущее событие" },
  log_rules: {
    en: "no log of any ruleset has this",
    ru: "такого нет в журнале ни по каким правилам",
  },
  commitment: { en: "it does not fit the commitment", ru: "не подходит к обязательству" },
  entitlement: { en: "other parts than the viewer's", ru: "не те части, что положены читателю" },
  parts: { en: "a part does not fit into the event", ru: "часть нельзя вложить в событие" },
  draws: { en: "dice or rolls do not fit", ru: "кости или броски не сходятся" },
  rules: {
    en: "whom it names is not known there",
    ru: "тот, кто назван, там не известен",
  },
  invariants: {
    en: "it contradicts itself, its action or event 1",
    ru: "противоречит самому себе, действию или событию 1",
  },
  header_differs: { en: "the header is not that of the log", ru: "первая строка не о событии 1" },
  seed_does_not_fit: {
    en: "the seed is not the committed one",
    ru: "зерно не то, на которое дано обязательство",
  },
  seed_missing: { en: "the revealed seed is not there", ru: "раскрытого зерна нет" },
  head_differs: {
    en: "the seal is not of the last event",
    ru: "последняя строка не о последнем событии",
  },
  receipt_forged: {
    en: "no genuine signature over the head",
    ru: "подпись под концом журнала не подлинная",
  },
  key_id_differs: { en: "the key has another id", ru: "у ключа другой номер" },
  key_differs: {
    en: "signed by a key that is not trusted",
    ru: "подписано ключом, которому вы не доверяете",
  },
  erased_without_event: {
    en: "a text is gone that no event erased",
    ru: "пропал текст, которого не стирало ни одно событие",
  },
  version_unknown: {
    en: "made by a newer service, or forged",
    ru: "создано более новым сервисом или подделано",
  },
  held: { en: "held, the log has it", ru: "подтверждено, в журнале оно есть" },
  differs: {
    en: "another event stands there: the log was written anew",
    ru: "там другое событие: журнал переписан",
  },
  beyond_head: {
    en: "the log ends before: its end was cut off",
    ru: "журнал кончается раньше: конец отрезан",
  },
  of_another_encounter: { en: "genuine, of another encounter", ru: "подлинная, но о другом бое" },
  forged: {
    en: "not signed by the key that it names",
    ru: "не подписана ключом, который называет",
  },
  of_unknown_key: { en: "of a key that is not at hand", ru: "от ключа, которого здесь нет" },
};

/** All words that a report can have. */
export const CODES = Object.keys(MEANINGS);

/**
 * What a word means.
 * @param {string} code
 * @param {Language} language
 * @returns {string}
 */
export function meaningOf(code, language) {
  return MEANINGS[code]?.[language] ?? code;
}
