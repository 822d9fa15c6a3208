// The strip of a player above or below a board: name, stones, captures and clock.

import { make, node } from './dom.js';
import { say } from './words.js';

// Fills a strip; returns the element of the clock. Names are text that anyone may have chosen.
export function fillStrip(strip, { side, name, about = '', stones, taken = 0, active = false, clock = false }) {
  const colour = [node('span', '', `chip ${side}`), node('span', `${say(`side.${side}`)}: `, 'visually-hidden')];
  const who = make('span', { class: 'who' }, ...colour, node('bdi', name));
  if (about) who.append(' ', node('small', about));
  const counts = make('span', { class: 'counts', title: say('strip.counts', { stones, taken }) },
    node('span', say('count.stones', { n: stones })));
  if (taken > 0) counts.append(node('b', `+${taken}`), node('span', ` ${say('strip.taken')}`, 'visually-hidden'));
  const time = clock ? make('span', { class: 'clock', role: 'timer' }) : null;
  strip.classList.toggle('active', active);
  strip.replaceChildren(...[who, counts, time].filter(Boolean));
  return { clock: time };
}
