// Where the analysis page gets its games from: the address, a start, a FEN, or FGN text.

import { getJson, postJson } from './api.js';

// The game that an address names, or null if it names none.
export async function gameFromAddress(hash) {
  const words = new URLSearchParams(hash.slice(1));
  if (words.has('t') && words.has('g')) return gameOfTournament(words.get('t'), words.get('g'), numberOf(words, 'p'));
  if (!words.has('fen')) return null;
  const moves = (words.get('moves') ?? '').split(/[ ,]+/).filter(Boolean);
  const book = Math.min(numberOf(words, 'book') ?? 0, moves.length);
  const ply = numberOf(words, 'p') ?? moves.length;
  return { ...await gameOfPosition({ fen: words.get('fen') }, words.get('rules') ?? '', moves, ply), book, review: words.has('review') };
}

function numberOf(words, name) {
  const number = Number.parseInt(words.get(name) ?? '', 10);
  return number >= 0 ? number : null;
}

async function gameOfTournament(t, g, ply) {
  /** @type {import('../../views').Game} */
  const game = await getJson(`/api/t/${encodeURIComponent(t)}/games/${encodeURIComponent(g)}`);
  return { ...game, rules: game.rules ?? '', ply: ply ?? 0, source: { t, g }, fixed: true };
}

// The server reads the position, so that a wrong one gives its error before anything changes.
async function gameOfPosition(start, rules, moves, ply) {
  const state = await postJson('/api/rules', { start, rules, moves });
  return { start: state.start, rules, moves, ply, scores: [], times: [] };
}

export function startGame(board, kind) {
  return gameOfPosition({ board, kind }, '', [], 0);
}

export function fenGame(fen, rules) {
  return gameOfPosition({ fen }, rules, [], 0);
}

// All games of an FGN text.
export async function fgnGames(text) {
  const { games } = await postJson('/api/fgn/read', { text });
  return games.map((game) => ({ ...game, ply: 0, fixed: game.moves.length > 0 }));
}
