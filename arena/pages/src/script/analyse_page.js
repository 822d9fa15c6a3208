// What the analysis page does: it shows a position or a game, moves to try, an engine that thinks along,
// and the whole game judged in the background.

import { attempt, postJsonForText } from './api.js';
import { AnalyseLoad } from './analyse_load.js';
import { gameFromAddress, startGame } from './analyse_open.js';
import { AnalyseView } from './analyse_view.js';
import { BoardEditor } from './board_editor.js';
import { framesOfPlayed } from './desk.js';
import { EnginePanel } from './engine_panel.js';
import { ExplorerTab } from './explorer_tab.js';
import { download } from './files.js';
import { flawText } from './flaw_words.js';
import { GameReview } from './game_review.js';
import { GameTree } from './game_tree.js';
import { MoveValues } from './move_values.js';
import { analysisWords } from './place.js';
import { stepsOf } from './position.js';
import { PositionCache } from './position_cache.js';
import { chanceOf, forWhite } from './scores.js';
import { Share } from './share.js';
import { walkKeys } from './walk.js';
import { say } from './words.js';

export class AnalysePage {
  // The moves of the game that is open, and the ply shown last.
  /** @type {GameTree} */
  line;
  /** @type {PositionCache} */
  cache;
  /** @type {number} */
  shownPly;

  constructor(desk, gauge, lists) {
    this.desk = desk;
    this.gauge = gauge;
    this.lists = lists;
    this.run = 0;
    // None before the first one is open.
    this.game = null;
    this.frames = [];
    this.state = null;
    // Arrows for the values of the moves, if they are wanted.
    this.hints = [];
    desk.onMove = (move) => this.moved(move);
    this.engine = new EnginePanel(lists.engines, {
      onInfo: (lines, position) => this.thought(lines, position),
      onLine: (moves) => this.playMoves(moves, true),
    });
    this.values = new MoveValues({
      engine: () => this.engine.engine,
      onPick: (text) => this.playMoves([text], true),
      onArrows: (hints) => this.valued(hints),
    });
    this.explorer = new ExplorerTab({ onPick: (text) => this.playMoves([text], true), onLook: (text) => this.look(text) });
    this.review = new GameReview(this);
    this.editor = new BoardEditor(this.desk, lists, { onUse: (game) => this.open(game), onClose: () => this.edited() });
    this.load = new AnalyseLoad(lists.boards, { onGame: (game) => this.open(game), onEdit: () => this.edit() });
    this.share = new Share(this);
    this.view = new AnalyseView(this);
    walkKeys({ go: (by) => this.go(by), flip: () => this.flip() }, {
      e: () => this.review.learning || this.engine.turn(!this.engine.on),
      ' ': () => this.playBest(),
    });
  }

  async openAddress() {
    if (this.written !== undefined && location.hash === this.written) return;
    const game = await attempt(() => gameFromAddress(location.hash));
    const opened = game ?? (this.game ? null : await attempt(() => startGame('tsivy', 'riatra')));
    if (!opened) return;
    await this.open(opened);
    this.view.open(opened.moves.length > 0 ? 'moves' : 'lines');
    if (opened.review) {
      await this.review.begin();
      // The user asked for the review, so its tab opens, unless another one was chosen meanwhile.
      if (this.review.done && this.view.isOpen('moves')) this.view.open('review');
    }
  }

  // Opens a game: `{ start, rules, moves, scores, times, book, white, black, result, reason, ply,
  // source }`, where the source is the tournament it comes from.
  async open(game) {
    this.game = game;
    this.line = new GameTree({ ...game, fixed: game.fixed ?? false });
    this.cache = new PositionCache(game.start, game.rules);
    this.desk.size(game.start);
    this.review.close();
    this.editor.close();
    this.load.filled(game);
    await this.changed({ animate: false });
  }

  // Shows the line after its moves or its ply have changed.
  async changed({ animate = false } = {}) {
    this.run += 1;
    const { run, line } = this;
    const [whole] = await Promise.all([attempt(() => this.cache.at(line.moves)), this.desk.ready]);
    if (!whole || run !== this.run) return;
    const before = this.shownPly;
    this.frames = framesOfPlayed(whole.start, whole.played);
    const frame = this.frames[line.ply];
    this.state = null;
    this.view.update();
    this.desk.input.watch(frame.stones, this.desk.input.side);
    const forward = animate && line.ply === before + 1;
    this.shownPly = line.ply;
    const [shown, state] = await Promise.all([this.desk.show(frame, { animate: forward }), attempt(() => this.cache.at(line.played))]);
    if (!shown || !state || run !== this.run) return;
    this.state = state;
    this.desk.board.describe(say('play.ply', { n: line.ply }));
    this.desk.offer(frame.stones, state.side, state.over ? [] : state.legal);
    const shownNow = { start: state.start, moves: line.played, side: state.side, legal: state.legal, over: state.over, rules: line.rules };
    this.engine.set(shownNow);
    this.values.set(shownNow);
    if (!this.engine.on) this.showRecorded();
    this.view.position();
    this.explore();
    this.writeAddress();
  }

  moved(move) {
    if (this.editor.active) return;
    if (this.review.learning) this.review.lesson.tried(move);
    else this.playMoves([move.text], false);
  }

  go(by) {
    if (this.game && !this.editor.active) this.goTo(this.line.ply + by, by === 1);
  }

  // During a lesson the position stays: the moves after it would give the answer away.
  goTo(ply, animate = false) {
    if (this.review.learning) return;
    this.line.goTo(ply);
    this.changed({ animate });
  }

  goToMain(ply) {
    this.line.goToMain(ply);
    this.changed();
  }

  goToNode(node) {
    this.line.goToNode(node);
    this.changed();
  }

  // Goes to the variation before or after the one shown.
  goBeside(places) {
    const node = this.line.beside(places);
    if (node) this.goToNode(node);
  }

  // Asks for the games with the position shown, if they are looked at.
  explore() {
    const { line } = this;
    if (this.view.isOpen('explorer')) this.explorer.show({ start: line.start, rules: line.rules, moves: line.played });
  }

  // An arrow for a move of the explorer.
  look(text) {
    if (this.engine.on || this.desk.input.inChain) return;
    const steps = this.state?.legal.find((move) => move.text === text)?.steps;
    this.desk.board.hints(steps ? [{ steps, weight: 0.6, kind: 'best' }] : []);
  }

  // Arrows for the values of all moves take the place of the engine's.
  valued(hints) {
    this.hints = hints;
    if (hints.length > 0) this.desk.board.hints(hints);
    else this.thought(this.engine.best(), this.engine.position);
  }

  // Nobody looks at the page: no engine thinks about the position.
  rest() {
    this.engine.turn(false);
    this.values.turn(false);
  }

  edit() {
    if (this.review.learning || !this.state) return;
    this.rest();
    this.editor.begin(this.state.fen, this.line.rules);
    this.view.setAside(this.editor.root);
  }

  edited() {
    this.view.setAside(null);
    this.desk.size(this.line.start);
    this.changed();
  }

  playMoves(moves, animate) {
    for (const text of moves) this.line.play(text);
    this.changed({ animate });
  }

  playBest() {
    const [best] = this.engine.best();
    if (best) this.playMoves(best.pv.slice(0, 1), true);
  }

  // New lines of the engine: arrows on the board and the bar beside it.
  thought(lines, position) {
    if (this.review.learning || this.editor.active || !this.game) return;
    if (lines.length === 0) {
      this.desk.board.hints(this.hints);
      this.showRecorded();
      return;
    }
    const { scale } = this.lists;
    const chances = lines.map((line) => chanceOf(line.score, scale));
    this.desk.board.hints(this.hints.length > 0 ? this.hints : lines.map((line, index) => ({
      steps: position.legal.find((move) => move.text === line.pv[0])?.steps ?? stepsOf(line.pv[0]),
      weight: Math.max(0.1, 1 - 4 * (chances[0] - chances[index])) * (index === 0 ? 0.8 : 0.5),
      kind: index === 0 ? 'best' : 'other',
      label: lines.length > 1 ? String(index + 1) : undefined,
    })));
    this.gauge.set(forWhite(lines[0].score, position.side), this.desk.board.flipped);
  }

  // Without a running engine the bar shows what is known: the end, the review, or the record.
  showRecorded() {
    this.gauge.set(this.knownScore(), this.desk.board.flipped);
  }

  knownScore() {
    const { line, state } = this;
    if (this.review.learning) return '';
    if (state?.over) return { '1-0': 'w0', '0-1': 'l0' }[state.over.result] ?? '0';
    if (line.inVariation) return '';
    const [next, last] = [line.ply + 1, line.ply].map((ply) => this.review.judged.get(ply));
    if (next) return forWhite(next.score, state?.side ?? 'w');
    const recorded = last?.after ?? (line.ply > 0 ? this.scoreOf(line.ply) : '');
    // The position itself comes later than its ply.
    return forWhite(recorded, this.frames[line.ply]?.side ?? 'w');
  }

  // The score that the record has for the move of a ply, from its player's view.
  scoreOf(ply) {
    return this.game.scores?.[ply - 1 - (this.game.book ?? 0)] ?? '';
  }

  flip() {
    this.desk.flip();
    if (!this.game) return;
    this.view.players();
    this.showRecorded();
    const best = this.engine.best();
    if (best.length > 0) this.thought(best, this.engine.position);
  }

  promote() {
    // The opening ends where the game is left.
    const book = Math.min(this.game.book ?? 0, this.line.shared);
    this.line.promote();
    Object.assign(this.game, { book, scores: [], times: [], result: '*', reason: '', source: null });
    this.review.close();
    this.changed();
  }

  dropVariation() {
    this.line.drop();
    this.changed();
  }

  // The game with its notes as a file.
  async saveFgn() {
    const { game, line } = this;
    if (!game) return;
    const moves = line.main;
    const same = game.moves.length === moves.length;
    const text = await attempt(() => postJsonForText('/api/fgn/write', {
      white: game.white || '?', black: game.black || '?', result: same ? game.result || '*' : '*', reason: same ? game.reason || '' : '',
      rules: line.rules, start: line.start, moves, scores: [], times: [], event: say('analyse.event'), book: game.book ?? 0, notes: this.notes(),
    }));
    if (text !== null) download('analysis.fgn', text);
  }

  // The notes on the moves, with the marks of the review where the user has set no glyph.
  notes() {
    return this.line.notes().map((note, index) => {
      const { mark = '', flaw = null } = this.review.judged.get(index + 1) ?? {};
      const comment = [flawText(flaw), note.comment].filter(Boolean).join('. ');
      return { ...note, glyph: note.glyph || mark, comment };
    });
  }

  // Keeps the address true, so that a reload or a copied link shows the same position.
  writeAddress() {
    const { game, line } = this;
    if (game.source && !line.hasVariations) {
      this.written = `#${new URLSearchParams({ t: game.source.t, g: game.source.g, p: String(line.ply) })}`;
    } else {
      const { start, rules, moves, ply } = line;
      const book = Math.min(game.book ?? 0, line.shared);
      this.written = analysisWords({ start, rules, moves, ply, book });
    }
    history.replaceState(null, '', this.written);
  }
}
