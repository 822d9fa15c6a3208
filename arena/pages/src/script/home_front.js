// The head of the first page: what the game is, a board that plays one, and the ways in.

import { Board } from './board.js';
import { isStill, make, node, pause, svg } from './dom.js';
import { pageAddress } from './place.js';
import { framesOf } from './position.js';
import { whenSeen } from './seen.js';
import SOLVED from './solved_lines.json' with { type: 'json' };
import { say } from './words.js';

// A game in which both sides keep the draw, by the proofs.
const GAME = { start: SOLVED.start, moves: SOLVED.lines.f2e3A.split(' ') };

// The time between two moves, and the one at the end. Who wants no motion sees one position.
const MOVE_MS = 1400;
const END_MS = 5000;
const STILL_PLY = 8;

// The head; `watched` is the address of the tournament that runs, or null.
export function front(watched) {
  const drawing = svg('svg', { 'aria-hidden': 'true' });
  const watch = make('a', { class: 'button large', href: watched ?? '#tournaments' }, say('home.watch'));
  const ways = make('div', { class: 'ways' },
    make('a', { class: 'button primary large', href: pageAddress('play') }, say('page.play')),
    make('a', { class: 'button large', href: pageAddress('learn') }, say('page.learn')),
    make('a', { class: 'button large', href: `${pageAddress('puzzles')}#day` }, say('home.puzzle')),
    watch);
  const root = make('section', { class: 'front' },
    make('div', { class: 'front-words' }, node('h1', say('home.title')), node('p', say('home.what')), ways),
    make('a', { class: 'front-board', href: pageAddress('play'), 'aria-label': say('home.board') }, drawing));
  play(new Board(drawing, { small: true, flat: false }), root);
  return { root, watch };
}

// Plays the game again and again while the page is seen.
async function play(board, root) {
  const { start, frames } = framesOf(GAME);
  board.draw(start.columns, start.rows);
  const show = (frame) => {
    board.put(frame.stones);
    board.showMove(frame.steps, frame.side);
  };
  show(frames[isStill() ? STILL_PLY : 0]);
  while (!isStill()) {
    for (const [index, frame] of frames.entries()) {
      await pause(MOVE_MS);
      await /** @type {Promise<void>} */ (new Promise((resolve) => whenSeen(resolve)));
      if (!root.isConnected) return;
      if (index > 0) {
        board.put(frames[index - 1].stones);
        const { animateMove } = await import('./motion.js');
        await animateMove(board, frame.steps, frame.side, {});
      }
      show(frame);
    }
    await pause(END_MS);
  }
}
