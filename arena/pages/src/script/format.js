// Numbers, times and counts as people read them.

// A duration in its two largest units: `2 h 5 min`.
export function durationText(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

/** @type {[number, string][]} */
const SIZES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

// A large number in few characters: `950`, `1.2 k`, `34 M`.
export function shortNumber(number) {
  if (number === null || number === undefined) return '';
  for (const [size, unit] of SIZES) {
    if (number >= size) return `${(number / size).toFixed(number < 10 * size ? 1 : 0)} ${unit}`;
  }
  return String(number);
}

// Points with halves: `3½`.
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return `${whole || ''}½`;
}

// A count with its noun.
export function plural(count, noun, many = `${noun}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : many}`;
}

// How long ago a moment was.
export function agoText(iso, now = Date.now()) {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (!Number.isFinite(seconds)) return '';
  return seconds < 60 ? 'just now' : `${durationText(seconds)} ago`;
}

// The moment after some seconds, as a time of day; with the day if that is not today.
export function momentText(seconds) {
  const then = new Date(Date.now() + 1000 * seconds);
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === new Date().toDateString()) return time;
  return `${then.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })} ${time}`;
}

// A result with a real dash, and halves as one sign.
export function resultText(result) {
  return { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' }[result] || result;
}
