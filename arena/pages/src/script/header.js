// The header of every page: its texts in the user's language, and the choice of the language.

import { dropDown } from './dom.js';
import { keepLanguage, LANGUAGES } from './language.js';
import { pageAddress } from './place.js';
import { sayTexts } from './said.js';
import { pageLanguage } from './words.js';

export function header() {
  sayTexts(document);
  const { page } = document.body.dataset;
  const link = document.querySelector('.bar nav [aria-current]');
  // The title of a page in the navigation is its name there.
  if (link) document.title = `${link.textContent} – Fanorona Arena`;
  // A tournament belongs to the first page.
  if (page === 'tournament') document.querySelector(`.bar nav [href="${pageAddress('home')}"]`)?.setAttribute('aria-current', 'true');
  languages();
  document.documentElement.dataset.said = '';
}

// Another language shows the page anew: what is kept of it is in its address or in the browser.
function languages() {
  const list = dropDown('language');
  for (const [name, own] of Object.entries(LANGUAGES)) {
    const option = new Option(own, name);
    option.lang = name;
    list.append(option);
  }
  list.value = pageLanguage();
  list.addEventListener('change', () => {
    keepLanguage(list.value);
    location.reload();
  });
}
