// Texts of HTML that the program has written, in the user's language: an element names its text by
// `data-say`, and its label by `data-say-label`.

import { pageLanguage, say, sayParts, valueText } from './words.js';

// The values of a text are its element's other data, and the elements in it that `data-value` names.
/** @param {ParentNode} root */
export function sayTexts(root) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-say]'))) {
    const { say: key, value: _, begins, ...data } = element.dataset;
    const within = /** @type {HTMLElement[]} */ ([...element.children]).filter((it) => it.dataset.value);
    const parts = sayParts(key, { ...valuesOf(data), ...Object.fromEntries(within.map((it) => [it.dataset.value, it])) });
    element.lang = pageLanguage();
    element.replaceChildren(...(begins === undefined ? parts : asSentence(parts)));
  }
  for (const cell of root.querySelectorAll('td.number')) numbersIn(cell);
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-say-label]'))) {
    const { sayLabel, ...data } = element.dataset;
    element.setAttribute('aria-label', say(sayLabel, valuesOf(data)));
  }
}

// The numbers of a cell with the language's separators; those of links are games.
function numbersIn(cell) {
  for (const part of cell.childNodes) {
    if (part instanceof Text) part.data = part.data.replace(/\d+\.\d+/g, (number) => String(valueText(number)));
    else if (part.localName !== 'a') numbersIn(part);
  }
}

// A value that begins with @ is the key of a text.
function valuesOf(data) {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.startsWith('@') ? say(value.slice(1)) : valueText(value)]));
}

/**
 * Words as the server gives them (`phrase.rs`): texts, names, and phrases with their values.
 * @typedef {string | { name: string } | { say: string, values: Record<string, Words> }} Word
 * @typedef {Word[]} Words
 */

// Words in parts: texts, and what `nameOf` makes of names.
/**
 * @template T
 * @param {Words} words
 * @param {(name: string) => T} nameOf
 * @returns {(string | T)[]}
 */
export function partsOf(words, nameOf) {
  return words.flatMap((word) => {
    if (typeof word === 'string') return [String(valueText(word))];
    if ('name' in word) return [nameOf(word.name)];
    const value = (its) => (its.length === 1 && typeof its[0] === 'string' ? valueText(its[0]) : partsOf(its, nameOf));
    const values = Object.entries(word.values).map(([name, its]) => [name, value(its)]);
    return sayParts(word.say, Object.fromEntries(values));
  });
}

// The parts with a capital letter at the beginning, unless that is a name.
/**
 * @template T
 * @param {(string | T)[]} parts
 */
export function asSentence([first, ...rest]) {
  // An element is still to get its own text.
  const data = /** @type {any} */ (first)?.dataset;
  if (data?.say) data.begins = '';
  return [typeof first === 'string' ? first[0].toUpperCase() + first.slice(1) : first, ...rest];
}
