// The elements of the replay, and its title.

import { SIDES, make, node, svg, button } from './dom.js';

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
    ply: make('input', { id: 'ply', type: 'range', min: 0, value: 0, 'aria-label': 'Ply' }),
    where: make('span', { id: 'where', class: 'soft' }),
    play: make('button', { id: 'play', type: 'button', onclick: on.play }, 'Play'),
    graph: make('div', { id: 'graph' }),
    pace: make('select', { id: 'pace' }, new Option('slow', '2'), new Option('normal', '1', true, true), new Option('fast', '0.4')),
    links: make('p', { class: 'links' }),
    moves: make('ol', { id: 'moves', tabindex: 0, 'aria-label': 'Moves' }),
  };
  const controls = make('div', { class: 'controls', role: 'toolbar', 'aria-label': 'Replay controls' },
    button('⇤', 'Go to the start', on.first), button('←', 'Previous move', on.back), parts.play,
    button('→', 'Next move', on.forward), button('⇥', 'Go to the end', on.last));
  const others = make('div', { class: 'controls' });
  if (on.neighbour) {
    others.append(button('Previous game', null, () => on.neighbour(-1)), button('Next game', null, () => on.neighbour(1)));
  }
  others.append(button('Flip board', null, on.flip), make('label', {}, node('span', 'Speed', 'visually-hidden'), parts.pace));
  const keys = make('p', { id: 'keys', class: 'soft' }, node('small',
    'Keys: ← → previous and next move, Home and End, space to play, f to flip. Dots mark strong points. '
    + 'A: approach, with an arrow onwards over the captured stones. W: withdrawal, with a dotted arrow '
    + 'back over them. Crossed rings mark captured stones.'));
  root.setAttribute('aria-describedby', 'keys');
  root.replaceChildren(
    make('div', { class: 'stage' },
      parts.title, parts.facts, parts.end, parts.blunder, parts.upper, parts.board, parts.lower, parts.now, parts.search,
      make('div', { class: 'way' }, parts.ply, parts.where), controls, others, parts.links),
    make('div', { class: 'side' }, parts.graph, node('h4', 'Moves'), parts.moves),
    keys);
  return parts;
}

// Writes the title, the facts, and how the game ended.
export function describeGame(parts, game, start, plies, address) {
  parts.title.replaceChildren(`Game ${game.id}: `, node('bdi', game.white), ' – ', node('bdi', game.black), ` ${game.result}`);
  const facts = [game.kind];
  if (start.debtor === 'w' || start.debtor === 'b') facts.push(`${SIDES[start.debtor]} is the debtor`);
  if (game.opening) facts.push(game.opening);
  facts.push(`${plies} ${plies === 1 ? 'ply' : 'plies'}`, `ended by ${game.reason}`);
  parts.facts.textContent = facts.join(' · ');
  parts.blunder.hidden = !game.blunder;
  parts.blunder.replaceChildren();
  if (game.blunder) {
    parts.blunder.append(make('a', { href: address(game.blunder) }, `Move ${game.blunder}`), ` ${game.blunderText}: the first blunder of the game.`);
  }
  parts.end.hidden = !game.detail;
  parts.end.replaceChildren();
  if (game.detail) {
    const who = game.offender === 'w' ? game.white : game.offender === 'b' ? game.black : 'the arena';
    parts.end.append(node('bdi', who), ` (${game.reason}): ${game.detail}`);
  }
}
