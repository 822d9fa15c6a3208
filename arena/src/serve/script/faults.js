// Games that ended by an engine's fault, with what was said last.

import { make, node } from './dom.js';

export class Faults {
  constructor(root) {
    this.list = make('div');
    root.append(this.list);
    this.count = 0;
  }

  // Adds the faults that are not shown yet; open ones stay open.
  show(faults) {
    if (faults.length < this.count) {
      this.list.replaceChildren();
      this.count = 0;
    }
    this.list.append(...faults.slice(this.count).map(entry));
    this.count = faults.length;
  }
}

function entry({ game, engine, reason, detail, transcript }) {
  const summary = make('summary', {}, node('bdi', engine), `: ${reason} in game ${game}`);
  const box = make('details', {}, summary, detail ? node('p', detail) : null);
  box.append(make('p', {}, make('a', { href: `#g=${encodeURIComponent(game)}&p=9999` }, `Show the end of game ${game}`)));
  if (transcript?.length > 0) {
    box.append(node('p', 'The last lines between arena (>) and engine (<):', 'soft'), node('pre', transcript.join('\n'), 'transcript'));
  }
  return box;
}
