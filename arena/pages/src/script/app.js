// The entry of every page: theme, language, header, keys, and the module of this page.

import { settings } from './settings.js';
import { errorBox } from './api.js';
import { $ } from './dom.js';
import { header } from './header.js';
import { chooseWords } from './language.js';
import { isFiles } from './place.js';

const PAGES = {
  home: () => import('./home.js'),
  tournament: () => import('./tournament.js'),
  play: () => import('./play.js'),
  learn: () => import('./learn.js'),
  analyse: () => import('./analyse.js'),
  explorer: () => import('./explorer.js'),
  puzzles: () => import('./puzzles.js'),
  solved: () => import('./solved.js'),
};

settings();
enter();
chooseWords();
header();
const app = $('app');
const load = PAGES[document.body.dataset.page];
// A page about an error is complete without a script.
if (load) {
  if (!isFiles()) import('./alive.js').then(({ watchServer }) => watchServer()).catch(() => {});
  try {
    // Every page's module exports `start(app)`.
    const page = await load();
    await page.start(app);
    const { settled } = await import('./settled.js');
    await settled(page);
  } catch (error) {
    app.append(errorBox(error));
    throw error;
  }
}

// Removes the token from the address: the cookie has it now.
function enter() {
  const address = new URL(location.href);
  if (!address.searchParams.has('token')) return;
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
}
