// What the server says of positions, each asked once: a line of moves has few positions, and the
// user goes back and forth between them.

import { postJson } from './api.js';

const MOST = 400;

export class PositionCache {
  constructor(start, rules) {
    this.start = start;
    this.rules = rules;
    this.asked = new Map();
  }

  // The answer of `/api/rules` for some moves from the start.
  at(moves) {
    const key = moves.join(' ');
    if (!this.asked.has(key)) {
      if (this.asked.size >= MOST) this.asked.delete(this.asked.keys().next().value);
      const answer = postJson('/api/rules', { start: { fen: this.start }, rules: this.rules, moves });
      // A question that failed may be asked again.
      answer.catch(() => this.asked.delete(key));
      this.asked.set(key, answer);
    }
    return this.asked.get(key);
  }
}
