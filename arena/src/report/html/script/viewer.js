// The replay of one game: board, moves, scores and controls.

const $ = (id) => document.getElementById(id);
const SIDES = { w: 'White', b: 'Black' };
const still = window.matchMedia('(prefers-reduced-motion: reduce)');

// An element with text; `bdi` isolates names written from right to left.
function node(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

class Viewer {
  constructor() {
    this.board = new Board($('board'));
    this.game = null;
    this.ply = 0;
    // The number of the current animation; starting another one cancels it.
    this.run = 0;
    // The ply whose move is being animated; null if there is none.
    this.moving = null;
    this.playing = false;
    $('first').addEventListener('click', () => this.jump(0));
    $('back').addEventListener('click', () => this.back());
    $('play').addEventListener('click', () => this.toggle());
    $('forward').addEventListener('click', () => this.step());
    $('last').addEventListener('click', () => this.jump(Infinity));
    $('flip').addEventListener('click', () => this.flip());
    $('ply').addEventListener('input', () => this.jump(Number($('ply').value)));
    $('scores').addEventListener('click', (event) => {
      const box = $('scores').getBoundingClientRect();
      this.jump(Math.round(((event.clientX - box.left) / box.width) * this.last()));
    });
    $('viewer').addEventListener('keydown', (event) => this.key(event));
  }

  last() {
    return this.frames.length - 1;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // Fields, lists and buttons handle their own keys.
    const own = event.target.closest('select, input');
    const button = event.target.closest('button, a');
    const actions = {
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.step(),
      Home: () => this.jump(0),
      End: () => this.jump(Infinity),
      ' ': () => this.toggle(),
    };
    const action = actions[event.key];
    if (!action || own || (button && event.key === ' ')) return;
    event.preventDefault();
    action();
  }

  // Shows a game at a ply.
  open(game, ply) {
    this.game = game;
    const { start, frames } = framesOf(game);
    Object.assign(this, { start, frames });
    this.board.draw(start.columns, start.rows);
    $('ply').max = String(this.last());
    this.title();
    this.list();
    this.graph();
    this.show(ply);
  }

  title() {
    const { game, start } = this;
    const title = $('game-title');
    title.replaceChildren(`Game ${game.id}: `, node('bdi', game.white), ' – ', node('bdi', game.black), ` ${game.result}`);
    const facts = [game.kind];
    if (start.debtor === 'w' || start.debtor === 'b') facts.push(`${SIDES[start.debtor]} is the debtor`);
    if (game.opening) facts.push(game.opening);
    facts.push(`${this.last()} plies`, `ended by ${game.reason}`);
    $('game-facts').textContent = facts.join(' · ');
    const blunder = $('game-blunder');
    blunder.hidden = !game.blunder;
    blunder.replaceChildren();
    if (game.blunder) {
      const link = node('a', `Move ${game.blunder}`);
      link.href = `#g=${game.id}&p=${game.blunder}`;
      blunder.append(link, ` ${game.blunderText}: the first blunder of the game.`);
    }
    const end = $('game-end');
    end.hidden = !game.detail;
    end.replaceChildren();
    if (game.detail) {
      const who = game.offender === 'w' ? game.white : game.offender === 'b' ? game.black : 'the arena';
      end.append(node('bdi', who), ` (${game.reason}): ${game.detail}`);
    }
    for (const [id, side] of [['upper', 'b'], ['lower', 'w']]) {
      const shown = this.board.flipped ? (side === 'w' ? 'b' : 'w') : side;
      const name = shown === 'w' ? game.white : game.black;
      $(id).replaceChildren(node('span', '', `chip ${shown}`), `${SIDES[shown]}: `, node('bdi', name), node('span', '', 'left'));
      $(id).dataset.side = shown;
    }
  }

  // Builds the list of moves; each is a link to its position.
  list() {
    const list = $('moves');
    list.replaceChildren();
    const blackFirst = this.start.side === 'b';
    let row = null;
    this.frames.forEach((frame, ply) => {
      if (ply === 0) return;
      if (frame.side === 'w' || row === null) {
        row = node('li');
        list.append(row);
        if (blackFirst && ply === 1) row.append(node('span', '…', 'move none'));
      }
      const blunder = ply === this.game.blunder;
      const link = node('a', undefined, `move${frame.book ? ' book' : ''}${blunder ? ' blunder' : ''}`);
      if (blunder) link.title = this.game.blunderText;
      link.href = `#g=${this.game.id}&p=${ply}`;
      link.dataset.ply = ply;
      link.append(node('span', blunder ? `${frame.text} ?` : frame.text, 'text'));
      const about = [frame.book ? 'opening' : scoreText(frame.score)];
      if (frame.ms !== null) about.push(`${frame.ms} ms`);
      link.append(node('small', about.filter(Boolean).join(' · ')));
      row.append(link);
    });
  }

  // Draws the scores of both engines as two lines, from White's view.
  graph() {
    const graph = $('scores');
    graph.replaceChildren();
    const last = Math.max(1, this.last());
    svg('line', { x1: 0, y1: 50, x2: 100, y2: 50, class: 'zero' }, graph);
    for (const side of ['w', 'b']) {
      const points = [];
      this.frames.forEach((frame, ply) => {
        const height = frame.side === side ? scoreHeight(frame.score, side) : null;
        if (height !== null) points.push(`${((100 * ply) / last).toFixed(2)},${(50 - 46 * height).toFixed(1)}`);
      });
      svg('polyline', { points: points.join(' '), class: `of-${side}` }, graph);
    }
    this.cursor = svg('line', { y1: 0, y2: 100, class: 'cursor' }, graph);
    const any = this.frames.some((frame) => frame.score);
    $('graph').hidden = !any;
  }

  // Shows a ply at once and cancels any animation.
  show(ply) {
    this.stop();
    this.settle(ply);
  }

  settle(ply) {
    this.run += 1;
    this.moving = null;
    this.ply = Math.min(Math.max(0, Math.floor(ply) || 0), this.last());
    if (ply === Infinity) this.ply = this.last();
    const frame = this.frames[this.ply];
    this.board.put(frame.stones);
    const enemy = frame.side === 'w' ? 'b' : 'w';
    frame.steps.forEach((step, index) => {
      for (const name of step.captured) this.board.trace(name, enemy);
      this.board.arrow(step, index);
    });
    this.tell();
  }

  // Updates everything outside the board that depends on the ply.
  tell() {
    const frame = this.frames[this.ply];
    const count = (side) => [...frame.stones.values()].filter((stone) => stone === side).length;
    for (const id of ['upper', 'lower']) {
      const side = $(id).dataset.side;
      $(id).querySelector('.left').textContent = `${count(side)} stones`;
    }
    const last = this.last();
    $('ply').value = String(this.ply);
    $('ply').setAttribute('aria-valuetext', `ply ${this.ply} of ${last}`);
    $('where').textContent = `${this.ply} / ${last}`;
    const where = (side) => [...frame.stones].filter(([, stone]) => stone === side).map(([name]) => name).sort().join(' ') || 'none';
    $('board').setAttribute('aria-label', `Ply ${this.ply}. White: ${where('w')}. Black: ${where('b')}.`);
    const x = (100 * this.ply) / Math.max(1, last);
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
    this.say(frame);
    this.mark(this.ply);
    this.link();
  }

  // Names the move that led here or is being played.
  say(frame) {
    const captured = frame.steps.flatMap((step) => step.captured).length;
    const parts = [frame.side ? `${SIDES[frame.side]} ${frame.text}` : 'Start'];
    if (captured) parts.push(`takes ${captured}`);
    if (frame.score) parts.push(`score ${scoreText(frame.score)}`);
    if (frame.side && this.frames.indexOf(frame) === this.game.blunder) parts.push(this.game.blunderText);
    $('now').textContent = parts.join(', ');
  }

  // Marks a move in the list and scrolls to it.
  mark(ply) {
    const list = $('moves');
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const link = list.querySelector(`[data-ply="${ply}"]`);
    if (!link) {
      list.scrollTop = 0;
      return;
    }
    link.setAttribute('aria-current', 'step');
    const [outer, inner] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
    if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
  }

  // Updates the address to the game and ply shown.
  link() {
    if (!this.linked) return;
    const hash = `#g=${this.game.id}&p=${this.ply}`;
    if (location.hash !== hash) history.replaceState(null, '', hash);
  }

  flip() {
    this.board.flipped = !this.board.flipped;
    this.board.draw(this.start.columns, this.start.rows);
    this.title();
    this.show(this.ply);
  }

  // Shows a ply on the user's request; from then on the address is updated.
  jump(ply) {
    this.linked = true;
    this.show(ply);
  }

  back() {
    this.jump((this.moving ?? this.ply) - 1);
  }

  // Animates the next move; a move still being animated is finished at once.
  async step() {
    this.stop();
    if (this.moving !== null) this.settle(this.moving);
    this.linked = true;
    await this.animate();
  }

  async toggle() {
    if (this.playing) {
      this.stop();
      return;
    }
    this.linked = true;
    if (this.ply === this.last()) this.settle(0);
    this.playing = true;
    this.label();
    const mine = {};
    this.player = mine;
    while (this.player === mine && this.ply < this.last()) {
      const shown = await this.animate();
      if (!shown || this.player !== mine) return;
      await pause(500 * this.pace());
    }
    if (this.player === mine) this.stop();
  }

  stop() {
    this.player = null;
    this.playing = false;
    this.label();
  }

  label() {
    $('play').textContent = this.playing ? 'Pause' : 'Play';
  }

  pace() {
    return Number($('pace').value);
  }

  // Animates the steps of the next move; returns false if it was cancelled.
  async animate() {
    if (this.ply >= this.last()) return false;
    const next = this.ply + 1;
    if (still.matches) {
      this.settle(next);
      return true;
    }
    const frame = this.frames[next];
    this.board.put(this.frames[this.ply].stones);
    this.run += 1;
    this.moving = next;
    this.say(frame);
    this.mark(next);
    const run = this.run;
    const mine = () => this.run === run;
    const enemy = frame.side === 'w' ? 'b' : 'w';
    for (const [index, step] of frame.steps.entries()) {
      const stone = this.board.stoneAt(step.from);
      if (!stone) break;
      this.board.stones.append(stone);
      const doomed = step.captured.map((name) => this.board.doom(name));
      this.board.arrow(step, index);
      if (doomed.length > 0 && !(await this.wait(160, mine))) return false;
      const [from, to] = [this.board.at(step.from), this.board.at(step.to)];
      const moved = await tween(260 * this.pace(), mine, (part) => {
        const [x, y] = [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * part);
        stone.setAttribute('transform', `translate(${x} ${y})`);
      });
      if (!moved) return false;
      stone.setAttribute('data-at', step.to);
      const gone = await tween(doomed.length > 0 ? 200 * this.pace() : 0, mine, (part) => {
        for (const stoneGone of doomed) stoneGone?.setAttribute('opacity', 1 - part);
      });
      if (!gone) return false;
      for (const stoneGone of doomed) stoneGone?.remove();
      for (const name of step.captured) this.board.trace(name, enemy);
    }
    this.settle(next);
    return true;
  }

  async wait(ms, mine) {
    await pause(ms * this.pace());
    return mine();
  }
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

// Calls `draw` with values from 0 to 1 over a time in milliseconds; returns false if cancelled.
function tween(ms, wanted, draw) {
  return new Promise((done) => {
    let begin = null;
    const frame = (now) => {
      begin ??= now;
      if (!wanted()) {
        done(false);
        return;
      }
      const part = ms > 0 ? Math.min(1, (now - begin) / ms) : 1;
      draw(part * part * (3 - 2 * part));
      if (part < 1) requestAnimationFrame(frame);
      else done(true);
    };
    requestAnimationFrame(frame);
  });
}
