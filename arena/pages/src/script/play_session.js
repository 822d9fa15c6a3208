// A session of the user and an engine: several games with a score. The server says which game
// comes next; here are only the results so far.

import { postJson } from './api.js';
import { say } from './words.js';

/**
 * A session so far: the results of its games by colours, whether the user had White in each, and the
 * state that the rules give it.
 * @typedef {{
 *   youAreFirst: boolean, results: string[], white: boolean[], counted: boolean, next: any, over: boolean,
 *   halves: number[] | null, winner: string | null, debtor: string | null, number: number,
 * }} Session
 */

// A session of the user, who has the first player's place with White.
/** @returns {Session} */
export function newSession(human) {
  return { youAreFirst: human === 'w', results: [], white: [], counted: false, next: null, over: false, halves: null, winner: null, debtor: null, number: 1 };
}

// The session that begins with a game of riatra that was not meant for one: its result counts, and
// what follows from it comes next.
export function sessionAfter(human, result) {
  const session = newSession(human);
  session.white.push(human === 'w');
  countResult(session, result);
  return session;
}

// Adds the result of the game that has ended.
export function countResult(session, result) {
  session.results.push(result);
  session.counted = true;
}

// Asks what follows the games so far: `{ over, halves, winner, next }`.
export function nextGame(session, setup) {
  return postJson('/api/session', { board: setup.board, rules: setup.rules, results: session.results });
}

// Keeps in the session what the server has said of it.
export function takeAnswer(session, { next, over, halves, winner }) {
  Object.assign(session, { next, over, halves, winner });
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

// The game that is played, and the state of the session after it, as sentences.
export function gameWords({ debtor, youAreFirst }) {
  if (!debtor) return say('kind.riatra');
  return say((debtor === 'first') === youAreFirst ? 'session.vela.you' : 'session.vela.engine');
}

export function scoreWords({ over, halves, winner, youAreFirst }) {
  if (!halves) return '';
  const [yours, its] = (youAreFirst ? halves : [...halves].reverse()).map((half) => pointsText(half / 2));
  const score = `${yours}–${its}`;
  if (!over) return say('session.sets', { score });
  if (!winner) return say('session.drawn', { score });
  return say((winner === 'first') === youAreFirst ? 'session.won' : 'session.lost', { score });
}

// Points as text, with a half as a fraction.
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return whole === 0 ? '½' : `${whole}½`;
}
