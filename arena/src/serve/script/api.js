// Talks to the server: JSON, posts with the page's token, streams of events, and errors to show.

import { make, node } from './dom.js';

// An answer that is not the one hoped for; `help` says what to do about it.
export class ApiError extends Error {
  constructor(message, help, status) {
    super(message);
    this.help = help || null;
    this.status = status;
  }
}

function token() {
  return document.querySelector('meta[name="arena-token"]')?.content || '';
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new ApiError('The server does not answer.', 'Check that arena serve is still running.', 0);
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw new ApiError(said.error || `The server answered with status ${response.status}.`, said.help, response.status);
}

export async function getJson(path, signal) {
  return (await request(path, { signal })).json();
}

// Text, or HTML of the server's own making.
export async function getText(path) {
  return (await request(path)).text();
}

async function post(path, body, type) {
  const headers = { 'Content-Type': type, 'X-Arena-Token': token() };
  return request(path, { method: 'POST', headers, body });
}

export async function postJson(path, body) {
  return (await post(path, JSON.stringify(body), 'application/json')).json();
}

// Posts JSON and returns the answer as text.
export async function postJsonForText(path, body) {
  return (await post(path, JSON.stringify(body), 'application/json')).text();
}

// Posts plain text; answers without content are fine.
export async function postText(path, text) {
  await post(path, text, 'text/plain');
}

// Listens to a stream of events. `handlers` maps names of events to functions of their data;
// `text: true` passes the data as it is instead of as JSON. The browser reconnects after a lost
// connection by itself, but gives up after an error status, so this tries again then. `onState`
// hears `open` and `lost`. Returns a function that ends it.
export function subscribe(path, handlers, { onState = () => {}, text = false } = {}) {
  let source = null;
  let timer = null;
  let ended = false;
  let wait = 500;
  const open = () => {
    source = new EventSource(path);
    source.addEventListener('open', () => {
      wait = 500;
      onState('open');
    });
    source.addEventListener('error', () => {
      onState('lost');
      if (source.readyState !== EventSource.CLOSED || ended) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, 15000);
    });
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(text ? event.data : JSON.parse(event.data)));
    }
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
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
  const close = make('button', { type: 'button', 'aria-label': 'Close this message', onclick: () => box.remove() }, '×');
  box.append(close);
  document.getElementById('app').prepend(box);
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
