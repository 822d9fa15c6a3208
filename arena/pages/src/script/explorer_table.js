// The tables of the opening explorer: the moves that were played here, and games to look at.

import { make, node } from './dom.js';
import { resultText } from './format.js';
import { moveButton } from './move_words.js';
import { isReport, pageAddress, tournamentAddress } from './place.js';
import { signed } from './position.js';
import { say } from './words.js';

const PARTS = [['white', say('explorer.white')], ['draws', say('explorer.draws')], ['black', say('explorer.black')]];

// What is proven of a position, without a stop at its end; empty if nothing is.
export function provenText(value) {
  return value ? say(`proof.${value}.text`) : '';
}

// The same with the way to all that is proven.
export function provenLine(value) {
  if (!value) return [];
  const text = node('span', provenText(value));
  return isReport() ? [text] : [text, ' · ', make('a', { href: pageAddress('solved') }, say('solved.title'))];
}

// Results as a bar of three parts.
function resultBar(counts) {
  const total = counts.white + counts.draws + counts.black;
  const share = (key) => (total > 0 ? counts[key] / total : 0);
  const words = PARTS.map(([key, text]) => `${percent(share(key))} ${text}`).join(', ');
  const bar = make('div', { class: 'result-bar', role: 'img', 'aria-label': words, title: words });
  for (const [key] of PARTS) {
    if (counts[key] === 0 || total === 0) continue;
    // The style sheet hides a number that its part has no room for.
    const part = make('span', { class: key }, node('b', `${Math.round(100 * share(key))}%`));
    part.style.flexGrow = String(share(key));
    bar.append(part);
  }
  return bar;
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

// The moves with their games, and below them those of which only a proof is known. `onPick(text)` plays
// one; `onLook(text)` hears of the one looked at, or of null.
export function movesTable({ moves, games, white, draws, black, proven }, { onPick, onLook }) {
  const scored = moves.some(({ score }) => score !== null && score !== undefined);
  const values = new Map(proven.moves.map(({ text, value }) => [text, value]));
  const head = make('tr', {}, node('th', say('explorer.move')), make('th', { class: 'number', title: say('explorer.games.help') }, say('explorer.tab.games')),
    make('th', { class: 'results', title: say('explorer.results.help') }, say('explorer.results')));
  if (scored) head.append(make('th', { class: 'number', title: say('explorer.score.help') }, say('explorer.score')));
  for (const cell of head.children) cell.setAttribute('scope', 'col');
  const rows = moves.map((move) => moveRow(move, games, values.get(move.text), { scored, onPick, onLook }));
  const played = new Set(moves.map(({ text }) => text));
  const others = proven.moves.filter(({ text }) => !played.has(text)).map(({ text, value }) => provenRow(text, value, { scored, onPick, onLook }));
  const parts = [make('thead', {}, head), make('tbody', {}, ...rows)];
  if (others.length > 0) parts.push(make('tbody', { class: 'unplayed' }, ...others));
  const all = make('tr', { class: 'sum' }, make('th', { scope: 'row' }, say('explorer.all')), node('td', String(games), 'number'),
    make('td', { class: 'results' }, resultBar({ white, draws, black })), ...scored ? [node('td', '')] : []);
  if (games > 0) parts.push(make('tfoot', {}, all));
  return make('table', { class: 'explorer-moves' }, ...parts);
}

function moveRow(move, games, proven, { scored, onPick, onLook }) {
  const pick = moveButton(move.text, () => onPick(move.text), { class: 'pv' });
  const first = make('th', { scope: 'row' }, pick);
  if (move.opening) first.append(node('small', move.opening));
  if (proven) first.append(provenChip(proven));
  const share = games > 0 ? percent(move.games / games) : '';
  const results = make('td', { class: 'results' }, resultBar(move));
  const chosen = [...move.engines].sort((one, two) => two.games - one.games);
  if (chosen.length > 0) results.append(enginesLine(chosen));
  const score = move.score === null || move.score === undefined ? '' : signed(move.score / 100, 2);
  const row = make('tr', {}, first, make('td', { class: 'number' }, String(move.games), node('small', share)), results);
  if (scored) row.append(node('td', score, 'number'));
  return looked(row, pick, move.text, { onPick, onLook });
}

function provenRow(text, value, { scored, onPick, onLook }) {
  const pick = moveButton(text, () => onPick(text), { class: 'pv' });
  const row = make('tr', {}, make('th', { scope: 'row' }, pick, provenChip(value)), make('td', { class: 'soft', colspan: scored ? 3 : 2 }, say('explorer.not-played')));
  return looked(row, pick, text, { onPick, onLook });
}

function provenChip(value) {
  return make('small', { class: `proof ${value}`, title: provenText(value) }, say(`proof.${value}`));
}

// The whole row is a target for the pointer; the button is the one for the keyboard.
function looked(row, pick, text, { onPick, onLook }) {
  row.addEventListener('pointerenter', () => onLook(text));
  row.addEventListener('pointerleave', () => onLook(null));
  pick.addEventListener('focus', () => onLook(text));
  pick.addEventListener('blur', () => onLook(null));
  row.addEventListener('click', (event) => {
    if (!event.target.closest('button')) onPick(text);
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
  if (engines.length > 3) line.append(` ${say('home.more', { n: engines.length - 3 })}`);
  line.title = engines.map(({ name, games }) => `${name} ${games}`).join(', ');
  return line;
}

// The newest games that reached the position.
export function sampleList(games) {
  const items = games.map((game) => {
    const names = [node('bdi', game.white), ' – ', node('bdi', game.black)];
    // The games that come with a site have no report.
    const link = game.t ? make('a', { href: tournamentAddress(game.t, `g=${encodeURIComponent(game.game)}`) }, ...names) : make('span', {}, ...names);
    return make('li', {}, node('b', game.result === '*' ? '–' : resultText(game.result)), link, node('small', say('replay.plies', { n: game.plies })));
  });
  return make('ul', { class: 'samples' }, ...items);
}
