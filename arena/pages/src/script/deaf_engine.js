// UGI with an engine that hears nothing while it searches, because its search leaves its worker no time
// for messages. It gets no line before its search has ended, and `stop` ends it: another one takes its
// place, with the same options and the same position, and the move of the last line stands. What the
// engine had remembered of its searches is lost.

const START = 'position startpos';

export class DeafEngine {
  // `say(line)` sends a line to the engine, `restart()` replaces it by a new one, which gets all later
  // lines, and `answer(line)` is told what the engine says.
  /** @param {{ say: (line: string) => void, restart: () => void, answer: (line: string) => void }} engine */
  constructor({ say, restart, answer }) {
    this.say = say;
    this.restart = restart;
    this.answer = answer;
    this.options = [];
    this.position = START;
    // The running search and the best move of its last line.
    /** @type {{ best: string | null } | null} */
    this.search = null;
    // Lines that wait for its end.
    this.held = [];
  }

  send(line) {
    const [word] = line.trim().split(/\s+/);
    if (this.search) {
      if (['stop', 'ponderhit', 'quit'].includes(word)) this.stop();
      else if (word === 'isready') this.answer('readyok');
      else this.held.push(line);
      return;
    }
    if (word === 'setoption') this.options.push(line);
    if (word === 'position') this.position = line;
    if (word === 'uginewgame') this.position = START;
    if (word === 'go') this.search = { best: null };
    this.say(line);
  }

  hear(line) {
    if (this.search) {
      const [, best] = / pv (\S+)/.exec(line) ?? [];
      const [, place] = / multipv (\d+)/.exec(line) ?? [];
      if (best && (place ?? '1') === '1') this.search.best = best;
      if (/^bestmove\b/.test(line)) {
        this.search = null;
        this.answer(line);
        this.release();
        return;
      }
    }
    this.answer(line);
  }

  stop() {
    const best = this.search?.best;
    this.search = null;
    this.restart();
    [...this.options, this.position].forEach(this.say);
    // `stop` ends the searches that wait, too.
    this.held = this.held.map((line) => line.replace(/^\s*go\b.*/, 'go nodes 1'));
    if (best) {
      this.answer(`bestmove ${best}`);
      this.release();
    } else {
      this.send('go nodes 1');
    }
  }

  release() {
    this.held.splice(0).forEach((line) => this.send(line));
  }
}
