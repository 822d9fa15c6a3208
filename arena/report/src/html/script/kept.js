// Choices that the browser keeps, if it is allowed to.

export function kept(key) {
  try {
    return localStorage.getItem(key) || '';
  } catch {
    return '';
  }
}

// Whether the user wants to hear the board.
export function hasSounds() {
  return kept('sounds') === 'on';
}

// Without storage a choice lasts until the page is closed.
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works without.
  }
}
