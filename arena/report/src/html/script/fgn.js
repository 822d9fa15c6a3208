// A game as FGN, as the arena writes it to `games.fgn`, and its positions as FEN.

import { fieldsOf, placementOf } from './position.js';

// The maximal length of a line of moves in characters; a longer word gets a line of its own.
const WIDTH = 80;

// The text of a game with the fields that `framesOf` reads, its `result`, and its `tags` as lines.
export function fgnOf(game) {
  return `${game.tags}\n${wrapped(words(game))}\n\n`;
}

// Move numbers, moves, comments and the result. A comment is one word, so that it is not wrapped.
function words(game) {
  let { side, number } = counters(game.start);
  const all = [];
  game.moves.forEach((move, index) => {
    if (side === 'w') all.push(`${number}. ${move}`);
    else all.push(index === 0 ? `${number}... ${move}` : move);
    const own = index - (game.book || 0);
    const time = own < 0 ? '' : game.times[own] ?? '';
    if (time !== '') {
      const score = longScore(game.scores[own]);
      all.push(`{${time}ms${score && ` ${score}`}}`);
    }
    if (side === 'b') number += 1;
    side = side === 'w' ? 'b' : 'w';
  });
  all.push(game.result);
  return all;
}

// The score as engines report it.
function longScore(score) {
  if (!score) return '';
  const word = { w: 'win', l: 'loss' }[score[0]];
  return word ? `${word} ${score.slice(1)}` : `cp ${score}`;
}

function wrapped(all) {
  const lines = [];
  let line = '';
  for (const word of all) {
    if (line && [...line].length + 1 + [...word].length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line ? ` ${word}` : word;
  }
  return [...lines, line].join('\n');
}

// The fields of a FEN after the stones, as values.
function counters(fen) {
  const [, side = 'w', debtor = '-', quiet = '0', number = '1'] = fieldsOf(fen);
  return { side, debtor, quiet: Number(quiet), number: Number(number) };
}

// The position after a number of plies as FEN. `frames` are those of `framesOf`.
export function fenAt({ columns, rows }, frames, ply, start) {
  const { debtor, side: first, quiet: before, number: from } = counters(start);
  let quiet = before;
  for (const { steps } of frames.slice(1, ply + 1)) quiet = steps.some((step) => step.captured.length > 0) ? 0 : quiet + 1;
  const side = (ply % 2 === 0) === (first === 'w') ? 'w' : 'b';
  const number = from + Math.floor((ply + (first === 'b' ? 1 : 0)) / 2);
  return `${placementOf(columns, rows, frames[ply].stones)} ${side} ${debtor} ${quiet} ${number}`;
}
