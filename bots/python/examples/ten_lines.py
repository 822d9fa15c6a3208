import fanorona


def value(position, depth):
    if outcome := position.outcome():
        return 1000 * outcome.score(position.turn)
    if depth == 0:
        return position.balance
    return max(-value(child, depth - 1) for _, child in position.children())


fanorona.run(lambda task: max(task.moves, key=lambda move: -value(task.position.play(move), 1)))
