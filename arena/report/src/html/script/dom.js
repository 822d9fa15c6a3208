// Small helpers around the document. Nothing here runs before it is called.

// An element by its identifier, which the page has.
export function $(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

// A drop-down list by its identifier.
export function dropDown(id) {
  return /** @type {HTMLSelectElement} */ ($(id));
}

// An element with text; `bdi` isolates names written from right to left.
export function node(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// An element with attributes and children; attributes that are null, false or undefined are left
// out, and `onEVENT` functions become listeners, because a policy forbids inline handlers.
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A drawn element, appended to `parent`.
export function svg(name, attributes, parent) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// The element within another one that has the focus; null: it is elsewhere.
export function focusedIn(root) {
  const active = /** @type {HTMLElement} */ (document.activeElement);
  return root.contains(active) ? active : null;
}

// A button whose visible text may be a sign; the label is what it does.
export function button(text, label, onClick, className) {
  return make('button', { type: 'button', 'aria-label': label || null, title: label || null, class: className || null, onclick: onClick }, text);
}

// Whether the user prefers no motion. Read each time, because the setting can change.
export function isStill() {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
