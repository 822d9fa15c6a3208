// The page of a tournament: what is being played, the sections of the report, and the games.

import { make } from './dom.js';
import { getJson, attempt } from './api.js';
import { WatchPanel } from './watch.js';
import { Section } from './section.js';
import { whenSeen } from './seen.js';
import { GamesTable } from './games_table.js';
import { TournamentTabs } from './tournament_tabs.js';
import { ReplayPanel } from './replay_panel.js';
import { say } from './words.js';

/** @import { Tournament } from '../../views' */

export async function start(app) {
  const id = document.body.dataset.id;
  // The head may say any text, so it comes with all of them, and everything else waits for it.
  /** @type {[Tournament, typeof import('./tournament_head.js')]} */
  const [tournament, { TournamentHead }] = await Promise.all([getJson(pathOf(id)), import('./tournament_head.js')]);
  app.classList.add('tournament-page');
  const page = new TournamentPage(app, id, tournament.scale, TournamentHead);
  page.show(tournament);
  page.table.refresh();
  if (mayChange(tournament)) page.watch.start();
  window.addEventListener('server-back', () => page.refresh());
  await page.replay.follow();
}

function pathOf(id) {
  return `/api/t/${encodeURIComponent(id)}`;
}

// Whether there is something to watch: boards, or at least results of games that another process
// plays. A tournament that ends has no boards any more while its results are being written.
/** @param {Tournament} tournament */
function mayChange({ live, state }) {
  return live || state === 'running';
}

// An address that opens the replay of a game.
function openGame(game) {
  location.hash = `g=${encodeURIComponent(game)}`;
}

// Which sections stand in which tab. The result stands above them once it is final.
/** @type {[string, string, string[]][]} */
const TABS = [
  ['games', say('explorer.tab.games'), []],
  ['standings', say('tournament.standings'), ['tuning', 'candidates', 'standings', 'sprt']],
  ['table', say('tournament.table'), ['stages', 'crosstable']],
  ['faults', say('tournament.faults'), ['faults']],
  ['setting', say('tournament.setting'), ['setting']],
];

class TournamentPage {
  // As it was shown last.
  /** @type {Tournament} */
  tournament;

  constructor(app, id, scale, TournamentHead) {
    this.id = id;
    this.update = () => this.refresh();
    this.updateGames = () => this.table.refresh();
    this.asking = false;
    this.again = false;
    this.headRoot = section(app, 'head');
    this.head = new TournamentHead(this.headRoot, { id, onChange: () => this.refresh() });
    const replayRoot = section(app, 'replay', say('replay.title'));
    const watchRoot = section(app, 'watch', say('home.watch'));
    for (const root of [replayRoot, watchRoot]) root.querySelector('h2').className = 'visually-hidden';
    this.tabs = new TournamentTabs(section(app, 'about'), TABS.map(([name, title]) => [name, title]));
    this.sections = new Map();
    this.ofReport(this.tabs.panel('standings'), 'result');
    for (const [tab, , names] of TABS) for (const name of names) this.ofReport(this.tabs.panel(tab), name);
    this.gamesRoot = section(this.tabs.panel('games'), 'games', say('explorer.tab.games'));

    this.table = new GamesTable(this.gamesRoot, { id, onOpen: openGame });
    this.watch = new WatchPanel(watchRoot, id, {
      scale,
      replay: openGame,
      end: () => whenSeen(this.updateGames),
      summary: () => whenSeen(this.update),
    });
    this.replay = new ReplayPanel(replayRoot, { id, table: this.table, onShow: (isShown) => this.watch.cover(isShown) });
  }

  // A section of the report; its HTML has the title.
  ofReport(parent, name) {
    const root = make('div', { class: `part ${name}` });
    parent.append(root);
    this.sections.set(name, new Section(root, `${pathOf(this.id)}/section/${name}`, {
      onGames: (wanted) => this.showGames(wanted),
    }));
  }

  /** @param {Tournament} tournament */
  show(tournament) {
    this.tournament = tournament;
    const { engines, sections } = tournament;
    this.head.show(tournament);
    this.watch.soon(tournament.next);
    const keys = new Map(sections.map(({ section: name, key }) => [name, key]));
    for (const [name, part] of this.sections) part.show(keys.get(name) ?? null);
    const there = TABS.filter(([name, , names]) => name === 'games' || names.some((it) => keys.has(it))).map(([name]) => name);
    this.tabs.show(there);
    if (tournament.format === 'tune') this.tabs.title('standings', say('format.tune'));
    this.tabs.title('table', say(tournament.format === 'knockout' ? 'tournament.bracket' : 'tournament.table'));
    this.place(tournament.state === 'finished', there);
    this.table.engines(engines.map((engine) => engine.name));
  }

  // The result belongs to the standings until it is final; then the page begins with it.
  place(isFinal, there) {
    if (isFinal === this.isFinal) return;
    this.isFinal = isFinal;
    const { root } = this.sections.get('result');
    if (isFinal) this.headRoot.after(root);
    else this.tabs.panel('standings').prepend(root);
    this.tabs.open(isFinal && there.includes('standings') ? 'standings' : 'games');
  }

  // The games of an engine, or of two engines against each other.
  showGames(wanted) {
    this.tabs.open('games');
    this.table.filter(wanted);
    this.gamesRoot.scrollIntoView({ block: 'start' });
  }

  // Asks for the numbers again. Summaries may come faster than the server answers; one more
  // request at the end is enough.
  async refresh() {
    this.again = this.asking;
    if (this.asking) return;
    this.asking = true;
    const said = await attempt(() => getJson(pathOf(this.id)));
    this.asking = false;
    if (said) this.changed(said);
    if (this.again) this.refresh();
  }

  changed(said) {
    const before = this.tournament;
    this.show(said);
    if (said.finished !== before.finished || this.table.isOld) this.table.refresh();
    if (mayChange(said) && !mayChange(before)) this.watch.start();
    if (!mayChange(said) && mayChange(before)) this.watch.stop();
  }
}

// A section of the page with its title.
function section(parent, name, title) {
  const made = make('section', { class: `part ${name}` });
  if (title) {
    made.setAttribute('aria-labelledby', `${name}-title`);
    made.append(make('h2', { id: `${name}-title` }, title));
  }
  parent.append(made);
  return made;
}
