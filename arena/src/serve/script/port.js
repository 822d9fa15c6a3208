// A small port that carries UGI lines between a page and one engine. Everything that talks to an
// engine uses only this class, so that an engine inside the browser can take the server's place.

import { postJson, postText } from './api.js';

export class EnginePort {
  constructor(name, rules = '') {
    Object.assign(this, { name, rules, id: null, source: null, closed: false, waiting: [], sending: false });
    this.onLine = () => {};
    // Called once when the engine has ended by itself, with a reason.
    this.onGone = () => {};
  }

  // Starts the engine; resolves when its lines can be heard, so that none is missed.
  async open() {
    const { id } = await postJson('/api/engine', { engine: this.name, rules: this.rules });
    this.id = id;
    if (this.closed) {
      this.quit();
      return;
    }
    this.source = new EventSource(`/api/engine/${id}/lines`);
    this.source.addEventListener('line', (event) => this.onLine(event.data));
    this.source.addEventListener('gone', (event) => this.end(event.data));
    await new Promise((resolve) => {
      this.source.addEventListener('open', resolve, { once: true });
      this.source.addEventListener('error', () => {
        // While the browser reconnects by itself the engine is kept.
        if (this.source.readyState === EventSource.CLOSED) this.end('the connection was lost');
        resolve();
      });
    });
  }

  // Sends one or more lines. Lines sent while others are on their way follow them in order.
  send(lines) {
    this.waiting.push(lines);
    if (!this.sending) this.flush();
  }

  async flush() {
    this.sending = true;
    while (this.waiting.length > 0 && !this.closed) {
      const text = this.waiting.splice(0).join('\n');
      try {
        await postText(`/api/engine/${this.id}/lines`, text);
      } catch (error) {
        this.end(error.message);
      }
    }
    this.sending = false;
  }

  end(reason) {
    if (this.closed) return;
    this.closed = true;
    this.source?.close();
    this.onGone(reason || 'the engine has ended');
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    this.source?.close();
    if (this.id !== null) this.quit();
  }

  // The server ends an engine that nobody listens to, so a lost farewell does no harm.
  quit() {
    postText(`/api/engine/${this.id}/quit`, '').catch(() => {});
  }
}
