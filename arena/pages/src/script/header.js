// The header of every page: its texts in the user's language, and the choice of the language.

import { dropDown } from './dom.js';
import { languageList } from './languages.js';
import { pageAddress } from './place.js';
import { sayTexts } from './said.js';

export function header() {
  sayTexts(document);
  const { page } = document.body.dataset;
  const link = document.querySelector('.bar nav [aria-current]');
  // The title of a page in the navigation is its name there, that of an error what it is.
  const name = page === 'error' ? document.querySelector('#app h1') : link;
  if (name) document.title = `${name.textContent} – Fanorona Arena`;
  // A tournament belongs to the first page.
  if (page === 'tournament') document.querySelector(`.bar nav [href="${pageAddress('home')}"]`)?.setAttribute('aria-current', 'true');
  languageList(dropDown('language'));
  document.documentElement.dataset.said = '';
}
