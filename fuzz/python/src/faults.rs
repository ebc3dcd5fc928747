//! Errors in Python programs. In: a tape. Out: a statement that raises an exception whatever the
//! program does. Invariant: what can be seen of it is its class, its message and its place.

use super::writer::{Rank, Want, Writer};

/// What ends in an error; `X` is an integer.
const FAULTS: &[&str] = &[
    "raise ValueError('e', X)",
    "raise KeyError(X)",
    "raise Oops(X)",
    "raise Oops(X) from KeyError('cause')",
    "raise StopIteration(X)",
    "raise ZeroDivisionError",
    "raise X",
    "X // 0",
    "X % 0",
    "X / 0",
    "1.5 % 0.0",
    "0.0 ** -1",
    "X << -1",
    "{}[X]",
    "[][X]",
    "(1, 2)[X + 2 ** 70]",
    "'ab'[7]",
    "'a' + X",
    "X + 'a'",
    "X < 'a'",
    "None + X",
    "-'a'",
    "~1.5",
    "1.5 | X",
    "None.x",
    "X.x",
    "nothing",
    "nothing.y = X",
    "None.y = X",
    "X()",
    "X[0]",
    "X[0] = 1",
    "del {}[X]",
    "len(X)",
    "int('q')",
    "float('x')",
    "for _ in X: pass",
    "a, b = (X,)",
    "a, b = X, 1, 2",
    "a, *b = []",
    "{}.popitem()",
    "[].pop()",
    "next(iter([]))",
    "assert X is None, 'm'",
    "{[]: X}",
    "(lambda v: v)()",
    "(lambda v: v)(X, 2)",
    "(lambda v: v)(w=X)",
    "(lambda *, v: v)()",
    "'%d' % 'x'",
    "'%d %d' % (X,)",
    "[1, 2].index('q')",
    "'abc'.index('z')",
    "range(1, 2, 0)",
    "math.sqrt(-1)",
    "min([])",
    "chr(-1)",
    "ord('ab')",
    "[3].remove(X + 4)",
    "sum(['a'])",
    "sorted([1, 'a'])",
    "'{1}'.format(X)",
    "''.join([X])",
    "isinstance(X, 3)",
    "int([])",
    "abs('a')",
    "set().remove(X)",
    "with X: pass",
    "spread()",
    "spread(1, **{'a': X})",
    "cut(1, 2)",
    "(1, 2)[0] = X",
    "1 in X",
    "raise Exception",
    "raise ValueError() from Oops(X)",
    "list(safe(2))[X + 99]",
];

impl Writer<'_, '_> {
    /// An error, in some turns.
    pub fn fault(&mut self) {
        if self.rank < Rank::Closure {
            return self.line("pass");
        }
        let condition = self.expr(Want::Bool, 2);
        let number = self.kept(Want::Int, 0);
        let fault = self.tape.pick(FAULTS);
        // These names are the fault's own.
        let fault = match fault.starts_with("a, ") {
            true => fault.replacen("a, ", "_, ", 1).replacen('b', "_", 1),
            false => fault.to_string(),
        };
        let number = match number.starts_with('-') {
            true => format!("({number})"),
            false => number,
        };
        let number = match number.chars().all(|c| c.is_ascii_digit()) {
            true => format!("({number})"),
            false => number,
        };
        let fault = fault.replace('X', &number);
        // What is hot comes to be compiled before it goes wrong.
        let late = match self.vars.iter().any(|var| var.name == "i") {
            true => format!("if i > 7 and ({condition}):"),
            false => format!("if {condition}:"),
        };
        self.block(&late, |w| w.line(&fault));
    }
}
