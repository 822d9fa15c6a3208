// Whether the server is there: a page that is looked at asks every second, says so when there is no
// answer, and goes on by itself when there is one again.

import { ApiError, renewToken } from './api.js';
import { make } from './dom.js';
import { say } from './words.js';

const PERIOD_MS = 1000;
// How long an answer may take. A busy machine takes a part of this.
const PATIENCE_MS = 1500;

// Begins to ask. When the server is back, the window gets the event `server-back`.
export function watchServer() {
  const said = make('p', { class: 'lost', role: 'status', hidden: true });
  document.body.append(said);
  let asking = false;
  const ask = async () => {
    if (asking || document.hidden) return;
    asking = true;
    const text = await trouble();
    asking = false;
    const wasLost = !said.hidden;
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === '';
    if (wasLost && said.hidden) window.dispatchEvent(new Event('server-back'));
  };
  setInterval(ask, PERIOD_MS);
  document.addEventListener('visibilitychange', ask);
}

// What is wrong, in words; empty if nothing is.
async function trouble() {
  try {
    await renewToken(AbortSignal.timeout(PATIENCE_MS));
    return '';
  } catch (error) {
    return say(error instanceof ApiError && error.status === 403 ? 'alive.other' : 'alive.gone');
  }
}
