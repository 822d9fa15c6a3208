// Which puzzle is shown: the next one of a theme, the puzzle of the day, or one of the history; and
// the words of themes.

import { attempt, getJson } from './api.js';
import { choiceList, field } from './fields.js';
import { make } from './dom.js';
import { dayText } from './puzzle_record.js';
import { say } from './words.js';

const THEMES = ['offer', 'quiet', 'chain', 'choice', 'sequence', 'ending', 'debtor', 'creditor'];

export const themeName = (theme) => say(`puzzle.theme.${theme}`);

/**
 * A choice of what to solve: `kind` is `next`, `day` or `one`; `id` names the one.
 * @typedef {{ kind: 'next' | 'day' | 'one', theme?: string, date?: string, id?: string }} Wish
 */

// What an address asks for: `#day`, `#theme=offer`, `#id=x27a3e389`, or the next puzzle.
/** @returns {Wish} */
export function wishOf(hash, now = new Date()) {
  if (hash === '#day') return { kind: 'day', date: dayText(now) };
  const words = new URLSearchParams(hash.slice(1));
  const [id, theme] = [words.get('id'), words.get('theme')];
  if (id) return { kind: 'one', id };
  return theme && THEMES.includes(theme) ? { kind: 'next', theme } : { kind: 'next' };
}

// The address of a choice.
export function addressOf({ kind, id, theme }) {
  if (kind === 'day') return '#day';
  if (kind === 'one') return `#id=${id}`;
  return theme ? `#theme=${theme}` : '';
}

// The question of a choice: where, and what.
export function questionOf(wish, record) {
  const { kind, id, date, theme = null } = wish;
  if (kind === 'day') return ['/api/puzzles/day', { day: Date.parse(date ?? '') / 864e5 }];
  if (kind === 'one') return ['/api/puzzles/one', { id }];
  return ['/api/puzzles/next', { rating: record.rating, seen: record.seen, theme }];
}

// The list of themes and the button of the day, above the puzzle.
export class PuzzleChoice {
  // `onWish` hears of a new choice.
  constructor(onWish) {
    this.onWish = onWish;
    this.theme = make('div');
    this.day = make('a', { class: 'button', href: '#day' }, say('puzzle.day'));
    this.root = make('nav', { class: 'puzzle-choice', 'aria-label': say('puzzle.which') }, this.theme, this.day);
    this.counts = null;
  }

  async draw(wish) {
    if (wish.kind === 'day') this.day.setAttribute('aria-current', 'true');
    else this.day.removeAttribute('aria-current');
    this.counts ??= await attempt(() => getJson('/api/puzzles/themes'));
    const pairs = (this.counts ?? []).map(({ theme, puzzles }) => [theme, say('puzzle.theme.count', { theme: themeName(theme), count: puzzles })]);
    const list = choiceList([['', say('puzzle.themes.all')], ...pairs], wish.theme ?? '', (theme) => this.onWish({ kind: 'next', theme }));
    this.theme.replaceChildren(field(say('puzzle.theme'), list));
  }
}
