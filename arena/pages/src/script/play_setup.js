// The form that begins a game against an engine.

import { attempt } from './api.js';
import { Board } from './board.js';
import { boardTitle } from './board_words.js';
import { begun } from './begun.js';
import { button, make, node, svg } from './dom.js';
import { choiceList, choiceRow, field, numberField } from './fields.js';
import { levelList, levelName, strengthWords } from './play_levels.js';
import { loadResults, saveChoices } from './play_store.js';
import { positionOf, signed } from './position.js';
import { say, sayParts } from './words.js';

const KINDS = ['riatra', 'vela', 'session'].map((kind) => [kind, say(`kind.${kind}`)]);
const HOW = [1, 2, 3, 4].map((number) => say(`play.how.${number}`));
const STANDARD = {
  // Without an engine the user plays against a level.
  board: 'tsivy', kind: 'riatra', switches: {}, engine: '', level: 3, skill: null,
  clock: 'none', perMove: 10, minutes: 5, increment: 3, other: false, engineMinutes: 5, engineIncrement: 3, colour: 'w',
};

// The first position on a board, as FEN. Every kind of game begins with the same stones.
export function startOf(boards, name) {
  return boards.find((board) => board.name === name).start;
}

export class PlaySetup {
  // The words of the rules, which come after the form.
  /** @type {typeof import('./play_rules.js') | undefined} */
  fieldsOfRules;

  // `lists` holds boards, switches, engines and levels as the server gave them; `fen` is the position
  // to begin with, or null; `onStart` gets the choices. `waiting` is a game of another visit, or null;
  // `onResume` gets it.
  constructor(app, lists, choices, { fen, waiting, onStart, onResume }) {
    this.app = app;
    this.lists = lists;
    this.position = fen === null ? null : positionOf(fen);
    this.onStart = onStart;
    this.choices = { ...STANDARD, ...choices, switches: { ...choices?.switches } };
    const names = lists.engines.map((engine) => engine.name);
    if (!names.includes(this.choices.engine)) this.choices.engine = lists.levels.length > 0 ? '' : names[0] ?? '';
    const known = lists.levels.some((level) => level.level === this.choices.level);
    if (!known) this.choices.level = lists.levels[0]?.level ?? null;
    if (!lists.boards.some((board) => board.name === this.choices.board)) this.choices.board = lists.boards[0].name;
    this.loading = attempt(async () => {
      this.fieldsOfRules = await import('./play_rules.js');
    });
    this.form = make('form', { class: 'setup', 'aria-label': say('play.new') });
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.start();
    });
    this.drawing = svg('svg', {});
    this.board = new Board(this.drawing);
    const how = make('details', { class: 'how' }, node('summary', say('play.how')), make('ul', {}, ...HOW.map((text) => node('li', text))));
    const preview = make('div', { class: 'setup-board' }, this.drawing, how);
    const title = node('h1', say('play.against'));
    const resume = waiting ? this.resume(waiting, onResume) : null;
    app.replaceChildren(make('div', { class: 'setup-page' }, title, resume, preview, this.form));
    this.draw();
    this.preview();
    begun(app);
  }

  // A game that another visit did not finish.
  resume(game, onResume) {
    const level = this.lists.levels.find((one) => one.level === game.setup.level);
    const opponent = node('bdi', level ? levelName(level) : game.setup.engine);
    const words = make('p', {}, ...sayParts('play.resume', { opponent, n: Math.ceil(game.moves.length / 2) }));
    return make('div', { class: 'card resume' }, words, button(say('play.resume.go'), null, () => onResume(game), 'primary'));
  }

  get engine() {
    return this.lists.engines.find((engine) => engine.name === this.choices.engine);
  }

  // The switches that differ from their defaults, as the server reads them.
  get rules() {
    const words = [];
    for (const { word, default: usual } of this.lists.switches) {
      const value = this.choices.switches[word] ?? usual;
      if (value !== usual) words.push(value === 'on' ? word : `${word}=${value}`);
    }
    return words.join(' ');
  }

  // A position says itself which kind of game goes on with it.
  get kind() {
    if (!this.position) return this.choices.kind;
    return this.position.debtor === '-' ? 'riatra' : 'vela';
  }

  set(key, value) {
    this.choices[key] = value;
    if (['kind', 'engine', 'clock', 'other'].includes(key)) this.draw();
    if (['board', 'colour'].includes(key)) this.preview();
  }

  draw() {
    const { choices, lists } = this;
    const focus = /** @type {HTMLInputElement | null} */ (document.activeElement)?.value;
    const boards = lists.boards.map((board) => [board.name, boardTitle(board)]);
    const levels = lists.levels.length > 0 ? [['', say('level.people')]] : [];
    const engines = [...levels, ...lists.engines.map((engine) => [engine.name, engine.name])];
    this.form.replaceChildren(
      ...this.position ? [node('p', say(`play.from.${this.position.side}`))] : [
        choiceRow(say('play.game'), KINDS, choices.kind, (value) => this.set('kind', value)),
        node('p', say(`play.about.${choices.kind}`), 'soft about'),
        field(say('play.board'), choiceList(boards, choices.board, (value) => this.set('board', value))),
      ],
      field(say('play.opponent'), choiceList(engines, choices.engine, (value) => this.set('engine', value))),
      ...choices.engine === '' ? this.ladder() : this.skill(),
      choiceRow(say('play.side'), this.sides(), choices.colour, (value) => this.set('colour', value)),
      choiceRow(say('play.clock'), ['none', 'move', 'game'].map((clock) => [clock, say(`play.clock.${clock}`)]), choices.clock, (value) => this.set('clock', value)),
      ...this.times(),
      this.switches(),
      make('button', { type: 'submit', class: 'primary large', disabled: lists.engines.length === 0 }, say('page.play')));
    // Drawing again keeps the focus on the choice that was made.
    if (focus) [...this.form.querySelectorAll('input[type=radio], select')].find((one) => one.value === focus)?.focus();
  }

  sides() {
    const { kind, position, choices: { switches } } = this;
    if (kind === 'session') return [['w', say('play.first.w')], ['b', say('play.first.b')], ['random', say('play.random')]];
    if (kind === 'riatra') return [['w', say('side.w')], ['b', say('side.b')], ['random', say('play.random')]];
    const debtorIsWhite = position ? position.debtor === 'w' : (switches['vela-starter'] ?? 'debtor') === 'debtor';
    const roles = debtorIsWhite ? ['debtor', 'creditor'] : ['creditor', 'debtor'];
    return [['w', say(`play.role.w.${roles[0]}`)], ['b', say(`play.role.b.${roles[1]}`)], ['random', say('play.random')]];
  }

  ladder() {
    const { levels } = this.lists;
    const results = loadResults();
    const words = strengthWords(results, levels);
    return [levelList(levels, this.choices.level, results, (level) => this.set('level', level)), node('p', words, 'soft strength')];
  }

  skill() {
    const levels = this.engine?.skill;
    if (!levels || levels.length === 0) return [];
    const top = levels.length - 1;
    const index = Math.min(top, Math.max(0, levels.findIndex((level) => level.level === this.choices.skill)));
    const start = this.choices.skill === null ? Math.round(top / 3) : index;
    const about = node('span', '', 'soft');
    const slider = make('input', { type: 'range', min: 0, max: top, value: start });
    const tell = () => {
      const level = levels[Number(slider.value)];
      this.choices.skill = level.level;
      const range = level.low === null || level.low === undefined ? '' : ` (${say('play.range', { low: signed(level.low), high: signed(level.high) })})`;
      const elo = level.elo === null || level.elo === undefined ? '' : `, ${say('play.elo', { elo: signed(level.elo) })}${range}`;
      about.textContent = `${say('play.level', { level: level.level })}${elo}`;
      slider.setAttribute('aria-valuetext', about.textContent);
    };
    slider.addEventListener('input', tell);
    tell();
    return [field(say('play.strength'), slider, about)];
  }

  times() {
    const { choices } = this;
    if (choices.clock === 'move') {
      return [make('div', { class: 'pair' }, field(say('play.per-move'), numberField(choices.perMove, 1, 600, (value) => this.set('perMove', value))))];
    }
    if (choices.clock !== 'game') return [];
    const pair = (words, minutes, increment) => make('div', { class: 'pair' },
      field(say(words), numberField(choices[minutes], 0.5, 180, (value) => this.set(minutes, value), 0.5)),
      field(say('play.increment'), numberField(choices[increment], 0, 60, (value) => this.set(increment, value))));
    const other = make('input', { type: 'checkbox', checked: choices.other });
    other.addEventListener('change', () => this.set('other', other.checked));
    const box = make('label', { class: 'tick' }, other, ` ${say('play.clock.other')}`);
    return [pair(choices.other ? 'play.minutes.you' : 'play.minutes', 'minutes', 'increment'), box, ...choices.other ? [pair('play.minutes.engine', 'engineMinutes', 'engineIncrement')] : []];
  }

  switches() {
    const box = make('details', { open: this.open }, node('summary', say('play.rules')));
    box.addEventListener('toggle', () => {
      this.open = box.open;
    });
    const { lists, choices } = this;
    const fill = (rules) => box.append(...rules.switchFields(lists.switches, choices.switches, (word) => word === 'vela-starter' && this.draw()));
    if (this.fieldsOfRules) fill(this.fieldsOfRules);
    else this.loading.then(() => this.fieldsOfRules && fill(this.fieldsOfRules));
    return box;
  }

  // The stones with which the game begins, from the chosen side.
  preview() {
    const { columns, rows, stones } = this.position ?? positionOf(startOf(this.lists.boards, this.choices.board));
    this.board.flipped = this.choices.colour === 'b';
    this.board.draw(columns, rows);
    this.board.put(stones);
    this.board.describe(say('play.start'));
  }

  start() {
    saveChoices(this.choices);
    const { board, clock, perMove, minutes, increment, other, engineMinutes, engineIncrement, colour } = this.choices;
    const clocks = {
      none: { type: 'none' },
      move: { type: 'move', seconds: perMove },
      game: { type: 'game', seconds: minutes * 60, increment, ...other ? { engine: { seconds: engineMinutes * 60, increment: engineIncrement } } : {} },
    };
    const human = colour === 'random' ? 'wb'[Math.floor(2 * Math.random())] : colour;
    this.onStart({ board, kind: this.kind, rules: this.rules, ...this.opponent(), clock: clocks[clock], human });
  }

  // The engine to play against, its option `Skill`, and the level that the two make.
  opponent() {
    const { engine, skill, level } = this.choices;
    if (engine !== '') return { engine, skill: this.engine?.skill ? skill : null, level: null };
    const chosen = this.lists.levels.find((one) => one.level === level);
    return { engine: chosen.engine, skill: chosen.skill, level };
  }
}
