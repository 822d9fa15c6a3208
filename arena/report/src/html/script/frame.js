// The frame of the page: what is wider than the window says so, and the bar names the section in
// view.

import { $, make } from './dom.js';
import { say } from './words.js';

// Says above every table in an element that is wider than its frame that it can be moved, and fades
// the edge beyond which it continues.
export function wideTables(root) {
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => measure(target)));
  for (const box of root.querySelectorAll('.scroll')) {
    if (hintOf(box)) continue;
    box.before(make('p', { class: 'sideways', 'aria-hidden': 'true', hidden: true }, say('frame.right')));
    box.addEventListener('scroll', () => measure(box), { passive: true });
    watch.observe(box);
    for (const table of box.children) watch.observe(table);
  }
}

function hintOf(box) {
  const before = box.previousElementSibling;
  return before?.classList.contains('sideways') ? before : null;
}

function measure(element) {
  const box = element.closest('.scroll');
  const hint = box && hintOf(box);
  if (!hint) return;
  const left = box.scrollLeft;
  const right = box.scrollWidth - box.clientWidth - left;
  // Parts of a pixel are no columns.
  box.dataset.more = [left > 1 ? 'left' : '', right > 1 ? 'right' : ''].join(' ').trim();
  hint.hidden = box.clientWidth === 0 || box.scrollWidth <= box.clientWidth + 1;
  hint.textContent = say(right > 1 ? 'frame.right' : 'frame.left');
}

// Marks the link in the bar whose section is in view.
export function whereabouts() {
  const nav = /** @type {HTMLElement} */ (document.querySelector('.bar nav'));
  const links = [...nav.querySelectorAll('a')];
  const sections = links.map((link) => $(link.hash.slice(1)));
  let now = null;
  const mark = () => {
    // The last section that begins in the upper third of the window.
    const line = window.innerHeight / 3;
    const begun = sections.map((section) => section.getBoundingClientRect().top <= line);
    const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const link = isAtEnd && window.scrollY > 0 ? links[links.length - 1] : links[begun.lastIndexOf(true)];
    if (link === now) return;
    now?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'true');
    now = link;
    if (link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  };
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  window.addEventListener('scroll', soon, { passive: true });
  window.addEventListener('resize', soon);
  mark();
}
