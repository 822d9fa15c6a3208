// Makes an element of the page equal to a new one with few changes: what stays the same keeps focus,
// selection and scroll position, and a click that has begun ends on the same element.

// What users and scripts change while the page is open.
const KEPT = new Set(['open', 'hidden', 'tabindex', 'aria-selected', 'data-more']);

export function renew(old, wanted) {
  for (const { name } of [...old.attributes]) {
    if (!KEPT.has(name) && !wanted.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (!KEPT.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  renewContent(old, wanted);
}

// The same for what an element contains.
export function renewContent(old, wanted) {
  const known = new Map();
  for (const child of old.childNodes) known.set(keyOf(child), [...(known.get(keyOf(child)) ?? []), child]);
  const children = [...wanted.childNodes].map((child) => {
    const same = known.get(keyOf(child))?.shift();
    if (!same) return child;
    if (same.nodeType === Node.ELEMENT_NODE) renew(same, child);
    else if (same.data !== child.data) same.data = child.data;
    return same;
  });
  for (const gone of [...known.values()].flat()) gone.remove();
  let next = old.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else old.insertBefore(child, next);
  }
}

// What makes two nodes the same one: the row of an engine stays its row at another rank.
function keyOf(node) {
  const name = node.nodeName;
  if (node.id) return `${name} ${node.id}`;
  if (name === 'TR') return `${name} ${node.querySelector('th[scope=row]')?.textContent ?? ''}`;
  if (name === 'DETAILS') return `${name} ${node.className || node.querySelector('summary')?.textContent}`;
  if (name === 'P') return `${name} ${node.className}`;
  return name;
}
