// Asks an engine about every position of a game, one after the other, and has each move judged. What
// a move is worth is computed by the server's rules of judgement; the page carries the questions.

import { postJson } from './api.js';
import { positionLine } from './thinker.js';

export class Reviewer {
  // `thinker` is open; `isOver(moves)` tells whether the rules end the game after some moves.
  constructor(thinker, { start, rules, moves, book, nodes, values, isOver }) {
    this.thinker = thinker;
    this.game = { start, rules, moves, book };
    this.nodes = nodes;
    // Whether the engine answers questions about exact values.
    this.values = values;
    this.isOver = isOver;
    this.stopped = false;
  }

  // Judges every move; `onPly` hears of each. Returns whether it came to the end.
  async run(onPly) {
    const { start, rules, moves, book } = this.game;
    let before = book === 0 ? await this.ask([]) : {};
    for (let index = 0; index < moves.length; index += 1) {
      const played = moves.slice(0, index + 1);
      const isBook = index < book;
      const after = index + 1 < book ? {} : await this.ask(played);
      if (this.stopped || after === null || before === null) return false;
      const question = { start: { fen: start }, rules, moves: played, book: isBook, before, after };
      let said = await postJson('/api/judge', question);
      if (said.check) {
        const other = await this.ask([...moves.slice(0, index), said.check]);
        if (this.stopped || other === null) return false;
        said = await postJson('/api/judge', { ...question, other });
      }
      if (this.stopped) return false;
      onPly(said);
      before = after;
    }
    return true;
  }

  // What the engine says of a position: nothing if the game is over there, null if it was stopped.
  async ask(moves) {
    if (await this.isOver(moves)) return {};
    const position = positionLine(this.game.start, moves);
    const value = this.values ? await this.thinker.value(position) : '';
    let last = { score: '', pv: [] };
    const best = await this.thinker.go(position, `nodes ${this.nodes}`, (info) => {
      if (info.multipv === 1 && info.score) last = info;
    });
    if (best === null) return null;
    return { score: last.score, value, best, line: last.pv };
  }

  stop() {
    this.stopped = true;
    this.thinker.close();
  }
}
