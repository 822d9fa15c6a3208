// The page to play against an engine: first the form, then the game. A reload goes on with the game.

import { getJson } from './api.js';
import { PlayGame } from './play_game.js';
import { PlaySetup } from './play_setup.js';
import { loadChoices, loadGame, saveGame } from './play_store.js';
import { BOARD_KEYS } from './walk.js';
import { say } from './words.js';

export async function start(app) {
  const [boards, switches, engines] = await Promise.all(['/api/boards', '/api/rule-switches', '/api/engines'].map((path) => getJson(path)));
  const lists = { boards, switches, engines };
  const setUp = () => {
    saveGame(null);
    new PlaySetup(app, lists, loadChoices(), (setup) => play({ setup }));
  };
  const play = (saved) => new PlayGame(app, lists, saved, setUp).begin();
  const saved = loadGame();
  if (saved && engines.some((engine) => engine.name === saved.setup?.engine)) play(saved);
  else setUp();
  return [...BOARD_KEYS, ['u', say('play.take-back.key')], ['h', say('play.hint')]];
}
