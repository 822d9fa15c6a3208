// A small port that carries UGI lines between a page and one engine. Everything that talks to an
// engine uses only this class, so that an engine inside the browser can take the server's place.

import { ApiError, postJson, postText, token } from './api.js';
import { subscribe } from './stream.js';
import { say } from './words.js';

// How often in a row a lost connection is opened again, before the engine is taken for lost.
const TRIES = 5;
// How long to wait before a lost engine is started again, unless the server says earlier that it is
// back.
const AGAIN_MS = 3000;

export class EnginePort {
  constructor(name, rules = '') {
    this.name = name;
    this.rules = rules;
    this.id = null;
    this.hush = () => {};
    this.closed = false;
    this.waiting = [];
    this.sending = false;
    this.reviving = false;
    /** @type {(line: string) => void} */
    this.onLine = () => {};
    // Called once when the engine has ended by itself, with a reason.
    /** @type {(reason: string) => void} */
    this.onGone = () => {};
    // What only an engine of a site hears of.
    this.onTables = () => {};
    // Called when the server no longer has the engine, as after a restart, and when another one has
    // been started in its place, which knows nothing of what was sent before.
    this.onLost = () => {};
    this.onBack = () => {};
    // The server ends engines that nobody listens to, but only after a while, and few may run at
    // once: a page that goes away for good says so.
    this.leave = (event) => {
      if (!event.persisted) this.close();
    };
    // Another server has none of the engines of the one before.
    this.renewed = (event) => {
      if (event.detail && this.id !== null) this.lost();
    };
  }

  // Starts the engine; resolves when its lines can be heard, so that none is missed.
  async open() {
    try {
      await this.begin();
    } catch (error) {
      // A server that is gone may come back.
      if (!(error instanceof ApiError) || ![0, 403].includes(error.status)) throw error;
      await this.lost();
    }
    if (this.closed) return;
    window.addEventListener('pagehide', this.leave);
    window.addEventListener('server-back', this.renewed);
    this.flush();
  }

  async begin() {
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
          this.lost();
          resolve();
        },
        tries: TRIES,
      });
    }));
  }

  // The server does not know the engine any more, or cannot be reached. Another one takes its place
  // as soon as the server lets it.
  async lost() {
    if (this.closed) return;
    this.id = null;
    this.hush();
    if (this.reviving) return;
    this.reviving = true;
    this.onLost();
    while (!this.closed && this.id === null) {
      await this.begin().catch((error) => {
        // It cannot be had any more, however long one waits.
        if ([400, 404].includes(error.status)) this.end(error.message);
      });
      if (!this.closed && this.id === null) await serverBack();
    }
    this.reviving = false;
    // What was meant for the engine before is for its successor to be told anew.
    this.waiting = [];
    if (!this.closed) this.onBack();
  }

  // Sends one or more lines. Lines sent before the engine is open, or while others are on their
  // way, follow in order.
  send(lines) {
    this.waiting.push(lines);
    if (!this.sending) this.flush();
  }

  async flush() {
    this.sending = true;
    while (this.waiting.length > 0 && this.id !== null && !this.closed && !this.reviving) {
      const text = this.waiting.splice(0).join('\n');
      try {
        await postText(`/api/engine/${this.id}/lines`, text);
      } catch (error) {
        // Nothing is at this address, or nobody answers.
        if (error instanceof ApiError && [0, 403, 404].includes(error.status)) this.lost();
        else this.end(/** @type {Error} */ (error).message);
      }
    }
    this.sending = false;
  }

  end(reason) {
    if (this.closed) return;
    this.closed = true;
    this.unhear();
    this.onGone(reason || say('port.ended'));
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    this.unhear();
    if (this.id !== null) this.quit();
  }

  unhear() {
    this.hush();
    window.removeEventListener('pagehide', this.leave);
    window.removeEventListener('server-back', this.renewed);
  }

  // A lost farewell does no harm. `keepalive` sends it although the page is being left.
  quit() {
    const headers = { 'Content-Type': 'text/plain', 'X-Arena-Token': token() };
    fetch(`/api/engine/${this.id}/quit`, { method: 'POST', headers, keepalive: true }).catch(() => {});
  }
}

// Waits until the server is said to be back, or for a while.
function serverBack() {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('server-back', done);
      resolve(null);
    };
    const timer = setTimeout(done, AGAIN_MS);
    window.addEventListener('server-back', done);
  });
}
