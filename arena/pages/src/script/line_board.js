// What an engine expects, as a small second board: the position at the end of its line, and the line.

import { make, node, svg } from './dom.js';
import { nextFrame, stepsOf, whiteScore } from './position.js';
import { Board } from './board.js';
import { shortNumber } from './format.js';
import { say } from './words.js';

// A line is followed at most so far: further moves are guesses.
const MOST = 8;

export class LineBoard {
  constructor(side) {
    this.side = side;
    this.drawing = svg('svg', { class: 'board', 'aria-hidden': 'true' });
    this.board = new Board(this.drawing, { small: true });
    this.score = node('b', '–', 'score');
    this.stats = node('span', say('line.none'), 'soft');
    this.text = node('p', '', 'text');
    this.root = make('figure', { class: 'line-board' },
      make('figcaption', {}, make('span', { class: `chip ${side}`, role: 'img', 'aria-label': say(`line.of.${side}`) }), this.score, this.stats),
      this.drawing, this.text);
    this.key = '';
  }

  // Shows the last line of the side's engine in a game.
  show(game) {
    const info = game.info[this.side];
    this.score.textContent = info?.score ? whiteScore(info.score, this.side) : '–';
    this.stats.textContent = info ? statsOf(info).join(' · ') : say('line.none');
    const line = lineFrom(game, this.side, info?.pv ?? []);
    const key = `${game.id} ${game.frames.length} ${line.join(' ')}`;
    if (key === this.key) return;
    this.key = key;
    if (this.board.columns !== game.start.columns || this.board.rows !== game.start.rows) this.board.draw(game.start.columns, game.start.rows);
    const end = frameAfter(game, line);
    this.board.put(end.stones);
    if (line.length > 0) this.board.showMove(end.steps, end.side);
    this.text.textContent = line.join(' ');
    this.text.title = line.join(' ');
    this.root.classList.toggle('none', line.length === 0);
  }
}

// The moves of an engine's line that are still to be played. The engine that has just moved reported
// them before its move; a line that the game has left is none.
export function lineFrom(game, side, pv) {
  if (game.toMove === side) return pv.slice(0, MOST);
  const last = game.frames[game.frames.length - 1];
  return last.side === side && pv[0] === last.text ? pv.slice(1, MOST + 1) : [];
}

// The position at the end of a line, as far as its moves are possible: engines may print anything.
export function frameAfter(game, line) {
  let frame = game.frames[game.frames.length - 1];
  let side = frame.side ? other(frame.side) : game.start.side;
  // A vela in its first phase stays there for the few moves of a line.
  const single = game.start.debtor !== '-' && game.single === frame.ply ? Infinity : game.single;
  for (const text of line) {
    const steps = stepsOf(text);
    const isPossible = steps.length > 0 && frame.stones.get(steps[0].from) === side && steps.every((step) => step.to === steps[0].from || !frame.stones.has(step.to));
    if (!isPossible) break;
    frame = nextFrame(frame, text, side, { single });
    side = other(side);
  }
  return frame;
}

function statsOf({ depth, nodes, nps }) {
  const count = (key, number) => (number ? say(key, { count: shortNumber(number) }) : '');
  return [depth ? say('line.depth', { n: depth }) : '', count('line.nodes', nodes), count('line.speed', nps)].filter(Boolean);
}

function other(side) {
  return side === 'w' ? 'b' : 'w';
}
