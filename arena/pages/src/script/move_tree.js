// The legal moves as a tree of steps. The moves come from the server; the tree only says which of
// them begin with the steps that were chosen so far, so no rule of the game is written here.

class Node {
  constructor(parent, step) {
    this.parent = parent;
    this.step = step;
    // Nodes after this one, by the text of their step.
    this.next = new Map();
    // The legal move that ends here, if there is one.
    this.move = null;
  }

  // The steps from the root to here.
  path() {
    return this.parent ? [...this.parent.path(), this.step] : [];
  }

  // Points that a stone can leave from here.
  starts() {
    return new Set([...this.next.values()].map((node) => node.step.from));
  }

  // The nodes that one step of the stone at a point leads to, by the point reached. Two nodes at
  // one point are an approach and a withdrawal.
  targets(from) {
    const found = new Map();
    for (const node of this.next.values()) {
      if (node.step.from !== from) continue;
      if (!found.has(node.step.to)) found.set(node.step.to, []);
      found.get(node.step.to).push(node);
    }
    return found;
  }
}

// The tree of a list of legal moves.
export function treeOf(legal) {
  const root = new Node(null, null);
  for (const move of legal) {
    let node = root;
    for (const step of move.steps) {
      const key = step.from + step.to + step.mark;
      if (!node.next.has(key)) node.next.set(key, new Node(node, step));
      node = node.next.get(key);
    }
    node.move = move;
  }
  return root;
}

// The stones after some steps. What a step captures was said by the server.
export function afterSteps(stones, steps) {
  const after = new Map(stones);
  for (const step of steps) {
    const side = after.get(step.from);
    after.delete(step.from);
    after.set(step.to, side);
    for (const name of step.captured) after.delete(name);
  }
  return after;
}
