// Tabs for the parts of a section, of which one is shown (WAI-ARIA, "Tabs Pattern"). Without a script
// the links lead to the parts, which stand below each other.

// Turns the links above parts into tabs, everywhere in an element. Tabs that are chosen stay so.
export function tabs(root) {
  for (const list of root.querySelectorAll('.tab-list')) {
    list.setAttribute('role', 'tablist');
    const links = linksOf(list);
    for (const link of links) {
      const part = partOf(link);
      link.parentElement.setAttribute('role', 'presentation');
      link.id = `${part.id}-tab`;
      link.setAttribute('role', 'tab');
      link.setAttribute('aria-controls', part.id);
      part.setAttribute('role', 'tabpanel');
      part.setAttribute('aria-labelledby', link.id);
    }
    choose(links.find((link) => link.getAttribute('aria-selected') === 'true') ?? links[0]);
  }
}

// Follows mouse and keyboard on the tabs in an element, also on those that come later.
export function onTabs(root) {
  root.addEventListener('click', (event) => {
    const link = tabAt(event);
    // Tabs within a part have been followed there.
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link);
    link.focus({ preventScroll: true });
  });
  root.addEventListener('keydown', (event) => {
    const tab = tabAt(event);
    if (!tab || event.defaultPrevented) return;
    const links = linksOf(tab.closest('.tab-list')).filter((link) => !link.parentElement.hidden);
    const at = links.indexOf(tab);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1, ' ': at }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const link = links[(next + links.length) % links.length];
    choose(link);
    link.focus({ preventScroll: true });
  });
}

// Opens the part that the page's address names, now and whenever it changes.
export function followTabs() {
  const follow = () => {
    const named = [...document.querySelectorAll('.tab-list')].flatMap(linksOf).find((link) => link.hash === location.hash);
    if (!named) return;
    choose(named);
    named.closest('section').scrollIntoView({ behavior: 'instant' });
  };
  window.addEventListener('hashchange', follow);
  follow();
}

function tabAt(event) {
  return /** @type {HTMLAnchorElement | null} */ (event.target.closest('.tab-list a'));
}

function linksOf(list) {
  return [...list.querySelectorAll('a')];
}

function partOf(link) {
  return link.closest('.tabs').querySelector(`[id="${link.hash.slice(1)}"]`);
}

// Shows a part that has a tab.
export function openTab(part) {
  choose(part.closest('.tabs').querySelector(`[href="#${part.id}"]`));
}

// A part that is shown now hears of it by the event `shown`.
function choose(chosen) {
  for (const link of linksOf(chosen.closest('.tab-list'))) {
    const isChosen = link === chosen;
    link.setAttribute('aria-selected', String(isChosen));
    link.tabIndex = isChosen ? 0 : -1;
    partOf(link).hidden = !isChosen;
  }
  partOf(chosen).dispatchEvent(new Event('shown'));
}
