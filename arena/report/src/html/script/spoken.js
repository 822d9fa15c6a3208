// The language of a report, which has the texts of all languages in itself.

import { $ } from './dom.js';
import { languageList, wantedLanguage } from './languages.js';
import { sayTexts } from './said.js';
import { speak } from './words.js';

// Says the page in the user's language. A page without texts in other languages remains as it is.
export function sayPage() {
  const list = /** @type {HTMLSelectElement | null} */ ($('language'));
  if (!list) return;
  const texts = JSON.parse($('languages').textContent ?? '');
  const wanted = wantedLanguage();
  if (texts[wanted]) {
    // What has no wording in Malagasy yet is said in French.
    speak(wanted, { ...texts.fr, ...texts[wanted] });
    document.documentElement.lang = wanted;
    sayTexts(document);
  }
  languageList(list);
}
