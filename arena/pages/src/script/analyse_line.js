// The moves on the analysis page: the main line, at most one variation of it, and the position
// shown. Moves are text; the server says what they do.

export class GameLine {
  constructor({ start, rules = '', moves = [], ply = 0, fixed = false }) {
    // A fixed main line is a recorded game: another move at its end is a variation as well.
    this.start = start;
    this.rules = rules;
    this.main = [...moves];
    this.fixed = fixed;
    this.variation = null;
    this.ply = 0;
    this.goTo(ply);
  }

  // All moves of the line shown: the main line, or the variation after the moves it leaves from.
  get moves() {
    const { main, variation } = this;
    return variation ? [...main.slice(0, variation.from), ...variation.moves] : main;
  }

  // The moves that led to the position shown.
  get played() {
    return this.moves.slice(0, this.ply);
  }

  // Whether the position shown belongs to the variation only.
  get inVariation() {
    return this.variation !== null && this.ply > this.variation.from;
  }

  goTo(ply) {
    this.ply = Math.min(this.moves.length, Math.max(0, Number.isNaN(ply) ? 0 : ply));
  }

  // Leaves the variation and goes to a position of the main line.
  goToMain(ply) {
    this.variation = null;
    this.goTo(ply);
  }

  // Plays a move at the position shown. A move that is there already is followed; another one
  // replaces what comes after it in the variation, begins a variation, or extends the main line.
  play(text) {
    const { main, ply, variation } = this;
    if (this.moves[ply] === text) {
      this.ply += 1;
      return;
    }
    if (variation && ply >= variation.from) {
      variation.moves = [...variation.moves.slice(0, ply - variation.from), text];
    } else if (ply === main.length && !this.fixed) {
      main.push(text);
    } else {
      this.variation = { from: ply, moves: [text] };
    }
    this.ply += 1;
    this.rejoin();
  }

  // A variation that has become the same as the main line is none.
  rejoin() {
    const { main, variation } = this;
    if (!variation) return;
    if (variation.moves.every((text, index) => main[variation.from + index] === text)) this.variation = null;
  }

  // Puts the variation in the place of the main line's end.
  promote() {
    if (!this.variation) return;
    this.main = this.moves;
    this.variation = null;
    this.fixed = false;
  }

  // Removes the variation and goes back to where it began.
  drop() {
    if (!this.variation) return;
    this.ply = Math.min(this.ply, this.variation.from);
    this.variation = null;
  }
}
