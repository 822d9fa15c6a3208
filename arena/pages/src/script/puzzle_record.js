// The user's puzzle rating, streak and the puzzles seen, which this browser keeps.

const KEY = 'puzzles';
const BEGINNER = 1200;
// How far one puzzle moves the rating, and how many puzzles are remembered as seen.
const STEP = 32;
const SEEN = 300;

// The rating after a puzzle: Elo, with the puzzle as the opponent.
export function ratingAfter(rating, puzzle, solved) {
  const expected = 1 / (1 + 10 ** ((puzzle - rating) / 400));
  return Math.max(100, Math.round(rating + STEP * ((solved ? 1 : 0) - expected)));
}

// The record after a puzzle. A puzzle solved with help counts neither way.
export function recordAfter(record, puzzle, outcome) {
  const seen = [...record.seen.filter((id) => id !== puzzle.id), puzzle.id].slice(-SEEN);
  if (outcome === 'helped') return { ...record, seen, streak: 0 };
  const solved = outcome === 'solved';
  const streak = solved ? record.streak + 1 : 0;
  return {
    rating: ratingAfter(record.rating, puzzle.rating, solved),
    streak,
    best: Math.max(record.best, streak),
    solved: record.solved + (solved ? 1 : 0),
    failed: record.failed + (solved ? 0 : 1),
    seen,
  };
}

export function emptyRecord() {
  return { rating: BEGINNER, streak: 0, best: 0, solved: 0, failed: 0, seen: [] };
}

export function loadRecord() {
  const record = emptyRecord();
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    for (const key of ['rating', 'streak', 'best', 'solved', 'failed']) {
      if (Number.isFinite(kept?.[key])) record[key] = kept[key];
    }
    if (Array.isArray(kept?.seen)) record.seen = kept.seen.map(String);
  } catch {
    // Without storage every visit begins anew.
  }
  return record;
}

export function saveRecord(record) {
  try {
    localStorage.setItem(KEY, JSON.stringify(record));
  } catch {
    // See above.
  }
}
