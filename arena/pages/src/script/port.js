// A small port that carries UGI lines between a page and one engine. Everything that talks to an
// engine uses only this class, so that an engine inside the browser can take the server's place.

import { postJson, postText, subscribe, token } from './api.js';
import { say } from './words.js';

// How often in a row a lost connection is opened again.
const TRIES = 5;

export class EnginePort {
  constructor(name, rules = '') {
    this.name = name;
    this.rules = rules;
    this.id = null;
    this.hush = () => {};
    this.closed = false;
    this.waiting = [];
    this.sending = false;
    /** @type {(line: string) => void} */
    this.onLine = () => {};
    // Called once when the engine has ended by itself, with a reason.
    /** @type {(reason: string) => void} */
    this.onGone = () => {};
    // The server ends engines that nobody listens to, but only after a while, and few may run at
    // once: a page that goes away for good says so.
    this.leave = (event) => {
      if (!event.persisted) this.close();
    };
  }

  // Starts the engine; resolves when its lines can be heard, so that none is missed.
  async open() {
    const { id } = await postJson('/api/engine', { engine: this.name, rules: this.rules });
    this.id = id;
    if (this.closed) {
      this.quit();
      return;
    }
    await /** @type {Promise<void>} */ (new Promise((resolve) => {
      // While the connection is tried again the server keeps the engine.
      this.hush = subscribe(`/api/engine/${id}/lines`, {
        line: (line) => this.onLine(line),
        gone: (reason) => this.end(reason),
      }, {
        onOpen: resolve,
        onFail: () => {
          this.end(say('port.lost'));
          resolve();
        },
        tries: TRIES,
      });
    }));
    if (this.closed) return;
    window.addEventListener('pagehide', this.leave);
    this.flush();
  }

  // Sends one or more lines. Lines sent before the engine is open, or while others are on their
  // way, follow in order.
  send(lines) {
    this.waiting.push(lines);
    if (!this.sending) this.flush();
  }

  async flush() {
    this.sending = true;
    while (this.waiting.length > 0 && this.id !== null && !this.closed) {
      const text = this.waiting.splice(0).join('\n');
      try {
        await postText(`/api/engine/${this.id}/lines`, text);
      } catch (error) {
        this.end(/** @type {Error} */ (error).message);
      }
    }
    this.sending = false;
  }

  end(reason) {
    if (this.closed) return;
    this.closed = true;
    this.hush();
    window.removeEventListener('pagehide', this.leave);
    this.onGone(reason || say('port.ended'));
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    this.hush();
    window.removeEventListener('pagehide', this.leave);
    if (this.id !== null) this.quit();
  }

  // A lost farewell does no harm. `keepalive` sends it although the page is being left.
  quit() {
    const headers = { 'Content-Type': 'text/plain', 'X-Arena-Token': token() };
    fetch(`/api/engine/${this.id}/quit`, { method: 'POST', headers, keepalive: true }).catch(() => {});
  }
}
