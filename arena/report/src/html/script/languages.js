// The languages of the pages, and which of them the user wants.

import { keep, kept } from './kept.js';
import { make } from './dom.js';

// The languages with their own names.
const LANGUAGES = { en: 'English', fr: 'Français', mg: 'Malagasy' };

const KEPT = 'language';

// The language that the user has chosen, or else the first one of the browser's that there is.
export function wantedLanguage() {
  const wishes = [kept(KEPT), ...navigator.languages].map((name) => name.split('-')[0].toLowerCase());
  return wishes.find((name) => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

// Fills the list of languages. The one that is chosen is kept, and the page is loaded again in it.
/** @param {HTMLSelectElement} list */
export function languageList(list) {
  for (const [name, own] of Object.entries(LANGUAGES)) {
    list.append(make('option', { value: name, lang: name, selected: name === document.documentElement.lang }, own));
  }
  list.addEventListener('change', () => {
    keep(KEPT, list.value);
    location.reload();
  });
}
