// The tables of the opening explorer: the moves that were played here, and games to look at.

import { button, make, node } from './dom.js';
import { tournamentAddress } from './place.js';
import { signed } from './position.js';

// Parts narrower than this have no room for their number.
const ROOM = 0.16;
const PARTS = [['white', 'White wins'], ['draws', 'draws'], ['black', 'Black wins']];

// Results as a bar of three parts.
function resultBar(counts) {
  const total = counts.white + counts.draws + counts.black;
  const share = (key) => (total > 0 ? counts[key] / total : 0);
  const words = PARTS.map(([key, text]) => `${percent(share(key))} ${text}`).join(', ');
  const bar = make('div', { class: 'result-bar', role: 'img', 'aria-label': words, title: words });
  for (const [key] of PARTS) {
    if (counts[key] === 0 || total === 0) continue;
    const part = node('span', share(key) >= ROOM ? String(Math.round(100 * share(key))) : '', key);
    part.style.flexGrow = String(share(key));
    bar.append(part);
  }
  return bar;
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

// The moves with their games. `onPick(text)` plays one; `onLook(text)` hears of the one looked at,
// or null.
export function movesTable(answer, { onPick, onLook }) {
  const { moves, games } = answer;
  const rows = moves.map((move) => moveRow(move, games, { onPick, onLook }));
  const head = make('tr', {}, ...[['Move', ''], ['Games', 'number'], ['White, draw, Black in %', 'results'], ['Score', 'number']]
    .map(([text, kind]) => make('th', { scope: 'col', class: kind || null }, text)));
  const foot = make('tr', { class: 'sum' }, node('th', 'All'), node('td', String(games), 'number'), make('td', { class: 'results' }, resultBar(answer)), node('td', ''));
  const parts = [make('thead', {}, head), make('tbody', {}, ...rows), make('tfoot', {}, games > 0 ? foot : '')];
  return make('table', { class: 'explorer-moves' }, ...parts);
}

function moveRow(move, games, { onPick, onLook }) {
  const pick = button(move.text, null, () => onPick(move.text), 'pv');
  const first = make('th', { scope: 'row' }, pick);
  if (move.opening) first.append(node('small', move.opening));
  const share = games > 0 ? percent(move.games / games) : '';
  const results = make('td', { class: 'results' }, resultBar(move));
  const chosen = [...move.engines].sort((one, two) => two.games - one.games);
  if (chosen.length > 0) results.append(enginesLine(chosen));
  const score = move.score === null || move.score === undefined ? '' : signed(move.score / 100, 2);
  const row = make('tr', {}, first, make('td', { class: 'number' }, String(move.games), node('small', share)), results, node('td', score, 'number'));
  row.addEventListener('pointerenter', () => onLook(move.text));
  row.addEventListener('pointerleave', () => onLook(null));
  pick.addEventListener('focus', () => onLook(move.text));
  pick.addEventListener('blur', () => onLook(null));
  // The whole row is a target for the pointer; the button is the one for the keyboard.
  row.addEventListener('click', (event) => {
    if (!event.target.closest('button')) onPick(move.text);
  });
  return row;
}

// The engines that chose a move, most games first; names are hostile text.
function enginesLine(engines) {
  const line = make('small', { class: 'engines' });
  engines.slice(0, 3).forEach(({ name, games }, index) => {
    if (index > 0) line.append(', ');
    line.append(node('bdi', name), ` ${games}`);
  });
  if (engines.length > 3) line.append(` and ${engines.length - 3} more`);
  line.title = engines.map(({ name, games }) => `${name} ${games}`).join(', ');
  return line;
}

// The newest games that reached the position.
export function sampleList(games) {
  const items = games.map((game) => {
    const link = make('a', { href: tournamentAddress(game.t, `g=${encodeURIComponent(game.game)}`) },
      node('bdi', game.white), ' – ', node('bdi', game.black));
    return make('li', {}, node('b', resultText(game.result)), link, node('small', `${game.plies} plies`));
  });
  return make('ul', { class: 'samples' }, ...items);
}

function resultText(result) {
  return { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' }[result] ?? '–';
}
