//! Classes of Python programs. In: a tape. Out: a base class, two that derive from it, and one from
//! both. Invariant: methods call nothing but those of the same object in the base class, and return
//! bounded integers, so that they end.

use super::writer::{Rank, Want, Writer};

/// Special methods that the base class may have.
const SPECIAL: &[&str] = &[
    "def __eq__(self, other):\n    return isinstance(other, C0) and self.x == other.x\n\ndef __hash__(self):\n    return hash(self.x)",
    "def __lt__(self, other):\n    return self.x < other.x",
    "def __len__(self):\n    return self.x & 7",
    "def __bool__(self):\n    return self.x > 2",
    "def __getitem__(self, k):\n    if k > 5:\n        raise IndexError(k)\n    return cut(self.x + k)",
    "def __setitem__(self, k, v):\n    self.x = cut(v - k)",
    "def __iter__(self):\n    yield self.x\n    yield self.y",
    "def __contains__(self, k):\n    return k == self.x",
    "def __call__(self, k):\n    return cut(self.y * k)",
    "def __getattr__(self, name):\n    if name == 'other':\n        return len(name) + self.x\n    raise AttributeError(name)",
    "def __add__(self, other):\n    return type(self)(cut(self.x + (other.x if isinstance(other, C0) else other)), 1)",
    "def __radd__(self, other):\n    return type(self)(cut(other - self.x))",
    "def __sub__(self, other):\n    return NotImplemented",
    "def __rsub__(self, other):\n    return type(self)(5)",
];

impl Writer<'_, '_> {
    /// All classes.
    pub fn classes(&mut self) {
        self.vars.clear();
        self.callees.clear();
        (self.spent, self.weight, self.fuel) = (0, 1, 8);
        let slots = self.tape.chance(1, 3);
        self.block("class C0:", |w| {
            if slots {
                w.line("__slots__ = ('x', 'y')");
            }
            w.line("k = 3\n\ndef __init__(self, x, y=2):\n    self.x = x\n    self.y = y\n");
            w.method("def m(self, p):", "");
            w.line("@property");
            w.method("def p(self):", "");
            w.line("@p.setter\ndef p(self, v):\n    self.x = cut(v + 1)\n");
            w.line("@staticmethod");
            w.line("def st(p):\n    return cut(p * 3)\n");
            w.line("@classmethod\ndef make(cls, x):\n    return cls(x, cls.k & 7)\n");
            w.line("def late(self, v):\n    return self.y\n");
            w.line("def bump(self):\n    type(self).k += 1\n    self.y += 1\n");
            w.line("def __repr__(self):\n    return f'{type(self).__name__}({self.x}, {self.y})'");
            let all = w.tape.chance(1, 2);
            for special in SPECIAL {
                if all || w.tape.chance(1, 2) {
                    w.line("");
                    w.line(special);
                }
            }
        });
        self.line("\n");
        self.block("class C1(C0):", |w| {
            w.line("def __init__(self, x, y=1):\n    super().__init__(x, y)\n    self.z = 3\n");
            w.method("def m(self, p):", "super().m(p) ^ ");
        });
        self.line("\n");
        self.block("class C2(C0):", |w| {
            w.line("k = 7\n");
            w.method("def m(self, p):", "");
            if w.tape.chance(1, 2) {
                w.line("def late(self, v):\n    return super().late(v) + self.k");
            }
        });
        self.line("\n");
        self.block("class C3(C1, C2):", |w| match w.tape.chance(1, 2) {
            true => w.method("def m(self, p):", "super().m(p + 1) - "),
            false => w.line("pass"),
        });
        self.line("\n");
    }

    /// A method that returns an integer, with this in front of it.
    fn method(&mut self, head: &str, front: &str) {
        let known = [("self.x", Want::Int), ("self.y", Want::Int)];
        let p = head.contains(", p").then_some(("p", Want::Int));
        let params: Vec<(&str, Want)> = known.into_iter().chain(p).collect();
        self.fuel = self.fuel.max(4);
        self.function(head, Rank::Method, &params, |w| {
            w.vars.iter_mut().for_each(|var| var.writable = false);
            if w.tape.chance(1, 4) {
                let condition = w.expr(Want::Bool, 1);
                w.line(&format!("if {condition}:\n    self.y = self.y + 1 & 255"));
            }
            let value = w.expr(Want::Int, 2);
            w.line(&format!("return cut({front}({value}))"));
        });
        self.line("");
    }
}
