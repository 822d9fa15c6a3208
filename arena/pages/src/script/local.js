// What pages keep in the browser. One that allows no storage keeps nothing, and every visit begins
// anew.

// The storages are functions, because reading `window.localStorage` itself may be forbidden.
export const TAB = () => sessionStorage;
export const ALWAYS = () => localStorage;

export function read(storage, key) {
  try {
    return JSON.parse(storage().getItem(key));
  } catch {
    return null;
  }
}

// Keeps a value; null removes it.
export function write(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Nothing is kept then.
  }
}
