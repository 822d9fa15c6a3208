// The card beside a puzzle: the user's rating, streaks, and the puzzles tried before.

import { make, node } from './dom.js';
import { signed } from './position.js';
import { dayText } from './puzzle_record.js';
import { daysInARow } from './puzzle_result.js';
import { say } from './words.js';

const SHOWN = 40;
const SIGNS = { solved: '✓', failed: '✗', helped: '?' };

// Fills the card. `change` is what the puzzle did to the rating; null: nothing yet.
export function drawScore(root, record, change, current) {
  const { rating, deviation, streak, best, solved, failed, history } = record;
  const value = make('p', { class: 'rating' }, node('span', say('puzzle.rating'), 'soft'), node('b', String(rating)),
    ' ', node('span', `± ${Math.round(1.96 * deviation)}`, 'soft'));
  if (change) value.append(' ', node('span', signed(change), change > 0 ? 'up' : 'down'));
  const facts = make('dl', { class: 'facts' });
  const days = daysInARow(record.days, dayText(new Date()));
  const rows = [
    [say('puzzle.solved'), say('puzzle.solved.of', { solved, tried: solved + failed })],
    [say('puzzle.row'), say('puzzle.row.best', { streak, best })],
    [say('puzzle.days'), say('puzzle.days.row', { n: days })],
  ];
  for (const [name, text] of rows) facts.append(node('dt', name), node('dd', text));
  root.replaceChildren(value, facts, ...(history.length > 0 ? tried(history, current) : []));
}

// The last puzzles, the newest first; each is a link that shows it again.
function tried(history, current) {
  const last = history.slice(-SHOWN).reverse();
  const list = make('ol', { class: 'history', 'aria-label': say('puzzle.tried') }, ...last.map(({ id, rating, outcome }) => {
    const words = say(`puzzle.tried.${outcome}`, { rating: String(rating) });
    const shown = id === current ? 'true' : null;
    return make('li', {}, make('a', { class: outcome, href: `#id=${id}`, 'aria-label': words, title: words, 'aria-current': shown }, SIGNS[outcome]));
  }));
  const missed = last.find(({ id, outcome }) => outcome === 'failed' && id !== current);
  const again = missed ? make('a', { class: 'button', href: `#id=${missed.id}` }, say('puzzle.retry')) : null;
  return [node('h3', say('puzzle.history')), list, ...again ? [again] : []];
}
