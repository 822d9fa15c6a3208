// The part of the analysis page that opens another position or game.

import { errorBox } from './api.js';
import { button, make, node } from './dom.js';
import { fenGame, fgnGames, startGame } from './analyse_open.js';
import { choiceList, field } from './fields.js';
import { boardTitle } from './board_words.js';
import { say } from './words.js';

export class AnalyseLoad {
  // `onGame(game)` opens one; `onEdit()` sets a position up on the board.
  constructor(boards, { onGame, onEdit }) {
    this.onGame = onGame;
    this.fen = make('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', class: 'text' });
    this.rules = make('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: say('analyse.usual-rules') });
    this.fgn = make('textarea', { rows: 5, spellcheck: 'false', class: 'text' });
    this.file = make('input', { type: 'file', accept: '.fgn,.txt,text/plain' });
    this.games = make('div');
    // What is wrong with an input stands where it was given, and covers nothing.
    this.trouble = make('div');
    const starts = boards.flatMap((board) => [[`${board.name} riatra`, boardTitle(board)], [`${board.name} vela`, `${boardTitle(board)}, vela`]]);
    const board = choiceList(starts, `${boards[0].name} riatra`);
    this.file.addEventListener('change', () => this.readFile());
    const set = make('button', { type: 'submit' }, say('analyse.set'));
    const fenForm = make('form', { class: 'line-form' }, field(say('analyse.fen'), this.fen), field(say('analyse.rules'), this.rules), set);
    fenForm.addEventListener('submit', (event) => {
      event.preventDefault();
      this.use(() => fenGame(this.fen.value.trim(), this.rules.value.trim()));
    });
    const startLine = make('div', { class: 'line-form' }, field(say('analyse.start'), board),
      button(say('analyse.set-up'), null, () => this.use(() => startGame(...board.value.split(' ')))),
      button(say('analyse.place'), null, onEdit));
    this.root = make('details', { class: 'load' }, node('summary', say('analyse.open')),
      this.trouble, startLine, fenForm,
      field('FGN', this.fgn),
      make('div', { class: 'line-form' }, button(say('analyse.open-text'), null, () => this.read(this.fgn.value)), field(say('analyse.or-file'), this.file)),
      this.games);
  }

  // Shows the FEN of the game that was opened.
  filled(game) {
    this.fen.value = game.start;
    this.rules.value = game.rules ?? '';
  }

  async use(action) {
    const game = await this.attempt(action);
    if (game) this.onGame(game);
  }

  // Runs an action; its error is shown in the panel. Returns its value or null.
  async attempt(action) {
    this.trouble.replaceChildren();
    try {
      return await action();
    } catch (error) {
      this.trouble.append(errorBox(error));
      this.trouble.scrollIntoView({ block: 'nearest' });
      return null;
    }
  }

  async readFile() {
    const [file] = this.file.files;
    if (file) this.read(await file.text());
  }

  // A text with one game opens it; with several, a list asks which one.
  async read(text) {
    const games = await this.attempt(() => fgnGames(text));
    if (!games) return;
    this.games.replaceChildren();
    if (games.length === 0) this.games.append(node('p', say('analyse.no-game'), 'soft'));
    else this.onGame(games[0]);
    if (games.length < 2) return;
    const pairs = games.map((game, index) => [String(index), `${index + 1}. ${game.white} – ${game.black} ${game.result}`]);
    this.games.append(field(say('analyse.game'), choiceList(pairs, '0', (index) => this.onGame(games[Number(index)]))));
  }
}
