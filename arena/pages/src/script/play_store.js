// What the play page keeps: the game of this tab, so that a reload goes on with it, and the choices
// of the last game. A browser that allows no storage loses them with the page.

function read(storage, key) {
  try {
    return JSON.parse(storage().getItem(key));
  } catch {
    return null;
  }
}

function write(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Nothing is kept then.
  }
}

// The storages are functions, because reading `window.localStorage` itself may be forbidden.
const TAB = () => sessionStorage;
const ALWAYS = () => localStorage;

export const loadGame = () => read(TAB, 'play');
export const saveGame = (game) => write(TAB, 'play', game);
export const loadChoices = () => read(ALWAYS, 'play-choices');
export const saveChoices = (choices) => write(ALWAYS, 'play-choices', choices);
