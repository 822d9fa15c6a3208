// The page of a tournament: what is being played, standings, crosstable, test, games and faults.

import { make, node } from './dom.js';
import { getJson, attempt } from './api.js';
import { LiveGames } from './live_games.js';
import { LiveGrid, ENDED_MEANWHILE } from './live_grid.js';
import { PinnedGame } from './pinned.js';
import { TournamentHead } from './tournament_head.js';
import { Standings } from './standings.js';
import { Crosstable, NAMED } from './crosstable.js';
import { SprtGraph } from './sprt_graph.js';
import { GamesTable } from './games_table.js';
import { Faults } from './faults.js';
import { ReplayPanel } from './replay_panel.js';

const KEYS = [
  ['← →', 'Previous and next move'], ['Home End', 'Start and end of the game'],
  ['Space', 'Play the replay or pause it'], ['f', 'Flip the board'],
];

// How long the end of the pinned game is shown before its place goes on to the next game.
const END_MS = 5000;

export async function start(app) {
  const id = document.body.dataset.id;
  const path = `/api/t/${encodeURIComponent(id)}`;
  let tournament = await getJson(path);
  app.classList.add('tournament-page');

  const head = new TournamentHead(section(app, 'head'), { id, onChange: () => refresh() });
  const replayRoot = section(app, 'replay');
  const watch = section(app, 'watch', 'Watch');
  watch.querySelector('h2').className = 'visually-hidden';
  const pinnedRoot = make('div', { class: 'viewer pinned', tabindex: 0, role: 'group', 'aria-label': 'The pinned game' });
  const gridRoot = make('ul', { class: 'live-grid', 'aria-label': 'Running games' });
  watch.append(pinnedRoot, gridRoot);
  const tables = make('div', { class: 'columns' });
  app.append(tables);
  const standingsRoot = section(tables, 'standings', 'Standings');
  const sprtRoot = section(tables, 'sprt', 'Sequential test');
  const crossRoot = section(tables, 'crosstable', 'Crosstable');
  const gamesRoot = section(app, 'games', 'Games');
  const faultsRoot = section(app, 'faults', 'Faults');

  const table = new GamesTable(gamesRoot, { id, onOpen: (game) => { location.hash = `g=${encodeURIComponent(game)}`; } });
  const replay = new ReplayPanel(replayRoot, { id, table, onShow: () => showWatch() });
  const showGames = (...names) => {
    table.filter(...names);
    gamesRoot.scrollIntoView({ block: 'start' });
  };
  const standings = new Standings(standingsRoot, { onEngine: (name) => showGames(name) });
  const crosstable = new Crosstable(crossRoot, { onPair: (one, other) => showGames(one, other) });
  const verdicts = make('ul', { class: 'verdicts' });
  standingsRoot.append(verdicts);
  const sprt = new SprtGraph(sprtRoot);
  const faults = new Faults(faultsRoot);

  // The pinned card; its board follows the games that take the card's place.
  let pinnedCard = null;
  const pinned = new PinnedGame(pinnedRoot, {
    onReplay: (game) => { location.hash = `g=${encodeURIComponent(game.id)}`; },
    onFollow: () => pinnedCard && pinnedCard.game.id !== pinned.game.id && pin(pinnedCard, false),
  });
  const pin = (card, byUser) => {
    pinnedCard = card;
    for (const one of grid.cards) one.mark(one === card);
    pinned.open(card.game);
    if (byUser) pinnedRoot.scrollIntoView({ block: 'nearest' });
  };
  // Goes on to the next game of the pinned place, unless the user looks back in the last one.
  const follow = (card) => {
    if (pinnedCard === card && pinned.game.id !== card.game.id && pinned.ply === null) pin(card, false);
  };
  const grid = new LiveGrid(gridRoot, {
    onPick: (card) => pin(card, true),
    onChange: (card) => {
      if (pinnedCard === null) pin(card, false);
      else if (pinnedCard === card) setTimeout(() => follow(card), pinned.game?.result ? END_MS : 0);
    },
  });
  const showWatch = () => {
    const wasHidden = watch.hidden;
    watch.hidden = grid.cards.length === 0 || !replayRoot.hidden;
    gridRoot.hidden = grid.cards.length < 2;
    // A list of moves without a height could not be scrolled to its current move.
    if (wasHidden && !watch.hidden) pinned.settle();
  };

  const show = () => {
    head.show(tournament);
    standings.show(tournament.standings);
    verdicts.replaceChildren(...tournament.verdicts.map((text) => node('li', text)));
    crosstable.show(tournament.crosstable);
    crossRoot.hidden = tournament.crosstable.engines.length < 2 || tournament.finished === 0;
    sprtRoot.hidden = !tournament.sprt;
    if (tournament.sprt) sprt.show(tournament.sprt);
    // Wide tables need the whole page.
    const isWide = tournament.engines.length > NAMED;
    for (const part of [standingsRoot, crossRoot]) part.classList.toggle('whole', isWide);
    faultsRoot.hidden = tournament.faults.length === 0;
    faults.show(tournament.faults);
    table.engines(tournament.engines.map((engine) => engine.name));
    showWatch();
  };

  // Summaries may come faster than the server answers; one more request at the end is enough.
  let asking = false;
  let again = false;
  const refresh = async () => {
    again = asking;
    if (asking) return;
    asking = true;
    const said = await attempt(() => getJson(path));
    asking = false;
    if (said) {
      const hasMore = said.finished !== tournament.finished;
      const [wasLive, isLive] = [tournament.live, said.live];
      tournament = said;
      show();
      if (hasMore) table.refresh();
      if (isLive && !wasLive) live.start();
      if (wasLive && !isLive) {
        // The last positions stay, so that the page does not jump at the end.
        live.stop();
        head.connection('open');
      }
    }
    if (again) refresh();
  };

  const live = new LiveGames(id, {
    onGames: (games) => {
      grid.all(games);
      const game = pinned.game && live.games.get(pinned.game.id);
      if (game) pinned.update(game, game.frames.length - pinned.game.frames.length);
      else if (pinned.game && !pinned.game.result) pinned.update({ ...pinned.game, ...ENDED_MEANWHILE }, 0);
      showWatch();
    },
    onBegin: (game) => {
      grid.begin(game);
      showWatch();
    },
    onGame: (game, added) => {
      grid.update(game);
      if (pinned.game?.id === game.id) pinned.update(game, added);
    },
    onEnd: (game) => {
      grid.finish(game);
      if (pinned.game?.id === game.id) pinned.update({ ...pinned.game, ...game }, 0);
      table.refresh();
    },
    onSummary: () => refresh(),
    onState: (state) => head.connection(state),
  });
  setInterval(() => {
    if (document.hidden || watch.hidden) return;
    grid.tick();
    pinned.tick();
  }, 100);

  show();
  table.refresh();
  if (tournament.live) live.start();
  await replay.follow();
  return KEYS;
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
