// The settings of every page, behind a button in the bar: the theme, the system's unless the user
// chooses, and sounds.

import { $, dropDown } from './dom.js';
import { hasSounds, keep, kept } from './kept.js';

export function settings() {
  const select = dropDown('theme');
  select.value = ['light', 'dark'].includes(kept('theme')) ? kept('theme') : '';
  choose(select.value);
  select.addEventListener('change', () => {
    choose(select.value);
    keep('theme', select.value);
  });
  const sounds = /** @type {HTMLInputElement} */ ($('sounds'));
  sounds.checked = hasSounds();
  sounds.addEventListener('change', async () => {
    keep('sounds', sounds.checked ? 'on' : '');
    const { sound } = await import('./sound.js');
    sound('move');
  });
  $('settings-button').hidden = false;
}

function choose(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}
