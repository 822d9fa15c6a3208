// Light and dark theme: the system's, or the user's choice, which is stored if storage is allowed.

import { $, dropDown } from './dom.js';

export function theme() {
  const choose = (name) => {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
  };
  const kept = () => {
    try {
      return localStorage.getItem('theme') || '';
    } catch {
      return '';
    }
  };
  const select = dropDown('theme');
  select.value = ['light', 'dark'].includes(kept()) ? kept() : '';
  choose(select.value);
  select.addEventListener('change', () => {
    choose(select.value);
    try {
      localStorage.setItem('theme', select.value);
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  });
  $('theme-choice').hidden = false;
}
