// The evaluation bar beside the board: how likely each side wins.

import { make } from './dom.js';
import { chanceOf, isExact, wordsForWhite } from './scores.js';
import { say } from './words.js';

export class Gauge {
  constructor(root, scale) {
    this.root = root;
    this.scale = scale;
    this.fill = make('div', { class: 'fill' });
    this.text = make('span', { class: 'value' });
    root.append(this.fill, this.text);
    root.setAttribute('role', 'meter');
    root.setAttribute('aria-label', say('score.chance'));
    root.setAttribute('aria-valuemin', '0');
    root.setAttribute('aria-valuemax', '100');
    root.hidden = false;
    this.set('', false);
  }

  // Shows a score of White's view; an empty one keeps the bar in the middle.
  set(score, flipped) {
    const percent = Math.round(100 * chanceOf(score, this.scale));
    const { root } = this;
    root.style.setProperty('--white', `${percent}%`);
    root.classList.toggle('flipped', flipped);
    root.classList.toggle('white-ahead', percent >= 50);
    root.classList.toggle('exact', isExact(score));
    root.setAttribute('aria-valuenow', String(percent));
    root.setAttribute('aria-valuetext', wordsForWhite(score));
    root.title = wordsForWhite(score);
    this.text.textContent = shortest(score);
  }
}

// Few characters, for a narrow bar: `1.3`, the plies to a proven end after a `#`, or the result.
function shortest(score) {
  if (!score) return '';
  if (score === 'w0') return '1–0';
  if (score === 'l0') return '0–1';
  if (isExact(score)) return `#${score.slice(1)}`;
  const stones = Math.abs(Number(score)) / 100;
  const text = stones.toFixed(stones < 9.95 ? 1 : 0);
  // There is room for three characters.
  return text.length > 3 ? text.split('.')[0] : text;
}
