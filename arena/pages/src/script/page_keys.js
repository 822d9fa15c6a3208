// The keys of every page, for the list of keys. This is loaded after the words.

import { say } from './words.js';

// Those of every page with a game, with their effects.
/** @type {[string, string][]} */
const BOARD = [
  ['← →', say('keys.move')],
  ['Home End', say('keys.ends')],
  ['f', say('walk.flip')],
  ['Tab', say('keys.board')],
  ['Enter', say('keys.step')],
  ['A W', say('keys.way')],
  ['Backspace Esc', say('keys.undo')],
];

/** @type {Record<string, [string, string][]>} */
export const PAGE_KEYS = {
  analyse: [...BOARD, ['e', say('analyse.engine-key')], ['Space', say('analyse.best-key')]],
  explorer: BOARD,
  learn: [...BOARD, ['h', say('learn.help')], ['n', say('learn.next')]],
  play: [...BOARD, ['u', say('play.take-back.key')], ['h', say('play.hint')]],
  puzzles: [...BOARD, ['h', say('play.hint')], ['n', say('puzzles.next')]],
  tournament: [
    ['← →', say('tournament.keys.move')], ['Home End', say('tournament.keys.ends')],
    ['Space', say('tournament.keys.play')], ['f', say('walk.flip')],
  ],
};
