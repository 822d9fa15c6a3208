// What the play page shows around the board: players with clocks and captures, whose turn it is,
// the moves, the buttons, and how the game ended.

import { attempt, errorBox, postJsonForText } from './api.js';
import { clockText } from './clock.js';
import { button, make, node } from './dom.js';
import { download } from './files.js';
import { analysisLink } from './place.js';
import { MoveList } from './moves.js';
import { gameWords, pointsOf, pointsText, scoreWords } from './play_session.js';
import { sayOver } from './rule_words.js';
import { fillStrip } from './strip.js';
import { walkButtons } from './walk.js';

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
    const moves = make('ol', { 'aria-label': 'Moves', 'data-empty': 'Click or drag a stone with a ring.' });
    this.list = new MoveList(moves, { onPick: (ply) => game.goTo(ply) });
    this.takeBack = button('Take back', null, () => game.takeBack());
    this.hintButton = button('Hint', null, () => game.hint());
    this.resign = button('Resign', null, () => this.askResign());
    const leave = button('New game', null, () => this.askNew());
    this.actions = make('div', { class: 'controls actions' }, this.takeBack, this.hintButton, this.resign, leave);
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
    for (const one of [this.hintButton, this.resign]) one.hidden = game.over !== null;
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
        name: yours ? 'You' : game.setup.engine,
        about: !yours && game.setup.skill !== null ? `level ${game.setup.skill}` : '',
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
    else this.status.append(node('bdi', game.setup.engine), ' is thinking…');
  }

  yourTurn() {
    const { state, human } = this.game;
    const words = ['Your turn'];
    if (state.legal[0]?.steps[0].mark) words.push('take stones');
    else if (state.phase === 1 && state.debtor !== human) words.push('offer a stone');
    if (state.occurrences === 2) words.push('this position has come up before');
    return words.join(': ').replace(/: this/, '; this');
  }

  // The roles of a vela and what is still owed.
  roles() {
    const { game } = this;
    const { debtor, phase, owed } = game.state;
    const named = !debtor && game.state.opening && game.moves.length > 0;
    this.role.hidden = !debtor && !named;
    if (named) this.role.textContent = `Opening: ${game.state.opening}`;
    if (!debtor) return;
    const who = debtor === game.human ? 'You are the debtor' : 'You are the creditor';
    const left = owed === 1 ? '1 stone is' : `${owed} stones are`;
    const what = phase === 1
      ? `Phase one: ${left} still owed. The debtor takes one stone a move, and the creditor offers it.`
      : 'Phase two: both play as in riatra.';
    this.role.textContent = `${who}. ${what}`;
  }

  sessionScore() {
    const { session, setup } = this.game;
    this.sessionBox.hidden = session === null;
    if (!session) return;
    const [yours, engine] = pointsOf(session).map(pointsText);
    this.sessionBox.replaceChildren(
      make('p', { class: 'score' }, 'You ', node('b', `${yours} – ${engine}`), ' ', node('bdi', setup.engine)),
      node('p', gameWords(session), 'soft'));
  }

  result() {
    const { game } = this;
    this.resultBox.hidden = game.over === null;
    if (!game.over) return;
    const { result } = game.over;
    const won = result === winner(game.human);
    const words = result === '1/2-1/2' ? 'Draw' : won ? 'You won' : 'You lost';
    const buttons = [];
    if (game.session) {
      if (game.session.next) buttons.push(button('Next game', null, () => game.nextInSession(), 'primary'));
      if (game.session.over) buttons.push(button('New session', null, () => game.another({ setup: game.setup }), 'primary'));
    } else {
      buttons.push(button('Rematch', null, () => game.rematch(), 'primary'));
    }
    const href = analysisLink({ start: game.start, moves: game.moves, rules: game.setup.rules });
    buttons.push(make('a', { class: 'button', href }, 'Analyse this game'), button('Save as FGN', null, () => this.saveFgn()));
    const after = game.session?.counted && game.session.halves ? node('p', scoreWords(game.session), 'soft') : null;
    const parts = [node('h2', words), node('p', sayOver(game.over)), after, make('div', { class: 'controls' }, ...buttons)];
    this.resultBox.replaceChildren(...parts.filter(Boolean));
  }

  // Resigning and leaving take a second press.
  askResign() {
    this.confirm(this.resign, 'Really resign?', () => this.game.resign());
  }

  askNew() {
    const { game } = this;
    const last = this.actions.lastElementChild;
    if (game.over || game.moves.length === 0) game.newGame();
    else this.confirm(last, 'Leave this game?', () => game.newGame());
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
    const names = { [game.human]: 'You', [game.engineSide]: game.setup.engine };
    const text = await attempt(() => postJsonForText('/api/fgn/write', {
      white: names.w, black: names.b, result: game.over?.result ?? '*', reason: game.over?.reason ?? '', rules: game.setup.rules,
      start: game.start, moves: game.moves, scores: game.scores, times: game.times, event: 'Game against an engine',
    }));
    if (text !== null) download('game.fgn', text);
  }

  // An engine that has ended can be started again; the game goes on where it was.
  showTrouble() {
    const { gone, over } = this.game;
    this.trouble.replaceChildren();
    if (gone === null || over) return;
    const again = button('Start it again', null, () => this.game.restartEngine(), 'primary');
    this.trouble.append(errorBox({ message: `The engine has ended: ${gone}.`, help: null }), again);
  }

  serverFailed(error) {
    const again = button('Try again', null, () => this.game.advance(), 'primary');
    this.trouble.replaceChildren(errorBox(error), again);
  }
}
