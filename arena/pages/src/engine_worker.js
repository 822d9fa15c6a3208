// One engine of the WebAssembly module, in a worker. The first message holds the compiled module and
// the engine's name, every later one text of UGI lines. The answers are `{ opened }`, `{ line }`, and at
// the end `{ gone }` with a reason.
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

// A task after the messages that wait; timers would be delayed.
const { port1, port2 } = new MessageChannel();
const afterMessages = () => new Promise((resolve) => {
  port1.onmessage = resolve;
  port2.postMessage(null);
});

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
    for (const line of text.trimEnd().split('\n')) postMessage({ line });
  },
  now: () => performance.now(),
  pause: hears ? new Suspending(afterMessages) : () => {},
};

/** @param {WebAssembly.Module} module */
async function start(module, engine) {
  const instance = await WebAssembly.instantiate(module, { host });
  const exports = /** @type {any} */ (instance.exports);
  memory = exports.memory;
  input.unshift(encoder.encode(engine));
  if (!exports.start()) throw new Error(`there is no engine ${engine}`);
  run = hears ? promising(exports.run) : exports.run;
  postMessage({ opened: { hears } });
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
    start(data.module, data.engine).then(work).catch(failed);
  }
};
