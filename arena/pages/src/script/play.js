// The page to play against an engine: first the form, then the game. A reload goes on with the game.

import { attempt, getJson } from './api.js';
import { PlaySetup } from './play_setup.js';
import { lastGame, loadChoices, loadGame, saveGame } from './play_store.js';
import { switchesOf } from './board_words.js';

// Loads what a game needs while the user looks at the page, where no server has it.
export async function prepare() {
  const { prepareEngine } = await import('./engines.js');
  await prepareEngine();
}

export async function start(app) {
  const [boards, switches, engines, ladder] = await Promise.all(['/api/boards', '/api/rule-switches', '/api/engines', '/api/levels'].map((path) => getJson(path)));
  const has = (name) => engines.some((engine) => engine.name === name);
  // A level whose engine is not here cannot be chosen.
  const levels = ladder.filter((level) => has(level.engine));
  const lists = { boards, switches, engines, levels };
  // A position that the address names begins the next game.
  const words = new URLSearchParams(location.hash.slice(1));
  let fen = words.get('fen');
  // `waiting` is a game of another visit that goes on if the user likes.
  const setUp = (waiting) => {
    const choices = fen ? { ...loadChoices(), switches: switchesOf(words.get('rules') ?? '') } : loadChoices();
    new PlaySetup(app, lists, choices, {
      fen,
      waiting,
      onStart: (setup) => play(fen ? fromPosition(setup) : { setup }),
      onResume: play,
    });
  };
  const fromPosition = (setup) => {
    const start = fen;
    fen = null;
    history.replaceState(null, '', location.pathname);
    return { setup, start, kind: setup.kind };
  };
  const again = () => {
    saveGame(null);
    setUp(null);
  };
  // The form is there before the script of the game, and may be sent but once until then.
  let isSent = false;
  const play = async (saved) => {
    if (isSent) return;
    isSent = true;
    await attempt(async () => {
      const { PlayGame } = await import('./play_game.js');
      new PlayGame(app, lists, saved, again).begin();
    });
    isSent = false;
  };
  const [saved, last] = [loadGame(), lastGame()].map((game) => (game && has(game.setup?.engine) ? game : null));
  if (saved && !fen) play(saved);
  else setUp(fen ? null : last);
}
