// Tabs for the parts of a section, of which one is shown (WAI-ARIA, "Tabs Pattern"). Without a script
// the links lead to the parts, which stand below each other.

// Turns the links above parts into tabs, in the whole page.
export function tabs() {
  const groups = [...document.querySelectorAll('.tabs')].map(groupOf).filter(Boolean);
  // Opens the part that an address names.
  const follow = () => {
    for (const { links, choose } of groups) {
      const named = links.find((link) => link.hash === location.hash);
      if (!named) continue;
      choose(named);
      named.closest('section').scrollIntoView({ behavior: 'instant' });
    }
  };
  window.addEventListener('hashchange', follow);
  follow();
}

function groupOf(root) {
  const list = root.querySelector('.tab-list');
  if (!list) return null;
  const links = [...list.querySelectorAll('a')];
  const partOf = (link) => document.getElementById(link.hash.slice(1));
  list.setAttribute('role', 'tablist');
  for (const link of links) {
    const part = partOf(link);
    link.parentElement.setAttribute('role', 'presentation');
    link.id = `${part.id}-tab`;
    link.setAttribute('role', 'tab');
    link.setAttribute('aria-controls', part.id);
    part.setAttribute('role', 'tabpanel');
    part.setAttribute('aria-labelledby', link.id);
  }
  const choose = (chosen) => {
    for (const link of links) {
      const isChosen = link === chosen;
      link.setAttribute('aria-selected', String(isChosen));
      link.tabIndex = isChosen ? 0 : -1;
      partOf(link).hidden = !isChosen;
    }
    // What is shown now may be measured now.
    window.dispatchEvent(new Event('resize'));
  };
  list.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link);
    link.focus({ preventScroll: true });
  });
  list.addEventListener('keydown', (event) => {
    const at = links.indexOf(event.target.closest('a'));
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1, ' ': at }[event.key];
    if (at < 0 || next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const link = links[(next + links.length) % links.length];
    choose(link);
    link.focus({ preventScroll: true });
  });
  choose(links[0]);
  return { links, choose };
}
