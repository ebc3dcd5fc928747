# Games of go on a small board, played at random to their end. args: games.
# args: 25
# quick: 1
import sys

SIZE = 7
EMPTY, BLACK, WHITE = 0, 1, 2


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7fffffff
        return (self.state >> 9) % n


def neighbours(at):
    row, column = divmod(at, SIZE)
    near = []
    if row:
        near.append(at - SIZE)
    if row < SIZE - 1:
        near.append(at + SIZE)
    if column:
        near.append(at - 1)
    if column < SIZE - 1:
        near.append(at + 1)
    return near


NEAR = [neighbours(at) for at in range(SIZE * SIZE)]


class Board:
    def __init__(self):
        self.stones = [EMPTY] * (SIZE * SIZE)
        self.seen = set()

    def group(self, at):
        """The stones of a group, and the number of its liberties."""
        colour = self.stones[at]
        group = {at}
        free = set()
        front = [at]
        while front:
            for near in NEAR[front.pop()]:
                stone = self.stones[near]
                if stone == EMPTY:
                    free.add(near)
                elif stone == colour and near not in group:
                    group.add(near)
                    front.append(near)
        return group, len(free)

    def is_eye(self, at, colour):
        return all(self.stones[near] == colour for near in NEAR[at])

    def play(self, at, colour):
        """Whether that is allowed; if so, it is done."""
        before = self.stones[:]
        self.stones[at] = colour
        for near in NEAR[at]:
            if self.stones[near] == 3 - colour:
                group, free = self.group(near)
                if not free:
                    for stone in group:
                        self.stones[stone] = EMPTY
        _, free = self.group(at)
        position = tuple(self.stones)
        if not free or position in self.seen:
            self.stones = before
            return False
        self.seen.add(position)
        return True

    def move(self, colour, random):
        start = random.below(SIZE * SIZE)
        for k in range(SIZE * SIZE):
            at = (start + k) % (SIZE * SIZE)
            if self.stones[at] == EMPTY and not self.is_eye(at, colour):
                if self.play(at, colour):
                    return True
        return False

    def score(self):
        score = 0
        for at, stone in enumerate(self.stones):
            if stone == EMPTY:
                stone = self.stones[NEAR[at][0]]
            score += (0, 1, -1)[stone]
        return score


def game(random):
    board = Board()
    colour, passes, moves = BLACK, 0, 0
    while passes < 2 and moves < 3 * SIZE * SIZE:
        if board.move(colour, random):
            passes = 0
        else:
            passes += 1
        colour = 3 - colour
        moves += 1
    return board.score(), moves


def main(n):
    random = Random(3)
    wins = moves = 0
    for _ in range(n):
        score, length = game(random)
        wins += score > 0
        moves += length
    print(wins, moves)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
