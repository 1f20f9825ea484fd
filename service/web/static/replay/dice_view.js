// Dice and luck of each seat as pictures, the numbers next to them.
import { html } from "../shell/html.js";
import { settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";

const BAR = 14;
const HEIGHT = 60;
const WIDEST = 24;

/** @param {{audit: any, seatName: (by: string) => string}} props */
export function DiceView({ audit, seatName }) {
  if (!audit?.dice) return null;
  const language = settings.value.language;
  return html`<section class="card" aria-label=${say("dice_and_luck")}>
    <h2>${say("dice_and_luck")}</h2>
    ${audit.dice.remark && html`<p>${audit.dice.remark[language]}</p>`}
    <div class="dice-kinds">
      ${audit.dice.statistics.map((/** @type {any} */ each) => html`<figure>
        <figcaption><bdi>${seatName(each.seat)}</bdi>, ${say("of_sides", { sides: each.sides })}: ${say("mean", { n: each.count, mean: number(each.mean), expected: number(each.expected) })}
          ${each.chance && html`, ${say("chance", { percent: percent(each.chance) })}`}</figcaption>
        ${each.faces && html`<${Bars} faces=${each.faces} />`}
      </figure>`)}
    </div>
    ${audit.luck && html`<h3>${say("luck")}</h3><p>${audit.luck.remark[language]}</p>
      <ul>${audit.luck.seats.filter((/** @type {any} */ each) => each.rolls > 0).map((/** @type {any} */ each) => html`<li><bdi>${seatName(each.seat)}</bdi>: ${say("successes", { n: each.successes, rolls: each.rolls, expected: number(each.expected) })}
        <meter min="0" max=${Math.max(1, each.rolls)} value=${each.successes} aria-label=${say("successes", { n: each.successes, rolls: each.rolls, expected: number(each.expected) })}></meter></li>`)}</ul>`}
  </section>`;
}

/** @param {{faces: number[]}} props how often each face fell; many-sided dice in tens */
function Bars({ faces }) {
  const per = Math.ceil(faces.length / WIDEST);
  const counts = Array.from({ length: Math.ceil(faces.length / per) }, (_, i) =>
    faces.slice(i * per, (i + 1) * per).reduce((sum, each) => sum + each, 0));
  const most = Math.max(1, ...counts);
  const text = counts.map((count, i) => `${rangeOf(i, per, faces.length)}: ${count}`).join(", ");
  return html`<svg class="bars" role="img" aria-label=${text} viewBox=${`0 0 ${counts.length * BAR} ${HEIGHT + 14}`} width=${counts.length * BAR} height=${HEIGHT + 14}>
    ${counts.map((count, i) => html`<g><rect x=${i * BAR + 1} y=${HEIGHT - (count / most) * HEIGHT} width=${BAR - 2} height=${(count / most) * HEIGHT} />
      ${(per === 1 || i % 2 === 0) && html`<text x=${i * BAR + BAR / 2} y=${HEIGHT + 11}>${i * per + 1}</text>`}</g>`)}
  </svg>`;
}

/** @param {number} i @param {number} per @param {number} sides */
const rangeOf = (i, per, sides) => (per === 1 ? `${i + 1}` : `${i * per + 1}–${Math.min(sides, (i + 1) * per)}`);

/** @param {{num: string, den: string}} ratio */
const number = (ratio) => (Number(ratio.num) / Number(ratio.den)).toLocaleString(settings.value.language, { maximumFractionDigits: 2 });

/** @param {any} chance */
const percent = (chance) => (chance.millionths / 10_000).toLocaleString(settings.value.language, { maximumSignificantDigits: 3 });
