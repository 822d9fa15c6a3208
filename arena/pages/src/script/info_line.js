// What an engine says in its `info` and `bestmove` lines.

const NUMBERS = new Set(['depth', 'seldepth', 'multipv', 'nodes', 'nps', 'time', 'hashfull', 'tbhits']);

// The words of an `info` line, or null for any other line and for `info string`. A score is written
// as in records: hundredths of a stone, or `w5` and `l4` for a proven end.
export function infoOf(line) {
  const words = line.trim().split(/\s+/);
  if (words[0] !== 'info' || words[1] === 'string') return null;
  const info = { multipv: 1, score: '', pv: [] };
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (NUMBERS.has(word)) {
      const number = Number(words[at + 1]);
      if (Number.isFinite(number)) info[word] = number;
      at += 1;
    } else if (word === 'score') {
      info.score = scoreOf(words[at + 1], words[at + 2]);
      at += 2;
    } else if (word === 'wdl') {
      at += 3;
    } else if (word === 'string') {
      break;
    } else if (word === 'pv') {
      info.pv = words.slice(at + 1);
      break;
    }
  }
  return info;
}

function scoreOf(kind, text) {
  const number = Number(text);
  if (!Number.isInteger(number)) return '';
  if (kind === 'cp') return String(number);
  if (kind === 'win') return `w${number}`;
  if (kind === 'loss') return `l${number}`;
  return '';
}

// The move of a `bestmove` line, or null for any other line.
export function bestMoveOf(line) {
  const words = line.trim().split(/\s+/);
  return words[0] === 'bestmove' && words.length === 2 ? words[1] : null;
}
