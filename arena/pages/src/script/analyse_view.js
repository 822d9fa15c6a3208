// What the analysis page shows around the board: players, the engine, moves, the variation, and
// below the board the review of the game.

import { button, make, node, SIDES } from './dom.js';
import { MoveList } from './moves.js';
import { sayOver } from './rule_words.js';
import { fillStrip } from './strip.js';
import { walkButtons } from './walk.js';
import { countStones } from './position.js';

export class AnalyseView {
  constructor(page) {
    this.page = page;
    const { desk, engine, review, load } = page;
    const moves = make('ol', { 'aria-label': 'Moves', 'data-empty': 'Play moves on the board, or open a game below it.' });
    this.list = new MoveList(moves, { onPick: (ply) => page.goToMain(ply) });
    this.variation = make('div', { class: 'variation', hidden: true });
    this.status = make('p', { class: 'status', role: 'status' });
    const copy = button('Copy FEN', null, () => page.copyFen(copy));
    const walk = walkButtons({ go: (by) => page.go(by), flip: () => page.flip() });
    const files = make('div', { class: 'controls actions' }, copy, button('Download FGN', null, () => page.saveFgn()));
    this.usual = [engine.root, this.status, moves, this.variation, walk, files];
    desk.side.replaceChildren(...this.usual, review.lesson.root);
    desk.below.replaceChildren(review.root, load.root);
  }

  // While the user learns from mistakes, the lesson takes the place of engine and moves.
  setLearning(learning) {
    for (const part of this.usual) part.classList.toggle('put-away', learning);
    this.page.review.lesson.root.hidden = !learning;
    this.page.desk.gauge.hidden = learning;
  }

  update() {
    const { page } = this;
    const { line, review } = page;
    const key = line.main.join(' ');
    // The main line is drawn again only when it has changed.
    if (this.listed !== key || this.game !== page.game) {
      this.listed = key;
      this.game = page.game;
      this.list.set(this.mainMoves(), page.frames[1]?.side ?? 'w');
      for (const [ply, { mark, text }] of review.judged) this.list.annotate(ply, mark, text);
      review.lineChanged();
    }
    this.list.current(Math.min(line.ply, line.variation?.from ?? line.ply));
    review.cursor(line.inVariation ? line.variation.from : line.ply);
    this.drawVariation();
    this.players();
  }

  // The moves of the main line, with what the record says of them.
  mainMoves() {
    const { page } = this;
    const { line, game, frames } = page;
    const first = frames[1]?.side ?? 'w';
    return line.main.map((text, index) => ({
      ply: index + 1,
      side: (index % 2 === 0) === (first === 'w') ? 'w' : 'b',
      text,
      score: page.scoreOf(index + 1),
      ms: game.times?.[index - (game.book ?? 0)] ?? null,
      book: index < (game.book ?? 0),
    }));
  }

  drawVariation() {
    const { page } = this;
    const { variation, ply } = page.line;
    this.variation.hidden = variation === null;
    if (!variation) return;
    const moves = variation.moves.map((text, index) => {
      const at = variation.from + index + 1;
      const move = button(text, null, () => page.goTo(at), 'pv');
      if (at === ply) move.setAttribute('aria-current', 'step');
      return move;
    });
    this.variation.replaceChildren(
      make('div', { class: 'variation-head' }, node('b', `Variation at ply ${variation.from + 1}`),
        button('Make main line', null, () => page.promote(), 'small'),
        button('×', 'Remove the variation', () => page.dropVariation(), 'small')),
      make('div', { class: 'moves-of-line' }, ...moves));
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
        name: (side === 'w' ? game.white : game.black) || SIDES[side],
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
      words.push(`${SIDES[state.side]} to move`);
      if (state.phase === 1) words.push(`vela, phase one: ${state.owed} owed`);
      else if (state.phase === 2) words.push('vela, phase two');
    }
    if (!state.over && !line.inVariation && line.ply === line.main.length && game.result && game.result !== '*') {
      words.push(`the game ended here: ${game.result}${game.reason ? `, ${game.reason}` : ''}`);
    }
    if (state.opening && line.ply > 0 && line.ply < 12) words.push(state.opening);
    this.status.textContent = words.join(' · ');
    this.players();
  }
}
