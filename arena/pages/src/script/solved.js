// The solved games: the value of every first move, with a line, and those of the other boards.

import { getJson } from './api.js';
import { Board } from './board.js';
import { make, node, svg } from './dom.js';
import { provenText } from './explorer_table.js';
import { analysisLink, explorerLink, playLink } from './place.js';
import { framesOf, placementOf } from './position.js';
import SOLVED from './solved_lines.json' with { type: 'json' };
import { say } from './words.js';

/** @type {Record<string, string>} */
const LINES = SOLVED.lines;

// The order in which the values of first moves are shown.
const BEST_FIRST = ['white-wins', 'draw', 'black-holds', 'black-wins'];

export async function start(app) {
  const rows = await getJson('/api/solved');
  const firsts = rows.filter(({ start, moves }) => start === SOLVED.start && moves.length === 1);
  firsts.sort((one, two) => BEST_FIRST.indexOf(one.value) - BEST_FIRST.indexOf(two.value));
  app.append(
    node('h1', say('solved.title')),
    make('div', { class: 'prose' }, node('p', say('solved.draw'), 'lead'), node('p', say('solved.how'))),
    make('section', { class: 'part' }, node('h2', say('solved.firsts')), node('p', say('solved.firsts.note')),
      make('div', { class: 'firsts' }, ...firsts.map(firstCard))),
    make('section', { class: 'part' }, node('h2', say('solved.boards')), node('p', say('solved.boards.note')),
      make('div', { class: 'scroll' }, boardsTable(rows))));
  return [];
}

// A first move: the board after it, its value, and ways to go on.
function firstCard({ start, moves, opening, value }) {
  const drawing = svg('svg', { class: 'board', 'aria-hidden': 'true' });
  const board = new Board(drawing, { small: true });
  const { start: first, frames: [, frame] } = framesOf({ start, moves });
  board.draw(first.columns, first.rows);
  board.put(frame.stones);
  board.showMove(frame.steps, frame.side);
  const after = `${placementOf(first.columns, first.rows, frame.stones)} b - 0 1`;
  const title = make('h3', {}, opening, ' ', node('small', moves[0]));
  return make('article', { class: 'card first', 'data-move': moves[0] },
    make('a', { href: explorerLink(start, moves), tabindex: -1, 'aria-hidden': 'true' }, drawing),
    title,
    make('p', {}, node('b', say(`proof.${value}`), `proof ${value}`)),
    node('p', provenText(value), 'soft'),
    make('div', { class: 'controls' },
      make('a', { class: 'button', href: analysisLink({ start, moves: LINES[moves[0]].split(' '), ply: 1 }) }, say('solved.line')),
      make('a', { class: 'button', href: explorerLink(start, moves) }, say('solved.explore')),
      make('a', { class: 'button', href: playLink(after, '') }, say('solved.play'))));
}

// The starts of all boards, in both kinds of game.
function boardsTable(rows) {
  const starts = rows.filter(({ moves }) => moves.length === 0);
  const boards = [...new Set(starts.map(({ board }) => board))];
  const head = make('tr', {}, ...['solved.board', 'kind.riatra', 'kind.vela'].map((key) => make('th', { scope: 'col' }, say(key))));
  const cell = (board, vela) => {
    const row = starts.find((one) => one.board === board && one.vela === vela);
    if (!row) return node('td', say('solved.open'), 'soft');
    const link = make('a', { href: explorerLink(row.start), title: provenText(row.value) }, say(`proof.${row.value}`));
    return make('td', { class: `proof ${row.value}` }, link);
  };
  const body = boards.map((board) => {
    const { columns, rows: height } = starts.find((one) => one.board === board);
    const size = `${columns}×${height}`;
    const name = board === 'left-right' ? say('board.left-right', { size }) : size;
    return make('tr', {}, make('th', { scope: 'row' }, name), cell(board, false), cell(board, true));
  });
  return make('table', { class: 'solved-boards' }, make('thead', {}, head), make('tbody', {}, ...body));
}
