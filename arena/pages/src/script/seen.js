// Work for a page that can be seen: a hidden one asks for nothing.

const waiting = new Set();

// Does something now, or once when the page can be seen again.
export function whenSeen(action) {
  if (!document.hidden) {
    action();
    return;
  }
  if (waiting.size === 0) document.addEventListener('visibilitychange', resume, { once: true });
  waiting.add(action);
}

function resume() {
  const actions = [...waiting];
  waiting.clear();
  for (const action of actions) action();
}
