// Positions, and the effect of moves on stones. Moves are not validated: they were legal when they
// were played.

import { say } from './words.js';

// A point from its name; columns and rows count from 0, and row 0 is White's edge.
export function pointOf(name) {
  return { column: name.charCodeAt(0) - 97, row: name.charCodeAt(1) - 49 };
}

export function nameOf(point) {
  return String.fromCharCode(97 + point.column) + (point.row + 1);
}

// The fields of a FEN as text: placement, side, debtor, quiet plies and move number, those that are
// there. A second `-`, as programs for chess write it, says nothing.
export function fieldsOf(fen) {
  const fields = fen.trim().split(/\s+/);
  if (fields[3] === '-') fields.splice(3, 1);
  return fields;
}

/**
 * A position as a FEN has it.
 * @typedef {{ columns: number, rows: number, stones: Map<string, string>, side: string, debtor: string }} Position
 */

// A FEN; stones, `w` or `b`, are keyed by the name of their point.
/** @returns {Position} */
export function positionOf(fen) {
  const [placement, side = 'w', debtor = '-'] = fieldsOf(fen);
  const rows = placement.split('/');
  const stones = new Map();
  let columns = 0;
  rows.forEach((text, index) => {
    let column = 0;
    for (const letter of text) {
      if (letter >= '1' && letter <= '9') {
        column += Number(letter);
      } else {
        stones.set(nameOf({ column, row: rows.length - 1 - index }), letter.toLowerCase());
        column += 1;
      }
    }
    columns = Math.max(columns, column);
  });
  return { columns, rows: rows.length, stones, side, debtor };
}

// The placement of stones as the first field of a FEN.
export function placementOf(columns, rows, stones) {
  const placement = [];
  for (let row = rows - 1; row >= 0; row -= 1) {
    let text = '';
    for (let column = 0; column < columns; column += 1) {
      const stone = stones.get(nameOf({ column, row }));
      text += stone === undefined ? '1' : { w: 'W', b: 'b' }[stone];
    }
    placement.push(text.replace(/1+/g, (run) => String(run.length)));
  }
  return placement.join('/');
}

/**
 * A step of a move, as the records have it, with the points of the stones that it captures.
 * @typedef {{ from: string, to: string, mark: string, captured: string[] }} Step
 */

// The steps of a move like `e2e3Ad4W`: a point, then points with `A`, `W` or no mark.
export function stepsOf(text) {
  const words = text.match(/[a-i][1-9][AW]?/g) || [];
  /** @type {Step[]} */
  const steps = [];
  for (let index = 1; index < words.length; index += 1) {
    const [from, to] = [words[index - 1].slice(0, 2), words[index].slice(0, 2)];
    steps.push({ from, to, mark: words[index].slice(2), captured: [] });
  }
  return steps;
}

// Plays a move on a copy of the stones. Adds to every step what it captures: the enemy stones in a
// row from the point after its end (approach) or before its beginning (withdrawal); only one in the
// first phase of a vela.
export function applyMove(stones, text, single) {
  const after = new Map(stones);
  const steps = stepsOf(text);
  for (const step of steps) {
    const [from, to] = [pointOf(step.from), pointOf(step.to)];
    const [columns, rows] = [to.column - from.column, to.row - from.row];
    const mover = after.get(step.from);
    after.delete(step.from);
    after.set(step.to, mover);
    const away = step.mark === 'A' ? 1 : -1;
    let next = step.mark === 'A' ? to : from;
    while (step.mark) {
      next = { column: next.column + away * columns, row: next.row + away * rows };
      const name = nameOf(next);
      if (!after.has(name) || after.get(name) === mover) break;
      step.captured.push(name);
      if (single) break;
    }
    for (const name of step.captured) after.delete(name);
  }
  return { stones: after, steps };
}

/**
 * A position of a game with the move that led to it.
 * @typedef {{ ply: number, stones: Map<string, string>, steps: Step[], side: string | null, text: string,
 *   score: string, ms: number | null, book: boolean, info?: any, mark?: string, note?: string }} Frame
 */

/**
 * The first frame of a game: its starting position.
 * @returns {Frame}
 */
export function firstFrame(start) {
  return { ply: 0, stones: start.stones, steps: [], side: null, text: '', score: '', ms: null, book: false };
}

// The frame after a move. `game` has `book` (number of opening moves), `single` (number of moves
// that capture one stone only), and `scores` and `times` from move number book + 1 on.
/** @returns {Frame} */
export function nextFrame(before, text, side, game) {
  const index = before.ply;
  const asked = index - (game.book || 0);
  const ms = game.times?.[asked];
  return {
    ...applyMove(before.stones, text, index < (game.single || 0)),
    ply: index + 1,
    side,
    text,
    score: (asked >= 0 && game.scores?.[asked]) || '',
    ms: asked >= 0 && ms !== undefined && ms !== null && ms !== '' ? Number(ms) : null,
    book: asked < 0,
    info: (asked >= 0 && game.info?.[asked]) || null,
  };
}

// Every position of a game, each with the move that led to it.
export function framesOf(game) {
  const start = positionOf(game.start);
  const frames = [firstFrame(start)];
  let { side } = start;
  for (const text of game.moves) {
    frames.push(nextFrame(frames[frames.length - 1], text, side, game));
    side = side === 'w' ? 'b' : 'w';
  }
  return { start, frames };
}

// The number of stones of a side.
export function countStones(stones, side) {
  let count = 0;
  for (const stone of stones.values()) count += stone === side ? 1 : 0;
  return count;
}

// A number with its sign; a real minus, and no sign for zero.
export function signed(number, digits = 0) {
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return (number < 0 ? '−' : '+') + text;
}

// A score from White's view in few characters, for charts and thumbnails: `+1.35`, `W5`, `B4`.
export function whiteScore(score, side) {
  if (!score) return '';
  const own = side === 'w';
  const winner = winnerOf(score, side);
  if (winner) return say(`score.short.${winner}`, { n: score.slice(1) });
  return signed((own ? 1 : -1) * Number(score) / 100, 2);
}

// The same in words.
export function whiteWords(score, side) {
  const winner = winnerOf(score, side);
  return winner ? say(`score.wins.${winner}`, { n: Number(score.slice(1)) }) : say('score.said', { score: whiteScore(score, side) });
}

// The side that wins by a proven score; null for other scores.
function winnerOf(score, side) {
  if (score[0] === 'w') return side;
  if (score[0] === 'l') return side === 'w' ? 'b' : 'w';
  return null;
}

// A score as a height from −1 (Black wins) to 1 (White wins); null if there is none.
export function scoreHeight(score, side) {
  if (!score) return null;
  const own = { w: 1, l: -1 }[score[0]] ?? stonesHeight(Number(score) / 100);
  return side === 'w' ? own : -own;
}

// The height of a lead in stones: nearly linear near zero, and never a proven win.
export function stonesHeight(stones) {
  return 0.96 * Math.tanh(stones / 6);
}
