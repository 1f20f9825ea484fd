// The index of the documentation's sections: words by their stems, in both languages.
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemRussian } from "@orama/stemmers/russian";
import MiniSearch from "minisearch";

const GUIDES_WEIGH = 1.2;
const CYRILLIC = /[а-яё]/i;

function stem(term) {
  const word = term.toLowerCase().replaceAll("ё", "е");
  return CYRILLIC.test(word) ? stemRussian(word) : stemEnglish(word);
}

/** The index of sections. */
export function indexOf(sections) {
  const index = new MiniSearch({
    idField: "href",
    fields: ["title", "text", "examples"],
    storeFields: ["page", "title", "text"],
    processTerm: stem,
    searchOptions: {
      boost: { title: 4, examples: 0.3 },
      combineWith: "AND",
      prefix: (term) => term.length > 2,
      bm25: { k: 1.2, b: 0.4, d: 0.5 },
      boostDocument: (href) => (href.startsWith("/docs/guides/") ? GUIDES_WEIGH : 1),
    },
  });
  index.addAll(sections);
  return index;
}
