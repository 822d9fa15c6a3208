// What a puzzle does to the record of the user.

import { ratedAfter } from './glicko.js';
import { dayText } from './puzzle_record.js';

// The deviation of a puzzle's rating. The rating is an estimate from the solution, not from attempts.
const PUZZLE_DEVIATION = 100;
const LEAST_RATING = 100;
// How many puzzles are remembered: those tried, and of these the last with their outcomes.
const SEEN = 1500;
const HISTORY = 200;

// The rating after a puzzle, with the puzzle as the opponent.
export function ratingAfter({ rating, deviation }, puzzle, solved) {
  const after = ratedAfter({ rating, deviation }, { rating: puzzle, deviation: PUZZLE_DEVIATION }, solved ? 1 : 0);
  return { rating: Math.max(LEAST_RATING, Math.round(after.rating)), deviation: Math.round(after.deviation) };
}

// The record after a puzzle. A puzzle solved with help counts neither way, and one that was tried
// before changes the history alone.
export function recordAfter(record, puzzle, outcome) {
  const known = record.seen.includes(puzzle.id);
  const entry = { id: puzzle.id, rating: puzzle.rating, outcome };
  const history = [...record.history.filter(({ id }) => id !== puzzle.id), entry].slice(-HISTORY);
  if (known) return { ...record, history };
  const seen = [...record.seen, puzzle.id].slice(-SEEN);
  if (outcome === 'helped') return { ...record, seen, history, streak: 0 };
  const solved = outcome === 'solved';
  const streak = solved ? record.streak + 1 : 0;
  return {
    ...record,
    ...ratingAfter(record, puzzle.rating, solved),
    streak,
    best: Math.max(record.best, streak),
    solved: record.solved + (solved ? 1 : 0),
    failed: record.failed + (solved ? 0 : 1),
    seen,
    history,
  };
}

// The record after the puzzle of a day was solved; `days` are the days in order.
export function recordAfterDay(record, date) {
  return { ...record, days: [...record.days.filter((day) => day !== date), date].sort().slice(-HISTORY) };
}

// How many days in a row, up to this one or the one before, had their puzzle solved.
export function daysInARow(days, date) {
  const before = (day) => dayText(new Date(Date.parse(day) - 864e5));
  let day = days.includes(date) ? date : before(date);
  let count = 0;
  for (; days.includes(day); day = before(day)) count += 1;
  return count;
}
