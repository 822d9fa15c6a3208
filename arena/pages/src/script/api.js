// Talks to the server: JSON, posts with the page's token, and errors to show.

import { $, make, node } from './dom.js';
import { isFiles } from './place.js';
import { say } from './words.js';

// An answer that is not the one hoped for; `help` says what to do about it.
export class ApiError extends Error {
  constructor(message, help, status) {
    super(message);
    this.help = help || null;
    this.status = status;
  }
}

// The token of this server's pages, without which nothing can be changed.
export function token() {
  return document.querySelector('meta[name="arena-token"]')?.getAttribute('content') ?? '';
}

async function request(path, options) {
  let response;
  try {
    response = await (isFiles() ? here(path, options) : fetch(path, options));
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new ApiError(say('error.no-answer'), say('error.no-answer.help'), 0);
  }
  if (response.ok) return response;
  const [said, { refusalText }] = await Promise.all([response.json().catch(() => ({})), import('./refusal.js')]);
  const { text, help } = refusalText(said);
  throw new ApiError(text || say('error.status', { status: String(response.status) }), help, response.status);
}

// Asks the module that answers where there is no server.
async function here(path, options) {
  const { answerHere } = await import('./answers.js');
  return answerHere(path, options);
}

// An answer that came with the page.
function known(path, question = '') {
  return JSON.parse($('lists')?.textContent ?? '{}')[path + question];
}

export async function getJson(path, signal) {
  return known(path) ?? (await request(path, { signal })).json();
}

// Text, or HTML of the server's own making.
export async function getText(path) {
  return (await request(path)).text();
}

// Asks whether the server is there, and takes over its token: one that has been restarted has
// another, which it tells a browser that has been let in. Returns whether the token is new.
export async function renewToken(signal) {
  const { token: now } = await getJson('/api/alive', signal);
  const before = token();
  document.querySelector('meta[name="arena-token"]')?.setAttribute('content', now);
  return now !== before;
}

async function post(path, body, type) {
  const send = () => request(path, { method: 'POST', headers: { 'Content-Type': type, 'X-Arena-Token': token() }, body });
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403 || !(await renewToken())) throw error;
    return send();
  }
}

export async function postJson(path, body) {
  const question = JSON.stringify(body);
  return known(path, question) ?? (await post(path, question, 'application/json')).json();
}

// Posts JSON and returns the answer as text.
export async function postJsonForText(path, body) {
  return (await post(path, JSON.stringify(body), 'application/json')).text();
}

// Posts plain text; answers without content are fine.
export async function postText(path, text) {
  await post(path, text, 'text/plain');
}

// A box with an error and what to do about it.
export function errorBox(error) {
  const box = make('div', { class: 'error', role: 'alert' }, node('p', error.message));
  if (error.help) box.append(node('p', error.help, 'soft'));
  return box;
}

// Shows an error at the top of the page's content, above everything else there, until the next one or
// a click.
export function showError(error) {
  document.querySelector('#app > .error.at-top')?.remove();
  const box = errorBox(error);
  box.classList.add('at-top');
  const close = make('button', { type: 'button', 'aria-label': say('error.close'), onclick: () => box.remove() }, '×');
  box.append(close);
  $('app').prepend(box);
  box.scrollIntoView({ block: 'nearest' });
  if (!(error instanceof ApiError)) console.error(error);
}

// Runs an action; its error is shown at the top of the page. Returns its value or null.
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    showError(error);
    return null;
  }
}
