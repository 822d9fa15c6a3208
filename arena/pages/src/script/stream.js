// Streams of events from the server.

// Listens to a stream of events: messages with a name and data. `handlers` maps names to functions of
// the data. A lost connection is opened again, more and more slowly; after `tries` attempts in a row
// `onFail` is called and nothing more happens. `onOpen` is called after each opening. Returns a
// function that ends it.
export function subscribe(path, handlers, { onOpen = () => {}, onFail = () => {}, tries = Infinity } = {}) {
  let socket = null;
  let timer = null;
  let ended = false;
  let failed = 0;
  const open = () => {
    // Streams do not count among the few connections that a browser opens to a server.
    socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`);
    socket.addEventListener('open', () => {
      failed = 0;
      onOpen();
    });
    socket.addEventListener('message', ({ data }) => {
      const [name, value] = JSON.parse(data);
      if (!ended) handlers[name]?.(value);
    });
    socket.addEventListener('close', () => {
      if (ended) return;
      failed += 1;
      if (failed >= tries) onFail();
      else timer = setTimeout(open, Math.min(15000, 250 * 2 ** failed));
    });
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket.close();
  };
}
