// Going through the positions of a game, by buttons and by keys.

import { button, make } from './dom.js';
import { isTyping } from './keys.js';

// The keys of every page with a game, for the list of keys.
export const BOARD_KEYS = [
  ['← →', 'Previous and next move, outside the board'],
  ['Home End', 'First and last position'],
  ['f', 'Flip the board'],
  ['Tab', 'Go to the board; then ← → ↑ ↓ go from point to point'],
  ['Enter', 'Choose a stone, step, and end a chain of captures'],
  ['A W', 'Choose approach or withdrawal'],
  ['Backspace Esc', 'Undo a step'],
];

// A row of buttons; `go` gets a change of the ply, where ±Infinity goes to the ends.
export function walkButtons({ go, flip }) {
  return make('div', { class: 'controls walk', role: 'toolbar', 'aria-label': 'Positions' },
    button('⇤', 'First position', () => go(-Infinity)),
    button('←', 'Previous move', () => go(-1)),
    button('→', 'Next move', () => go(1)),
    button('⇥', 'Last position', () => go(Infinity)),
    button('⇅', 'Flip the board', flip));
}

// Listens for the keys on the whole page; `more` maps further keys to actions. Returns a function
// that ends it.
export function walkKeys({ go, flip }, more = {}) {
  const actions = {
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    Home: () => go(-Infinity),
    End: () => go(Infinity),
    f: flip,
    ...more,
  };
  const listen = (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    if (event.target.closest?.('dialog, input, summary') || document.querySelector('dialog[open]')) return;
    // A focused button or link has its own use for the space bar.
    if (event.key === ' ' && event.target.closest?.('button, a, [role=button]')) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}
