// Going through the positions of a game, by buttons and by keys.

import { button, make } from './dom.js';
import { say } from './words.js';

// A row of buttons; `go` gets a change of the ply, where ±Infinity goes to the ends.
export function walkButtons({ go, flip }) {
  return make('div', { class: 'controls walk', role: 'toolbar', 'aria-label': say('walk.positions') },
    button('⇤', say('walk.first'), () => go(-Infinity)),
    button('←', say('walk.back'), () => go(-1)),
    button('→', say('walk.on'), () => go(1)),
    button('⇥', say('walk.last'), () => go(Infinity)),
    button('⇅', say('walk.flip'), flip));
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
    // A report may show its results instead of the page.
    if (document.querySelector('[hidden] > #app')) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

// Whether keys belong to a field.
export function isTyping(target) {
  return target instanceof Element && target.closest('input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]') !== null;
}
