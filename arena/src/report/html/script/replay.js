// Positions, and the effect of moves on stones. Moves are not validated: they were legal when they
// were played.

// A point from its name; columns and rows count from 0, and row 0 is White's edge.
function pointOf(name) {
  return { column: name.charCodeAt(0) - 97, row: name.charCodeAt(1) - 49 };
}

function nameOf(point) {
  return String.fromCharCode(97 + point.column) + (point.row + 1);
}

// The fields of a FEN; stones, `w` or `b`, are keyed by the name of their point.
function positionOf(fen) {
  const [placement, side, debtor] = fen.split(' ');
  const rows = placement.split('/');
  const stones = new Map();
  let columns = 0;
  rows.forEach((text, index) => {
    let column = 0;
    for (const letter of text) {
      if (letter >= '1' && letter <= '9') {
        column += Number(letter);
      } else {
        stones.set(nameOf({ column, row: rows.length - 1 - index }), letter.toLowerCase());
        column += 1;
      }
    }
    columns = Math.max(columns, column);
  });
  return { columns, rows: rows.length, stones, side, debtor };
}

// The steps of a move like `e2e3Ad4W`: a point, then points with `A`, `W` or no mark.
function stepsOf(text) {
  const words = text.match(/[a-i][1-9][AW]?/g) || [];
  const steps = [];
  for (let index = 1; index < words.length; index += 1) {
    const [from, to] = [words[index - 1].slice(0, 2), words[index].slice(0, 2)];
    steps.push({ from, to, mark: words[index].slice(2) });
  }
  return steps;
}

// Plays a move on a copy of the stones. Adds to every step what it captures: the enemy stones in a
// row from the point after its end (approach) or before its beginning (withdrawal); only one in the
// first phase of a vela.
function play(stones, text, single) {
  const after = new Map(stones);
  const steps = stepsOf(text);
  for (const step of steps) {
    const [from, to] = [pointOf(step.from), pointOf(step.to)];
    const [columns, rows] = [to.column - from.column, to.row - from.row];
    const mover = after.get(step.from);
    after.delete(step.from);
    after.set(step.to, mover);
    step.captured = [];
    const away = step.mark === 'A' ? 1 : -1;
    let next = step.mark === 'A' ? to : from;
    while (step.mark) {
      next = { column: next.column + away * columns, row: next.row + away * rows };
      const name = nameOf(next);
      if (!after.has(name) || after.get(name) === mover) break;
      step.captured.push(name);
      if (single) break;
    }
    for (const name of step.captured) after.delete(name);
  }
  return { stones: after, steps };
}

// Every position of a game, each with the move that led to it.
function framesOf(game) {
  const start = positionOf(game.start);
  const frames = [{ stones: start.stones, steps: [], side: null, text: '', score: '', ms: null }];
  const moves = game.moves.split(' ').filter(Boolean);
  const scores = game.scores.split(',');
  const times = game.times.split(',');
  let side = start.side;
  moves.forEach((text, index) => {
    const before = frames[index].stones;
    const frame = play(before, text, index < game.single);
    const asked = index - game.book;
    frame.side = side;
    frame.text = text;
    frame.score = asked >= 0 ? scores[asked] || '' : '';
    frame.ms = asked >= 0 && times[asked] ? Number(times[asked]) : null;
    frame.book = asked < 0;
    frames.push(frame);
    side = side === 'w' ? 'b' : 'w';
  });
  return { start, frames };
}

// A score from its player's view in readable form: stones, or plies to a proven end.
function scoreText(score) {
  if (!score) return '';
  const plies = score.slice(1);
  if (score[0] === 'w') return `wins in ${plies}`;
  if (score[0] === 'l') return `loses in ${plies}`;
  const stones = Number(score) / 100;
  return (stones < 0 ? '−' : '+') + Math.abs(stones).toFixed(2);
}

// A score as a height from −1 (Black wins) to 1 (White wins); null if there is none.
function scoreHeight(score, side) {
  if (!score) return null;
  const own = { w: 1, l: -1 }[score[0]] ?? Math.tanh(Number(score) / 600);
  return side === 'w' ? own : -own;
}
