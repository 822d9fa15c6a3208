// A game against an engine: who is to move, the clocks, and what the buttons do. The server decides
// which moves are legal and when the game is over; the page keeps the moves and the time.

import { attempt, postJson, showError } from './api.js';
import { Clocks } from './clock.js';
import { Desk, framesOfPlayed } from './desk.js';
import { pause } from './dom.js';
import { engineOf } from './engines.js';
import { saidMove } from './input_words.js';
import { Hints } from './play_hint.js';
import { otherSide, PlayView, winner } from './play_view.js';
import { positionOf } from './position.js';
import { acceptsDraw, mayOffer } from './play_draw.js';
import { levelName, resultsAfter } from './play_levels.js';
import { startOf } from './play_setup.js';
import { countResult, newSession, nextGame, sessionAfter, takeAnswer } from './play_session.js';
import { loadResults, saveGame, saveResults } from './play_store.js';
import { sayOver } from './rule_words.js';
import { positionLine, Thinker } from './thinker.js';
import { walkKeys } from './walk.js';
import { say } from './words.js';

// How long the board stays still before a reply.
const BREATH_MS = 250;

export class PlayGame {
  // What `begin` makes. There is no engine while the first game of a session is asked for.
  /** @type {Desk} */
  desk;
  /** @type {PlayView} */
  view;
  /** @type {Thinker} */
  thinker;
  /** @type {() => void} */
  endKeys;
  /** @type {() => void} */
  keeper;
  /** @type {() => void} */
  back;

  // `saved` is the game as `save` wrote it, or just the setup of a new one. `onNew(keeps)` shows the form;
  // `keeps`: this game has not begun, and the one that is kept is another.
  constructor(app, lists, saved, onNew) {
    this.app = app;
    this.lists = lists;
    this.onNew = onNew;
    this.setup = saved.setup;
    const { setup } = this;
    this.human = saved.human ?? setup.human;
    this.session = saved.session ?? (setup.kind === 'session' ? newSession(setup.human) : null);
    this.kind = saved.kind ?? (setup.kind === 'session' ? 'riatra' : setup.kind);
    this.start = saved.start ?? null;
    this.moves = saved.moves ?? [];
    this.times = saved.times ?? [];
    this.scores = saved.scores ?? [];
    this.over = saved.over ?? null;
    this.isKept = saved.moves !== undefined;
    // What a game against a level needs to count once, and only if nobody helped.
    this.helped = saved.helped ?? false;
    this.counted = saved.counted ?? false;
    this.offered = saved.offered ?? null;
    // What follows from the result of a game of riatra that belongs to no session.
    this.following = null;
    // Whether the end has been said: not before its move has been seen on the board.
    this.told = false;
    this.lost = false;
    // Whether the server has still to be asked something, because it did not answer; and the error to show.
    this.unasked = false;
    this.failure = null;
    this.clocks = new Clocks(clockFor(setup.clock, this.human), saved.left ?? null);
    this.hints = new Hints(lists.engines, setup.rules);
    this.state = null;
    this.frames = [];
    this.ply = 0;
    // Every change of the game has a number; whatever began before it is out of date.
    this.run = 0;
  }

  get engineSide() {
    return otherSide(this.human);
  }

  // The level that the user plays against; undefined for an engine chosen by its name.
  get level() {
    return this.lists.levels.find((level) => level.level === this.setup.level);
  }

  get opponent() {
    return this.level ? levelName(this.level) : this.setup.engine;
  }

  get aboutOpponent() {
    if (this.level) return say('level.of', { level: this.level.level });
    return this.setup.skill === null ? '' : say('level.of', { level: this.setup.skill });
  }

  async begin() {
    this.desk = new Desk(this.app, say('page.play'), { onMove: (move) => this.moved(move) });
    this.desk.board.flipped = this.human === 'b';
    this.view = new PlayView(this);
    if (this.moves.length === 0) this.showStart();
    const walk = { go: (by) => this.goTo(this.ply + by), flip: () => this.flip() };
    this.endKeys = walkKeys(walk, { u: () => this.takeBack(), h: () => this.hint() });
    this.ticking = setInterval(() => this.tick(), 100);
    this.keeper = () => this.save();
    window.addEventListener('pagehide', this.keeper);
    this.back = () => this.unasked && this.advance();
    window.addEventListener('server-back', this.back);
    if (this.session && this.start === null) {
      const { run } = this;
      try {
        const next = await nextGame(this.session, this.setup);
        // The game may have been left meanwhile.
        if (this.run !== run) return;
        this.takeSessionGame(next);
      } catch (error) {
        if (this.run !== run) return;
        this.giveUp(error);
        return;
      }
    }
    await Promise.all([this.openEngine(), this.advance()]);
  }

  // The stones at the start are seen before the rules have been asked.
  showStart() {
    const fen = this.start ?? startOf(this.lists.boards, this.setup.board);
    this.desk.size(fen);
    this.desk.show({ stones: positionOf(fen).stones, steps: [], side: null });
  }

  // Everything that runs on without the page's content ends here.
  leave() {
    this.run += 1;
    this.endKeys();
    clearInterval(this.ticking);
    window.removeEventListener('pagehide', this.keeper);
    window.removeEventListener('server-back', this.back);
    this.thinker?.close();
    this.hints.close();
  }

  // A game is kept once the server has taken it, so that none is that cannot be played, and none before it
  // is lost for it.
  save() {
    if (!this.state) return;
    const { setup, human, session, kind, start, moves, times, scores, over, helped, counted, offered } = this;
    const left = this.clocks.any ? { w: this.clocks.of('w'), b: this.clocks.of('b') } : null;
    saveGame({ setup, human, session, kind, start, moves, times, scores, over, helped, counted, offered, left });
  }

  openEngine() {
    const { engine, skill, rules } = this.setup;
    this.thinker?.close();
    const thinker = new Thinker(engineOf(engine, rules), {
      onGone: (reason) => this.engineGone(thinker, reason),
      onLost: () => this.engineLost(thinker, true),
      onBack: () => this.engineLost(thinker, false),
    });
    this.thinker = thinker;
    this.gone = null;
    this.lost = false;
    this.ready = thinker.open(skill === null ? [] : [['Skill', skill]]).then(() => true, (error) => {
      this.engineGone(thinker, error.message);
      return false;
    });
    return this.ready;
  }

  engineGone(thinker, reason) {
    if (this.thinker !== thinker) return;
    this.gone = reason;
    this.clocks.pause();
    this.view.showTrouble();
  }

  // The server has lost the engine, and starts another one as soon as it can: the game waits for it.
  engineLost(thinker, lost) {
    if (this.thinker !== thinker) return;
    this.lost = lost;
    if (lost) this.clocks.pause();
    else if (this.state && !this.over && !this.unasked) this.clocks.start(this.state.side);
    this.view.showTrouble();
  }

  // Starts the engine again after it has ended.
  async restartEngine() {
    if (await this.openEngine()) this.advance();
  }

  // Asks the server about the game and goes on from there.
  async advance({ animate = false } = {}) {
    this.run += 1;
    const { run } = this;
    this.unasked = false;
    this.failure = null;
    const start = this.start ? { fen: this.start } : { board: this.setup.board, kind: this.kind };
    let state = null;
    try {
      state = await postJson('/api/rules', { start, rules: this.setup.rules, moves: this.moves });
    } catch (error) {
      if (run === this.run) this.refused(error);
      return;
    }
    if (run !== this.run) return;
    Object.assign(this, { state, start: state.start, frames: framesOfPlayed(state.start, state.played) });
    this.ply = this.moves.length;
    if (state.over && !this.over) this.over = state.over;
    this.save();
    this.desk.size(state.start);
    this.view.update();
    if (!(await this.desk.show(this.frames[this.ply], { animate })) || run !== this.run) return;
    this.desk.board.describe(say('play.ply', { n: this.ply }));
    if (this.over) this.end();
    else this.turn();
  }

  // The server does not take a move: the engine has played one that is illegal. Or it does not take the game
  // at all, which then cannot be played.
  refused(error) {
    if (error.status === 400 && this.moves.length > 0 && this.state?.side === this.engineSide) {
      this.forgetMoves(1);
      this.finish('illegal', this.engineSide);
    } else if (error.status === 400 && !this.state) {
      this.giveUp(error);
    } else {
      this.failed(error);
    }
  }

  // A game that cannot begin.
  giveUp(error) {
    this.leave();
    this.onNew(!this.isKept);
    showError(error);
  }

  // The server is asked again when it is back, or by a button below the error.
  failed(error) {
    this.unasked = true;
    this.failure = error;
    this.view.showTrouble();
  }

  turn() {
    const { state } = this;
    const frame = this.frames[this.ply];
    if (state.side === this.human) {
      this.clocks.start(state.side);
      this.desk.offer(frame.stones, state.side, state.legal);
    } else {
      this.desk.watch(frame.stones, state.side);
      this.think(this.run);
    }
    this.view.update();
  }

  async think(run) {
    if (!(await this.ready) || run !== this.run) return;
    await pause(BREATH_MS);
    if (run !== this.run) return;
    this.clocks.start(this.engineSide);
    let score = '';
    const before = this.moves.length < 2 ? ['uginewgame'] : [];
    const best = await this.thinker.go(positionLine(this.start, this.moves), this.clocks.goWords(), (info) => {
      if (info.multipv === 1 && info.score) score = info.score;
    }, before);
    if (best === null || run !== this.run) return;
    if (best === 'resign') this.finish('resign', this.engineSide);
    else this.add(best, score, true);
  }

  // The user has made a move on the board.
  moved(move) {
    this.desk.board.hints([]);
    this.add(move.text, '', false);
  }

  add(text, score, animate) {
    this.times.push(this.clocks.moved());
    this.scores.push(score);
    this.moves.push(text);
    this.advance({ animate }).then(() => {
      const played = this.state?.played[this.moves.length - 1];
      if (!animate || !played) return;
      const move = saidMove(this.engineSide, played);
      this.desk.say(this.told ? `${move} ${sayOver(this.over)}` : move);
    });
  }

  tick() {
    this.view.showClocks();
    const late = this.over ? null : this.clocks.flagged();
    if (late) this.finish('time', late);
  }

  // Ends the game for a reason that is not on the board: what the losing side did.
  finish(reason, loser) {
    this.conclude({ result: winner(otherSide(loser)), reason, of: loser });
  }

  conclude(over) {
    this.over = over;
    this.run += 1;
    this.thinker.cancel();
    this.end();
  }

  async end() {
    this.clocks.pause();
    this.count();
    if (this.session && !this.session.counted) countResult(this.session, this.over.result);
    this.told = true;
    this.desk.watch(this.frames[this.ply].stones, this.state.side);
    this.desk.board.hints([]);
    this.save();
    this.view.update();
    this.desk.say(sayOver(this.over));
    await this.askNext();
  }

  // Whether the server has not yet said what follows from the result.
  get isNextOpen() {
    const { session } = this;
    return session ? !session.next && !session.over : this.kind === 'riatra' && !this.following;
  }

  // Asks what follows. What is not answered is asked again, also after a reload.
  async askNext() {
    if (!this.isNextOpen) return;
    const { run, session } = this;
    try {
      const said = await nextGame(session ?? sessionAfter(this.human, this.over.result), this.setup);
      if (run !== this.run) return;
      if (session) takeAnswer(session, said);
      else this.following = said;
    } catch (error) {
      if (run !== this.run) return;
      // A session needs the answer; without one, a single game has a plain rematch.
      if (session) this.failed(error);
      else this.unasked = true;
      return;
    }
    this.save();
    this.view.update();
  }

  // Adds the result to those against this level, once.
  count() {
    const { level } = this;
    if (!level || this.counted || this.helped) return;
    this.counted = true;
    const points = this.over.result === '1/2-1/2' ? 0.5 : this.over.result === winner(this.human) ? 1 : 0;
    saveResults(resultsAfter(loadResults(), level, points));
  }

  get mayOffer() {
    return this.state !== null && !this.over && mayOffer(this.moves.length, this.offered);
  }

  // Offers a draw, which the engine answers by what it has thought of the game so far.
  offerDraw() {
    if (!this.mayOffer) return;
    this.offered = this.moves.length;
    const own = this.frames.slice(1).flatMap((frame, index) => (frame.side === this.engineSide ? [this.scores[index]] : []));
    if (!acceptsDraw(this.moves.length, own)) {
      this.view.update();
      this.view.note(say('draw.declined'));
      this.save();
      return;
    }
    this.conclude({ result: '1/2-1/2', reason: 'agreed', of: null });
  }

  // There is nothing to resign before the server has said where the game stands.
  resign() {
    if (this.state && !this.over) this.finish('resign', this.human);
  }

  forgetMoves(count) {
    for (const list of [this.moves, this.times, this.scores]) list.splice(list.length - count);
  }

  // How many moves go back so that the user is to move again; 0 if there is none.
  get takeable() {
    if (!this.state || (this.over && this.session)) return 0;
    const count = this.state.side === this.human ? 2 : 1;
    return this.moves.length >= count ? count : 0;
  }

  takeBack() {
    const count = this.takeable;
    if (count === 0) return;
    this.thinker.cancel();
    this.clocks.pause();
    this.forgetMoves(count);
    this.over = null;
    this.told = false;
    this.following = null;
    this.helped = true;
    this.desk.board.hints([]);
    this.advance();
  }

  async hint() {
    const { state, run } = this;
    if (this.over || !state || state.side !== this.human || this.ply !== this.moves.length) return;
    this.helped = true;
    this.view.note(say('play.hint.wait'));
    const best = await attempt(() => this.hints.best(this.start, this.moves));
    if (run !== this.run) return;
    const move = state.legal.find((legal) => legal.text === best);
    this.view.note(move ? say('play.hint.is', { move: best }) : say('play.hint.none'));
    if (move) this.desk.board.hints([{ steps: move.steps, weight: 0.8, kind: 'best' }]);
  }

  // Shows an earlier position; moves are made at the last one only.
  goTo(ply) {
    if (this.frames.length === 0) return;
    this.ply = Math.min(this.frames.length - 1, Math.max(0, ply));
    const frame = this.frames[this.ply];
    this.desk.show(frame);
    const now = this.ply === this.frames.length - 1 && !this.over && this.state.side === this.human;
    if (now) this.desk.offer(frame.stones, this.human, this.state.legal);
    else this.desk.watch(frame.stones, this.human);
    this.desk.board.describe(say('play.ply', { n: this.ply }));
    this.view.showPly();
  }

  flip() {
    this.desk.flip();
    this.view.update();
  }

  takeSessionGame({ next }) {
    const debtor = next.debtor && ((next.debtor === 'w') === (next.white === 'first') ? 'first' : 'second');
    Object.assign(this.session, { counted: false, next: null, over: false, halves: null, winner: null, debtor, number: next.number });
    const youAreWhite = (next.white === 'first') === this.session.youAreFirst;
    Object.assign(this, { human: youAreWhite ? 'w' : 'b', kind: next.kind, start: next.start });
    this.session.white.push(this.human === 'w');
  }

  // Begins another game in place of this one.
  another(saved) {
    this.leave();
    new PlayGame(this.app, this.lists, saved, this.onNew).begin();
  }

  // The same again with the other side.
  rematch() {
    this.another({ setup: { ...this.setup, human: this.engineSide } });
  }

  // What the result asks for: after a loss in riatra a vela, in which the loser is the debtor.
  follow() {
    this.session = sessionAfter(this.human, this.over.result);
    takeAnswer(this.session, this.following);
    this.setup = { ...this.setup, kind: 'session' };
    this.nextInSession();
  }

  nextInSession() {
    const { session, setup } = this;
    if (!session.next) return;
    this.takeSessionGame({ next: session.next });
    this.another({ setup, session, human: this.human, kind: this.kind, start: this.start });
  }

  newGame() {
    this.leave();
    this.onNew(false);
  }
}

// The clocks of a setup, whose second pair of times is the engine's.
function clockFor(clock, human) {
  return clock.engine ? { ...clock, [otherSide(human)]: clock.engine } : clock;
}
