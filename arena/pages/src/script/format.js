// Numbers, times and counts as people read them.

import { dateText, numberText, say } from './words.js';

// A duration in its two largest units: `2 h 5 min`.
export function durationText(seconds) {
  if (seconds < 60) return say('time.seconds', { n: Math.max(1, Math.round(seconds)) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return say('time.minutes', { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return say('time.days', { n: Math.round(hours / 24) });
  return minutes % 60 ? say('time.hours-minutes', { hours, minutes: minutes % 60 }) : say('time.hours', { n: hours });
}

/** @type {[number, string][]} */
const SIZES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

// A large number in few characters: `950`, `1.2 k`, `34 M`.
export function shortNumber(number) {
  if (number === null || number === undefined) return '';
  for (const [size, unit] of SIZES) {
    if (number < size) continue;
    const digits = number < 10 * size ? 1 : 0;
    return `${numberText(number / size, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
  }
  return String(number);
}

// Points with halves: `3½`.
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return `${whole || ''}½`;
}

// How long ago a moment was.
export function agoText(iso, now = Date.now()) {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (!Number.isFinite(seconds)) return '';
  return seconds < 60 ? say('time.now') : say('time.ago', { time: durationText(seconds) });
}

// The moment after some seconds, as a time of day; with the day if that is not today.
export function momentText(seconds) {
  const then = new Date(Date.now() + 1000 * seconds);
  const time = dateText(then, { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === new Date().toDateString()) return time;
  return `${dateText(then, { weekday: 'short', day: 'numeric', month: 'short' })} ${time}`;
}

// A result with a real dash, and halves as one sign.
export function resultText(result) {
  return { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' }[result] ?? (result === 'ended' ? say('watch.ended') : result);
}
