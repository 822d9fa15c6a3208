// The texts of the user's language. English is part of the scripts. Of the other languages a page has the
// texts with which it begins; all of them come beside what is loaded later.

import FRENCH from './fr.json' with { type: 'json' };
import MALAGASY from './mg.json' with { type: 'json' };
import { wantedLanguage } from './languages.js';
import { assetAddress } from './place.js';
import { pageLanguage, speak } from './words.js';

// What has no wording in Malagasy yet is said in French. More texts may be added to both.
const BEGINNINGS = { fr: FRENCH, mg: Object.setPrototypeOf(MALAGASY, FRENCH) };

// Speaks the user's language. What cannot be loaded is said in English.
export function chooseWords() {
  const wanted = wantedLanguage();
  if (wanted !== 'en') {
    speak(wanted, BEGINNINGS[wanted]);
    // Modules for later wait for it, because they may say anything.
    /** @type {any} */ (self).$beside = allWords(wanted);
  }
  document.documentElement.lang = pageLanguage();
}

async function allWords(language) {
  const response = await fetch(assetAddress(`${language}.json`)).catch(() => null);
  const loaded = response?.ok ? await response.json().catch(() => null) : null;
  if (loaded) speak(language, loaded);
}
