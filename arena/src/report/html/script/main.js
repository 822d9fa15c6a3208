// Starts the page: reads the games and follows the address.

import { $ } from './dom.js';
import { Viewer } from './viewer.js';
import { List } from './list.js';
import { theme } from './theme.js';

const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];

// The games, from the page's arrays to objects with named fields.
function gamesOf(data) {
  return data.games.map((row) => {
    const [id, kind, opening, start, white, black, result, reason, offender, book, single, moves, scores, times, detail, blunder, blunderText] = row;
    return {
      id,
      kind: kind === 1 ? 'vela' : 'riatra',
      opening,
      start: data.starts[start],
      white: data.engines[white],
      black: data.engines[black],
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
      plies: moves ? moves.split(' ').length : 0,
    };
  });
}

theme();
const data = JSON.parse($('data').textContent);
const games = gamesOf(data);
if (games.length > 0) {
  $('games-app').hidden = false;
  const byId = new Map(games.map((game) => [game.id, game]));
  const list = new List(games, data.engines);
  const viewer = new Viewer($('viewer'), {
    onNeighbour: (places) => {
      const game = list.beside(viewer.game.id, places);
      if (!game) return;
      viewer.linked = true;
      show(game, 0);
    },
  });

  const show = (game, ply) => {
    list.current = game.id;
    list.mark();
    viewer.open(game, ply);
  };

  // Shows the game in the address; returns whether the page has it.
  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!wanted.has('g')) return false;
    const game = byId.get(wanted.get('g'));
    const ply = wanted.get('p') === null ? 0 : Number(wanted.get('p'));
    $('missing').hidden = game !== undefined;
    if (!game) return false;
    viewer.linked = true;
    if (viewer.game === game) {
      viewer.show(ply);
    } else {
      show(game, ply);
      $('replay').scrollIntoView({ behavior: 'instant' });
      $('viewer').focus({ preventScroll: true });
    }
    return true;
  };

  window.addEventListener('hashchange', follow);
  if (!follow() && !viewer.game) show(games[0], 0);
}
