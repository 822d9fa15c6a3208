// What the server's addresses answer, for the type checker: `.ci/full types`. A test compares the fields
// with those of real answers (`arena/tests/pages/views.rs`).

/** `GET /api/library`. */
export interface Library {
  tournaments: Overview[];
  configs: Config[];
  engines: string[];
  unreadable: Unreadable[];
}

/** A directory whose tournament cannot be read. */
export interface Unreadable {
  dir: string;
  why: string;
}

export interface Overview {
  id: string;
  name: string;
  title: string;
  dir: string;
  state: string;
  format: string;
  kinds: string[];
  engines: string[];
  finished: number;
  expected: number | null;
  outcome: Outcome | null;
  headline: Headline | null;
  modified: string;
  /** The ratings of the engines in Elo by name, in a site. */
  ratings: Record<string, number>;
}

/** Who leads, and who is out. */
export interface Headline {
  leaders: string[];
  ahead: number | null;
  withdrawn: Withdrawn[];
  /** Words as `said.js` takes them. */
  answer: any[];
}

export interface Withdrawn {
  engine: string;
  faults: number;
  fault: string | null;
}

export interface Config {
  id: string;
  name: string;
  path: string;
}

export interface Outcome {
  state: string;
  over: boolean;
  winner: string | null;
  by: string | null;
  certainty: number | null;
  lead: Estimate | null;
  missing: string | null;
  sentence: string;
}

export interface Estimate {
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
}

/** `GET /api/t/ID`. */
export interface Tournament {
  id: string;
  title: string;
  state: string;
  format: string;
  kinds: string[];
  engines: Competitor[];
  rounds: number;
  extend: boolean;
  finished: number;
  expected: number | null;
  void: number;
  version: number;
  outcome: Outcome;
  headline: Headline;
  skipped: number;
  sections: SectionKey[];
  live: boolean;
  control: boolean;
  resume: boolean;
  paused: boolean;
  seconds_left: number | null;
  scale: number;
  next: NextGame[];
}

export interface NextGame {
  game: string;
  kind: string;
  round: number;
  first: string;
  second: string;
}

export interface Competitor {
  name: string;
  limit: string;
}

export interface SectionKey {
  section: string;
  key: number;
}

/** `GET /api/t/ID/games`. */
export interface Games {
  total: number;
  games: GameRow[];
  reasons: string[];
}

export interface GameRow {
  id: string;
  kind: string;
  opening: string | null;
  white: string;
  black: string;
  result: string;
  reason: string;
  plies: number;
}

/** `GET /api/t/ID/games/GAME`. */
export interface Game {
  id: string;
  kind: string;
  opening: string | null;
  start: string;
  rules: string;
  white: string;
  black: string;
  result: string;
  reason: string;
  offender: string | null;
  book: number;
  single: number;
  moves: string[];
  scores: string[];
  times: number[];
  info: any[];
  detail: string;
  transcript: string[];
}

/** `POST /api/puzzles/next`, `/api/puzzles/day` and `/api/puzzles/one`. */
export interface Puzzle {
  id: string;
  fen: string;
  rules: string;
  kind: string;
  plies: number | null;
  rating: number;
  material: number[];
  themes: string[];
  total: number;
}

/** `GET /api/levels`. */
export interface Level {
  level: number;
  engine: string;
  skill: number | null;
  elo: number;
  low: number;
  high: number;
  below: number | null;
}
