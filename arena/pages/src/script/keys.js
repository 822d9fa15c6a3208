// The list of a page's keys, opened by `?` or by the button in the bar.

import { make, node, button } from './dom.js';
import { isTyping } from './walk.js';
import { say } from './words.js';

// Adds the button and the dialog; `keys` are pairs of keys and their effects.
export function keyboardHelp(keys) {
  const all = [...keys, ['?', say('keys.this')]];
  const rows = all.map(([key, effect]) => make('tr', {}, make('th', { scope: 'row' }, ...keysOf(key)), node('td', effect)));
  const dialog = make('dialog', { class: 'keys', 'aria-labelledby': 'keys-title' },
    make('h2', { id: 'keys-title' }, say('keys.title')),
    make('table', {}, make('tbody', {}, ...rows)));
  dialog.append(make('form', { method: 'dialog' }, make('button', {}, say('keys.close'))));
  // A press on the backdrop closes it, too: the dialog itself is then the target.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  const toggle = () => (dialog.open ? dialog.close() : dialog.showModal());
  document.querySelector('.bar')?.append(button('?', say('keys.title'), toggle, 'help'));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '?' || isTyping(event.target)) return;
    event.preventDefault();
    toggle();
  });
}

function keysOf(text) {
  return text.split(' ').flatMap((key, index) => (index > 0 ? [' ', node('kbd', key)] : [node('kbd', key)]));
}
