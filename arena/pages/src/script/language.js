// Loads the texts of the user's language.

import { wantedLanguage } from './languages.js';
import { assetAddress } from './place.js';
import { pageLanguage, speak } from './words.js';

// Loads the texts of the user's language before the page shows any. English is part of the script, and
// remains if another language cannot be loaded.
export async function loadWords() {
  const wanted = wantedLanguage();
  if (wanted !== 'en') {
    const response = await fetch(assetAddress(`${wanted}.json`)).catch(() => null);
    const loaded = response?.ok ? await response.json().catch(() => null) : null;
    if (loaded) speak(wanted, loaded);
  }
  document.documentElement.lang = pageLanguage();
}
