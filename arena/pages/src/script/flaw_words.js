// What is wrong with a move, in words. The server computes it from the engine's lines and exact values.

import { shortMove } from './move_words.js';
import { say } from './words.js';

// Up to this many stones a position is called an ending, and its stones are said.
const ENDING = 14;

/**
 * @typedef {{ code: string, plies?: number, lost?: number, drawn?: boolean, own?: number, other?: number, stones?: number,
 *   chain?: boolean, best?: string | null, line?: string[] }} Flaw
 */

// A flaw as the end of a sentence about the move: `loses 5 stones to c4c3A`.
/** @param {Flaw | null} flaw */
export function flawText(flaw) {
  if (!flaw) return '';
  const { code, stones: n, own = 0, other = 0 } = flaw;
  const best = flaw.best ? shortMove(flaw.best) : '';
  const line = (flaw.line ?? []).map(shortMove).join(' ');
  const values = { ...flaw, n, best, line };
  switch (code) {
    case 'misses-win':
      return say(flaw.drawn ? 'flaw.misses-win.drawn' : 'flaw.misses-win', values);
    case 'leaves-draw':
      return say(own + other <= ENDING ? 'flaw.leaves-draw.ending' : 'flaw.leaves-draw', values);
    case 'is-lost':
      return say(line ? 'flaw.is-lost.line' : 'flaw.is-lost', values);
    case 'misses-capture':
      return say(flaw.chain ? 'flaw.misses-chain' : 'flaw.misses-capture', values);
    case 'weaker':
      return say(best ? 'flaw.weaker' : 'flaw.weaker.unknown', values);
    default:
      return say(`flaw.${code}`, values);
  }
}
