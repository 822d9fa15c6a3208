// When an engine accepts a draw: late in the game, if it has not seen itself ahead for a while.

import { say } from './words.js';

// The plies before which it does not, the engine's last moves that count, and the lead in hundredths
// of a stone that none of them may exceed.
const LEAST_PLIES = 30;
const MOVES = 3;
const LEAD = 50;
// The plies between two offers.
const PAUSE = 10;

export const drawRule = () => say('draw.rule', { move: LEAST_PLIES / 2 + 1, moves: MOVES });

// Whether it accepts. `scores` are those of the engine's moves, from its view; a move without a score
// says nothing, and an engine that gives none never accepts.
export function acceptsDraw(plies, scores) {
  if (plies < LEAST_PLIES || scores.length < MOVES) return false;
  return scores.slice(-MOVES).every((score) => {
    if (score === '' || score[0] === 'w') return false;
    return score[0] === 'l' || Number(score) <= LEAD;
  });
}

// Whether a draw may be offered again; `offered` is the ply of the last offer, or null.
export const mayOffer = (plies, offered) => offered === null || plies >= offered + PAUSE || plies < offered;
