"""What the dialogue adds to the builtins."""


class Quitter:
    """`exit` and `quit`, which say how they are used."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Use {self.name}() or Ctrl-D (i.e. EOF) to exit"

    def __call__(self, code=None):
        raise SystemExit(code)
