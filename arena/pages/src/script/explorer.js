// The opening explorer: the moves that engines played in a position, with their results.

import { attempt, getJson, postJson } from './api.js';
import { Desk, framesOfPlayed } from './desk.js';
import { make, node } from './dom.js';
import { moveButton } from './move_words.js';
import { analysisLink, isFiles } from './place.js';
import { countStones } from './position.js';
import { fillStrip } from './strip.js';
import { onTabs, tabs } from './tabs.js';
import { say } from './words.js';
import { walkButtons, walkKeys } from './walk.js';

const TABS = ['played', 'games', 'filter'].map((tab) => [tab, say(`explorer.tab.${tab}`)]);

export async function start(app) {
  const page = new ExplorerPage(app);
  page.begin(await getJson('/api/boards'));
}

/** @import { PlayedFrame } from './desk.js' */

class ExplorerPage {
  // The position shown.
  /** @type {PlayedFrame} */
  frame;
  // Which games count, and what draws an answer. They are there before the first one.
  /** @type {import('./explorer_filter.js').ExplorerFilter} */
  filter;
  /** @type {typeof import('./explorer_table.js')} */
  tables;

  constructor(app) {
    // Without a start of its own the page begins with the usual one.
    this.start = null;
    this.moves = [];
    this.ply = 0;
    this.run = 0;
    this.answer = null;
    this.desk = new Desk(app, say('explorer.title'), { onMove: (move) => this.play(move.text, false) });
    this.path = make('div', { class: 'moves-of-line path', 'aria-label': say('explorer.path') });
    this.status = make('p', { class: 'soft', role: 'status' });
    this.proven = make('p', { class: 'proven' });
    this.chosen = make('p', { class: 'soft' });
    this.table = make('div', { class: 'scroll table-box' });
    this.choice = make('div');
    this.samples = make('section', { 'aria-label': say('explorer.newest') });
    const parts = { played: [this.proven, this.chosen, this.table, this.status], games: [this.samples], filter: [this.choice] };
    const links = TABS.map(([name, text]) => make('li', {}, make('a', { href: `#tab-${name}` }, text)));
    const panels = TABS.map(([name]) => make('div', { id: `tab-${name}`, class: 'tab-part' }, ...parts[name]));
    const walk = { go: (by) => this.goTo(this.ply + by, by === 1), flip: () => this.flip() };
    this.desk.side.replaceChildren(this.path, make('div', { class: 'tabs' }, make('ul', { class: 'tab-list', 'aria-label': say('page.explorer') }, ...links), ...panels), walkButtons(walk));
    tabs(this.desk.side);
    onTabs(this.desk.side);
    walkKeys(walk);
  }

  // Shows the stones at the start, and then what the address names.
  async begin(boards) {
    if (!location.hash) this.desk.start(boards[0]);
    const asked = attempt(() => getJson('/api/library'));
    const own = isFiles() ? attempt(() => getJson('/api/explorer/own')) : null;
    const [library, games, { ExplorerFilter }, tables] = await Promise.all([asked, own, import('./explorer_filter.js'), import('./explorer_table.js')]);
    const tournaments = library?.tournaments ?? [];
    if (games) tournaments.push({ ...games, title: say('explorer.own') });
    this.tables = tables;
    this.filter = new ExplorerFilter(boards, tournaments, {
      onStart: (board, kind) => this.setStart(board, kind),
      onChange: () => this.show(),
    });
    this.choice.replaceChildren(this.filter.root);
    // A move may have been made before.
    await (this.ply > 0 ? this.show() : this.openAddress());
    window.addEventListener('hashchange', () => this.openAddress());
  }

  async openAddress() {
    if (location.hash === this.written) return;
    const words = new URLSearchParams(location.hash.slice(1));
    this.moves = (words.get('moves') ?? '').split(/[ ,]+/).filter(Boolean);
    this.ply = this.moves.length;
    this.start = words.get('fen');
    await this.show();
  }

  async setStart(board, kind) {
    const state = await attempt(() => postJson('/api/rules', { start: { board, kind }, rules: '', moves: [] }));
    if (!state) return;
    Object.assign(this, { start: state.start, moves: [], ply: 0 });
    await this.show();
  }

  get played() {
    return this.moves.slice(0, this.ply);
  }

  async show({ animate = false } = {}) {
    // It is shown when the page has begun.
    if (!this.filter) return;
    this.run += 1;
    const { run } = this;
    this.desk.input?.watch(this.desk.input.stones, this.desk.input.side);
    const question = { start: this.start, rules: '', ...this.filter.words };
    const answer = await attempt(async () => {
      // The answer has no start; the first position of the same question is it.
      if (this.start === null && !this.usual) this.usual = (await postJson('/api/explorer', { ...question, moves: [] })).fen;
      return postJson('/api/explorer', { ...question, moves: this.played });
    });
    if (!answer || run !== this.run) return;
    this.answer = answer;
    const frames = framesOfPlayed(this.start ?? this.usual, answer.played);
    this.frame = frames[frames.length - 1];
    this.side = answer.fen.split(' ')[1];
    this.desk.size(answer.fen);
    this.drawPath();
    this.drawAnswer(frames[0]);
    this.writeAddress();
    if (!(await this.desk.show(this.frame, { animate })) || run !== this.run) return;
    this.desk.board.describe(say('play.ply', { n: this.ply }));
    await this.desk.ready;
    if (run !== this.run) return;
    this.desk.offer(this.frame.stones, this.side, answer.legal);
    this.look(null);
  }

  drawAnswer(first) {
    const { answer, tables: { movesTable, provenLine, sampleList } } = this;
    const { moves, games, proven } = answer;
    this.table.replaceChildren(movesTable(answer, { onPick: (text) => this.play(text, true), onLook: (text) => this.look(text) }));
    this.table.hidden = moves.length === 0 && proven.moves.length === 0;
    this.proven.replaceChildren(...provenLine(proven.value));
    this.chosen.textContent = this.filter.said && say('explorer.only', { filter: this.filter.said });
    this.status.textContent = games === 0 ? say('explorer.none') : '';
    this.samples.replaceChildren(games === 0 ? node('p', say('explorer.none'), 'soft') : sampleList(answer.sample));
    const lower = this.desk.board.flipped ? 'b' : 'w';
    for (const [strip, side] of [[this.desk.bottom, lower], [this.desk.top, lower === 'w' ? 'b' : 'w']]) {
      const enemy = side === 'w' ? 'b' : 'w';
      fillStrip(strip, {
        side, name: say(`side.${side}`), stones: countStones(this.frame.stones, side),
        taken: countStones(first.stones, enemy) - countStones(this.frame.stones, enemy), active: this.side === side,
      });
    }
  }

  drawPath() {
    const parts = [make('button', { type: 'button', class: 'pv', onclick: () => this.goTo(0) }, say('explorer.start'))];
    this.moves.forEach((text, index) => {
      const move = moveButton(text, () => this.goTo(index + 1), { class: 'pv' });
      if (index + 1 === this.ply) move.setAttribute('aria-current', 'step');
      parts.push(move);
    });
    if (this.ply === 0) parts[0].setAttribute('aria-current', 'step');
    const link = make('a', { href: analysisLink({ start: this.start ?? this.usual, moves: this.played }) }, say('page.analyse'));
    this.path.replaceChildren(...parts, link);
  }

  // Arrows of the moves most played, or of the one looked at.
  look(text) {
    if (!this.answer || this.desk.input.inChain) return;
    const { moves, games, legal } = this.answer;
    const shown = text ? moves.filter((move) => move.text === text) : moves.slice(0, 3);
    const hints = shown.map((move, index) => ({
      steps: legal.find((one) => one.text === move.text)?.steps,
      weight: text ? 0.8 : Math.max(0.1, move.games / Math.max(1, games)),
      kind: index === 0 ? 'best' : 'other',
    }));
    this.desk.board.hints(hints.filter((hint) => hint.steps));
  }

  play(text, animate) {
    if (this.moves[this.ply] !== text) this.moves = [...this.played, text];
    this.ply += 1;
    this.show({ animate });
  }

  goTo(ply, animate = false) {
    const to = Math.min(this.moves.length, Math.max(0, ply));
    if (to === this.ply) return;
    this.ply = to;
    this.show({ animate });
  }

  flip() {
    this.desk.flip();
    if (this.answer) this.show();
  }

  writeAddress() {
    const words = new URLSearchParams();
    if (this.start) words.set('fen', this.start);
    if (this.ply > 0) words.set('moves', this.played.join(' '));
    this.written = words.size > 0 ? `#${words}` : '';
    history.replaceState(null, '', this.written || location.pathname);
  }
}
