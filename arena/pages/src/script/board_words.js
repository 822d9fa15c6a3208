// Boards and rules as forms need them at once.

import { say } from './words.js';

// The name of a board among those of `/api/boards`.
export function boardTitle({ named, left_right: isLeftRight, columns, rows }) {
  const size = `${columns}×${rows}`;
  if (isLeftRight) return say('board.left-right', { size });
  return named ? `${named} ${size}` : size;
}

// The switches that a text like `repetition=2 vela-must-offer` sets, by their words.
export function switchesOf(text) {
  const words = text.split(/\s+/).filter(Boolean);
  return Object.fromEntries(words.map((word) => (word.includes('=') ? word.split('=') : [word, 'on'])));
}
