// The elements of the replay, and its title.

import { make, node, svg, button } from './dom.js';
import { say } from './words.js';

// Fills the replay's element; `on` holds the actions of the buttons. The identifiers are for links
// and labels: a page has one replay.
export function viewerParts(root, on) {
  const parts = {
    title: make('h3', { id: 'game-title' }),
    facts: make('p', { id: 'game-facts', class: 'soft' }),
    end: make('p', { id: 'game-end', class: 'note', hidden: true }),
    blunder: make('p', { id: 'game-blunder', class: 'note', hidden: true }),
    upper: make('div', { id: 'upper', class: 'player' }),
    board: svg('svg', { id: 'board', class: 'board', role: 'img' }),
    lower: make('div', { id: 'lower', class: 'player' }),
    now: make('p', { id: 'now', class: 'now', 'aria-live': 'polite' }),
    search: make('p', { class: 'search soft' }),
    ply: make('input', { id: 'ply', type: 'range', min: 0, value: 0, 'aria-label': say('games.plies') }),
    where: make('span', { id: 'where', class: 'soft' }),
    play: make('button', { id: 'play', type: 'button', onclick: on.play }, say('replay.play')),
    graph: make('div', { id: 'graph' }),
    pace: make('select', { id: 'pace' }, new Option(say('replay.slow'), '2'), new Option(say('replay.normal'), '1', true, true), new Option(say('replay.fast'), '0.4')),
    links: make('p', { class: 'links' }),
    moves: make('ol', { id: 'moves', tabindex: 0, 'aria-label': say('play.moves') }),
  };
  const controls = make('div', { class: 'controls', role: 'toolbar', 'aria-label': say('replay.controls') },
    button('⇤', say('walk.first'), on.first), button('←', say('walk.back'), on.back), parts.play,
    button('→', say('walk.on'), on.forward), button('⇥', say('walk.last'), on.last));
  const others = make('div', { class: 'controls' });
  if (on.neighbour) {
    others.append(button(say('replay.before'), null, () => on.neighbour(-1)), button(say('replay.after'), null, () => on.neighbour(1)));
  }
  others.append(button(say('walk.flip'), null, on.flip), make('label', {}, node('span', say('replay.pace'), 'visually-hidden'), parts.pace));
  const keys = make('p', { id: 'keys', class: 'soft' }, node('small', say('replay.keys')));
  root.setAttribute('aria-describedby', 'keys');
  root.replaceChildren(
    make('div', { class: 'stage' },
      parts.title, parts.facts, parts.end, parts.blunder, parts.upper, parts.board, parts.lower, parts.now, parts.search,
      make('div', { class: 'way' }, parts.ply, parts.where), controls, others, parts.links),
    make('div', { class: 'side' }, parts.graph, node('h4', say('play.moves')), parts.moves),
    keys);
  return parts;
}

// Writes the title, the facts, and how the game ended.
export function describeGame(parts, game, start, plies, address) {
  parts.title.replaceChildren(say('replay.label', { text: say('watch.game', { game: String(game.id) }) }), node('bdi', game.white), ' – ', node('bdi', game.black), ` ${game.result}`);
  const facts = [say(`kind.${game.kind}`)];
  if (start.debtor === 'w' || start.debtor === 'b') facts.push(say(`watch.debtor.${start.debtor}`));
  if (game.opening) facts.push(game.opening);
  facts.push(say('replay.plies', { n: plies }), say('replay.ended', { reason: say(`reason.${game.reason}`) }));
  parts.facts.textContent = facts.join(' · ');
  parts.blunder.hidden = !game.blunder;
  parts.blunder.replaceChildren();
  if (game.blunder) {
    parts.blunder.append(make('a', { href: address(game.blunder) }, say('replay.move', { n: game.blunder })), ` ${say('replay.label', { text: game.blunderText })}${say('replay.blunder')}`);
  }
  parts.end.hidden = !game.detail;
  parts.end.replaceChildren();
  if (game.detail) {
    const who = game.offender === 'w' ? game.white : game.offender === 'b' ? game.black : say('replay.arena');
    parts.end.append(node('bdi', who), ` ${say('replay.label', { text: `(${say(`reason.${game.reason}`)})` })}${game.detail}`);
  }
}
