// The page to play against an engine: first the form, then the game. A reload goes on with the game.

import { attempt, getJson, postJson, showError } from './api.js';
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
  const usable = (game) => (game && has(game.setup?.engine) ? game : null);
  // A level whose engine is not here cannot be chosen.
  const levels = ladder.filter((level) => has(level.engine));
  const lists = { boards, switches, engines, levels };
  // `waiting` is a game that goes on if the user likes, `from` a position that the next game begins with.
  /**
   * @param {any} waiting
   * @param {{ fen: string, rules: string } | null} [from]
   */
  const setUp = (waiting, from = null) => {
    const choices = from ? { ...loadChoices(), switches: switchesOf(from.rules) } : loadChoices();
    new PlaySetup(app, lists, choices, {
      fen: from && from.fen,
      waiting,
      onStart: (setup) => play(from ? { setup, start: from.fen, kind: setup.kind } : { setup }),
      onResume: play,
    });
  };
  const [kept, last] = [() => usable(loadGame()), () => usable(lastGame())];
  // A game in progress, of this tab or of another visit.
  const inProgress = () => {
    const game = kept();
    return game && !game.over ? game : last();
  };
  const again = (keeps) => {
    if (!keeps) saveGame(null);
    setUp(keeps ? inProgress() : null);
  };
  // The form is there before the script of the game, and may be sent but once until then.
  let isSent = false;
  const play = async (saved) => {
    if (isSent) return;
    isSent = true;
    // A reload goes on with this game.
    history.replaceState(null, '', location.pathname);
    await attempt(async () => {
      const { PlayGame } = await import('./play_game.js');
      new PlayGame(app, lists, saved, again).begin();
    });
    isSent = false;
  };
  const words = new URLSearchParams(location.hash.slice(1));
  if (!words.has('fen')) {
    const game = kept();
    if (game) play(game);
    else setUp(last());
    return;
  }
  try {
    setUp(inProgress(), await positionFrom(words));
  } catch (error) {
    setUp(inProgress());
    showError(error);
  }
}

// The position that an address names, as the server reads it: a wrong one gives its error before anything
// is shown.
async function positionFrom(words) {
  const rules = words.get('rules') ?? '';
  const { start } = await postJson('/api/rules', { start: { fen: words.get('fen') }, rules, moves: [] });
  return { fen: start, rules };
}
