// The texts in the user's language, and numbers as that language writes them.

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

// The same as a list of texts and values, of which some are elements or lists of parts.
export function sayParts(key, values = {}) {
  const found = texts[key] ?? ENGLISH[key] ?? key;
  const text = typeof found === 'string' ? found : found[plurals.select(values.n)] ?? found.other;
  const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : shown(values[part])));
  return parts.flat().filter((part) => part !== '');
}

function shown(value) {
  return typeof value === 'number' ? numberText(value) : value;
}

// A value that the program has written in English: a whole number as such, another with its sign and
// its digits as the language writes them, and every other text as it is.
/** @param {string} text */
export function valueText(text) {
  if (/^\d+$/.test(text)) return Number(text);
  const found = /^([+−-]?)\d+(?:\.(\d+))?$/.exec(text);
  if (!found) return text;
  const [, sign, { length } = ''] = found;
  const size = numberText(Math.abs(Number(text.replace('−', '-'))), { minimumFractionDigits: length, maximumFractionDigits: length, useGrouping: 'min2' });
  return sign.replace('-', '−') + size;
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
