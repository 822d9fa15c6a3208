// The texts in the user's language, and numbers as that language writes them. A report has English alone;
// the pages load other languages.

import ENGLISH from './en.json' with { type: 'json' };

// The conventions for numbers and dates; browsers that do not know those of Malagasy use the French.
const LOCALES = { en: ['en-GB'], fr: ['fr'], mg: ['mg', 'fr'] };

let language = 'en';
/** @type {Record<string, string | Record<string, string>>} */
let texts = ENGLISH;
let plurals = new Intl.PluralRules(LOCALES.en);

// The language of the page.
export function pageLanguage() {
  return language;
}

// Takes the texts of a language.
export function speak(name, its) {
  language = name;
  texts = its;
  plurals = new Intl.PluralRules(LOCALES[name]);
}

// A text by its key. `{name}` in it is replaced by that value; the form of a text with several
// depends on the value `n`.
export function say(key, values = {}) {
  return sayParts(key, values).join('');
}

// The same as a list of texts and values, of which some are elements.
export function sayParts(key, values = {}) {
  const found = texts[key] ?? ENGLISH[key] ?? key;
  const text = typeof found === 'string' ? found : found[plurals.select(values.n)] ?? found.other;
  const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : shown(values[part])));
  return parts.filter((part) => part !== '');
}

function shown(value) {
  return typeof value === 'number' ? numberText(value) : value;
}

// A number with the language's separators.
/** @param {Intl.NumberFormatOptions} [how] */
export function numberText(number, how = {}) {
  return new Intl.NumberFormat(LOCALES[language], how).format(number);
}

// A day or a time of day as the language writes it.
/** @param {Intl.DateTimeFormatOptions} how */
export function dateText(date, how) {
  return new Intl.DateTimeFormat(LOCALES[language], how).format(date);
}
