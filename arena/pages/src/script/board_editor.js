// Sets up a position on the board: stones by a press, the side to move, the vela, the rules, and the
// size. The server says whether it can be played, and why not.

import { postJson } from './api.js';
import { button, make, node } from './dom.js';
import { choiceList, choiceRow, field } from './fields.js';
import { placementOf, positionOf } from './position.js';
import { isReport, playLink } from './place.js';
import { boardTitle, switchesOf } from './board_words.js';
import { ruleText, ruleTitle, ruleValue, sayOver } from './rule_words.js';
import { say } from './words.js';


export class BoardEditor {
  // `onUse(game)` opens the position, `onClose()` hears that it was not wanted.
  constructor(desk, { boards, switches }, { onUse, onClose }) {
    this.desk = desk;
    this.boards = boards;
    this.switches = switches;
    this.onUse = onUse;
    this.onClose = onClose;
    // The position as it is set up, without rules of its own.
    this.columns = 0;
    this.rows = 0;
    this.stones = new Map();
    this.side = 'w';
    this.debtor = '-';
    /** @type {Map<string, string>} */
    this.rules = new Map();
    this.active = false;
    this.run = 0;
    this.stone = 'w';
    this.said = make('div', { role: 'status', class: 'legality' });
    this.use = button(say('editor.use'), null, () => this.finish(), 'primary');
    this.play = make('a', { class: 'button' }, say('editor.play'));
    this.root = make('section', { class: 'card editor', 'aria-label': say('editor.title'), hidden: true });
  }

  begin(fen, rules) {
    this.active = true;
    this.rules = new Map(Object.entries(switchesOf(rules)));
    this.load(fen);
    this.desk.input.lend((name) => this.press(name));
    this.draw();
    this.changed();
  }

  load(fen) {
    const { columns, rows, stones, side, debtor } = positionOf(fen);
    Object.assign(this, { columns, rows, stones, side, debtor });
    this.desk.size(fen);
  }

  close() {
    if (!this.active) return;
    this.active = false;
    this.desk.input.lend(null);
    this.onClose();
  }

  // A press puts the chosen stone, or takes it away where it is already.
  press(name) {
    if (this.stone === '' || this.stones.get(name) === this.stone) this.stones.delete(name);
    else this.stones.set(name, this.stone);
    this.changed();
  }

  get fen() {
    const { columns, rows, stones, side, debtor } = this;
    return `${placementOf(columns, rows, stones)} ${side} ${debtor} 0 1`;
  }

  // The rule switches that differ from the usual rules.
  get words() {
    const words = [];
    for (const { word, default: usual } of this.switches) {
      const value = this.rules.get(word) ?? usual;
      if (value !== usual) words.push(value === 'on' ? word : `${word}=${value}`);
    }
    return words.join(' ');
  }

  draw() {
    const set = (key) => (value) => {
      this[key] = value;
      this.changed();
    };
    const stones = [['w', say('editor.stone.w')], ['b', say('editor.stone.b')], ['', say('editor.stone.none')]];
    const debtors = [['-', say('editor.vela.none')], ['w', say('editor.vela.w')], ['b', say('editor.vela.b')]];
    const sizes = new Map(this.boards.map(({ columns, rows }) => [`${columns}x${rows}`, `${columns}×${rows}`]));
    const size = choiceList([...sizes], `${this.columns}x${this.rows}`, (value) => this.resize(value));
    const starts = this.boards.flatMap((board) => [[`${board.name} riatra`, boardTitle(board)], [`${board.name} vela`, say('editor.vela.of', { board: boardTitle(board) })]]);
    const start = choiceList([['', say('editor.start.choose')], ...starts], '', (value) => value && this.fromStart(value));
    const rules = this.switches.map(({ word, values, default: usual }) => field(ruleTitle(word), choiceList(values.map((value) => [value, ruleValue(value)]), this.rules.get(word) ?? usual, (value) => {
      this.rules.set(word, value);
      this.changed();
    }), node('small', ruleText(word))));
    this.root.replaceChildren(
      node('h2', say('editor.title')),
      choiceRow(say('editor.press'), stones, this.stone, (value) => { this.stone = value; }),
      choiceRow(say('editor.mover'), stones.slice(0, 2), this.side, set('side')),
      make('div', { class: 'pair' }, field(say('editor.vela'), choiceList(debtors, this.debtor, set('debtor'))), field(say('editor.board'), size)),
      field(say('editor.start'), start),
      make('details', {}, node('summary', say('editor.rules')), make('div', { class: 'editor-rules' }, ...rules)),
      this.said,
      make('div', { class: 'controls' }, this.use, this.play, button(say('editor.empty'), null, () => this.empty()), button(say('editor.cancel'), null, () => this.close())));
  }

  resize(value) {
    const [columns, rows] = value.split('x').map(Number);
    Object.assign(this, { columns, rows });
    const inside = (name) => name.charCodeAt(0) - 97 < columns && name.charCodeAt(1) - 49 < rows;
    this.stones = new Map([...this.stones].filter(([name]) => inside(name)));
    this.desk.size(this.fen);
    this.desk.input.points.enable(true);
    this.changed();
  }

  async fromStart(value) {
    const [board, kind] = value.split(' ');
    const { start } = await postJson('/api/rules', { start: { board, kind }, rules: this.words, moves: [] });
    this.load(start);
    this.draw();
    this.changed();
  }

  empty() {
    this.stones.clear();
    this.changed();
  }

  // Shows the stones, and what the rules say of them.
  async changed() {
    this.run += 1;
    const { run, desk, fen } = this;
    desk.show({ stones: this.stones, steps: [], side: this.side });
    desk.board.hints([]);
    desk.input.stones = this.stones;
    desk.input.points.refresh();
    let words;
    let wrong = null;
    let state = null;
    try {
      state = await postJson('/api/rules', { start: { fen }, rules: this.words, moves: [] });
      words = wordsOf(state);
    } catch (error) {
      wrong = /** @type {Error} */ (error).message;
    }
    if (run !== this.run || !this.active) return;
    this.use.disabled = wrong !== null;
    this.play.hidden = isReport() || state === null || state.over !== null;
    this.play.href = playLink(fen, this.words);
    const text = wrong === null ? words : wrong;
    this.said.replaceChildren(node('p', text, wrong === null ? 'right' : 'wrong'), node('p', fen, 'fen-text'));
  }

  finish() {
    const { fen, words } = this;
    this.onUse({ start: fen, rules: words, moves: [], ply: 0, scores: [], times: [] });
  }
}

// What the rules say of a position that can be played.
function wordsOf({ over, legal, phase, owed, side }) {
  const words = [];
  if (phase === 1) words.push(say('editor.owed', { n: owed }));
  if (phase === 2) words.push(say('editor.phase-two'));
  const captures = legal.some(({ steps }) => steps[0].captured.length > 0);
  words.push(over ? sayOver(over) : say(captures ? `editor.captures.${side}` : `editor.moves.${side}`, { n: legal.length }));
  return words.join(' ');
}
