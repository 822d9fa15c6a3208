// The user's puzzle rating, streak and the puzzles tried, which this browser keeps. `puzzle_result.js` changes them.

import { NEWCOMER } from './glicko.js';
import { ALWAYS, read, write } from './local.js';

const KEY = 'puzzles';

/**
 * The tries are in order: the ids of all, the last ones with their outcomes, and the days whose puzzle
 * was solved.
 * @typedef {{
 *   rating: number, deviation: number, streak: number, best: number, solved: number, failed: number,
 *   seen: string[], history: { id: string, rating: number, outcome: string }[], days: string[],
 * }} PuzzleRecord
 */

/** @returns {PuzzleRecord} */
export function emptyRecord() {
  return { ...NEWCOMER, streak: 0, best: 0, solved: 0, failed: 0, seen: [], history: [], days: [] };
}

// The day as in `2026-03-01`, by universal time, so that it is the same for everybody.
export function dayText(time) {
  return time.toISOString().slice(0, 10);
}

export function loadRecord() {
  const record = emptyRecord();
  const kept = read(ALWAYS, KEY);
  for (const [key, value] of Object.entries(record)) {
    if (Array.isArray(value) ? Array.isArray(kept?.[key]) : Number.isFinite(kept?.[key])) record[key] = kept[key];
  }
  record.seen = record.seen.map(String);
  return record;
}

export function saveRecord(record) {
  write(ALWAYS, KEY, record);
}
