// The choice of the language, which the browser keeps.

import { assetAddress } from './place.js';
import { pageLanguage, speak } from './words.js';

// The languages with their own names.
export const LANGUAGES = { en: 'English', fr: 'Français', mg: 'Malagasy' };

const KEPT = 'language';

// Keeps the user's choice for this page and those to come. Without storage there is none.
export function keepLanguage(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // The browser's languages decide.
  }
}

// The language that the user has chosen, or else the first one of the browser's that there is.
function wantedLanguage() {
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // The browser's languages decide.
  }
  const wishes = [kept, ...navigator.languages].map((name) => (name ?? '').split('-')[0].toLowerCase());
  return wishes.find((name) => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

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
