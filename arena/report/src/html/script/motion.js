// Moves stones on a board, step by step.

import { pause, isStill } from './dom.js';

/** @import { Board } from './board.js' */
/** @import { Frame } from './position.js' */

// Plays the steps of a move on a board that shows the position before it; steps carry what they
// capture. `pace` is a factor of the duration, and the motion ends when `wanted()` is false. The
// caller then puts the final position. Returns whether it was finished.
/**
 * @param {Board} board
 * @param {Frame['steps']} steps
 * @param {Frame['side']} side
 * @param {{ pace?: number, wanted?: () => boolean }} [how]
 */
export async function animateMove(board, steps, side, { pace = 1, wanted = () => true } = {}) {
  if (isStill()) return true;
  for (const [index, step] of steps.entries()) {
    const stone = board.stoneAt(step.from);
    if (!stone) break;
    board.stones.append(stone);
    const doomed = step.captured.map((name) => board.doom(name));
    board.arrow(step, index);
    if (doomed.length > 0) await pause(160 * pace);
    if (!wanted()) return false;
    const [from, to] = [board.at(step.from), board.at(step.to)];
    const moved = await tween(260 * pace, wanted, (part) => {
      const [x, y] = [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * part);
      stone.setAttribute('transform', `translate(${x} ${y})`);
    });
    if (!moved) return false;
    stone.setAttribute('data-at', step.to);
    const gone = await tween(doomed.length > 0 ? 200 * pace : 0, wanted, (part) => {
      for (const captured of doomed) captured?.setAttribute('opacity', 1 - part);
    });
    if (!gone) return false;
    for (const captured of doomed) captured?.remove();
    for (const name of step.captured) board.trace(name, side === 'w' ? 'b' : 'w');
  }
  return true;
}

// Calls `draw` with values from 0 to 1 over a time in milliseconds; returns false if cancelled.
function tween(ms, wanted, draw) {
  return new Promise((done) => {
    let begin = null;
    const frame = (now) => {
      begin ??= now;
      if (!wanted()) {
        done(false);
        return;
      }
      const part = ms > 0 ? Math.min(1, (now - begin) / ms) : 1;
      draw(part * part * (3 - 2 * part));
      if (part < 1) requestAnimationFrame(frame);
      else done(true);
    };
    requestAnimationFrame(frame);
  });
}
