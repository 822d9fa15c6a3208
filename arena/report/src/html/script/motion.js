// Moves stones on a board, step by step.

import { pause, isStill } from './dom.js';
import { sound } from './sound.js';

/** @import { Board } from './board.js' */
/** @import { Frame } from './position.js' */

// When the next captured stone begins to fade, as a part of the time that one takes.
const STAGGER = 0.4;

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
  if (isStill()) {
    if (steps.length > 0) sound(steps.some((step) => step.captured.length > 0) ? 'capture' : 'move');
    return true;
  }
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
    sound(doomed.length > 0 ? 'capture' : 'move');
    const fading = doomed.length > 0 ? 1 + (doomed.length - 1) * STAGGER : 0;
    const gone = await tween(200 * pace * fading, wanted, (part) => {
      // One after another, the nearest to the stone that takes them first.
      for (const [order, captured] of doomed.entries()) {
        captured?.setAttribute('opacity', Math.min(1, Math.max(0, 1 - (part * fading - order * STAGGER))));
      }
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
