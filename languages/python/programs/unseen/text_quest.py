# Text adventure as a state machine whose commands are registered by decorators; scripted players, closures and a breadth-first speedrunner. args: scripted games.
# args: 310
# quick: 3
import sys
from collections import deque
from enum import Enum, auto
from functools import wraps, partial, reduce
import random


class Mode(Enum):
    EXPLORING = auto()
    TALKING = auto()
    WON = auto()
    LOST = auto()


MAP = {
    "hall": {"north": "library", "east": "kitchen"},
    "library": {"south": "hall", "up": "attic"},
    "kitchen": {"west": "hall", "down": "cellar"},
    "attic": {"down": "library"},
    "cellar": {"up": "kitchen", "east": "vault"},
    "vault": {"west": "cellar"},
}
ITEMS = {"lamp": "hall", "key": "attic", "bread": "kitchen", "book": "library", "crown": "vault"}
LOCKED = {("cellar", "east"): "key"}
DARK = {"cellar", "vault"}

COMMANDS = {}
ALIASES = {"n": "go north", "s": "go south", "e": "go east", "w": "go west", "u": "go up", "d": "go down",
           "i": "inventory", "l": "look"}


def command(*names, modes=(Mode.EXPLORING,), cost=1):
    def register(fn):
        @wraps(fn)
        def guarded(game, *args):
            if game.mode not in modes:
                return "You can't do that now."
            game.turns += cost
            return fn(game, *args)
        for name in names or (fn.__name__,):
            COMMANDS[name] = guarded
        return guarded
    return register


def needs_light(fn):
    @wraps(fn)
    def wrapper(game, *args):
        if game.room in DARK and not ("lamp" in game.bag and game.lit):
            return "It is too dark."
        return fn(game, *args)
    return wrapper


def needs_object(fn):
    @wraps(fn)
    def wrapper(game, noun=None, *rest):
        if noun is None:
            return f"{fn.__name__.capitalize()} what?"
        return fn(game, noun)
    return wrapper


class Game:
    def __init__(self):
        self.room = "hall"
        self.mode = Mode.EXPLORING
        self.bag = []
        self.where = dict(ITEMS)
        self.lit = False
        self.unlocked = False
        self.ghost_mood = 0
        self.turns = 0
        self.listeners = []

    def notify(self, event, *data):
        for listener in self.listeners:
            listener(event, *data)

    def do(self, line):
        line = ALIASES.get(line.strip().lower(), line.strip().lower())
        verb, *args = line.split() or [""]
        handler = COMMANDS.get(verb)
        if handler is None:
            self.notify("unknown", verb)
            return f"I don't know how to {verb!r}."
        reply = handler(self, *args)
        self.notify(verb, reply)
        if self.turns > 60 and self.mode is not Mode.WON:
            self.mode = Mode.LOST
        return reply

    def key(self):
        return (self.room, self.mode, tuple(sorted(self.bag)), tuple(sorted(self.where.items())),
                self.lit, self.unlocked, self.ghost_mood)

    def clone(self):
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.bag = self.bag[:]
        other.where = self.where.copy()
        other.listeners = []
        return other


@command("look", cost=0)
@needs_light
def look(game):
    here = sorted(item for item, room in game.where.items() if room == game.room)
    return f"You are in the {game.room}. Exits: {', '.join(MAP[game.room])}." + (f" Here: {', '.join(here)}." if here else "")


@command("go", "walk")
@needs_object
def go(game, direction):
    target = MAP[game.room].get(direction)
    if target is None:
        return "No way."
    need = LOCKED.get((game.room, direction))
    if need and not game.unlocked:
        return "The door is locked."
    game.room = target
    if target == "attic" and game.ghost_mood < 2:
        game.mode = Mode.TALKING
        return "A ghost bars the way: SAY something."
    return look(game)


@command()
@needs_object
@needs_light
def take(game, noun):
    if game.where.get(noun) != game.room:
        return f"No {noun} here."
    if len(game.bag) >= 3:
        return "Your hands are full."
    game.bag.append(noun)
    del game.where[noun]
    if noun == "crown":
        game.mode = Mode.WON
        return "You won!"
    return "Taken."


@command()
@needs_object
def drop(game, noun):
    try:
        game.bag.remove(noun)
    except ValueError:
        return "You don't have it."
    game.where[noun] = game.room
    return "Dropped."


@command()
@needs_object
def light(game, noun):
    if noun == "lamp" and "lamp" in game.bag:
        game.lit = not game.lit
        return "The lamp is " + ("on." if game.lit else "off.")
    return "Nothing happens."


@command()
@needs_object
@needs_light
def unlock(game, noun):
    if noun == "door" and (game.room, "east") in LOCKED and LOCKED[game.room, "east"] in game.bag:
        game.unlocked = True
        return "Click."
    return "You can't."


@command(modes=(Mode.TALKING,))
def say(game, *words):
    game.ghost_mood += 2 if "please" in words else 1
    if game.ghost_mood >= 2:
        game.mode = Mode.EXPLORING
        return "The ghost fades away."
    return "The ghost waits."


@command("inventory", cost=0, modes=(Mode.EXPLORING, Mode.TALKING))
def inventory(game):
    return "You carry " + (" and ".join(game.bag) or "nothing") + "."


def make_recorder():
    seen, streak = {}, 0

    def listen(event, *data):
        nonlocal streak
        seen[event] = seen.get(event, 0) + 1
        streak = streak + 1 if event == "go" else 0

    def summary():
        return dict(sorted(seen.items())), streak
    return listen, summary


def compose(*fns):
    return reduce(lambda f, g: lambda x: g(f(x)), fns)


def random_player(rng):
    verbs = [lambda: rng.choice("nsewud"), lambda: "take " + rng.choice(list(ITEMS)), lambda: "light lamp",
             partial(str, "unlock door"), lambda: "say please", lambda: "look", lambda: "dance", lambda: "drop"]
    while True:
        yield rng.choice(verbs)()


def speedrun(limit):
    moves = ["n", "s", "e", "w", "u", "d", "take lamp", "take key", "take crown", "light lamp", "unlock door", "say please"]
    start = Game()
    seen = {start.key()}
    queue = deque([(start, ())])
    while queue and len(seen) < limit:
        game, path = queue.popleft()
        for move in moves:
            nxt = game.clone()
            nxt.do(move)
            if nxt.mode is Mode.WON:
                return path + (move,), len(seen)
            k = nxt.key()
            if k not in seen:
                seen.add(k)
                queue.append((nxt, path + (move,)))
    return None, len(seen)


def main(n):
    digest = compose(str.lower, lambda s: s.encode("utf-8"), lambda b: sum(i * c for i, c in enumerate(b, 1)) % 9973)
    listen, summary = make_recorder()
    rng = random.Random(13)
    outcomes = {m.name: 0 for m in Mode}
    trail = 0
    for _ in range(n):
        game = Game()
        game.listeners.append(listen)
        for line in random_player(rng):
            trail = (trail * 17 + digest(game.do(line))) % 1000003
            if game.mode in (Mode.WON, Mode.LOST):
                break
        outcomes[game.mode.name] += 1
    print("outcomes", outcomes, "trail", trail)
    print("events", *summary())
    path, states = speedrun(20 * n)
    print("speedrun", "/".join(path) if path else None, "states", states)
    hero = Game()
    for line in ("look", "take lamp", "i", "n", "take", "u", "inventory", "go south", "say hello", "say hello", "take key",
                 "d", "s", "e", "d", "take bread", "light lamp", "unlock door", "e", "take crown", "look"):
        print(">", line, "--", hero.do(line))
    print(hero.mode, hero.turns, hero.bag, go.__name__, sorted(COMMANDS))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
