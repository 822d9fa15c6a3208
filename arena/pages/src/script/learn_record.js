// The steps of the course that the user has done, which this browser keeps.

const KEY = 'learn';

export function loadDone() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    // Without storage every visit begins anew.
    return new Set();
  }
}

export function saveDone(done) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...done]));
  } catch {
    // See above.
  }
}
