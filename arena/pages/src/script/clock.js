// The clocks of a game against an engine. The page keeps them, and tells the engine what is left.

// A setting is `{ type: 'none' }`, `{ type: 'move', seconds }` or `{ type: 'game', seconds,
// increment }`, which may have another pair of the two for a side, as in `w: { seconds, increment }`.
// Without clocks the engine thinks for this long:
const UNHURRIED = 1000;

export class Clocks {
  // `left` restores clocks of an earlier load; `now` is a clock in milliseconds.
  constructor(setting, left = null, now = () => performance.now()) {
    this.setting = setting;
    this.now = now;
    const full = (side) => (setting.type === 'none' ? null : this.given(side).seconds * 1000);
    this.left = left ?? { w: full('w'), b: full('b') };
    this.side = null;
    this.since = 0;
  }

  get any() {
    return this.setting.type !== 'none';
  }

  // What a side is given: its time in seconds and what a move adds to it.
  given(side) {
    return this.setting[side] ?? this.setting;
  }

  // Starts the clock of a side and stops the other one.
  start(side) {
    this.pause();
    if (this.setting.type === 'move') this.left[side] = this.setting.seconds * 1000;
    this.side = side;
    this.since = this.now();
  }

  // Stops the running clock; the time used so far stays used.
  pause() {
    if (this.side === null) return;
    if (this.any) this.left[this.side] = this.rest(this.side);
    this.side = null;
  }

  // Stops the running clock after a move, which earns the increment. Returns the time of the move.
  moved() {
    const { side } = this;
    if (side === null) return 0;
    const used = Math.max(0, Math.round(this.now() - this.since));
    this.pause();
    if (this.setting.type === 'game') this.left[side] += this.given(side).increment * 1000;
    return used;
  }

  // What is left for a side now, in milliseconds; null without clocks.
  of(side) {
    return this.any ? this.rest(side) : null;
  }

  // The same of a game with clocks.
  rest(side) {
    const used = this.side === side ? this.now() - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  // The side whose time has run out, if it is running.
  flagged() {
    return this.any && this.side !== null && this.rest(this.side) <= 0 ? this.side : null;
  }

  // The limit of a `go` for the side to move.
  goWords() {
    const { type, seconds } = this.setting;
    if (type === 'move') return `movetime ${Math.max(1, Math.round(seconds * 950))}`;
    if (type === 'none') return `movetime ${UNHURRIED}`;
    const [white, black] = ['w', 'b'].map((side) => Math.max(1, Math.round(this.rest(side))));
    const [whiteGain, blackGain] = ['w', 'b'].map((side) => Math.round(this.given(side).increment * 1000));
    return `p1time ${white} p2time ${black} p1inc ${whiteGain} p2inc ${blackGain}`;
  }
}

// Time as on a chess clock: `1:05`, and tenths in the last ten seconds.
export function clockText(ms) {
  if (ms === null) return '';
  if (ms < 10000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, '0');
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
