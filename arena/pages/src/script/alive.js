// Whether the server is there: a page that is looked at asks every second, says so when there is no
// answer, and goes on by itself when there is one again.

import { ApiError, renewToken } from './api.js';
import { make } from './dom.js';
import { say } from './words.js';

const PERIOD_MS = 1000;
// How long an answer may take. A server that is gone refuses at once; one on a busy machine takes a part of
// this.
const PATIENCE_MS = 5000;

// Begins to ask. When the server is back, the window gets the event `server-back`, whose detail says
// whether it is another one.
export function watchServer() {
  const said = make('p', { class: 'lost', role: 'status', hidden: true });
  document.body.append(said);
  let asking = false;
  const ask = async () => {
    if (asking || document.hidden) return;
    asking = true;
    const { text, renewed } = await state();
    asking = false;
    const wasLost = !said.hidden;
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === '';
    if (wasLost && said.hidden) window.dispatchEvent(new CustomEvent('server-back', { detail: renewed }));
  };
  setInterval(ask, PERIOD_MS);
  document.addEventListener('visibilitychange', ask);
}

// What is wrong, in words, empty if nothing is; and whether another server has begun to answer.
async function state() {
  try {
    return { text: '', renewed: await renewToken(AbortSignal.timeout(PATIENCE_MS)) };
  } catch (error) {
    return { text: say(error instanceof ApiError && error.status === 403 ? 'alive.other' : 'alive.gone'), renewed: false };
  }
}
