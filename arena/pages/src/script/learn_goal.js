// The goals of the course: which moves a step accepts. The rules have already said that they are legal.

/**
 * The goal of a step; without any of these every move reaches it. `takes`: so many stones in one move.
 * `way`: the first capture by approach or withdrawal. `moves`: one of these. `stays`: the game goes on after it.
 * `solution`: moves with replies, until none is left.
 * @typedef {{ takes?: number, way?: string, moves?: string[], stays?: boolean, solution?: Answer[] }} Goal
 * @typedef {{ moves: string[], reply?: string, then?: Answer[] }} Answer
 */

// The answer to a move in a solution; undefined if the move is not in it.
/** @param {Answer[]} solution */
export function answerTo(solution, text) {
  return solution.find(({ moves }) => moves.includes(text));
}

// Whether a move reaches the goal, where `isOver` says that the game ends with it. In a solution every move
// that it has is right.
/** @param {Goal} goal */
export function reaches(goal, move, isOver) {
  const { takes = 0, way, moves, stays, solution } = goal;
  const taken = move.steps.reduce((sum, step) => sum + step.captured.length, 0);
  return taken >= takes
    && (!way || move.steps[0].mark === way)
    && (!moves || moves.includes(move.text))
    && (!stays || !isOver)
    && (!solution || answerTo(solution, move.text) !== undefined);
}

// A move that reaches the goal, for those who ask for help; undefined if only the rules can tell.
/** @param {Goal} goal */
export function helpFor(goal, legal) {
  return legal.find((move) => reaches(goal, move, false) && (goal.takes || goal.way || goal.moves || goal.solution));
}
