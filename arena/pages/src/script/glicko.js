// A rating with its uncertainty, after Glickman's Glicko: the less is known, the farther a result
// moves the rating, and every result makes more known.

const Q = Math.log(10) / 400;
// A beginner, and the bounds of the deviation: with the least one, a rating still follows its player.
export const NEWCOMER = { rating: 1200, deviation: 350 };
const LEAST = 60;
const MOST = 350;

// How much a result against an uncertain opponent counts.
const weight = (deviation) => 1 / Math.sqrt(1 + 3 * (Q * deviation / Math.PI) ** 2);

// The expected points against an opponent, 0 to 1.
export function expected(own, opponent) {
  return 1 / (1 + 10 ** (weight(opponent.deviation) * (opponent.rating - own.rating) / 400));
}

// The rating after one game: `points` are 1, 0.5 or 0.
export function ratedAfter(own, opponent, points) {
  const g = weight(opponent.deviation);
  const chance = expected(own, opponent);
  const known = Q * Q * g * g * chance * (1 - chance);
  const precision = 1 / (own.deviation * own.deviation) + known;
  const rating = own.rating + Q / precision * g * (points - chance);
  return { rating, deviation: Math.min(MOST, Math.max(LEAST, Math.sqrt(1 / precision))) };
}
