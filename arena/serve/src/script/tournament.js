// The page of a tournament: what is being played, standings, crosstable, test, games and faults.

import { make, node } from './dom.js';
import { getJson, attempt } from './api.js';
import { WatchPanel } from './watch.js';
import { TournamentHead } from './tournament_head.js';
import { Standings } from './standings.js';
import { Crosstable, NAMED } from './crosstable.js';
import { Section } from './section.js';
import { TuningGraph } from './tuning_graph.js';
import { GamesTable } from './games_table.js';
import { ReplayPanel } from './replay_panel.js';

const KEYS = [
  ['← →', 'Previous and next move'], ['Home End', 'Start and end of the game'],
  ['Space', 'Play the replay or pause it'], ['f', 'Flip the board'],
];

export async function start(app) {
  const id = document.body.dataset.id;
  const tournament = await getJson(pathOf(id));
  app.classList.add('tournament-page');
  const page = new TournamentPage(app, id);
  page.show(tournament);
  page.table.refresh();
  if (mayChange(tournament)) page.watch.start();
  window.addEventListener('server-back', () => page.refresh());
  await page.replay.follow();
  return KEYS;
}

function pathOf(id) {
  return `/api/t/${encodeURIComponent(id)}`;
}

// Whether there is something to watch: boards, or at least results of games that another process
// plays. A tournament that ends has no boards any more while its results are being written.
function mayChange({ live, state }) {
  return live || state === 'running';
}

// An address that opens the replay of a game.
function openGame(game) {
  location.hash = `g=${encodeURIComponent(game)}`;
}

class TournamentPage {
  constructor(app, id) {
    this.id = id;
    this.asking = false;
    this.again = false;
    this.head = new TournamentHead(section(app, 'head'), { id, onChange: () => this.refresh() });
    const replayRoot = section(app, 'replay', 'Replay');
    const watchRoot = section(app, 'watch', 'Watch');
    for (const root of [replayRoot, watchRoot]) root.querySelector('h2').className = 'visually-hidden';
    const sections = new Map();
    // A section of the report; its HTML has the title.
    const ofReport = (name, parent) => sections.set(name, new Section(section(parent, name), `${pathOf(id)}/section/${name}`));
    const tables = make('div', { class: 'columns' });
    ofReport('stages', app);
    app.append(tables);
    this.tuningRoot = section(tables, 'tuning', 'Tuned values');
    this.standingsRoot = section(tables, 'standings', 'Standings');
    ofReport('sprt', tables);
    this.crossRoot = section(tables, 'crosstable', 'Crosstable');
    this.gamesRoot = section(app, 'games', 'Games');
    ofReport('faults', app);
    this.sections = sections;

    this.standings = new Standings(this.standingsRoot, { onEngine: (name) => this.showGames(name) });
    this.verdicts = make('ul', { class: 'verdicts' });
    this.standingsRoot.append(this.verdicts);
    this.tuning = new TuningGraph(this.tuningRoot);
    this.crosstable = new Crosstable(this.crossRoot, { onPair: (one, other) => this.showGames(one, other) });
    this.table = new GamesTable(this.gamesRoot, { id, onOpen: openGame });
    this.watch = new WatchPanel(watchRoot, id, {
      replay: openGame,
      end: () => this.table.refresh(),
      summary: () => this.refresh(),
    });
    this.replay = new ReplayPanel(replayRoot, { id, table: this.table, onShow: (isShown) => this.watch.cover(isShown) });
  }

  show(tournament) {
    this.tournament = tournament;
    const { engines, finished, standings, crosstable, tuning, verdicts, sections } = tournament;
    this.head.show(tournament);
    this.standings.show(standings);
    this.verdicts.replaceChildren(...verdicts.map(({ text }) => node('li', text)));
    this.crosstable.show(crosstable);
    // The sides of a tuning have other values in every iteration: a ranking of them means nothing.
    this.standingsRoot.hidden = Boolean(tuning);
    (tuning ? this.tuningRoot : this.standingsRoot).append(this.verdicts);
    this.crossRoot.hidden = Boolean(tuning) || crosstable.engines.length < 2 || finished === 0;
    this.tuningRoot.hidden = !tuning;
    if (tuning) this.tuning.show(tuning);
    // Wide tables need the whole page.
    for (const part of [this.standingsRoot, this.crossRoot]) part.classList.toggle('whole', engines.length > NAMED);
    const keys = new Map(sections.map(({ section: name, key }) => [name, key]));
    for (const [name, part] of this.sections) part.show(keys.get(name) ?? null);
    this.table.engines(engines.map((engine) => engine.name));
  }

  // The games of an engine, or of two engines against each other.
  showGames(...names) {
    this.table.filter(...names);
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
    if (said.finished !== before.finished) this.table.refresh();
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
