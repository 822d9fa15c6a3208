// Moves made on a board: with the mouse, a finger, or the keyboard. A move is built step by step
// out of the legal moves that the server sent. Where a step can be an approach or a withdrawal, the
// stones to be taken are the buttons to choose with.
//
//   const input = new MoveInput(board, { bar, say, onMove: (move) => {} });
//   input.offer(stones, side, legal);   // the board shows these stones; one of the moves is wanted
//   input.watch(stones, side);          // nothing to move; points can still be read by keyboard
//   input.repaint();                    // after the board was turned

import { animateMove } from './motion.js';
import { BoardPoints } from './points.js';
import { InputBar } from './input_bar.js';
import { InputMarks } from './input_marks.js';
import { afterSteps, treeOf } from './move_tree.js';
import { saidChoice, saidPoint, saidStep } from './input_words.js';
import { say } from './words.js';

export class MoveInput {
  /**
   * @param {import('./board.js').Board} board
   * @param {{ bar: HTMLElement, say?: (text: string) => void, onMove: (move: any) => void }} on
   */
  constructor(board, { bar, say = () => {}, onMove }) {
    this.board = board;
    this.say = say;
    this.onMove = onMove;
    this.stones = new Map();
    this.side = 'w';
    this.root = null;
    this.clear();
    this.marks = new InputMarks(this);
    this.bar = new InputBar(this, bar);
    // The number of the offer; an animation that outlives its offer changes nothing.
    this.offers = 0;
    /** @type {((name: string) => void) | null} */
    this.editing = null;
    this.points = new BoardPoints(board, {
      press: (name, how) => (this.editing ? this.editing(name) : this.press(name, how)),
      release: (name) => this.release(name),
      hover: (name) => this.look(name),
      // Asked before the press that chooses the stone.
      canDrag: (name) => !this.choice && this.starts.has(name),
      label: (name) => saidPoint(this, name),
      // A press between the points lets go of a stone, but undoes no step of a chain.
      cancel: () => (this.choice ? this.back() : this.letGo()),
    });
    this.listen();
  }

  listen() {
    const { root } = this.board;
    // A press that neither moved nor dragged. Points report releases elsewhere only, and forget
    // what was pressed when they handle the event, so this listens before them.
    root.addEventListener('pointerup', (event) => {
      const { pressed } = this.points;
      if (!pressed || pressed.dragging) return;
      if (this.board.nameAt(event.clientX, event.clientY) === pressed.name) this.tap();
    }, true);
    const listen = (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !this.active) return;
      const way = event.key.toUpperCase();
      const node = this.choice?.find((option) => option.step.mark === way);
      const undo = event.key === 'Backspace' || event.key === 'Escape';
      if (node) this.bar.act(() => this.take(node));
      else if (undo && this.undoable) this.bar.act(() => this.back());
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the points, which would take Escape for a press beside them.
    root.addEventListener('keydown', listen, true);
    this.bar.root.addEventListener('keydown', listen);
  }

  // Gives every press on a point to someone else, or back to the moves.
  /** @param {((name: string) => void) | null} press */
  lend(press) {
    this.editing = press;
    this.watch(this.stones, this.side);
    this.points.enable(press !== null);
  }

  get undoable() {
    return this.choice !== null || this.inChain || this.from !== null;
  }

  get active() {
    return this.root !== null;
  }

  clear() {
    // The steps so far, the stone that is chosen, the two nodes to choose between, and the nodes of
    // the target that is looked at. `tapped` is what a release at the same point would do.
    Object.assign(this, { node: this.root, from: null, choice: null, preview: null, tapped: null });
  }

  watch(stones, side) {
    this.begin(stones, side, null);
  }

  offer(stones, side, legal) {
    this.begin(stones, side, legal.length > 0 ? treeOf(legal) : null);
  }

  begin(stones, side, root) {
    this.offers += 1;
    Object.assign(this, { stones, side, root });
    this.clear();
    this.refresh();
  }

  // The stones as they stand after the steps so far.
  get shown() {
    return this.active ? afterSteps(this.stones, this.node.path()) : this.stones;
  }

  get inChain() {
    return this.active && this.node !== this.root;
  }

  // Whether the steps so far are a whole move.
  get mayEnd() {
    return this.inChain && this.node.move !== null;
  }

  get starts() {
    return this.active ? this.node.starts() : new Set();
  }

  // Whether every step that can be made takes something.
  get mustTake() {
    return this.active && [...this.node.next.values()].every((node) => node.step.captured.length > 0);
  }

  get targets() {
    return this.active && this.from !== null && !this.choice ? this.node.targets(this.from) : new Map();
  }

  refresh() {
    // Before the first drawing there is nothing to mark.
    if (!this.board.columns) return;
    this.marks.draw();
    this.bar.draw();
    this.points.enable(this.active);
    this.points.refresh();
  }

  // A press chooses a stone, steps, or chooses between approach and withdrawal at once; only what
  // ends or undoes waits for the release, because a drag may begin with the same press.
  press(name, how) {
    this.tapped = null;
    if (!this.active) return;
    if (this.choice) {
      const nodes = this.choice.filter((node) => node.step.captured.includes(name));
      if (nodes.length === 1) this.take(nodes[0]);
      else if (how === 'pointer') this.back();
    } else if (this.targets.has(name)) {
      this.step(name, how === 'key');
    } else if (name === this.from) {
      const action = this.mayEnd ? () => this.end() : () => this.letGo();
      if (how === 'key') action();
      else this.tapped = action;
    } else if (!this.inChain && !this.choose(name)) {
      this.letGo();
      if (how === 'key') this.say(say('input.no-move', { point: saidPoint(this, name) }));
    }
  }

  tap() {
    this.tapped?.();
    this.tapped = null;
  }

  // A stone was dropped at a point, or beside the board.
  release(name) {
    this.tapped = null;
    if (name !== null && this.targets.has(name)) this.step(name, false, true);
    else this.look(null);
  }

  choose(name) {
    if (!this.starts.has(name)) return false;
    Object.assign(this, { from: name, choice: null, preview: null });
    this.refresh();
    this.say(say('input.chosen', { point: name, targets: [...this.targets.keys()].sort().join(', ') }));
    return true;
  }

  // Lets go of the chosen stone.
  letGo() {
    if (!this.active || this.inChain || this.from === null) return;
    Object.assign(this, { from: null, choice: null, preview: null });
    this.refresh();
  }

  // Shows what the step to a point would take.
  look(name) {
    const nodes = name === null ? null : this.targets.get(name) ?? null;
    if (nodes?.[0] === this.preview?.[0]) return;
    this.preview = nodes;
    this.marks.draw();
  }

  step(name, byKey, dragged = false) {
    const nodes = this.targets.get(name);
    if (nodes.length === 1) {
      this.take(nodes[0], dragged);
      return;
    }
    Object.assign(this, { choice: nodes, preview: null });
    this.refresh();
    this.say(saidChoice(nodes));
    if (byKey) this.bar.focusFirst();
  }

  // Takes a step that is known. The last one of a move finishes it.
  async take(node, dragged = false) {
    const { board, side, root } = this;
    const offer = this.offers;
    const wanted = () => this.offers === offer;
    this.root = null;
    this.marks.clear();
    this.bar.draw();
    if (!dragged) await animateMove(board, [node.step], side, { pace: 0.5, wanted });
    if (!wanted()) return;
    Object.assign(this, { root, node, from: node.step.to, choice: null, preview: null });
    this.paint();
    // The keyboard goes along with the stone.
    if (document.activeElement?.getAttribute('data-point') === node.step.from) this.points.focus(node.step.to);
    this.say(saidStep(node.step));
    if (node.next.size === 0) {
      this.end();
      return;
    }
    this.refresh();
    const end = node.move ? ` ${say('input.or-end')}` : '';
    this.say(`${saidStep(node.step)} ${say('input.go-on', { targets: [...this.targets.keys()].sort().join(', ') })}${end}`);
  }

  // Ends the move with the steps so far.
  end() {
    const { move } = this.node;
    this.watch(this.shown, this.side);
    this.onMove(move);
  }

  // Draws the position after the steps so far, with their traces.
  paint() {
    const { board } = this;
    board.put(this.shown);
    this.node.path().forEach((step, index) => {
      for (const name of step.captured) board.trace(name, this.side === 'w' ? 'b' : 'w');
      board.arrow(step, index);
    });
  }

  // Draws everything again after the board was turned, which shows the stones of the last drawing.
  repaint() {
    if (this.inChain) this.paint();
    this.refresh();
  }

  // Undoes the last choice or step; returns whether there was one.
  back() {
    if (!this.active) return false;
    if (this.choice) {
      this.choice = null;
      this.say(say('input.choice-undone'));
    } else if (this.inChain) {
      this.from = this.node.step.from;
      this.node = this.node.parent;
      this.paint();
      this.say(say('input.step-undone'));
    } else if (this.from !== null) {
      this.from = null;
      this.say(say('input.released'));
    } else {
      return false;
    }
    this.preview = null;
    this.refresh();
    return true;
  }
}
