// Hints during a game: the strongest engine at hand says what it would play.

import { engineOf } from './engines.js';
import { positionLine, Thinker } from './thinker.js';

// How long it thinks.
const HINT_MS = 1000;

export class Hints {
  constructor(engines, rules) {
    // Engines that report several lines are made for analysis.
    this.name = (engines.find((engine) => engine.multipv) ?? engines[0]).name;
    this.rules = rules;
    this.thinker = null;
  }

  // The best move after some moves, or null if another hint was asked for meanwhile.
  async best(start, moves) {
    if (!this.thinker) {
      const thinker = new Thinker(engineOf(this.name, this.rules), { onGone: () => this.forget(thinker) });
      this.thinker = thinker;
      this.opened = thinker.open();
      this.opened.catch(() => this.forget(thinker));
    }
    const { thinker } = this;
    await this.opened;
    return thinker.go(positionLine(start, moves), `movetime ${HINT_MS}`);
  }

  // An engine that has ended is started again by the next hint.
  forget(thinker) {
    if (this.thinker === thinker) this.thinker = null;
  }

  close() {
    this.thinker?.close();
  }
}
