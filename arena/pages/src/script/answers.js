// The answers of pages without a server: what a server is asked over HTTP, a module of WebAssembly
// answers here, from the same functions.

import { openFile } from './page_files.js';
import { say } from './words.js';

// A function that acts once; if that fails, it may act again.
/**
 * @template T
 * @param {() => Promise<T>} action
 */
function once(action) {
  /** @type {Promise<T> | null} */
  let done = null;
  return () => {
    done ??= action().catch((error) => {
      done = null;
      throw error;
    });
    return done;
  };
}

// Resolves to a file that has to be there.
async function file(name) {
  const response = await openFile(name);
  if (!response.ok) throw new Error(say('error.status', { status: response.status }));
  return response;
}

// Loads the module, unless that has been done; answers then come at once. Resolves to its exports.
/** @type {() => Promise<any>} */
export const prepareAnswers = once(async () => {
  const { instance } = await WebAssembly.instantiate(await (await file('fanorona_answers.wasm')).arrayBuffer());
  return instance.exports;
});

// Asks the module; the answer is like one of a server.
async function ask(path, body) {
  const module = await prepareAnswers();
  const [question, text] = [path, body].map((words) => new TextEncoder().encode(words));
  const to = module.room(question.length + text.length) >>> 0;
  const memory = () => new Uint8Array(module.memory.buffer);
  memory().set(question, to);
  memory().set(text, to + question.length);
  const status = module.ask(question.length, text.length);
  const from = module.reply() >>> 0;
  const answer = new TextDecoder().decode(memory().slice(from, from + module.length()));
  return new Response(answer, { status: Math.abs(status) });
}

// The answers that need no question.
const lists = once(async () => (await file('lists.json')).json());

// Gives the module the puzzles.
const givePuzzles = once(async () => {
  const [puzzles] = await Promise.all([file('puzzles.jsonl').then((response) => response.text()), prepareAnswers()]);
  const taken = await ask('/api/puzzles', puzzles);
  if (!taken.ok) throw new Error((await taken.json()).error);
});

// Gives the module the games that the site has of its own, and those of its tournaments.
const giveGames = once(async () => {
  const own = await openFile('explorer.games');
  if (own.ok && own.body) {
    const text = await new Response(own.body.pipeThrough(new DecompressionStream('gzip'))).text();
    const { ratings } = (await lists())['/api/explorer/own'];
    await ask('/api/explorer/games', JSON.stringify({ id: '', text, ratings }));
  }
  const { tournaments } = await (await file('library.json')).json();
  for (const { id, ratings } of tournaments) {
    const response = await openFile(`games/${encodeURIComponent(id)}.fgn`);
    if (response.ok) await ask('/api/explorer/games', JSON.stringify({ id, text: await response.text(), ratings }));
  }
});

// The questions that files answer: the tournaments, and their games.
function fileOf(path) {
  const game = /^\/api\/(t\/[^/]+\/games\/[^/?]+)$/.exec(path)?.[1];
  return path === '/api/library' ? 'library.json' : game && `${game}.json`;
}

// The answer to what a page asks.
export async function answerHere(path, { body = '' } = {}) {
  const name = fileOf(path);
  if (name) return openFile(name);
  const list = body ? undefined : (await lists())[path];
  if (list !== undefined) return new Response(JSON.stringify(list));
  if (path.startsWith('/api/puzzles/')) await givePuzzles();
  // Without the games it knows what is proven.
  if (path === '/api/explorer') await giveGames().catch(() => {});
  return ask(path, body);
}
