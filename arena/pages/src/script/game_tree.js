// The moves on the analysis page: a tree of moves from the start, the path in it that is open, and the
// position shown on that path. Moves are text; the server says what they do.

class MoveNode {
  constructor(parent, text) {
    this.parent = parent;
    this.text = text;
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
    // The moves that were played here, that of the main line first.
    /** @type {MoveNode[]} */
    this.next = [];
    this.glyph = '';
    this.comment = '';
    // Whether it is a move of the game that was opened.
    this.recorded = false;
  }

  child(text) {
    return this.next.find((node) => node.text === text) ?? null;
  }
}

/**
 * What is said about a move of a game, as files have it.
 * @typedef {{ glyph: string, comment: string, variations: Noted[][] }} Note
 * @typedef {Note & { mv: string }} Noted
 */

export class GameTree {
  /** @param {{ start: string, rules?: string, moves?: string[], notes?: Note[], ply?: number, fixed?: boolean }} game */
  constructor({ start, rules = '', moves = [], notes = [], ply = 0, fixed = false }) {
    this.start = start;
    this.rules = rules;
    // The main line of a recorded game stays as it is: a move at its end begins a variation as well.
    this.fixed = fixed;
    this.root = new MoveNode(null, '');
    addLine(this.root, moves.map((mv, index) => ({ ...notes[index], mv })), true);
    /** @type {MoveNode[]} */
    this.path = [];
    this.ply = 0;
    this.goToMain(ply);
  }

  // The node of the position shown.
  get node() {
    return this.ply > 0 ? this.path[this.ply - 1] : this.root;
  }

  get mainNodes() {
    return this.onwards(this.root);
  }

  // The moves of the main line, of the open path, and those that led to the position shown.
  get main() {
    return this.mainNodes.map(({ text }) => text);
  }

  get moves() {
    return this.path.map(({ text }) => text);
  }

  get played() {
    return this.moves.slice(0, this.ply);
  }

  // The last ply of the main line at or before the position shown.
  get mainPly() {
    let { node } = this;
    while (!this.isMain(node)) node = node.parent;
    return node.ply;
  }

  // How many moves of the open path belong to the main line.
  get shared() {
    return this.path.filter((node) => this.isMain(node)).length;
  }

  get inVariation() {
    return !this.isMain(this.node);
  }

  get hasVariations() {
    return this.shared < this.path.length;
  }

  isMain(node) {
    if (node.parent === null) return true;
    return node.parent.next[0] === node && !(this.fixed && !node.recorded) && this.isMain(node.parent);
  }

  // What follows a node: in the main line its moves, in a variation those of the variation.
  onwards(from) {
    const nodes = [];
    const isMain = this.isMain(from);
    for (let node = from.next[0]; node && (!isMain || this.isMain(node)); node = node.next[0]) nodes.push(node);
    return nodes;
  }

  goTo(ply) {
    this.ply = Math.min(this.path.length, Math.max(0, Number.isNaN(ply) ? 0 : ply));
  }

  goToMain(ply) {
    this.path = this.mainNodes;
    this.goTo(ply);
  }

  goToNode(node) {
    const before = [];
    for (let at = node; at.parent; at = at.parent) before.unshift(at);
    this.path = [...before, ...this.onwards(node)];
    this.ply = node.ply;
  }

  // Plays a move at the position shown. A move that is there already is followed; another one begins a
  // variation, or goes on at the end of a line.
  play(text) {
    const { node, path, ply } = this;
    if (path[ply]?.text === text) {
      this.ply += 1;
      return;
    }
    let next = node.child(text);
    if (!next) {
      next = new MoveNode(node, text);
      node.next.push(next);
    }
    this.goToNode(next);
  }

  // Makes the open path the main line.
  promote() {
    this.fixed = false;
    for (const node of this.path) {
      const { next } = node.parent;
      next.splice(next.indexOf(node), 1);
      next.unshift(node);
    }
  }

  // Removes a variation with all that follows it, and goes back to where it began.
  drop() {
    let { node } = this;
    if (this.isMain(node)) return;
    while (node.parent.next[0] === node && !this.isMain(node.parent)) node = node.parent;
    const { parent } = node;
    parent.next.splice(parent.next.indexOf(node), 1);
    this.goToNode(parent);
  }

  // The variation before or after that of the position shown; null if there is none.
  beside(places) {
    const all = this.node.parent?.next ?? [];
    return all[all.indexOf(this.node) + places] ?? null;
  }

  // What is said about the moves of the main line. What goes on after its end is a variation that
  // begins with its last move.
  /** @returns {Note[]} */
  notes() {
    const nodes = this.mainNodes;
    const last = nodes[nodes.length - 1];
    return nodes.map((node) => {
      const note = noteOf(node);
      if (node !== last) return note;
      const after = node.next.map((more) => [{ mv: node.text, glyph: '', comment: '', variations: [] }, ...lineOf(more)]);
      return { ...note, variations: [...note.variations, ...after] };
    });
  }
}

// Adds a line of moves after a node; moves that are there already are not added again.
function addLine(from, line, recorded) {
  let node = from;
  for (const { mv, glyph = '', comment = '', variations = [] } of line) {
    let next = node.child(mv);
    if (!next) {
      next = new MoveNode(node, mv);
      node.next.push(next);
    }
    next.recorded ||= recorded;
    next.glyph ||= glyph;
    next.comment ||= comment;
    for (const variation of variations) addLine(node, variation, false);
    node = next;
  }
}

// What is said about a move, with the other moves in its place if it is the first of them.
function noteOf(node) {
  const { next } = node.parent;
  const others = next[0] === node ? next.slice(1) : [];
  return { glyph: node.glyph, comment: node.comment, variations: others.map(lineOf) };
}

// A variation from its first move on.
function lineOf(first) {
  const line = [];
  for (let node = first; node; node = node.next[0]) {
    const { glyph, comment, variations } = noteOf(node);
    line.push({ mv: node.text, glyph, comment, variations: node === first ? [] : variations });
  }
  return line;
}
