// The crosstable: who scored what against whom, coloured by score. A cell filters the games.

import { make, node } from './dom.js';
import { pointsText } from './format.js';

// With more engines than this the columns carry numbers, and the cells points only.
export const NAMED = 8;

export class Crosstable {
  // `onPair(row, column)` is called with the names of two engines.
  constructor(root, { onPair }) {
    this.onPair = onPair;
    this.head = make('thead');
    this.body = make('tbody');
    this.table = make('table', { class: 'crosstable' }, make('caption', { class: 'visually-hidden' }, 'Crosstable'), this.head, this.body);
    this.box = make('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Table of all pairs' }, this.table);
    root.append(node('p', 'Points of the engine of the row against the engine of the column. Choose a cell to see its games.', 'soft'), this.box);
    this.body.addEventListener('click', (event) => this.click(event));
    this.body.addEventListener('keydown', (event) => this.key(event));
  }

  show({ engines, cells }) {
    const key = JSON.stringify(engines);
    if (key !== this.known) this.build(engines, key);
    cells.forEach((row, y) => row.forEach((cell, x) => this.fill(this.buttons[y][x], cell, engines[y], engines[x])));
  }

  build(engines, key) {
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset : null;
    this.known = key;
    this.engines = engines;
    this.named = engines.length <= NAMED;
    this.table.classList.toggle('dense', !this.named);
    this.head.replaceChildren(make('tr', {}, node('td'), ...engines.map((name, index) => make('th', { scope: 'col', title: name }, this.named ? node('bdi', name) : `${index + 1}`))));
    this.buttons = [];
    this.body.replaceChildren(...engines.map((name, y) => {
      const title = make('th', { scope: 'row' }, this.named ? null : node('span', `${y + 1}`, 'place'), node('bdi', name));
      const row = engines.map((_, x) => (x === y ? make('td', { class: 'self' }, '·') : make('td', {}, make('button', { type: 'button', tabindex: -1, 'data-y': y, 'data-x': x }))));
      this.buttons.push(row.map((cell) => cell.firstElementChild));
      return make('tr', {}, title, ...row);
    }));
    // One cell is in the order of Tab; arrow keys lead to the others.
    const first = focused ? this.buttons[focused.y]?.[focused.x] : null;
    (first ?? this.body.querySelector('button'))?.setAttribute('tabindex', 0);
    first?.focus({ preventScroll: true });
  }

  fill(cell, result, row, column) {
    if (!cell) return;
    const key = result ? `${result.wins} ${result.draws} ${result.losses}` : '';
    if (cell.dataset.key === key) return;
    cell.dataset.key = key;
    cell.disabled = !result || result.games === 0;
    if (cell.disabled) {
      cell.replaceChildren('–');
      cell.className = '';
      cell.setAttribute('aria-label', `${row} against ${column}: no games`);
      return;
    }
    const { games, points, wins, draws, losses } = result;
    const part = points / games;
    // Five shades are enough to see who leads; the number says how far.
    cell.className = part < 0.25 ? 'much-less' : part < 0.5 ? 'less' : part === 0.5 ? 'equal' : part <= 0.75 ? 'more' : 'much-more';
    // Those who do not see the place in the table hear it; the visible text is part of what they hear.
    const place = make('span', { class: 'visually-hidden' }, node('bdi', row), ' against ', node('bdi', column), ': ');
    const score = this.named
      ? [node('b', `${pointsText(points)} / ${games}`), hidden(' points, '), node('small', `${wins}–${draws}–${losses}`), hidden(' won, drawn, lost')]
      : [pointsText(points), hidden(` of ${games}`)];
    cell.replaceChildren(place, ...score, hidden('. Show the games.'));
    cell.removeAttribute('aria-label');
    cell.title = `${row} – ${column}: ${pointsText(points)} of ${games} (${wins} won, ${draws} drawn, ${losses} lost)`;
  }

  click(event) {
    const cell = event.target.closest('button');
    if (cell) this.onPair(this.engines[cell.dataset.y], this.engines[cell.dataset.x]);
  }

  key(event) {
    const [over, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
    const from = event.target.closest('button');
    if (over === undefined || !from) return;
    event.preventDefault();
    let [x, y] = [Number(from.dataset.x), Number(from.dataset.y)];
    // Steps over the diagonal and cells without games.
    do {
      x += over;
      y += down;
    } while (this.buttons[y]?.[x] !== undefined && (this.buttons[y][x] === null || this.buttons[y][x].disabled));
    const to = this.buttons[y]?.[x];
    if (!to) return;
    from.setAttribute('tabindex', -1);
    to.setAttribute('tabindex', 0);
    to.focus();
  }
}

// Text for screen readers only.
function hidden(text) {
  return node('span', text, 'visually-hidden');
}
