// What the analysis page shows around the board: players, and a panel of tabs with the engine's lines,
// the moves, the review of the game, and the explorer. The graph stays in view below every tab.

import { button, make, node } from './dom.js';
import { flawText } from './flaw_words.js';
import { MoveNotes } from './move_notes.js';
import { MoveText } from './move_text.js';
import { timeText } from './moves.js';
import { reasonText, sayOver } from './rule_words.js';
import { fillStrip } from './strip.js';
import { onTabs, openTab, tabs } from './tabs.js';
import { walkButtons } from './walk.js';
import { countStones, fieldsOf, whiteScore } from './position.js';
import { say } from './words.js';

const TABS = ['lines', 'moves', 'review', 'explorer'].map((tab) => [tab, say(`analyse.tab.${tab}`)]);

export class AnalyseView {
  constructor(page) {
    this.page = page;
    const { desk, engine, values, explorer, review, load, share, editor } = page;
    this.status = make('p', { class: 'status', role: 'status' });
    this.empty = node('p', say('analyse.empty'), 'soft');
    const moves = make('div', { role: 'group', 'aria-label': say('play.moves') });
    this.text = new MoveText(moves, { onPick: (at) => page.goToNode(at), onBeside: (places) => page.goBeside(places) });
    this.notes = new MoveNotes({ onChange: (at) => this.noted(at) });
    this.variation = make('div', { class: 'controls variation', hidden: true },
      button(say('analyse.promote'), null, () => page.promote(), 'small'),
      button(say('analyse.drop'), null, () => page.dropVariation(), 'small'));
    const parts = { lines: [engine.root, values.root], moves: [this.empty, moves, this.variation, this.notes.root], review: [review.root], explorer: [explorer.root] };
    const links = TABS.map(([name, text]) => make('li', {}, make('a', { href: `#tab-${name}` }, text)));
    this.parts = TABS.map(([name]) => make('div', { id: `tab-${name}`, class: 'tab-part' }, ...parts[name]));
    this.tabs = make('div', { class: 'tabs' }, make('ul', { class: 'tab-list', 'aria-label': say('analyse.event') }, ...links), ...this.parts);
    const walk = walkButtons({ go: (by) => page.go(by), flip: () => page.flip() });
    this.usual = [this.tabs, review.strip, this.status, walk];
    desk.side.replaceChildren(...this.usual, review.lesson.root, editor.root);
    desk.below.replaceChildren(load.root, share.root);
    tabs(desk.side);
    onTabs(desk.side);
    this.part('explorer').addEventListener('shown', () => page.explore());
    this.part('review').addEventListener('shown', () => review.draw());
  }

  part(name) {
    return /** @type {HTMLElement} */ (this.parts.find((part) => part.id === `tab-${name}`));
  }

  open(name) {
    openTab(this.part(name));
  }

  isOpen(name) {
    return !this.part(name).hidden;
  }

  // While the user learns from mistakes or sets up a position, that takes the place of the panel.
  setAside(other) {
    for (const part of this.usual) part.classList.toggle('put-away', other !== null);
    const { review, editor, desk } = this.page;
    for (const part of [review.lesson.root, editor.root]) part.hidden = part !== other;
    desk.gauge.hidden = other !== null;
  }

  update() {
    const { page } = this;
    const { line, review } = page;
    this.drawMoves();
    if (this.listed !== line.main.join(' ')) {
      this.listed = line.main.join(' ');
      review.lineChanged();
    }
    this.text.current(line.node);
    review.cursor(line.mainPly);
    this.variation.hidden = !line.inVariation;
    this.notes.show(line.node, this.about(line.node));
    this.players();
  }

  drawMoves() {
    const { line, frames } = this.page;
    const number = Number(fieldsOf(line.start)[4] ?? 1);
    this.text.draw(line, { side: frames[1]?.side ?? fieldsOf(line.start)[1], number, about: (at) => this.about(at) });
    this.empty.hidden = line.root.next.length > 0;
  }

  // What the review and the record say of a move.
  about(at) {
    const { page } = this;
    const { line, game, review } = page;
    const main = line.isMain(at);
    const said = main ? review.judged.get(at.ply) : null;
    const recorded = at.recorded && main ? at.ply - 1 - (game.book ?? 0) : -1;
    const side = (at.ply % 2 === 1) === (fieldsOf(line.start)[1] !== 'b') ? 'w' : 'b';
    const title = [recorded < 0 ? '' : whiteScore(game.scores?.[recorded], side), timeText(recorded < 0 ? null : game.times?.[recorded])];
    return {
      main,
      mark: said?.mark ?? '',
      reason: flawText(said?.flaw ?? null),
      title: title.filter(Boolean).join(' · '),
      book: main && at.ply <= (game.book ?? 0),
    };
  }

  noted(at) {
    this.text.annotate(at);
    this.page.writeAddress();
  }

  // What the review says of a move of the main line has arrived.
  judged(ply) {
    const at = this.page.line.mainNodes[ply - 1];
    if (!at) return;
    this.text.annotate(at);
    if (at === this.page.line.node) this.notes.show(at, this.about(at));
  }

  // The moves of the main line, with what the record says of them.
  mainMoves() {
    const { page } = this;
    const { line } = page;
    const first = fieldsOf(line.start)[1] === 'b' ? 'b' : 'w';
    return line.main.map((text, index) => ({
      ply: index + 1,
      side: (index % 2 === 0) === (first === 'w') ? 'w' : 'b',
      text,
      score: page.scoreOf(index + 1),
    }));
  }

  players() {
    const { page } = this;
    const { game, desk, line } = page;
    const frame = page.frames[line.ply];
    if (!frame) return;
    const [start] = page.frames;
    const lower = desk.board.flipped ? 'b' : 'w';
    const mover = page.frames[line.ply].side === 'w' ? 'b' : page.frames[line.ply].side === 'b' ? 'w' : page.state?.side;
    for (const [strip, side] of [[desk.bottom, lower], [desk.top, lower === 'w' ? 'b' : 'w']]) {
      const enemy = side === 'w' ? 'b' : 'w';
      fillStrip(strip, {
        side,
        name: (side === 'w' ? game.white : game.black) || say(`side.${side}`),
        stones: countStones(frame.stones, side),
        taken: countStones(start.stones, enemy) - countStones(frame.stones, enemy),
        active: mover === side && !page.state?.over,
      });
    }
  }

  // What the server says of the position shown.
  position() {
    const { state, line, game } = this.page;
    const words = [];
    if (state.over) words.push(sayOver(state.over));
    else {
      words.push(say(`analyse.to-move.${state.side}`));
      if (state.phase === 1) words.push(say('analyse.phase.1', { n: state.owed }));
      else if (state.phase === 2) words.push(say('analyse.phase.2'));
    }
    if (!state.over && !line.inVariation && line.ply === line.main.length && game.result && game.result !== '*') {
      words.push(say('analyse.ended', { how: [game.result, reasonText(game.reason)].filter(Boolean).join(', ') }));
    }
    if (state.opening && line.ply > 0 && line.ply < 12) words.push(state.opening);
    this.status.textContent = words.join(' · ');
    this.players();
  }
}
