// Texts of HTML that the program has written, in the user's language: an element names its text by
// `data-say`, and its label by `data-say-label`.

import { pageLanguage, say, sayParts } from './words.js';

// The values of a text are its element's other data, and the elements in it that `data-value` names.
/** @param {ParentNode} root */
export function sayTexts(root) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-say]'))) {
    const { say: key, ...data } = element.dataset;
    const numbers = Object.entries(data).map(([name, value]) => [name, Number.isFinite(Number(value)) ? Number(value) : value]);
    const elements = [...element.querySelectorAll('[data-value]')].map((it) => [/** @type {HTMLElement} */ (it).dataset.value, it]);
    element.lang = pageLanguage();
    element.replaceChildren(...sayParts(key, Object.fromEntries([...numbers, ...elements])));
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-say-label]'))) {
    element.setAttribute('aria-label', say(element.dataset.sayLabel));
  }
}
