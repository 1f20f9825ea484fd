/**
 * What a finding says in detail, in two languages: sentences are written in English where they
 * belong, with the values in them, and looked up in Russian by what is between the values.
 */

/** @typedef {"en" | "ru"} Language */
/** @typedef {string | number | Detail} DetailValue */

/** A sentence with its values, of which some are sentences themselves. */
export class Detail {
  /**
   * @param {string} template  with `{}` for each value
   * @param {readonly DetailValue[]} values
   */
  constructor(template, values) {
    this.template = template;
    this.values = values;
  }

  /**
   * @param {Language} language
   * @returns {string}
   */
  in(language) {
    const template = language === "ru" ? RUSSIAN[this.template] : undefined;
    const values = this.values.values();
    return (template ?? this.template).replaceAll("{}", () => {
      const { value = "" } = values.next();
      return value instanceof Detail ? value.in(language) : String(value);
    });
  }

  toString() {
    return this.in("en");
  }
}

/**
 * A sentence, written as a template: said`event ${seq} lacks a text`.
 * @param {TemplateStringsArray} strings
 * @param {DetailValue[]} values
 * @returns {Detail}
 */
export function said(strings, ...values) {
  return new Detail(strings.join("{}"), values);
}

/** Values come in the same order as in English. */
/** @type {Record<string, string>} */
export const RUSSIAN = {
  "a path to what the body alone says": "путь к тому, что говорит только тело события",
  "an effect that the body alone may have": "эффект, который бывает только в теле события",
  "an action or effect without a type": "действие или эффект без типа",
  "a combatant that is no string": "боец - не строка",
  "an order that pairs different elements": "порядок, который соединяет разные элементы",
  "an order for nobody who sees the array": "порядок для того, кто массива не видит",
  "a fork that continues itself": "ветвь, продолжающая саму себя",
  "a key that acts for no seat": "ключ, который не ходит ни за какое место",
  "a map or content that is named by no digest": "карта или содержимое названы не хешем",
  "a seat of a key or the service": "место у ключа или у сервиса",
  "an action without its effect": "действие без своего эффекта",
  "an effect that the action does not ask for": "эффект, о котором действие не просит",
  "an observer acts": "ходит наблюдатель",
  '"{}" instead of "{}"': "«{}» вместо «{}»",
  "`since` of the grants does not go up": "`since` в `grants` не возрастает",
  "a blob stands twice": "содержимое стоит дважды",
  "a contribution after the start": "вклад в зерно после начала боя",
  "a contribution without 32 bytes": "вклад в зерно не из 32 байт",
  "a creation that is not the first": "повторное создание боя",
  "a creation without what it has to name": "в создании боя названо не всё, что нужно",
  "a draw of event {} that no roll names": "кость события {}, которую не называет ни один бросок",
  "a draw that this view leaves out": "кость, которой в этом виде нет",
  "faces of event {} that are not its own": "грани события {} из другого броска",
  "a field that is there": "поле, которое есть",
  "a fork that does not name the event that it continues":
    "ветвь, не называющая событие, которое она продолжает",
  "a fork without the battle that it continues, or such a battle without one":
    "ветвь без боя, который она продолжает, или такой бой без ветви",
  "a key with other characters than a-z0-9_": "ключ с символами кроме a-z0-9_",
  "a bundle of format {}; allowed is {}": "файл формата {}; допустим {}",
  "a line of more than 64 MiB": "строка длиннее 64 МиБ",
  "a line of more than 4,194,304 values": "в строке больше 4 194 304 значений",
  'a line of type "{}" cannot follow here': "строка вида «{}» здесь стоять не может",
  "a member that is there": "поле, которое уже есть",
  "a member that two sides set": "поле, заданное двумя сторонами",
  "a number that is no safe integer": "число не целое или больше 2^53 - 1",
  "a path into a draw": "путь внутрь кости",
  "a path to no member": "путь к полю, которого нет",
  "a path to no place of text": "путь не к месту текста",
  "a path to nothing": "путь в никуда",
  "a revealed seed without 32 bytes": "раскрытое зерно не из 32 байт",
  "a rewind to no earlier event": "возврат не к более раннему событию",
  "a seed that is revealed twice": "зерно раскрыто дважды",
  "a start that is not the first": "повторное начало боя",
  "a string": "строка",
  "a string with U+0000": "строка с U+0000",
  "a text that is no string": "текст, который не строка",
  "a whole number from {} to {}": "целое число от {} до {}",
  "an array": "массив",
  "an array of at most {}": "массив длиной не больше {}",
  "an array of two": "массив из двух",
  "an array of {} or more": "массив длиной не меньше {}",
  "an attack without a roll": "атака без броска",
  "an element of the game master's was never filled": "место элемента мастера осталось пустым",
  "an element that is not empty": "элемент, который уже есть",
  "an element that no order names": "элемент, которого не называет ни один порядок",
  "an erasure that names no earlier events": "стирание, которое не называет прежних событий",
  "an index out of range": "номер элемента за пределами массива",
  "an object": "объект",
  "an object or array": "объект или массив",
  "an order of nothing": "порядок того, чего нет",
  "an order of what is no array": "порядок того, что не массив",
  "an order with an element too many": "порядок с лишним элементом",
  "an override that the action does not ask for": "правка ведущего, о которой действие не просит",
  "an override without its effect": "правка ведущего без своего эффекта",
  "another die than the one that was drawn": "не та кость, что выпала",
  "at most {} characters": "символов не больше {}",
  "blobs stand neither by their digests nor as they are named":
    "содержимое стоит ни по хешам, ни в том порядке, в каком названо",
  "canonical JSON has not {}": "канонический JSON не допускает: {}",
  "dice before the start": "кости до начала боя",
  "dice behind the seed that everyone knows": "кости после раскрытия зерна",
  "dice of another combatant than {}": "кости другого бойца, а не {}",
  "die {} shows {}, the seed gives {}": "на кости {} выпало {}, зерно даёт {}",
  "draw {} is named twice": "кость {} названа дважды",
  "draw {} is not in this view": "кости {} в этом виде нет",
  "event {} in line {} lacks a text": "у события {} в строке {} нет текста",
  "half of a surrogate pair": "половина суррогатной пары",
  "half of {}: salt and body are both there or both gone":
    "половина части {}: соль и содержимое либо есть оба, либо оба стёрты",
  "it closes another decision than {}": "закрыт другой вопрос, а не {}",
  "it is no JSON": "это не JSON",
  "it is none of the keys that are trusted": "его нет среди доверенных ключей",
  "it is not UTF-8": "это не UTF-8",
  "its canonical bytes are others": "канонические байты у неё другие",
  "its commitment is {}": "обязательство по нему: {}",
  "line.receipt has one of `format` and `path`; allowed are both or none":
    "в line.receipt есть только одно из `format` и `path`; можно оба или ни одного",
  "missing: {}": "не хватает: {}",
  "missing: {}; not the viewer's: {}": "не хватает: {}; не положены читателю: {}",
  "nested deeper than {}": "вложенность глубже {}",
  "no blob has the digest {}": "нет содержимого с хешем {}",
  "no event names the blob of line {}": "содержимое строки {} не называет ни одно событие",
  "no line of this format: `type` is none of {}": "строка не этого формата: `type` не из {}",
  "no list of draws": "это не список костей",
  "no roll: it has `faces`, `sides`, `total` and `draws`":
    "это не бросок: у него есть `faces`, `sides`, `total` и `draws`",
  "no seat {} with this role is here": "места {} с такой ролью здесь нет",
  "no side is called {}": "стороны {} нет",
  "no such field": "такого поля нет",
  "nothing": "ничего",
  "not the viewer's: {}": "не положены читателю: {}",
  null: "null",
  "seat {} does not act for {}": "место {} не ходит за {}",
  "the entry has {}": "в записи: {}",
  "the file ends within this line": "файл обрывается на этой строке",
  "the file ends without a seal": "файл кончается без последней строки с подписью",
  "the first event creates nothing": "первое событие не создаёт бой",
  "the first event does not create the encounter": "первое событие не создаёт бой",
  "the id of the key is {}": "номер этого ключа: {}",
  "the key of the seal did not sign this head of this encounter":
    "ключ последней строки не подписывал этот конец этого боя",
  "the log ends with event {}, {}": "журнал кончается событием {}, {}",
  "the log reveals a seed, and the header has none":
    "журнал раскрывает зерно, а в первой строке его нет",
  "the log reveals another": "журнал раскрывает другое",
  "the log reveals none": "журнал его не раскрывает",
  "the move begins elsewhere than where {} was seen last":
    "движение начинается не там, где {} видели в последний раз",
  "the move ends elsewhere than its path": "ход кончается не там, где его путь",
  "the table of this verifier has number {}": "номер таблицы этой проверки: {}",
  "there is a seed, and {}": "зерно есть, но {}",
  "two orders of one array": "два порядка одного массива",
  "viewers of sides have grants, and nobody else":
    "`grants` есть у читателей сторон, и ни у кого больше",
  "views that differ in what they are": "виды, в которых стоит разное по строению",
  "what was kept of event {} does not hold: {}": "сохранённое о событии {} не подтверждается: {}",
  "what fits {}": "то, что подходит под {}",
  "{}": "{}",
  "{} after the end": "{} после конца боя",
  "{} commitments instead of {}": "обязательств {} вместо {}",
  "{} dice instead of {}": "костей {} вместо {}",
  "{} draws are named for {} faces": "названо костей: {}, а граней: {}",
  "{} has no body: only a text can be erased":
    "у части {} нет содержимого: стереть можно только текст",
  "{} instead of {}": "{} вместо {}",
  "{} is none of the options": "{} нет среди вариантов ответа",
  "{} is not known here": "{} здесь никому не известен",
  "{} is no draw": "{} — это не кость",
  "{} is no moment": "{} — это не момент времени",
  "{} is {}; allowed is {}": "{}: {}; допустимо: {}",
  "{} of {} sides": "{} при {} гранях",
  "{} stands too late": "часть {} стоит слишком поздно",
  "{} stands twice": "часть {} стоит дважды",
};
