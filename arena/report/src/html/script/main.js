// Starts the page: reads the games and follows the address.

import { sayPage } from './spoken.js';
import { $, button } from './dom.js';
import { Viewer } from './viewer.js';
import { List } from './list.js';
import { cells, onCells } from './cells.js';
import { drawings } from './drawings.js';
import { copyFrom, download } from './files.js';
import { fenAt, fgnOf } from './fgn.js';
import { followTabs, onTabs, tabs } from './tabs.js';
import { settings } from './settings.js';
import { wideTables, whereabouts } from './frame.js';
import { say } from './words.js';

const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];

// The games, from the page's arrays to objects with named fields.
function gamesOf(data) {
  return data.games.map((row) => {
    const [id, kind, opening, start, white, black, result, reason, offender, book, single, moves, scores, times, detail, blunder, blunderText, tags] = row;
    return {
      id,
      kind: kind === 1 ? 'vela' : 'riatra',
      opening,
      start: data.starts[start],
      white: data.engines[white],
      black: data.engines[black],
      // Names in a form that shows what differs.
      short: [data.short[white], data.short[black]],
      result: RESULTS[result],
      reason,
      offender,
      book,
      single,
      moves: moves.split(' ').filter(Boolean),
      scores: scores.split(','),
      times: times.split(','),
      detail,
      blunder,
      blunderText,
      tags,
      plies: moves ? moves.split(' ').length : 0,
    };
  });
}

sayPage();
settings();
tabs(document);
onTabs(document);
followTabs();
drawings();
const data = JSON.parse($('data').textContent);
export const games = gamesOf(data);
if (games.length > 0) {
  $('games-app').hidden = false;
  const byId = new Map(games.map((game) => [game.id, game]));
  const list = new List(games, data.engines, { onOpen: (game) => open(game, 0) });
  const viewer = new Viewer($('viewer'), {
    onNeighbour: (places) => {
      const game = list.beside(viewer.game.id, places);
      if (!game) return;
      viewer.linked = true;
      show(game, 0);
    },
    links: (game) => [
      ...$('workspace') ? [button(say('page.analyse'), null, () => analyse(game), 'primary')] : [],
      button(say('games.copy-fen'), null, (event) => copyFrom(event.currentTarget, fenAt(viewer.start, viewer.frames, viewer.ply, game.start))),
      button(say('games.download-fgn'), null, () => download(`game-${game.id}.fgn`, fgnOf(game))),
    ],
  });

  // The analysis, in a report that has it, takes the place of the results.
  const analyse = (game) => {
    location.hash = `#${new URLSearchParams({ t: 'here', g: game.id, p: String(viewer.ply) })}`;
  };

  const show = (game, ply) => {
    $('why').textContent = game === games[data.first] ? say(data.why) : '';
    list.mark(game.id);
    viewer.open(game, ply);
  };

  // Shows a game on the user's request.
  const open = (game, ply) => {
    viewer.linked = true;
    show(game, ply);
    $('viewer').scrollIntoView({ behavior: 'instant' });
    $('viewer').focus({ preventScroll: true });
  };

  // Shows the game in the address; returns whether the page has it.
  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    // With `t` it is one for the analysis.
    if (!wanted.has('g') || wanted.has('t')) return false;
    const game = byId.get(wanted.get('g'));
    const ply = wanted.get('p') === null ? 0 : Number(wanted.get('p'));
    $('missing').hidden = game !== undefined;
    if (!game) return false;
    viewer.linked = true;
    if (viewer.game === game) viewer.show(ply);
    else open(game, ply);
    return true;
  };

  window.addEventListener('hashchange', follow);
  if (!follow() && !viewer.game) show(games[data.first], 0);

  cells(document);
  onCells(document, (wanted) => {
    list.choose(wanted);
    $('games-list').scrollIntoView({ behavior: 'instant' });
    $('count').focus({ preventScroll: true });
  });

  // The board can be flipped from anywhere on the page; inside the replay it is a key of its own.
  document.addEventListener('keydown', (event) => {
    const isField = /** @type {Element} */ (event.target).closest('input, select, textarea, .viewer');
    if (event.key !== 'f' || isField || $('main').hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    viewer.flip();
  });
}
wideTables(document);
whereabouts();
