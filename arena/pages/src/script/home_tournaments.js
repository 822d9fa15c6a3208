// The tournaments on the first page: those that run and have run, and those that can be started.

import { make, node } from './dom.js';
import { ApiError, attempt, errorBox, getJson, postJson } from './api.js';
import { agoText } from './format.js';
import { newTournament } from './home_form.js';
import { headlineOf } from './headline.js';
import { HomeLive } from './home_live.js';
import { isFiles, tournamentAddress } from './place.js';
import { say, sayParts } from './words.js';

// How often a page with running tournaments asks for news.
const PERIOD_MS = 5000;

// Fills their section, and keeps it true; `watch` is the link to the one that runs.
export async function tournaments(section, watch) {
  const list = make('div', { class: 'collection' });
  const others = make('div');
  section.append(node('h2', say('home.tournaments')), list, others);
  const cards = new Map();
  const show = (library) => {
    // Files without reports have nothing to list.
    section.hidden = isFiles() && library.tournaments.length === 0;
    drawCards(list, cards, library);
    drawOthers(others, library);
    follow(cards, library);
    const running = library.tournaments.find((one) => one.state === 'running');
    watch.setAttribute('href', running ? tournamentAddress(running.id) : '#tournaments');
    watch.hidden = section.hidden;
  };
  /** @type {import('../../views').Library} */
  let library = await getJson('/api/library');
  show(library);
  if (isFiles()) return;
  if (library.engines.length > 1) section.append(newTournament(library.engines));
  const ask = async () => {
    if (document.hidden) return;
    try {
      library = await getJson('/api/library');
      show(library);
      list.querySelector('.error')?.remove();
    } catch (error) {
      // That there is no server, or another one, every page says by itself.
      const isSaid = error instanceof ApiError && [0, 403].includes(error.status);
      if (!isSaid && !list.querySelector('.error')) list.prepend(errorBox(error));
    }
  };
  setInterval(ask, PERIOD_MS);
  window.addEventListener('server-back', ask);
}

// The newest running tournament shows one of its games.
let followed = null;

function follow(cards, { tournaments }) {
  const id = tournaments.find((one) => one.state === 'running')?.id ?? null;
  if ((followed?.id ?? null) === id) return;
  followed?.live.stop();
  followed = id ? { id, live: new HomeLive(id) } : null;
  if (followed) cards.get(id).root.append(followed.live.root);
}

// Running tournaments first; cards are kept, so that the focus stays where it is.
function drawCards(list, cards, { tournaments, engines }) {
  if (tournaments.length === 0) {
    list.replaceChildren(emptyState(engines));
    cards.clear();
    return;
  }
  list.querySelector('.empty')?.remove();
  const order = [...tournaments].sort((a, b) => Number(b.state === 'running') - Number(a.state === 'running'));
  const ids = new Set(order.map((one) => one.id));
  for (const [id, card] of cards) {
    if (ids.has(id)) continue;
    card.root.remove();
    cards.delete(id);
  }
  order.forEach((tournament, index) => {
    let card = cards.get(tournament.id);
    if (!card) {
      card = newCard(tournament.id);
      cards.set(tournament.id, card);
    }
    if (list.children[index] !== card.root) list.insertBefore(card.root, list.children[index] ?? null);
    fillCard(card, tournament);
  });
}

function newCard(id) {
  const title = make('a', { href: tournamentAddress(id) });
  const [state, facts, engines, outcome, count, when] = ['span', 'p', 'p', 'p', 'span', 'time'].map((name) => node(name));
  state.className = 'state';
  facts.className = 'soft';
  engines.className = 'engines';
  outcome.className = 'headline';
  when.className = 'soft';
  const progress = make('progress', { 'aria-label': say('home.finished') });
  const root = make('article', { class: 'card' },
    make('h3', {}, title), state, facts, engines, outcome, progress, make('p', { class: 'card-foot' }, count, when));
  return { root, title, state, facts, engines, outcome, progress, count, when };
}

const NAMES = 4;

function fillCard(card, t) {
  card.title.textContent = t.title;
  card.state.textContent = say(`run.${t.state}`);
  card.state.dataset.state = t.state;
  card.facts.textContent = [say(`format.${t.format}`), t.kinds.map((kind) => say(`kind.${kind}`)).join(', '), t.dir].join(' · ');
  const names = t.engines.slice(0, NAMES).flatMap((name, index) => [index > 0 ? ', ' : '', node('bdi', name)]);
  const more = t.engines.length - NAMES;
  card.engines.replaceChildren(...names, more > 0 ? ` ${say('home.more', { n: more })}` : '');
  card.progress.hidden = !t.expected;
  card.progress.max = t.expected || 1;
  card.progress.value = t.finished;
  card.count.textContent = t.expected ? say('count.games-of', { done: t.finished, n: t.expected }) : say('count.games', { n: t.finished });
  const line = headlineOf(t);
  card.outcome.replaceWith(line);
  card.outcome = line;
  card.when.dateTime = t.modified;
  card.when.textContent = agoText(t.modified);
}

function emptyState(engines) {
  const command = `arena quick ${engines.slice(0, 2).join(' ') || 'bot-alphabeta bot-mcts'}`;
  return make('div', { class: 'empty' },
    node('h3', say('home.none')),
    make('p', {}, ...sayParts('home.none.help', { command: node('code', command) })));
}

function drawOthers(root, { configs, unreadable }) {
  const key = JSON.stringify([configs, unreadable]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  root.replaceChildren();
  if (configs.length > 0) {
    const rows = configs.map((config) => make('li', {},
      make('span', { class: 'config' }, node('b', config.name), node('code', config.path)),
      config.refused
        ? node('span', say('home.refused', { why: config.refused }), 'soft')
        : make('button', { type: 'button', 'aria-label': say('home.start-one', { name: config.name }), onclick: (event) => run(config, event.target) }, say('home.start'))));
    root.append(node('h3', say('home.configs')), make('ul', { class: 'configs' }, ...rows));
  }
  if (unreadable.length > 0) {
    root.append(make('details', {},
      node('summary', say('home.unreadable', { n: unreadable.length })),
      make('ul', {}, ...unreadable.map((one) => make('li', {}, node('code', one.dir), `: ${one.why}`)))));
  }
}

async function run(config, control) {
  control.disabled = true;
  const said = await attempt(() => postJson('/api/run', { config: config.id }));
  control.disabled = false;
  if (said) location.href = tournamentAddress(said.id);
}
