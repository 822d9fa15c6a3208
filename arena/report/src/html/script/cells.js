// The cells of crosstables and the names in rankings as buttons that lead to games.

import { make, node } from './dom.js';
import { say, sayParts } from './words.js';

// Turns them into buttons, everywhere in an element.
export function cells(root) {
  for (const table of root.querySelectorAll('.crosstable')) cellsOf(table);
  for (const head of root.querySelectorAll('.ranking tbody th')) nameOfRow(head);
  for (const hint of root.querySelectorAll('.scripted')) hint.hidden = false;
}

// Calls `show({ engine, opponent, kind })` when the user chooses one of them in an element, also one
// that comes later. `opponent` and `kind` may be empty.
export function onCells(root, show) {
  root.addEventListener('click', (event) => {
    const button = event.target.closest('.crosstable button, .ranking button');
    if (!button) return;
    const kind = button.closest('[data-kind]')?.dataset.kind;
    show({ ...enginesOf(button), kind: kind === 'riatra' || kind === 'vela' ? kind : '' });
  });
  root.addEventListener('keydown', (event) => {
    const [over, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
    const from = event.target.closest('.crosstable button');
    if (over === undefined || !from) return;
    event.preventDefault();
    const { rows } = from.closest('tbody');
    let [x, y] = [from.closest('td').cellIndex, from.closest('tr').sectionRowIndex];
    let to = null;
    // Steps over the diagonal and cells without games.
    do {
      [x, y] = [x + over, y + down];
      to = x > 0 ? rows[y]?.cells[x] : undefined;
    } while (to && !to.querySelector('button'));
    if (!to) return;
    from.tabIndex = -1;
    to.querySelector('button').tabIndex = 0;
    to.querySelector('button').focus();
  });
}

function cellsOf(table) {
  for (const cell of table.querySelectorAll('td:has(> b)')) {
    const [points, counts] = [cell.querySelector('b'), cell.querySelector('small')];
    const { engine, opponent } = enginesOf(cell);
    const title = say('cells.title', { engine, opponent, points: points.textContent, counts: counts.textContent });
    // Those who do not see the place in the table hear it; the visible text is part of what they hear.
    const button = make('button', { type: 'button', tabindex: -1, title },
      heard(...sayParts('cells.pair', { engine: node('bdi', engine), opponent: node('bdi', opponent) })), points, heard(say('cells.points')), counts, heard(say('cells.counts')));
    cell.append(button);
  }
  // One cell is in the order of Tab, and arrow keys lead to the others.
  const [first, ...others] = table.querySelectorAll('button[tabindex="0"]');
  for (const other of others) other.tabIndex = -1;
  if (!first) table.querySelector('button')?.setAttribute('tabindex', '0');
}

// Text for screen readers only.
function heard(...text) {
  return make('span', { class: 'visually-hidden' }, ...text);
}

function nameOfRow(head) {
  if (head.querySelector('button, a')) return;
  const button = make('button', { type: 'button', class: 'name', title: say('cells.games', { engine: engineOf(head) }) });
  button.append(...head.childNodes);
  head.append(button);
}

// The engine of a row's head; a name that is too long for it stands there as a whole as well.
function engineOf(head) {
  return (head.querySelector('.whole') ?? head.querySelector('bdi')).textContent;
}

// The engines of a cell's row and column, or the engine of a row's head.
function enginesOf(element) {
  const cell = element.closest('td');
  if (!cell) return { engine: engineOf(element.closest('th')), opponent: '' };
  const [columns] = cell.closest('table').tHead.rows;
  return { engine: cell.parentElement.cells[0].title, opponent: columns.cells[cell.cellIndex].title };
}
