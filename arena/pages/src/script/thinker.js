// Searches of one engine: every `go` is answered by one `bestmove`, in order, so that lines of a
// stopped search are never taken for those of the next one.

import { bestMoveOf, infoOf } from './info_line.js';

export class Thinker {
  // `port` is not open yet.
  /**
   * @param {ReturnType<typeof import('./engines.js').engineOf>} port
   * @param {{ onGone?: (reason: string) => void, onLost?: () => void, onBack?: () => void }} [on]
   */
  constructor(port, { onGone = () => {}, onLost = () => {}, onBack = () => {} } = {}) {
    this.port = port;
    this.options = [];
    // Searches that have not been answered; the first one is running.
    this.running = [];
    // Questions that have not been answered.
    this.asked = [];
    port.onLine = (line) => this.hear(line);
    port.onGone = (reason) => {
      this.forget();
      onGone(reason);
    };
    port.onLost = onLost;
    port.onBack = () => {
      this.again();
      onBack();
    };
  }

  // Opens the port and sets options, pairs of name and value.
  async open(options = []) {
    this.options = options.map(([name, value]) => `setoption name ${name} value ${value}`);
    try {
      await this.port.open();
    } catch (error) {
      // A closed port tells the next user of this engine to open another one.
      this.close();
      throw error;
    }
    if (this.options.length > 0) this.port.send(this.options.join('\n'));
  }

  // Asks a new engine, in place of a lost one, what is still to be answered.
  again() {
    const wanted = this.running.filter((search) => search.wanted);
    for (const search of this.running) if (!search.wanted) search.resolve(null);
    this.running = wanted;
    const lines = [...this.options, ...wanted.flatMap((search) => search.lines)];
    if (lines.length > 0) this.port.send(lines.join('\n'));
  }

  // Starts a search and stops the one before. `onInfo` gets the parsed lines of this search only;
  // the promise resolves to the best move, or to null if the search was cancelled. `before` holds
  // lines to send when no search is running.
  go(position, limit, onInfo = () => {}, before = []) {
    if (this.port.closed) return Promise.resolve(null);
    const stop = this.running.length > 0 ? ['stop'] : [];
    for (const search of this.running) search.wanted = false;
    const lines = [...before, position, `go ${limit}`];
    return new Promise((resolve) => {
      this.running.push({ wanted: true, onInfo, resolve, lines });
      this.port.send([...stop, ...lines].join('\n'));
    });
  }

  // The exact value of a position, as the engine answers it: `win 5`, `draw` or `unknown`. No search
  // may be running; an engine that has gone answers nothing.
  value(position) {
    if (this.port.closed) return Promise.resolve('');
    return new Promise((resolve) => {
      this.asked.push(resolve);
      this.port.send(`${position}\nquery value`);
    });
  }

  // Stops the search; its promise resolves to null.
  cancel() {
    if (!this.running.some((search) => search.wanted)) return;
    for (const search of this.running) search.wanted = false;
    this.port.send('stop');
  }

  hear(line) {
    if (line.startsWith('response ')) {
      this.asked.shift()?.(line.slice('response '.length).trim());
      return;
    }
    const search = this.running[0];
    if (!search) return;
    const best = bestMoveOf(line);
    if (best !== null) {
      this.running.shift();
      search.resolve(search.wanted ? best : null);
      return;
    }
    const info = search.wanted ? infoOf(line) : null;
    if (info) search.onInfo(info);
  }

  forget() {
    for (const search of this.running.splice(0)) search.resolve(null);
    for (const resolve of this.asked.splice(0)) resolve('');
  }

  close() {
    this.forget();
    this.port.close();
  }
}

// The `position` line of a game.
export function positionLine(start, moves) {
  const played = moves.length > 0 ? ` moves ${moves.join(' ')}` : '';
  return `position fen ${start}${played}`;
}
