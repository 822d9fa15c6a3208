// A session of the user and an engine: several games with a score. The server says which game
// comes next; here are only the results so far.

import { postJson } from './api.js';

// A session of the user, who has the first player's place with White.
export function newSession(human) {
  return { youAreFirst: human === 'w', results: [], white: [], counted: false, next: null, over: false, text: '', title: '', number: 1 };
}

// Adds the result of the game that has ended.
export function countResult(session, result) {
  session.results.push(result);
  session.counted = true;
}

// What follows the games so far: `{ over, next, text }`.
export function nextGame(session, setup) {
  return postJson('/api/session', { board: setup.board, rules: setup.rules, results: session.results });
}

// The points of the user and of the engine.
export function pointsOf(session) {
  let yours = 0;
  session.results.forEach((result, index) => {
    const white = { '1-0': 1, '0-1': 0 }[result] ?? 0.5;
    yours += session.white[index] ? white : 1 - white;
  });
  return [yours, session.results.length - yours];
}

// Points as text, with a half as a fraction.
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return whole === 0 ? '½' : `${whole}½`;
}
