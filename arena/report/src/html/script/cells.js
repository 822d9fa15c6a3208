// The cells of the crosstables as buttons that lead to the games of two engines.

import { make } from './dom.js';

// `onPair({ engine, opponent, kind })` is called when the user chooses a cell; `kind` is the kind of
// game, or empty if the table is about more than one.
export function cells(onPair) {
  for (const table of document.querySelectorAll('.crosstable')) cellsOf(table, onPair);
  for (const hint of document.querySelectorAll('.scripted')) hint.hidden = false;
}

function cellsOf(table, onPair) {
  const names = [...table.querySelectorAll('thead th bdi')].map((name) => name.textContent);
  const rows = [...table.tBodies[0].rows];
  // The buttons by row and column; null where there are no games.
  const buttons = rows.map((row, y) => [...row.cells].slice(1).map((cell, x) => {
    if (!cell.querySelector('b')) return null;
    const [points, counts] = [cell.querySelector('b').textContent, cell.querySelector('small').textContent];
    const about = `${names[y]} against ${names[x]}: ${points} points, ${counts}`;
    const button = make('button', { type: 'button', tabindex: -1, title: about, 'aria-label': `${about}. Show the games.`, 'data-x': x, 'data-y': y });
    button.append(...cell.childNodes);
    cell.append(button);
    return button;
  }));
  // One cell is in the order of Tab, and arrow keys lead to the others.
  buttons.flat().find(Boolean)?.setAttribute('tabindex', 0);
  const kind = table.closest('.part')?.dataset.kind ?? '';
  table.addEventListener('click', (event) => {
    const cell = event.target.closest('button');
    if (!cell) return;
    const isKind = kind === 'riatra' || kind === 'vela';
    onPair({ engine: names[cell.dataset.y], opponent: names[cell.dataset.x], kind: isKind ? kind : '' });
  });
  table.addEventListener('keydown', (event) => {
    const [over, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
    const from = event.target.closest('button');
    if (over === undefined || !from) return;
    event.preventDefault();
    let [x, y] = [Number(from.dataset.x), Number(from.dataset.y)];
    // Steps over the diagonal and cells without games.
    do [x, y] = [x + over, y + down]; while (buttons[y]?.[x] === null);
    const to = buttons[y]?.[x];
    if (!to) return;
    from.setAttribute('tabindex', -1);
    to.setAttribute('tabindex', 0);
    to.focus();
  });
}
