// What the play page shows around the board: players with clocks and captures, whose turn it is,
// the moves, the buttons, and how the game ended.

import { attempt, errorBox, postJsonForText } from './api.js';
import { clockText } from './clock.js';
import { button, make, node } from './dom.js';
import { download } from './files.js';
import { analysisLink } from './place.js';
import { MoveList } from './moves.js';
import { drawRule } from './play_draw.js';
import { resultWords, strengthWords } from './play_levels.js';
import { gameWords, pointsOf, pointsText, scoreWords } from './play_session.js';
import { loadResults } from './play_store.js';
import { sayOver } from './rule_words.js';
import { fillStrip } from './strip.js';
import { walkButtons } from './walk.js';
import { say } from './words.js';

export const otherSide = (side) => (side === 'w' ? 'b' : 'w');
export const winner = (side) => (side === 'w' ? '1-0' : '0-1');

export class PlayView {
  constructor(game) {
    this.game = game;
    const { desk } = game;
    this.status = make('p', { class: 'status', role: 'status' });
    this.role = make('p', { class: 'soft role' });
    this.sessionBox = make('div', { class: 'card session', hidden: true });
    this.resultBox = make('div', { class: 'card result', hidden: true });
    this.trouble = make('div');
    const moves = make('ol', { 'aria-label': say('play.moves'), 'data-empty': say('play.first-move') });
    this.list = new MoveList(moves, { onPick: (ply) => game.goTo(ply) });
    this.takeBack = button(say('play.take-back'), null, () => game.takeBack());
    this.hintButton = button(say('play.hint'), null, () => game.hint());
    this.drawButton = button(say('draw.offer'), null, () => game.offerDraw());
    this.drawButton.title = drawRule();
    this.resign = button(say('play.resign'), null, () => this.askResign());
    const leave = button(say('play.new'), null, () => this.askNew());
    this.actions = make('div', { class: 'controls actions' }, this.takeBack, this.hintButton, this.drawButton, this.resign, leave);
    const walk = walkButtons({ go: (by) => game.goTo(game.ply + by), flip: () => game.flip() });
    desk.side.replaceChildren(this.sessionBox, this.resultBox, this.status, this.role, this.trouble, moves, walk, this.actions);
    this.clockFields = {};
    this.listed = 0;
  }

  // Shows everything again after a change of the game.
  update() {
    const { game } = this;
    if (!game.state) return;
    const moves = game.frames.slice(1).map((frame, index) => ({
      ply: frame.ply, side: frame.side, text: frame.text, ms: game.clocks.any ? game.times[index] : null,
    }));
    this.list.set(moves, game.frames[1]?.side ?? game.state.side);
    this.players();
    this.showPly();
    this.note('');
    this.roles();
    this.showTrouble();
    this.sessionScore();
    this.result();
    for (const one of [this.hintButton, this.drawButton, this.resign]) one.hidden = game.over !== null;
    this.drawButton.disabled = !game.mayOffer;
    this.takeBack.disabled = game.takeable === 0;
    this.takeBack.hidden = game.over !== null && game.session !== null;
  }

  // The strip of the user is below, unless the board was turned.
  players() {
    const { game } = this;
    const lower = game.desk.board.flipped ? 'b' : 'w';
    for (const [strip, side] of [[game.desk.bottom, lower], [game.desk.top, otherSide(lower)]]) {
      const yours = side === game.human;
      const enemy = otherSide(side);
      const began = [...game.frames[0].stones.values()].filter((stone) => stone === enemy).length;
      const { clock } = fillStrip(strip, {
        side,
        name: yours ? say('play.you') : game.opponent,
        about: yours ? '' : game.aboutOpponent,
        stones: game.state.stones[side],
        taken: began - game.state.stones[enemy],
        active: !game.over && game.state.side === side,
        clock: game.clocks.any,
      });
      this.clockFields[side] = clock;
    }
    this.showClocks();
  }

  showClocks() {
    const { clocks } = this.game;
    if (!clocks.any) return;
    for (const side of ['w', 'b']) {
      const shown = this.clockFields[side];
      if (!shown) continue;
      const left = clocks.of(side);
      const text = clockText(left);
      if (shown.textContent !== text) shown.textContent = text;
      shown.classList.toggle('short', left < 10000);
      shown.classList.toggle('running', clocks.side === side);
    }
  }

  showPly() {
    this.list.current(this.game.ply);
  }

  // A note in place of whose turn it is.
  note(text) {
    const { game } = this;
    this.status.replaceChildren();
    this.status.hidden = game.over !== null && !text;
    this.status.classList.toggle('yours', !text && !game.over && game.state?.side === game.human);
    if (text) this.status.textContent = text;
    else if (game.over) return;
    else if (game.state.side === game.human) this.status.textContent = this.yourTurn();
    else this.status.append(node('bdi', game.opponent), ` ${say('play.thinks')}`);
  }

  yourTurn() {
    const { state, human } = this.game;
    let words = say('play.turn');
    if (state.legal[0]?.steps[0].mark) words = say('play.turn.take');
    else if (state.phase === 1 && state.debtor !== human) words = say('play.turn.offer');
    return state.occurrences === 2 ? `${words}; ${say('play.again')}` : words;
  }

  // The roles of a vela and what is still owed.
  roles() {
    const { game } = this;
    const { debtor, phase, owed } = game.state;
    const named = !debtor && game.state.opening && game.moves.length > 0;
    this.role.hidden = !debtor && !named;
    if (named) this.role.textContent = say('play.opening', { name: game.state.opening });
    if (!debtor) return;
    const who = say(debtor === game.human ? 'play.debtor' : 'play.creditor');
    const what = phase === 1 ? say('play.phase.1', { n: owed }) : say('play.phase.2');
    this.role.textContent = `${who} ${what}`;
  }

  sessionScore() {
    const { session, opponent } = this.game;
    this.sessionBox.hidden = session === null;
    if (!session) return;
    const [yours, engine] = pointsOf(session).map(pointsText);
    this.sessionBox.replaceChildren(
      make('p', { class: 'score' }, `${say('play.you')} `, node('b', `${yours} – ${engine}`), ' ', node('bdi', opponent)),
      node('p', gameWords(session), 'soft'));
  }

  result() {
    const { game } = this;
    this.resultBox.hidden = !game.told;
    if (!game.told) return;
    const { result } = game.over;
    const won = result === winner(game.human);
    const words = say(result === '1/2-1/2' ? 'play.drawn' : won ? 'play.won' : 'play.lost');
    const buttons = [];
    if (game.session) {
      if (game.session.next) buttons.push(button(say('play.next'), null, () => game.nextInSession(), 'primary'));
      if (game.session.over) buttons.push(button(say('play.new-session'), null, () => game.another({ setup: game.setup }), 'primary'));
    } else {
      const { next } = game.following ?? {};
      if (next?.kind === 'vela') buttons.push(button(say('play.vela'), null, () => game.follow(), 'primary'));
      buttons.push(button(next?.kind === 'vela' ? say('play.riatra') : say('play.rematch'), null, () => game.rematch(), next?.kind === 'vela' ? '' : 'primary'));
    }
    const href = analysisLink({ start: game.start, moves: game.moves, rules: game.setup.rules, review: true });
    buttons.push(make('a', { class: 'button', href }, say('play.review')), button(say('play.save'), null, () => this.saveFgn()));
    const parts = [node('h2', words), node('p', sayOver(game.over)), this.afterwards(won), make('div', { class: 'controls' }, ...buttons)];
    this.resultBox.replaceChildren(...parts.filter(Boolean));
  }

  // What the result means: for the session, and among the results against this level.
  afterwards(won) {
    const { game } = this;
    const words = [];
    if (game.session?.counted && game.session.halves) words.push(scoreWords(game.session));
    if (game.following?.next?.kind === 'vela') {
      words.push(say(won ? 'play.owes.won' : 'play.owes.lost'));
    }
    if (game.level) {
      const results = loadResults();
      const isLeftOut = game.helped && !game.counted;
      words.push(isLeftOut ? say('level.helped') : `${resultWords(results, game.level)}. ${strengthWords(results, game.lists.levels)}`);
    }
    return words.length > 0 ? node('p', words.join(' '), 'soft') : null;
  }

  // Resigning and leaving take a second press.
  askResign() {
    this.confirm(this.resign, say('play.resign.sure'), () => this.game.resign());
  }

  askNew() {
    const { game } = this;
    const last = this.actions.lastElementChild;
    if (game.over || game.moves.length === 0) game.newGame();
    else this.confirm(last, say('play.leave.sure'), () => game.newGame());
  }

  confirm(control, question, action) {
    if (control.dataset.sure) {
      action();
      return;
    }
    const before = control.textContent;
    control.dataset.sure = 'yes';
    control.textContent = question;
    setTimeout(() => {
      delete control.dataset.sure;
      control.textContent = before;
    }, 4000);
  }

  async saveFgn() {
    const { game } = this;
    const names = { [game.human]: say('play.you'), [game.engineSide]: game.opponent };
    const text = await attempt(() => postJsonForText('/api/fgn/write', {
      white: names.w, black: names.b, result: game.over?.result ?? '*', reason: game.over?.reason ?? '', rules: game.setup.rules,
      start: game.start, moves: game.moves, scores: game.scores, times: game.times, event: say('play.event'),
    }));
    if (text !== null) download('game.fgn', text);
  }

  // A server that has not answered can be asked again, and an engine that has ended can be started again;
  // the game goes on where it was.
  showTrouble() {
    const { gone, lost, over, failure } = this.game;
    this.trouble.replaceChildren();
    if (failure) {
      this.trouble.append(errorBox(failure), button(say('play.retry'), null, () => this.game.advance(), 'primary'));
    }
    if (lost && !over) {
      this.trouble.append(errorBox({ message: say('play.engine-lost'), help: say('play.engine-lost.help') }));
    }
    if (gone === null || over) return;
    const again = button(say('play.restart'), null, () => this.game.restartEngine(), 'primary');
    this.trouble.append(errorBox({ message: say('play.gone', { why: gone }), help: null }), again);
  }
}
