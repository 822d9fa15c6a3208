// The header of every page: its texts in the user's language, and the choice of the language.

import { dropDown } from './dom.js';
import { pageAddress } from './place.js';
import { keepLanguage, LANGUAGES, pageLanguage, say } from './words.js';

export function header() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-say]'))) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-say-label]'))) {
    element.setAttribute('aria-label', say(element.dataset.sayLabel));
  }
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
