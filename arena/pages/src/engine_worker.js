// One engine of the WebAssembly module, in a worker. The first message holds the compiled module, the
// engine's name and the endgame tables of the site, if it has any, every later one text of UGI lines. The
// answers are `{ opened }`, `{ line }`, `{ tables }` when more of them are in use, and at the end `{ gone }`
// with a reason.
//
// Tables are loaded when the engine has answered about a position that they might serve, and used from the
// next question or search on. Those that have been loaded once are kept for use without a network.
//
// A search keeps this thread busy. Where the browser can suspend WebAssembly, `pause` lets the messages
// in that wait, so that the engine hears `stop`, and the search goes on where it was. Elsewhere it hears
// nothing before a search ends, as `opened.hears` tells.

const { Suspending, promising } = /** @type {any} */ (WebAssembly);
const hears = Boolean(Suspending && promising);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Pieces of input that wait.
const input = [];

let memory = null;
let run = null;
let busy = false;

// The module's functions for tables, those that the site has, and the boards that have been looked for.
let module = null;
/** @type {{ name: string, digest: string }[]} */
let tables = [];
const asked = new Set();
// Loaded tables that wait for a pause of the engine: the board, and the bytes of each file.
const loaded = [];

// A task after the messages that wait; timers would be delayed.
const { port1, port2 } = new MessageChannel();
const afterMessages = () => new Promise((resolve) => {
  port1.onmessage = resolve;
  port2.postMessage(null);
});

// What the module says of tables that it cannot use, while it reads them.
/** @type {string[] | null} */
let refused = null;

const host = {
  read(to, most) {
    if (input.length === 0) return -1;
    const piece = input[0].subarray(0, most);
    new Uint8Array(memory.buffer, to >>> 0, piece.length).set(piece);
    input[0] = input[0].subarray(piece.length);
    if (input[0].length === 0) input.shift();
    return piece.length;
  },
  write(from, count) {
    const text = decoder.decode(new Uint8Array(memory.buffer, from >>> 0, count));
    for (const line of text.trimEnd().split('\n')) {
      refused?.push(line.slice('info string '.length));
      postMessage({ line });
    }
  },
  now: () => performance.now(),
  pause: hears ? new Suspending(afterMessages) : () => {},
};

async function start(first) {
  const code = /** @type {WebAssembly.Module} */ (first.module);
  const instance = await WebAssembly.instantiate(code, { host });
  module = /** @type {any} */ (instance.exports);
  tables = first.tables ?? [];
  memory = module.memory;
  input.unshift(encoder.encode(first.engine));
  if (!module.start()) throw new Error(`there is no engine ${first.engine}`);
  run = hears ? promising(module.run) : module.run;
  postMessage({ opened: { hears } });
}

// The files kept for use without a network. A browser keeps none for an address without encryption.
const kept = () => globalThis.caches?.open('fanorona-tables').catch(() => undefined);
const addressOf = ({ name, digest }) => `tables/${name}?${digest}`;

// The bytes of a table; null if they are not to be had now.
async function load(table) {
  const cache = await kept();
  const address = addressOf(table);
  let response = await cache?.match(address);
  if (!response) {
    response = await fetch(address).catch(() => undefined);
    if (!response?.ok) return null;
    // In place of the one that an earlier version of the site had.
    await cache?.delete(address, { ignoreSearch: true });
    await cache?.put(address, response.clone()).catch(() => {});
  }
  return new Uint8Array(await response.arrayBuffer());
}

// Loads the tables of the board that the engine has asked for last.
async function loadTables() {
  const board = module.wanted();
  if (board === 0 || asked.has(board)) return;
  asked.add(board);
  const ofBoard = tables.filter(({ name }) => name.startsWith(`${board >> 8}x${board & 255}-`));
  if (ofBoard.length === 0) return;
  const files = await Promise.all(ofBoard.map((table) => load(table).catch(() => null)));
  // Without a network the next question tries again.
  if (files.every((bytes) => bytes === null)) asked.delete(board);
  loaded.push({ board, files: ofBoard.map((table, index) => ({ table, bytes: files[index] })) });
  useTables();
}

// Gives the module what has been loaded. It reads nothing while it runs.
function useTables() {
  if (busy) return;
  for (const { board, files } of loaded.splice(0)) {
    for (const { table, bytes } of files) if (bytes) give(table.name, bytes);
    refused = [];
    module.use_tables(board);
    const damaged = refused;
    refused = null;
    // A new visit loads them again.
    const isDamaged = ({ name }) => damaged.some((line) => line.startsWith(`${name}: `));
    const bad = tables.filter(isDamaged);
    kept()?.then((cache) => Promise.all(bad.map((table) => cache?.delete(addressOf(table)))));
    postMessage({ tables: { damaged } });
  }
}

function give(name, bytes) {
  const word = encoder.encode(name);
  const to = module.room(bytes.length + word.length) >>> 0;
  const into = new Uint8Array(memory.buffer, to, bytes.length + word.length);
  into.set(bytes);
  into.set(word, bytes.length);
  module.take(word.length);
}

// Only one call of the module runs at a time: a suspended one still has its frames on the stack.
async function work() {
  if (busy || !run) return;
  busy = true;
  while (input.length > 0) {
    if (!await run()) {
      postMessage({ gone: 'the engine has ended' });
      close();
      return;
    }
  }
  busy = false;
  useTables();
  await loadTables();
}

function failed(error) {
  postMessage({ gone: `the engine has failed: ${error.message}` });
  close();
}

onmessage = ({ data }) => {
  if (typeof data === 'string') {
    input.push(encoder.encode(`${data}\n`));
    work().catch(failed);
  } else {
    start(data).then(work).catch(failed);
  }
};
