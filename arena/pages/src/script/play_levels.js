// The levels at which people play: the list to choose from, and the results against each of them,
// which this browser keeps.

import { make, node } from './dom.js';
import { NEWCOMER, ratedAfter } from './glicko.js';
import { signed } from './position.js';
import { say } from './words.js';

// On the scale of the levels, on which 0 is in their middle.
const UNKNOWN = { rating: -300, deviation: NEWCOMER.deviation };
const Z = 1.96;

export function emptyResults() {
  return { ...UNKNOWN, levels: {} };
}

// The results after a game against a level; `points` are 1, 0.5 or 0.
export function resultsAfter(results, level, points) {
  const before = results ?? emptyResults();
  const kept = before.levels[level.level] ?? { won: 0, drawn: 0, lost: 0 };
  const key = { 1: 'won', 0.5: 'drawn', 0: 'lost' }[points];
  const opponent = { rating: level.elo, deviation: (level.high - level.low) / (2 * Z) };
  const { rating, deviation } = ratedAfter(before, opponent, points);
  return { rating, deviation, levels: { ...before.levels, [level.level]: { ...kept, [key]: kept[key] + 1 } } };
}

// The name of a level.
export const levelName = (level) => say(`level.${level.level}`);

// The score against a level in words; empty before the first game.
export function resultWords(results, level) {
  const kept = results?.levels[level.level];
  return kept ? say('level.score', kept) : '';
}

// What the games so far say of the user's strength.
export function strengthWords(results, levels) {
  if (!results || levels.length === 0) return say('level.unknown');
  const { rating, deviation } = results;
  const below = levels.filter((level) => level.elo <= rating).at(-1);
  const above = levels.find((level) => level.elo > rating);
  const names = { below: below && levelName(below), above: above && levelName(above) };
  const where = say(below && above ? 'level.between' : below ? 'level.above' : 'level.below', names);
  return say('level.strength', { elo: signed(Math.round(rating)), margin: Math.round(Z * deviation), where });
}

// A level beside the one below.
function anchorWords(level, levels) {
  const below = levels.find((other) => other.level === level.level - 1);
  return below && level.below !== null ? say('level.anchor', { points: level.below, below: levelName(below) }) : '';
}

// The levels as a list of radio buttons.
export function levelList(levels, chosen, results, onChange) {
  const rows = levels.map((level) => {
    const radio = make('input', { type: 'radio', name: 'level', value: String(level.level), checked: level.level === chosen });
    radio.addEventListener('change', () => onChange(level.level));
    const elo = say('level.elo', { elo: signed(Math.round(level.elo)) });
    const head = make('span', { class: 'head' }, node('b', levelName(level)), node('span', elo, 'elo'));
    const about = node('small', `${say(`level.${level.level}.about`)} ${anchorWords(level, levels)}`);
    const score = resultWords(results, level);
    return make('label', {}, radio, node('span', String(level.level), 'number'), make('span', { class: 'words' }, head, about, score ? node('small', score, 'score') : null));
  });
  return make('fieldset', { class: 'ladder' }, node('legend', say('level.title')), ...rows);
}
