// Scores as text, as winning chances, and from the other side's view. A score is `35` (hundredths
// of a stone), `w5` or `l4` (a proven end in that number of plies) or empty.

import { numberText, say } from './words.js';

const TURNED = { w: 'l', l: 'w' };

// The same score from the opponent's view.
export function turned(score) {
  if (!score) return '';
  if (TURNED[score[0]]) return TURNED[score[0]] + score.slice(1);
  return String(-Number(score) || 0);
}

// A score of the side to move, from White's view.
export function forWhite(score, side) {
  return side === 'w' ? score : turned(score);
}

export function isExact(score) {
  return /^[wl]/.test(score);
}

// A score of White's view in a sentence.
export function wordsForWhite(score) {
  if (!score) return say('score.none');
  const winner = { w: 'w', l: 'b' }[score[0]];
  const plies = Number(score.slice(1));
  if (winner) return plies === 0 ? say(`score.won.${winner}`) : say(`score.wins.${winner}`, { n: plies });
  const stones = Number(score) / 100;
  if (Math.abs(stones) < 0.25) return say('score.equal');
  const lead = numberText(Math.abs(stones), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return say(`score.ahead.${stones > 0 ? 'w' : 'b'}`, { lead });
}

// The winning chance, from 0 to 1, of the side whose view the score has. `scale` comes from the
// server, so that page and reports agree.
export function chanceOf(score, scale) {
  if (!score) return 0.5;
  if (score[0] === 'w') return 1;
  if (score[0] === 'l') return 0;
  return 1 / (1 + Math.exp(-Number(score) / scale));
}
