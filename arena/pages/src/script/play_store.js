// What the play page keeps: the game of this tab, so that a reload goes on with it; the last game of
// any tab, for the next visit; the choices of the last game; and the results against each level.

import { ALWAYS, read, TAB, write } from './local.js';

export const loadGame = () => read(TAB, 'play');

export function saveGame(game) {
  write(TAB, 'play', game);
  // Only a game in progress is worth coming back to.
  write(ALWAYS, 'play-last', game?.over || !game?.moves.length ? null : game);
}

// The game that another visit did not finish.
export const lastGame = () => read(ALWAYS, 'play-last');
export const loadChoices = () => read(ALWAYS, 'play-choices');
export const saveChoices = (choices) => write(ALWAYS, 'play-choices', choices);
export const loadResults = () => read(ALWAYS, 'play-results');
export const saveResults = (results) => write(ALWAYS, 'play-results', results);
